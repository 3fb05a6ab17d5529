"""`yomikiri guess assist`, `play`, `match` and `interact`: a game in progress, line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import click

from yomikiri.api.guessing_game import CONFLICTS, GAME, game_of
from yomikiri.api.queries_guessing import GuessQuery
from yomikiri.cli.asking import asks, takes
from yomikiri.cli.base import command
from yomikiri.cli.files import read_line
from yomikiri.cli.hitblow_shared import reading
from yomikiri.cli.text import say
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, HintError, TurnError, YomikiriError
from yomikiri.guessing.advice import suggest
from yomikiri.guessing.game import Observation, Position
from yomikiri.guessing.one_step import likeliest
from yomikiri.guessing.results import GuessAdvice
from yomikiri.settings import Kind, Setting
from yomikiri.wording import _, sentence
from yomikiri.wording import guessing as wording

PLAY_SEED = Setting("seed", N_("Seed of the secret; the same seed gives the same secret. Without it, a random one."),
                    Kind.INTEGER)  # fmt: skip


class TypedLines:
    """The lines that the user types. `status` is the exit status: 2 if a program sent a line that was refused."""

    def __init__(self) -> None:
        self.status = 0

    def lines(self, prompt: str) -> Iterator[str]:
        """Yield lines that are not blank, until the input ends or a line is `quit`."""
        while True:
            if sys.stdin.isatty():
                click.echo(prompt, nl=False, err=True)
            line = read_line(sys.stdin)
            if not line or line.strip() == "quit":
                return
            if line.strip():
                yield line.strip()

    def refuse(self, error: YomikiriError) -> None:
        """Print the reason why a line is refused."""
        click.echo(_("error: {message}").format(message=sentence(error)), err=True)
        if not sys.stdin.isatty():
            self.status = 2


@command(idle=CONFLICTS)
@asks(GuessQuery, takes_turns=True)
def assist(question: GuessQuery) -> int:
    """Play along: suggest a guess, read its answer, suggest the next one.

    Type the answer to the suggested guess, or another guess and its answer: 'crane 01002'. 'undo' takes back the last
    turn, 'list' shows the candidates, 'quit' ends.
    """
    position, typed = question.position, TypedLines()
    advised: dict[tuple[Observation, ...], GuessAdvice] = {}  # by the turns, because `undo` returns to them
    say(wording.lists(position.game))
    while not position.is_solved:
        if position.guesses_left == 0:
            say(wording.not_found(position), wording.candidates(position))
            return typed.status
        if position.turns not in advised:
            advised[position.turns] = suggest(position, reading(), seconds=question.seconds)
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
    """Return the position after the next line, None at the end of the input. Wrong lines change nothing."""
    for line in typed.lines(_("Answer to {guess}: ").format(guess=guess)):
        if line == "undo":
            return Position(position.game, position.turns[:-1])
        if line in ("list", "help"):
            click.echo("\n".join(position.candidates) if line == "list" else wording.assist_help(guess))
            continue
        try:
            after = position.after(parse_turn(position, guess, line))
            after.require_candidates()
        except YomikiriError as error:
            typed.refuse(error)
            continue
        return after
    return None


def parse_turn(position: Position, guess: str, line: str) -> Observation:
    """Return the turn that a line means: the answer to `guess`, or another guess with its answer."""
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
            position.game.code(first)  # the line is a guess with an answer: report an unknown guess
        raise


@command(idle=CONFLICTS)
@takes(*GAME, PLAY_SEED)
def play(seed: int | None, **given: Any) -> int:
    """Find a secret of the program. 'hint' suggests a guess, 'quit' gives up."""
    game, typed = game_of(given), TypedLines()
    position = game.start
    secret = Random(seed).choices(game.secrets, game.weights)[0]
    say(wording.lists(game))
    for line in typed.lines(_("Your guess: ")):
        if line == "hint":
            say(*wording.suggestion(suggest(position, reading()), len(position.turns) + 1))
            continue
        try:
            guess = game.code(line)
            position.require_allowed(guess)
        except YomikiriError as error:
            typed.refuse(error)
            continue
        position = position.after(Observation(guess, game.answers.answer(guess, secret)))
        say(*wording.turns(position))
        if position.is_solved:
            say(wording.found(position))
            return typed.status
        if position.guesses_left == 0:
            say(wording.not_found(position))
            break
    say(_("The secret was {code}.").format(code=secret))
    return typed.status


@command(idle=CONFLICTS)
@asks(GuessQuery, takes_turns=True)
def interact(question: GuessQuery) -> None:
    """Find a secret in a conversation with another program.

    Writes '? crane', reads the answer, and so on; writes '! crate' as soon as the secret is certain, or when no guess
    is left.
    """
    position = question.position
    while not position.is_solved and len(position.candidates) > 1 and position.guesses_left != 0:
        guess = suggest(position, reading(), seconds=question.seconds).guess
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
