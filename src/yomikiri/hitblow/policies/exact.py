"""Proven play: by the book while the game is on it, else by search; beyond the reach of both, one step ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import PRESETS, Repeats, Turn
from yomikiri.hitblow.policies.base import ALTERNATIVES, Choice, Outlook, Policy, Unproven, proven, require_candidates
from yomikiri.hitblow.policies.book import look_up, volumes
from yomikiri.hitblow.policies.onestep import OneStep, Soonest
from yomikiri.hitblow.search.plain import plain_search, within_reach
from yomikiri.hitblow.search.position import HEAVIEST, PositionSearch, best_move
from yomikiri.machine.library import available, require

NAME = "exact"
SECONDS = 5.0
# Larger sets are not searched at all unless time is without limit: there a proof takes minutes or more.
_MOST_CANDIDATES = 6_000
_MOST_GUESSES = 40_000
# Candidates times guesses up to which the plain search has all the time it needs: seconds, where 3 of 10 has 518,400.
_PLAIN_PAIRS = 600_000
_MOST_UNEVEN = 300  # candidates of which some are likelier than others

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Exact(Policy):
    """The guess that needs fewest guesses on average, proven.

    Under the rules of a preset the search takes the time it needs; under others at most `seconds` from the beginning of
    the answer that it is for, and not at all where that is hopeless; None is any time. Where there is no machine code
    for this processor, the plain search proves what is small, with the same answers, under any rules in `seconds`; what
    is larger and has any time raises a `MachineCodeError`. A guess that is not proven is that of `beyond`, and says
    why; where turns may be wrong, which no proof allows for, that of `Soonest`. The states of a budget are nodes;
    waiting for a search in another thread to end spends its time as well.
    """

    seconds: float | None = SECONDS
    beyond: Policy = OneStep("entropy")
    name: str = NAME
    alternatives: int = ALTERNATIVES

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        known = known.simplified
        require_candidates(known)
        if known.slips.most:
            return replace(Soonest(alternatives=self.alternatives).choose(known, budget), unproven=Unproven.SLIPS)
        if entry := look_up(known):
            return proven(entry.guess, entry.cost.total_guesses, entry.cost.max_guesses)
        if known.count <= 2:  # guess the likelier one, then the other
            guess, *other = known.likeliest(2)
            return proven(guess, known.total + sum(map(known.weight, other)), known.count)
        if reason := self.obstacle(known):
            if reason is Unproven.NO_MACHINE_CODE and self.seconds is None:
                require()
            return replace(self.beyond.choose(known, budget), unproven=reason)
        try:
            move = self._asked(known, budget, lambda search: best_move(search, known))
        except Stopped:
            return replace(self.beyond.choose(known, budget), unproven=Unproven.TIME)
        return proven(move.guess, move.total_guesses, move.max_guesses)

    def compare(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """The same guess with the next best ones and what each would take; as many as the time allows."""
        known = known.simplified
        choice = self.choose(known, budget)
        if choice.unproven or self.obstacle(known) or _all_alike(known):
            return choice
        try:
            moves = self._asked(known, budget, lambda search: search.moves(1 + self.alternatives))
        except Stopped:
            return choice
        others = {move.guess: Outlook(move.total_guesses, None, True) for move in moves if move.guess != choice.guess}
        rival = None
        if not known.is_candidate(choice.guess):
            rival = next((guess for guess in others if known.is_candidate(guess)), None)
        return replace(
            choice,
            alternatives=tuple(others)[: self.alternatives],
            best_candidate=rival,
            outlooks={**others, **choice.outlooks},
        )

    def outlook(self, known: Knowledge, guess: str, budget: Budget = UNLIMITED) -> Outlook | None:
        known = known.simplified
        if total := _total_by_book(known, guess):
            return Outlook(total, None, True)
        if self.obstacle(known):
            return None
        try:
            return Outlook(self._asked(known, budget, lambda search: search.total_after(guess)), None, True)
        except Stopped:
            return None

    def obstacle(self, known: Knowledge) -> Unproven | None:
        """Why no search is begun, if there is a reason."""
        known = known.simplified
        if known.slips.most:
            return Unproven.SLIPS
        if known.uneven:
            return self._obstacle_of_uneven(known)
        many = known.count > _MOST_CANDIDATES or known.rules.guess_count > _MOST_GUESSES
        if many and self.seconds is not None:
            return Unproven.TOO_LARGE
        few = known.count * known.rules.guess_count <= _PLAIN_PAIRS
        if available() or (within_reach(known) and (few or self.seconds is not None)):
            return None
        return Unproven.NO_MACHINE_CODE

    def _obstacle_of_uneven(self, known: Knowledge) -> Unproven | None:
        if known.total >= HEAVIEST or (known.count > _MOST_UNEVEN and self.seconds is not None):
            return Unproven.TOO_LARGE
        return None if available() else Unproven.NO_MACHINE_CODE

    def _asked(self, known: Knowledge, budget: Budget, ask: Callable[[PositionSearch], T]) -> T:
        """The answer of a search: by machine code where there is some for this processor, else by the plain search."""
        own = self._allowed(known, budget)
        own.check()
        if known.uneven:
            from yomikiri.hitblow.search.weighted_codes import uneven_search

            with uneven_search(known, own) as search:
                return ask(search)
        if not available():
            with plain_search(known, own) as search:
                return ask(search)
        from yomikiri.hitblow.search.position import kernel_search

        with kernel_search(known, own) as search:
            return ask(search)

    def _allowed(self, known: Knowledge, budget: Budget) -> Budget:
        """What a search that begins now may spend."""
        preset = any(known.rules == preset.rules for preset in PRESETS.values())
        return budget if preset and not known.uneven and available() else budget.in_all(self.seconds)


def _all_alike(known: Knowledge) -> bool:
    """Whether every guess is as good as any other: the first of a game in which no code repeats a symbol."""
    return known.is_blank and known.rules.repeats is Repeats.NONE and not known.rules.no_leading


def _total_by_book(known: Knowledge, guess: str) -> int | None:
    """What a guess would take where that needs no search: where the book has all its cells of more than two codes."""
    if known.uneven or known.slips.most:
        return None
    held = any(volumes(known.rules, known.start.absent))
    total = known.count
    for hint, size in known.cells(guess).items():
        if hint == known.rules.win:
            continue
        if size <= 2:
            total += 2 * size - 1
        elif held and (entry := look_up(known.after(Turn(guess, hint)))):
            total += entry.cost.total_guesses
        else:
            return None
    return total
