"""Review of a game, turn by turn: the guess played, the best guess, the cost of the choice, and the luck.

Cost and luck are measured in guesses, and together they explain the whole game. Let B be the expected number of guesses
of best play before a turn, P that of the guess played, and B' that of best play after the answer (0 after a win):

    loss = P - B        cost of the choice, never negative
    luck = P - 1 - B'   guesses saved by the answer, negative for an unlucky one

If all facts of a game are turns, and the secret was found in N guesses, then exactly

    N = B before the first turn + the sum of losses - the sum of luck

Any other fact is not a choice. The guesses that it saves, B - B', count neither as loss nor as luck.

Answers are ranked by the entropy they leave, in bits. If all candidates are equally likely, this ranks them by the
number of candidates left. The luck of a turn or game is shown in words and as a number. Both are computed from the
guesses saved, and not from the rank of the answer, so that the words agree with the number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import not_such
from yomikiri.common.lazy import np
from yomikiri.guessing.grades import IN_GUESSES
from yomikiri.hitblow.advice.suggestion import Figures, Suggestion, figures, suggest
from yomikiri.hitblow.model.codes import answers_to, hint_number
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Fortune, Unproven
from yomikiri.hitblow.model.rules import Answered, Hint, Turn, hint, no_code_fits
from yomikiri.hitblow.model.space import fits, spreads
from yomikiri.hitblow.model.wrong_answers import Slips
from yomikiri.hitblow.policies.base import require_candidates
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.onestep import GUESSES_A_BIT

# Luck in words: a player is very lucky if the answer saved more than `_VERY` guesses, and lucky if it saved more than
# `_SOMEWHAT`. For comparison: with two equally likely codes left, finding the secret at once saves half a guess.
_VERY, _SOMEWHAT = Fraction(1, 2), Fraction(1, 5)
LITTLE = IN_GUESSES.good
"""Threshold in guesses: a guess that costs less is good."""

_WON = -1.0  # entropy assigned to a win, less than that of any other answer
_DIGITS = 9  # digits to which entropies are rounded, so that ties do not depend on the order of summation


@dataclass(frozen=True, slots=True)
class Judgement:
    """Review of one turn: its guess, the best guess, and the luck with the answer.

    - `line`: number of the turn among all turns and other facts of the game, from 1.
    - `best`: figures of the best guess; those of `played` if no guess is better.
    - `left`: number of candidates after the answer; `cases`: the sum of their weights, out of `played.total`.
    - `entropy`: entropy of the candidates after the answer, in bits, or -1 if the turn found the secret.
    - `entropies`: the same for each possible answer, in the order of `played.cells`.
    - `luck`: guesses saved by the answer. `loss` and `luck` are None if they are not proven, for the reason `unproven`.
      In that case `best` is only a good guess.
    - `stated`: the answer as entered if it was wrong. `turn` contains the true answer.
    """

    line: int
    turn: Answered
    played: Figures
    best: Figures
    left: int
    cases: int
    entropy: float
    entropies: tuple[float, ...]
    luck: Fraction | None
    unproven: Unproven | None
    stated: Hint | None = None

    @property
    def count(self) -> int:
        """The number of candidates before the turn."""
        return self.played.count

    @property
    def loss(self) -> Fraction | None:
        """The cost of choosing this guess, in expected guesses: 0 for a best guess, None if the cost is not proven."""
        played, best = expected(self.played), expected(self.best)
        return None if played is None or best is None else played - best

    @property
    def chance(self) -> Fraction:
        """The probability of an answer that leaves at most as much entropy as this one. A win leaves the least."""
        return self._share(lambda entropy: entropy <= self.entropy)

    @property
    def rank(self) -> Fraction:
        """The rank of the answer among the possible ones, from 0 (least entropy left) to 1 (most); one half on average.

        It is the probability of an answer that leaves less entropy, plus half the probability of one that leaves as
        much.
        """
        return (self._share(lambda entropy: entropy < self.entropy) + self.chance) / 2

    @property
    def fortune(self) -> Fortune:
        """The luck with the answer in one word. If the luck is not proven, it is estimated from the entropy."""
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
        """The guesses saved by the answer. If `luck` is not proven, the number is estimated from the entropy."""
        return self._likely_luck if self.luck is None else self.luck

    @property
    def bits(self) -> float:
        """The information in the answer, in bits."""
        return log2(self.played.total / self.cases)

    @property
    def expected_bits(self) -> float:
        """The expected information of the answer to this guess, in bits."""
        shown = self.played
        return log2(shown.total) - shown.spread / shown.total - shown.bits

    @property
    def _likely_luck(self) -> float:
        """The luck by a rule of thumb (`_guesses_to_come`), which estimates the guesses to come from the entropy.

        It is the average estimate over the possible answers, minus the estimate after this answer.
        """
        cells = zip(self.played.cells, self.entropies, strict=True)
        mean = sum(size * _guesses_to_come(entropy) for (_hint, size), entropy in cells) / self.played.total
        return mean - _guesses_to_come(self.entropy)

    def _share(self, counts: Callable[[float], bool]) -> Fraction:
        cells = zip(self.played.cells, self.entropies, strict=True)
        return Fraction(sum(size for (_hint, size), entropy in cells if counts(entropy)), self.played.total)


@dataclass(frozen=True, slots=True)
class Review:
    """Review of a game: its turns up to the one that found the secret.

    - `later`: turns after the secret was found, which are not reviewed.
    - `start`: expected number of guesses of best play before the first turn; None if it is not proven.
    - `next`: advice for the next turn of an unfinished game, or None.
    - `lines`: number of turns and other facts of the game.
    """

    turns: tuple[Judgement, ...]
    later: tuple[Answered, ...]
    start: Fraction | None
    next: Suggestion | None
    lines: int

    @property
    def found(self) -> bool:
        """True if a turn of the game found the secret."""
        return self.next is None

    def numbered(self, line_of: Callable[[int], int], lines: int) -> Review:
        """Return the review with other numbers for its turns, such as their numbers in a match.

        `line_of` maps the present numbers to the new ones. `lines` is the number of turns and other facts in the new
        numbering.
        """
        turns = (replace(judged, line=line_of(judged.line)) for judged in self.turns)
        return replace(self, turns=tuple(turns), lines=lines)

    @property
    def counts(self) -> list[int]:
        """The number of candidates at the start and after each turn; empty without turns."""
        return [*(turn.count for turn in self.turns[:1]), *(turn.left for turn in self.turns)]

    def _repr_html_(self) -> str:
        """Return a picture for notebooks: the number of candidates after each turn."""
        from yomikiri.common.svg import curve

        return curve(self.counts, ", ".join(map(str, self.counts))) if self.turns else ""

    @property
    def loss(self) -> Fraction | None:
        """The total cost of the chosen guesses, in guesses; None if the cost of a turn is not proven."""
        return summed(judged.loss for judged in self.turns)

    @property
    def luck(self) -> Fraction | None:
        """The total number of guesses saved by the answers; None if the luck of a turn is not proven."""
        return summed(judged.luck for judged in self.turns)

    @property
    def skill(self) -> int | None:
        """The skill of the player as a percentage: B / (B + cost).

        B is the expected number of guesses of best play, and the cost is that of the chosen guesses. None if one of
        these numbers is not proven.
        """
        if self.start is None or self.loss is None:
            return None
        return round(100 * self.start / (self.start + self.loss))

    @property
    def luckiness(self) -> int:
        """The luck of all answers, from 0 to 100, where 50 is neutral.

        Each half guess saved doubles the odds, for example from 50:50 to 67:33.
        """
        return round(100 / (1 + 4 ** -float(sum(judged.saved for judged in self.turns))))

    @property
    def greatest_loss(self) -> Judgement | None:
        """The first of the turns with the greatest cost; None if no turn has a cost.

        It is never the turn that found the secret, because `risk` returns the cost of that turn.
        """
        wasted = (judged for judged in self.turns if judged.loss and not judged.turn.found)
        return max(wasted, key=lambda judged: judged.loss or 0, default=None)

    @property
    def risk(self) -> Fraction | None:
        """The cost of the guess that found the secret, or 0 if it is below `LITTLE`; None if it is not proven."""
        given = summed(judged.loss for judged in self.turns if judged.turn.found)
        return given if given is None or given >= LITTLE else Fraction(0)


def expected(shown: Figures) -> Fraction | None:
    """Return the exact expected number of guesses from a guess on, including this guess; None if not proven."""
    if shown.outlook is None or not shown.outlook.proven:
        return None
    return Fraction(shown.outlook.total_guesses, shown.total)


def review(known: Knowledge | str, exact: Exact | None = None, budget: Budget = UNLIMITED) -> Review:
    """Review the turns of a game: compare each guess with a guess that is proven to be best.

    `known` is the knowledge at the end of the game; it may also be facts as text. `exact` is the policy that proves the
    best guesses, and its time limit applies to all turns together. If the budget or the time ends early, the remaining
    turns are reviewed without a proof, and marked as unproven.

    If turns may be wrong, each turn is reviewed with its true answer. This is the answer for the found secret, or for
    the likeliest candidate if no guess has found the secret.

    Raises a `ContradictionError` if no code fits the facts, or if the found secret is not a candidate. Raises an
    `InputError` for other invalid arguments.

    >>> judged = review("012:0H1B 345:0H1B")
    >>> judged.turns[1].best.guess, judged.turns[1].loss
    ('134', Fraction(5, 252))
    """
    known, budget = Knowledge.read(known, "known"), Budget.read(budget, "budget")
    if not (exact is None or isinstance(exact, Exact)):
        raise not_such("exact", exact, "policy_named('exact')")
    require_candidates(known)
    entered, known = known, _as_answered(known) if known.slips.most else known
    exact, budget = exact or Exact(), budget.begin()
    before = replace(known, facts=())
    advice: Suggestion | None = suggest(before, exact, budget=budget)
    start = None if advice is None else expected(advice.proposed)
    judged: list[Judgement] = []
    for line, (fact, stated) in enumerate(zip(known.facts, entered.facts, strict=True), start=1):
        if advice is None:
            break
        after = before.after(fact)
        later = None if after.solved else suggest(after, exact, budget=budget)
        if isinstance(fact, Answered):
            turn = _judged(_Step(line, fact, before, after, advice, later), exact, budget)
            wrong = stated.hint if isinstance(stated, Turn) and stated != fact else None
            judged.append(replace(turn, stated=wrong))
        before, advice = after, later
    return Review(tuple(judged), known.turns[len(judged) :], start, advice, len(known.facts))


def _as_answered(known: Knowledge) -> Knowledge:
    """Return the game with the true answers for the secret that was found, or for the likeliest candidate."""
    if known.found and known.found not in known.codes():
        raise no_code_fits(known.facts)
    secret = known.found or known.likeliest(1)[0]
    facts = (replace(fact, hint=hint(fact.guess, secret)) if fact in known.played else fact for fact in known.facts)
    return replace(known, facts=tuple(facts), slips=Slips())


@dataclass(frozen=True, slots=True)
class _Step:
    """A turn of a game: the knowledge before and after it, the advice for it, and the advice for the next turn.

    `line` is the number of the fact. `later` is None if the turn found the secret.
    """

    line: int
    turn: Answered
    before: Knowledge
    after: Knowledge
    advice: Suggestion
    later: Suggestion | None


def _judged(step: _Step, exact: Exact, budget: Budget) -> Judgement:
    before, after, turn = step.before, step.after, step.turn
    played, best = compared(before, turn.guess, step.advice, exact, budget)
    needed = expected(played)
    if isinstance(turn, Turn):
        cases = dict(played.cells)[turn.hint]
    else:
        cases = before.cases(fits(before.rules, before.candidates, turn))
    rest = Fraction(0) if step.later is None else expected(step.later.proposed)
    luck = None if needed is None or rest is None else needed - 1 - rest
    unproven = step.advice.unproven
    if needed is None:
        unproven = unproven or exact.obstacle(before) or Unproven.TIME
    if step.later is not None:
        unproven = unproven or step.later.unproven
    entropy = _WON if turn.found else round(after.doubt, _DIGITS)
    return Judgement(
        step.line, turn, played, best, after.count, cases, entropy, _entropies(before, played), luck, unproven
    )


def compared(
    known: Knowledge, guess: str, advice: Suggestion, exact: Exact, budget: Budget = UNLIMITED
) -> tuple[Figures, Figures]:
    """Return the figures of a guess, and those of the best guess.

    The figures are the sizes of the cells of a guess, and its expected number of guesses. The best guess is `guess`
    itself if it is as good as the suggested one, otherwise the suggested one.
    """
    best = played = advice.proposed
    if guess != best.guess:
        played = figures(known, guess, None if advice.unproven else exact.outlook(known, guess, budget))
    return played, played if _as_good(played, best) else best


def _entropies(known: Knowledge, shown: Figures) -> tuple[float, ...]:
    """Return the entropy in bits after each answer to a guess, -1 for a win, in the order of `shown.cells`."""
    rules, spread = known.rules, {}
    if known.weights is not None:
        sums = np.bincount(answers_to(rules, shown.guess, known.candidates), spreads(known.weights)).tolist()
        spread = {hint: sums[hint_number(rules, hint)] for hint, _size in shown.cells}
    return tuple(
        _WON if hint == rules.win else round(log2(size) - spread.get(hint, 0.0) / size, _DIGITS)
        for hint, size in shown.cells
    )


def _guesses_to_come(entropy: float) -> float:
    """Return the expected number of guesses still to come, by a rule of thumb, for an entropy of `entropy` bits."""
    return 0 if entropy == _WON else 1 + GUESSES_A_BIT * entropy


def _as_good(one: Figures, other: Figures) -> bool:
    """Return True if a guess is as good as another, by proven numbers of guesses or by entropy.

    The entropy decides if the other guess has no proven number. A guess without a proven number is never as good as one
    that has it.
    """
    ours, theirs = expected(one), expected(other)
    if ours is None or theirs is None:
        return theirs is None and one.bits <= other.bits
    return ours <= theirs


def summed(parts: Iterable[Fraction | None]) -> Fraction | None:
    """Return the sum of some fractions, or None if any fraction is missing."""
    total = Fraction(0)
    for part in parts:
        if part is None:
            return None
        total += part
    return total
