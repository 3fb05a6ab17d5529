"""`yomikiri hitblow practice` and `daily`: puzzles, also from your own mistakes, and the number of the day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import chain

import click

from yomikiri.cli import hitblow_screens as screens
from yomikiri.cli.asking import options_of, with_settings
from yomikiri.cli.base import command, given_values, option
from yomikiri.cli.commands import SessionCommand
from yomikiri.cli.hitblow_play import PersonGuesses
from yomikiri.cli.hitblow_session import typed_guess
from yomikiri.cli.puzzles import CODE_PUZZLE_SEED, COMMANDS, DIFFICULTY, CodePractice, GuessPuzzleState
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.session import TerminalSession, seeds
from yomikiri.cli.terminal import Dialogue
from yomikiri.cli.text import heading
from yomikiri.common.enums import Difficulty
from yomikiri.common.errors import N_, InputError, TurnError
from yomikiri.common.seeds import check_seed
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.model import game as games
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice.lessons import play_report
from yomikiri.hitblow.practice.play import day_of, number_of
from yomikiri.hitblow.practice.puzzles import GuessPuzzle, check, clues, from_report, generated, in_a_row
from yomikiri.hitblow.practice.record import Record, Result, histogram, longest, streak
from yomikiri.saves import RecordStore
from yomikiri.wording import _, cause, use_words
from yomikiri.wording import hitblow as board_wording
from yomikiri.wording import learning as wording
from yomikiri.wording import puzzles as puzzle_wording
from yomikiri.wording import screens as screen_wording


@command()
@options_of(*games.RULES, games.WORDS)
@with_settings(DIFFICULTY, CODE_PUZZLE_SEED)
@click.pass_context
def practice(ctx: click.Context, difficulty: str, seed: str | None) -> None:
    """Solve puzzles: find the best guess in a position. Without --seed, your own mistakes come first.

    Type a guess; 'hint' gives up to three hints, 'new' the next puzzle.
    """
    game, dialogue, records = games.game_of(given_values(ctx).items()), Dialogue(), RecordStore()
    use_words(game.words)
    rules, kind = game.rules, Difficulty(difficulty)
    own = () if seed else records.read().puzzles(rules)
    # Without a seed, the user's own mistakes come first. Each generated puzzle then has its own seed.
    puzzles = chain(own, (generated(rules, each, kind) for each in seeds(seed, check_seed)))
    TerminalSession(
        dialogue, GuessPractice(dialogue, game.words, puzzles, records), GuessPuzzleState(next(puzzles))
    ).run_loop()


class GuessPractice(CodePractice[GuessPuzzle]):
    """A session of puzzles that ask for the best guess. `records` stores how well the user solves them."""

    def __init__(self, dialogue: Dialogue, words: Words, puzzles: Iterator[GuessPuzzle], records: RecordStore) -> None:
        super().__init__(dialogue, puzzles)
        self.words, self.records = words, records
        self.streak = in_a_row(records.read().solved)

    def input_forms(self, state: GuessPuzzleState[GuessPuzzle]) -> Sequence[tuple[str, str]]:
        return ((board_wording.example(state.puzzle.board.rules), _("your guess")),)

    def opening(self, state: GuessPuzzleState[GuessPuzzle]) -> Sequence[str]:
        return [*board_wording.lines(state.puzzle.board, self.words), puzzle_wording.question(state.puzzle.board.count)]

    def frame(self, state: GuessPuzzleState[GuessPuzzle]) -> Sequence[str]:
        board = state.puzzle.board
        streak = puzzle_wording.streak(self.streak) if self.streak else ""
        detail = "  ".join(filter(None, (screen_wording.rules(board.rules), streak)))
        origin = [wording.own_game_note(state.puzzle)] if state.puzzle.played else []
        return [
            *heading(_("Practise"), detail, *COMMANDS, "quit"),
            *screens.turns(board, self.words),
            *origin,
            puzzle_wording.question(state.puzzle.board.count),
            *screens.candidates_row(board),
        ]

    def tried(self, state: GuessPuzzleState[GuessPuzzle], line: str) -> GuessPuzzleState[GuessPuzzle]:
        guess = typed_guess(line, state.puzzle.board.rules)
        solved = check(state.puzzle, guess, Exact()).solved
        # Only the first guess at a puzzle and the guess that solves it change the record.
        if solved or not state.guess:
            self._remember(state, solved)
        return replace(state, guess=guess, done=solved)

    def _remember(self, state: GuessPuzzleState[GuessPuzzle], solved: bool) -> None:
        def changed(record: Record) -> Record:
            later = record.tried(state.puzzle, solved)
            return later if not state.guess else replace(later, solved=record.solved)

        with suppress(OSError):
            self.records.change(changed)
        if not state.guess:
            self.streak = self.streak + 1 if solved else 0

    def show(self, state: GuessPuzzleState[GuessPuzzle]) -> GuessPuzzleState[GuessPuzzle]:
        if not state.guess and not state.clues_shown:
            return state
        board = state.puzzle.board
        self.say_clues(state, puzzle_wording.clues(clues(state.puzzle), board.rules.digits))
        if state.guess:
            found = check(state.puzzle, state.guess)
            self.dialogue.say(wording.guess_result(found), *wording.meanings(found, self.words))
            self.dialogue.say(wording.split(found.weighed.played), *filter(None, [wording.value(found.weighed)]))
        return state

    def answer(self, state: GuessPuzzleState[GuessPuzzle]) -> GuessPuzzleState[GuessPuzzle]:
        best = check(state.puzzle, state.puzzle.board.codes(1)[0]).weighed.best.guess
        if not state.guess:
            self._remember(state, False)
        return replace(state, guess=best, done=True)


@command()
@option("--day", metavar="DATE", help="Play the number of another day, such as 2026-11-25.")
def daily(day: str | None) -> None:
    """Guess today's three-digit number. It is the same for everyone.

    The first result of a day counts, found or given up ('giveup'). Guesses cannot be undone. If you quit, you resume
    where you stopped. A streak counts the days whose number you found on that day.
    """
    today = date.today()
    chosen_day = day_of(day) if day else today
    if chosen_day > today:
        raise InputError(N_("day={given} is still to come: expected today or earlier"), given=str(chosen_day))
    game = Daily(dialogue := Dialogue(), chosen_day, today, RecordStore())
    TerminalSession(dialogue, game, Assistant(game.play.board, Exact(), search_budget())).run_loop()


class Daily(PersonGuesses):
    """The number of the day. Each guess is saved, and so is the first result of the day."""

    can_restart = can_undo = False
    offered = "help", "giveup", "quit"

    def __init__(self, dialogue: Dialogue, day: date, today: date, records: RecordStore) -> None:
        self.record = records.read()
        self.play = replace(number_of(day), guesses=self.record.guesses_of(day))
        super().__init__(dialogue, Words.HIT, iter([self.play.program_secret]))
        self.day, self.today, self.records = day, today, records
        self.given_up = False
        # the results for this day from earlier sessions
        self.done = [result for result in self.record.daily if result.day == day]

    def named(self, _known: Knowledge) -> str:
        return _("Number of {day}").format(day=self.day)

    def opening(self, state: Assistant) -> Sequence[str]:
        return [*super().opening(state), *self._introduction()]

    def frame(self, state: Assistant) -> Sequence[str]:
        return [*super().frame(state), *([] if state.known.turns else self._introduction())]

    def _introduction(self) -> Iterator[str]:
        """Yield the day of the number, and a reason if the result of this game does not count."""
        yield wording.day_heading(self.day)
        if self.done:
            yield wording.finished_notice(self.done[0])
        elif self.day < self.today:
            yield wording.late_notice()

    def commands(self, state: Assistant) -> dict[str, SessionCommand[Assistant]]:
        commands = {
            name: each for name, each in super().commands(state).items() if name not in ("hint", "edit", "table", "why")
        }
        give = SessionCommand(self._give_up, _("giveup"), _("give up: show the number; the day counts as not found"))
        return {**commands, "giveup": give}

    @property
    def short_help(self) -> Sequence[str]:
        return ("giveup", "list", "review")

    @property
    def quit_help(self) -> str:
        return _("quit; you can continue later")

    def prompt(self, state: Assistant) -> str:
        return _("review or quit > ") if self._is_over(state) else super().prompt(state)

    def read(self, state: Assistant, line: str) -> Assistant | None:
        if self._is_over(state):
            raise TurnError(N_("the game of this day is over: type 'review' or 'quit'"))
        return super().read(state, line)

    def show(self, state: Assistant) -> Assistant:
        if not self._is_over(state):
            return state
        say = self.dialogue.say
        secret = _("The secret was {secret}.").format(secret=self.secret)
        say(secret if self.given_up else board_wording.found(state.known.turns))
        kept = self.record.daily
        say(wording.streaks(streak(kept, self.today), longest(kept)), *wording.chart(histogram(kept)))
        hints = [turn.hint for turn in state.known.played]
        say("", *wording.share_text(self._result(state), hints, state.known.rules.digits).splitlines())
        return state

    def print_effect(self, before: Assistant, now: Assistant) -> None:
        if now.finished and not before.finished:
            self._keep(now)
        elif not now.finished:
            self._change(lambda record: record.guessed(self.day, self._guesses(now)))

    def on_quit(self, state: Assistant) -> None:
        """Print that the guesses are saved. The number is not shown, because the user can resume the game."""
        if self.records.read().guesses_of(self.day):
            self.dialogue.say(_("Saved. Start the program again to continue."))

    def _is_over(self, state: Assistant) -> bool:
        return state.finished or self.given_up

    def _result(self, state: Assistant) -> Result:
        return Result(self.day, len(state.known.turns), state.finished, late=self.day < self.today)

    def _give_up(self, state: Assistant, _rest: str) -> Assistant:
        if not self._is_over(state):
            self.given_up = True
            self._keep(state)
        return state

    def _keep(self, state: Assistant) -> None:
        """Save the result, and the mistakes as puzzles, unless the day already had a result."""
        if self.done:
            return
        guesses = self._guesses(state)
        mistakes = from_report(play_report(replace(self.play, guesses=guesses), Exact())) if guesses else ()
        self._change(lambda record: record.finished(self._result(state)).with_mistakes(mistakes))

    def _guesses(self, state: Assistant) -> tuple[str, ...]:
        return tuple(turn.guess for turn in state.known.turns)

    def _change(self, change: Callable[[Record], Record]) -> None:
        """Change the record on the disk. If that fails, print the reason and change it in memory only."""
        try:
            self.record = self.records.change(change)
        except OSError as error:
            self.dialogue.note(_("The game cannot be saved: {reason}").format(reason=cause(error)))
            self.record = change(self.record)
