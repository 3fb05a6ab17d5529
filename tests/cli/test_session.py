"""The loop of a session: reading lines, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from yomikiri.cli.base import INTERRUPTED
from yomikiri.cli.commands import SessionCommand
from yomikiri.cli.history import History
from yomikiri.cli.session import SessionGame, TerminalSession
from yomikiri.cli.terminal import Dialogue
from yomikiri.common.errors import N_, InputError, TurnError


class Pipe(Dialogue):
    """A dialogue through a pipe with these input lines; it records the output."""

    def __init__(self, *lines: str) -> None:
        self.interactive = self.is_terminal = False
        self.given, self.said = list(lines), list[str]()

    def ask(self, prompt: str, blank: bool = False) -> str | None:
        return self.given.pop(0) if self.given else None

    @contextmanager
    def until_typed(self, prompt: str) -> Iterator[Callable[[], bool]]:
        raise AssertionError("nothing is searched for")

    def say(self, *texts: str) -> None:
        self.said += texts

    def say_errors(self, *texts: str) -> None:
        self.said += texts


class Sums(SessionGame[tuple[int, ...]]):
    """A game that adds numbers; after an odd sum, the program adds 1."""

    quit_help = "leave"

    def __init__(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue

    def read(self, state: tuple[int, ...], line: str) -> tuple[int, ...] | None:
        if line == "0":
            self.dialogue.say("nothing")
            return None
        return (*state, int(line) if line.isdecimal() else len(line))

    def show(self, state: tuple[int, ...]) -> tuple[int, ...]:
        state = (*state, 1) if sum(state) % 2 else state
        self.dialogue.say(f"= {sum(state)}")
        return state

    def commands(self, state: tuple[int, ...]) -> dict[str, SessionCommand[tuple[int, ...]]]:
        return {
            "same": SessionCommand(lambda now, _rest: now, "same", "show again"),
            "double": SessionCommand(
                lambda now, rest: now * int(rest or "2"), "double", "all of it twice", has_argument=True
            ),
        }

    def input_forms(self, state: tuple[int, ...]) -> Sequence[tuple[str, str]]:
        return (("5", "a number"),)

    def opening(self, state: tuple[int, ...]) -> Sequence[str]:
        return ["sums"]

    def undo(self, state: tuple[int, ...]) -> tuple[int, ...]:
        raise InputError(N_("nothing to redo: use 'undo' first"))

    def is_move(self, state: tuple[int, ...], line: str) -> bool:
        return line == "double"


def said(*lines: str) -> list[str]:
    dialogue = Pipe(*lines)
    session = TerminalSession(dialogue, Sums(dialogue), ())
    status: object = 0
    try:
        session.run_loop()
    except SystemExit as end:
        status = end.code
    assert status == (2 if dialogue.has_errors else 0)
    assert dialogue.has_errors == any(line.startswith("error: ") for line in dialogue.said)
    return dialogue.said


def test_undo_reverts_the_line_and_the_reply_of_the_program():
    assert said("3", "2", "undo", "undo", "redo", "redo") == [
        *("sums", "= 0", "= 4", "= 6"),
        *("= 4", "= 0", "= 4", "= 6"),
    ]


def test_command_without_effect_cannot_be_undone():
    assert said("4", "same", "0", "undo") == ["sums", "= 0", "= 4", "= 4", "nothing", "= 0"]


def test_arguments_of_a_command_without_parameters_are_refused():
    assert said("4", "same 2", "undo 3")[2:5] == [
        "= 4",
        "error: 'same 2': expected 'same' alone",
        "'help' lists all you can type.",
    ]


def test_move_spelled_like_a_command_needs_a_slash_for_the_command():
    expected = ["Read as part of the game. For the command, type '/double'.", "= 8", "= 16", "= 32"]
    assert said("2", "double", "/double", "double 2")[3:] == expected


def test_invalid_lines_are_reported_and_the_session_continues():
    heard = said("/treble", "2", "undo", "undo", "quit", "3")
    assert heard[2] == "error: '/treble' is not a command: expected one that 'help' lists"
    assert heard[3:] == [
        "'help' lists all you can type.",
        "= 2",
        "= 0",
        "error: nothing to redo: use 'undo' first",
    ]


def test_help_lists_input_forms_and_commands():
    first = [line.split(maxsplit=1)[0] for line in said("help")[2:]]
    assert first == ["5", "undo", "redo", "same", "double", "help", "quit"]


def undone(state: str) -> str:
    return state[:-1]


def test_undo_and_redo_are_inverse():
    history = History("a").step("ab").step("abc")
    back = history.undo(undone)
    assert (back.now, back.undo(undone).now, back.redo()) == ("ab", "a", history)


def test_undo_before_the_first_action_derives_an_earlier_state():
    history = History("ab").undo(undone)
    assert (history.now, history.redo().now) == ("a", "ab")


def test_redo_is_refused_after_another_action():
    history = History("a").step("ab").undo(undone).step("ac")
    with pytest.raises(TurnError, match="nothing to redo"):
        history.redo()


class Interrupted(Sums):
    """A game that is interrupted when it starts to search."""

    rested = 0

    def wait(self, state: tuple[int, ...]) -> tuple[int, ...]:
        raise KeyboardInterrupt

    def stop_search(self) -> None:
        self.rested += 1


class Person(Pipe):
    """A user at a terminal."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.interactive = True

    @contextmanager
    def hiding_keys(self) -> Iterator[None]:
        yield


def test_interrupt_between_lines_stops_the_search_and_reads_on():
    person = Person("2")
    game = Interrupted(person)
    TerminalSession(person, game, ()).run_loop()
    assert person.said == ["sums", "= 0", "= 2"]
    assert game.rested == 2, "once before each line"
    with pytest.raises(SystemExit) as left:
        TerminalSession(pipe := Pipe("2"), Interrupted(pipe), ()).run_loop()
    assert left.value.code == INTERRUPTED
