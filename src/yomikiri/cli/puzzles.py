"""Puzzles at a terminal, one after another, with three hints and the answer.

The puzzles come from code-guessing games or from tic-tac-toe.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from yomikiri.cli.commands import SessionCommand
from yomikiri.cli.session import SessionGame
from yomikiri.cli.terminal import Dialogue
from yomikiri.common.enums import Difficulty
from yomikiri.common.errors import N_, TurnError
from yomikiri.settings import Kind, Setting
from yomikiri.wording import _

P = TypeVar("P")

DIFFICULTY = Setting("difficulty", N_("Difficulty of the puzzles."), Kind.WORD, default=str(Difficulty.EASY),
                     words=tuple(Difficulty))  # fmt: skip
CODE_PUZZLE_SEED = Setting("seed", N_("Seed of the puzzles, letters and digits; the same seed gives the same puzzles."))
COMMANDS = ("hint", "answer", "new")
_CLUES = 3


@dataclass(frozen=True, slots=True)
class PuzzleState(Generic[P]):
    """A puzzle on the screen.

    `clues_shown` is the number of visible hints. `done` is True once the puzzle is solved or given up.
    """

    puzzle: P
    clues_shown: int = 0
    done: bool = False


@dataclass(frozen=True, slots=True)
class GuessPuzzleState(PuzzleState[P]):
    """A puzzle of a code-guessing game. `guess` is the user's last guess, "" if there is none yet."""

    guess: str = ""


T = TypeVar("T", bound=PuzzleState[Any])


class Practice(SessionGame[T]):
    """A session of puzzles. A subclass defines how to read the user's lines and how to print a puzzle."""

    can_restart = True
    can_undo = False
    giving_up = "answer"

    answer_help: ClassVar[str]
    """The description of the command `answer`, for `help`."""
    puzzle_prompt: ClassVar[str]
    """The prompt of a puzzle that is not done."""

    def __init__(self, dialogue: Dialogue, puzzles: Iterator[Any]) -> None:
        self.dialogue, self.puzzles = dialogue, puzzles

    @abstractmethod
    def answer(self, state: T) -> T:
        """Return the puzzle as done, with its answer as the last guess or move."""

    @abstractmethod
    def no_more_hints(self) -> TurnError:
        """Return the error for a user who asks for a hint but has all hints already."""

    def commands(self, _state: T) -> dict[str, SessionCommand[T]]:
        return {
            "hint": SessionCommand(self._hint, _("hint"), _("the next of three hints")),
            "answer": SessionCommand(lambda state, _rest: self.answer(state), "answer", _(self.answer_help)),
        }

    @property
    def short_help(self) -> Sequence[str]:
        return COMMANDS

    @property
    def quit_help(self) -> str:
        return _("no more puzzles")

    @property
    def new_help(self) -> str:
        return _("the next puzzle")

    def prompt(self, state: T) -> str:
        return _("new or quit > ") if state.done else _(self.puzzle_prompt)

    def abbreviations(self, state: T) -> Mapping[str, str]:
        return {"n": "new"} if state.done else {}

    def read(self, state: T, line: str) -> T:
        if state.done:
            raise TurnError(N_("this puzzle is over: type 'new' or 'quit'"))
        return self.tried(state, line)

    @abstractmethod
    def tried(self, state: T, line: str) -> T:
        """Return the puzzle after a guess or a move."""

    def new_game(self, state: T) -> T:
        return type(state)(next(self.puzzles))

    def say_clues(self, state: T, clues: Sequence[str]) -> None:
        """Print those of the `clues`, the hints of the puzzle, that the user has asked for so far."""
        for number, clue in enumerate(clues[: state.clues_shown], start=1):
            self.dialogue.say(f"  {number}. {clue}")

    def _hint(self, state: T, _rest: str) -> T:
        if state.clues_shown == _CLUES:
            raise self.no_more_hints()
        return replace(state, clues_shown=state.clues_shown + 1)


class CodePractice(Practice[GuessPuzzleState[P]]):
    """Puzzles that ask for the best guess in a code-guessing game."""

    answer_help = N_("a best guess, and why")
    puzzle_prompt = N_("your guess > ")

    def no_more_hints(self) -> TurnError:
        return TurnError(N_("you have all three hints: type 'answer' for a best guess"))
