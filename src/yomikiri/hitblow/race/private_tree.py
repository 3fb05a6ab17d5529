"""Game tree of the public histories of a race: the guesses and answers that both players see.

A node is a decision of one player. At each node the answers leave some codes for the secret that the mover looks for,
and some for the mover's own secret. The mover knows which of the latter it is, and the opponent which of the former.

The tree contains only useful guesses, although a guess may also be a signal. For each set of candidates (the codes that
fit the answers, which both players see), a guess is left out if another one matches it: guess g is *matched* by g' if
every cell of g' is a subset of a cell of g, and g' hits whatever g hits. Of guesses that match each other, the first is
kept.

Claim: leaving these guesses out does not change the value. Proof: let a player P use g after some history. Let P guess
g' instead, continue as if the coarser answer of g had come, and finish at once where g' hits. The opponent, who knows
their own secret, can compute the answer of g' themselves, so whatever they can do after seeing g' with its answer, they
could do in the old game after seeing g. So P is guaranteed as much as before. The signal that P sends by choosing
between g and g' is lost to the opponent but not to P, who remembers it. Replace guesses turn by turn from the first on.
Each remaining guess splits the set, so the sets shrink and this ends.

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
Cases = dict[str, int]  # weight of each secret

MOST_SECRETS = 24  # above this, the tree is certainly too large
_MOST_NODES = 150_000


@dataclass(frozen=True, slots=True)
class Division:
    """A guess, whether it can hit, and the cells of the codes that it does not hit."""

    guess: str
    hits: bool
    cells: tuple[Codes, ...]

    def matches(self, other: Division) -> bool:
        """Return True if this guess is at least as good as another, in the sense defined above."""
        if other.hits and not (self.hits and self.guess == other.guess):
            return False
        wider = [set(cell) for cell in other.cells]
        return all(any(cell <= set_ for set_ in wider) for cell in map(set, self.cells))


Divisions = tuple[Division, ...]


class Guesses:
    """The useful guesses under some rules."""

    def __init__(self, rules: Rules) -> None:
        self._all = decode_all(rules, all_guesses(rules))
        self._win = rules.win
        self.of = cache(self._of)

    def _of(self, codes: Codes) -> tuple[Division, ...]:
        """Return the useful guesses for a set of codes, in order."""
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
    """A decision: the mover, the candidates for both secrets, and the useful guesses.

    `last` marks the second player's guess that completes the turn in which the first player has found the secret: a hit
    draws, and everything else loses.
    """

    first: bool
    sought: Codes
    own: Codes
    last: bool = False
    moves: list[PrivateMove] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class PrivateMove:
    """A guess, and the node that follows for each cell of the codes that it does not hit.

    `answer` is the opponent's last guess after a hit, if both players get the same number of turns.
    """

    guess: str
    children: list[PrivateNode]
    answer: PrivateNode | None = None

    @property
    def nodes(self) -> list[PrivateNode]:
        """All nodes after this guess."""
        return [*self.children, *([self.answer] if self.answer else [])]

    def after(self, secret: str) -> PrivateNode | None:
        """Return the node after this guess for a secret; None after a hit that ends the match."""
        if secret == self.guess:
            return self.answer
        return next((child for child in self.children if secret in child.own), None)


class Tree:
    """The game tree of a race.

    `sought` are the secrets that the first player looks for, and `own` are the first player's own. Raises an
    `InputError` for more than `MOST_SECRETS` secrets and for too large a tree, and `Stopped` without a result.

    First guesses are considered up to symmetry. Before the first guess, nothing is known about the second player's
    secret. The second player can therefore rename its places and symbols, together with the guesses seen, so that
    guesses related by a renaming have equal value. If only one first guess remains, it contains no information about
    the first player's secret, and the same argument applies to the second player's first guess. With unequal weights
    all first guesses are considered.
    """

    def __init__(self, terms: Terms, budget: Budget = UNLIMITED) -> None:
        self._equal_turns, self._budget = terms.equal_turns, budget
        # Keyed by True for the first player and False for the second.
        self._guesses = {True: Guesses(terms.rules), False: Guesses(terms.second.rules)}
        self._size = cache(self._counted)
        for known in (terms.first, terms.second):
            if known.count > MOST_SECRETS:
                raise too_large(known.count, MOST_SECRETS)
        self.sought, self.own = _cases_of(terms.first), _cases_of(terms.second)
        sought, own = tuple(self.sought), tuple(self.own)
        firsts, seconds = self._guesses[True].of(sought), self._guesses[False].of(own)
        if not terms.prior:
            firsts = _unlike(firsts, terms.first.absent)
            if len(firsts) == 1:
                seconds = _unlike(seconds, terms.second.absent)
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
        """Return the number of histories from here on; `openings` as in `_grown`."""
        self._budget.check()
        divisions = openings[0] if openings else self._guesses[first].of(sought)
        cells = (cell for division in divisions for cell in division.cells)
        return 1 + sum(self._size(not first, own, cell, openings[1:]) for cell in cells)

    def _grown(self, first: bool, sought: Codes, own: Codes, openings: tuple[Divisions, ...] = ()) -> PrivateNode:
        """Return the node of a history with its subtree.

        `openings` are the guesses of the first turns if they are fewer than the useful ones.
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


def _unlike(divisions: Divisions, absent: str) -> Divisions:
    """Return one guess from each class under renamings of places and symbols that keep the absent symbols."""
    kinds: dict[tuple[int, ...], Division] = {}
    for division in divisions:
        kinds.setdefault(min(_renamed(order, absent) for order in permutations(division.guess)), division)
    return tuple(kinds.values())


def _renamed(code: tuple[str, ...], absent: str) -> tuple[int, ...]:
    """Return a code with its symbols numbered by first occurrence, absent ones below zero."""
    names: dict[str, int] = {}
    for symbol in code:
        before = sum((symbol in absent) == (other in absent) for other in names)
        names.setdefault(symbol, -1 - before if symbol in absent else before)
    return tuple(names[symbol] for symbol in code)
