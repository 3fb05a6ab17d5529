"""The guesses worth making in a race whose players know their own secrets, where a guess may also be a signal.

For each set of candidates (the codes that fit the hints, which both players see) those guesses are kept whose division
of the set is not matched by another: guess g is *matched* by g' if every cell of g' lies within a cell of g, and g'
hits whatever g hits. Of guesses that match each other the first is kept. Nothing is lost. Let a player P use g after
some history; let P guess g' instead, go on as if the coarser hint of g had come, and finish at once where g' hits. The
opponent, who knows their own secret, can work out the hint of g' by themselves: whatever they can do after seeing g'
with its hint, they could do in the old game after seeing g. So P is sure of as much as before. What P signals by the
choice between g and g' is lost to the opponent and not to P, who remembers it. Replace guesses turn by turn from the
first on: each that is kept divides the set, so the sets shrink and this ends.

A guess that tells nothing is matched by every other, hence passing is never needed. docs/race.md has the argument at
length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from yomikiri.hitblow.codes import all_guesses, decode_all
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.strategy.tree import cells

Codes = tuple[str, ...]


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
