"""`yomikiri hitblow assist`: suggest a guess, read the answer, repeat until the code is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from yomikiri.api.queries_hitblow import COMPARE, SuggestQuery
from yomikiri.cli import hitblow_screens as screens
from yomikiri.cli.base import command, option
from yomikiri.cli.commands import SessionCommand
from yomikiri.cli.hitblow_session import BoardGame, ProposingGame, candidates_line
from yomikiri.cli.hitblow_shared import with_game_query
from yomikiri.cli.saved_games import run_session
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.terminal import Dialogue
from yomikiri.cli.text import styled
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.suggestion import Suggestion
from yomikiri.hitblow.model.knowledge import Knowledge, example_facts
from yomikiri.hitblow.model.notation import parse_line
from yomikiri.hitblow.model.rules import preset_of
from yomikiri.settings import Conflict
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording
from yomikiri.wording import items as items_wording
from yomikiri.wording import screens as screen_wording


@command(conflicts=(*SuggestQuery.CONFLICTS, Conflict(("resume",), beside="turns")))
@with_game_query(SuggestQuery, takes_turns=True, without=(COMPARE,))
@option("--resume", is_flag=True, help="Resume the most recently saved game.")
def assist(question: SuggestQuery, resume: bool) -> None:
    """Suggest a guess, read the answer, and repeat until you find the secret.

    Type the answer (1H1B, or 1 1). If you made another guess, type that guess before the answer. 'help' lists the
    commands. You can give TURNS already played, each GUESS:ANSWER.
    """
    game = question.game
    run_session(AssistGame(Dialogue(), game.words), question.assistant(game.known, search_budget()), resume)


class OneBoard(BoardGame[Assistant]):
    """A game on a single board."""

    def saved_form(self, state: Assistant) -> Knowledge:
        return state.known

    def resumed(self, state: Assistant, saved: Knowledge) -> Assistant:
        return replace(state, known=saved)

    def board(self, state: Assistant, _side: str = "") -> Knowledge:
        return state.known

    def opening(self, state: Assistant) -> Sequence[str]:
        known = state.known
        return [
            *wording.welcome(preset_of(known.rules, self.words), known.rules, known.absent, known.prior),
            *wording.tolerance(known),
            *items_wording.header(state.items, state.items_now),
            *wording.lines(known, self.words),
        ]

    def frame(self, state: Assistant) -> Sequence[str]:
        known = state.known
        return [
            *screens.title(self.named(known), known),
            *wording.tolerance(known),
            *items_wording.header(state.items, state.items_now),
            *screens.turns(known, self.words),
        ]

    def named(self, known: Knowledge) -> str:
        """Return the name of the game for the title of the screen."""
        return wording.game_name(preset_of(known.rules, self.words))

    def lines(self, state: Assistant) -> Sequence[str]:
        return [*wording.absent_symbols(state.known.absent), *wording.lines(state.known, self.words)]


class AssistGame(ProposingGame[Assistant], OneBoard):
    """A session in which the program suggests guesses and the user types the answers."""

    def is_proposed(self, state: Assistant) -> bool:
        return not (state.finished or state.contradictory)

    def new_game(self, state: Assistant) -> Assistant:
        """Return a new game for another secret, in which no symbols are known to be absent."""
        again = state.restart()
        return replace(again, known=replace(again.known, absent=""))

    def input_forms(self, state: Assistant) -> Sequence[tuple[str, str]]:
        rules = state.known.rules
        code, answer = wording.example(rules), wording.example_answer(rules, self.words)
        return (
            (f"{answer}, 1 1, ...", _("the answer to the suggested guess")),
            (f"{code} {answer}", _("another guess that you made, and its answer")),
            *wording.fact_forms(example_facts(rules)),
        )

    def apply_line(self, state: Assistant, line: str) -> Assistant:
        """Return the state after the user's input: an answer, a guess with its answer, or another fact.

        Another fact about the secret is, for example, that a symbol is absent. An answer alone belongs to the suggested
        guess.
        """
        return state.learn(parse_line(line, state.known.rules, self.words, lambda: self.guess_to_answer(state)))

    def edited(self, state: Assistant, number: int, line: str) -> Assistant:
        """Return the state in which `line`, the user's input, replaces entry `number` of the game.

        Entries are turns and other facts, counted from 1.
        """
        return state.put(number, parse_line(line, state.known.rules, self.words, lambda: state.guess_in(number)))

    def listed(self, state: Assistant) -> Iterator[str]:
        yield from self.lines(state)
        yield candidates_line(state.known)

    def commands(self, state: Assistant) -> dict[str, SessionCommand[Assistant]]:
        return super().commands(state) | self.slips_command()

    def explain(self, state: Assistant, guess: str) -> None:
        if not guess:
            self.proposing.finish_search(state)
        self.say_why(replace(state, budget=self.proposing.budget), guess)

    def show(self, state: Assistant) -> Assistant:
        self.proposing.discard_suggestion()
        if state.contradictory:
            self.say_corrections(state)
        elif state.finished:
            self.dialogue.say(wording.found(state.known.turns))
        else:
            return self.proposing.propose(state)
        return state

    def guess_label(self) -> str:
        """Return the label of the suggested guess on the screen."""
        return _("your guess")

    def proposal(self, advice: Suggestion, number: int) -> str:
        """Return the suggestion as a sentence. `number` is the number of the turn, from 1."""
        return wording.proposal(advice, number)

    def advice_lines(self, state: Assistant, remark: str) -> Iterator[str]:
        known, items, advice = state.known, state.item_advice, state.advice
        number, guess = len(known.facts) + 1, advice.proposed.guess
        if items:
            yield items_wording.advised(items, known.rules)
        if self.dialogue.draws:
            yield from screens.proposed(number, guess, self.guess_label(), remark or screen_wording.certainty(advice))
        else:
            yield self.proposal(advice, number).replace(guess, styled(guess, bold=True), 1)
            if sure := remark or wording.outlook(advice):
                yield sure
        if advice.sampled:
            yield wording.sampled()
        if known.facts and known.slips.most:
            yield wording.candidate_counts(known)
        if self.dialogue.draws and known.count > 1:
            yield from screens.candidates_row(known)
        elif known.facts and known.count > 1:
            yield wording.likeliest(known)
