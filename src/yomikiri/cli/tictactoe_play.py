"""`yomikiri tictactoe play`: a game against the program at full strength."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import TypeVar

import click

from yomikiri.cli.asking import with_settings
from yomikiri.cli.base import command, given_values, store_value
from yomikiri.cli.commands import SessionCommand, game_is_over
from yomikiri.cli.session import SessionGame, TerminalSession
from yomikiri.cli.terminal import Dialogue, searching
from yomikiri.cli.text import heading
from yomikiri.cli.tictactoe_analyze import analysis_lines, move_value_lines, picture
from yomikiri.cli.tictactoe_winner import BOARD_CONFLICT, options_for, position_options, position_pairs
from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import N_, BoardError
from yomikiri.settings import Conflict, Kind, Setting
from yomikiri.tictactoe.advice import Analyzer, PartialAdvice
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.notation import BOARD, board_of, parse_move
from yomikiri.tictactoe.position import Player, Position
from yomikiri.tictactoe.signs import winner_by_signs
from yomikiri.wording import _
from yomikiri.wording import tictactoe as wording

T = TypeVar("T")

SIDE = Setting("side", N_("The side you play."), Kind.WORD, default="first", words=("first", "second"))
BOARD_SEED = Setting("seed", N_("Seed of the random board. Without it, each game has another board."), Kind.INTEGER)


@command(conflicts=(BOARD_CONFLICT, Conflict(("seed",), beside="file"), Conflict(("seed",), beside="board")))
@position_options
@with_settings(SIDE, BOARD_SEED)
@click.pass_context
def play(ctx: click.Context, file: str | None, side: str, seed: int | None) -> None:
    """Play against the program, which always plays a best move.

    Type a cell, such as b2; 'help' lists the commands. FILE contains a board; without it, you get a random 3x3
    board on which you can win.
    """
    person = Player.FIRST if side == "first" else Player.SECOND
    given, random = file is not None or BOARD.name in given_values(ctx), Random(seed)
    if not given:
        store_value(ctx, BOARD.name, str(_random_board(random, person)))
    board, played = board_of(dict(position_pairs(ctx, file)))
    Position.after(board, played)

    def new_board() -> Board:
        """Return the board of the next game: the given one, or another random one."""
        return board if given else _random_board(random, person)

    dialogue = Dialogue()
    TerminalSession(dialogue, PlayGame(dialogue, board, person, new_board), played).run_loop()


def _random_board(random: Random, person: Player) -> Board:
    """Return a random 3x3 board on which `person` wins under best play."""
    while True:
        board = Board([[random.randint(-9, 9) for _ in range(3)] for _ in range(3)])
        if winner_by_signs(board.flat) is person:
            return board


Moves = tuple[int, ...]


class PlayGame(SessionGame[Moves]):
    """A game on a weighted board. The state is the moves so far.

    `new_board` returns the board of the next game.
    """

    can_restart = True

    def __init__(self, dialogue: Dialogue, board: Board, person: Player, new_board: Callable[[], Board]) -> None:
        self.dialogue, self.board, self.person, self.new_board = dialogue, board, person, new_board
        self.analyzer = Analyzer(board)

    def new_game(self, _moves: Moves) -> Moves:
        self.board = self.new_board()
        self.analyzer = Analyzer(self.board)
        return ()

    def input_forms(self, _moves: Moves) -> Sequence[tuple[str, str]]:
        return (("b2", _("take that cell")),)

    def commands(self, _moves: Moves) -> dict[str, SessionCommand[Moves]]:
        return {
            "go": SessionCommand(lambda moves, _rest: moves, "go", _("resume my search after Ctrl-C")),
            "why": SessionCommand(self._why, _("why"), _("the value of every move, and best play")),
            "review": SessionCommand(self._review, _("review"), _("which of your moves spoiled the result")),
        }

    @property
    def quit_help(self) -> str:
        return _("quit the game")

    def opening(self, _moves: Moves) -> Sequence[str]:
        return [_("'help' lists the commands. The board: {options}").format(options=options_for(self.board))]

    def frame(self, _moves: Moves) -> Sequence[str]:
        return heading(_("Weighted tic-tac-toe"), options_for(self.board), "help", "undo", "quit")

    def prompt(self, moves: Moves) -> str:
        position = Position.after(self.board, moves)
        if position.outcome:
            return _("review, new or quit > ")
        return _("your move > ") if position.to_move is self.person else _("go, undo or quit > ")

    def abbreviations(self, moves: Moves) -> Mapping[str, str]:
        return {"r": "review", "n": "new"} if self._is_over(moves) else {}

    def _is_over(self, moves: Moves) -> bool:
        return Position.after(self.board, moves).outcome is not None

    def _review(self, moves: Moves, _rest: str) -> None:
        """Print the moves with which the user lost a win or a draw, and for each the move that would have kept it."""
        # Imported here because most games end without a review.
        from yomikiri.tictactoe.puzzles import from_game
        from yomikiri.wording import tictactoe_puzzles as puzzle_wording

        start = Position(self.board)
        lapses = self._search(lambda _position, budget: from_game(self.board, moves, self.person, budget), start)
        if lapses is None:
            return
        for lapse in lapses:
            if (best := self._search(self.analyzer.best_move, lapse.position)) is not None:
                self.dialogue.say(puzzle_wording.lapse(lapse, self.board.name(best)))
        if not lapses:
            self.dialogue.say(_("You made no mistake: each move kept the result."))

    def read(self, moves: Moves, line: str) -> Moves:
        if self._is_over(moves):
            raise game_is_over()
        move = parse_move(line, self.board)
        position = Position.after(self.board, moves)
        position.play(move)
        if position.to_move is not self.person:
            raise BoardError(
                N_("you cannot take {given}, it is my move: expected go, undo or quit"), given=self.board.name(move)
            )
        return (*moves, move)

    def undo(self, _moves: Moves) -> Moves:
        raise BoardError(N_("no move to take back: you have not made one yet"))

    def _why(self, moves: Moves, _rest: str) -> None:
        advice = self._search(self.analyzer.analyze, Position.after(self.board, moves))
        if advice is not None:
            self.dialogue.say(*analysis_lines(advice))

    def _search(self, search: Callable[[Position, Budget], T], position: Position) -> T | None:
        """Return the result of `search`, or None if the user stopped it and the partial result was printed.

        Raises `click.Abort` if the search is stopped and the input is not a terminal.
        """
        try:
            with searching(wording.solving(), partial(wording.progress, position.to_move)) as budget:
                return search(position, budget)
        except Stopped as stopped:
            if not self.dialogue.interactive:
                raise click.Abort from None
            found: PartialAdvice = stopped.best
            if found.moves:
                self.dialogue.say(*move_value_lines(found))
            self.dialogue.say(wording.interrupted(wording.so_far(found)))
            return None

    def show(self, moves: Moves) -> Moves:
        """Make the program's move if it is its turn, and print the position."""
        position = Position.after(self.board, moves)
        if not position.outcome and position.to_move is not self.person:
            best = self._search(self.analyzer.best_move, position)
            if best is None:
                self.dialogue.say(_("I am still to move: 'go' resumes my search, 'undo' takes back your move."))
                return moves
            self.dialogue.say(_("I take {cell}.").format(cell=self.board.name(best)))
            moves, position = (*moves, best), position.play(best)
        self.dialogue.say(*picture(position))
        outcome = position.outcome
        self.dialogue.say(wording.result(outcome, self.board) if outcome else wording.to_move(position))
        return moves
