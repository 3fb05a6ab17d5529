"""The cards for the next guess in a game or a match: the suggestion, its reasons, and the player's items.

One more card asks for a better guess than one that the player made earlier. Items are the special actions of Numer0n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.items import ASKING, ItemAdvice, Use
from yomikiri.hitblow.advice.items import answer as item_answer
from yomikiri.hitblow.advice.review import expected
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item, Motive, Unproven, Unsolved, UseMeasure
from yomikiri.web.assist_inputs import AssistInputs, SelectedGuess
from yomikiri.web.cards import Button, Buttons, Card, Chip, Codes, Heading, Pairs, Section, Text
from yomikiri.web.hitblow_cards import AnswerChoices, ChanceBar, PadForm, chance_bar, guess_pad, split_charts
from yomikiri.wording import _, review
from yomikiri.wording import hitblow as game_wording
from yomikiri.wording import match as match_wording
from yomikiri.wording import web as wording
from yomikiri.wording.hitblow import fact_text, percent

# Some items ask a question about the code. Their possible answers are collected from at most this number of candidates.
_ASKED = 720


@dataclass(frozen=True, slots=True)
class Proposal(Card):
    """The card of the next guess: the code in large tiles, or in a match the form to enter the opponent's guess.

    On the opponent's turn, `pad` is this form until the guess is entered. `is_hurried` is True if a search ran out of
    time, so that a longer search may improve the card.
    """

    title: str
    code: str = ""
    flip: str = ""
    back: Chip | None = None
    tag: str = ""
    tag_style: str = ""
    chance: ChanceBar | None = None
    note: Text | None = None
    pad: PadForm | None = None
    is_hurried: bool = False


@dataclass(frozen=True, slots=True)
class AnswerSection(Card):
    """The answers to the selected guess, under a heading."""

    title: str
    choices: AnswerChoices


@dataclass(frozen=True, slots=True)
class GameButtons(Card):
    """The buttons under the answers: undo, another guess, and a link to the reasons for the suggested guess.

    `pad` is the form for another guess. Without it, there is only the undo button.
    """

    undo: str
    pad: PadForm | None = None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class SearchAgain(Card):
    """The message that a better guess may come in a few seconds, with a link that repeats the search."""

    href: str


@dataclass(frozen=True, slots=True)
class ItemChip:
    """One of the player's items, the special actions of Numer0n, such as SLASH.

    `is_advised` is True if the player should use this item now. `answers` are the possible answers to the question that
    the item asks. Each answer is a pair: the value of a parameter in the address, and the text that the page shows.
    """

    name: str
    is_used: bool
    is_advised: bool
    answers: Pairs


@dataclass(frozen=True, slots=True)
class ItemsCard(Card):
    """The player's items, the special actions of Numer0n, with the advice on which one to use.

    `field` is the parameter of the address for the answer to an item. `change` is the effect of the advised item with
    its unit. `note` names the model of the opponent for which the effect was computed, or says that there was no time
    to compute it. `is_late` is True if there was no time.
    """

    title: str
    change: str
    note: str
    is_late: bool
    items: tuple[ItemChip, ...]
    action: str
    hidden: Pairs
    field: str


# --- the proposed guess -----------------------------------------------------------------------------------------------


def proposal(game: AssistInputs, selected: SelectedGuess) -> Proposal:
    """Return the card of the selected guess, with its chances and a remark."""
    tag, style = _tag(game.session)
    if selected.is_own:
        title, tag = _("Your own guess"), ""
        back = Chip(_("Back to {guess}").format(guess=selected.proposed), str(game.address.closed))
    else:
        title, back = _("Guess this"), None
    note = Text("", *_remark(game, selected))
    if isinstance(game.session, Assistant):
        hurried, chance = game.session.advice.unproven == Unproven.TIME, None
    else:
        standing, model = game.session.standing, assumed_opponent(game.session)
        hurried, chance = is_hurried(game.session), chance_bar(selected.win, standing.exact, model)
    return Proposal(title, selected.code, " flip", back, tag, style, chance, note, is_hurried=hurried)


def assumed_opponent(session: MatchAssistant) -> str:
    """Return the sentence that names the model of the opponent on which the chances are based."""
    return match_wording.assumed_opponent(session.advisor.opponent.stand_in.name)


def is_hurried(session: MatchAssistant) -> bool:
    """Return True if the chances are only estimates because the time was too short."""
    return session.standing.unsolved is Unsolved.TIME


def _tag(session: Assistant | MatchAssistant) -> tuple[str, str]:
    """Return a tag that says if the suggested guess is proven optimal or only good, and the CSS class of the tag.

    Both are empty if the advice says neither.
    """
    if isinstance(session, MatchAssistant):
        unsolved = match_wording.unsolved(session.advice)
        return (_("≈ good guess"), "warn") if unsolved else (_("best chance"), "soft")
    if session.advice.unproven:
        return _("≈ good guess"), "warn"
    outlook = session.advice.proposed.outlook
    return (_("✓ Proven"), "soft") if outlook and outlook.proven else ("", "")


def _remark(game: AssistInputs, selected: SelectedGuess) -> tuple[str, str]:
    """Return the remark on the selected guess in two parts: the first is shown in bold. Either part may be empty."""
    session = game.session
    if isinstance(session, MatchAssistant):
        if session.match.last_chance or session.advice.reason.motive is Motive.LAST_CHANCE:
            return "", _("They have found your number: only a right guess now still draws.")
        message = _("Chance that it is {code}: {chance}.")
        hit_text = message.format(code=selected.code, chance=percent(selected.hit)) if selected.hit else ""
        return hit_text, _candidacy(selected.code, game.known)
    if game.known.count == 1 and not selected.is_own:
        return _("The only candidate."), ""
    expected = [each.expected_guesses for each in selected.figures]
    if not expected[0]:
        return "", _candidacy(selected.code, game.known)
    about = _("About {guesses} more guesses on average.")
    if selected.is_own and all(expected):  # two decimals, because the two figures are often close
        with_best = _("With {guess}: {guesses}.").format(guess=selected.proposed, guesses=f"{expected[1]:.2f}")
        return about.format(guesses=f"{expected[0]:.2f}"), with_best
    return about.format(guesses=f"{expected[0]:.1f}".removesuffix(".0")), _candidacy(selected.code, game.known)


def _candidacy(guess: str, known: Knowledge) -> str:
    """Return a sentence that says if a guess is a candidate. It is empty if only one candidate is left."""
    if known.count <= 1:
        return ""
    if known.is_candidate(guess):
        return _("{guess} is a candidate.").format(guess=guess)
    message = _("{guess} is not a candidate, but it narrows down the last {count} well.")
    return message.format(guess=guess, count=f"{known.count:,}")


def assist_pad(
    game: AssistInputs, label: str, button: str, size: str = "xl", more: Sequence[tuple[str, str]] = ()
) -> PadForm:
    """Return the form for a guess. It already contains the guess typed so far, which is in the address.

    The form sends the (name, value) pairs that describe the game, and the further pairs in `more`.
    """
    address = game.address
    hidden = (*address.game_parameters, *more)
    typed = address.opened.guess
    pad = guess_pad(address.guessed_rules, typed, address.path, hidden, label, button, game.query.guess_error)
    return replace(pad, size=size)


# --- the reasons for a guess ------------------------------------------------------------------------------------------


def reasons(game: AssistInputs, selected: SelectedGuess) -> Section:
    """Return the card with the reasons for a guess.

    They are its partition (the candidates sorted by the answer), how it compares with the next best guesses, and why it
    is not proven optimal, if it is not.
    """
    if selected.is_own:
        labels = [(_("Your own guess"), "you"), (_("Best"), "best")]
    else:
        labels = [(_("This guess"), "best"), (_("Instead"), "dull")]
    parts = [
        Text(_("Candidates left by each answer. More and shorter bars are better.")),
        split_charts(selected.figures, game.words, labels[: len(selected.figures)]),
        *(_match_reasons(game.session, selected) if isinstance(game.session, MatchAssistant) else _reasons(game)),
    ]
    title = _("Why {guess}?").format(guess=selected.proposed)
    return Section("because", title, tuple(parts), anchor="why")


def _match_reasons(session: MatchAssistant, selected: SelectedGuess) -> list[Card]:
    parts = list[Card]()
    if selected.rival:
        exact = session.standing.exact
        message = _("{guess} wins {chance}, {other} wins {less}.")
        chance, less = percent(selected.win, exact=exact), percent(float(selected.rival.win), exact=exact)
        other = selected.rival.guess
        parts.append(Text(message.format(guess=selected.code, chance=chance, other=other, less=less)))
        parts.append(Text(assumed_opponent(session), style="tiny"))
    if unsolved := match_wording.unsolved(session.advice):
        parts.append(Text(unsolved, style="tiny"))
    return parts


def _reasons(game: AssistInputs) -> list[Card]:
    assert isinstance(game.session, Assistant)
    address, advice, parts = game.address, game.session.advice, list[Card]()
    if advice.unproven:
        parts.append(Text(game_wording.unproven(advice.unproven), style="tiny"))
    if advice.unproven == Unproven.TIME:
        parts.append(SearchAgain(str(address)))
    if advice.sampled:
        sampled = _("Chosen from a sample: there are too many guesses to compare them all.")
        parts.append(Text(sampled, style="tiny"))
    if not address.opened.compare:
        compare = Button(_("Next best guesses"), f"{address.with_parts(compare=True)}#why", "btn quiet")
        return [*parts, Buttons((compare,), style="")]
    others = [(each.guess, str(address.with_guess(each.guess)), f"{each.expected_guesses:.2f}" if each.outlook else "")
              for each in game.session.compared.alternatives]  # fmt: skip
    if not others:
        return [*parts, Text(_("The search needs more time. Try again in a moment."))]
    return [*parts, Heading(_("Next best guesses")), Codes(tuple(others))]


# --- a better guess in a past position --------------------------------------------------------------------------------


def better_guess(game: AssistInputs, title: str) -> Section:
    """Return the card on which the player looks for a better guess than the one made in a past position.

    After a guess has been checked, the form for the next guess is empty.
    """
    assert isinstance(game.session, Assistant)
    address, old_guess, new_guess = game.address, game.address.opened.attempt, game.query.guess
    verdict = _compare_guesses(game.session, old_guess, new_guess) if new_guess else ""
    typed = "" if verdict else address.opened.guess
    label, hidden, error = _("Your own guess"), [*address.game_parameters, ("try", old_guess)], game.query.guess_error
    parts = (
        Text(game_wording.candidate_count(game.known.count)),
        *([Text(verdict, style="", role="status")] if verdict else []),
        guess_pad(address.guessed_rules, typed, address.path, hidden, label, _("Check"), error),
        Buttons((Button(_("Show the best guess"), str(address.closed), "btn quiet"),), style=""),
    )
    return Section("now", title, parts, is_main=True)


def _compare_guesses(session: Assistant, old_guess: str, new_guess: str) -> str:
    """Return a sentence that compares `new_guess` with `old_guess`, the guess that was made in the game.

    The sentence does not name the best guess.
    """
    before, now, best = session.compare(old_guess), session.compare(new_guess), session.advice.proposed
    needed = [expected(each) for each in (before, now, best)]
    if None in needed:
        return review.tried(new_guess, now.bits < before.bits, best=now.bits <= best.bits, saved=None)
    played, tried, least = (each for each in needed if each is not None)
    return review.tried(new_guess, tried < played, best=tried == least, saved=played - tried)


# --- items ------------------------------------------------------------------------------------------------------------


def items_card(game: AssistInputs) -> ItemsCard:
    """Return the card of the player's items with the advice on them."""
    left = game.session.items_now.left
    advised = game.session.item_advice if left else None
    use = advised.use if advised else None
    items = tuple(
        ItemChip(wording.item_name(item), item not in left, use is not None and use.item == item,
                 _item_answers(game, advised, item) if item in left else ())
        for item in game.address.items.left
    )  # fmt: skip
    is_late = advised is not None and advised.late
    change = _item_change(advised) if advised and use and not is_late else ""
    title = _items_title(game, advised) if left else _("All items used")
    note = _items_note(game.session, advised) if advised and use else ""
    return ItemsCard(
        title, change, note, is_late, items, game.address.path, tuple(game.address.game_parameters), game.fact_name
    )


def _items_title(game: AssistInputs, advised: ItemAdvice | None) -> str:
    is_open = game.session.items_now.playable and game.known.count > 1
    if game.match and is_open and (not advised or (advised.late and not advised.use)):
        # If a match is too large for advice, or if the time ran out, no advice says that the items should be kept.
        return _("Your items")
    if not advised or not advised.use:
        return _("Keep your items")
    use = advised.use
    place = _("at place {place}").format(place=use.place) if use.place else ""
    message = _("Use {item} instead of a guess") if advised.takes_turn else _("First, use {item}")
    return message.format(item=" ".join(filter(None, (wording.item_name(use.item), use.symbol or place))))


def _items_note(session: Assistant | MatchAssistant, advised: ItemAdvice) -> str:
    """Return the sentence below the advice on items, or an empty string.

    It says that there was no time to compute the effect of the item, or for which model of the opponent it was
    computed.
    """
    if advised.late:
        return _("It gives the most information. There was no time to compute how much it helps.")
    if isinstance(session, MatchAssistant) and advised.measure is UseMeasure.WIN:
        return assumed_opponent(session)
    return ""


def _value_text(advised: ItemAdvice, value: float) -> str:
    """Return the value of a turn with or without an item, as text.

    The value is a chance of winning, a number of guesses or, for an entropy, the number of equally likely candidates.
    """
    if advised.measure is UseMeasure.WIN:
        return percent(value, exact=not advised.error)
    if advised.measure is UseMeasure.GUESSES:
        return f"{value:.2f}"
    codes = 2**value  # the number of equally likely candidates with this entropy
    return f"{codes:.0f}" if codes >= 10 else f"{codes:.1f}"


def _item_change(advised: ItemAdvice) -> str:
    """Return the effect of the advised item: the values without and with the item, with their unit."""
    message = {
        UseMeasure.WIN: _("You win {before} → {after}"),
        UseMeasure.GUESSES: _("Guesses to go: {before} → {after}"),
        UseMeasure.BITS: _("Candidates after the guess: about {before} → {after}"),
    }[advised.measure]
    return message.format(before=_value_text(advised, advised.without), after=_value_text(advised, advised.value))


def _item_answers(game: AssistInputs, advised: ItemAdvice | None, item: Item) -> Pairs:
    """Return the possible answers to the question of an item. Items that ask no question have no answers.

    Each answer is a pair: the value of a parameter in the address, and the text that the page shows. TARGET asks about
    one symbol. This is the symbol with the highest rank in the advice, or else the first symbol of the game.
    """
    use = Use(item)
    if item is Item.TARGET:
        uses = [advised.use, *(each for each, _value in advised.others)] if advised else []
        use = next((each for each in uses if each and each.item is item), Use(item, game.known.rules.symbols[0]))
    facts = dict.fromkeys(item_answer(use, code) for code in game.known.codes(_ASKED)) if item in ASKING else {}
    return tuple(sorted((str(fact), fact_text(fact, game.words)) for fact in facts))
