"""Cards that only the page of a match has: the first player, the settings, the opponent's turn and knowledge."""

from __future__ import annotations

from dataclasses import dataclass, replace

from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.rules import Turn
from yomikiri.web.assist_cards import AnswerSection, Proposal, assist_pad, assumed_opponent, is_hurried
from yomikiri.web.assist_inputs import AssistInputs, AssistState
from yomikiri.web.cards import Card, Chip, Chips, Heading, Pairs, Section, Stats, Text
from yomikiri.web.hitblow_address import AssistAddress
from yomikiri.web.hitblow_cards import AnswerMarks, answer_choices, answer_marks, chance_bar, symbol_keys, turn_table
from yomikiri.wording import _, ngettext
from yomikiri.wording import match as match_wording
from yomikiri.wording import web as wording

_SOON = 4  # the number of the opponent's guesses for which chances are shown
_CLOSE = 10  # the page warns if the opponent has at most this many candidates


@dataclass(frozen=True, slots=True)
class GivenAnswer(Card):
    """The player's answer to the opponent's last guess.

    `warning` is a sentence if the guess contains a symbol that the player revealed as absent, otherwise empty.
    """

    title: str
    answer: AnswerMarks
    text: str
    warning: str


@dataclass(frozen=True, slots=True)
class SecretForm(Card):
    """The form for the player's own code. `secret` is the text in its field."""

    action: str
    hidden: Pairs
    secret: str
    input_mode: str
    error: str


def who_begins(address: AssistAddress, match: Match) -> Chips:
    """Return the buttons that choose who goes first, with a link to the settings of the match."""
    settings = Chip(_("Settings"), f"{address.with_parts(terms=True)}#terms")
    chips = _first_chips(address, match, _("You begin"), _("They begin"))
    return Chips((*chips, settings), label=_("Who goes first?"))


def _first_chips(address: AssistAddress, match: Match, mine: str, theirs: str) -> tuple[Chip, Chip]:
    first = match.first is Side.ME
    return Chip(mine, address.link_with_term("first", ""), first), Chip(
        theirs, address.link_with_term("first", "opponent"), not first
    )


def match_settings(game: AssistInputs, match: Match) -> Section:
    """Return the settings of a match: the first player, the player's code, revealed symbols and items."""
    address, query = game.address.with_parts(terms=True), game.query
    hidden = address.link.without("secret").but(terms="1").pairs
    mode = "numeric" if address.guessed_rules.symbols.isdecimal() else "text"
    parts = (
        Text(match_wording.terms_line(match, with_secret=False)),
        *([] if match.facts else _order_settings(address, match)),
        SecretForm(f"{address.path}#terms", hidden, query.secret, mode, query.secret_error),
        *_revealed(address, match),
        *_item_settings(address, match),
    )
    link = Chip(_("Back to the game"), str(game.address.closed))
    return Section("agreed", _("Match settings"), parts, "card terms", "terms", in_row=True, link=link)


def _order_settings(address: AssistAddress, match: Match) -> tuple[Card, ...]:
    one = Chip(_("the first player wins"), address.link_with_term("equal-turns", ""), not match.equal_turns)
    last = _("the second player has one more guess")
    return (
        Heading(_("Who goes first?")),
        Chips(_first_chips(address, match, _("You"), _("They")), inline=True),
        Text(_("Often the first player reveals a digit that is not in their number.")),
        Heading(_("If the first player finds the number")),
        Chips((one, Chip(last, address.link_with_term("equal-turns", "1"), match.equal_turns)), inline=True),
    )


def _revealed(address: AssistAddress, match: Match) -> tuple[Card, ...]:
    """Return the keys for the symbols that each side revealed as absent from its own code.

    The keys for the first player come first.
    """
    mine = (Heading(_("A digit you revealed")),
            symbol_keys(address, "shown", match.own_rules, match.shown, match.secret))  # fmt: skip
    theirs = (Heading(_("A digit they revealed")), symbol_keys(address, "absent", match.rules, match.absent))
    return (*mine, *theirs) if match.first is Side.ME else (*theirs, *mine)


def _item_settings(address: AssistAddress, match: Match) -> tuple[Card, ...]:
    if not match.rules.symbols.isdecimal():
        return ()
    mine = address.items.left
    chips = []
    for item in Item:
        after = [each for each in mine if each is not item] if item in mine else [*mine, item]
        chips.append(Chip(wording.item_name(item), f"{address.with_items(after)}#terms", item in mine))
    return Heading(_("Items you have")), Chips(tuple(chips), inline=True)


def given_answer(game: AssistInputs, session: MatchAssistant) -> tuple[Card, ...]:
    """Return the card of the answer that the page computed for the opponent's guess.

    There is no card unless this guess is the latest turn or fact of the match and the player's code is known.
    """
    match = session.match
    last = match.facts[-1] if match.facts else None
    if not isinstance(last, Turn) or not match.secret or match.mover(len(match.facts) - 1) is Side.ME:
        return ()
    wasted = " ".join(session.wasted(last.guess))
    warning = _("They know that {symbols} is not in your number. Did you mishear?").format(symbols=wasted)
    title = _("Your answer to {guess}").format(guess=last.guess)
    marks = answer_marks(last.hint, game.words)
    return (GivenAnswer(title, marks, game.theirs[-1].text, warning if wasted else ""),)


def their_turn(game: AssistInputs, session: MatchAssistant) -> tuple[Card, ...]:
    """Return the cards for the opponent's guess.

    These are the form for the guess or, once it is entered, the guess with its possible answers.
    """
    chance = chance_bar(float(session.standing.win), session.standing.exact, assumed_opponent(session))
    guess, question, given = game.query.guess, _("What did they guess?"), _("They guessed this")
    if not guess:
        pad = replace(assist_pad(game, question, given, "m"), waits=True)
        return (Proposal(question, chance=chance, pad=pad, is_hurried=is_hurried(session)),)
    another = Chip(_("Change the guess"), str(game.address.closed))
    return (
        Proposal(given, guess, back=another, chance=chance, is_hurried=is_hurried(session)),
        AnswerSection(_("You answered …"), answer_choices(game.address, guess)),
    )


def danger(game: AssistInputs, session: MatchAssistant) -> tuple[Card, ...]:
    """Return the card of the opponent's knowledge, with the chances that they find the player's code soon.

    There is no card if the opponent has no turns or other facts and there are no chances to show.
    """
    match, soon = session.match, _soon(session)
    if not game.theirs and not soon:
        return ()
    count = match.known(Side.OPPONENT).count
    if match.last_chance and game.state is AssistState.MINE:
        title = _("They found your number")
    else:
        title = _("They are close") if count <= _CLOSE else _("Known about your number")
    message = ngettext("Only {count} candidate is left for yours.", "Yours could be any of {count}.", count)
    guesses = _("Their guesses")
    parts = (
        Text(message.format(count=f"{count:,}")),
        *([Stats(soon), Text(assumed_opponent(session), style="tiny")] if soon else []),
        *([Heading(guesses), turn_table(game.theirs, guesses)] if game.theirs else []),
    )
    return (Section("they", title, parts, in_row=True),)


def _soon(session: MatchAssistant) -> Pairs:
    """Return the chances that the opponent finds the player's code within 1, 2, ... guesses. Empty if it is found."""
    if session.match.last_chance and session.match.to_move is Side.ME:
        return ()
    chances = enumerate(match_wording.chances_to_find(session.pace, _SOON), start=1)
    return tuple(
        (_("found next turn") if guesses == 1
         else ngettext("in {guesses} turn", "in {guesses} turns", guesses).format(guesses=guesses), chance)
        for guesses, chance in chances
    )  # fmt: skip
