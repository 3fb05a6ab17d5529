"""`yomikiri web`: address, messages and exit; `yomikiri site`: an invalid runtime folder.

The tests listen on the loopback address only.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import segno
from click.testing import CliRunner
from tests.cli.run import run

from yomikiri.cli import web as command
from yomikiri.cli.web import site
from yomikiri.guessing.answers import HITS
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.web import pages, serve


def test_web_prints_its_address_and_serves_until_interrupted():
    with subprocess.Popen(
        [sys.executable, "-m", "yomikiri", "web", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout
            address = process.stdout.readline().strip()
            with urllib.request.urlopen(address + "hitblow", timeout=30) as answer:
                assert b"Guess this" in answer.read()
            process.send_signal(signal.SIGINT)
            _out, errors = process.communicate(timeout=30)
        finally:
            process.kill()  # in case it has not ended
    assert process.returncode == 130
    assert errors.split("\n")[0] == "Press Ctrl-C to stop."
    assert not errors.partition("\n")[2].strip()


def test_port_in_use_is_reported_in_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("web", "--port", str(port))
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [f"error: cannot listen on port {port}: choose a free port, or --port 0 for any"]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[serve.Endpoint]:
    """Record the endpoint that the command would serve; listen on the loopback address and return at once."""
    endpoints: list[serve.Endpoint] = []
    monkeypatch.setattr(serve, "ALL_INTERFACES", serve.LOOPBACK)
    monkeypatch.setattr(serve, "serve", lambda where, _listener, _own: endpoints.append(where))
    monkeypatch.setattr(pages, "network_address", lambda: "192.168.1.23")
    return endpoints


def test_lan_prints_the_network_address(served: list[serve.Endpoint]):
    done = run("web", "--lan", "--port", "0")
    assert done.exit_code == 0
    assert done.stdout.startswith("http://192.168.1.23:")
    assert "Anyone on this network can open it." in done.stderr
    assert served[0].any_address


@pytest.mark.usefixtures("served")
def test_missing_network_is_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pages, "network_address", lambda: None)
    done = run("web", "--lan", "--port", "0")
    assert done.stdout.startswith("http://127.0.0.1:")
    assert "No network found" in done.stderr


def test_drawn_qr_code_encodes_the_address(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "window", lambda: 80)
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}  # light modules are blocks, dark ones are blank
    drawn = [
        line.removeprefix("\x1b[97;40m").removesuffix("\x1b[0m") for line in command._qr_code("http://a/").split("\n")
    ]
    rows = [[halves[letter][half] for letter in line] for line in drawn for half in (0, 1)]
    code = segno.make("http://a/", error="l", micro=False)
    wanted = [[int(module) for module in row] for row in code.matrix_iter(border=4)]
    assert rows[: len(wanted)] == wanted


def test_own_lists_are_served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    served = []
    monkeypatch.setattr(serve, "serve", lambda _where, _listener, own: served.append(own))
    words = tmp_path / "words.txt"
    words.write_text("crane\nslate,3\n")
    options = ("--answers", "hits", "--consistent", "--within", "6", "--port", "0")
    assert run("web", "--secrets", str(words), *options).exit_code == 0
    assert run("web", "--port", "0").exit_code == 0
    game, none = served
    assert game.game == Game({"crane": 1, "slate": 3}, (), HITS, GuessRule.CONSISTENT, 6)
    assert none is None


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--hard"], "error: --hard has no effect without --secrets: leave it out"),
        (["--secrets", "words.txt", "--hard", "--consistent"], "error: --hard has no effect with --consistent"),
        (["--secrets", "words.txt", "--hard", "--answers", "hits"], "error: hard mode: needs marks"),
        (["--secrets", "none.txt"], "error: "),
        (
            ["--secrets", "bad.txt"],
            "error: bad.txt, line 2: 'no' has 2 symbols: expected 5, as most codes of the list have",
        ),
    ],
)
def test_bad_lists_are_refused_before_serving(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: list[str], said: str
):
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("crane\nslate\n")
    Path("bad.txt").write_text("crane\nno\n")
    done = run("web", "--port", "0", *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") <= 2


def test_narrow_window_gets_no_qr_code(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "window", lambda: 20)
    assert command._qr_code("http://a/") == ""


def test_network_address_is_not_the_wildcard():
    assert pages.network_address() != pages.ALL_INTERFACES


def test_accepted_sockets_are_tcp():
    """asyncio disables Nagle's algorithm only for sockets with an explicit TCP protocol."""
    with serve.listen(serve.endpoint(lan=False), 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP


def test_site_names_missing_runtime_files(tmp_path: Path) -> None:
    found = run("site", str(tmp_path / "site"), "--runtime", str(tmp_path))
    assert found.exit_code == 2
    said = found.output
    assert "pyodide.mjs" in said
    assert "npm pack pyodide" in said
    assert not (tmp_path / "site").exists()


def test_site_requires_a_runtime(tmp_path: Path) -> None:
    found = CliRunner().invoke(site, [str(tmp_path)])
    assert found.exit_code == 2
    assert "--runtime" in found.output
