"""A policy replayed against everything the other side may do: the most that any reply wins against it.

The other side sees both boards, may make any guess in any position, and may pass. What it wins at most against a policy
of one seat, and at most against one of the other, make up the whole match only if both policies are perfect: together
they prove its value, whatever search they come from.
"""

from __future__ import annotations

from collections.abc import Callable

import numba
from tests.reference.forms import Forms

SUDDEN, OPENING, CLOSING = range(3)  # the first hit wins; turns are completed: their first guess, their second

# The guess for a set of codes, the other side holding another one, in a position of some kind; an option's number.
Policy = Callable[[int, int, int], int]


def most(forms: Forms, policy: Policy, kind: int, held: int, other: int, *, replies: bool) -> int:
    """The most halves of pairs of secrets that the other side wins against a policy, a draw being one.

    `held` is the form of what the policy has to find, `other` that of the other side; `replies` says who is to move.
    `policy` is asked once for each position that some reply brings about and that leaves a choice: its kind and both
    forms.
    """
    choice = numba.typed.Dict.empty(numba.int64, numba.int64)
    while True:
        won = numba.typed.Dict.empty(numba.int64, numba.int64)
        asked = numba.typed.Dict.empty(numba.int64, numba.int64)
        board = forms.size, forms.first, forms.hit, forms.begin, forms.cell
        worth = (_reply if replies else _policy)(board, choice, won, asked, kind, held, other)
        if not asked:
            return int(worth)
        for position in asked:
            choice[position] = policy(*_of(position, len(forms.size)))


def _of(position: int, forms: int) -> tuple[int, int, int]:
    rest, other = divmod(position, forms)
    return (*divmod(rest, forms), other)


@numba.njit
def _number(board, kind, held, other):
    forms = len(board[0])
    return (kind * forms + held) * forms + other


@numba.njit
def _next(kind):
    return kind if kind == SUDDEN else OPENING + CLOSING - kind


@numba.njit
def _reply(board, choice, won, asked, kind, held, other):
    """The most that the other side wins when it is to move."""
    position = _number(board, kind, held, other)
    if position in won:
        return won[position]
    size, first, hit, begin, cell = board
    best = _policy(board, choice, won, asked, _next(kind), held, other)  # a pass
    for option in range(first[other], first[other + 1]):
        worth = hit[option] * (2 * size[held] - (kind == OPENING))
        for at in range(begin[option], begin[option + 1]):
            worth += _policy(board, choice, won, asked, _next(kind), held, cell[at])
        best = max(best, worth)
    won[position] = best
    return best


@numba.njit
def _policy(board, choice, won, asked, kind, held, other):
    """The most that the other side wins when the policy is to move; nothing while it is still to be asked."""
    _, first, hit, begin, cell = board
    option = first[held]
    if first[held + 1] > option + 1:
        position = _number(board, kind, held, other)
        if position not in choice:
            asked[position] = 0
            return 0
        option = choice[position]
    worth = hit[option] * (kind == OPENING)  # the other side hits one of its codes in the same turn
    for at in range(begin[option], begin[option + 1]):
        worth += _reply(board, choice, won, asked, _next(kind), cell[at], other)
    return worth
