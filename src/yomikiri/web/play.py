"""The page of a game against the program, and its result as a picture."""

from __future__ import annotations

import secrets
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget
from yomikiri.common.enums import number
from yomikiri.common.errors import N_, CodeError, InputError, YomikiriError
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import SIDES
from yomikiri.hitblow.model.rules import preset_of
from yomikiri.hitblow.practice.lessons import Report, play_report
from yomikiri.web import limits
from yomikiri.web.cards import Card, MenuGiveUp, MenuNewGame, MenuRules, PageView
from yomikiri.web.cut_links import read_cut
from yomikiri.web.hitblow_cards import OwnNumber, colours, turn_rows
from yomikiri.web.limits import POLICY, REPORT_SECONDS
from yomikiri.web.link import Link
from yomikiri.web.pages import begin, full_url, page, query_of, see_other, with_notice
from yomikiri.web.play_address import PATH, PlayAddress, read
from yomikiri.web.play_cards import (
    ForeignDay,
    PlayInputs,
    about,
    after_end,
    boards,
    choice_card,
    end_of_play,
    guess_form,
    play_alone,
    program_advisor,
    program_model,
    result_picture,
)
from yomikiri.web.practise import game_puzzle
from yomikiri.web.review_cards import JudgedGame, judge_game, lesson_card, turn_review
from yomikiri.wording import _
from yomikiri.wording.hitblow import game_name, rules_text
from yomikiri.wording.web import code_error, of_secret, rules_short

# --- requests ---------------------------------------------------------------------------------------------------------


def play(request: Request) -> Response:
    """Return the page of the game in the address. If the program is to move, it guesses first."""
    budget = begin(request, limits.MATCH_SECONDS)
    query = query_of(request)
    address, notice = read_cut(request.query_params.multi_items(), read, tuple(SIDES), answered=False)
    if address is None:
        return see_other(Link.of(PATH, [*query, ("seed", secrets.token_hex(5))]))
    after, error = after_typed(address)
    after = replace(after, play=after.play.answered(POLICY, budget))
    if notice:
        return page(request, with_notice(play_view(after, error, budget, ""), notice))
    if str(after) != str(address):
        return see_other(after)
    if address.puzzle and (address.play.over or address.given_up):
        advisor = program_advisor(address) if address.play.race else None
        puzzle = game_puzzle(request, address, address.puzzle, _report(address, budget), budget, advisor)
        if puzzle:
            return puzzle
    return page(request, play_view(address, error, budget, full_url(request, address.challenge)))


def needs_no_search(request: Request) -> bool:
    """Return True if the page of the game needs no search, or if its address is invalid."""
    try:
        address = read(query_of(request))
    except YomikiriError:
        return True
    if address is None:
        return True
    over = address.play.over or address.given_up
    return not (address.play.race or over or address.turn in address.hinted_guesses)


def after_typed(address: PlayAddress) -> tuple[PlayAddress, str]:
    """Return the game after the code that was typed, and the error message for the code or an empty string.

    The code is the person's secret if the game waits for it, otherwise a guess. An incomplete code leaves the game
    unchanged.
    """
    play = address.play
    if address.is_typing or len(address.guess) < play.rules.digits or play.over or address.given_up:
        return address, ""
    try:
        if play.waits_for == "secret":
            return replace(address.with_play(secret=play.rules.check_secret(address.guess)), guess=""), ""
        return address.after(address.guess), ""
    except CodeError as error:
        return address, code_error(error)


def picture(request: Request) -> Response:
    """Return the result of a finished game as a picture. Raises an `InputError` if the game is not over."""
    begin(request)
    address = read(query_of(request))
    if address is None or not address.play.over:
        raise InputError(N_("the game is not over yet: finish it first"))
    days = min(number(request.query_params, "streak", 0), 9_999)
    link = full_url(request, address.challenge).partition("://")[2]
    answer = page(request, result_picture(address, link, days))
    answer.headers["Content-Type"] = "image/svg+xml"
    return answer


def _report(address: PlayAddress, budget: Budget) -> Report:
    """Return the report of the game: the evaluation of each guess. Guesses made with a hint get no grade."""
    return play_report(address.play, POLICY, budget, REPORT_SECONDS).without(address.hinted_guesses)


# --- the page ---------------------------------------------------------------------------------------------------------


def play_view(address: PlayAddress, error: str, budget: Budget, link: str) -> PageView:
    """Build the page of a game against the program.

    `link` is the full URL with which a friend can guess the same secret. `error` is the message for the typed code.
    """
    game = replace(_game(address, error, budget), link=link)
    play, day = address.play, address.day
    title = _headline(game)
    pegs = colours(play.rules, address.words)
    name = (
        _("Against the program")
        if play.race
        else _("Today’s number")
        if day
        else of_secret("Find the number", address.words)
    )
    absent = _("not {symbols}").format(symbols=" ".join(play.absent)) if play.absent else ""
    known_as = day or game_name(preset_of(play.rules, address.words))
    return PageView(
        title=title,
        name=name,
        about=" · ".join(filter(None, (known_as, rules_short(play.rules, pegs), absent))),
        news=f"{_last_news(game)}{title}",
        data=_data(game, name),
        columns=_columns(game, title),
        styles=("learn.css" if game.is_over else "play.css", *(("race.css",) if play.race else ())),
        menu=_menu(game),
        back=str(address.closed) if address.review else "",
        shared=address.shared,
        pegs=pegs,
        status=400 if error else 200,
    )


def _game(address: PlayAddress, error: str, budget: Budget) -> PlayInputs:
    play, words = address.play, address.words
    over = play.over or address.given_up
    rows = turn_rows(play.board.played, words)
    raced = play.race and not play.waits_for
    theirs = turn_rows(play.match.known(Side.OPPONENT).played, words) if raced else ()
    judged = judge_game(play.board, lambda: _report(address, budget)) if over and rows else JudgedGame()
    return PlayInputs(address, error, budget, rows, theirs, over, judged.report)


def _headline(game: PlayInputs) -> str:
    play = game.address.play
    if game.is_over:
        if play.won:
            return _("You won!") if play.race else _("You found it!")
        was = of_secret("The number was", game.address.words)
        return _("The program won") if play.over else f"{was} {play.program_secret}"
    if play.waits_for == "secret":
        return _("How do you want to play?")
    if play.waits_for == "shown":
        return _("Reveal a digit that your number does not use")
    return _("Your guess {number}").format(number=game.address.turn)


def _last_news(game: PlayInputs) -> str:
    """Return the last guess of each side with its answer, in words for screen readers."""
    last = [(_("You"), row) for row in game.rows[-1:]] + [(_("The program"), row) for row in game.theirs[-1:]]
    return "".join(f"{who}: {row.guess}, {row.answer.spoken if row.answer else ''}. " for who, row in last)


def _data(game: PlayInputs, name: str) -> tuple[tuple[str, str | None], ...]:
    """Return the `data-` attributes for the script.

    They say how to resume the game, or that it is over. If the secret is the number of the day, the same for everyone,
    they also contain the date, the guesses and the result.
    """
    address, rows = game.address, game.rows
    day = (("day", address.day), ("played", ",".join(row.guess for row in rows))) if address.day else ()
    if game.is_over:
        result = (("guesses", str(len(rows))), ("found", "1" if address.play.won else "0"))
        return (("game", None), *(day + result if day else ()))
    if not rows:
        return day
    turn = _("your turn {number}").format(number=address.turn)
    return ("game", f"{name} · {turn}"), ("code", rows[-1].guess), *day


def _menu(game: PlayInputs) -> tuple[Card, ...]:
    address = game.address
    playing = not game.is_over and not address.play.waits_for
    return (
        MenuRules(rules_text(address.play.rules)),
        *([MenuGiveUp(str(address.surrendered))] if playing else []),
        *([] if address.day else [MenuNewGame(str(address.again))]),
    )


def _columns(game: PlayInputs, title: str) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    address = game.address
    foreign = (ForeignDay(str(address.today)),) if address.day and (game.rows or game.is_over) else ()
    if game.reviewed:
        link, model = lambda number: address.with_parts(puzzle=number), program_model(address)
        lesson = lesson_card(game.reviewed, address.words, link, model)
        turns = turn_review(game.reviewed, address.words, link, _("With a hint"), model)
        own = (OwnNumber(address.play.secret),) if address.play.race else ()
        return ("main", (lesson, *own)), ("side", (turns,))
    if game.is_over:
        return ("main", (*foreign, *end_of_play(game, title))), ("side", after_end(game))
    if address.play.waits_for:
        terms = (play_alone(address),) if address.play.waits_for == "secret" else ()
        return ("main", (choice_card(game, title),)), ("side", terms)
    return ("main", (*foreign, *boards(game))), ("side", (*guess_form(game, title), about(address)))
