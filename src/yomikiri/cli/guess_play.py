"""`yomikiri guess assist`, `play` and `interact`: a game with lists of codes, played line by line."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import click

from yomikiri.api.guessing_game import CONFLICTS, GAME, game_of
from yomikiri.api.queries_guessing import GuessQuery
from yomikiri.cli.asking import with_query, with_settings
from yomikiri.cli.base import command
from yomikiri.cli.commands import ALIASES, rows_of_help
from yomikiri.cli.files import read_line
from yomikiri.cli.hitblow_shared import search_budget
from yomikiri.cli.text import say
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, HintError, TurnError, YomikiriError
from yomikiri.guessing.advice import suggest
from yomikiri.guessing.game import Game, Observation, Position
from yomikiri.guessing.one_step import likeliest
from yomikiri.guessing.results import GuessAdvice
from yomikiri.hitblow.model.entries import all_but_last
from yomikiri.settings import Kind, Setting
from yomikiri.wording import _, sentence
from yomikiri.wording import guessing as wording

PLAY_SEED = Setting("seed", N_("Seed of the secret; the same seed gives the same secret. Without it, a random one."),
                    Kind.INTEGER)  # fmt: skip


class TypedLines:
    """The lines that the user types in a game with a list of codes: commands, and moves of the game.

    `commands` maps the names of the commands to their meanings, except `help` and `quit`, which always exist. If a code
    of the game is also the name of a command, the line is a move. With `/` in front it is the command. `status` is the
    exit status: 2 if a line was rejected and the input is not a terminal, otherwise 0.

    The other games use `session.TerminalSession`, which also completes, redraws and redoes.
    """

    def __init__(self, game: Game, commands: Mapping[str, str]) -> None:
        self._game, self._commands = game, commands
        self.status = 0

    def read(self, prompt: str, inputs: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
        """Return the next command as (name, ""), or the next move as ("", line).

        The result is None at the end of the input, and for `quit`. For `help`, print the commands and `inputs`, the
        forms of moves with their meanings.
        """
        while True:
            if sys.stdin.isatty():
                click.echo(prompt, nl=False, err=True)
            line = read_line(sys.stdin)
            if not line:
                if sys.stdin.isatty():
                    click.echo(err=True)  # Ctrl-D leaves the cursor after the prompt
                return None
            line = line.strip()
            name = self._command(line)
            if name == "quit":
                return None
            if name == "help":
                say(*rows_of_help([*inputs, *self._help()], sys.stdout.isatty()))
            elif line:
                return name, "" if name else line

    def _command(self, line: str) -> str:
        """Return the name of the command that a line means, by name or alias; "" if the line is a move."""
        word = fold(line)
        if word in self._game.guesses:
            return ""
        word = word.removeprefix("/")
        name = ALIASES.get(word, word)
        name = "quit" if name == "giveup" else name
        return name if name in ("help", "quit") or name in self._commands else ""

    def _help(self) -> list[tuple[str, str]]:
        return [*((name, _(meaning)) for name, meaning in self._commands.items()), ("quit", _("end the game"))]

    def refuse(self, error: YomikiriError) -> None:
        """Print the reason why a line is refused."""
        click.echo(_("error: {message}").format(message=sentence(error)), err=True)
        if not sys.stdin.isatty():
            self.status = 2


COMMANDS = {
    "undo": N_("undo your last entry"),
    "list": N_("all codes that fit the answers"),
}
"""The commands of every game with a list of codes, with their meanings."""


def answer_inputs(position: Position, guess: str) -> list[tuple[str, str]]:
    """Return the forms of input that can follow the suggestion `guess`, with their meanings, for `help`."""
    answer = position.game.answers.example(position.game.places)
    other = f"{position.candidates[-1]} {answer}"
    return [
        (answer, _("the answer to {guess}").format(guess=guess)),
        (other, _("another guess that you made, and its answer")),
    ]


@command(conflicts=CONFLICTS)
@with_query(GuessQuery, takes_turns=True)
def assist(question: GuessQuery) -> int:
    """Play along: suggest a guess, read its answer, suggest the next one.

    Type the answer to the suggested guess, or another guess and its answer: 'crane 01002'. 'undo' takes back the last
    turn, 'list' shows the candidates, 'quit' ends.
    """
    position = question.position
    typed = TypedLines(position.game, COMMANDS)
    # Maps the turns so far to the advice for the next turn, because `undo` returns to earlier turns.
    advised: dict[tuple[Observation, ...], GuessAdvice] = {}
    say(wording.lists(position.game))
    while not position.is_solved:
        if position.guesses_left == 0:
            say(wording.not_found(position), wording.candidates(position))
            return typed.status
        if position.turns not in advised:
            advised[position.turns] = suggest(position, search_budget(), seconds=question.seconds)
        advice = advised[position.turns]
        say(*wording.suggestion(advice, len(position.turns) + 1), wording.candidates(position))
        after = _next(position, advice.guess, typed)
        if after is None:
            return typed.status
        position = after
        say(*wording.turns(position))
    say(wording.found(position))
    return typed.status


def _next(position: Position, guess: str, typed: TypedLines) -> Position | None:
    """Return the position after the next turn or `undo`; None at `quit` and at the end of the input.

    Invalid lines are reported and skipped.
    """
    prompt, inputs = _("Answer to {guess}: ").format(guess=guess), answer_inputs(position, guess)
    while entry := typed.read(prompt, inputs):
        name, line = entry
        try:
            if name == "undo":
                return Position(position.game, all_but_last(position.turns))
            if name == "list":
                click.echo("\n".join(position.candidates))
                continue
            after = position.after(parse_typed_turn(position, guess, line))
            after.require_candidates()
        except YomikiriError as error:
            typed.refuse(error)
            continue
        return after
    return None


def parse_typed_turn(position: Position, guess: str, line: str) -> Observation:
    """Return the turn that a line means: the answer to `guess`, or another guess with its answer.

    Raises an `InputError` for a line that is neither.
    """
    first, blank, rest = line.replace(":", " ", 1).partition(" ")
    if blank and len(first) == position.game.places and fold(first) in position.game.guesses:
        guess, line = position.game.code(first), rest
    elif not blank and fold(line) in position.game.guesses:
        raise TurnError(
            N_("{given!r} is a guess: add its answer, such as {given} {example}"),
            given=line,
            example=position.game.answers.example(position.game.places),
        )
    try:
        return Observation(guess, position.game.answers.parse(line, position.game.places))
    except HintError:
        if blank and len(first) == position.game.places:
            # The line is a guess with an answer. If the guess is unknown, raise an error about the guess, not about the
            # answer.
            position.game.code(first)
        raise


@command(conflicts=CONFLICTS)
@with_settings(*GAME, PLAY_SEED)
def play(seed: int | None, **given: Any) -> int:
    """Find a secret of the program.

    Type a guess; 'hint' suggests one, 'list' shows the codes that fit, 'undo' takes back a guess, 'help' lists all
    commands, and 'quit' gives up.
    """
    game = game_of(given)
    typed = TypedLines(game, COMMANDS | {"hint": N_("a good guess, and why")})
    position = game.start
    secret = Random(seed).choices(game.secrets, game.weights)[0]
    say(wording.lists(game))
    while not position.is_solved and position.guesses_left != 0:
        entry = typed.read(_("Your guess: "), [(game.secrets[0], _("your guess"))])
        if entry is None:
            break
        try:
            after = _played(position, secret, *entry)
        except YomikiriError as error:
            typed.refuse(error)
            continue
        if after is not position:
            say(*wording.turns(after) if after.turns else [wording.lists(game)])
        position = after
    if position.is_solved:
        say(wording.found(position))
        return typed.status
    if position.guesses_left == 0:
        say(wording.not_found(position))
    say(_("The secret was {code}.").format(code=secret))
    return typed.status


def _played(position: Position, secret: str, name: str, line: str) -> Position:
    """Return the position after a guess or a command.

    The commands that only print something return the same object. Raises a `YomikiriError` for an invalid line.
    """
    match name:
        case "undo":
            return Position(position.game, all_but_last(position.turns))
        case "list":
            click.echo("\n".join(position.candidates))
        case "hint":
            say(*wording.suggestion(suggest(position, search_budget()), len(position.turns) + 1))
        case _:
            guess = position.game.code(line)
            position.require_allowed(guess)
            return position.after(Observation(guess, position.game.answers.answer(guess, secret)))
    return position


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
