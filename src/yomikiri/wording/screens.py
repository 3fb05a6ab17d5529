"""Short texts for a terminal screen, in the current language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from yomikiri.hitblow.model.rules import Repeats
from yomikiri.wording import _, ngettext
from yomikiri.wording.hitblow import candidate_count, example, example_answer, percent, unproven

if TYPE_CHECKING:
    from yomikiri.hitblow.advice.suggestion import Suggestion
    from yomikiri.hitblow.match.advice import MatchAdvice
    from yomikiri.hitblow.match.match import Match
    from yomikiri.hitblow.model.rules import Rules, Words


def rules(rules: Rules) -> str:
    """Return the rules in a few words."""
    symbols = rules.symbols
    if len(symbols) > 2 and ord(symbols[-1]) - ord(symbols[0]) == len(symbols) - 1 and symbols.isdecimal():
        symbols = f"{symbols[0]}-{symbols[-1]}"
    repeats = {
        Repeats.NONE: _("all different"),
        Repeats.GUESS: _("guesses may repeat"),
        Repeats.ALL: _("repeats allowed"),
    }[rules.repeats]
    text = ngettext("{digits} digit of {symbols}, {repeats}", "{digits} digits of {symbols}, {repeats}", rules.digits)
    return text.format(digits=rules.digits, symbols=symbols, repeats=repeats)


def heads() -> tuple[str, str, str]:
    """Return the column heads of the turns: guess, answer, number of remaining codes."""
    return _("guess"), _("answer"), _("left")


def answer_prompt(guess: str) -> str:
    """Return the prompt for the answer to a guess."""
    return _("answer to {guess} > ").format(guess=guess)


def program_guess(advice: Suggestion, number: int) -> str:
    """Return the program's own guess, with the number of candidates it is chosen from."""
    guess = advice.proposed.guess
    if advice.count == 1:
        return _("{number}. I guess {guess}: the only candidate.").format(number=number, guess=guess)
    candidates = candidate_count(advice.count)
    return _("{number}. I guess {guess} ({left}).").format(number=number, guess=guess, left=candidates)


def correction_prompt(repairs: int) -> str:
    """Return the prompt for a correction, given the number of suggested corrections."""
    if not repairs:
        return _("edit N ANSWER or undo > ")
    if repairs == 1:
        return _("fix, edit N ANSWER or undo > ")
    return _("fix 1-{count}, edit N ANSWER or undo > ").format(count=repairs)


def certainty(advice: Suggestion) -> str:
    """Return the sentence that says how certain a guess is, and how many guesses are needed.

    It is empty if the policy does not know this.
    """
    if advice.count == 1:
        return _("the only candidate")
    if advice.unproven:
        return unproven(advice.unproven)
    known = advice.proposed.outlook
    if known is None:
        return ""
    expected = f"{advice.proposed.expected_guesses:.2f}"
    if not known.proven:
        return _("not proven: at most {expected} more on average").format(expected=expected)
    if known.max_guesses is None:
        return _("proven best: {expected} more on average").format(expected=expected)
    return _("proven best: {expected} more on average, {most} at most").format(
        expected=expected, most=known.max_guesses
    )


def some_candidates(codes: str, more: int, each: Fraction | float | None) -> tuple[str, str, str]:
    """Return the remaining codes: a label, the first codes with the number of the others, and the chance of each."""
    listed = f"{codes} +{more:,}" if more else codes
    return _("candidates"), listed, _("{chance} each").format(chance=percent(each)) if each else ""


def nothing_fits(repairs: int) -> str:
    """Return the heading for answers that no code fits, given the number of suggested corrections."""
    if not repairs:
        return _("no code fits all of this")
    return _("no code fits these answers. Most likely mistakes:")


# --- a match ----------------------------------------------------------------------------------------------------------


def opponent_guess_prompt(match: Match, words: Words) -> str:
    """Return the prompt for the opponent's guess.

    If the program does not know the player's secret, the prompt also asks for the player's answer.
    """
    if match.secret:
        return _("their guess > ")
    shown = f"{example(match.own_rules)} {example_answer(match.own_rules, words)}"
    return _("their guess and your answer, as {example} > ").format(example=shown)


def opponent(name: str) -> str:
    """Return the sentence that names the model of the opponent."""
    return {
        "optimal": _("Opponent: fewest guesses on average."),
        "consistent": _("Opponent: random candidates."),
        "entropy": _("Opponent: most information."),
        "perfect": _("Opponent: perfect play."),
        "custom": _("Opponent: the given finish times."),
    }[name]


def winning_chances(advice: MatchAdvice) -> tuple[str, str]:
    """Return the chances of winning of both sides."""
    win, exact = advice.proposed.win, advice.proposed.exact
    return (
        _("you {chance}").format(chance=percent(win, exact=exact)),
        _("they {chance}").format(chance=percent(1 - win, exact=exact)),
    )


def hit_chance(advice: MatchAdvice) -> str:
    """Return the chance that the suggested guess is right.

    If the reason for the guess compares it with another guess, add the chance of winning with the other guess.
    """
    message = _("you find it: with the next guess {chance}").format(chance=percent(advice.proposed.hit))
    if not advice.reason.rival:
        return message
    rest = _("{rival} wins only {win} ('why' explains)").format(
        rival=advice.reason.rival.guess, win=percent(advice.reason.rival.win, exact=advice.reason.rival.exact)
    )
    return _("{message}; {rest}").format(message=message, rest=rest)


def danger(head: str, rows: Sequence[tuple[str, str]]) -> str:
    """Return the chances that the opponent finds the player's secret, on one line.

    `rows` contains the chances with their labels. If there are none, the result is `head`.
    """
    listed = _(", ").join(f"{label} {chance}" for label, chance in rows)
    return _("they find it: {listed}").format(listed=listed) if rows else head


# --- a game against the program --------------------------------------------------------------------------------------


def begins(program: bool, digits: int) -> Iterator[str]:
    """Yield the first lines of a game in which both sides guess: who goes first, the player's secret, and how to win.

    `program` is True if the program goes first.
    """
    yield _("I go first.") if program else _("You go first.")
    yield ngettext(
        "Write down a secret of {digits} digit, and use it to answer my guesses.",
        "Write down a secret of {digits} digits, and use it to answer my guesses.",
        digits,
    ).format(digits=digits)
    yield _("The first to find the other's secret wins.")
