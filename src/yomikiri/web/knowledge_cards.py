"""Cards of what is known about a secret: its symbols, the candidates, doubtful answers, and a form for new facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yomikiri.hitblow.model.facts import At, Has
from yomikiri.hitblow.model.knowledge import Knowledge, example_facts
from yomikiri.hitblow.model.rules import Turn
from yomikiri.web.assist_inputs import AssistInputs
from yomikiri.web.cards import Card, Chip, Pairs, Section, Text
from yomikiri.web.hitblow_cards import listed_codes, symbol_keys
from yomikiri.wording import _, joined
from yomikiri.wording import hitblow as game_wording
from yomikiri.wording.hitblow import candidate_count, fact_text, percent

_LISTED = 400  # the most candidates in the list
_LINKED = 40  # up to this number, each candidate is a link that selects it as the guess
_DOUBTED = 0.1  # answers are reported if they are wrong with at least this probability


@dataclass(frozen=True, slots=True)
class WordsForm(Card):
    """The form for a fact that the player types in words, as in the terminal program.

    A fact is one piece of knowledge about a secret, such as a turn or an absent symbol. If `sides`, the form has one
    button for a fact that the player learned, and one for a fact that the opponent learned. `forms` contains examples
    of facts, each with its meaning.
    """

    action: str
    hidden: Pairs
    value: str
    error: str
    forms: Pairs
    sides: bool


@dataclass(frozen=True, slots=True)
class KnownSymbol:
    """A symbol of the game, and facts about it that the player can enter with a tap.

    `state` is `sure` if every candidate contains the symbol, `out` if no candidate does, and otherwise empty. `label`
    is the state in words. Each of `facts` is a pair: the value of the parameter that enters the fact, and the text of
    its button. `link` leads to the game in which the symbol is absent from the start, or no longer absent.
    """

    symbol: str
    state: str
    label: str
    facts: Pairs
    link: Chip | None


@dataclass(frozen=True, slots=True)
class KnowledgeCard(Card):
    """The card that shows for every symbol whether the secret may contain it, with facts to enter by a tap.

    `count` is the number of candidates in words. `field` is the parameter of the address for a known fact, such as an
    answer. `form` is the form for a fact typed in words, or None.
    """

    count: str
    keys: tuple[KnownSymbol, ...]
    action: str
    hidden: Pairs
    field: str
    form: WordsForm | None


@dataclass(frozen=True, slots=True)
class ChanceTable(Card):
    """The chance of each symbol in each place. A row contains a symbol and its chances as text."""

    places: tuple[int, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def words_form(
    game: AssistInputs, hidden: Pairs, value: str = "", error: str = "", *, edits: bool = False
) -> WordsForm:
    """Return the form for a fact in words, such as an absent symbol.

    `edits` is True if the form replaces a turn or fact entered before. In this case, the form does not ask which side
    of a match learned the fact.
    """
    in_match = game.match is not None
    examples = example_facts(game.known.rules, in_match)
    forms = ((fact.as_typed(game_wording.name_typed(fact)), fact_text(fact, game.words)) for fact in examples)
    return WordsForm(game.address.path, hidden, value, error, tuple(forms), in_match and not edits)


def words_alert(game: AssistInputs) -> Section:
    """Return the card with the typed fact that was rejected, and with the error."""
    form = words_form(game, tuple(game.address.game_parameters), game.query.fact, game.query.fact_error)
    return Section("learn", _("This entry was not accepted"), (form,), "card alert")


def knowledge_card(game: AssistInputs) -> KnowledgeCard:
    """Return the card that shows the state of every symbol.

    If the player typed a fact that was rejected, the card has no form for facts, because another card has it.
    """
    hidden = tuple(game.address.game_parameters)
    form = None if game.query.fact_error else words_form(game, hidden)
    keys = tuple(_known_symbols(game))
    return KnowledgeCard(candidate_count(game.known.count), keys, game.address.path, hidden, game.fact_name, form)


def _known_symbols(game: AssistInputs) -> list[KnownSymbol]:
    known, address = game.known, game.address
    links = {}
    if isinstance(address.game, Knowledge) and not address.entries:
        keys = symbol_keys(address, "absent", known.rules, known.absent).keys
        links = {symbol: href for symbol, href, _chosen in keys}
    labels = {"sure": _("{symbol}: certain"), "out": _("{symbol}: ruled out"), "": _("{symbol}: possible")}
    chances, found = known.table(), []
    for number, symbol in enumerate(known.rules.symbols):
        with_it = (known.candidates == number).any(axis=1)
        state = "sure" if with_it.all() else "" if with_it.any() else "out"
        href = links.get(symbol) if symbol in known.absent or not state else None
        facts = [] if state == "out" else _facts_of(symbol, state, chances[number].tolist(), href is None)
        text = _("{symbol} is not in") if facts else _("{symbol}: used after all")
        link = Chip(text.format(symbol=symbol), href) if href else None
        found.append(KnownSymbol(symbol, state, labels[state].format(symbol=symbol), tuple(facts), link))
    return found


def _facts_of(symbol: str, state: str, chances: Sequence[float], may_be_absent: bool) -> list[tuple[str, str]]:
    """Return the facts about a symbol that the player can enter with a tap.

    Each fact is a pair: the value of the parameter that enters the fact, and the text of its button. `chances` are the
    probabilities of the symbol in each place. `may_be_absent` adds the fact that the symbol is absent.
    """
    facts = []
    if not state:
        facts.append((str(Has(symbol)), _("{symbol} is in").format(symbol=symbol)))
        if may_be_absent:
            facts.append((f"absent={symbol}", _("{symbol} is not in").format(symbol=symbol)))
    return facts + [
        (str(At(symbol, place)), _("at place {place}").format(place=place))
        for place, share in enumerate(chances, start=1)
        if 0 < share < 1
    ]


def candidates_card(game: AssistInputs) -> Section:
    """Return the list of candidates, as links if there are only a few, and the chance of each symbol in each place."""
    known, closed = game.known, game.address.closed
    rows = zip(known.rules.symbols, known.table().tolist(), strict=True)
    chances = ((symbol, tuple(percent(share) if share else "–" for share in row)) for symbol, row in rows if any(row))
    table = ChanceTable(tuple(range(1, known.rules.digits + 1)), tuple(chances))
    codes = listed_codes(known, _LISTED, closed.with_guess if known.count <= _LINKED else None)
    link = Chip(_("Close"), str(closed))
    return Section("left", candidate_count(known.count), (*codes, table), anchor="numbers", in_row=True, link=link)


def tolerances(game: AssistInputs) -> tuple[Text, ...]:
    """Return a text that says how many answers may be wrong and which ones are most likely wrong.

    The result is empty if no answer may be wrong.
    """
    turn, doubts = _("turn {number} ({share})"), _doubts(game.known)
    listed = ", ".join(turn.format(number=number, share=percent(share)) for number, share in doubts)
    rest = _("Most likely wrong:") + f" {listed}" if listed else ""
    link = Chip(_("All answers are right"), game.address.link_with_slips(0))
    lines = [joined(line, game_wording.candidate_counts(game.known)) for line in game_wording.tolerance(game.known)]
    return tuple(Text(f"{line} {rest}".rstrip(), link=link) for line in lines)


def _doubts(known: Knowledge) -> list[tuple[int, float]]:
    """Return the numbers of up to three guesses whose answers are most likely to be wrong, with that probability.

    Guesses are numbered from 1, as in the table of turns. Facts without a guess, such as an absent symbol, have no
    number.
    """
    if not known.slips.most or not known.count:
        return []
    doubts = [
        (number, 1 - known.cells(fact.guess).get(fact.hint, 0) / known.total)
        for number, fact in enumerate(known.turns, start=1)
        if fact in known.played and isinstance(fact, Turn)
    ]
    return sorted((each for each in doubts if each[1] >= _DOUBTED), key=lambda each: (-each[1], each[0]))[:3]
