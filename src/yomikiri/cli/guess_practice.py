"""`yomikiri guess practice`: puzzles from games with lists of codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from yomikiri.api.guessing_game import CONFLICTS, GAME, LIMIT, game_of
from yomikiri.cli.asking import with_settings
from yomikiri.cli.base import command
from yomikiri.cli.puzzles import CODE_PUZZLE_SEED, COMMANDS, DIFFICULTY, CodePractice, GuessPuzzleState
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.session import TerminalSession, seeds
from yomikiri.cli.terminal import Dialogue
from yomikiri.cli.text import heading
from yomikiri.common.enums import Difficulty, fold
from yomikiri.common.seeds import check_seed
from yomikiri.guessing.game import Position
from yomikiri.guessing.puzzles import best_guess, check, clues, generated
from yomikiri.wording import _
from yomikiri.wording import guessing as wording
from yomikiri.wording import puzzles as puzzle_wording


@command(conflicts=CONFLICTS)
@with_settings(*(setting for setting in GAME if setting is not LIMIT), DIFFICULTY, CODE_PUZZLE_SEED)
def practice(difficulty: str, seed: str | None, **given: Any) -> None:
    """Solve puzzles: find the best guess in a position of your game.

    Type a guess; 'hint' gives up to three hints, 'answer' a best guess, 'new' the next puzzle.
    """
    game, kind, dialogue = game_of({**given, LIMIT.key: None}), Difficulty(difficulty), Dialogue()
    puzzles = (generated(game, each, kind, search_budget()) for each in seeds(seed, check_seed))
    TerminalSession(dialogue, ListPractice(dialogue, puzzles), GuessPuzzleState(next(puzzles))).run_loop()


class ListPractice(CodePractice[Position]):
    """Puzzles from a game with lists of codes, with the score of this session."""

    def __init__(self, dialogue: Dialogue, puzzles: Iterator[Position]) -> None:
        super().__init__(dialogue, puzzles)
        self.tries = self.solved = self.row = 0

    def input_forms(self, state: GuessPuzzleState[Position]) -> Sequence[tuple[str, str]]:
        return ((state.puzzle.candidates[0], _("your guess")),)

    def is_move(self, state: GuessPuzzleState[Position], line: str) -> bool:
        return fold(line) in state.puzzle.game.guesses

    def opening(self, state: GuessPuzzleState[Position]) -> Sequence[str]:
        position = state.puzzle
        question = puzzle_wording.question(len(position.candidates))
        return [*wording.turns(position), wording.candidates(position), question]

    def frame(self, state: GuessPuzzleState[Position]) -> Sequence[str]:
        return [*heading(_("Practise"), self._score, *COMMANDS, "quit"), *self.opening(state)]

    @property
    def _score(self) -> str:
        """The score of the session as text, empty before the first guess."""
        return puzzle_wording.score(self.solved, self.tries, self.row) if self.tries else ""

    def tried(self, state: GuessPuzzleState[Position], line: str) -> GuessPuzzleState[Position]:
        found = check(state.puzzle, line, search_budget())
        self._count(state, found.is_solved)
        return replace(state, guess=found.guess, done=found.is_solved)

    def _count(self, state: GuessPuzzleState[Position], is_solved: bool) -> None:
        """Count a guess in the score if it is the first guess at its puzzle."""
        if not state.guess:
            self.tries, self.solved = self.tries + 1, self.solved + is_solved
            self.row = self.row + 1 if is_solved else 0

    def show(self, state: GuessPuzzleState[Position]) -> GuessPuzzleState[Position]:
        if state.clues_shown:
            self.say_clues(
                state, puzzle_wording.symbol_clues(clues(state.puzzle, search_budget()), state.puzzle.game.places)
            )
        if state.guess:
            found = check(state.puzzle, state.guess, search_budget())
            self.dialogue.say(*wording.guess_result(found, state.puzzle))
        if state.done and not self.dialogue.draws:
            self.dialogue.say(self._score)
        return state

    def answer(self, state: GuessPuzzleState[Position]) -> GuessPuzzleState[Position]:
        if state.done:
            return state
        guess = best_guess(state.puzzle, search_budget())
        self._count(state, False)
        return replace(state, guess=guess, done=True)
