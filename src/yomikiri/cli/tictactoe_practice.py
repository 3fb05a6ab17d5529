"""`yomikiri tictactoe practice`: positions with one move to find, three hints, and the answer with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from secrets import token_hex

from yomikiri.cli.asking import takes
from yomikiri.cli.base import command
from yomikiri.cli.screen import heading
from yomikiri.cli.sitting import Command, Game, Sitting
from yomikiri.cli.terminal import Dialogue
from yomikiri.cli.tictactoe_analyze import analysis, picture
from yomikiri.errors import N_, TurnError
from yomikiri.grades import Difficulty, puzzle_done
from yomikiri.settings import Kind, Setting
from yomikiri.tictactoe.advice import analyze
from yomikiri.tictactoe.notation import parse_move
from yomikiri.tictactoe.puzzles import Puzzle, check, clues, generated
from yomikiri.wording import _
from yomikiri.wording import tictactoe_puzzles as wording

DIFFICULTY = Setting("difficulty", N_("How hard the puzzles are."), Kind.WORD, default=str(Difficulty.EASY),
                     words=tuple(Difficulty))  # fmt: skip
PUZZLE_SEED = Setting("seed", N_("Seed of the puzzles; the same seed gives the same puzzles, here and on the page."))
_CLUES = 3


@command(
    help="Solve puzzles: find the one move that keeps a win or a draw.\n\n"
    "Type a cell, such as b2; 'hint' gives up to three hints, 'answer' the move and the reason, 'new' the next puzzle.",
)
@takes(DIFFICULTY, PUZZLE_SEED)
def practice(difficulty: str, seed: str | None) -> None:
    """Solve puzzles."""
    dialogue, puzzles = Dialogue(), _puzzles(seed or token_hex(5), Difficulty(difficulty))
    Sitting(dialogue, Practice(dialogue, puzzles), Trying(next(puzzles))).talk()


def _puzzles(seed: str, kind: Difficulty) -> Iterator[Puzzle]:
    """The puzzle of the seed, then those of seeds made of it."""
    yield generated(seed, kind)
    yield from (generated(f"{seed}-{number}", kind) for number in count(2))


@dataclass(frozen=True, slots=True)
class Trying:
    """A puzzle, how many of its clues are shown, the last move that was tried, and whether the puzzle is done."""

    puzzle: Puzzle
    shown: int = 0
    tried: int | None = None
    done: bool = False


class Practice(Game[Trying]):
    """One puzzle after the other."""

    can_restart = True
    can_undo = False

    def __init__(self, dialogue: Dialogue, puzzles: Iterator[Puzzle]) -> None:
        self.dialogue, self.puzzles = dialogue, puzzles

    def heard(self, _state: Trying) -> Sequence[tuple[str, str]]:
        return (("b2", _("your move")),)

    def commands(self, _state: Trying) -> dict[str, Command[Trying]]:
        return {
            "hint": Command(self._hint, _("hint"), _("the next of three hints")),
            "answer": Command(self._answer, "answer", _("the right move, and why")),
        }

    @property
    def basics(self) -> Sequence[str]:
        return ("hint", "answer", "new")

    @property
    def leaving(self) -> str:
        return _("quit the game")

    def opening(self, state: Trying) -> Sequence[str]:
        return [] if state.done else [*picture(state.puzzle.position), wording.question(state.puzzle)]

    def frame(self, state: Trying) -> Sequence[str]:
        head = heading(_("Practise"), _("Weighted tic-tac-toe"), "hint", "answer", "new", "quit")
        return [*head, *self.opening(state)]

    def prompt(self, state: Trying) -> str:
        return _("new or quit > ") if state.done else _("your move > ")

    def short(self, state: Trying) -> Mapping[str, str]:
        return {"n": "new"} if state.done else {}

    def read(self, state: Trying, line: str) -> Trying:
        if state.done:
            raise puzzle_done()
        move = parse_move(line, state.puzzle.position.board)
        return replace(state, tried=move, done=check(state.puzzle, move).solved)

    def show(self, state: Trying) -> Trying:
        position = state.puzzle.position
        for number, clue in enumerate(wording.clues(clues(state.puzzle))[: state.shown], start=1):
            self.dialogue.say(f"  {number}. {clue}")
        if state.tried is not None:
            self.dialogue.say(wording.checked(check(state.puzzle, state.tried), position.board.name(state.tried)))
        if state.done:
            self.dialogue.say(*analysis(analyze(position)))
        return state

    def fresh(self, _state: Trying) -> Trying:
        return Trying(next(self.puzzles))

    def _hint(self, state: Trying, _rest: str) -> Trying:
        if state.shown == _CLUES:
            raise TurnError(N_("there are three hints, and you have them: 'answer' names the move"))
        return replace(state, shown=state.shown + 1)

    def _answer(self, state: Trying, _rest: str) -> Trying:
        return replace(state, tried=analyze(state.puzzle.position).best.move, done=True)
