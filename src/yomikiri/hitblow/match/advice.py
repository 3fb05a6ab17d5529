"""A match to advice: the guess that wins most often, how often, and why not the one that needs the fewest guesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import Named, seconds
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.opponents import Consistent, Opponent, read_opponent
from yomikiri.hitblow.match.valuation import Plain, Public, Valuation, Weighed, shared_race
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.policies.base import ALTERNATIVES, Choice, Policy, require_candidates
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.given import read_policy
from yomikiri.hitblow.policies.onestep import Soonest
from yomikiri.hitblow.race.finish import Pace
from yomikiri.machine.library import available

T = TypeVar("T")


class Basis(Named):
    """How the chances were found: in the race as a whole, under best play by both sides; by the strategy
    that wins most against the opponent's pace; or by the play that needs the fewest guesses, which is not proven to
    win most."""

    RACE = "race"
    PACE = "pace"
    PLAIN = "plain"


class Unsolved(Named):
    """Why the race, or the strategy that wins most, was not solved: there is no machine code, there are too
    many positions, the time given was spent; or some candidates are likelier than others, or somebody has two guesses
    in this turn, which only the race as a whole does not allow for; or turns may be wrong, which nothing allows for:
    those to come are taken to be right."""

    NO_MACHINE_CODE = "no machine code"
    TOO_LARGE = "too-large"
    TIME = "time"
    UNEVEN = "uneven"
    SLIPS = "slips"
    DOUBLE = "double"


class Motive(Named):
    """Why a guess is proposed: it is the only code left; only a hit now still draws; it wins most often and needs
    the fewest guesses as well, or nobody has proven what needs the fewest; it wins more often than the guess of plain
    play, because it more often hits now, finds the secret within some guesses, or in the exact race as a whole."""

    ONLY = "only"
    LAST_CHANCE = "last-chance"
    BOTH = "both"
    MOST = "most"
    NOW = "now"
    WITHIN = "within"
    RACE = "race"


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a guess promises: the chance that it hits now, and that of winning the match (a draw counts half).

    `exact` says that the latter is the chance against the opponent who was asked for: no side's play was sampled, and
    nobody stands in for them.
    """

    guess: str
    hit: Fraction
    win: Fraction
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Preference:
    """Why a guess is proposed. `rival` is the guess of plain play, where it is another; `fewer` says whether that needs
    fewer guesses on average, None where nobody has proven it.

    With `Motive.WITHIN`, the secret is found within `guesses` guesses from now with chance `ours`, and with `theirs` by
    way of the rival.
    """

    motive: Motive
    rival: Prospect | None = None
    guesses: int = 0
    ours: Fraction = Fraction(0)
    theirs: Fraction = Fraction(0)
    fewer: bool | None = None


@dataclass(frozen=True, slots=True)
class MatchAdvice:
    """A proposed guess, what it promises against an opponent of that model, and the reason.

    `count` is how many candidates there are. `basis` says how the chances were found, and `unsolved` why not in the way
    that suits the model best. `error` is the standard error of the chances where a side's play was sampled, else 0.
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

    With `Basis.PLAIN` and `Basis.RACE` these are the best of a few guesses that were compared.
    """

    best: tuple[Prospect, ...]
    candidate: Prospect


@dataclass(frozen=True, slots=True)
class Standing:
    """My chance of winning (a draw counts half), its standard error where it comes from samples, and why the race was
    not solved for it."""

    win: Fraction
    error: float = 0.0
    unsolved: Unsolved | None = None

    @property
    def exact(self) -> bool:
        """Whether it is the chance itself, and not one at another pace, or of samples."""
        return self.unsolved is None and not self.error


MOST_RACED = 720, 1296
"""Secrets and guesses, at most, of a game whose race is worked out: in seconds."""

_WEIGHED = 720  # candidates, at most, among which a strategy is weighed,
_WEIGHED_SLIPPED = 300  # of which many are hardly likely, where turns may be wrong; the plain play is quick there
_PLAYED_SLIPPED = 1 << 21  # and pairs of a candidate and a guess, of which that play is quick,
_HEAVY = 1 << 22  # and what they weigh together, so that cases of both sides can be counted,
_PAIRS = 5_500_000  # and pairs of a candidate and a guess for each second: a search of more seldom ends in its time


@dataclass(frozen=True, slots=True)
class Advisor:
    """Advice against a model of the opponent. `plain` is the policy that needs the fewest guesses on average.

    Both may be given by name. Raises an `InputError`.

    `seconds` is what an answer may take: first the plain guess is sought, as far as its policy has a limit, then the
    race for half of what is left, then the strategy that wins most; and last plain play is played out. It is counted
    from the beginning of the answer, and the budget of a question may allow less.

    There is an answer even where the budget is spent, and it says what was not solved. Only an opponent who plays by
    a policy must be worked out before: then a question may raise `Stopped`, with nothing.
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
        """Return the guess to make on my turn; raises `ContradictionError` if no code fits the hints of a board."""
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget)
        return self._first_in_time(match, budget, lambda way: self._advice(match, way, plain, budget))

    def propose(self, match: Match, budget: Budget = UNLIMITED) -> Prospect:
        """Return the guess that `advise` suggests, without the reason, which can take longer to find."""
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget).guess
        return self._first_in_time(match, budget, lambda way: _proposed(match, way, plain)[0])

    def prospect(self, match: Match, guess: str, budget: Budget = UNLIMITED) -> Prospect:
        """Return the chances of any guess of mine; raises a `CodeError` and `ContradictionError`."""
        match.rules.check_guess(guess)
        require_candidates(match.known(Side.ME))
        return self._first_in_time(match, budget, lambda way: _prospect(match, way, guess))

    def weigh(self, match: Match, guess: str, budget: Budget = UNLIMITED) -> tuple[Prospect, Prospect]:
        """The best guess and another one of mine, both by the same way of finding chances, so that they compare.

        By plain play the other one may promise more. Raises a `CodeError` and `ContradictionError`.
        """
        match.rules.check_guess(guess)
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget).guess
        return self._first_in_time(
            match, budget, lambda way: (_proposed(match, way, plain)[0], _prospect(match, way, guess))
        )

    def rank(self, match: Match, guess: str, most: int = ALTERNATIVES, budget: Budget = UNLIMITED) -> Ranking:
        """Return the best guesses on my turn, `guess` among them, with their chances; raises `ContradictionError`."""

        def found(way: _Way) -> Ranking:
            named = [guess, *way.valuation.ranked(most + 1)]
            likely = way.valuation.ranked(1, candidates=True)
            prospects = {each: _prospect(match, way, each) for each in dict.fromkeys([*named, *likely])}
            order = sorted(prospects.values(), key=lambda each: (-each.win, each.guess != guess, -each.hit, each.guess))
            candidate = next(each for each in order if each.hit)
            return Ranking(tuple(order[:most]), candidate)

        return self._first_in_time(match, budget, found)

    def standing(self, match: Match, budget: Budget = UNLIMITED) -> Standing:
        """Return my chance of winning, on either side's turn; raises `ContradictionError`."""
        if match.last_chance and match.to_move is Side.OPPONENT:
            theirs = self.pace(match, budget)
            return Standing(1 - Fraction(theirs.finish.at(1), 2 * theirs.finish.total), theirs.error)
        require_candidates(match.known(Side.ME))

        def found(way: _Way) -> Standing:
            return Standing(way.valuation.standing(), way.valuation.error, way.unsolved)

        return self._first_in_time(match, budget, found)

    def pace(self, match: Match, budget: Budget = UNLIMITED) -> Pace:
        """Return when the opponent finds my secret, as a pace from now; raises `ContradictionError`."""
        require_candidates(match.known(Side.OPPONENT))
        return self.opponent.pace(match.resolved.known(Side.OPPONENT), match.secret, budget)

    def _advice(self, match: Match, way: _Way, plain: Choice, budget: Budget) -> MatchAdvice:
        known, valuation = match.known(Side.ME), way.valuation
        proposed, rival = _proposed(match, way, plain.guess)
        fewer = self._needs_fewer(known, plain, proposed.guess, budget)
        reason = _reason(match, valuation, proposed, rival, fewer)
        return MatchAdvice(way.opponent.name, known.count, proposed, reason, way.basis, way.unsolved, valuation.error)

    def _needs_fewer(self, known: Knowledge, plain: Choice, guess: str, budget: Budget) -> bool | None:
        """Whether the plain guess needs fewer guesses on average than another; None where nobody has proven it."""
        least = plain.outlooks.get(plain.guess)
        if least is None or not least.proven:
            return None
        ours = least if guess == plain.guess else self.plain.outlook(known, guess, budget.in_all(self.seconds))
        return None if ours is None else least.total_guesses < ours.total_guesses

    def _first_in_time(self, match: Match, budget: Budget, ask: Callable[[_Way], T]) -> T:
        """The answer of the best way that has one in the time given."""
        late, budget = False, budget.begin()
        for way in self._ways(match, budget):
            try:
                return ask(replace(way, unsolved=Unsolved.TIME) if late else way)
            except Stopped:
                late = True
        raise AssertionError("plain play is never late")

    def _ways(self, match: Match, budget: Budget) -> Iterator[_Way]:
        """The ways to value guesses, the best first; they share the time, and the last always has an answer."""
        require_candidates(match.known(Side.OPPONENT))
        limited = out = budget.in_all(self.seconds)
        unsolved, plain, policy, played = None, self.unweighed(match), self.plain, True
        if match.slips.most:  # a search that ends with the time says too little of codes that are hardly likely
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
        """Why the strategy that wins most at the opponent's pace is not sought."""
        known = match.resolved.known(Side.ME)
        if match.slips.most and known.count > _WEIGHED_SLIPPED:
            return Unsolved.SLIPS
        if known.count > _WEIGHED or known.total > _HEAVY:
            return Unsolved.TOO_LARGE
        late = known.count * known.rules.guess_count > _PAIRS * self.seconds
        return Unsolved.TIME if late else _no_machine_code()


def _no_machine_code() -> Unsolved | None:
    """That there is no machine code for this processor."""
    return None if available() else Unsolved.NO_MACHINE_CODE


@dataclass(frozen=True, slots=True)
class _Way:
    valuation: Valuation
    basis: Basis
    opponent: Opponent
    unsolved: Unsolved | None = None


def _race_unsolved(match: Match) -> Unsolved | None:
    """Why the race as a whole is not solved."""
    sides = match.rules, match.own_rules
    if any(match.known(side).weights is not None for side in Side):
        return Unsolved.UNEVEN
    if match.calls > 1:
        return Unsolved.DOUBLE
    if any(rules.no_leading for rules in sides):
        return Unsolved.TOO_LARGE
    return None if all(map(is_raced, sides)) else Unsolved.TOO_LARGE


def is_raced(rules: Rules) -> bool:
    """Whether a game is small enough for its race to be worked out."""
    return rules.secret_count <= MOST_RACED[0] and rules.guess_count <= MOST_RACED[1]


def _proposed(match: Match, way: _Way, plain: str) -> tuple[Prospect, Prospect | None]:
    """The guess that wins most often, if it can be the one that needs the fewest; and that one where it wins less."""
    # The plain guess is not sought again: a search that found nothing is not remembered.
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
    with suppress(Stopped):  # the guess is known, and only its reason less exactly
        lead = valuation.lead(proposed.guess, rival.guess)
    if lead is None or lead.guesses == 1:
        return Preference(Motive.NOW if proposed.hit > rival.hit else Motive.RACE, rival, fewer=fewer)
    return Preference(Motive.WITHIN, rival, lead.guesses, lead.ours, lead.theirs, fewer)
