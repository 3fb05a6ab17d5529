"""The page of a game with the user's own lists of codes: it suggests a guess, and the person enters its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.errors import N_, CodeError, HintError, InputError
from yomikiri.guessing.answers import MARKS
from yomikiri.guessing.game import Position
from yomikiri.guessing.results import GuessAdvice, JudgedTurn
from yomikiri.web.cards import (
    Button,
    Buttons,
    Card,
    Chip,
    MenuLink,
    MenuNewGame,
    MenuRules,
    PageView,
    Section,
    Stats,
    Text,
)
from yomikiri.web.cut_links import read_cut
from yomikiri.web.guess_address import PATH, PLAY_PATH, GuessAddress, answer_in, is_beginning_of_turn, read
from yomikiri.web.guess_cards import (
    GuessButtons,
    WordForm,
    candidates_section,
    choices,
    game_short,
    mark_form,
    rules_of_lists,
    turn_rows_of,
)
from yomikiri.web.guess_review import guess_review
from yomikiri.web.hitblow_cards import CodeTiles, TurnRow, turn_table
from yomikiri.web.link import Link
from yomikiri.web.own_game import OwnGame
from yomikiri.web.pages import begin, page, refusal, see_other, with_notice
from yomikiri.web.review_cards import ResultCard, end_buttons
from yomikiri.wording import _, ngettext, sentence
from yomikiri.wording import guessing as wording
from yomikiri.wording.hitblow import candidate_count, percent


class GuessState(StrEnum):
    """The state of a game. It determines which cards the page of the game shows; a card is a box on the page."""

    PLAY = "play"
    EDIT = "edit"
    CONTRADICTION = "contradiction"
    FOUND = "found"
    LOST = "lost"


@dataclass(frozen=True)
class GuessInputs:
    """One request: the address, the suggested guess, the selected guess, and the typed texts with their errors.

    `counts` contains the number of candidates after each turn. `advice` is None unless the game is in play. `guess` is
    the selected guess. `judged` contains the evaluation of each turn if the page shows the review of a finished game.
    """

    address: GuessAddress
    state: GuessState
    counts: tuple[int, ...]
    advice: GuessAdvice | None
    guess: str
    typed: str = ""
    guess_error: str = ""
    answer: str = ""
    answer_error: str = ""
    judged: Sequence[JudgedTurn] = ()

    @property
    def position(self) -> Position:
        """The position after the turns."""
        return self.address.position

    @property
    def is_over(self) -> bool:
        """True if the secret is found, or the limit of guesses is reached."""
        return self.state in (GuessState.FOUND, GuessState.LOST)

    @property
    def is_own(self) -> bool:
        """True if the selected guess is not the suggested one."""
        return self.advice is not None and self.guess != self.advice.guess


def with_own_game(answer: Callable[[Request, OwnGame], Response]) -> Callable[[Request], Response]:
    """Return a request handler that calls `answer` with the game that the server offers for the user's own lists.

    If the server has no such game, the response has status 404 and says how to start a server with one.
    """

    def answer_request(request: Request) -> Response:
        own = request.app.state.own
        if own is None:
            return refusal(request, 404, InputError(
                N_("this page needs your own list: start it with 'yomikiri web --secrets FILE'")
            ))  # fmt: skip
        return answer(request, own)

    return answer_request


@with_own_game
def guess(request: Request, own: OwnGame) -> Response:
    """Return the page of the game in the address. If an answer was typed, redirect to the game with the new turn."""
    budget = begin(request)
    parameters = request.query_params
    address, notice = read_cut(
        request.query_params.multi_items(),
        partial(read, game=own.game),
        ("turn",),
        is_beginning=partial(is_beginning_of_turn, own.game),
    )
    state = _state(address)
    typed, error = parameters.get("guess", ""), ""
    selected = ""
    if typed.strip():
        try:
            selected = own.game.code(typed)
            address.others.require_allowed(selected)
        except CodeError as refused:
            selected, error = "", sentence(refused)
    given, answer_error = answer_in(parameters, own.game.places), ""
    if given and selected:
        try:
            return see_other(address.answered(selected, own.game.answers.parse(given, own.game.places)))
        except HintError as refused:
            answer_error = sentence(refused)
    advice = own.advice(address.position, budget) if state is GuessState.PLAY else None
    usual = advice.guess if advice else address.position.turns[address.edit - 1].guess if address.edit else ""
    game = GuessInputs(
        address, state, own.counts(address.position), advice, selected or usual, typed, error, given, answer_error
    )
    if address.review and game.is_over:
        game = replace(game, judged=own.review(address.position, budget))
    return page(request, with_notice(guess_view(game), notice))


def _state(address: GuessAddress) -> GuessState:
    position = address.position
    if address.edit:
        return GuessState.EDIT
    if not position.candidates:
        return GuessState.CONTRADICTION
    if position.is_solved:
        return GuessState.FOUND
    return GuessState.LOST if position.guesses_left == 0 else GuessState.PLAY


# --- the page ---------------------------------------------------------------------------------------------------------


def guess_view(game: GuessInputs) -> PageView:
    """Build the page of a game."""
    title, address, turns = _title(game), game.address, game.position.turns
    is_over, reviewed = game.is_over, (guess_review(game.position, game.judged),) if game.judged else ()
    name, turn = _("Your own list"), _("your turn {number}").format(number=len(turns) + 1)
    resumed = (("game", f"{name} · {turn}"), ("code", game.guess)) if turns and game.state is GuessState.PLAY else ()
    return PageView(
        title=title,
        name=name,
        about=" · ".join([game_short(game.position.game), *([turn] if turns and not is_over else [])]),
        news=f"{_last_news(game)}{title}",
        data=(("words", None), *((("game", None),) if is_over else resumed)),
        columns=(("lead", _lead(game)), ("main", reviewed or _main(game, title)), ("side", _side(game))),
        styles=("learn.css", "guess.css") if is_over else ("answers.css", "guess.css"),
        layout="cols",
        menu=(
            MenuRules(rules_of_lists(game.position.game)),
            MenuLink(_("Find a secret of the program"), str(Link.of(PLAY_PATH, [("lang", address.lang or "")]))),
            MenuNewGame(str(address.restarted)),
        ),
        back=str(address.closed) if address.edit or reviewed else "",
        shared=address.shared,
        status=400 if game.guess_error or game.answer_error else 200,
    )


def _title(game: GuessInputs) -> str:
    match game.state:
        case GuessState.EDIT:
            return _("Edit")
        case GuessState.CONTRADICTION:
            return _("These answers cannot all be right")
        case GuessState.FOUND:
            return wording.found(game.position)
        case GuessState.LOST:
            return wording.not_found(game.position)
        case GuessState.PLAY:
            return _("Guess {guess}").format(guess=game.guess)


def _last_news(game: GuessInputs) -> str:
    """Return the last turn and the number of candidates left, in words for screen readers."""
    if not game.counts or game.state is GuessState.EDIT:
        return ""
    row = turn_rows_of(game.position, game.counts)[-1]
    spoken = row.answer.spoken if row.answer else row.text
    return f"{row.guess}: {spoken}. {candidate_count(game.counts[-1])}. "


def _lead(game: GuessInputs) -> tuple[Card, ...]:
    """Return the cards above the next guess: the turns so far."""
    if game.state is not GuessState.PLAY or not game.counts:
        return ()
    return (turn_table(_rows(game), _("Your guesses")),)


def _rows(game: GuessInputs) -> tuple[TurnRow, ...]:
    links = [str(game.address.editing(line)) for line in range(1, len(game.counts) + 1)]
    return turn_rows_of(game.position, game.counts, links)


def _main(game: GuessInputs, title: str) -> tuple[Card, ...]:
    """Return the cards for the next action."""
    match game.state:
        case GuessState.FOUND | GuessState.LOST:
            return _end(game, title)
        case GuessState.CONTRADICTION:
            return (_contradiction(game, title),)
        case GuessState.EDIT:
            delete = Button(_("Delete turn"), str(game.address.deleted()))
            cancel = Button(_("Cancel"), str(game.address.closed))
            title = _("Edit turn {number}").format(number=game.address.edit)
            return (*_proposal(game, title), Buttons((delete, cancel)), _another(game))
        case GuessState.PLAY:
            title = _("Your own guess") if game.is_own else _("Guess this")
            return (*_proposal(game, title), _another(game))


def _proposal(game: GuessInputs, title: str) -> tuple[Card, ...]:
    """Return the cards of the selected guess, with a form or links for its answer."""
    address, edit = game.address, game.address.edit
    now = ""
    if edit and game.position.turns[edit - 1].guess == game.guess:
        now = game.position.turns[edit - 1].answer
    tag, tag_style = _tag(game)
    back = None
    if game.advice and game.is_own:
        back = Chip(_("Back to {guess}").format(guess=game.advice.guess), str(address.closed))
    is_marked = game.position.game.answers is MARKS
    tiles: Card = CodeTiles(game.guess)
    if is_marked:
        tiles = mark_form(address, game.guess, now, game.answer if game.answer_error else "", game.answer_error)
    note = [Text("", *_remark(game))] if game.advice else []
    card = Section("now", title, (*note, tiles) if is_marked else (tiles, *note), "card proposal", is_main=True,
                   in_row=True, tag=tag, tag_style=tag_style, link=back)  # fmt: skip
    if is_marked:
        return (card,)
    return card, Section("said", _("They answered …"), (choices(address, game.guess, now),), "said")


def _tag(game: GuessInputs) -> tuple[str, str]:
    """Return a tag that says if the suggested guess is proven optimal or only good, and the CSS class of the tag.

    Both are empty if there is no suggestion, or if the player has selected another guess.
    """
    if game.advice is None or game.is_own:
        return "", ""
    return (_("✓ Proven"), "soft") if game.advice.is_proven else (_("≈ good guess"), "warn")


def _remark(game: GuessInputs) -> tuple[str, str]:
    """Return the remark on the selected guess in two parts: the first is shown in bold. Either part may be empty."""
    advice, guess = game.advice, game.guess
    assert advice is not None
    if game.is_own:
        mine, best = len(game.position.parts(guess)), advice.parts
        split = _("Answers that can follow: {count}. With {guess}: {best}.")
        return "", split.format(count=mine, guess=advice.guess, best=best)
    if advice.candidates == 1:
        return _("The only candidate."), ""
    rest = (
        _("{guess} is a candidate.")
        if advice.chance
        else _("{guess} is not a candidate, but it narrows down the last {count} well.")
    )
    rest = rest.format(guess=guess, count=f"{advice.candidates:,}")
    if not advice.finds_all:
        return _("No strategy is sure to find the secret with the guesses left."), rest
    if advice.expected is None:
        return _("Not proven: no time to compare the guesses. This one has the most different answers."), rest
    return _("About {guesses} more guesses on average.").format(guesses=wording.decimal(advice.expected)), rest


def _another(game: GuessInputs) -> GuessButtons:
    """Return the buttons under the answers: undo, and another guess."""
    address = game.address
    edited = [("edit", str(address.edit))] if address.edit else []
    form = WordForm(PATH, (*address.game_parameters, *edited), _("Your own guess"), _("Use this guess"),
                    game.typed if game.guess_error else "", game.guess_error)  # fmt: skip
    undone = "" if address.edit or address.undone is None else str(address.undone)
    return GuessButtons(undone, form, bool(game.guess_error))


def _contradiction(game: GuessInputs, title: str) -> Section:
    """Return the turns, with a link to edit each turn whose correction alone can remove the contradiction."""
    address, repairs = game.address, []
    for line, turn in enumerate(game.position.turns, start=1):
        editing = address.editing(line)
        if count := len(editing.others.candidates):
            text = _("Correct {guess} ({left} without it)").format(guess=turn.guess, left=candidate_count(count))
            repairs.append(Button(text, str(editing)))
    advice = _("One of them may be wrong, or the secret is not in the list.")
    return Section("now", title, (
        Text(advice, style=""), turn_table(_rows(game), _("Your guesses"), whole=True),
        Buttons(tuple(repairs), undo=str(address.undone)),
    ), "card alert", is_main=True)  # fmt: skip


def _end(game: GuessInputs, title: str) -> tuple[Card, ...]:
    """Return the cards of the result: the turns, and links to a new game and to the review."""
    position, again = game.position, Button(_("New game"), str(game.address.restarted))
    turns = Section("", "", (turn_table(_rows(game), _("Your guesses"), whole=True),), label=_("Your guesses"))
    undo, review = Buttons((), undo=str(game.address.undone)), str(game.address.reviewed)
    if game.state is GuessState.FOUND:
        count = len(position.turns)
        note = ngettext("{count} guess", "{count} guesses", count).format(count=count)
        found = _("Found {code}").format(code=position.turns[-1].guess)
        return ResultCard(found, position.turns[-1].guess, (note,), "won"), end_buttons(again, review), turns, undo
    return (
        Section("now", title, (Text(candidate_count(len(position.candidates))),), is_main=True),
        end_buttons(again, review),
        turns,
        undo,
    )


def _side(game: GuessInputs) -> tuple[Card, ...]:
    """Return the cards next to the main column: the candidates, and numbers about the suggested guess."""
    if game.state is GuessState.LOST and not game.judged:
        return (candidates_section(game.position),)
    if game.state is not GuessState.PLAY or game.advice is None:
        return ()
    address, advice = game.address, game.advice
    more = "" if address.listed else f"{Link.of(PATH, [*address.game_parameters, ('listed', '1')])}#list"
    listed = candidates_section(game.position, more, address)
    if advice.candidates == 1:
        return (listed,)
    figures = (
        (_("different answers"), str(advice.parts)),
        (_("largest group"), percent(advice.largest)),
        (_("chance to be right"), percent(advice.chance)),
    )
    return listed, Section("because", _("Why {guess}?").format(guess=advice.guess), (Stats(figures),), anchor="why")
