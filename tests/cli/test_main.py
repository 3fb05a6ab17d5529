"""Exit statuses, usage errors, help, interrupts, closed or full streams, and shell completion.

Also tests `cli/examples.py`: examples that the parser accepts.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.cli.run import run
from tests.terminal import Terminal

from yomikiri import __version__
from yomikiri.cli.examples import EXAMPLES
from yomikiri.cli.main import cli

ROOT = Path(__file__).parent.parent.parent
PROGRAM = f"'{sys.executable}' -m yomikiri"


def commands(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command, starting with the root."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below
            yield from commands(below, *path, name)


COMMANDS = [*commands(cli)]


def shell(line: str) -> tuple[int, str, str]:
    """Run a line in bash, with `yomikiri` replaced by the program; return status, output and errors."""
    done = subprocess.run(
        ["bash", "-c", line.replace("yomikiri", PROGRAM)], capture_output=True, text=True, errors="replace",
        stdin=subprocess.DEVNULL, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_h_and_help_print_the_same_and_exit_0(path: tuple[str, ...]):
    short, long = run(*path, "-h"), run(*path, "--help")
    assert short.exit_code == long.exit_code == 0
    assert short.stdout == long.stdout
    assert short.stdout.startswith(f"Usage: {' '.join(('yomikiri', *path))} ")
    assert short.stderr == ""


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_ends_with_examples_that_parse(path: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for name in ("words.txt", "allowed.txt", "passwords.txt"):
        Path(name).write_text("crane\nbrute\n")
    assert set(EXAMPLES) == {" ".join(each) for each in COMMANDS}
    shown = run(*path, "-h").stdout.rpartition("\n\nExamples:\n")[2].splitlines()
    assert 2 <= len(shown) <= 3
    assert len(set(shown)) == len(shown)
    for line in shown:
        assert line.startswith(f"  {' '.join(('yomikiri', *path))}") or "|" in line
        for part in line.split(" | "):
            words = shlex.split(re.split(" [<>] ", part)[0])
            assert words[0] == "yomikiri"
            parse(words[1:])


def parse(words: list[str]) -> None:
    """Parse a command line without running it; raises a `click.UsageError`."""
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        context = click.Context(command)
        known = command.list_commands(context)
        _name, below, words = command.resolve_command(context, words if words[0] in known else ["show", *words])
        assert below
        command = below
    if not isinstance(command, click.Group):
        command.make_context(command.name, words)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_japanese_help_has_no_english_sentence(path: tuple[str, ...]):
    lines = run(*path, "--lang", "ja", "-h").stdout.splitlines()
    assert lines[0].startswith("使い方：")
    assert "例：" in lines
    # Names and values of options stay; a sentence of three English words in a row does not.
    for line in lines[1:]:
        words = line.split("  ")[-1]
        assert not (words.isascii() and words.count(" ") >= 2 and words.endswith(".")), line


def test_version_goes_to_standard_output():
    result = run("--version")
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"yomikiri {__version__}\n", "")


# `check` passes unknown options to the checked program.
OWN_OPTIONS = [path for path in COMMANDS if path != ("tictactoe", "check")]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("path", OWN_OPTIONS, ids=" ".join)
@pytest.mark.parametrize("wrong", ["--nonsense", "-z"])
def test_usage_error_is_one_line_with_a_hint_and_exits_2(path: tuple[str, ...], wrong: str, language: str):
    result = run(*path, wrong, "--lang", language)
    assert (result.exit_code, result.stdout) == (2, "")
    complaint, hint = result.stderr.splitlines()
    assert complaint.startswith("error: " if language == "en" else "エラー：")
    shown = (*path, "show") if path[-1:] == ("store",) else path  # `store FILE` is short for `store show FILE`
    assert " ".join(("yomikiri", *shown)) + " -h" in hint


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_unknown_language_is_a_usage_error_of_every_command(path: tuple[str, ...]):
    result = run(*path, "--lang", "xx")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'xx' is not one of 'en', 'ja'" in result.stderr.splitlines()[0]


@pytest.mark.parametrize("group", [(), ("hitblow",), ("tictactoe",)], ids=" ".join)
def test_unknown_command_is_named(group: tuple[str, ...]):
    result = run(*group, "nonsense")
    assert result.exit_code == 2
    assert "'nonsense'" in result.stderr.splitlines()[0]


@pytest.mark.slow
@pytest.mark.parametrize("path", [(), ("hitblow", "assist"), ("hitblow", "play"), ("tictactoe", "play")], ids=" ".join)
def test_interrupt_clears_a_partial_line_and_two_more_exit_130(path: tuple[str, ...]):
    with Terminal(*path) as terminal:
        terminal.see(">")
        terminal.type("01")
        terminal.see("> 01")
        assert terminal.interrupt() == 130
        assert "Press Ctrl-C again to quit." in terminal.screen
        assert "Traceback" not in terminal.shown


IN_HIGHS = """
import click
from tests.hitblow.race.test_linear import game
from yomikiri.cli import main as program
from yomikiri.cli.terminal import searching
from yomikiri.hitblow.race.linear import optimum

def work():
    hard = game(700)
    with searching("", str) as budget:
        print("now", flush=True)
        optimum(hard, budget)

program.cli.add_command(click.Command("work", callback=work))
sys.argv[1:] = ["work"]
program.main()
"""


@pytest.mark.parametrize(
    "gap", [0.0, *(pytest.param(gap, marks=pytest.mark.exhaustive) for gap in (0.003, 0.01, 0.05))]
)
def test_repeated_interrupts_end_the_solver_without_output(gap: float):
    """HiGHS runs in a thread without signals. The first interrupt waits for it; the second ends the process."""
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys\n" + IN_HIGHS], text=True, cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    assert process.stdout.readline() == "now\n"
    time.sleep(0.2)
    for _ in range(4):
        process.send_signal(signal.SIGINT)
        time.sleep(gap)
    _out, err = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT), err
    assert err.strip() == ""


def test_interrupt_exits_130_and_names_unfinished_work():
    with Terminal("hitblow", "simulate", "--digits", "4") as terminal:
        terminal.read_until("exact")
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert "Interrupted. Not finished: exact" in terminal.screen
        assert "Traceback" not in terminal.shown


@pytest.mark.parametrize(
    "command", ["hitblow candidates", "hitblow candidates --json", "hitblow candidates --digits 5"]
)
def test_closed_pipe_is_not_an_error(command: str):
    status, out, err = shell(f"yomikiri {command} | head -1; exit ${{PIPESTATUS[0]}}")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1


def test_full_disk_is_reported_in_one_line():
    status, _out, err = shell("yomikiri hitblow candidates > /dev/full")
    assert (status, err) == (2, "error: cannot write: No space left on device\n")


def test_pipe_closed_before_the_start_is_not_an_error():
    assert shell("(sleep 1; yomikiri --version) | true; exit ${PIPESTATUS[0]}") == (0, "", "")


# The output of the assistant before the first answer.
ASKED = "1. Guess 012 (720 candidates).\nProven optimal: 4.97 more guesses on average, 7 at most."


@pytest.mark.parametrize(
    ("streams", "shown"),
    [("<&-", ASKED), (">&-", ""), ("2>&-", ASKED), ("<&- >&- 2>&-", "")],
)
def test_closed_streams_act_as_empty_ones(streams: str, shown: str):
    status, out, err = shell(f"yomikiri hitblow assist {streams}")
    assert (status, err) == (0, "")
    assert out.endswith(f"{shown}\n" if shown else "")


@pytest.mark.parametrize("group", ["hitblow", "tictactoe"])
def test_group_without_command_shows_its_help(group: str):
    status, printed, complained = shell(f"yomikiri {group}")
    assert (status, printed) == (2, "")
    assert complained.startswith(run(group, "-h").stdout.partition("...")[0])


ESCAPE = "\x1b[31mred"


@pytest.mark.parametrize(
    "arguments", [[f"--{ESCAPE}"], ["hitblow", ESCAPE], ["hitblow", "suggest", "--policy", ESCAPE]]
)
def test_error_messages_omit_control_characters(arguments: list[str]):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    assert "[31mred" in result.stderr


@pytest.mark.parametrize(
    ("line", "encoding", "language"),
    [
        ("hitblow review 012:0H1B 134:1H0B", "ascii", "ja"),
        ("tictactoe analyze --board 1,2,3/4,5,6/7,8,10", "cp1252", "en"),
        ("hitblow suggest --symbols ★☆①②③ ★☆①:0H2B", "cp932", "ja"),
    ],
)
def test_other_output_encodings_cause_no_error(line: str, encoding: str, language: str):
    there = f"PYTHONIOENCODING={encoding} yomikiri {line} --lang {language}"
    status, _printed, complained = shell(f"{there} | cat; exit $PIPESTATUS")
    assert status == 0
    assert "Traceback" not in complained


def test_session_continues_if_the_encoding_lacks_characters():
    there = "PYTHONIOENCODING=latin-1 yomikiri hitblow assist"
    status, _printed, complained = shell(f"printf '0H1B\\nlist\\nquit\\n' | {there} | cat; exit $PIPESTATUS")
    assert status == 0
    assert "Traceback" not in complained


INSTALL = (ROOT / "docs/guide/install.md").read_text(encoding="utf-8")
COMPLETION = {shell: line for line, shell in re.findall(r"^(.*=(\w+)_source yomikiri.*?) +#", INSTALL, re.MULTILINE)}


def in_bash(script: str) -> str:
    """Run a script in bash with the installed program on the path; return its output."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env={**os.environ, "PATH": path}, check=True
    )
    assert done.stderr == ""
    return done.stdout


def test_bash_completion_line_completes_commands_and_values():
    script = [COMPLETION["bash"], "complete -p yomikiri >/dev/null"]
    for words in ("yomikiri hitblow ca", "yomikiri hitblow suggest --policy en"):
        script.append(f"COMP_WORDS=({words}) COMP_CWORD={len(words.split()) - 1} COMPREPLY=()")
        script.append('_yomikiri_completion yomikiri; echo "${COMPREPLY[@]}"')
    assert in_bash("\n".join(script)).split() == ["candidates", "entropy"]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "word"), [("zsh", "compdef"), ("fish", "complete --no-files --command yomikiri")])
def test_completion_lines_for_other_shells_print_their_script(name: str, word: str):
    (source,) = re.findall(r"_YOMIKIRI_COMPLETE=\w+ yomikiri", COMPLETION[name])
    assert word in in_bash(source)


@pytest.mark.parametrize(
    ("arguments", "environment", "japanese"),
    [
        (("--lang", "ja", "hitblow", "candidates", "x"), {}, True),
        (("hitblow", "candidates", "x", "--lang", "ja"), {}, True),
        (("hitblow", "candidates", "x", "--lang", "en"), {"LC_ALL": "ja_JP.UTF-8"}, False),
        (("tictactoe", "check", "no-such-program", "Aoki", "--lang", "ja"), {}, False),
        (("tictactoe", "check", "--lang", "ja", "no-such-program", "Aoki"), {}, True),
        (("hitblow", "candidates", "x"), {"LC_ALL": "fr_FR.UTF-8", "LANG": "ja_JP.UTF-8"}, False),
        (("hitblow", "candidates", "x"), {"LANG": "ja_JP.UTF-8"}, True),
    ],
)
def test_language_comes_from_options_and_environment(arguments, environment, japanese, monkeypatch):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    said = run(*arguments).stderr
    assert any(letter > "\u3000" for letter in said) == japanese
    assert said


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("hitbow", "no such command 'hitbow'. Did you mean 'hitblow'?"),
        ("tictactoe winer", "no such command 'winer'. Did you mean 'winner'?"),
        ("hitblow sugest", "no such command 'sugest'. Did you mean 'suggest'?"),
        (
            "suggest 012:1H1B",
            "no such command 'suggest'. Did you mean 'yomikiri hitblow suggest', 'yomikiri guess suggest'?",
        ),
        ("play", "Did you mean 'yomikiri hitblow play', 'yomikiri guess play', 'yomikiri tictactoe play'?"),
        ("hitblow suggest --polcy exact", "no such option '--polcy'. Did you mean '--policy'?"),
        ("hitblow suggest --preset numerom", "'mastermind'. Did you mean 'numeron'?"),
        ("hitblow xyzzy", "no such command 'xyzzy'."),
        ("hitblow suggest --preset chess", "'mastermind'."),
    ],
)
def test_mistyped_commands_and_options_get_a_suggestion(line: str, meant: str):
    result = run(*line.split())
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0].endswith(meant)


def test_help_groups_options_and_does_not_cut_sentences():
    shown = run("hitblow", "match", "-h").stdout
    places = [shown.index(heading) for heading in ("This command:", "Known facts:", "The game:", "Output:")]
    assert places == sorted(places)
    assert places[1] < shown.index("--absent") < places[2] < shown.index("--digits") < places[3] < shown.index("--json")
    assert "..." not in run("hitblow", "-h").stdout.partition("Commands:")[2]
