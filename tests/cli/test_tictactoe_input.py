"""What the commands of weighted tic-tac-toe read: anything else is one line and status 2."""

from __future__ import annotations

import pytest
from tests.cli.run import run
from tests.cli.tictactoe import AOKI, EDGE, TTT


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (("winner",), "", "no board given"),
        (("winner",), "1 2 3\n1 2\n", "the number of integers in line 2 is 2: expected 3"),
        (("winner",), "1 2 3\n1 two 3\n", "line 2: 'two' is not a weight"),
        (("winner",), "1 2 3\n4 5 6\n", "the board ends at line 2 with row 2: expected 3 rows"),
        (("winner",), b"\x7fELF\x02\x01\x00\xff\xfe", "line 1: "),
        (("winner", "no such file"), "", "cannot read no such file"),
        (("winner", "/"), "", "cannot read /"),
        (("winner", "--tie", "both"), AOKI, "--tie"),
        (("analyze",), "", "no board given"),
        (("analyze",), "1 2\n1\n", "the number of integers in line 2 is 1: expected 2"),
        (("analyze",), "1\n\n1\n", "more than one board"),
        (("analyze",), b"\xff\xfe\x00", "line 1: "),
        (("analyze", "--line", "9"), "1\n", "--line"),
        (("analyze", EDGE, "file"), "", "--board does nothing with FILE"),
        (("analyze", EDGE, "--moves", "b2 b2"), "", "b2 is already taken"),
        (("analyze", EDGE, "--moves", "e5"), "", "'e5' is not a cell of this board"),
        (("analyze", EDGE, "--moves", "a1 a2 b1 b2 c1"), "", "the game is over"),
        (("play", "--board", "1,2/3"), "", "the number of weights in row 2 is 1: expected 2"),
        (("play", "--side", "third"), "", "--side"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_bad_input_is_one_line_and_status_2(arguments: tuple[str, ...], text: str | bytes, said: str, lang: str):
    result = run(TTT, *arguments, "--lang", lang, given=text)
    assert result.exit_code == 2
    first, *hints = result.stderr.splitlines()
    assert first.startswith({"en": "error: ", "ja": "エラー："}[lang])
    assert len(hints) <= 1
    assert lang == "ja" or said in first
    assert lang == "en" or any("ぁ" <= character <= "ヿ" for character in first)
