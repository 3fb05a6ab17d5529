"""The policy whose guesses are proven to be best, by the book of strategies or by a search, if a proof is possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Unproven
from yomikiri.hitblow.model.rules import PRESETS, Repeats, Turn
from yomikiri.hitblow.policies.base import ALTERNATIVES, Choice, Outlook, Policy, proven, require_candidates
from yomikiri.hitblow.policies.book import look_up, volumes
from yomikiri.hitblow.policies.onestep import OneStep, Soonest
from yomikiri.hitblow.search.plain import plain_search, within_reach
from yomikiri.hitblow.search.position import HEAVIEST, ExactSearch, best_move
from yomikiri.machine.library import available, require

NAME = "exact"
SECONDS = 5.0
# Limits of the search if it has a time limit, because a proof for more candidates or guesses takes minutes or longer.
_MOST_CANDIDATES = 6_000
_MOST_GUESSES = 40_000
# Largest number of (candidate, guess) pairs for which the search in plain Python gets unlimited time. The search then
# takes seconds. The standard game has 518,400 pairs.
_PLAIN_PAIRS = 600_000
_MOST_UNEVEN = 300  # largest number of candidates with unequal weights, if the search has a time limit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Exact(Policy):
    """The policy that makes the guess with the fewest expected guesses, with a proof.

    Positions in the book or with at most two candidates need no search. If there is no proof, the guess is that of
    `beyond`, and `Choice.unproven` contains the reason. If turns may be wrong, the guess is that of `Soonest`, because
    the search cannot handle such turns.

    `seconds` is the time limit of a search, counted from the start of the request; None means unlimited time. Waiting
    for a search in another thread counts towards the time. `budget.states` limits the number of nodes of the search.

    With machine code:

    - If `seconds` is a number, no search starts for too many candidates or guesses.
    - A search of candidates with unequal weights does not start if the sum of the weights is too large.
    - If the rules are those of a preset and all candidates have equal weights, `seconds` does not limit the search.

    Without machine code for this processor, a search in plain Python finds the same proofs for small positions with
    equal weights. `seconds` always limits this search. For all other positions there is no proof. If `seconds` is None,
    the methods that return a guess raise a `MachineCodeError` for these positions.
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
        if known.count <= 2:  # guess the likelier candidate first, then the other one
            guess, *other = known.likeliest(2)
            return proven(guess, known.total + sum(map(known.weight, other)), known.count)
        if reason := self.obstacle(known):
            if reason is Unproven.NO_MACHINE_CODE and self.seconds is None:
                require()
            return replace(self.beyond.choose(known, budget), unproven=reason)
        try:
            move = self._with_search(known, budget, lambda search: best_move(search, known))
        except Stopped:
            return replace(self.beyond.choose(known, budget), unproven=Unproven.TIME)
        return proven(move.guess, move.total_guesses, move.max_guesses)

    def compare(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """Return the same guess as `choose`, with the next best guesses and the numbers of guesses that they need.

        If there is no time for the next best guesses, the result is that of `choose`.
        """
        known = known.simplified
        choice = self.choose(known, budget)
        if choice.unproven or self.obstacle(known) or _all_equivalent(known):
            return choice
        try:
            moves = self._with_search(known, budget, lambda search: search.moves(1 + self.alternatives))
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
            return Outlook(self._with_search(known, budget, lambda search: search.total_after(guess)), None, True)
        except Stopped:
            return None

    def obstacle(self, known: Knowledge) -> Unproven | None:
        """Return the reason why no search can start for this knowledge, or None if a search can start."""
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

    def _with_search(self, known: Knowledge, budget: Budget, call: Callable[[ExactSearch], T]) -> T:
        """Return the result of `call`, called with a search from the position `known`.

        The search runs as machine code if available, otherwise in plain Python.
        """
        own = self._allowed(known, budget)
        own.check()
        if known.uneven:
            from yomikiri.hitblow.search.weighted_codes import weighted_search

            with weighted_search(known, own) as search:
                return call(search)
        if not available():
            with plain_search(known, own) as search:
                return call(search)
        from yomikiri.hitblow.search.position import kernel_search

        with kernel_search(known, own) as search:
            return call(search)

    def _allowed(self, known: Knowledge, budget: Budget) -> Budget:
        """Return the budget of a search: `budget`, with the time limit `seconds` if it applies to this position."""
        preset = any(known.rules == preset.rules for preset in PRESETS.values())
        return budget if preset and not known.uneven and available() else budget.in_all(self.seconds)


def _all_equivalent(known: Knowledge) -> bool:
    """Return True before the first guess of a game without repeated symbols, because all guesses are then equivalent.

    Returns False if some symbols are known to be absent or may not begin a code, or if there is a prior.
    """
    return known.is_blank and known.rules.repeats is Repeats.NONE and not known.rules.no_leading


def _total_by_book(known: Knowledge, guess: str) -> int | None:
    """Return the number of guesses until the secret is found, added up over all candidates, if `guess` is next.

    The numbers for the cells of `guess` come from the book, the proven strategies that are shipped with the package. A
    cell of at most two codes does not have to be in the book. Returns None if a larger cell is not in the book, if the
    candidates have unequal weights, or if turns may be wrong.
    """
    if known.uneven or known.slips.most:
        return None
    has_book = any(volumes(known.rules, known.start.absent))
    total = known.count
    for hint, size in known.cells(guess).items():
        if hint == known.rules.win:
            continue
        if size <= 2:
            total += 2 * size - 1
        elif has_book and (entry := look_up(known.after(Turn(guess, hint)))):
            total += entry.cost.total_guesses
        else:
            return None
    return total
