"""`yomikiri tictactoe practice`: positions with one move to find, three hints, and the answer with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from yomikiri.cli.asking import with_settings
from yomikiri.cli.base import command
from yomikiri.cli.puzzles import COMMANDS, DIFFICULTY, Practice, PuzzleState
from yomikiri.cli.session import TerminalSession, seeds
from yomikiri.cli.terminal import Dialogue
from yomikiri.cli.text import heading
from yomikiri.cli.tictactoe_analyze import analysis_lines, picture
from yomikiri.common.enums import Difficulty
from yomikiri.common.errors import N_, TurnError
from yomikiri.settings import Setting
from yomikiri.tictactoe.advice import analyze
from yomikiri.tictactoe.notation import parse_move
from yomikiri.tictactoe.puzzles import MovePuzzle, check, clues, generated
from yomikiri.wording import _
from yomikiri.wording import tictactoe_puzzles as wording

PUZZLE_SEED = Setting("seed", N_("Seed of the puzzles; the same seed gives the same puzzles, here and on the page."))


@command()
@with_settings(DIFFICULTY, PUZZLE_SEED)
def practice(difficulty: str, seed: str | None) -> None:
    """Solve puzzles: find the one move that keeps a win or a draw.

    Type a cell, such as b2; 'hint' gives up to three hints, 'answer' the move and the reason, 'new' the next puzzle.
    """
    dialogue, puzzles = Dialogue(), (generated(each, Difficulty(difficulty)) for each in seeds(seed or None))
    TerminalSession(dialogue, MovePractice(dialogue, puzzles), MovePuzzleState(next(puzzles))).run_loop()


@dataclass(frozen=True, slots=True)
class MovePuzzleState(PuzzleState[MovePuzzle]):
    """A puzzle of tic-tac-toe. `tried` is the index of the last cell that the user tried, None if there is none yet."""

    tried: int | None = None


class MovePractice(Practice[MovePuzzleState]):
    """Puzzles with a single correct move."""

    answer_help = N_("the right move, and why")
    puzzle_prompt = N_("your move > ")

    def no_more_hints(self) -> TurnError:
        return TurnError(N_("you have all three hints: type 'answer' for the move"))

    def input_forms(self, _state: MovePuzzleState) -> Sequence[tuple[str, str]]:
        return (("b2", _("your move")),)

    def opening(self, state: MovePuzzleState) -> Sequence[str]:
        return [] if state.done else [*picture(state.puzzle.position), wording.question(state.puzzle)]

    def frame(self, state: MovePuzzleState) -> Sequence[str]:
        head = heading(_("Practise"), _("Weighted tic-tac-toe"), *COMMANDS, "quit")
        return [*head, *self.opening(state)]

    def tried(self, state: MovePuzzleState, line: str) -> MovePuzzleState:
        move = parse_move(line, state.puzzle.position.board)
        return replace(state, tried=move, done=check(state.puzzle, move).solved)

    def show(self, state: MovePuzzleState) -> MovePuzzleState:
        position = state.puzzle.position
        self.say_clues(state, wording.clues(clues(state.puzzle)))
        if state.tried is not None:
            self.dialogue.say(wording.move_result(check(state.puzzle, state.tried), position.board.name(state.tried)))
        if state.done:
            self.dialogue.say(*analysis_lines(analyze(position)))
        return state

    def answer(self, state: MovePuzzleState) -> MovePuzzleState:
        return replace(state, tried=analyze(state.puzzle.position).best.move, done=True)
