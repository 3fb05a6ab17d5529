"""Input files given by the user: file types, size limits, and error messages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from tests.cli.run import run

from yomikiri.cli import files
from yomikiri.common.file_errors import unwritable_file
from yomikiri.wording import sentence, use_language

SOURCE = Path(files.__file__).parent.parent
WEIGHED = ("--digits", "2", "--symbols", "1234")

# Every command that reads a given file or folder.
READING = [
    ("hitblow", "suggest", *WEIGHED, "--weights", "FILE"),
    ("hitblow", "match", *WEIGHED, "--weights", "FILE"),
    ("hitblow", "race", *WEIGHED, "--information", "unseen", "--weights", "FILE"),
    ("hitblow", "interact", *WEIGHED, "--weights", "FILE"),
    ("hitblow", "solve", *WEIGHED, "--weights", "FILE"),
    ("hitblow", "verify", "FILE"),
    ("hitblow", "simulate", "--strategy", "FILE"),
    ("tictactoe", "winner", "FILE"),
    ("tictactoe", "analyze", "FILE"),
    ("tictactoe", "play", "FILE"),
]
KEEPING = [
    ("hitblow", "race", *WEIGHED, "--store", "FILE"),
    ("hitblow", "solve", *WEIGHED, "--store", "FILE"),
    ("hitblow", "store", "FILE"),
    ("hitblow", "store", "merge", "FILE", "FILE", "--output", "FILE"),
    ("hitblow", "solve", *WEIGHED, "--output", "FILE"),
    ("hitblow", "export", *WEIGHED, "--output", "FILE"),
]


def named(command: tuple[str, ...], file: str) -> list[str]:
    return [file if word == "FILE" else word for word in command]


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_devices_are_refused(command: tuple[str, ...]):
    result = run(*named(command, "/dev/zero"))
    assert (result.exit_code, result.stderr) == (2, "error: cannot read /dev/zero: expected a file or a pipe\n")


def test_devices_are_refused_in_japanese():
    result = run("--lang", "ja", "hitblow", "verify", "/dev/zero")
    assert result.stderr == "エラー：/dev/zero を読み込めません。ファイルかパイプを指定してください。\n"
    use_language("en")


@pytest.mark.parametrize("command", [*READING, *KEEPING], ids=" ".join)
@pytest.mark.parametrize("folder", ["/", ".", "..", "/tmp/"])
def test_folders_are_refused_in_one_line(command: tuple[str, ...], folder: str):
    result = run(*named(command, folder))
    assert result.exit_code == 2
    assert re.fullmatch(r"error: .*\n", result.stderr), result.stderr
    assert not list(Path(folder).absolute().parent.glob("*.lock"))


@pytest.mark.parametrize("command", [*READING[:1], *READING[5:7]], ids=" ".join)
def test_files_above_the_size_limit_are_refused(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("yomikiri.cli.files.MOST_TEXT", 1 << 20)
    monkeypatch.chdir(tmp_path)
    Path("long").write_bytes(b"\n" * (1 << 20) + b"\n")
    result = run(*named(command, "long"))
    assert (result.exit_code, result.stderr) == (2, "error: long is too long: expected at most 1 MiB of text\n")


def test_pipes_and_standard_input_are_read(tmp_path: Path):
    pipe, weights = tmp_path / "pipe", "12,10\r\n13,1\n41,1\n"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(weights,))
    writer.start()
    result = run("hitblow", "candidates", *WEIGHED, "--weights", str(pipe))
    writer.join()
    assert result.stdout.splitlines()[0] == "12 83%"
    assert run("hitblow", "candidates", *WEIGHED, "--weights", "-", given=weights).stdout == result.stdout


@pytest.mark.parametrize("command", ["hitblow assist", "hitblow match", "hitblow interact", "tictactoe play"])
def test_overlong_input_line_ends_the_session(command: str):
    result = run(*command.split(), given="0" * ((1 << 16) + 1))
    assert result.exit_code == 2
    assert result.stderr == "error: a line of the input is too long: expected at most 65536 characters\n"


def test_endless_board_is_refused_after_its_first_rows():
    process = subprocess.Popen(
        [sys.executable, "-m", "yomikiri", "tictactoe", "analyze"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    process.stdin.write(b"1\n" * 100)
    process.stdin.flush()  # the input stays open
    assert process.stderr
    assert b"error: " in process.stderr.readline()
    process.communicate()
    assert process.returncode == 2


def test_only_the_files_module_opens_files_of_the_user():
    """Commands open their input through `files` only; other modules read only files of the program."""
    reading = re.compile(r"\bopen\((?!\"wb\")|\.read_(?:text|bytes)\(|stdin\.(?:readline|read)\b")
    modules = (SOURCE / "cli").glob("*.py")
    opening = {path.name for path in modules if reading.search(path.read_text(encoding="utf-8"))}
    assert opening == {"files.py", "main.py"}, "main opens /dev/null in place of closed streams"


@pytest.mark.parametrize(
    ("error", "path", "said"),
    [
        (PermissionError(13, "Permission denied"), "/none/a.json", "you have no permission to change /none"),
        (PermissionError(13, "Permission denied"), "/usr", "you have no permission to change /usr"),
        (OSError(30, "Read-only file system"), "a.json", "the disk is read-only"),
        (OSError(36, "File name too long"), "a.json", "the name is too long"),
        (OSError(5, "Input/output error"), "a.json", "choose another file"),
    ],
)
def test_unwritable_file_reports_the_cause(error: OSError, path: str, said: str):
    assert str(unwritable_file(Path(path), error)) == f"cannot write {path}: {said}"
    use_language("ja")
    assert re.search("権限|できない|長すぎ|別の", sentence(unwritable_file(Path(path), error)))


def test_output_reports_missing_folder_folder_as_file_and_long_name(tmp_path: Path):
    (tmp_path / "file").touch()
    for name, said in (
        ("none/a.csv", f"folder {tmp_path}/none does not exist; create it first"),
        ("", "it is a folder; give the name of a file"),
        ("file/a.csv", f"{tmp_path}/file is not a folder"),
        ("a" * 300, "the name is too long"),
    ):
        result = run("hitblow", "export", *WEIGHED, "--format", "csv", "--output", str(tmp_path / name))
        assert result.exit_code == 2
        assert said in result.stderr
