"""`yomikiri hitblow match`: a match on two boards.

The program suggests the guess that wins most often, and says what to answer the opponent.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from yomikiri.api.queries_match import MatchQuery
from yomikiri.cli import hitblow_screens as screens
from yomikiri.cli.base import command, echo_json, json_option, option
from yomikiri.cli.commands import SessionCommand
from yomikiri.cli.hitblow_session import BoardGame, Correction, ProposingGame, candidates_line
from yomikiri.cli.hitblow_shared import cells_chart, with_game_query
from yomikiri.cli.saved_games import run_session
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.terminal import Dialogue
from yomikiri.cli.text import beside, padded, styled, width, window
from yomikiri.common.budget import Budget
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, HintError, InputError, TurnError
from yomikiri.hitblow.advice.suggestion import figures
from yomikiri.hitblow.match.advice import Advisor, MatchAdvice
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import OWN_RULES, SIDES
from yomikiri.hitblow.model.facts import OfTurn
from yomikiri.hitblow.model.knowledge import Knowledge, example_facts
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.notation import parse_guess, parse_line, parse_opponent_line, parse_words
from yomikiri.hitblow.model.rules import Answered, Turn
from yomikiri.settings import Conflict
from yomikiri.wording import _
from yomikiri.wording import hitblow as board_wording
from yomikiri.wording import items as items_wording
from yomikiri.wording import match as wording
from yomikiri.wording import screens as screen_wording

if TYPE_CHECKING:
    from yomikiri.hitblow.practice.lessons import Report


_TWO_SECRETS = ("secret", "shown", "equal-turns", "slips", "items", "item-takes-turn", "resume",
                *(setting.name for setting in OWN_RULES))  # fmt: skip


@command(
    conflicts=(
        *MatchQuery.CONFLICTS,
        Conflict(("resume",), beside="turns"),
        Conflict(("resume",), beside="json"),
        Conflict(_TWO_SECRETS, beside="shared"),
        Conflict(("within",), needs="shared"),
    )
)
@with_game_query(MatchQuery, takes_turns=True)
@option("--shared", is_flag=True, help="One secret for both: both see all answers, and who finds it first wins.")
@option("--within", type=click.IntRange(1, 99), help="With --shared: a draw after this many guesses of both together.")
@option("--resume", is_flag=True, help="Resume the most recently saved match.")
@json_option
def match(question: MatchQuery, shared: bool, within: int | None, resume: bool, as_json: bool) -> None:
    """Help in a match: two players take turns, and the first to find the other's secret wins.

    On your turn the program suggests the guess that wins most often, and you type the answer. On their turn you
    type their guess, and the program works out your answer. 'help' lists the commands. You can give TURNS already
    played, in order, as me=GUESS:ANSWER and they=GUESS:ANSWER.
    """
    if shared:
        _for_one_secret(question, within, as_json=as_json)
    elif as_json:
        echo_json(question.document(question.answer(search_budget())))
    else:
        run_session(MatchGame(Dialogue(), question.words), question.assistant(search_budget()), resume)


def _for_one_secret(question: MatchQuery, within: int | None, *, as_json: bool) -> None:
    """Suggest guesses in a match for one secret, or print the best guess as JSON."""
    from yomikiri.api.results_guessing import DuelJson
    from yomikiri.cli.duel import run_duel
    from yomikiri.guessing.duel_search import best_duel_guess
    from yomikiri.hitblow.match.one_secret import duel_of, rival_named

    duel, rival = duel_of(question.match, within), rival_named(question.opponent)
    duel.position.require_candidates()
    if not as_json:
        run_duel(duel, rival, question.seconds, question.seed)
        return
    advice = best_duel_guess(duel, rival, search_budget(), seconds=question.seconds, seed=question.seed)
    echo_json(DuelJson.of((duel, advice)))


# Further names of the sides in the user's input.
_SIDES_SAID = {"you": "me", "あなた": "me", "自分": "me", "相手": "they"}


class TwoBoards(BoardGame[MatchAssistant]):
    """A game on two boards, one for each secret. `person` is the side of the user."""

    person = Side.ME

    def saved_form(self, state: MatchAssistant) -> Match:
        return state.match

    def resumed(self, state: MatchAssistant, saved: Match) -> MatchAssistant:
        return replace(state, match=saved)

    def line_of(self, state: MatchAssistant, number: int) -> int:
        return state.match.line_of(self.person, number)

    def edited(self, state: MatchAssistant, number: int, line: str) -> MatchAssistant:
        """Return the state in which `line`, the user's input, replaces entry `number` of the match.

        Entries are turns and other facts of both sides, counted from 1. If the match contains the secret of `Side.ME`,
        a guess of `Side.OPPONENT` needs no answer, because its answer is computed.
        """
        match = state.match
        before, side = match.line(number), match.mover(number - 1)
        if side is Side.OPPONENT and match.secret_at(number - 1) and isinstance(before, Answered):
            guess, hint = parse_opponent_line(line, match.own_rules, self.words)
            return state.edit(number, hint, guess)
        return state.put(number, parse_line(line, match.sought(side), self.words, lambda: state.guess_in(number)))


class MatchGame(ProposingGame[MatchAssistant], TwoBoards):
    """A match in which the program suggests the user's guesses.

    If the program knows the user's secret, it also computes the answers to the opponent's guesses.
    """

    playable = tuple(Item)

    def is_proposed(self, state: MatchAssistant) -> bool:
        return state.to_move is Side.ME

    # --- input --------------------------------------------------------------------------------------------------------

    def input_forms(self, state: MatchAssistant) -> Sequence[tuple[str, str]]:
        rules = state.match.rules
        code, answer = board_wording.example(rules), board_wording.example_answer(rules, self.words)
        theirs = board_wording.example(state.match.own_rules)
        return (
            (f"{answer}, 1 1, ...", _("on your turn: the answer to the suggested guess")),
            (f"{code} {answer}", _("another guess that you made, and its answer")),
            (theirs, _("on their turn: their guess; with your answer if your secret is not set")),
            *board_wording.fact_forms(example_facts(rules, match=True)),
            ("they ...", _("facts they learned about your secret, as above")),
        )

    def commands(self, state: MatchAssistant) -> dict[str, SessionCommand[MatchAssistant]]:
        table = _("the chance of each symbol in each place of their secret; 'table they': of yours")
        secret = board_wording.example(state.match.own_rules)
        return {
            **super().commands(state),
            "table": SessionCommand(
                self.if_consistent(self._table_of), _("table") + " [they]", table, has_argument=True
            ),
            **{
                name: SessionCommand(partial(self._change, name), usage, meaning, has_argument=True)
                for name, usage, meaning in (
                    ("secret", f"secret {secret}", _("set your secret; 'secret' alone removes it")),
                    ("shown", f"shown {secret[-1]}", _("the symbols that you revealed as not in your secret")),
                    ("absent", f"/absent {secret[0]}", _("the symbols that they revealed as not in their secret")),
                    ("first", "first me", _("the first player: me or opponent")),
                )
            },
            **self.slips_command(),
        }

    def apply_line(self, state: MatchAssistant, line: str) -> MatchAssistant:
        """Return the match after an answer to the user's guess, a guess of the opponent, or another fact.

        Input that names its side, such as `they=345:1H1B`, is accepted too.
        """
        name, _sign, rest = fold(line).partition("=" if "=" in line.split()[0] else " ")
        name = _SIDES_SAID.get(name.strip(), name.strip())
        if name in SIDES and rest:
            return self._learn_from_side(state, name, rest.strip(), line)
        if state.match.to_move is Side.ME:
            return state.learn(parse_line(line, state.match.rules, self.words, lambda: self.guess_to_answer(state)))
        try:
            guess, hint = parse_opponent_line(line, state.match.own_rules, self.words)
        except InputError:
            learned = parse_words(line, state.match.rules)
            if learned is None:
                raise
            return state.learn(learned, Side.OPPONENT if isinstance(learned, OfTurn) else Side.ME)
        return state.hear(guess, hint)

    def _learn_from_side(self, state: MatchAssistant, name: str, rest: str, line: str) -> MatchAssistant:
        """Return the match after a turn of the side `name`, or after this side has learned another fact.

        `rest` is the input without its side, such as `345:1H1B`, `345 1H1B` or `at 2 5` (symbol 5 is in place 2).
        `line` is the whole input.
        """
        side = SIDES[name]
        if fact := parse_words(rest, state.match.sought(side)):
            return state.learn(fact, side)
        return state.take(name, rest if ":" in rest else ":".join(rest.split(maxsplit=1)), self.words, line)

    def _table_of(self, state: MatchAssistant, rest: str) -> None:
        """Print the chance of each symbol in each place of the opponent's secret.

        If `rest` is `they`, print the chances for the user's own secret instead, as the opponent sees them.
        """
        side = _SIDES_SAID.get(fold(rest), fold(rest)) or "me"
        if side not in SIDES:
            raise TurnError(N_("'table {given}': expected 'table' or 'table they'"), given=rest)
        self._table(state, side if SIDES[side] is Side.OPPONENT else "")

    def _change(self, name: str, state: MatchAssistant, value: str) -> MatchAssistant | None:
        try:
            state = state.change(name, value)
        except HintError:
            corrected = state.corrected_by(value) if name == "secret" and self.dialogue.interactive else None
            if corrected is None:
                raise
            self.offer = state, Correction(_("Correct that?"), corrected)
            self.dialogue.say(wording.corrected(state.match, corrected.match, self.words))
            return None
        if not self.dialogue.draws:
            self.dialogue.say(*wording.terms(state.match))
        return state

    # --- output -------------------------------------------------------------------------------------------------------

    def opening(self, state: MatchAssistant) -> Sequence[str]:
        return [
            wording.welcome(state.match.rules),
            *wording.terms(state.match),
            *items_wording.header(state.items, state.items_now),
            *self._boards(state),
        ]

    def lines(self, state: MatchAssistant) -> Sequence[str]:
        return [*wording.lines(state.match, self.words)]

    def _boards(self, state: MatchAssistant) -> Iterator[str]:
        """Yield the turns of both sides: side by side if the window is wide enough, otherwise in order."""
        ours, theirs = ([*wording.board(state.match, side, self.words)] for side in Side)
        both = [*beside(ours, theirs)]
        if state.match.turns and sys.stdout.isatty() and max(map(width, both)) <= window():
            return iter(both)
        return iter(self.lines(state))

    def listed(self, state: MatchAssistant) -> Iterator[str]:
        yield from self._boards(state)
        for side, label in ((Side.ME, _("their secret")), (Side.OPPONENT, _("your secret"))):
            yield candidates_line(state.match.known(side), label)

    def board(self, state: MatchAssistant, side: str = "") -> Knowledge:
        """Return the knowledge of the opponent's secret, or of the user's own secret if `side` is not empty."""
        return state.match.known(Side.OPPONENT if side else Side.ME)

    def explain(self, state: MatchAssistant, guess: str) -> None:
        whole, known = replace(state, budget=self.proposing.budget), state.match.known(Side.ME)
        if guess:
            named = parse_guess(guess, state.match.rules)
            shown = figures(known, named)
            self.dialogue.say(wording.prospect(whole.compare(named)), board_wording.compared(shown, self.words))
            cells_chart(shown, self.words)
        elif state.to_move is Side.ME:
            advice = self.proposing.finish_search(state).advice
            shown = figures(known, advice.proposed.guess)
            self.dialogue.say(
                wording.why(advice), board_wording.compared(shown, self.words), *wording.ranking(whole.ranking)
            )
            cells_chart(shown, self.words)
        elif not state.finished:
            self.dialogue.say(wording.winning_chance(state.standing))

    def reports(self, state: MatchAssistant, budget: Budget) -> Sequence[tuple[str, Report]]:
        return both_reports(state.match, state.advisor, budget, _("they"))

    def print_effect(self, before: MatchAssistant, now: MatchAssistant) -> None:
        """Print the answer to the opponent's new guess if the user's secret is known.

        Also print the symbols of the guess that cannot be right, because the user has revealed that they are absent.
        """
        turn = new_opponent_turn(before.match, now.match)
        if turn is None:
            return
        if now.match.secret:
            self.dialogue.say(styled(wording.answer(turn.hint, self.words), bold=True))
        if symbols := now.wasted(turn.guess):
            self.dialogue.say(wording.wasted_symbols(turn.guess, symbols))

    def show(self, state: MatchAssistant) -> MatchAssistant:
        """Print what comes next: corrections, the result, the suggested guess, or that it is the opponent's turn.

        Returns the state, with the advice if a guess is suggested.
        """
        self.proposing.discard_suggestion()
        say = self.dialogue.say
        if state.contradictory:
            say(wording.contradicted(state.contradictory))
            self.say_corrections(state)
        elif state.outcome:
            say(wording.result(state.match, state.outcome))
        elif state.to_move is Side.ME:
            return self.proposing.propose(state)
        elif not self.dialogue.draws:  # If the screen is redrawn in place, the prompt asks for the opponent's guess.
            say(wording.their_turn(state.match, self.words))
        return state

    def frame(self, state: MatchAssistant) -> Sequence[str]:
        match = state.match
        heads = _("you guess, they answer   left"), _("they guess, you answer   left")
        return [
            *screens.title(_("Match"), replace(match.known(Side.ME), absent="")),
            *wording.terms(match, screen_wording.opponent(state.advisor.opponent.name)),
            *items_wording.header(state.items, state.items_now),
            *screens.boards(match, self.words, Side.ME, heads),
        ]

    def prompt(self, state: MatchAssistant) -> str:
        if self.dialogue.draws and state.to_move is Side.OPPONENT:
            return screen_wording.opponent_guess_prompt(state.match, self.words)
        return super().prompt(state)

    def advice_lines(self, state: MatchAssistant, remark: str) -> Iterator[str]:
        return self._screen_lines(state, remark) if self.dialogue.draws else self._text_lines(state, remark)

    def _screen_lines(self, state: MatchAssistant, remark: str) -> Iterator[str]:
        match, items, advice = state.match, state.item_advice, state.advice
        if items:
            yield items_wording.advised(items, match.rules, match.own_rules)
        sure = remark or (wording.unsolved(advice) or "")
        yield from screens.proposed(len(match.facts) + 1, advice.proposed.guess, _("your guess"), sure)
        yield from win_bar(advice)
        if advice.opponent == state.advisor.opponent.name:
            yield f" {screen_wording.hit_chance(advice)}"
        # The chances assume another model of the opponent than the top of the screen names, so name that model here.
        else:
            yield f" {wording.chances(advice)}"
        if match.known(Side.OPPONENT).turns:
            yield f" {screen_wording.danger(*wording.danger(match, state.pace))}"
            if said := wording.substitute_note(state.advisor.opponent):
                yield f" {said}"
        known = match.known(Side.ME)
        if known.facts and known.slips.most:
            yield board_wording.candidate_counts(known)
        if known.count > 1:
            yield from screens.candidates_row(known)

    def _text_lines(self, state: MatchAssistant, remark: str) -> Iterator[str]:
        match, items, advice = state.match, state.item_advice, state.advice
        if match.known(Side.OPPONENT).turns:
            head, rows = wording.danger(match, state.pace)
            wide = max([5, *(width(chance) for _label, chance in rows)])
            yield "\n".join(
                (head, *(f"  {padded(label, 22)}{' ' * (wide - width(chance))}{chance}" for label, chance in rows))
            )
            if said := wording.substitute_note(state.advisor.opponent):
                yield said
        if items:
            yield items_wording.advised(items, match.rules, match.own_rules)
        guess = advice.proposed.guess
        yield board_wording.proposal(advice, len(match.facts) + 1).replace(guess, styled(guess, bold=True), 1)
        yield wording.chances(advice)
        yield from win_bar(advice)
        if advice.reason.rival:
            yield wording.why(advice)
        if sure := remark or wording.unsolved(advice):
            yield sure
        known = match.known(Side.ME)
        if known.facts and known.slips.most:
            yield board_wording.candidate_counts(known)
            yield board_wording.likeliest(known)


def both_reports(match: Match, advisor: Advisor, budget: Budget, other: str) -> list[tuple[str, Report]]:
    """Return the reviews of both sides of a match by winning chances, as (name, report) pairs.

    The review of `Side.ME` has the name "". The review of `Side.OPPONENT` has the name `other`, and needs the secret of
    `Side.ME`. A side without turns has no review.
    """
    from yomikiri.hitblow.practice.lessons import match_report

    sides, theirs = [("", match_report(match, advisor, budget))], match.exchanged()
    if theirs is not None and theirs.known(Side.ME).turns:
        sides.append((other, match_report(theirs, advisor, budget)))
    return [(name, found) for name, found in sides if found.turns]


def new_opponent_turn(before: Match, now: Match) -> Turn | None:
    """Return the last entry of the match if it is a turn of the opponent that is new or changed, otherwise None."""
    last = len(now.facts) - 1
    if last < 0 or now.mover(last) is Side.ME or before.facts[last : last + 1] == now.facts[last:]:
        return None
    fact = now.facts[last]
    return fact if isinstance(fact, Turn) else None


def win_bar(advice: MatchAdvice) -> Iterator[str]:
    """Yield a bar of the winning chances, at a terminal only."""
    if not sys.stdout.isatty():
        return
    my_label, their_label = screen_wording.winning_chances(advice)
    length = max(4, min(40, window() - width(my_label) - width(their_label) - 4))
    mine = round(advice.proposed.win * length)
    yield f"  {my_label} {'█' * mine}{'░' * (length - mine)} {their_label}"
