"""Advice in a match: the guess with the greatest chance of winning, that chance, and the reason for the guess.

In a chance of winning, a draw counts half. *Plain* play looks at the player's own board only and needs the fewest
guesses on average. The *pace* of a side is the distribution of the number of guesses, from now on, until it finds the
secret. `Basis` names three methods, best first. RACE solves the match exactly, as a game of two perfect players who
both see all answers. PACE finds the strategy that wins most often against the opponent's pace. PLAIN evaluates plain
play against this pace.
"""

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
from yomikiri.hitblow.match.valuation import BestResponse, Plain, Public, Valuation, shared_race
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
    """The chances of a guess: `hit` of finding the secret now, `win` of winning the match (a draw counts half).

    `exact` is True if `win` is the exact chance against the requested model of the opponent. It is False if games were
    sampled or another model replaced the requested one.
    """

    guess: str
    hit: Fraction
    win: Fraction
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Preference:
    """The reason for a suggested guess in a match, often by comparison with another guess, the *rival*.

    The rival is the player's guess that needs the fewest guesses on average, without regard to the opponent's board.
    `rival` is None if the reason needs no comparison, for example because this guess itself is suggested. `motive` is
    the kind of reason.

    `fewer` is True if the rival is proven to need fewer guesses on average than the suggested guess, False if it is
    proven not to, and None without a proof. The other fields are used only if the motive is `Motive.WITHIN`. They
    compare the player's chances of finding the secret within `guesses` guesses: `ours` if the suggested guess is made
    now, `theirs` if the rival is made now.
    """

    motive: Motive
    rival: Prospect | None = None
    guesses: int = 0
    ours: Fraction = Fraction(0)
    theirs: Fraction = Fraction(0)
    fewer: bool | None = None


@dataclass(frozen=True, slots=True)
class MatchAdvice:
    """The suggested guess of a player in a match, its chances against a model of the opponent, and the reason.

    `count` is the number of candidates, and `basis` the method by which the chances were computed. If a better method
    exists for this model of the opponent, `unsolved` says why it was not used. `error` is the standard error of the
    chances; it is 0 if no games were sampled.
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
    """The guesses with the greatest chances of winning a match, and the best guess that is a candidate.

    `best` contains the guesses, best first. `candidate` is the best guess that can still be the secret. The search for
    the strategy that wins most often (`Basis.PACE`) compares all guesses of the game. The other methods compare only a
    few promising guesses.
    """

    best: tuple[Prospect, ...]
    candidate: Prospect


@dataclass(frozen=True, slots=True)
class Standing:
    """The player's chance of winning (a draw counts half), with its standard error.

    `unsolved` is the reason why the best method for this model of the opponent was not used, or None if it was.
    """

    win: Fraction
    error: float = 0.0
    unsolved: Unsolved | None = None

    @property
    def exact(self) -> bool:
        """True if the chance of winning is exact.

        The chance is an estimate if games were sampled, or if the best method for the model of the opponent was not
        used.
        """
        return self.unsolved is None and not self.error


MOST_RACED = 720, 1296
"""Limits on the number of secrets and the number of guesses of a game.

A match in a game within both limits is solved exactly within seconds, if both players see all answers.
"""

_WEIGHED = 720
"""Limit on the number of candidates up to which the advisor searches for the strategy that wins most often."""

_WEIGHED_SLIPPED = 300
"""Limit on the number of candidates for the search for the strategy that wins most often, if turns may be wrong.

This limit is lower than `_WEIGHED`, because many candidates of such a match are unlikely. Above it, the advisor
evaluates a policy that plays for few guesses, which is quick.
"""

_PLAYED_SLIPPED = 1 << 21
"""Limit on candidates times guesses up to which the advisor simulates a policy in a match whose turns may be wrong."""

_HEAVY = 1 << 22
"""Limit on the sum of the candidates' weights for the search for the strategy that wins most often.

The search multiplies this sum by the number of cases in the opponent's finish distribution. The product has to fit into
a machine word.
"""

_PAIRS = 5_500_000
"""Number of (candidate, guess) pairs for each second of the time limit.

The advisor does not start a search for the strategy that wins most often if there are more pairs, because such a search
seldom ends in time.
"""


@dataclass(frozen=True, slots=True)
class Advisor:
    """Advisor of one player in a match: it suggests guesses and computes chances against a model of the opponent.

    `plain` is the policy that needs the fewest guesses on average. The policy and the model may be given by name.
    Raises an `InputError` for an unknown name and for an invalid number of seconds.

    `seconds` is the time for one answer, from its start; the budget of a request may be smaller. The time goes first to
    the guess of the plain policy. Half of the rest goes to the exact solution of the match as a game in which both
    players see all answers. The remaining time goes to the search for the strategy that wins most often. If only one of
    these two can run, it gets all the rest. If neither of them has a result, the chances of the plain policy are
    simulated, or estimated if no time is left.

    Every request gets an answer, even if the budget is spent, and the answer says what was not solved. There is one
    exception. An opponent that plays by a policy has to be simulated. If the budget ends during that simulation, the
    request raises `Stopped` without a result.
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
        """Return the suggested guess on the player's turn. The search takes no longer than the budget allows.

        Raises `ContradictionError` if no code fits all the answers that one of the two players has received.
        """
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget)
        return self._first_in_time(match, budget, lambda way: self._advice(match, way, plain, budget))

    def propose(self, match: Match, budget: Budget = UNLIMITED) -> Prospect:
        """Return the suggested guess on the player's turn, with its chances.

        This is the guess that `advise` returns. The reason is missing, because finding it can take longer.
        """
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget).guess
        return self._first_in_time(match, budget, lambda way: _proposed(match, way, plain)[0])

    def prospect(self, match: Match, guess: str, budget: Budget = UNLIMITED) -> Prospect:
        """Return the chances of finding the secret and of winning after a guess of the player.

        Raises a `CodeError` for an invalid guess, and a `ContradictionError` if no code fits.
        """
        match.rules.check_guess(guess)
        require_candidates(match.known(Side.ME))
        return self._first_in_time(match, budget, lambda way: _prospect(match, way, guess))

    def weigh(self, match: Match, guess: str, budget: Budget = UNLIMITED) -> tuple[Prospect, Prospect]:
        """Return the chances of the best guess and of `guess`, computed by one method so that they can be compared.

        With the method `Basis.PLAIN`, which only evaluates the policy that needs the fewest guesses on average, the
        first result is for the guess of this policy. `guess` may then have the greater chance of winning. Raises
        `CodeError` and `ContradictionError`.
        """
        match.rules.check_guess(guess)
        budget = budget.begin()
        plain = self.plain.choose(match.known(Side.ME), budget).guess
        return self._first_in_time(
            match, budget, lambda way: (_proposed(match, way, plain)[0], _prospect(match, way, guess))
        )

    def rank(self, match: Match, guess: str, most: int = ALTERNATIVES, budget: Budget = UNLIMITED) -> Ranking:
        """Return the guesses with the greatest chances of winning on the player's turn, at most `most` of them.

        `guess` is always evaluated, but it is in the result only if its chance is great enough. It comes first among
        equal chances. The result also contains the best candidate. Raises `ContradictionError`.
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
        """Return the player's chance of winning, whether the player or the opponent is to move.

        Raises `ContradictionError`.
        """
        if match.last_chance and match.to_move is Side.OPPONENT:
            theirs = self.pace(match, budget)
            return Standing(1 - Fraction(theirs.finish.at(1), 2 * theirs.finish.total), theirs.error)
        require_candidates(match.known(Side.ME))

        def found(way: _Way) -> Standing:
            return Standing(way.valuation.standing(), way.valuation.error, way.unsolved)

        return self._first_in_time(match, budget, found)

    def pace(self, match: Match, budget: Budget = UNLIMITED) -> Pace:
        """Return the distribution of the opponent's number of guesses, from now until they find the player's secret.

        Raises `ContradictionError`.
        """
        require_candidates(match.known(Side.OPPONENT))
        return self.opponent.pace(match.resolved.known(Side.OPPONENT), match.secret, budget)

    def _advice(self, match: Match, way: _Way, plain: Choice, budget: Budget) -> MatchAdvice:
        known, valuation = match.known(Side.ME), way.valuation
        proposed, rival = _proposed(match, way, plain.guess)
        fewer = self._needs_fewer(known, plain, proposed.guess, budget)
        reason = _reason(match, valuation, proposed, rival, fewer)
        return MatchAdvice(way.opponent.name, known.count, proposed, reason, way.basis, way.unsolved, valuation.error)

    def _needs_fewer(self, known: Knowledge, plain: Choice, guess: str, budget: Budget) -> bool | None:
        """Return True if the guess of `plain` is proven to need fewer guesses on average than `guess`.

        `plain` is the choice of the policy that needs the fewest guesses on average. Returns False if both guesses are
        proven to need equally many. Returns None if the average of one of the two guesses is not proven.
        """
        least = plain.outlooks.get(plain.guess)
        if least is None or not least.proven:
            return None
        ours = least if guess == plain.guess else self.plain.outlook(known, guess, budget.in_all(self.seconds))
        return None if ours is None else least.total_guesses < ours.total_guesses

    def _first_in_time(self, match: Match, budget: Budget, compute: Callable[[_Way], T]) -> T:
        """Compute a result with the best method for valuing guesses that finishes within the time limit.

        The callback `compute` uses the method that it receives. If it raises `Stopped`, because the time is over, it is
        called with the next method.
        """
        late, budget = False, budget.begin()
        for way in self._ways(match, budget):
            try:
                return compute(replace(way, unsolved=Unsolved.TIME) if late else way)
            except Stopped:
                late = True
        raise AssertionError("plain play is never late")

    def _ways(self, match: Match, budget: Budget) -> Iterator[_Way]:
        """Yield the methods that can value guesses in this match, the best first.

        All methods but the last share the time limit and may raise `Stopped`. The last one always has a result.
        """
        require_candidates(match.known(Side.OPPONENT))
        limited = out = budget.in_all(self.seconds)
        unsolved, plain, policy, played = None, self.unweighed(match), self.plain, True
        # If turns may be wrong, many candidates are unlikely. If the time limit ended the simulation of a policy, the
        # estimate that replaces it would be inaccurate. So simulate a policy without search, with no time limit.
        # `_PLAYED_SLIPPED` limits its work instead.
        if match.slips.most:
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
            weighed = BestResponse(match, theirs, limited)
            yield _Way(weighed, Basis.PACE, self.opponent.stand_in, unsolved)
        valued = Plain(match, theirs, policy, out, played=played)
        yield _Way(valued, Basis.PLAIN, self.opponent.stand_in, plain or unsolved)

    def unweighed(self, match: Match) -> Unsolved | None:
        """Return the reason why `BestResponse`, the search for the strategy that wins most often, is not used.

        This is the player's strategy with the greatest chance of winning against the model of the opponent. Returns
        None if the search can run.
        """
        known = match.resolved.known(Side.ME)
        if match.slips.most and known.count > _WEIGHED_SLIPPED:
            return Unsolved.SLIPS
        if known.count > _WEIGHED or known.total > _HEAVY:
            return Unsolved.TOO_LARGE
        late = known.count * known.rules.guess_count > _PAIRS * self.seconds
        return Unsolved.TIME if late else _no_machine_code()


def _no_machine_code() -> Unsolved | None:
    """Return `Unsolved.NO_MACHINE_CODE` if the compiled searches do not support this processor, otherwise None."""
    return None if available() else Unsolved.NO_MACHINE_CODE


@dataclass(frozen=True, slots=True)
class _Way:
    valuation: Valuation
    basis: Basis
    opponent: Opponent
    unsolved: Unsolved | None = None


def _race_unsolved(match: Match) -> Unsolved | None:
    """Return the reason why a match cannot be solved exactly as a game in which both players see all answers.

    Returns None if it can be solved.
    """
    sides = match.rules, match.own_rules
    if any(match.known(side).weights is not None for side in Side):
        return Unsolved.UNEVEN
    if match.calls > 1:
        return Unsolved.DOUBLE
    if any(rules.no_leading for rules in sides):
        return Unsolved.TOO_LARGE
    return None if all(map(is_raced, sides)) else Unsolved.TOO_LARGE


def is_raced(rules: Rules) -> bool:
    """Return True if a match with these rules for both secrets is small enough to be solved exactly within seconds."""
    return rules.secret_count <= MOST_RACED[0] and rules.guess_count <= MOST_RACED[1]


def _proposed(match: Match, way: _Way, plain: str) -> tuple[Prospect, Prospect | None]:
    """Return the guess to suggest, and the plain guess if it is another one and wins less often.

    `plain` is the *plain* guess, the one that needs the fewest guesses on average. If no guess wins more often, the
    plain guess is suggested, and the second result is None.
    """
    # `plain` is already the guess of the plain policy. Do not ask the policy again, because a long search may be
    # repeated.
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
    advantage = None
    with suppress(Stopped):  # If the time is over, keep the suggestion and give a less precise reason for it.
        advantage = valuation.advantage(proposed.guess, rival.guess)
    if advantage is None or advantage.guesses == 1:
        return Preference(Motive.NOW if proposed.hit > rival.hit else Motive.RACE, rival, fewer=fewer)
    return Preference(Motive.WITHIN, rival, advantage.guesses, advantage.ours, advantage.theirs, fewer)
