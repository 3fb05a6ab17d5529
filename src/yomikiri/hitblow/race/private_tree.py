"""Game tree of a race in which both players see all guesses and answers, and also know their own secrets.

A *node* is a decision of one player, the mover, after some guesses and answers. At each node, the answers so far leave
some candidates for the secret that the mover looks for, and some candidates for the mover's own secret.

The tree contains only useful guesses. A guess g' *matches* a guess g for a set of candidates if both of these hold:

- Every cell of g' is a subset of a cell of g.
- If g is in the set, then g' hits the same code, that is, g' = g.

A guess is *useful* if no other guess matches it. If several guesses match each other, the first of them is kept. A
player might choose a guess that is not useful as a signal, because the opponent sees it and may draw conclusions from
it. The following claim shows that this never pays.

Claim: if the guesses that are not useful are left out, the value does not change.

Proof: suppose that a strategy of player P uses a guess g after some history, and that g' matches g. Change the
strategy: P guesses g' instead. If g' hits, P has found the secret earlier than after g, which never pays less.
Otherwise P computes the answer that g would have got, because every cell of g' is part of one cell of g. P then
continues as the old strategy does after g with that answer.

The opponent now sees g' and its answer. But the opponent knows their own secret, so they could already compute the
answer to g' when they saw g. Whatever they can do against the new strategy, they could have done against the old one.
The old strategy may also have used g' itself in some cases. P remembers whether g' replaces g, but the opponent does
not see it. So P is guaranteed at least as much as before.

In this way, replace every such guess of P, from the first decision on. Each remaining guess divides the set of
candidates, so the sets become smaller and the process ends.

A guess without information is matched by every other guess, so passing is never needed. docs/guide/race.md has the full
argument.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import permutations

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.model.codes import all_guesses, decode_all
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.terms import Terms, too_large
from yomikiri.hitblow.strategy.strategy import cells

Codes = tuple[str, ...]
Cases = dict[str, int]  # weight of each possible secret, proportional to its probability

MOST_SECRETS = 24  # limit on the number of possible secrets of one player; with more, the game tree is too large
_MOST_NODES = 150_000  # limit on the number of decisions in a game tree


@dataclass(frozen=True, slots=True)
class Division:
    """A guess at a set of codes: whether it is in the set, and the cells into which it divides the other codes."""

    guess: str
    hits: bool
    cells: tuple[Codes, ...]

    def matches(self, other: Division) -> bool:
        """Return True if this guess is at least as informative as `other`, so that a player never needs `other`.

        That is the case if two conditions hold. Every cell of this guess must be a subset of a cell of `other`. If
        `other` is in the candidate set, this guess must equal `other`.
        """
        if other.hits and not (self.hits and self.guess == other.guess):
            return False
        wider = [set(cell) for cell in other.cells]
        return all(any(cell <= set_ for set_ in wider) for cell in map(set, self.cells))


Divisions = tuple[Division, ...]


class Guesses:
    """The useful guesses of a game for each set of candidates.

    A guess g is *useful* if no other guess g' matches it. g' *matches* g if every cell of g' is a subset of a cell of
    g, and g is not in the set. If several guesses match each other, the first of them in code order is kept.
    """

    def __init__(self, rules: Rules) -> None:
        self._all = decode_all(rules, all_guesses(rules))
        self._win = rules.win
        self.of = cache(self._of)

    def _of(self, codes: Codes) -> tuple[Division, ...]:
        """Return the useful guesses for a set of candidates, in code order.

        A guess is *useful* if no other guess matches it (see `Division.matches`). If several guesses match each other,
        the first of them is kept.
        """
        kept: list[Division] = []
        for guess in self._all:
            new = self._divide(guess, codes)
            if any(old.matches(new) for old in kept):
                continue
            kept = [old for old in kept if not new.matches(old)] + [new]
        return tuple(kept)

    def _divide(self, guess: str, codes: Codes) -> Division:
        split = cells(guess, codes)
        hits = split.pop(self._win, None) is not None
        return Division(guess, hits, tuple(tuple(cell) for cell in split.values()))


@dataclass(eq=False, slots=True)
class PrivateNode:
    """A decision of one player: the mover, the candidates for both secrets, and the guesses to choose from.

    `first` is True if the first player moves. `sought` are the candidates for the secret that the mover looks for, and
    `own` are those for the mover's own secret. `last` is True if the first player has hit and the second player may
    complete the round. A hit is then a draw, and with any other guess the second player loses.
    """

    first: bool
    sought: Codes
    own: Codes
    last: bool = False
    moves: list[PrivateMove] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class PrivateMove:
    """A guess that a player can choose at a decision, and the decisions of the opponent that can follow.

    `children` contains the next decision for each answer other than the win. `answer` is the second player's last
    decision, after a hit of the first player with this guess. It exists only if both players get the same number of
    guesses, and is otherwise None.
    """

    guess: str
    children: list[PrivateNode]
    answer: PrivateNode | None = None

    @property
    def nodes(self) -> list[PrivateNode]:
        """The decisions in the game tree that can follow this guess, one per answer that does not end the match."""
        return [*self.children, *([self.answer] if self.answer else [])]

    def after(self, secret: str) -> PrivateNode | None:
        """Return the decision that follows this guess, or None if the guess ends the match.

        `secret` is the secret that the player of this guess looks for.
        """
        if secret == self.guess:
            return self.answer
        return next((child for child in self.children if secret in child.own), None)


class Tree:
    """The game tree of a race.

    `sought` has the weights of all codes that can be the second player's secret, for which the first player looks.
    `own` has the weights of all codes that can be the first player's secret. Raises an `InputError` for more than
    `MOST_SECRETS` possible secrets of a player, and for a tree with too many decisions. Raises `Stopped` without a
    result.

    If there is no prior, symmetry makes some first guesses unnecessary:

    - Two first guesses of the first player are *equivalent* if a permutation of places and symbols maps one to
      the other. The tree contains one guess of each class of equivalent guesses. Reason: before the first
      guess, all codes possible for the second player's secret are equally likely, and the permutation maps this
      set of codes to itself. So if the codes of this game are renamed by the permutation, the result is the
      same game, with the other first guess.
    - If only one first guess of the first player remains, this choice reveals nothing about the first player's
      secret. So all codes possible for that secret are still equally likely at the second player's first guess.
      For the same reason, the tree then contains one guess of each class of equivalent first guesses of the
      second player.

    If there is a prior, the tree contains all useful first guesses.
    """

    def __init__(self, terms: Terms, budget: Budget = UNLIMITED) -> None:
        self._equal_turns, self._budget = terms.equal_turns, budget
        # Useful guesses by set of candidates, under the key True for the first player, False for the second player.
        self._guesses = {True: Guesses(terms.rules), False: Guesses(terms.second.rules)}
        self._size = cache(self._counted)
        for known in (terms.first, terms.second):
            if known.count > MOST_SECRETS:
                raise too_large(known.count, MOST_SECRETS)
        self.sought, self.own = _cases_of(terms.first), _cases_of(terms.second)
        sought, own = tuple(self.sought), tuple(self.own)
        firsts, seconds = self._guesses[True].of(sought), self._guesses[False].of(own)
        if not terms.prior:
            firsts = _distinct(firsts, terms.first.absent)
            if len(firsts) == 1:
                seconds = _distinct(seconds, terms.second.absent)
        self.histories = self._counted(True, sought, own, (firsts, seconds))
        if self.histories > _MOST_NODES:
            raise InputError(
                N_(
                    "this race has more than {limit} possible courses: choose a smaller game, such as 2 digits of 01234"
                ),
                limit=_MOST_NODES,
            )
        self.root = self._grown(True, sought, own, (firsts, seconds))

    def _counted(self, first: bool, sought: Codes, own: Codes, openings: tuple[Divisions, ...] = ()) -> int:
        """Return the number of decisions (nodes) in the game tree that begins after some guesses and answers.

        The last decisions of the second player, after a hit of the first player, are not counted. The arguments are
        those of `_grown`, which builds this tree.
        """
        self._budget.check()
        divisions = openings[0] if openings else self._guesses[first].of(sought)
        cells = (cell for division in divisions for cell in division.cells)
        return 1 + sum(self._size(not first, own, cell, openings[1:]) for cell in cells)

    def _grown(self, first: bool, sought: Codes, own: Codes, openings: tuple[Divisions, ...] = ()) -> PrivateNode:
        """Return the game tree that begins after some guesses and answers, at the decision of the next player.

        `first` is True if the first player moves. `sought` are the candidates for the secret that the mover looks for,
        and `own` are those for the mover's own secret.

        `openings` contains the guesses to consider at this decision, then those at the opponent's next decision. It is
        used at the start of a match, when symmetry makes some guesses unnecessary. If `openings` is empty, all useful
        guesses are considered.
        """
        self._budget.check()
        node = PrivateNode(first, sought, own)
        for division in openings[0] if openings else self._guesses[first].of(sought):
            children = [self._grown(not first, own, cell, openings[1:]) for cell in division.cells]
            node.moves.append(PrivateMove(division.guess, children))
            if division.hits and first and self._equal_turns:
                answer = PrivateNode(False, own, (division.guess,), last=True)
                answer.moves = [PrivateMove(code, []) for code in own]
                node.moves[-1].answer = answer
        return node


def _cases_of(known: Knowledge) -> Cases:
    return known.weighted or dict.fromkeys(known.codes(), 1)


def _distinct(divisions: Divisions, absent: str) -> Divisions:
    """Return one guess of each class of equivalent guesses.

    Guesses are equivalent if a permutation of places and symbols maps one to the other, and absent symbols to absent
    symbols. `absent` contains the symbols that the player who guesses knows to be absent from the secret.
    """
    kinds: dict[tuple[int, ...], Division] = {}
    for division in divisions:
        kinds.setdefault(min(_renamed(order, absent) for order in permutations(division.guess)), division)
    return tuple(kinds.values())


def _renamed(code: tuple[str, ...], absent: str) -> tuple[int, ...]:
    """Return a code with its symbols replaced by integers, in the order in which they first occur: 0, 1, 2, ...

    Symbols that are absent from the secret are replaced by -1, -2, ...
    """
    names: dict[str, int] = {}
    for symbol in code:
        before = sum((symbol in absent) == (other in absent) for other in names)
        names.setdefault(symbol, -1 - before if symbol in absent else before)
    return tuple(names[symbol] for symbol in code)
