"""Game tree of the public histories of a race: the guesses and answers that both players see.

A *node* is a decision of one player. At each node, the answers so far leave some codes for the secret that the mover
looks for, and some codes for the mover's own secret. Each player also knows their own secret.

The tree contains only useful guesses. A guess g is *matched* by g' for a set of candidates if every cell of g' is a
subset of a cell of g, and g' hits whatever g hits. A guess is *useful* if no other guess matches it. Of guesses that
match each other, the first is kept. Both players see the answers, so they see the set of candidates too. A player might
choose a guess that is not useful as a signal, because the opponent sees it and may draw conclusions from it. The
following claim shows that this never pays.

Claim: leaving out the other guesses does not change the value. Proof: let a player P use g after some history. Let P
guess g' instead, continue as if the coarser answer of g had come, and finish at once where g' hits. The opponent, who
knows their own secret, can compute the answer of g' without asking. So whatever they can do after seeing g' with its
answer, they could do in the old game after seeing g. So P is guaranteed as much as before. The signal that P sends by
choosing between g and g' is lost to the opponent but not to P, who remembers it. Replace guesses turn by turn from the
first on. Each remaining guess splits the set, so the sets shrink and this ends.

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
    """A guess at a set of codes: whether it is in the set, and how its answers divide the other codes of the set."""

    guess: str
    hits: bool
    cells: tuple[Codes, ...]

    def matches(self, other: Division) -> bool:
        """Return True if a player never needs the guess `other`, because this guess divides the set at least as finely.

        That is the case if every cell of this guess is a subset of a cell of `other`, and if this guess hits whatever
        `other` hits.
        """
        if other.hits and not (self.hits and self.guess == other.guess):
            return False
        wider = [set(cell) for cell in other.cells]
        return all(any(cell <= set_ for set_ in wider) for cell in map(set, self.cells))


Divisions = tuple[Division, ...]


class Guesses:
    """The useful guesses of a game for each set of candidates.

    A guess g is useful unless another guess divides the set at least as finely and hits whatever g hits.
    """

    def __init__(self, rules: Rules) -> None:
        self._all = decode_all(rules, all_guesses(rules))
        self._win = rules.win
        self.of = cache(self._of)

    def _of(self, codes: Codes) -> tuple[Division, ...]:
        """Return the useful guesses for a set of candidates, in code order.

        A guess g is useful unless another guess divides the set at least as finely and hits whatever g hits.
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
    """A decision of one player: the mover, the candidates for both secrets, and the useful guesses.

    `first` is True if the first player moves. `sought` are the candidates for the secret that the mover looks for, and
    `own` are those for the mover's own secret. `last` is True if the first player has found the secret and the second
    player may complete the turn: a hit is a draw, and any other guess loses.
    """

    first: bool
    sought: Codes
    own: Codes
    last: bool = False
    moves: list[PrivateMove] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class PrivateMove:
    """A guess that a player can choose at a decision, and the decisions of the opponent that can follow.

    `children` contains the next decision for each answer other than the win. `answer` is the next decision after a win
    of the first player, if both players get the same number of turns: the second player still has one guess. In all
    other cases `answer` is None.
    """

    guess: str
    children: list[PrivateNode]
    answer: PrivateNode | None = None

    @property
    def nodes(self) -> list[PrivateNode]:
        """The decisions in the game tree that can follow this guess, one per answer that does not end the match."""
        return [*self.children, *([self.answer] if self.answer else [])]

    def after(self, secret: str) -> PrivateNode | None:
        """Return the decision that follows this guess if `secret` is the secret; None if the guess ends the match."""
        if secret == self.guess:
            return self.answer
        return next((child for child in self.children if secret in child.own), None)


class Tree:
    """The game tree of a race.

    `sought` has the weights of all codes that can be the second player's secret, for which the first player looks.
    `own` has the weights of all codes that can be the first player's secret. Raises an `InputError` for more than
    `MOST_SECRETS` secrets and for too large a tree, and `Stopped` without a result.

    Of first guesses that are equivalent by symmetry, the tree contains one. Before the first guess, nothing is known
    about the second player's secret. The second player can therefore rename its places and symbols, together with the
    guesses seen, so that guesses related by a renaming have equal value. If only one first guess remains, it contains
    no information about the first player's secret, and the same argument applies to the second player's first guess. If
    the weights are unequal, the tree contains all first guesses.
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
        """Return the number of decisions (nodes) in the game tree that begins after some guesses and answers.

        The arguments are those of `_grown`, which builds this tree.
        """
        self._budget.check()
        divisions = openings[0] if openings else self._guesses[first].of(sought)
        cells = (cell for division in divisions for cell in division.cells)
        return 1 + sum(self._size(not first, own, cell, openings[1:]) for cell in cells)

    def _grown(self, first: bool, sought: Codes, own: Codes, openings: tuple[Divisions, ...] = ()) -> PrivateNode:
        """Return the game tree that begins after some guesses and answers, at the decision of the next player.

        `first` is True if the first player moves. `sought` are the candidates for the secret that the mover looks for,
        and `own` are those for the mover's own secret. At the start of a match, symmetry makes some guesses
        unnecessary. `openings` then lists the guesses to consider: those of the mover, then those of the opponent.
        Later in the match `openings` is empty, and all useful guesses are considered.
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
    """Return one guess of each class of equivalent guesses.

    Guesses are equivalent if a permutation of places and symbols maps one to the other, and absent symbols to absent
    symbols.
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
