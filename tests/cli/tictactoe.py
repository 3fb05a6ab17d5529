"""Boards and random inputs for tests of the tic-tac-toe commands."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.cli.run import run

AOKI = "-1 1 0\n-4 -2 -5\n-4 -1 -5\n"
TAKAHASHI = "0 0 0\n0 1 0\n0 0 0\n"
BLANK = "0 0 0\n" * 3
EDGE = "--board=-2,0,-1/-1,-1,0/-1,-1,-2"

TTT = "tictactoe"

WORDS = st.one_of(
    st.integers().map(str),
    st.sampled_from(["-", "x", "1.5", "", "--board=1,2/3,4", "--line", "3", "--moves", "b2", "a1 b2", "-1", "--json"]),
    st.text(max_size=8),
)
TEXTS = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(str.encode),
    st.lists(st.lists(WORDS, max_size=4).map(" ".join), max_size=8)
    .map("\n".join)
    .map(lambda t: t.encode("utf-8", "replace")),
    st.lists(st.integers(-20, 20), min_size=9, max_size=9).map(
        lambda w: "\n".join(" ".join(map(str, w[i : i + 3])) for i in (0, 3, 6)).encode()
    ),
)


def never_a_traceback(command: str, arguments: list[str], text: bytes) -> None:
    result = run(TTT, command, *arguments, given=text)
    assert result.exit_code in (0, 2)
    if result.exit_code:
        assert result.stderr.startswith("error: ")
        errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        assert len(result.stderr.splitlines()) <= len(errors) + 1
        assert len(errors) == 1 or command == "play", "a session has an error for each line"
