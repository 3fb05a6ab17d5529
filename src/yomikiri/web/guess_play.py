"""The page of a game with the user's own lists of codes in which the person guesses a secret of the program."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget
from yomikiri.common.errors import CodeError
from yomikiri.guessing.results import GuessAdvice, JudgedTurn
from yomikiri.hitblow.model.rules import Words
from yomikiri.web.cards import (
    Button,
    Buttons,
    Card,
    MenuGiveUp,
    MenuLink,
    MenuNewGame,
    MenuRules,
    PageView,
    Section,
    Text,
)
from yomikiri.web.cut_links import read_cut
from yomikiri.web.guess import with_own_game
from yomikiri.web.guess_address import PATH, PLAY_PATH, GuessPlayAddress, is_beginning_of_turn, read_play
from yomikiri.web.guess_cards import (
    WordForm,
    candidates_section,
    game_short,
    hits_spoken,
    known_symbols,
    rules_of_lists,
    turn_rows_of,
)
from yomikiri.web.guess_review import guess_review
from yomikiri.web.hitblow_cards import TurnRow, turn_table
from yomikiri.web.link import Link
from yomikiri.web.own_game import OwnGame
from yomikiri.web.pages import begin, full_url, page, query_of, see_other, with_notice
from yomikiri.web.play_cards import EmptyBoard, ShareCard
from yomikiri.web.review_cards import ResultCard, end_buttons
from yomikiri.wording import _, ngettext, sentence
from yomikiri.wording import guessing as wording
from yomikiri.wording.hitblow import candidate_count
from yomikiri.wording.web import HIDDEN, of_secret


@dataclass(frozen=True)
class GuessPlayInputs:
    """One request: the address, the turns as rows, the typed guess with its error, and the hint for the next guess.

    `link` is the full URL with which a friend can guess the same secret. `judged` contains the evaluation of each turn
    if the page shows the review of a finished game.
    """

    address: GuessPlayAddress
    rows: tuple[TurnRow, ...]
    typed: str = ""
    error: str = ""
    hint: GuessAdvice | None = None
    link: str = ""
    judged: Sequence[JudgedTurn] = ()


@with_own_game
def guess_play(request: Request, own: OwnGame) -> Response:
    """Return the page of the game in the address. If a valid guess was typed, redirect to the game with this guess."""
    budget = begin(request)
    query = query_of(request)
    address, notice = read_cut(
        request.query_params.multi_items(),
        partial(read_play, own=own),
        ("me",),
        is_beginning=partial(is_beginning_of_turn, own.game, answered=False),
    )
    if address is None:
        return see_other(Link.of(PLAY_PATH, [*query, ("lists", own.key), ("seed", secrets.token_hex(5))]))
    typed, error = request.query_params.get("guess", ""), ""
    if typed.strip() and not address.is_over:
        try:
            return see_other(address.after(typed))
        except CodeError as refused:
            error = sentence(refused)
    game = _inputs(address, typed if error else "", error, budget)
    game = replace(game, link=full_url(request, address.shared))
    return page(request, with_notice(guess_play_view(game), notice))


def _inputs(address: GuessPlayAddress, typed: str, error: str, budget: Budget) -> GuessPlayInputs:
    rows = turn_rows_of(address.position, address.own.counts(address.position))
    is_hinted = address.turn in address.hinted_guesses and not address.is_over
    hint = address.own.advice(address.position, budget) if is_hinted else None
    judged = address.own.review(address.position, budget) if address.review and address.is_over else ()
    return GuessPlayInputs(address, rows, typed, error, hint, judged=judged)


# --- the page ---------------------------------------------------------------------------------------------------------


def guess_play_view(game: GuessPlayInputs) -> PageView:
    """Build the page of a game."""
    address = game.address
    title, name = _title(game), _("Find the code")
    turn = _("your turn {number}").format(number=address.turn)
    resumed = (("game", f"{name} · {turn}"), ("code", game.rows[-1].guess)) if game.rows else ()
    helper = MenuLink(_("Help me guess"), str(Link.of(PATH, [("lang", address.lang or "")])))
    return PageView(
        title=title,
        name=name,
        about=f"{_('Your own list')} · {game_short(address.own.game)}",
        news=f"{_last_news(game)}{title}",
        data=(("words", None), *((("game", None),) if address.is_over else resumed)),
        columns=_columns(game, title),
        styles=("learn.css", "guess.css") if address.is_over else ("guess.css",),
        menu=(
            MenuRules(rules_of_lists(address.own.game)),
            *([] if address.is_over else [MenuGiveUp(str(address.surrendered))]),
            helper,
            MenuNewGame(str(address.again)),
        ),
        back=str(address.closed) if game.judged else "",
        shared=address.shared,
        status=400 if game.error else 200,
    )


def _columns(game: GuessPlayInputs, title: str) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    address = game.address
    if game.judged:
        return (("main", (guess_review(address.position, game.judged, address.hinted_guesses),)),)
    if address.is_over:
        return ("main", _end(game, title)), ("side", _after_end(game))
    return ("main", _board(game)), ("side", (*_hint(game), _form(game, title), _about(game)))


def _title(game: GuessPlayInputs) -> str:
    address = game.address
    if not address.is_over:
        return _("Your guess {number}").format(number=address.turn)
    if address.position.is_solved:
        return _("You found it!")
    return _("You gave up") if address.given_up else wording.not_found(address.position)


def _last_news(game: GuessPlayInputs) -> str:
    """Return the last guess with its answer and the number of candidates left, in words for screen readers."""
    if not game.rows:
        return ""
    row = game.rows[-1]
    return f"{row.guess}: {row.answer.spoken if row.answer else row.text}. {candidate_count(row.left or 0)}. "


def _board(game: GuessPlayInputs) -> tuple[Card, ...]:
    """Return the turns so far with the number of candidates after each."""
    if not game.rows:
        places = game.address.own.game.places
        return (EmptyBoard(places, of_secret("The program has chosen a number. Find it.", Words.BLACK)),)
    return (Section("", "", (turn_table(game.rows, _("Your guesses"), whole=True),), label=_("Your guesses")),)


def _hint(game: GuessPlayInputs) -> tuple[Card, ...]:
    """Return the card with the suggested guess, if the person has requested a hint."""
    if game.hint is None:
        return ()
    expected = game.hint.expected
    about = _("About {guesses} more guesses on average.")
    said = about.format(guesses=wording.decimal(expected)) if expected and game.hint.candidates > 1 else ""
    proof = "" if not said else _("proven") if game.hint.is_proven else _("not proven")
    suggested = _("A good guess: {guess}").format(guess=game.hint.guess)
    return (Section("clues", _("Hint"), (Text(suggested, style=""), *([Text(f"{said} ({proof})")] if said else []))),)


def _form(game: GuessPlayInputs, title: str) -> Section:
    """Return the form for the next guess. With a hint, it contains the suggested guess."""
    address = game.address
    more = None if game.hint else Button(_("Hint"), str(address.hinted))
    typed = game.typed or (game.hint.guess if game.hint else "")
    form = WordForm(PLAY_PATH, tuple(address.game_parameters), title, _("Guess"), typed, game.error, more)
    return Section("now", title, (form, *known_symbols(address.position)), "card asked", is_main=True)


def _about(game: GuessPlayInputs) -> Section:
    """Return the card with the numbers of candidates and of guesses left, and a button to undo."""
    address = game.address
    position, hints = address.position, len(address.hinted_guesses)
    parts = [candidate_count(len(position.candidates))]
    if limit := position.guesses_left:
        parts.append(ngettext("{count} guess left", "{count} guesses left", limit).format(count=limit))
    if hints:
        parts.append(_("Hints so far: {count}").format(count=hints))
    undo = [Buttons((), undo=str(address.undone))] if address.undone else []
    lines = (Text(" · ".join(parts), style=""), Text(of_secret(HIDDEN, Words.BLACK)))
    return Section("about", _("This game"), (*lines, *undo))


def _end(game: GuessPlayInputs, title: str) -> tuple[Card, ...]:
    """Return the cards of the result: the secret, a text to share, further links, and the turns."""
    address, count = game.address, len(game.rows)
    guesses = ngettext("{count} guess", "{count} guesses", count).format(count=count)
    hints = sum(hint <= count for hint in address.hinted_guesses)
    used = [ngettext("{count} hint", "{count} hints", hints).format(count=hints)] if hints else []
    ending = "won" if address.position.is_solved else "given-up" if address.given_up else "lost"
    result = ResultCard(title, address.secret, (_(", ").join([guesses, *used]),), ending)
    turns = (Section("", "", (turn_table(game.rows, _("Your guesses"), whole=True),), label=_("Your guesses")),)
    shared = () if address.given_up else (_share(game, guesses),)
    again = end_buttons(Button(_("Play again"), str(address.again)), str(address.reviewed) if game.rows else "")
    return result, *shared, again, *(turns if game.rows else ())


def _share(game: GuessPlayInputs, guesses: str) -> ShareCard:
    """Return the result as a text to share. It contains no symbol of any code."""
    position, kind = game.address.position, game.address.own.game.answers
    said = guesses if position.is_solved else wording.not_found(position)
    lines = tuple(kind.shown(turn.answer) for turn in position.turns)
    spoken = "; ".join(hits_spoken(turn, kind) for turn in position.turns)
    challenge = _("Challenge a friend: the link leads to the same secret.")
    return ShareCard(f"yomikiri · {_('Your own list')} · {said}", lines, game.link, f"{said}: {spoken}", "", challenge)


def _after_end(game: GuessPlayInputs) -> tuple[Card, ...]:
    """Return the card of the remaining candidates if the person has not found the secret."""
    position = game.address.position
    return () if position.is_solved else (candidates_section(position),)
