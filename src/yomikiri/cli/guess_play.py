"""`yomikiri guess assist`, `play` and `interact`: a game with lists of codes, played line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import click

from yomikiri.api.guessing_game import CONFLICTS, GAME, game_of
from yomikiri.api.queries_guessing import GuessQuery
from yomikiri.cli.asking import with_query, with_settings
from yomikiri.cli.base import command
from yomikiri.cli.commands import SessionCommand
from yomikiri.cli.files import read_line
from yomikiri.cli.guess_session import Advised, AdvisedSession, ListSession
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.session import TerminalSession
from yomikiri.cli.terminal import Dialogue
from yomikiri.common.errors import N_, HintError
from yomikiri.guessing.advice import suggest
from yomikiri.guessing.game import Game, Observation, Position
from yomikiri.guessing.one_step import likeliest
from yomikiri.guessing.results import GuessAdvice
from yomikiri.settings import Kind, Setting
from yomikiri.wording import _
from yomikiri.wording import guessing as wording

PLAY_SEED = Setting("seed", N_("Seed of the secrets; the same seed gives the same secrets. Without it, random ones."),
                    Kind.INTEGER)  # fmt: skip


@command(conflicts=CONFLICTS)
@with_query(GuessQuery, takes_turns=True)
def assist(question: GuessQuery) -> None:
    """Play along: suggest a guess, read its answer, suggest the next one.

    Type the answer to the suggested guess, or another guess and its answer: 'crane 01002'. 'undo' takes back the last
    turn, 'list' shows the candidates, 'help' lists all commands, and 'quit' ends.
    """
    dialogue = Dialogue()
    game = ListAssist(dialogue, _("Your own list"), question.seconds)
    start: Advised[Position, GuessAdvice] = Advised(question.position)
    TerminalSession(dialogue, game, start).run_loop()


class ListAssist(AdvisedSession[Position, GuessAdvice]):
    """The program suggests guesses, and the user types the answers."""

    def position(self, state: Advised[Position, GuessAdvice]) -> Position:
        return state.game

    def show(self, state: Advised[Position, GuessAdvice]) -> Advised[Position, GuessAdvice]:
        position, advice = state.game, state.advice
        if position.is_solved:
            self.dialogue.say(wording.found(position))
            return state
        if position.is_over:
            self.dialogue.say(wording.not_found(position))
        else:
            advice = advice or self.searched(lambda budget: suggest(position, budget, seconds=self.seconds))
            self.dialogue.say(*wording.suggestion(advice, len(position.turns) + 1) if advice else [])
        self.dialogue.say(wording.candidates(position))
        return Advised(position, advice)


@command(conflicts=CONFLICTS)
@with_settings(*GAME, PLAY_SEED)
def play(seed: int | None, **given: Any) -> None:
    """Guess a secret code that the program has chosen.

    Type a guess; 'hint' suggests one, 'list' shows the codes that fit, 'undo' takes back a guess, 'help' lists all
    commands, and 'quit' gives up.
    """
    game, dialogue = game_of(given), Dialogue()
    TerminalSession(dialogue, ListPlay(dialogue, secrets_of(game, seed)), game.start).run_loop()


def secrets_of(game: Game, seed: int | None) -> Iterator[str]:
    """Yield secrets, drawn by their weights. Without a seed they are random."""
    random = Random(seed)
    while True:
        yield random.choices(game.secrets, game.weights)[0]


class ListPlay(ListSession[Position]):
    """The user guesses a code that the program has chosen: in each game the next one from `secrets`."""

    def __init__(self, dialogue: Dialogue, secrets: Iterator[str]) -> None:
        super().__init__(dialogue, _("Your own list"))
        self.secrets = secrets
        self.secret = next(secrets)

    def position(self, state: Position) -> Position:
        return state

    def input_forms(self, state: Position) -> Sequence[tuple[str, str]]:
        return [(state.game.secrets[0], _("your guess"))]

    def commands(self, state: Position) -> dict[str, SessionCommand[Position]]:
        hint = SessionCommand(self._hint, _("hint"), _("a good guess, and why"))
        return {**super().commands(state), "hint": hint}

    def _hint(self, state: Position, _rest: str) -> None:
        advice = self.searched(lambda budget: suggest(state, budget, seconds=self.seconds))
        self.dialogue.say(*wording.suggestion(advice, len(state.turns) + 1) if advice else [])

    def prompt_for_line(self, _state: Position) -> str:
        return _("your guess > ")

    def apply_line(self, state: Position, line: str) -> Position:
        guess = state.game.code(line)
        state.require_allowed(guess)
        return state.after(Observation(guess, state.game.answers.answer(guess, self.secret)))

    def undo(self, state: Position) -> Position:
        return state.undo()

    def new_game(self, state: Position) -> Position:
        self.secret = next(self.secrets)
        return state.start

    def show(self, state: Position) -> Position:
        if state.is_solved:
            self.dialogue.say(wording.found(state))
        elif state.is_over:
            self.dialogue.say(wording.not_found(state), self._revealed)
        return state

    @property
    def _revealed(self) -> str:
        return _("The secret was {secret}.").format(secret=self.secret)

    def on_quit(self, state: Position) -> None:
        """Show the secret to a user who gives up."""
        if not self.is_over(state):
            self.dialogue.say(self._revealed)


@command(conflicts=CONFLICTS)
@with_query(GuessQuery, takes_turns=True)
def interact(question: GuessQuery) -> None:
    """Find a secret in a conversation with another program.

    Writes '? crane', reads the answer, and so on; writes '! crate' as soon as the secret is certain, or when no guess
    is left.
    """
    position = question.position
    while not position.is_solved and len(position.candidates) > 1 and position.guesses_left != 0:
        guess = suggest(position, search_budget(), seconds=question.seconds).guess
        _write(f"? {guess}")
        answers = position.game.answers
        line = read_line(sys.stdin)
        if not line:
            raise HintError(N_("the input ended: expected the answer to {guess}, such as {example}"), guess=guess,
                            example=answers.example(position.game.places))  # fmt: skip
        position = position.after(Observation(guess, answers.parse(line.strip(), position.game.places)))
    position.require_candidates()
    _write(f"! {likeliest(position)}")


def _write(line: str) -> None:
    click.echo(line)
    sys.stdout.flush()
