"""Cards of games with the user's own lists of codes, each with its builder: turns, answers, forms, candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from yomikiri.common.errors import N_
from yomikiri.guessing.answers import HITS, HITS_BLOWS, MARKS, SUM, AnswerKind, all_answers
from yomikiri.guessing.game import Game, Observation, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.hitblow.model.rules import Hint, Words
from yomikiri.web.cards import Button, Card, Chip, Codes, Pairs, Section, Text
from yomikiri.web.guess_address import PATH, GuessAddress
from yomikiri.web.hitblow_cards import AnswerChoices, AnswerGrid, AnswerLink, AnswerMarks, TurnRow
from yomikiri.wording import _, ngettext
from yomikiri.wording import guessing as wording
from yomikiri.wording.hitblow import candidate_count, percent
from yomikiri.wording.web import hint_spoken

_LISTED, _MOST_LISTED = 24, 600  # the most candidates in the short list and in the long list
_MOST_PIPS = 6  # answers are drawn as discs and rings for codes of at most this length
# The CSS classes of tiles and their meanings, by mark: 0, 1, 2.
_STYLES = ("absent", "present", "hit")
_MEANINGS = (N_("not there"), N_("wrong place"), N_("right place"))


# --- the game ---------------------------------------------------------------------------------------------------------


def game_short(game: Game) -> str:
    """Return the size of a game and its special rules in a few words."""
    rule = {GuessRule.HARD: _("hard mode"), GuessRule.CONSISTENT: _("candidates only")}.get(game.guess_rule, "")
    limit = game.guess_limit
    within = ngettext("{count} guess", "{count} guesses", limit).format(count=limit) if limit else ""
    count = len(game.secrets)
    size = ngettext("{count} secret", "{count} secrets", count).format(count=f"{count:,}")
    return " · ".join(filter(None, (size, rule, within)))


def rules_of_lists(game: Game) -> str:
    """Return the rules of a game in sentences."""
    kinds = {
        "marks": _("The answer marks each symbol: right place, wrong place, or not there."),
        "hits-blows": _("The answer is the number of hits (right place) and blows (wrong place)."),
        "hits": _("The answer is the number of symbols in the right place."),
        "sum": _("The answer is the number of symbols that the secret has, in any place."),
    }
    rules = {
        GuessRule.HARD: _("Hard mode: keep hits in their places and use all symbols that were marked."),
        GuessRule.CONSISTENT: _("Every guess must fit all answers so far."),
    }
    parts = [wording.lists(game), kinds[game.answers.NAME]]
    if game.guess_rule in rules:
        parts.append(rules[game.guess_rule])
    if limit := game.guess_limit:
        parts.append(ngettext("The game ends after {count} guess.", "The game ends after {count} guesses.",
                             limit).format(count=limit))  # fmt: skip
    return _("{lead} {rest}").format(lead="", rest="").join(parts)


# --- turns ------------------------------------------------------------------------------------------------------------


def answer_spoken(turn: Observation, kind: AnswerKind) -> str:
    """Return an answer in words, for screen readers."""
    if kind is MARKS:
        meanings = [_(_MEANINGS[int(mark)]) for mark in turn.answer]
        return _(", ").join(f"{symbol} {meaning}" for symbol, meaning in zip(turn.guess, meanings, strict=True))
    if kind is HITS_BLOWS:
        return hint_spoken(_hint(turn.answer), Words.HIT)
    if kind is HITS:
        return _("{count} in the right place").format(count=turn.answer)
    assert kind is SUM, "a new kind of answers needs its words here"
    return _("found") if turn.answer == "win" else _("{count} in the secret").format(count=turn.answer)


def hits_spoken(turn: Observation, kind: AnswerKind) -> str:
    """Return an answer in words that do not reveal any symbol of the guess, for screen readers."""
    if kind is MARKS:
        return hint_spoken(Hint(turn.answer.count("2"), turn.answer.count("1")), Words.HIT)
    return answer_spoken(turn, kind)


def _hint(answer: str) -> Hint:
    hits, blows = answer.removesuffix("B").split("H")
    return Hint(int(hits), int(blows))


def _pips(turn: Observation, kind: AnswerKind) -> AnswerMarks | None:
    """Return an answer as discs and rings, or None if it cannot be drawn in this way."""
    if len(turn.guess) > _MOST_PIPS or kind not in (HITS, HITS_BLOWS):
        return None
    hint = _hint(turn.answer) if kind is HITS_BLOWS else Hint(int(turn.answer), 0)
    return AnswerMarks(hint.hits, hint.blows, turn.answer, answer_spoken(turn, kind))


def turn_row(number: int, turn: Observation, kind: AnswerKind, count: int | None = None, href: str = "") -> TurnRow:
    """Return a turn as a row of a table. `count` is the number of candidates after it, `href` the link to edit it."""
    spoken = answer_spoken(turn, kind)
    return TurnRow(
        number,
        turn.guess,
        _pips(turn, kind),
        spoken if kind is MARKS else turn.answer,
        href,
        f"{_('Edit')}: {turn.guess}: {spoken}",
        count,
        "" if count is None else _("{count} left").format(count=f"{count:,}"),
        places=tuple(_STYLES[int(mark)] for mark in turn.answer) if kind is MARKS else (),
    )


def turn_rows_of(position: Position, counts: Sequence[int], hrefs: Iterable[str] = ()) -> tuple[TurnRow, ...]:
    """Return the turns of a position as rows. `counts` contains the number of candidates after each turn.

    `hrefs` contains a link to edit each turn. If it is empty, the rows are not links.
    """
    links = [*hrefs] or [""] * len(position.turns)
    every = enumerate(zip(position.turns, counts, links, strict=True), start=1)
    kind = position.game.answers
    return tuple(turn_row(number, turn, kind, count, href) for number, (turn, count, href) in every)


@dataclass(frozen=True, slots=True)
class KnownSymbols(Card):
    """The symbols guessed so far, each with the CSS class and the meaning of the best mark that it got."""

    symbols: tuple[tuple[str, str, str], ...]


def known_symbols(position: Position) -> tuple[KnownSymbols, ...]:
    """Return the card of the symbols guessed so far with their best marks, in alphabetical order.

    There is no card if the answers of the game have no marks.
    """
    if position.game.answers is not MARKS or not position.turns:
        return ()
    best = dict[str, int]()
    for turn in position.turns:
        for symbol, mark in zip(turn.guess, turn.answer, strict=True):
            best[symbol] = max(best.get(symbol, 0), int(mark))
    return (KnownSymbols(tuple((symbol, _STYLES[mark], _(_MEANINGS[mark])) for symbol, mark in sorted(best.items()))),)


# --- answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MarkedPlace:
    """A tile to tap: its parameter in the address, its symbol, its label for screen readers, and its initial mark."""

    name: str
    symbol: str
    label: str
    mark: int


@dataclass(frozen=True, slots=True)
class MarkForm(Card):
    """The form for an answer that marks each place. A tap on a tile selects its next mark, even without a script.

    `marks` contains the CSS class and the meaning of each mark. `win` is the answer if the guess is the secret. `typed`
    is an answer typed as text, and `error` the error in it.
    """

    action: str
    hidden: Pairs
    guess: str
    places: tuple[MarkedPlace, ...]
    marks: Pairs
    win: str
    typed: str = ""
    error: str = ""


def mark_form(address: GuessAddress, guess: str, now: str = "", typed: str = "", error: str = "") -> MarkForm:
    """Return the form for the marks of a guess.

    At first, the tiles have the marks in `now`, one digit for each place. If `now` is empty, each tile has the mark
    that is right for all candidates, or 0 if the candidates have different marks at this place.
    """
    game = address.position.game
    marks = now or certain_marks(guess, address.others.candidates)
    places = tuple(
        MarkedPlace(f"m{place}", symbol, _("{symbol}, place {place}").format(symbol=symbol, place=place), int(mark))
        for place, (symbol, mark) in enumerate(zip(guess, marks, strict=True), start=1)
    )
    hidden = (*address.game_parameters, *_edited(address), ("guess", guess))
    meanings = tuple((style, _(meaning)) for style, meaning in zip(_STYLES, _MEANINGS, strict=True))
    return MarkForm(PATH, hidden, guess, places, meanings, MARKS.win(game.places), typed, error)


def certain_marks(guess: str, candidates: Iterable[str]) -> str:
    """Return for each place of a guess the mark that is right for all candidates, or 0 if the marks differ.

    Marks are digits: 2 for the right place, 1 for a wrong place, 0 if the symbol is missing.

    >>> certain_marks("crane", ["crate", "grape"])
    '02202'
    """
    answers = [MARKS.answer(guess, secret) for secret in candidates]
    columns = [set(column) for column in zip(*answers, strict=True)] or [set("0")] * len(guess)
    return "".join(column.pop() if len(column) == 1 else "0" for column in columns)


def _edited(address: GuessAddress) -> Pairs:
    return (("edit", str(address.edit)),) if address.edit else ()


def choices(address: GuessAddress, guess: str, now: str = "") -> AnswerChoices:
    """Return the possible answers to a guess as links: those that a candidate gives, and the others.

    `now` is the answer that the edited turn has so far, or empty.
    """
    game, others = address.position.game, address.others
    kind, total = game.answers, sum(others.weights)
    parts = others.parts(guess)
    answers = [kind.parse(text, game.places) for text in all_answers(kind, game.places)]

    def link(answer: str) -> AnswerLink:
        turn = Observation(guess, answer)
        marks = _pips(turn, kind) or AnswerMarks(0, 0, answer, answer_spoken(turn, kind))
        share = parts[answer] / total if answer in parts and answer != now else None
        note = _("now") if answer == now else "" if share is None else percent(share)
        key = f"{marks.hits}{marks.blows}" if kind is HITS_BLOWS else answer
        shown = replace(marks, text=_("found") if answer == "win" else answer)
        is_win = answer == kind.win(game.places)
        href = str(address.answered(guess, answer))
        return AnswerLink(1, 1, key, href, shown, note, share, is_win, answer == now)

    possible = tuple(link(answer) for answer in answers if answer in parts)
    impossible = tuple(link(answer) for answer in answers if answer not in parts)
    is_open = not possible or (bool(now) and now not in parts)
    grids = [AnswerGrid("loose", links) if links else None for links in (possible, impossible)]
    return AnswerChoices(grids[0], grids[1], is_open)


# --- forms ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WordForm(Card):
    """The form for a guess typed as a word, with an optional link `more` next to its button."""

    action: str
    hidden: Pairs
    label: str
    button: str
    typed: str = ""
    error: str = ""
    more: Button | None = None


@dataclass(frozen=True, slots=True)
class GuessButtons(Card):
    """The buttons under the answers: undo, and a folded form for another guess."""

    undo: str
    form: WordForm
    is_open: bool = False


# --- candidates -------------------------------------------------------------------------------------------------------


def candidates_section(position: Position, more: str = "", link: GuessAddress | None = None) -> Section:
    """Return a list of candidates, the likeliest first.

    `more` is the address of the page with the long list, or empty if this is the long list. If both `more` and `link`
    are given, each candidate is a link that selects it as the next guess in the game `link`.
    """
    weighted = sorted(zip(position.candidates, position.weights, strict=True), key=lambda each: -each[1])
    total, is_even = sum(position.weights), len(set(position.weights)) == 1
    shown = weighted[: _LISTED if more else _MOST_LISTED]
    chances = ["" if is_even else percent(weight / total) for _code, weight in shown]
    hrefs = [str(link.with_guess(code)) if link and more else "" for code, _weight in shown]
    codes = tuple((code, href, chance) for (code, _weight), href, chance in zip(shown, hrefs, chances, strict=True))
    rest = len(weighted) - len(shown)
    parts: list[Card] = [Codes(codes)]
    if rest:
        parts.append(Text(_("and {more} more").format(more=f"{rest:,}")))
    chip = Chip(_("Show all"), more) if rest and more else None
    return Section("left", candidate_count(len(weighted)), tuple(parts), anchor="list", in_row=True, link=chip)
