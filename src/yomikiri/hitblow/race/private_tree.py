"""The public histories of a race as a tree: what both players see, the guesses and the hints.

A node is one player's move. At each node the hints leave some codes for the secret that the mover seeks, and some for
the mover's own; the mover knows which of the latter it is, the opponent which of the former.

Only guesses worth making are in it, where a guess may also be a signal. For each set of candidates (the codes that fit
the hints, which both players see) those are kept whose division of the set is not matched by another: guess g is
*matched* by g' if every cell of g' lies within a cell of g, and g' hits whatever g hits. Of guesses that match each
other the first is kept. Nothing is lost. Let a player P use g after some history; let P guess g' instead, go on as if
the coarser hint of g had come, and finish at once where g' hits. The opponent, who knows their own secret, can work out
the hint of g' by themselves: whatever they can do after seeing g' with its hint, they could do in the old game after
seeing g. So P is sure of as much as before. What P signals by the choice between g and g' is lost to the opponent and
not to P, who remembers it. Replace guesses turn by turn from the first on: each that is kept divides the set, so the
sets shrink and this ends.

A guess that tells nothing is matched by every other, hence passing is never needed. race.md has the argument at
length.
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
Cases = dict[str, int]  # how likely each secret is

MOST_SECRETS = 24  # beyond, the tree is sure to be too large
_MOST_NODES = 150_000


@dataclass(frozen=True, slots=True)
class Division:
    """A guess, whether it can hit, and the cells of the codes that it does not hit."""

    guess: str
    hits: bool
    cells: tuple[Codes, ...]

    def matches(self, other: Division) -> bool:
        """Whether this guess is as good as the other, as the module says."""
        if other.hits and not (self.hits and self.guess == other.guess):
            return False
        wider = [set(cell) for cell in other.cells]
        return all(any(cell <= set_ for set_ in wider) for cell in map(set, self.cells))


Divisions = tuple[Division, ...]


class Guesses:
    """The guesses worth making under some rules."""

    def __init__(self, rules: Rules) -> None:
        self._all = decode_all(rules, all_guesses(rules))
        self._win = rules.win
        self.of = cache(self._of)

    def _of(self, codes: Codes) -> tuple[Division, ...]:
        """The guesses worth making for a set of codes, in order."""
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
    """Whose move it is, the codes left for the secret they seek and for their own, and the guesses worth making.

    `last` marks the second player's guess that completes the turn in which the first has found the secret: a hit then
    draws, and whatever is not a hit loses.
    """

    first: bool
    sought: Codes
    own: Codes
    last: bool = False
    moves: list[PrivateMove] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class PrivateMove:
    """A guess, and the nodes after it by the cells of the codes that it does not hit.

    `answer` is the opponent's last guess after a hit, where turns are completed.
    """

    guess: str
    children: list[PrivateNode]
    answer: PrivateNode | None = None

    @property
    def nodes(self) -> list[PrivateNode]:
        """All nodes after this guess."""
        return [*self.children, *([self.answer] if self.answer else [])]

    def after(self, secret: str) -> PrivateNode | None:
        """The node after this guess at that secret; none after a hit that ends the match."""
        if secret == self.guess:
            return self.answer
        return next((child for child in self.children if secret in child.own), None)


class Tree:
    """The tree of a race.

    Raises an `InputError` for more than `MOST_SECRETS` secrets, and for too large a tree; `Stopped` with nothing
    when the budget is spent.

    The first guesses are taken up to symmetry. Before the first guess of all nothing is known of the second player's
    secret, so the second player may rename its places and symbols in mind, and with them the guesses seen: guesses that
    a renaming turns into each other promise the same. If only one is left, it says nothing of the first player's
    secret, and the same holds for the second player's first guess. Where some secrets are likelier than others, all are
    taken. `sought` are the secrets that the first player seeks, `own` the first player's.
    """

    def __init__(self, terms: Terms, budget: Budget = UNLIMITED) -> None:
        self._equal_turns, self._budget = terms.equal_turns, budget
        # By whose move it is: the first player's, or not.
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
                N_("this race can go in more than {limit} ways: choose a smaller game, such as 2 digits of 01234"),
                limit=_MOST_NODES,
            )
        self.root = self._grown(True, sought, own, (firsts, seconds))

    def _counted(self, first: bool, sought: Codes, own: Codes, openings: tuple[Divisions, ...] = ()) -> int:
        """How many histories there are from one on; `openings` as below."""
        self._budget.check()
        divisions = openings[0] if openings else self._guesses[first].of(sought)
        cells = (cell for division in divisions for cell in division.cells)
        return 1 + sum(self._size(not first, own, cell, openings[1:]) for cell in cells)

    def _grown(self, first: bool, sought: Codes, own: Codes, openings: tuple[Divisions, ...] = ()) -> PrivateNode:
        """The node of a history and all below it; `openings` are the guesses of the first turns, where they are fewer
        than those worth making."""
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
    """One guess of each kind that renamings of places and symbols leave different; absent symbols stay absent."""
    kinds: dict[tuple[int, ...], Division] = {}
    for division in divisions:
        kinds.setdefault(min(_renamed(order, absent) for order in permutations(division.guess)), division)
    return tuple(kinds.values())


def _renamed(code: tuple[str, ...], absent: str) -> tuple[int, ...]:
    """A code with its symbols numbered as they occur, absent ones from below zero."""
    names: dict[str, int] = {}
    for symbol in code:
        alike = sum((symbol in absent) == (other in absent) for other in names)
        names.setdefault(symbol, -1 - alike if symbol in absent else alike)
    return tuple(names[symbol] for symbol in code)
