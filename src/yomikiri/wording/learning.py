"""Sentences for lessons: grades, puzzles and the daily game, in the current language.

In the daily game, the secret is the same for everyone on one day.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from yomikiri.common.enums import Difficulty, Grade
from yomikiri.hitblow.model.labels import Unit
from yomikiri.hitblow.model.notation import write_answer, write_hint
from yomikiri.wording import _, ngettext, puzzles, review
from yomikiri.wording.hitblow import percent

if TYPE_CHECKING:
    from yomikiri.hitblow.advice.suggestion import Figures
    from yomikiri.hitblow.model.rules import Hint, Words
    from yomikiri.hitblow.practice.lessons import ComparedGuess, Lesson, Marked, Report
    from yomikiri.hitblow.practice.puzzles import CheckedGuess, GuessPuzzle
    from yomikiri.hitblow.practice.record import Result

SIGNS = {Grade.BEST: "✓", Grade.GOOD: "✓", Grade.RISKY: "!", Grade.INACCURACY: "?!", Grade.MISTAKE: "?"}
"""A symbol for each grade, shown next to its name."""


def grade(given: Grade | None) -> str:
    """Return the name of a grade, or an empty string."""
    if given is None:
        return ""
    return {
        Grade.BEST: _("Best"),
        Grade.GOOD: _("Good"),
        Grade.RISKY: _("Risky, paid off"),
        Grade.INACCURACY: _("Inaccuracy"),
        Grade.MISTAKE: _("Mistake"),
    }[given]


def difficulty(given: Difficulty) -> str:
    """Return the name of a difficulty."""
    return {Difficulty.EASY: _("easy"), Difficulty.MEDIUM: _("medium"), Difficulty.HARD: _("hard")}[given]


# --- a game -----------------------------------------------------------------------------------------------------------


def points(chance: Fraction) -> str:
    """Return a difference of probabilities, at least 0, in percentage points."""
    value = float(chance) * 100
    shown = f"{value:.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0") if value >= 1 else f"{value:.1g}"
    return ngettext("{points} point", "{points} points", 1 if shown == "1" else 2).format(points=shown)


def amount(number: Fraction, unit: Unit) -> str:
    """Return an amount, at least 0, with its unit: guesses, or percentage points of the chance of winning."""
    if unit is Unit.CHANCE:
        return points(number)
    return puzzles.guesses(number)


def cost(weighed: ComparedGuess) -> str:
    """Return the cost of a guess in words, or an empty string if it is 0 or not proven.

    In a match, the text also contains two chances of winning: with the best guess, and with the guess played.
    """
    if not weighed.cost:
        return ""
    if weighed.unit is Unit.GUESSES or weighed.value is None or weighed.best_value is None:
        return _("cost {amount}").format(amount=amount(weighed.cost, weighed.unit))
    return _("cost {amount} (best {best}, yours {yours})").format(
        amount=points(weighed.cost), best=percent(weighed.best_value), yours=percent(weighed.value)
    )


def value(weighed: ComparedGuess) -> str:
    """Return the value of a guess: expected guesses or the chance of winning. Empty if the value is not proven."""
    if weighed.value is None:
        return ""
    if weighed.unit is Unit.CHANCE:
        return _("chance of winning {chance}").format(chance=percent(weighed.value))
    return puzzles.expected_guesses(weighed.value)


def split(shown: Figures) -> str:
    """Return how a guess splits the candidates."""
    return puzzles.split([f"{size:,}" for _hint, size in shown.groups])


def turn(marked: Marked) -> str:
    """Return a turn in short: the cost of the player's own guess, and the number of candidates before and after it."""
    fell = _("found") if marked.turn.found else f"{marked.weighed.played.count:,} → {marked.left:,}"
    return " · ".join(filter(None, (cost(marked.weighed) if marked.is_own else "", fell)))


def lesson(given: Lesson) -> Iterator[str]:
    """Yield the lesson in a few lines: the number of candidates, and how the played and the best guess split them."""
    weighed = given.marked.weighed
    yours, best = weighed.played, weighed.best
    count = weighed.played.count
    yield ngettext(
        "Guess {number}: there was {count} candidate.", "Guess {number}: there were {count} candidates.", count
    ).format(number=given.marked.number, count=f"{count:,}")
    yield _("You guessed {guess}: {groups}.").format(guess=yours.guess, groups=split(yours))
    yield _("Best was {guess}: {groups}.").format(guess=best.guess, groups=split(best))


def reasons(given: Lesson) -> Iterator[str]:
    """Yield the reasons why the guess of a lesson was worse than the best one, the simplest first."""
    why, weighed = given.shortfall, given.marked.weighed
    guess, best = weighed.played.guess, weighed.best.guess
    if why.repeats:
        yield _("{guess} repeats guess {number}, so it gives no new information.").format(
            guess=guess, number=why.repeats
        )
    elif why.impossible:
        yield _("{guess} could not be the number. {best} could.").format(guess=guess, best=best)
    if why.ruled_out and not why.repeats:
        yield _("Ruled out before: {digits}.").format(digits=_(", ").join(why.ruled_out))
    if why.with_equal_answers:
        yield _("{codes} would get the same answer. {best} tells them apart.").format(
            codes=_(", ").join(why.with_equal_answers), best=best
        )
    elif why.largest:
        yield _("{guess} can leave {count} candidates. {best} leaves at most {fewer}.").format(
            guess=guess, count=f"{why.largest:,}", best=best, fewer=f"{max(weighed.best.left):,}"
        )


def legend() -> str:
    """Return the legend of a picture whose bars show how two guesses split the candidates."""
    return _("Bars: candidates left by each answer. More and shorter bars are better.")


def summary(report: Report, words: Words) -> Iterator[str]:
    """Yield the summary of a report on a game: the wrong answers, the cost of the player's guesses, and the luck.

    The cost and the luck are left out if they are not proven. If hints showed the player some of the guesses, the
    summary contains only the wrong answers. No better guess is named.
    """
    is_own = all(turn.is_own for turn in report.turns)
    if report.review:
        yield from review.summary(report.review, words, names=False) if is_own else review.wrong(report.review, words)
        return
    for turn, meant in report.wrong:
        entered = write_answer(turn.turn, words)
        yield review.was_wrong(turn.number, turn.turn.guess, write_hint(meant, words), entered)
    if not is_own:
        return
    if report.cost is not None:
        yield from _given_away(report, report.cost)
    if report.luck is not None:
        yield _luck(report.luck)


def verdict(report: Report) -> str:
    """Return the expected guesses of best play and the player's luck, in words.

    The result is empty unless the player found the secret, chose every guess, and best play is proven.
    """
    judged = report.review
    if judged is None or judged.start is None or not judged.found or not all(turn.is_own for turn in report.turns):
        return ""
    message = _("Best play needs {expected} guesses on average. {luck}")
    return message.format(expected=f"{float(judged.start):.1f}", luck=_fortune(judged.luck)).strip()


def _fortune(saved: Fraction | None) -> str:
    if saved is None:
        return ""
    if abs(saved) < Fraction(3, 10):
        return _("Your luck was average.")
    if saved > 0:
        return _("You were very lucky.") if saved > Fraction(3, 2) else _("You were a little lucky.")
    return _("You were very unlucky.") if saved < Fraction(-3, 2) else _("You were a little unlucky.")


def _given_away(report: Report, lost: Fraction) -> Iterator[str]:
    risks = [turn for turn in report.turns if turn.grade is Grade.RISKY and turn.cost]
    risk = sum((turn.cost for turn in risks if turn.cost), Fraction(0))
    if not lost:
        yield _("No guess could have been better.")
    elif lesson := report.lesson:
        message = _("Your choices cost {amount}; guess {number} cost the most.")
        yield message.format(amount=points(lost - risk), number=lesson.marked.number)
    elif lost > risk:
        yield _("Your choices cost {amount}.").format(amount=points(lost - risk))
    for turn in risks:
        yield _("{guess} risked {amount}, and the risk paid off.").format(guess=turn.turn.guess, amount=points(risk))


def _luck(brought: Fraction) -> str:
    if abs(brought) < Fraction(1, 100):
        return _("Good and bad luck evened out.")
    if brought < 0:
        return _("Bad luck cost {amount}.").format(amount=points(-brought))
    return _("Good luck gained {amount}.").format(amount=points(brought))


def heads(unit: Unit) -> tuple[str, str, str, str, str]:
    """Return the column heads of a review: guess, candidates, better guess, cost of the player's guess, luck."""
    cost = _("cost") if unit is Unit.GUESSES else _("% win")
    return _("you"), _("left"), _("better"), cost, _("luck")


def cost_in_column(given: Fraction | None, unit: Unit) -> str:
    """Return the cost of a guess for a column, in guesses or percentage points. Empty if it is not known."""
    if given is None:
        return ""
    if not given:
        return "-"
    return review.guesses(given) if unit is Unit.GUESSES else f"-{float(given) * 100:.1f}"


def curve(blocks: str, first: Fraction, last: Fraction) -> str:
    """Return the curve of the chance of winning as block characters, with its first and last value."""
    return _("chance  {first} {blocks} {last}").format(first=percent(first), blocks=blocks, last=percent(last))


# --- puzzles ----------------------------------------------------------------------------------------------------------


def guess_result(given: CheckedGuess) -> str:
    """Return the result of a guess at a puzzle, without naming the best one."""
    guess, weighed = given.weighed.played.guess, given.weighed
    cost_text = amount(weighed.cost, weighed.unit) if weighed.cost else ""
    return puzzles.result(guess, cost_text, given.grade)


def meanings(given: CheckedGuess, words: Words) -> Iterator[str]:
    """Yield the candidates that each answer to the guess would leave."""
    for hint, codes in given.means:
        yield puzzles.meaning(write_hint(hint, words), codes)


# --- the daily game ---------------------------------------------------------------------------------------------------


def day_heading(day: date) -> str:
    """Return the heading of the daily game of `day`, whose secret is the same for everyone."""
    return _("The number of {day}, the same for everyone.").format(day=day)


def day_result(result: Result) -> str:
    """Return the sentence on the result of a daily game: found with how many guesses, or given up."""
    if not result.found:
        return _("given up")
    return ngettext("{count} guess", "{count} guesses", result.guesses).format(count=result.guesses)


def share_text(result: Result, hints: Sequence[Hint], digits: int) -> str:
    """Return the text to share the result of a daily game: a sign for each digit, without the digits themselves.

    The sign 🟢 means the right place, 🔶 a wrong place, and ⬜ that the digit is not in the secret.
    """
    return "\n".join([f"yomikiri {result.day} · {day_result(result)}", *(signs(hint, digits) for hint in hints)])


def signs(hint: Hint, digits: int) -> str:
    """Return an answer as one sign for each digit. The order of the signs does not show the places."""
    return "🟢" * hint.hits + "🔶" * hint.blows + "⬜" * (digits - hint.hits - hint.blows)


def spoken_answers(hints: Iterable[Hint]) -> str:
    """Return the answers to several guesses as sentences for screen readers."""
    lines = (
        _("Guess {number}: {answer}.").format(number=number, answer=_answer(hint))
        for number, hint in enumerate(hints, start=1)
    )
    return " ".join(lines)


def _answer(hint: Hint) -> str:
    parts = []
    if hint.hits:
        parts.append(ngettext("{count} right place", "{count} right places", hint.hits).format(count=hint.hits))
    if hint.blows:
        parts.append(ngettext("{count} wrong place", "{count} wrong places", hint.blows).format(count=hint.blows))
    return _(", ").join(parts) or _("no match")


def finished_notice(result: Result) -> str:
    """Return the notice that the daily game of a day is already finished, and that playing it again does not count."""
    return _("You have already finished this number: {ended}. This game does not count.").format(
        ended=day_result(result)
    )


def late_notice() -> str:
    """Return the notice that the daily game of a past day does not count for the streak."""
    return _("This day is over: its result does not count for the streak.")


def streaks(now: int, most: int) -> str:
    """Return the current and the longest streak, in days."""
    message = ngettext("Streak: {now} day. Best: {most}.", "Streak: {now} days. Best: {most}.", now)
    return message.format(now=now, most=most)


def chart(counts: Mapping[int, int]) -> Iterator[str]:
    """Yield the bars of a chart: for each number of guesses, how many secrets of daily games were found with it."""
    most = max(counts.values(), default=0)
    for number, count in counts.items():
        yield f"  {number:>2}  {'█' * round(20 * count / most)} {count}".rstrip()


def own_game_note(puzzle: GuessPuzzle) -> str:
    """Return the note that a puzzle comes from the player's own game, with the guess played there."""
    return _("From your game: you guessed {guess}.").format(guess=puzzle.played)
