"""A match to advice: the guess that wins most often, how often, and why it is preferred to the one that asks for fewest
guesses, as data."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from yomikiri.enums import Named
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies.base import Policy, Unproven, require_candidates
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.race.match import Match, Side
from yomikiri.hitblow.race.opponents import Consistent, Opponent, Pace, Player
from yomikiri.hitblow.race.stakes import stakes
from yomikiri.hitblow.rules import Turn


class Motive(Named):
    """Why a guess is proposed: it is the only code left; only a hit now still draws; it wins most often and asks for
    fewest guesses as well; it wins more often than the one that asks for fewest, because it more often hits now, finds
    the secret within some guesses, or in the exact race as a whole."""

    ONLY = "only"
    LAST_CHANCE = "last-chance"
    BOTH = "both"
    NOW = "now"
    WITHIN = "within"
    RACE = "race"


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a guess promises: the chance that it hits now, and that of winning the match (a draw counts half)."""

    guess: str
    hit: Fraction
    win: Fraction


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a guess is proposed. `rival` is the guess that asks for fewest guesses on average, where it is another.

    With `Motive.WITHIN`, the secret is found within `guesses` guesses from now with chance `ours`, and with `theirs` by
    way of the rival.
    """

    motive: Motive
    rival: Prospect | None = None
    guesses: int = 0
    ours: Fraction = Fraction(0)
    theirs: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class MatchAdvice:
    """A proposed guess, what it promises against an opponent of that model, and the reason.

    `count` is how many candidates there are. `unproven` says why the guess is not the one that wins most often for
    certain: then it is the guess that asks for fewest guesses, and its chance that of going on in this way. `error` is
    the standard error of the chance where the opponent's play was sampled, else 0.
    """

    opponent: str
    count: int
    proposed: Prospect
    reason: Reason
    error: float = 0.0
    unproven: Unproven | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """My chance of winning (a draw counts half), and its standard error where it comes from samples."""

    win: Fraction
    error: float = 0.0


def hit_chance(known: Knowledge, guess: str) -> Fraction:
    """The chance that a guess is the secret."""
    return Fraction(int(known.is_candidate(guess)), known.count)


def value(mine: Pace, worth: tuple[int, ...], theirs: Pace) -> Fraction:
    """My chance of winning when I find the secret at that pace; `worth` are the stakes."""
    won = sum(count * each for count, each in zip(mine.counts, worth, strict=False))
    return Fraction(won, mine.total * 2 * theirs.total)


# What an end is worth to me, in halves of a win.
OUTCOME_WORTH = {Side.ME: 2, None: 1, Side.OPPONENT: 0}

# Of more candidates than these a policy is not played out to tell how soon it finds them; chance play stands in for it.
_PLAYED_OUT = 1000


@dataclass(frozen=True, slots=True)
class Advisor:
    """Advises against an opponent of that model. `plain` is the policy that asks for fewest guesses on average."""

    opponent: Opponent = Consistent()
    plain: Policy = Exact(waits=False)

    def advise(self, match: Match) -> MatchAdvice:
        """What to guess. It must be my turn; raises `ContradictionError` when no code fits the hints of a board."""
        known, theirs = match.known(Side.ME), self.pace(match)
        choice = self.plain.choose(known)
        mine = self._own_pace(known)
        proposed = Prospect(choice.guess, hit_chance(known, choice.guess), value(mine, stakes(match, theirs), theirs))
        motive = Motive.ONLY if known.count == 1 else Motive.LAST_CHANCE if match.last_chance else Motive.BOTH
        error = theirs.error + mine.error
        return MatchAdvice(self.opponent.name, known.count, proposed, Reason(motive), error, choice.unproven)

    def prospect(self, match: Match, guess: str) -> Prospect:
        """What any guess of mine promises; raises a `CodeError` and `ContradictionError`."""
        known, theirs = match.known(Side.ME), self.pace(match)
        known.rules.check_guess(guess)
        require_candidates(known)
        won = Fraction(0)
        for hint, size in known.cells(guess).items():
            played = match.play(Turn(guess, hint))
            won += size * self._standing(played, theirs)
        return Prospect(guess, hit_chance(known, guess), won / known.count)

    def standing(self, match: Match) -> Standing:
        """My chance of winning, whoever's turn it is; raises `ContradictionError`."""
        theirs = self.pace(match)
        known = match.known(Side.ME)
        error = theirs.error if known.solved else theirs.error + self._own_pace(known).error
        return Standing(self._standing(match, theirs), error)

    def pace(self, match: Match) -> Pace:
        """How soon the opponent finds my secret, from now; raises `ContradictionError`."""
        known = match.known(Side.OPPONENT)
        require_candidates(known)
        return self.opponent.pace(known, match.secret)

    def _standing(self, match: Match, theirs: Pace) -> Fraction:
        if match.outcome:
            return Fraction(OUTCOME_WORTH[match.outcome.winner], 2)
        if match.last_chance and match.to_move is Side.OPPONENT:
            return 1 - Fraction(theirs.counts[0], 2 * theirs.total)
        return value(self._own_pace(match.known(Side.ME)), stakes(match, theirs), theirs)

    def _own_pace(self, known: Knowledge) -> Pace:
        """How soon I find the secret in plain play."""
        require_candidates(known)
        return (Player("plain", self.plain) if known.count <= _PLAYED_OUT else Consistent()).pace(known)
