"""`yomikiri tictactoe play`: a game against the program at full strength."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import TypeVar

import click

from yomikiri.budget import Budget, Stopped
from yomikiri.cli.base import Idle, command, option
from yomikiri.cli.terminal import Conversation, Dialogue, Spoken, searching
from yomikiri.cli.tictactoe_analyze import analysis, picture, valued
from yomikiri.cli.tictactoe_winner import BOARD_IDLE, options_for, position_options, read_position
from yomikiri.errors import N_, BoardError
from yomikiri.tictactoe.advice import Adviser, PartialAdvice
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.notation import parse_moves
from yomikiri.tictactoe.position import Player, Position
from yomikiri.tictactoe.signs import winner_by_signs
from yomikiri.wording import _
from yomikiri.wording import tictactoe as wording

T = TypeVar("T")


@command(
    help="Play against the program, which always plays a best move.\n\n"
    "Type a cell, such as b2; 'help' lists the commands. FILE holds a board; without one you get a random 3x3 board"
    " on which you can win.",
    idle=(BOARD_IDLE, Idle(("seed",), beside="file"), Idle(("seed",), beside="board")),
)
@position_options
@option("--side", type=click.Choice(["first", "second"]), default="first", show_default=True,
        help="The side you play.")  # fmt: skip
@option("--seed", type=click.IntRange(min=0), default=None, help="Seed of the random board.")
def play(file: str | None, board: str | None, line: int, moves: str, side: str, seed: int | None) -> None:
    """A game until `quit` or the end of input."""
    person = Player.FIRST if side == "first" else Player.SECOND
    if file is None and board is None:
        board = str(_drawn_board(Random(seed), person))
    position, played = read_position(file, board, line, moves)
    PlaySession(Dialogue(), position.board, person, played).talk()


def _drawn_board(random: Random, person: Player) -> Board:
    """A 3x3 board on which the person can win."""
    while True:
        board = Board([[random.randint(-9, 9) for _ in range(3)] for _ in range(3)])
        if winner_by_signs(board.flat) is person:
            return board


class PlaySession(Conversation):
    """One sitting: the moves so far, and the talk about them."""

    def __init__(self, dialogue: Dialogue, board: Board, person: Player, moves: tuple[int, ...]) -> None:
        self.dialogue, self.board, self.person, self.moves = dialogue, board, person, moves
        self.adviser = Adviser(board)
        # Nothing before the moves that were given can be taken back.
        self.start = len(moves)

    @property
    def position(self) -> Position:
        """The position on the board now."""
        return Position.after(self.board, self.moves)

    @property
    def heard(self) -> Sequence[tuple[str, str]]:
        return (("b2", _("take that cell")),)

    @property
    def commands(self) -> dict[str, Spoken]:
        return {
            "undo": Spoken(self._undo, "undo", _("take back your last move")),
            "go": Spoken(lambda _rest: self.show(), "go", _("resume my search after Ctrl-C")),
            "why": Spoken(self._why, "why", _("the value of every move, and best play")),
        }

    @property
    def leaving(self) -> str:
        return _("quit the game")

    def talk(self) -> None:
        self.dialogue.say(_("'help' lists the commands. The board: {options}").format(options=options_for(self.board)))
        super().talk()

    def hear(self, line: str) -> None:
        moves = parse_moves(line, self.board)
        if len(moves) != 1:
            raise BoardError(N_("{given!r} is not a move: expected one cell, such as b2"), given=line)
        self.position.play(moves[0])
        if self.position.to_move is not self.person:
            raise BoardError(
                N_("{given} cannot be taken, it is my move: expected go, undo or quit"), given=self.board.name(moves[0])
            )
        self.moves += moves
        self.show()

    def _undo(self, _rest: str) -> None:
        """Take back the person's last move and what came after it."""
        mine = [number for number in range(self.start, len(self.moves)) if self._mover(number) is self.person]
        if not mine:
            raise BoardError(N_("no move to take back: you have not made one yet"))
        self.moves = self.moves[: mine[-1]]
        self._picture()

    def _mover(self, number: int) -> Player:
        return Player.SECOND if number % 2 else Player.FIRST

    def _why(self, _rest: str) -> None:
        advice = self._read(self.adviser.analyze)
        if advice is None:
            return
        self.dialogue.say(*analysis(advice))

    def _read(self, read: Callable[[Position, Budget], T]) -> T | None:
        """What reading the position gives; None where a person stopped it, and not the game."""
        position = self.position
        try:
            with searching(wording.reading(), partial(wording.progress, position.to_move)) as budget:
                return read(position, budget)
        except Stopped as stopped:
            if not self.dialogue.interactive:
                raise click.Abort from None
            self._say_so_far(stopped.best)
            return None

    def _say_so_far(self, found: PartialAdvice) -> None:
        """Say that a search was interrupted, and what it has found out."""
        if found.moves:
            self.dialogue.say(*valued(found))
        self.dialogue.say(wording.interrupted(wording.so_far(found)))

    def show(self) -> None:
        """Let the program move if it is its turn, and show the state of the game."""
        position = self.position
        if not position.outcome and position.to_move is not self.person:
            best = self._read(self.adviser.best_move)
            if best is None:
                self.dialogue.say(_("It is still my move: 'go' resumes my search, 'undo' takes back your move."))
                return
            self.moves += (best,)
            self.dialogue.say(_("I take {cell}.").format(cell=self.board.name(best)))
        self._picture()

    def _picture(self) -> None:
        position = self.position
        self.dialogue.say(*picture(position))
        outcome = position.outcome
        self.dialogue.say(wording.result(outcome, self.board) if outcome else wording.to_move(position))
