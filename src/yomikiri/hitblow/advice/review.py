"""A game judged turn by turn: what was played, what was best, what it gave away, and how lucky the hint was.

Loss and luck are counted in guesses, and together they explain the whole game. Before a turn best play needs B guesses
on average, the guess that was played P, and after the hint best play needs B' more (none after a win):

    loss = P - B        what the choice gave away, never negative
    luck = P - 1 - B'   what the hint saved, negative where it was a bad one

So a game found in N guesses has N = B before the first turn + the sum of losses - the sum of luck, exactly. A fact that
is no turn belongs to no choice: what it saves, B - B', is neither.

Hints are ranked by the doubt that they leave, in bits: where all candidates are as likely, by how many are left. How
lucky a turn or a game was is told by the guesses saved alone, in words and as a number, so that the two agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import Named, not_such
from yomikiri.common.lazy import np
from yomikiri.hitblow.advice.suggestion import Advice, Figures, figures, suggest
from yomikiri.hitblow.model.codes import answers_to, hint_number
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Answered, Hint, Turn, hint, no_code_fits
from yomikiri.hitblow.model.space import fits, spreads
from yomikiri.hitblow.model.wrong_answers import Slips
from yomikiri.hitblow.policies.base import Unproven, require_candidates
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.onestep import GUESSES_A_BIT


class Fortune(Named):
    """How lucky a hint was, by the guesses that it saved or cost; `CERTAIN` where no other could come."""

    CERTAIN = "certain"
    VERY_LUCKY = "very-lucky"
    LUCKY = "lucky"
    AVERAGE = "average"
    UNLUCKY = "unlucky"
    VERY_UNLUCKY = "very-unlucky"


# Beyond so many guesses a hint is called so: of two codes that are as likely, finding the secret saves half a guess.
_VERY, _SOMEWHAT = Fraction(1, 2), Fraction(1, 5)
LITTLE = Fraction(1, 10)
"""Guesses; one that gives away less is good."""

_WON = -1.0  # the doubt that finding the secret leaves: less than any other hint
_DIGITS = 9  # of a doubt, so that a tie is a tie whatever the order of a sum


@dataclass(frozen=True, slots=True)
class Judgement:
    """One turn judged, in that `line` of the game from 1: `best` is the best guess, the one that was `played` if none
    is better.

    `left` candidates fit after the hint, so many of the cases of `played.total`; `doubt` is what is missing of the
    secret then, in bits, and `doubts` what each hint of `played.cells` leaves; -1 once it is found. `luck` is in
    guesses, what the hint saved; `loss` and `luck` are None where what they need was not proven, for the reason
    `unproven`: then `best` is only a good guess. `stated` is the hint of a wrong turn, whose `turn` has what the secret
    answers.
    """

    line: int
    turn: Answered
    played: Figures
    best: Figures
    left: int
    cases: int
    doubt: float
    doubts: tuple[float, ...]
    luck: Fraction | None
    unproven: Unproven | None
    stated: Hint | None = None

    @property
    def count(self) -> int:
        """How many candidates there were before the turn."""
        return self.played.count

    @property
    def loss(self) -> Fraction | None:
        """What the guess gave away, in guesses on average over the candidates; 0 for a best guess."""
        played, best = expected(self.played), expected(self.best)
        return None if played is None or best is None else played - best

    @property
    def chance(self) -> Fraction:
        """The probability of a hint that leaves as little doubt or less; finding the secret leaves least."""
        return self._share(lambda doubt: doubt <= self.doubt)

    @property
    def rank(self) -> Fraction:
        """Where the hint stands among those that could come, from 0 (none leaves so little doubt) to 1 (none leaves so
        much).

        The probability of a hint that leaves less, and half of that of one that leaves as much; one half on average.
        """
        return (self._share(lambda doubt: doubt < self.doubt) + self.chance) / 2

    @property
    def fortune(self) -> Fortune:
        """How lucky the hint was, in a word; what is not proven is judged by a rule of thumb."""
        if len(self.played.cells) == 1:
            return Fortune.CERTAIN
        saved = self.saved
        if -_SOMEWHAT <= saved <= _SOMEWHAT:
            return Fortune.AVERAGE
        if saved > 0:
            return Fortune.VERY_LUCKY if saved > _VERY else Fortune.LUCKY
        return Fortune.VERY_UNLUCKY if saved < -_VERY else Fortune.UNLUCKY

    @property
    def saved(self) -> Fraction | float:
        """The guesses that the hint saved: `luck`, or what a rule of thumb makes of it where that is not proven."""
        return self._likely_luck if self.luck is None else self.luck

    @property
    def bits(self) -> float:
        """What the hint told, in bits."""
        return log2(self.played.total / self.cases)

    @property
    def expected_bits(self) -> float:
        """What a hint to this guess tells on average, in bits."""
        shown = self.played
        return log2(shown.total) - shown.spread / shown.total - shown.bits

    @property
    def _likely_luck(self) -> float:
        """What the hint saved by a rule of thumb: so many guesses for each bit of doubt, and one unless it won."""
        cells = zip(self.played.cells, self.doubts, strict=True)
        mean = sum(size * _to_come(doubt) for (_hint, size), doubt in cells) / self.played.total
        return mean - _to_come(self.doubt)

    def _share(self, counts: Callable[[float], bool]) -> Fraction:
        cells = zip(self.played.cells, self.doubts, strict=True)
        return Fraction(sum(size for (_hint, size), doubt in cells if counts(doubt)), self.played.total)


@dataclass(frozen=True, slots=True)
class Review:
    """A game judged: its turns up to the one that hit everything, and `later` ones, which are not judged.

    `start` is what best play needs on average before the first turn; `next` is the advice for the turn to come of a
    game that is not over, which has so many `lines`.
    """

    turns: tuple[Judgement, ...]
    later: tuple[Answered, ...]
    start: Fraction | None
    next: Advice | None
    lines: int

    @property
    def found(self) -> bool:
        """Whether the secret was found."""
        return self.next is None

    def numbered(self, line_of: Callable[[int], int], lines: int) -> Review:
        """The same where each line has that number instead, of so many, as in a match."""
        turns = (replace(judged, line=line_of(judged.line)) for judged in self.turns)
        return replace(self, turns=tuple(turns), lines=lines)

    @property
    def counts(self) -> list[int]:
        """How many candidates there were at the start and after each turn; none without a turn."""
        return [*(turn.count for turn in self.turns[:1]), *(turn.left for turn in self.turns)]

    def _repr_html_(self) -> str:
        """What a notebook shows: how the candidates fell."""
        from yomikiri.common.svg import curve

        return curve(self.counts, ", ".join(map(str, self.counts))) if self.turns else ""

    @property
    def loss(self) -> Fraction | None:
        """What the choices gave away together, in guesses; None unless every turn is proven."""
        return summed(judged.loss for judged in self.turns)

    @property
    def luck(self) -> Fraction | None:
        """What the hints saved together, in guesses; None unless every turn is proven."""
        return summed(judged.luck for judged in self.turns)

    @property
    def skill(self) -> int | None:
        """Of 100, what best play needs on average beside that and what the choices gave away; None unless proven."""
        if self.start is None or self.loss is None:
            return None
        return round(100 * self.start / (self.start + self.loss))

    @property
    def luckiness(self) -> int:
        """How good the hints were, from 0 to 100: 50 where they saved nothing, and each half guess that they saved
        doubles what there is of luck beside what there is of bad luck, as 67 to 33."""
        return round(100 / (1 + 4 ** -float(sum(judged.saved for judged in self.turns))))

    @property
    def greatest_loss(self) -> Judgement | None:
        """The turn that gave most away, the first of them, but for the one that found the secret; None where none
        did."""
        wasted = (judged for judged in self.turns if judged.loss and not judged.turn.found)
        return max(wasted, key=lambda judged: judged.loss or 0, default=None)

    @property
    def risk(self) -> Fraction | None:
        """What the guess that found the secret gave away beforehand, if that is no little; 0 before it is found, None
        unless proven."""
        given = summed(judged.loss for judged in self.turns if judged.turn.found)
        return given if given is None or given >= LITTLE else Fraction(0)


def expected(shown: Figures) -> Fraction | None:
    """The guesses that a guess still takes on average, itself included, exactly; None where that is not proven."""
    if shown.outlook is None or not shown.outlook.proven:
        return None
    return Fraction(shown.outlook.total_guesses, shown.total)


def review(known: Knowledge | str, exact: Exact | None = None, budget: Budget = UNLIMITED) -> Review:
    """Score the turns of `known` against proven play.

    `known` may also be facts as text. Raises an `InputError`, and a `ContradictionError` if no code fits them.

    Every turn is judged even where the budget is spent, and they share the seconds of `exact`; what is not proven then
    says so. Where turns may be wrong they
    are judged as the secret answers them: the one that was found, which has to fit, else the likeliest.

    >>> judged = review("012:0H1B 345:0H1B")
    >>> judged.turns[1].best.guess, judged.turns[1].loss
    ('134', Fraction(5, 252))
    """
    known, budget = Knowledge.read(known, "known"), Budget.read(budget, "budget")
    if not (exact is None or isinstance(exact, Exact)):
        raise not_such("exact", exact, "policy_named('exact')")
    require_candidates(known)
    told, known = known, _as_answered(known) if known.slips.most else known
    exact, budget = exact or Exact(), budget.begin()
    before = replace(known, facts=())
    advice: Advice | None = suggest(before, exact, budget=budget)
    start = None if advice is None else expected(advice.proposed)
    judged: list[Judgement] = []
    for line, (fact, said) in enumerate(zip(known.facts, told.facts, strict=True), start=1):
        if advice is None:
            break
        after = before.after(fact)
        later = None if after.solved else suggest(after, exact, budget=budget)
        if isinstance(fact, Answered):
            turn = _judged(line, before, fact, after, advice, later, exact, budget)
            wrong = said.hint if isinstance(said, Turn) and said != fact else None
            judged.append(replace(turn, stated=wrong))
        before, advice = after, later
    return Review(tuple(judged), known.turns[len(judged) :], start, advice, len(known.facts))


def _as_answered(known: Knowledge) -> Knowledge:
    """The game without wrong turns, if the secret is the one that was found, else the likeliest."""
    if known.found and known.found not in known.codes():
        raise no_code_fits(known.facts)
    secret = known.found or known.likeliest(1)[0]
    facts = (replace(fact, hint=hint(fact.guess, secret)) if fact in known.played else fact for fact in known.facts)
    return replace(known, facts=tuple(facts), slips=Slips())


def _judged(
    line: int,
    before: Knowledge,
    turn: Answered,
    after: Knowledge,
    advice: Advice,
    later: Advice | None,
    exact: Exact,
    budget: Budget,
) -> Judgement:
    """`advice` was for this turn, `later` is for the next one, None after a win."""
    played, best = compared(before, turn.guess, advice, exact, budget)
    needed = expected(played)
    if isinstance(turn, Turn):
        cases = dict(played.cells)[turn.hint]
    else:
        cases = before.cases(fits(before.rules, before.candidates, turn))
    rest = Fraction(0) if later is None else expected(later.proposed)
    luck = None if needed is None or rest is None else needed - 1 - rest
    unproven = advice.unproven
    if needed is None:
        unproven = unproven or exact.obstacle(before) or Unproven.TIME
    if later is not None:
        unproven = unproven or later.unproven
    doubt = _WON if turn.found else round(after.doubt, _DIGITS)
    return Judgement(line, turn, played, best, after.count, cases, doubt, _doubts(before, played), luck, unproven)


def compared(
    known: Knowledge, guess: str, advice: Advice, exact: Exact, budget: Budget = UNLIMITED
) -> tuple[Figures, Figures]:
    """The figures of a guess, and of the best one by the advice that was given: itself where none is better."""
    best = played = advice.proposed
    if guess != best.guess:
        played = figures(known, guess, None if advice.unproven else exact.outlook(known, guess, budget))
    return played, played if _as_good(played, best) else best


def _doubts(known: Knowledge, shown: Figures) -> tuple[float, ...]:
    """The doubt that each hint to a guess leaves, beside the cells of its figures."""
    rules, spread = known.rules, {}
    if known.weights is not None:
        sums = np.bincount(answers_to(rules, shown.guess, known.candidates), spreads(known.weights)).tolist()
        spread = {hint: sums[hint_number(rules, hint)] for hint, _size in shown.cells}
    return tuple(
        _WON if hint == rules.win else round(log2(size) - spread.get(hint, 0.0) / size, _DIGITS)
        for hint, size in shown.cells
    )


def _to_come(doubt: float) -> float:
    """How many guesses it takes after a hint, roughly."""
    return 0 if doubt == _WON else 1 + GUESSES_A_BIT * doubt


def _as_good(one: Figures, other: Figures) -> bool:
    """Whether a guess is as good as another: by what is proven of both, else by the bits they leave."""
    ours, theirs = expected(one), expected(other)
    if ours is None or theirs is None:
        return theirs is None and one.bits <= other.bits
    return ours <= theirs


def summed(parts: Iterable[Fraction | None]) -> Fraction | None:
    """All of them together; None where one of them is."""
    total = Fraction(0)
    for part in parts:
        if part is None:
            return None
        total += part
    return total
