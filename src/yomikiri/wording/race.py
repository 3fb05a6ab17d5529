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
        yield _("Known to be absent from both secrets: {symbols}").format(symbols=" ".join(terms.absent))
    count = len(terms.shown)
    if terms.reveals is Reveals.FIRST:
        message = ngettext(
            "The first player shows {count} symbol that their secret does not use.",
            "The first player shows {count} symbols that their secret does not use.",
            count,
        )
        yield message.format(count=count)
    elif terms.reveals is Reveals.SECOND:
        message = ngettext(
            "The second player shows {count} symbol that their secret does not use.",
            "The second player shows {count} symbols that their secret does not use.",
            count,
        )
        yield message.format(count=count)
    else:
        yield _("Nobody shows a symbol.")
    yield (
        _("The second player completes the turn; finding both secrets in one turn is a draw.")
        if terms.equal_turns
        else _("Whoever finds the secret first wins at once.")
    )


def seen(information: str) -> str:
    """What the players look at."""
    return {
        "public": _("Both players see both boards, use all hints, and play as well as can be."),
        "unseen": _("Neither player looks at the other's board; both play as well as can be."),
        "private": _(
            "Each player sees all hints and uses the knowledge of the own secret; both play as well as can be."
        ),
    }[information]


def value_lines(lower: Fraction, upper: Fraction, draw: Fraction | None) -> Iterator[str]:
    """The chances of both players, and how sure they are; `draw` is None for a value that is not known yet."""
    if draw is None:
        yield _("Interrupted. The first player wins between {lower} and {upper}.").format(
            lower=chance(lower), upper=chance(upper)
        )
        return
    value = (lower + upper) / 2
    yield _("The first player wins {first}, the second {second}.").format(
        first=chance(value - draw / 2), second=chance(1 - value - draw / 2)
    )
    if draw:
        yield _("Drawn: {draw}. With a draw as one half, the race is worth {value} to the first player.").format(
            draw=chance(draw), value=chance(value)
        )
    if lower == upper:
        yield _("Exact: {fraction}").format(fraction=f"{value.numerator}/{value.denominator}")
    else:
        yield _("Proven: between {lower} and {upper}").format(
            lower=f"{float(lower):.12f}", upper=f"{float(upper):.12f}"
        )


def chance(share: Fraction | float) -> str:
    """A chance in percent, with as many digits as a race is compared by."""
    return f"{float(share):.{_SHOWN - 2}%}".replace("%", " %")


def mixed(first: int, second: int) -> str:
    """Whether the players choose at random."""
    if first == second == 1:
        return _("Both play one strategy; neither gains by choosing at random.")
    if first == 1:
        return _("The first player plays one strategy, the second chooses among {second} at random.").format(
            second=second
        )
    if second == 1:
        return _("The first player chooses among {first} strategies at random, the second plays one.").format(
            first=first
        )
    return _("The first player chooses among {first} strategies at random, the second among {second}.").format(
        first=first, second=second
    )


def finish_head() -> tuple[str, str, str]:
    """The heads of the table of finishing times: the guess, and both players."""
    return _("found by guess"), _("first"), _("second")


def starting() -> str:
    """Said before a value is computed: kernels may have to be compiled first."""
    return _("Starting; the very first race takes some seconds longer.")


def progress(known: Progress) -> str:
    """How far a computation is: bounds of the value where it has some, else what it has looked at."""
    if known.lower is not None and known.upper is not None:
        return _("between {lower} and {upper}").format(lower=chance(known.lower), upper=chance(known.upper))
    return _("{states} positions, {seconds} s").format(states=f"{known.states:,}", seconds=f"{known.seconds:.0f}")


def public_work(sets: int, forms: int, pairs: int) -> str:
    """What the value of the public race took."""
    return _("Worked out: {sets} sets of candidates, {forms} forms, {pairs} positions.").format(
        sets=f"{sets:,}", forms=f"{forms:,}", pairs=f"{pairs:,}"
    )
