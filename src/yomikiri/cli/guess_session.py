"""Base class of the games with lists of codes at a terminal, and the parser of the turns that the user types."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, TypeVar

from yomikiri.cli.commands import SessionCommand, game_is_over, nothing_to_review, split_command
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.session import SessionGame
from yomikiri.cli.terminal import Dialogue, interruptible
from yomikiri.cli.text import heading
from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, HintError, TurnError
from yomikiri.guessing.advice import SECONDS, review
from yomikiri.guessing.duel import Duel, DuelAdvice
from yomikiri.guessing.game import Observation, Position
from yomikiri.guessing.results import GuessAdvice
from yomikiri.wording import _
from yomikiri.wording import guessing as wording
from yomikiri.wording.screens import answer_prompt

S = TypeVar("S")
R = TypeVar("R")
G = TypeVar("G", Position, Duel)
A = TypeVar("A", GuessAdvice, DuelAdvice)


class ListSession(SessionGame[S]):
    """Base class of a game with lists of codes that the user plays line by line at a terminal.

    `title` is the name of the game for the top of the screen. `seconds` limits each search.
    """

    can_restart = True

    can_review: ClassVar[bool] = True
    """True if the command `review` exists."""

    def __init__(self, dialogue: Dialogue, title: str, seconds: float = SECONDS) -> None:
        self.dialogue, self.title, self.seconds = dialogue, title, seconds

    @abstractmethod
    def position(self, state: S) -> Position:
        """Return the position: the game, with its secrets and allowed guesses, and the turns so far."""

    def is_over(self, state: S) -> bool:
        """Return True if the game has ended."""
        return self.position(state).is_over

    @abstractmethod
    def apply_line(self, state: S, line: str) -> S:
        """Return the state after a line that is not a command. Called only before the end of the game."""

    def read(self, state: S, line: str) -> S:
        if self.is_over(state):
            raise game_is_over() if self.can_review else TurnError(N_("the game is over: type 'new' or 'quit'"))
        return self.apply_line(state, line)

    def prompt(self, state: S) -> str:
        if self.is_over(state):
            return _("review, new or quit > ") if self.can_review else _("new or quit > ")
        return self.prompt_for_line(state)

    @abstractmethod
    def prompt_for_line(self, state: S) -> str:
        """Return the text in front of the user's input before the end of the game."""

    def abbreviations(self, state: S) -> Mapping[str, str]:
        if not self.is_over(state):
            return {}
        return {"n": "new"} | ({"r": "review"} if self.can_review else {})

    def is_move(self, state: S, line: str) -> bool:
        """Return True if the line begins with an allowed guess, which may also be the name of a command."""
        word, _rest = split_command(line)
        return not self.is_over(state) and word in self.position(state).game.guesses

    def commands(self, _state: S) -> dict[str, SessionCommand[S]]:
        commands = {"list": SessionCommand(self._list, _("list"), _("all codes that fit the answers"))}
        if self.can_review:
            commands["review"] = SessionCommand(self._review, _("review"), _("the best guess of each turn"))
        return commands

    @property
    def short_help(self) -> Collection[str]:
        return ("undo", "list", "review")

    def _list(self, state: S, _rest: str) -> None:
        codes = self.position(state).candidates
        self.dialogue.show_pages([" ".join(codes)] if self.dialogue.is_terminal else list(codes))

    def _review(self, state: S, _rest: str) -> None:
        # Imported here because most games end without a review.
        from yomikiri.cli.guess import print_review

        position = self.position(state)
        if not position.turns:
            raise nothing_to_review()
        judged = self.searched(lambda budget: review(position, budget, seconds=self.seconds))
        if judged is not None:
            print_review(position, judged)

    @property
    def quit_help(self) -> str:
        return _("end the game")

    def opening(self, state: S) -> Sequence[str]:
        return [wording.lists(self.position(state).game), *self.lines(state)]

    def frame(self, state: S) -> Sequence[str]:
        game = self.position(state).game
        return [*heading(self.title, wording.lists(game), "help", "undo", "quit"), *self.lines(state)]

    def lines(self, state: S) -> Sequence[str]:
        return [*wording.turns(self.position(state))]

    def searched(self, search: Callable[[Budget], R]) -> R | None:
        """Run a search, show a notice while it takes long, and return its result.

        Ctrl-C ends the search early: the result is then the best one so far, or None if there is none. If the input is
        not a terminal, Ctrl-C ends the program.
        """
        if not self.dialogue.interactive:
            return search(search_budget())
        with interruptible() as cancelled, suppress(Stopped):
            return search(replace(search_budget(), cancelled=cancelled))
        return None


@dataclass(frozen=True, slots=True)
class Advised(Generic[G, A]):
    """A game with the suggested guess, or without one if Ctrl-C has stopped the search or the program suggests none."""

    game: G
    advice: A | None = None

    @property
    def guess(self) -> str:
        """The suggested guess, "" if there is none."""
        return self.advice.guess if self.advice else ""


class AdvisedSession(ListSession[Advised[G, A]]):
    """Base class of a game in which the program suggests guesses and the user types the answers."""

    def input_forms(self, state: Advised[G, A]) -> Sequence[tuple[str, str]]:
        position = self.position(state)
        answer = position.game.answers.example(position.game.places)
        with_guess = f"{position.candidates[-1]} {answer}"
        if not state.guess:
            return [(with_guess, _("the guess and its answer"))]
        return [
            (answer, _("the answer to {guess}").format(guess=state.guess)),
            (with_guess, _("another guess that you made, and its answer")),
        ]

    def prompt_for_line(self, state: Advised[G, A]) -> str:
        return answer_prompt(state.guess) if state.guess else "> "

    def apply_line(self, state: Advised[G, A], line: str) -> Advised[G, A]:
        turn = parse_typed_turn(self.position(state), state.guess, line)
        after: Advised[G, A] = Advised(state.game.after(turn))
        self.position(after).require_candidates()
        return after

    def undo(self, state: Advised[G, A]) -> Advised[G, A]:
        return Advised(state.game.undo())

    def new_game(self, state: Advised[G, A]) -> Advised[G, A]:
        return Advised(state.game.start)


def parse_typed_turn(position: Position, guess: str, line: str) -> Observation:
    """Return the turn that a line means: the answer to `guess`, or another guess with its answer.

    If `guess` is empty, the line needs a guess. Raises an `InputError` for a line that is neither.
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
        answer = position.game.answers.parse(line, position.game.places)
    except HintError:
        if blank and len(first) == position.game.places:
            # The line is a guess with an answer. If the guess is unknown, raise an error about the guess, not about the
            # answer.
            position.game.code(first)
        raise
    if not guess:
        raise TurnError(
            N_("{given!r}: needs the guess and its answer, such as {example}"),
            given=line,
            example=f"{position.candidates[0]} {position.game.answers.example(position.game.places)}",
        )
    return Observation(guess, answer)
