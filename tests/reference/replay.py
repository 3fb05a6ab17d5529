"""Replay of a policy against all replies of the other side, for the greatest winning chance of a reply.

The other side sees both boards, can make any guess in any position, and can pass. The bounds from policies for both
seats are equal only if both policies are perfect. Then they prove the value of the match, independently of the search.
"""

from __future__ import annotations

from collections.abc import Callable

import numba
from tests.reference.forms import Forms

SUDDEN, OPENING, CLOSING = range(3)  # the first hit wins; first and second guess of an equal turn

# (kind of turn, form of the policy's candidates, form of the other side's) -> index of the option that the policy takes
Policy = Callable[[int, int, int], int]


def best_result_against(forms: Forms, policy: Policy, kind: int, held: int, other: int, *, replies: bool) -> int:
    """Return the greatest result of the other side against a policy.

    The result is 2 for each pair of secrets that the other side wins, and 1 for each draw. `held` is the form of the
    policy's candidates, `other` that of the other side's. If `replies` is True, the other side is to move, otherwise
    the policy. `policy` is called once with kind and forms of each reachable position that has more than one option.
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
    """Return the greatest result of the other side if it is to move."""
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
    """Return the greatest result of the other side if the policy is to move.

    If the policy's option is not known yet, adds the position to `asked` and returns 0.
    """
    _, first, hit, begin, cell = board
    option = first[held]
    if first[held + 1] > option + 1:
        position = _number(board, kind, held, other)
        if position not in choice:
            asked[position] = 0
            return 0
        option = choice[position]
    worth = hit[option] * (kind == OPENING)  # the other side draws if it hits in the same turn
    for at in range(begin[option], begin[option + 1]):
        worth += _reply(board, choice, won, asked, _next(kind), cell[at], other)
    return worth
