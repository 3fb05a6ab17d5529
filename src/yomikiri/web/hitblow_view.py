"""The page of a game or a match as one value: its frame, and the cards for the state of the game."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from yomikiri.common.budget import Budget
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.rules import Answered, preset_of
from yomikiri.hitblow.practice.lessons import Report, match_report, report
from yomikiri.web.assist_cards import (
    AnswerSection,
    GameButtons,
    assist_pad,
    assumed_opponent,
    better_guess,
    items_card,
    proposal,
    reasons,
)
from yomikiri.web.assist_inputs import AssistInputs, AssistQuery, AssistState, select_guess
from yomikiri.web.cards import Button, Card, MenuLink, MenuNewGame, MenuRules, PageView, Section
from yomikiri.web.correction_cards import contradiction, editor, unfit, unfit_text
from yomikiri.web.hitblow_cards import OwnNumber, answer_choices, colours, linked_rows, turn_table
from yomikiri.web.knowledge_cards import candidates_card, knowledge_card, tolerances, words_alert
from yomikiri.web.limits import POLICY, REPORT_SECONDS
from yomikiri.web.match_cards import danger, given_answer, match_settings, their_turn, who_begins
from yomikiri.web.offline import can_keep
from yomikiri.web.review_cards import (
    JudgedGame,
    ResultCard,
    chance_curve,
    end_buttons,
    graded_turns,
    judge_game,
    lesson_card,
    possible_codes,
    turn_review,
)
from yomikiri.wording import _, learning, ngettext
from yomikiri.wording import web as wording
from yomikiri.wording.hitblow import candidate_count, game_name, rules_text

_PLAYING = (AssistState.MINE, AssistState.THEIRS)
_OVER = (AssistState.END, AssistState.REVIEW, AssistState.UNFIT)


def assist_view(session: Assistant | MatchAssistant, query: AssistQuery, budget: Budget) -> PageView:
    """Build the page of a game or match."""
    game = _game(session, query, budget)
    address, known, state = game.address, game.known, game.state
    title = _headline(game)
    playing, opened = state in _PLAYING, address.opened
    name = game_name(preset_of(known.rules, game.words))
    name = name if game.match is None else _("{game} match").format(game=name)
    turn = _("your turn {number}").format(number=len(known.turns) + 1) if playing and game.rows else ""
    absent = _("not {symbols}").format(symbols=" ".join(known.absent)) if known.absent else ""
    about = (wording.rules_short(known.rules, game.pegs), absent, turn)
    is_open = opened.edit or opened.terms or opened.attempt or opened.review
    return PageView(
        title=title,
        name=name,
        about=" · ".join(filter(None, about)),
        news=f"{_last_news(game)}{title}",
        data=_data(game, f"{name} · {turn}" if turn else ""),
        columns=(("lead", _lead(game)), ("main", _main(game, title)), ("side", _side(game))),
        styles=_styles(game),
        layout="cols",
        menu=_menu(game, name),
        back=str(address.closed) if is_open else "",
        shared=address.shared,
        pegs=game.pegs,
        status=400 if query.is_refused else 200,
    )


def _styles(game: AssistInputs) -> tuple[str, ...]:
    if game.state not in _OVER:
        return "play.css", "answers.css"
    return ("learn.css", "race.css") if game.match else ("learn.css",)


def _game(session: Assistant | MatchAssistant, query: AssistQuery, budget: Budget) -> AssistInputs:
    """Compute what the page of a game shows: the suggestion within the budget, chances, corrections, and the review."""
    address = query.address
    known = address.known
    match = None if isinstance(session, Assistant) else session.match
    judged = None
    if session.finished and not address.opened.edit and not session.contradictory:
        judged = _judge(session, address.misled, budget)
    state = _state(session, query, judged)
    rows = linked_rows(address, session, known)
    theirs = linked_rows(address, session, match.known(Side.OPPONENT), Side.OPPONENT) if match else ()
    selected = select_guess(session, known, query.guess) if state is AssistState.MINE else None
    return AssistInputs(
        query, session, known, state, judged, rows, theirs, colours(known.rules, address.words), selected
    )


def _judge(session: Assistant | MatchAssistant, misled: Collection[int], budget: Budget) -> JudgedGame:
    if isinstance(session, Assistant):
        return judge_game(session.known, lambda: _graded(report(session.known, POLICY, budget), session, misled))
    advisor = replace(session.advisor, seconds=REPORT_SECONDS)
    return judge_game(
        session.match.known(Side.ME), lambda: _graded(match_report(session.match, advisor, budget), session, misled)
    )


def _graded(found: Report, session: Assistant | MatchAssistant, misled: Collection[int]) -> Report:
    """Return the report, the evaluation of a finished game, without grades for guesses that followed a wrong answer.

    The advice for these guesses was based on that answer.
    """
    first = min(session.wrong, default=None)
    return found.without(
        [turn.number for turn in found.turns if turn.line in misled or (first is not None and turn.line > first)]
    )


def _state(session: Assistant | MatchAssistant, query: AssistQuery, judged: JudgedGame | None) -> AssistState:
    opened = query.address.opened
    if opened.edit:
        return AssistState.EDIT
    if session.contradictory:
        return AssistState.CONTRADICTION
    if judged:
        return AssistState.UNFIT if judged.unfit else AssistState.REVIEW if opened.review else AssistState.END
    if opened.attempt:
        return AssistState.TRY
    theirs = isinstance(session, MatchAssistant) and session.match.to_move is Side.OPPONENT
    return AssistState.THEIRS if theirs else AssistState.MINE


# --- the frame --------------------------------------------------------------------------------------------------------


def _headline(game: AssistInputs) -> str:
    """Return the title of the page. The announcement for screen readers ends with this title."""
    match game.state:
        case AssistState.EDIT:
            return _("Edit")
        case AssistState.CONTRADICTION:
            return _("These answers cannot all be right")
        case AssistState.UNFIT:
            return unfit_text(game.judged) if game.judged else ""
        case AssistState.END | AssistState.REVIEW:
            return _result(game)
        case AssistState.TRY:
            return _("Find a better guess than {guess}").format(guess=game.address.opened.attempt)
        case AssistState.THEIRS:
            return _("Their turn")
        case AssistState.MINE:
            return _("Guess {guess}").format(guess=game.selected.code if game.selected else "")


def _result(game: AssistInputs) -> str:
    """Return the result of a finished game as a title."""
    if isinstance(game.session, Assistant):
        count = len(game.known.turns)
        message = ngettext("Found {code} in {count} guess", "Found {code} in {count} guesses", count)
        return message.format(code=game.known.found, count=count)
    outcome = game.session.outcome
    if outcome is None or outcome.winner is None:
        return _("A draw")
    return _("You won!") if outcome.winner is Side.ME else _("They won")


def _last_news(game: AssistInputs) -> str:
    """Return the last turn or fact and the number of candidates left, in words for screen readers."""
    rows, match = game.rows, game.match
    if match and not (match.facts and match.mover(len(match.facts) - 1) is Side.ME):
        rows = game.theirs
    if not rows or game.state in (AssistState.EDIT, AssistState.TRY, AssistState.REVIEW, AssistState.UNFIT):
        return ""
    last = rows[-1]
    spoken = last.answer.spoken if last.answer else last.text
    left = f"{candidate_count(last.left)}. " if last.left else ""
    return f"{last.guess}: {spoken}. {left}" if last.guess else f"{spoken}. {left}"


def _data(game: AssistInputs, place: str) -> tuple[tuple[str, str | None], ...]:
    """Return the `data-` attributes for the script: how to resume the game, or that it is over.

    `place` contains the name of the game and the number of the turn. It is empty if there is nothing to resume.
    """
    if game.state in _OVER:
        return (("game", None),)
    if not place:
        return ()
    return ("game", place), ("code", game.selected.code if game.selected else game.rows[-1].guess)


def _menu(game: AssistInputs, name: str) -> tuple[Card, ...]:
    address, items = game.address, list[Card]()
    if game.match:
        items.append(MenuLink(_("Match settings"), f"{address.with_parts(terms=True)}#terms"))
    if game.state in _PLAYING:
        items.append(MenuLink(_("Candidates and their chances"), f"{address.with_parts(numbers=True)}#numbers"))
        if not game.match:
            items.append(MenuLink(_("Next best guesses"), f"{address.with_parts(compare=True)}#why"))
    items.append(MenuRules(rules_text(game.known.rules)))
    ahead = address.restarted if game.session.finished else address
    if can_keep(ahead.known):
        items.append(MenuLink(_("Keep offline"), ahead.offline, name))
    return (*items, MenuNewGame(str(address.restarted)))


# --- the columns ------------------------------------------------------------------------------------------------------


def _lead(game: AssistInputs) -> tuple[Card, ...]:
    """Return the cards above the next guess: the turns so far, and decisions that come before the guess."""
    if game.state not in (*_PLAYING, AssistState.TRY):
        return ()
    address, match = game.address, game.match
    return (
        *([turn_table(game.rows, _("Your guesses"))] if game.rows else []),
        *tolerances(game),
        *([who_begins(address, match)] if match and not match.facts and not address.opened.terms else []),
        *([items_card(game)] if game.state is AssistState.MINE and address.items.left else []),
    )


def _main(game: AssistInputs, title: str) -> tuple[Card, ...]:
    """Return the cards for the next action."""
    query, edit = game.query, game.address.opened.edit
    cards = list[Card]()
    if query.fact_error and not edit:
        cards.append(words_alert(game))
    if game.match and (game.address.opened.terms or query.secret_error) and not edit:
        cards.append(match_settings(game, game.match))
    own = (OwnNumber(game.match.secret),) if game.match and game.match.secret else ()
    return (*cards, *_main_of_state(game, title), *(() if game.state is AssistState.END else own))


def _main_of_state(game: AssistInputs, title: str) -> tuple[Card, ...]:
    match game.state:
        case AssistState.EDIT:
            return (editor(game, game.address.opened.edit or 1),)
        case AssistState.CONTRADICTION:
            return (contradiction(game),)
        case AssistState.UNFIT:
            return (unfit(game, game.judged),) if game.judged else ()
        case AssistState.END:
            return _end(game, title)
        case AssistState.REVIEW:
            return (_lesson(game),)
        case AssistState.TRY:
            return (better_guess(game, title),)
        case AssistState.THEIRS:
            assert isinstance(game.session, MatchAssistant)
            return (*their_turn(game, game.session), GameButtons(game.undo))
        case AssistState.MINE:
            return _my_turn(game)


def _lesson(game: AssistInputs) -> Card:
    return lesson_card(_report(game), game.words, lambda number: game.address.with_parts(puzzle=number), _model(game))


def _report(game: AssistInputs) -> Report:
    assert game.judged is not None
    assert game.judged.report is not None
    return game.judged.report


def _model(game: AssistInputs) -> tuple[str, ...]:
    """Return the sentence that names the model of the opponent on which the chances in a match are based.

    The result is empty for a game on one board, in which only the player guesses.
    """
    return (assumed_opponent(game.session),) if isinstance(game.session, MatchAssistant) else ()


def _my_turn(game: AssistInputs) -> tuple[Card, ...]:
    selected = game.selected
    assert selected is not None
    pad = assist_pad(game, _("Your own guess"), _("Use this guess"))
    return (
        *(given_answer(game, game.session) if isinstance(game.session, MatchAssistant) else ()),
        proposal(game, selected),
        AnswerSection(_("They answered …"), answer_choices(game.address, selected.code)),
        GameButtons(game.undo, pad, bool(pad.missing or pad.error)),
    )


def _end(game: AssistInputs, title: str) -> tuple[Card, ...]:
    address, known = game.address, game.known
    count = len(known.turns)
    if isinstance(game.session, Assistant):
        note = ngettext("{count} guess", "{count} guesses", count).format(count=count)
    elif game.session.outcome and game.session.outcome.winner is Side.OPPONENT:
        note = _("They found {code}").format(code=game.theirs[-1].guess)
    else:
        note = ngettext("in {count} guess", "in {count} guesses", count).format(count=count)
    last = address.entries[-1]
    code = known.found or (last.guess if isinstance(last, Answered) else "")
    review = str(address.with_parts(review=True)) if _report(game).turns else ""
    notes = tuple(filter(None, ("" if note in title else note, learning.verdict(_report(game)))))
    buttons = end_buttons(Button(_("Play again"), str(address.restarted)), review)
    result = (ResultCard(title, code, notes, "won" if known.solved else "lost", *_whose(game)), buttons)
    if not any(row.wrong for row in game.rows):
        return (*result, graded_turns(_report(game), game.words, _("After a wrong answer")))
    return *result, Section("", "", (turn_table(game.rows, _("Turns so far"), whole=True),))


def _whose(game: AssistInputs) -> tuple[str, OwnNumber | None]:
    """Return a label that says whose code the result of a match shows, and a card with the player's own code.

    After a win the result shows the opponent's code, and the card shows the player's own code beside it, if it is
    known. Otherwise the result itself shows the player's code, and the card is None. In a game on one board, the label
    is empty and the card is None.
    """
    if game.match is None:
        return "", None
    if not game.known.solved:
        return _("Your number"), None
    return _("Their number"), OwnNumber(game.match.secret, is_up=True) if game.match.secret else None


def _side(game: AssistInputs) -> tuple[Card, ...]:
    """Return the cards next to the main column. They depend on the state of the game.

    During a game, they show the knowledge about the codes and the reasons for the suggested guess. After the game, they
    show the chances in the course of a match, or the review of all turns.
    """
    if game.state is AssistState.END:
        curve = chance_curve(_report(game), _model(game))
        lost = () if game.known.solved else (possible_codes(game.known),)
        return (*([curve] if curve else []), *lost)
    if game.state is AssistState.REVIEW:
        return (
            turn_review(
                _report(game),
                game.words,
                lambda number: game.address.with_parts(puzzle=number),
                _("After a wrong answer"),
                _model(game),
            ),
        )
    if game.state not in _PLAYING:
        return ()
    return (
        *([candidates_card(game)] if game.address.opened.numbers else []),
        knowledge_card(game),
        *(danger(game, game.session) if isinstance(game.session, MatchAssistant) else ()),
        *([reasons(game, game.selected)] if game.selected else []),
    )
