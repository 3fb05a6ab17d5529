import re
import sys

import pytest

from yomikiri.cli.progress import live_line
from yomikiri.cli.screen import cut, width


@pytest.mark.parametrize("text", ["a line of plain letters", "局面を読み切っています", "mixed 局面 and letters", ""])
def test_text_is_cut_to_the_columns_it_may_take(text: str):
    for columns in range(1, 40):
        shown = cut(text, columns)
        assert width(shown) <= columns
        assert shown == text if width(text) <= columns else shown == text[: len(shown) - 1] + "…"


def test_progress_stays_on_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    def sentence(count: int) -> str:
        return "局面 " * count

    with live_line("読み切っています" * 9, sentence) as report:
        report(20)
    lines = re.split(r"\r\x1b\[K", capsys.readouterr().err)
    assert len(lines) == 3
    assert all(0 < width(line) < 30 for line in lines[:2])
    assert lines[2] == ""
