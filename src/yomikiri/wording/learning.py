"""What is said of a game that one learns from: grades, the lesson, puzzles and the number of a day, in the language in
use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction

from yomikiri.common.enums import Difficulty, Grade
from yomikiri.hitblow.advice.suggestion import Figures
from yomikiri.hitblow.model.notation import write_answer, write_hint
from yomikiri.hitblow.model.rules import Hint, Words
from yomikiri.hitblow.practice.lessons import Lesson, Marked, Report, Unit, Weighed
from yomikiri.hitblow.practice.puzzles import Checked, Clues, Puzzle
from yomikiri.hitblow.practice.record import Result
from yomikiri.wording import _, joined, ngettext, review
from yomikiri.wording.hitblow import percent

SIGNS = {Grade.BEST: "✓", Grade.GOOD: "✓", Grade.RISKY: "!", Grade.INACCURACY: "?!", Grade.MISTAKE: "?"}
"""A sign for each grade, to stand beside its name."""


def grade(given: Grade | None) -> str:
    """The name of a grade; nothing where there is none."""
    if given is None:
        return ""
    return {
        Grade.BEST: _("Best"),
        Grade.GOOD: _("Good"),
        Grade.RISKY: _("Risky, it paid"),
        Grade.INACCURACY: _("Inaccuracy"),
        Grade.MISTAKE: _("Mistake"),
    }[given]


def difficulty(given: Difficulty) -> str:
    """How hard a puzzle is."""
    return {Difficulty.EASY: _("easy"), Difficulty.MEDIUM: _("medium"), Difficulty.HARD: _("hard")}[given]


# --- a game -----------------------------------------------------------------------------------------------------------


def points(chance: Fraction) -> str:
    """A difference of chances, not negative, in points of a hundred."""
    value = float(chance) * 100
    shown = f"{value:.0f}" if value >= 1 else f"{value:.1g}"
    return ngettext("{points} point", "{points} points", 1 if shown == "1" else 2).format(points=shown)


def amount(number: Fraction, unit: Unit) -> str:
    """What was given away or brought, in its unit, not negative."""
    if unit is Unit.CHANCE:
        return points(number)
    return ngettext("{number} guess", "{number} guesses", 1 if number == 1 else 2).format(number=review.guesses(number))


def cost(weighed: Weighed) -> str:
    """What a guess cost; in a match with the chances of the best guess and of this one. Nothing where it is not
    proven or cost nothing."""
    if not weighed.cost:
        return ""
    if weighed.unit is Unit.GUESSES or weighed.worth is None or weighed.best_worth is None:
        return _("cost {amount}").format(amount=amount(weighed.cost, weighed.unit))
    return _("cost {amount} (best {best}, yours {yours})").format(
        amount=points(weighed.cost), best=percent(weighed.best_worth), yours=percent(weighed.worth)
    )


def to_go(weighed: Weighed) -> str:
    """What a guess leads to: how many guesses on average, or how likely a win; nothing where that is not proven."""
    if weighed.worth is None:
        return ""
    if weighed.unit is Unit.CHANCE:
        return _("chance of winning {chance}").format(chance=percent(weighed.worth))
    return _("{amount} to go").format(amount=amount(weighed.worth, weighed.unit))


def groups(shown: Figures) -> str:
    """How a guess parts the numbers left."""
    return ngettext("{groups} group, of {largest}", "{groups} groups, the largest {largest}", shown.parts).format(
        groups=shown.parts, largest=max(shown.left)
    )


def turn(marked: Marked) -> str:
    """What a turn did, short: its cost, and the numbers left before and after it."""
    fell = _("found") if marked.turn.found else f"{marked.weighed.played.count:,} → {marked.left:,}"
    return " · ".join(filter(None, (cost(marked.weighed), fell)))


def lesson(given: Lesson) -> Iterator[str]:
    """The lesson in a few lines: which guess, what it cost, and how both guesses part the numbers left."""
    weighed = given.marked.weighed
    yours, best = weighed.played, weighed.best
    count = weighed.played.count
    yield ngettext(
        "Guess {number}: {count} number was left.", "Guess {number}: {count} numbers were left.", count
    ).format(number=given.marked.number, count=f"{count:,}")
    yield _("You guessed {guess}: {groups}.").format(guess=yours.guess, groups=groups(yours))
    yield _("Best was {guess}: {groups}.").format(guess=best.guess, groups=groups(best))


def legend() -> str:
    """What the bars of two splits mean."""
    return _("Bars: numbers left after each answer. More and shorter is better.")


def summary(report: Report, words: Words) -> Iterator[str]:
    """What was given away, and only then what luck did; nothing that is not proven, and no better guess is named."""
    if report.review:
        yield from review.summary(report.review, words, names=False)
        return
    for turn, meant in report.wrong:
        told = write_answer(turn.turn, words)
        yield review.was_wrong(turn.number, turn.turn.guess, write_hint(meant, words), told)
    if report.lost is not None:
        yield from _given_away(report, report.lost)
    if report.luck is not None:
        yield _luck(report.luck)


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
        yield _("{guess} was risky by {amount}, and it paid.").format(guess=turn.turn.guess, amount=points(risk))


def _luck(brought: Fraction) -> str:
    if abs(brought) < Fraction(1, 100):
        return _("Good and bad luck evened out.")
    if brought < 0:
        return _("Bad luck cost {amount}.").format(amount=points(-brought))
    return _("Luck brought {amount}.").format(amount=points(brought))


def heads(unit: Unit) -> tuple[str, str, str, str, str]:
    """The heads of a review: who, what was left, a better guess, its cost, the luck."""
    cost = _("cost") if unit is Unit.GUESSES else _("% win")
    return _("you"), _("left"), _("better"), cost, _("luck")


def cost_in_column(given: Fraction | None, unit: Unit) -> str:
    """What a guess cost, in a column: guesses, or points of the chance of winning."""
    if given is None:
        return ""
    if not given:
        return "-"
    return review.guesses(given) if unit is Unit.GUESSES else f"-{float(given) * 100:.1f}"


def curve(blocks: str, first: Fraction, last: Fraction) -> str:
    """The curve of the chance of winning as blocks, with where it begins and ends."""
    return _("chance  {first} {blocks} {last}").format(first=percent(first), blocks=blocks, last=percent(last))


# --- puzzles ----------------------------------------------------------------------------------------------------------


def question(puzzle: Puzzle) -> str:
    """What is asked."""
    count = puzzle.board.count
    return ngettext(
        "{count} number is left. What do you guess?", "{count} numbers are left. What do you guess?", count
    ).format(count=f"{count:,}")


def clues(given: Clues, digits: int) -> tuple[str, str, str]:
    """The three clues to a guess of so many digits: the idea, the method, the digits."""
    return _idea(given, digits), _method(given), _("Its digits: {digits}.").format(digits=" ".join(given.digits))


def _idea(given: Clues, digits: int) -> str:
    places = given.places
    if given.inside:
        idea = _("One of the numbers left is a best guess.")
    else:
        idea = _("A best guess cannot be right itself: it only asks.")
    if len(places) == digits:
        return idea
    opened = ngettext("Only place {places} is open.", "Only places {places} are open.", len(places))
    return joined(opened.format(places=_(", ").join(map(str, places))), idea)


def _method(given: Clues) -> str:
    text = ngettext(
        "It makes {groups} group, of {largest}.", "It makes {groups} groups, the largest {largest}.", given.groups
    ).format(groups=given.groups, largest=given.largest)
    if not given.idle:
        return text
    idle = ngettext(
        "{count} of its digits is in none of the numbers left.",
        "{count} of its digits are in none of the numbers left.",
        given.idle,
    )
    return f"{text} {idle.format(count=given.idle)}"


def checked(given: Checked) -> str:
    """What there is to say of a guess at a puzzle; the best one is not named."""
    guess, weighed = given.weighed.played.guess, given.weighed
    if given.solved or (given.grade is None and weighed.forced):
        return _("{guess} is a best guess.").format(guess=guess)
    if not weighed.cost:
        return _("What {guess} costs is not proven.").format(guess=guess)
    told = amount(weighed.cost, weighed.unit)
    if given.grade is Grade.GOOD:
        return _("{guess} is good: it costs only {amount}. There is a better one.").format(guess=guess, amount=told)
    return _("{guess} costs {amount}. There is a better one.").format(guess=guess, amount=told)


def meanings(given: Checked, words: Words) -> Iterator[str]:
    """What each answer to the guess would mean, where few numbers are left."""
    for hint, codes in given.means:
        yield _("{answer} means {codes}").format(answer=write_hint(hint, words), codes=_(" or ").join(codes))


def row(count: int) -> str:
    """How many puzzles were solved in a row."""
    return ngettext("{count} in a row", "{count} in a row", count).format(count=count)


# --- the number of a day ----------------------------------------------------------------------------------------------


def of_day(day: date) -> str:
    """Whose number it is."""
    return _("The number of {day}, the same for everyone.").format(day=day)


def ended(result: Result) -> str:
    """How a day's number ended."""
    if not result.found:
        return _("given up")
    return ngettext("{count} guess", "{count} guesses", result.guesses).format(count=result.guesses)


def shared(result: Result, hints: Sequence[Hint], digits: int) -> str:
    """A day's result to be shared, without its digits: a sign for each digit, 🟢 right place, 🔸 wrong place."""
    return "\n".join([f"yomikiri {result.day} · {ended(result)}", *(signs(hint, digits) for hint in hints)])


def signs(hint: Hint, digits: int) -> str:
    """A hint as signs, one for each digit, which tell no place."""
    return "🟢" * hint.hits + "🔸" * hint.blows + "▫️" * (digits - hint.hits - hint.blows)


def spoken(hints: Iterable[Hint]) -> str:
    """The same for those who hear it."""
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
    return _(", ").join(parts) or _("nothing right")


def done(result: Result) -> str:
    """That a day's number is done already: what is played now does not count."""
    return _("Done already: {ended}. What you play now does not count.").format(ended=ended(result))


def late() -> str:
    """Return the notice that the number of a past day builds no streak."""
    return _("This day is over: its result does not count for the streak.")


def streaks(now: int, most: int) -> str:
    """Return on how many days in a row the number was found, up to today and at most."""
    message = ngettext("Streak: {now} day. Best: {most}.", "Streak: {now} days. Best: {most}.", now)
    return message.format(now=now, most=most)


def chart(counts: Mapping[int, int]) -> Iterator[str]:
    """How many numbers of days were found with how many guesses, as bars."""
    most = max(counts.values(), default=0)
    for number, count in counts.items():
        yield f"  {number:>2}  {'█' * round(20 * count / most)} {count}".rstrip()


def own(puzzle: Puzzle) -> str:
    """That a puzzle is of one's own game, and what was guessed there."""
    return _("From your game: you guessed {guess}.").format(guess=puzzle.played)
