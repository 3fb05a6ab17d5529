"""What is said of the race before its first guess, in the language in use."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from yomikiri.budget import Progress
from yomikiri.hitblow.race.terms import Reveals, Terms
from yomikiri.wording.hitblow import rules_text
from yomikiri.wording.language import _, ngettext

_SHOWN = 4  # digits of a chance in percent


def terms_lines(terms: Terms) -> Iterator[str]:
    """The terms of a race, a line for each thing."""
    sought, own = terms.first.rules, terms.second.rules
    yield _("Race: {rules}").format(rules=rules_text(sought))
    if own != sought:
        yield _("The second player seeks: {rules}").format(rules=rules_text(own))
    if terms.absent:
        yield _("In neither secret: {symbols}").format(symbols=" ".join(terms.absent))
    count = len(terms.shown)
    if terms.reveals is Reveals.FIRST:
        message = ngettext(
            "The first player reveals {count} symbol that is not in their secret.",
            "The first player reveals {count} symbols that are not in their secret.",
            count,
        )
        yield message.format(count=count)
    elif terms.reveals is Reveals.SECOND:
        message = ngettext(
            "The second player reveals {count} symbol that is not in their secret.",
            "The second player reveals {count} symbols that are not in their secret.",
            count,
        )
        yield message.format(count=count)
    else:
        yield _("Nobody reveals a symbol.")
    yield (
        _("Both players get the same number of guesses; finding both secrets in one round is a draw.")
        if terms.equal_turns
        else _("The first to find the secret wins at once.")
    )


def seen(information: str) -> str:
    """What the players look at."""
    return {
        "public": _("Both players see both boards and use all hints; best play by both sides."),
        "unseen": _("Neither player sees the other's board; best play by both sides."),
        "private": _(
            "Each player sees all hints and uses what they know of their own secret; best play by both sides."
        ),
    }[information]


def value_lines(lower: Fraction, upper: Fraction, draw: Fraction | None) -> Iterator[str]:
    """The chances of both players, and how sure they are; `draw` is None for a value that is not known yet."""
    if draw is None:
        yield _("Interrupted. The first player's chance of winning is between {lower} and {upper}.").format(
            lower=chance(lower), upper=chance(upper)
        )
        return
    value = (lower + upper) / 2
    yield _("The first player wins {first} of the time, the second {second}.").format(
        first=chance(value - draw / 2), second=chance(1 - value - draw / 2)
    )
    if draw:
        yield _("Draws: {draw}. Counting a draw as half a win, the first player scores {value}.").format(
            draw=chance(draw), value=chance(value)
        )
    if lower == upper:
        yield _("Exact value: {fraction}").format(fraction=f"{value.numerator}/{value.denominator}")
    else:
        yield _("Proven: between {lower} and {upper}").format(
            lower=f"{float(lower):.12f}", upper=f"{float(upper):.12f}"
        )


def chance(share: Fraction | float) -> str:
    """A chance in percent, with as many digits as a race is compared by."""
    return f"{float(share):.{_SHOWN - 2}%}"


def mixed(first: int, second: int) -> str:
    """Whether the players choose at random."""
    if first == second == 1:
        return _("Both use a pure strategy; neither gains by choosing at random.")
    if first == 1:
        return _("The first player uses a pure strategy, the second chooses among {second} at random.").format(
            second=second
        )
    if second == 1:
        return _("The first player chooses among {first} strategies at random, the second uses a pure one.").format(
            first=first
        )
    return _("Mixed strategies: the first player chooses among {first} at random, the second among {second}.").format(
        first=first, second=second
    )


def finish_head() -> tuple[str, str, str]:
    """The heads of the table of finishing times: the guess, and both players."""
    return _("found by guess"), _("first"), _("second")


def starting() -> str:
    """Said before a value is computed: kernels may have to be compiled first."""
    return _("Starting; the first race takes some seconds longer.")


def progress(known: Progress) -> str:
    """How far a computation is: bounds of the value where it has some, else what it has looked at."""
    if known.lower is not None and known.upper is not None:
        return _("between {lower} and {upper}").format(lower=chance(known.lower), upper=chance(known.upper))
    return _("{states} positions, {seconds} s").format(states=f"{known.states:,}", seconds=f"{known.seconds:.0f}")


def public_work(sets: int, forms: int, pairs: int) -> str:
    """What the value of the public race took."""
    return _("Searched: {sets} sets of candidates, {forms} forms, {pairs} positions.").format(
        sets=f"{sets:,}", forms=f"{forms:,}", pairs=f"{pairs:,}"
    )
