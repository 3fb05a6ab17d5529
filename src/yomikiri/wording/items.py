"""Sentences about the items of Numer0n (special actions), in the current language.

They say which item to use, why, and how to enter the result of its use, such as the opponent's answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from yomikiri.hitblow.model.facts import Absent, At, High, Slash
from yomikiri.hitblow.model.labels import Item, UseMeasure
from yomikiri.wording import _, joined
from yomikiri.wording.hitblow import example, percent

if TYPE_CHECKING:
    from yomikiri.hitblow.advice.items import ItemAdvice, Items, Use
    from yomikiri.hitblow.model.rules import Rules


def advised(advice: ItemAdvice, rules: Rules, own_rules: Rules | None = None) -> str:
    """Return which item of Numer0n (a special action) to use before the next guess, or that none is worth it.

    The text contains the reason. `own_rules` are the rules of the player's own secret if they differ.
    """
    if advice.use is None:
        return joined(_("Use no item now."), _without(advice))
    play = _("Use {item} instead of this guess: {reason}.") if advice.takes_turn else _("Use {item} first: {reason}.")
    return joined(
        play.format(item=_use(advice.use), reason=_reason(advice)), _typed(advice.use, rules, own_rules or rules)
    )


def others(advice: ItemAdvice, most: int) -> str | None:
    """Return at most `most` other items of Numer0n with their values, or None if there are none."""
    if not advice.others:
        return None
    listed = _(", ").join(
        _("{item} ({worth})").format(item=_use(use), worth=_value_text(advice, value))
        for use, value in advice.others[:most]
    )
    return _("Other items: {listed}").format(listed=listed)


def header(given: Items, now: Items) -> Iterator[str]:
    """Yield the lines on the items of Numer0n (special actions) for the start of a game.

    One line lists the unused items; it is missing if the player has given no items. Another line says that using an
    item costs a guess; it is missing if the game does not have this rule. `given` are the items as the player gave
    them, and `now` are those that are still unused.
    """
    if given.left:
        yield unused_items(now)
    if given.takes_turn:
        yield _("Using an item costs the guess of that turn.")


def unused_items(items: Items) -> str:
    """Return the sentence on the unused items of Numer0n."""
    if not items.left:
        return _("You have used all items.")
    return _("Unused items: {items}").format(items=_(", ").join(map(_name, items.left)))


def _name(item: Item) -> str:
    """Return the name of an item of Numer0n (a special action) as players use it."""
    return {
        Item.HIGH: _("HIGH&LOW"),
        Item.SLASH: _("SLASH"),
        Item.TARGET: _("TARGET"),
        Item.SHUFFLE: _("SHUFFLE"),
        Item.CHANGE: _("CHANGE"),
        Item.DOUBLE: _("DOUBLE"),
    }[item]


def _use(use: Use) -> str:
    if use.symbol:
        return _("{item} {symbol}").format(item=_name(use.item), symbol=use.symbol)
    if use.place:
        return _("{item} at place {place}").format(item=_name(use.item), place=use.place)
    return _name(use.item)


def _value_text(advice: ItemAdvice, value: float) -> str:
    if advice.measure is UseMeasure.WIN:
        return percent(value, exact=not advice.error)
    if advice.measure is UseMeasure.BITS:
        codes = 2**value  # the number of equally likely codes with the same entropy
        return _("about {codes} candidates").format(codes=f"{codes:.0f}" if codes >= 10 else f"{codes:.1f}")
    return f"{value:.2f}"


def _reason(advice: ItemAdvice) -> str:
    ours, other = (_value_text(advice, value) for value in (advice.value, advice.without))
    message = {
        UseMeasure.GUESSES: _("{ours} more guesses on average, {other} without an item in this turn (proven)"),
        UseMeasure.BITS: _("{ours} after this turn, {other} without an item"),
        UseMeasure.WIN: _("you win {ours} of the time, {other} without an item in this turn"),
    }[advice.measure]
    return message.format(ours=ours, other=other)


def _without(advice: ItemAdvice) -> str:
    if advice.measure is UseMeasure.GUESSES:
        message = _("Guess {guess}: {ours} more guesses on average, with the unused items (proven).")
        return message.format(guess=advice.guess, ours=_value_text(advice, advice.without))
    if advice.measure is UseMeasure.BITS:
        compared = dict.fromkeys(_name(use.item) for use, _value in advice.others)
        return _("{items} would narrow down the secret no further than the guess alone.").format(
            items=_(", ").join(compared)
        )
    return _("No item is better than the guess alone.")


def _typed(use: Use, rules: Rules, own: Rules) -> str:
    """Return the sentence that says what to type after using an item of Numer0n, such as the opponent's answer."""
    match use.item:
        case Item.HIGH | Item.SLASH:
            kind = High if use.item is Item.HIGH else Slash
            return _("Then type its answer, such as '{example}'.").format(example=kind.sample(rules).as_typed())
        case Item.TARGET:
            there = At(use.symbol, min(2, rules.digits))
            return _(
                "Then type its answer: '{example}' if the digit is at place {place}, '{absent}' if it is in no place."
            ).format(example=there.as_typed(), place=there.place, absent=Absent(use.symbol).as_typed())
        case Item.SHUFFLE:
            return _("Then type 'they shuffle' and your new secret, 'secret {example}'.").format(example=example(own))
        case Item.CHANGE:
            return _("Then type 'they change {place} high', or low, and your new secret, 'secret {example}'.").format(
                place=use.place, example=example(own)
            )
        case Item.DOUBLE:
            return _(
                "Then type 'me double', and 'they {example}' with the place they named and your digit there."
            ).format(example=At.sample(own).as_typed())
