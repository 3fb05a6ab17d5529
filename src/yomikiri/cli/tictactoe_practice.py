"""`yomikiri tictactoe practice`: positions with one move to find, three hints, and the answer with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from yomikiri.cli.asking import takes
from yomikiri.cli.base import command
from yomikiri.cli.puzzles import COMMANDS, DIFFICULTY, Practice, Trying
from yomikiri.cli.session import TerminalSession, seeds
from yomikiri.cli.terminal import Dialogue
from yomikiri.cli.text import heading
from yomikiri.cli.tictactoe_analyze import analysis, picture
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
@takes(DIFFICULTY, PUZZLE_SEED)
def practice(difficulty: str, seed: str | None) -> None:
    """Solve puzzles: find the one move that keeps a win or a draw.

    Type a cell, such as b2; 'hint' gives up to three hints, 'answer' the move and the reason, 'new' the next puzzle.
    """
    dialogue, puzzles = Dialogue(), (generated(each, Difficulty(difficulty)) for each in seeds(seed or None))
    TerminalSession(dialogue, MovePractice(dialogue, puzzles), Moved(next(puzzles))).talk()


@dataclass(frozen=True, slots=True)
class Moved(Trying[MovePuzzle]):
    """A puzzle of tic-tac-toe. `tried` is the index of the last cell that the user tried, None if there is none yet."""

    tried: int | None = None


class MovePractice(Practice[Moved]):
    """Puzzles with a single correct move."""

    answered = N_("the right move, and why")
    asked = N_("your move > ")

    def no_more(self) -> TurnError:
        return TurnError(N_("you have all three hints: type 'answer' for the move"))

    def heard(self, _state: Moved) -> Sequence[tuple[str, str]]:
        return (("b2", _("your move")),)

    def opening(self, state: Moved) -> Sequence[str]:
        return [] if state.done else [*picture(state.puzzle.position), wording.question(state.puzzle)]

    def frame(self, state: Moved) -> Sequence[str]:
        head = heading(_("Practise"), _("Weighted tic-tac-toe"), *COMMANDS, "quit")
        return [*head, *self.opening(state)]

    def tried(self, state: Moved, line: str) -> Moved:
        move = parse_move(line, state.puzzle.position.board)
        return replace(state, tried=move, done=check(state.puzzle, move).solved)

    def show(self, state: Moved) -> Moved:
        position = state.puzzle.position
        self.say_clues(state, wording.clues(clues(state.puzzle)))
        if state.tried is not None:
            self.dialogue.say(wording.checked(check(state.puzzle, state.tried), position.board.name(state.tried)))
        if state.done:
            self.dialogue.say(*analysis(analyze(position)))
        return state

    def answer(self, state: Moved) -> Moved:
        return replace(state, tried=analyze(state.puzzle.position).best.move, done=True)
