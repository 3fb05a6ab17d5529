"""Advice in a match: the guess with the greatest chance of winning, that chance, and the reason for the guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import seconds
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.opponents import Consistent, Opponent, read_opponent
from yomikiri.hitblow.match.valuation import Plain, Public, Valuation, Weighed, shared_race
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Basis, Motive, Unsolved
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.policies.base import ALTERNATIVES, Choice, Policy, require_candidates
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.given import read_policy
from yomikiri.hitblow.policies.onestep import Soonest
from yomikiri.hitblow.race.finish import Pace
from yomikiri.machine.library import available

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prospect:
    """The chances of a guess: of hitting now (`hit`), and of winning the match (`win`, where a draw counts half).

    `exact` is True if `win` is the exact chance against the requested opponent, without samples or a substitute model.
    """

    guess: str
    hit: Fraction
    win: Fraction
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Preference:
    """The reason for a guess, compared with `rival`, the guess that needs the fewest on average, if the two differ.

    `fewer` is True if the rival is proven to need fewer guesses on average, and None without a proof. With
    `Motive.WITHIN`, the player finds the secret within `guesses` guesses with probability `ours` after this guess, and
    with `theirs` after the rival.
    """

    motive: Motive
    rival: Prospect | None = None
    guesses: int = 0
    ours: Fraction = Fraction(0)
    theirs: Fraction = Fraction(0)
    fewer: bool | None = None


@dataclass(frozen=True, slots=True)
class MatchAdvice:
    """A suggested guess, its chances against a model of the opponent, and the reason.

    `count` is the number of candidates. `basis` is the method behind the chances, and `unsolved` the reason why it is
    not the best method for this model. `error` is the standard error of the chances, 0 unless play was sampled.
    """

    opponent: str
    count: int
    proposed: Prospect
    reason: Preference
    basis: Basis
    unsolved: Unsolved | None = None
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Ranking:
    """The guesses that win most often, the best first, and the best candidate.

    With `Basis.PLAIN` and `Basis.RACE` they are the best of a few compared guesses.
    """

    best: tuple[Prospect, ...]
    candidate: Prospect


@dataclass(frozen=True, slots=True)
class Standing:
    """The player's chance of winning (a draw counts half), with its standard error.

    `unsolved` is the reason if the race was not solved.
    """

    win: Fraction
    error: float = 0.0
    unsolved: Unsolved | None = None

    @property
    def exact(self) -> bool:
        """True if the chance is neither sampled nor computed with a substitute model."""
        return self.unsolved is None and not self.error


MOST_RACED = 720, 1296
"""Largest numbers of secrets and of guesses of a game whose race is solved, within seconds."""

_WEIGHED = 720  # limit on candidates for the weighted search
_WEIGHED_SLIPPED = 300  # the same if turns may be wrong: many candidates are then unlikely, and plain play is quick
_PLAYED_SLIPPED = 1 << 21  # limit on (candidate, guess) pairs for playing out the policy if turns may be wrong
_HEAVY = 1 << 22  # limit on the total weight, so that the number of cases of both sides fits into a machine word
_PAIRS = 5_500_000  # (candidate, guess) pairs per second; larger searches seldom end in time


@dataclass(frozen=True, slots=True)
class Advisor:
    """Advice against a model of the opponent. `plain` is the policy that needs the fewest guesses on average.

    Both may be given by name. Raises an `InputError`.

    `seconds` is the time for one answer, from its start; the budget of a request may be smaller. It is spent on the
    guess of the plain policy, then half of the rest on the race, then on the strategy that wins most often. Playing out
    the plain policy comes last.

    There is always an answer, even if the budget is spent, and it says what was not solved. Only an opponent that plays
    by a policy has to be simulated first, so that `Stopped` without a result is possible.
    """

    opponent: Opponent = Consistent()
    plain: Policy = Exact()
    seconds: float = 2.0

    if TYPE_CHECKING:

        def __init__(
            self,
            opponent: Opponent | str = ...,
            plain: Policy | Callable[[Knowledge], str] | str = ...,
            seconds: float = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "plain", read_policy(self.plain, "plain"))
        object.__setattr__(self, "opponent", read_opponent(self.opponent, self.plain, "opponent"))
        object.__setattr__(self, "seconds", seconds(self.seconds, "seconds"))

    def advise(self, match: Match, budget: Budget = UNLIMITED) -> MatchAdvice:
        """Return the suggested guess on the player's turn.

        Raises `ContradictionError` if no code fits the answers on a board.
        """
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget)
        return self._first_in_time(match, budget, lambda way: self._advice(match, way, plain, budget))

    def propose(self, match: Match, budget: Budget = UNLIMITED) -> Prospect:
        """Return the guess that `advise` suggests, without the reason, which can take longer to find."""
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget).guess
        return self._first_in_time(match, budget, lambda way: _proposed(match, way, plain)[0])

    def prospect(self, match: Match, guess: str, budget: Budget = UNLIMITED) -> Prospect:
        """Return the chances of any guess of the player. Raises `CodeError` and `ContradictionError`."""
        match.rules.check_guess(guess)
        require_candidates(match.known(Side.ME))
        return self._first_in_time(match, budget, lambda way: _prospect(match, way, guess))

    def weigh(self, match: Match, guess: str, budget: Budget = UNLIMITED) -> tuple[Prospect, Prospect]:
        """Return the chances of the best guess and of another one, by the same method, so that they can be compared.

        With `Basis.PLAIN` the other guess may have the greater chance. Raises `CodeError` and `ContradictionError`.
        """
        match.rules.check_guess(guess)
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget).guess
        return self._first_in_time(
            match, budget, lambda way: (_proposed(match, way, plain)[0], _prospect(match, way, guess))
        )

    def rank(self, match: Match, guess: str, most: int = ALTERNATIVES, budget: Budget = UNLIMITED) -> Ranking:
        """Return the best guesses on the player's turn, including `guess`, with chances.

        Raises `ContradictionError`.
        """

        def found(way: _Way) -> Ranking:
            named = [guess, *way.valuation.ranked(most + 1)]
            likely = way.valuation.ranked(1, candidates=True)
            prospects = {each: _prospect(match, way, each) for each in dict.fromkeys([*named, *likely])}
            order = sorted(prospects.values(), key=lambda each: (-each.win, each.guess != guess, -each.hit, each.guess))
            candidate = next(each for each in order if each.hit)
            return Ranking(tuple(order[:most]), candidate)

        return self._first_in_time(match, budget, found)

    def standing(self, match: Match, budget: Budget = UNLIMITED) -> Standing:
        """Return the player's chance of winning, on either side's turn. Raises `ContradictionError`."""
        if match.last_chance and match.to_move is Side.OPPONENT:
            theirs = self.pace(match, budget)
            return Standing(1 - Fraction(theirs.finish.at(1), 2 * theirs.finish.total), theirs.error)
        require_candidates(match.known(Side.ME))

        def found(way: _Way) -> Standing:
            return Standing(way.valuation.standing(), way.valuation.error, way.unsolved)

        return self._first_in_time(match, budget, found)

    def pace(self, match: Match, budget: Budget = UNLIMITED) -> Pace:
        """Return when the opponent finds the player's secret, counted from now. Raises `ContradictionError`."""
        require_candidates(match.known(Side.OPPONENT))
        return self.opponent.pace(match.resolved.known(Side.OPPONENT), match.secret, budget)

    def _advice(self, match: Match, way: _Way, plain: Choice, budget: Budget) -> MatchAdvice:
        known, valuation = match.known(Side.ME), way.valuation
        proposed, rival = _proposed(match, way, plain.guess)
        fewer = self._needs_fewer(known, plain, proposed.guess, budget)
        reason = _reason(match, valuation, proposed, rival, fewer)
        return MatchAdvice(way.opponent.name, known.count, proposed, reason, way.basis, way.unsolved, valuation.error)

    def _needs_fewer(self, known: Knowledge, plain: Choice, guess: str, budget: Budget) -> bool | None:
        """Return True if the plain guess is proven to need fewer guesses than `guess`; None without a proof."""
        least = plain.outlooks.get(plain.guess)
        if least is None or not least.proven:
            return None
        ours = least if guess == plain.guess else self.plain.outlook(known, guess, budget.in_all(self.seconds))
        return None if ours is None else least.total_guesses < ours.total_guesses

    def _first_in_time(self, match: Match, budget: Budget, ask: Callable[[_Way], T]) -> T:
        """Return the result of the best method that finishes in time."""
        late, budget = False, budget.begin()
        for way in self._ways(match, budget):
            try:
                return ask(replace(way, unsolved=Unsolved.TIME) if late else way)
            except Stopped:
                late = True
        raise AssertionError("plain play is never late")

    def _ways(self, match: Match, budget: Budget) -> Iterator[_Way]:
        """Yield the methods to value guesses, the best first.

        They share the time, and the last one always has a result.
        """
        require_candidates(match.known(Side.OPPONENT))
        limited = out = budget.in_all(self.seconds)
        unsolved, plain, policy, played = None, self.unweighed(match), self.plain, True
        if match.slips.most:  # a search cut short by the time limit is too inaccurate for unlikely codes
            unsolved, policy, out, match = Unsolved.SLIPS, Soonest(), UNLIMITED, match.resolved
            played = match.known(Side.ME).count * match.rules.guess_count <= _PLAYED_SLIPPED
        if unsolved is None and self.opponent.watches and not match.last_chance:
            unsolved = _race_unsolved(match) or _no_machine_code()
            if unsolved is None:
                race = shared_race(*map(match.sought, (match.first, match.first.other)), match.equal_turns)
                time = limited.half() if plain is None else limited
                yield _Way(Public(match, race, time), Basis.RACE, self.opponent)
        theirs = self.pace(match, budget)
        if plain is None:
            weighed = Weighed(match, theirs, limited)
            yield _Way(weighed, Basis.PACE, self.opponent.stand_in, unsolved)
        valued = Plain(match, theirs, policy, out, played=played)
        yield _Way(valued, Basis.PLAIN, self.opponent.stand_in, plain or unsolved)

    def unweighed(self, match: Match) -> Unsolved | None:
        """Return the reason why no search for the strategy that wins most often takes place.

        Returns None if it does.
        """
        known = match.resolved.known(Side.ME)
        if match.slips.most and known.count > _WEIGHED_SLIPPED:
            return Unsolved.SLIPS
        if known.count > _WEIGHED or known.total > _HEAVY:
            return Unsolved.TOO_LARGE
        late = known.count * known.rules.guess_count > _PAIRS * self.seconds
        return Unsolved.TIME if late else _no_machine_code()


def _no_machine_code() -> Unsolved | None:
    """Return `Unsolved.NO_MACHINE_CODE` if this processor has no machine code."""
    return None if available() else Unsolved.NO_MACHINE_CODE


@dataclass(frozen=True, slots=True)
class _Way:
    valuation: Valuation
    basis: Basis
    opponent: Opponent
    unsolved: Unsolved | None = None


def _race_unsolved(match: Match) -> Unsolved | None:
    """Return the reason why the race cannot be solved. Returns None if it can."""
    sides = match.rules, match.own_rules
    if any(match.known(side).weights is not None for side in Side):
        return Unsolved.UNEVEN
    if match.calls > 1:
        return Unsolved.DOUBLE
    if any(rules.no_leading for rules in sides):
        return Unsolved.TOO_LARGE
    return None if all(map(is_raced, sides)) else Unsolved.TOO_LARGE


def is_raced(rules: Rules) -> bool:
    """Return True if a game is small enough for its race to be solved."""
    return rules.secret_count <= MOST_RACED[0] and rules.guess_count <= MOST_RACED[1]


def _proposed(match: Match, way: _Way, plain: str) -> tuple[Prospect, Prospect | None]:
    """Return the guess that wins most often and the plain guess if it wins less often.

    If the plain guess wins as often, it is returned as the first.
    """
    # Do not repeat the search for the plain guess, because an interrupted search is not cached.
    guess = plain if way.basis is Basis.PLAIN else way.valuation.best()
    best = _prospect(match, way, guess)
    if guess == plain:
        return best, None
    rival = _prospect(match, way, plain)
    return (rival, None) if rival.win == best.win else (best, rival)


def _prospect(match: Match, way: _Way, guess: str) -> Prospect:
    known, win = match.known(Side.ME), way.valuation.win(guess)
    exact = way.unsolved is None and not way.valuation.error
    return Prospect(guess, known.share(guess), win, exact)


def _reason(
    match: Match, valuation: Valuation, proposed: Prospect, rival: Prospect | None, fewer: bool | None
) -> Preference:
    if match.known(Side.ME).count == 1:
        return Preference(Motive.ONLY)
    if match.last_chance:
        return Preference(Motive.LAST_CHANCE)
    if rival is None:
        return Preference(Motive.MOST if fewer is None else Motive.BOTH)
    lead = None
    with suppress(Stopped):  # without the comparison, the guess stays the same, but its reason is less precise
        lead = valuation.lead(proposed.guess, rival.guess)
    if lead is None or lead.guesses == 1:
        return Preference(Motive.NOW if proposed.hit > rival.hit else Motive.RACE, rival, fewer=fewer)
    return Preference(Motive.WITHIN, rival, lead.guesses, lead.ours, lead.theirs, fewer)
