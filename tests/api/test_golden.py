"""Every JSON document equals its golden file byte for byte, because other programs depend on its form.

python -m tests.api.test_golden     writes the golden files again, after an intended change

Also tests `api/results_guessing.py`, `api/results_hitblow.py`, `api/results_match.py`, `api/saved.py`,
`api/results_strategy.py`, `api/results_tictactoe.py`: the bytes of their documents.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.run import run

GOLDEN = Path(__file__).parent / "golden"
SMALL = ("--digits", "2", "--symbols", "0123")
BOARD = "--board=-2,0,-1/-1,-1,0/-1,-1,-2"
RACE = ("hitblow", "race", *SMALL)
MATCH = ("hitblow", "match", *SMALL, "--secret", "12")
WORDS = ("--secrets", "{words}")
CUSTOM = ("hitblow", "match", "--symbols", "012345", "--opponent", "custom", "--secret")

COMMANDS = {
    "suggest": ("hitblow", "suggest", "012:0H1B"),
    "suggest-last": ("hitblow", "suggest", *SMALL, "01:1H0B", "02:1H0B"),
    "suggest-minimax": ("hitblow", "suggest", "--policy", "minimax", "--preset", "bulls", "0123:1B"),
    "suggest-sampled": ("hitblow", "suggest", "--digits", "5", "--policy", "entropy", "01234:0H2B"),
    "suggest-unproven": ("hitblow", "suggest", "--digits", "4", "--symbols", "0123456789ABCD", "--seconds", "0"),
    "candidates": ("hitblow", "candidates", "012:1H1B", "134:1H0B"),
    "review": ("hitblow", "review", *SMALL, "01:0H1B", "20:1H0B", "23:0H1B"),
    "review-found": ("hitblow", "review", *SMALL, "01:0H1B", "12:2H0B"),
    "simulate": ("hitblow", "simulate", *SMALL, "--policy", "entropy"),
    "simulate-all": ("hitblow", "simulate", *SMALL, "--repeats", "guess", "--policy", "all"),
    "solve": ("hitblow", "solve", *SMALL, "--absent", "3", "01:0H1B"),
    "solve-impossible": ("hitblow", "solve", *SMALL, "--within", "2", "--consistent"),
    "verify": ("hitblow", "verify", "{good}"),
    "verify-wrong": ("hitblow", "verify", "{wrong}"),
    "race-public": (*RACE, "--reveals", "first"),
    "race-public-draw": (*RACE, "--equal-turns"),
    "race-unseen": (*RACE, "--information", "unseen", "--secret-symbols", "01234"),
    "race-private": (*RACE, "--information", "private", "--absent", "3"),
    "match": (*MATCH, "me=01:0H1B", "they=01:0H1B"),
    "match-theirs": (*MATCH, "me=01:0H1B"),
    "match-last": (*MATCH, "--first", "opponent", "--equal-turns", "they=01:0H1B", "me=01:0H1B", "they=12:2H0B"),
    "match-over": (*MATCH, "me=01:0H1B", "they=12:2H0B"),
    "match-entropy": ("hitblow", "match", *SMALL, "--opponent", "entropy", "me=01:0H1B", "they=01:1H0B"),
    "match-now": (
        *CUSTOM, "315", "--finishes", "2,0,1", "me=451:0H2B", "they=304:1H0B", "me=510:0H2B", "they=205:1H0B",
    ),
    "match-within": (*CUSTOM, "203", "--finishes", "0,0,2,1", "me=103:1H0B", "they=154:0H0B"),
    "guess-suggest": ("guess", "suggest", *WORDS, "crate:02202"),
    "guess-candidates": ("guess", "candidates", *WORDS, "crate:02202"),
    "guess-review": ("guess", "review", *WORDS, "spice:00002", "crate:02202"),
    "guess-solve": ("guess", "solve", *WORDS, "--answers", "hits"),
    "guess-simulate": ("guess", "simulate", *WORDS, "--policy", "consistent", "--within", "2"),
    "guess-simulate-all": ("guess", "simulate", *WORDS, "--policy", "all"),
    "guess-verify": ("guess", "verify", "{list_good}", *WORDS),
    "guess-verify-wrong": ("guess", "verify", "{list_wrong}", *WORDS),
    "analyze": ("tictactoe", "analyze", BOARD),
    "analyze-moves": ("tictactoe", "analyze", BOARD, "--moves", "b1 a1"),
    "analyze-block": ("tictactoe", "analyze", "--board=0,0,0/0,0,0/0,0,0", "--moves", "b2 a1 c3 b1"),
    "analyze-finished": ("tictactoe", "analyze", "--board=0,0,0/0,0,0/0,0,0", "--moves", "a1 b1 a2 b2"),
    "analyze-answers": ("tictactoe", "analyze", "--board=-1,1,0/-4,-2,-5/-4,-1,-5"),
    "analyze-pairs": ("tictactoe", "analyze", "--board=1,2,3,4/5,6,7,8/9,8,7,6", "--line", "4"),
    "analyze-heaviest": ("tictactoe", "analyze", "--board=1,2,3,4/5,6,7,8", "--line", "4", "--moves", "a1 b1 a2 b2"),
}  # fmt: skip

# Replace the effort of a search, because it varies.
_EFFORT = re.compile(r'"(cpu_seconds|tie_break_cpu_seconds|nodes|positions|sets|forms|pairs)": [\d.e-]+')


def document(name: str, folder: Path) -> str:
    good, wrong = folder / "good.json", folder / "wrong.json"
    made = run("hitblow", "export", *SMALL, "--output", str(good))
    assert made.exit_code == 0, made.stderr
    wrong.write_text(good.read_text(encoding="utf-8").replace("0H1B", "1H2B", 1), encoding="utf-8")
    words, list_good, list_wrong = folder / "words.txt", folder / "list_good.json", folder / "list_wrong.json"
    words.write_text("brake,2\ncrane\ncrate\ndrake\ngrape\nspice,3\n", encoding="utf-8")
    made = run("guess", "export", "--secrets", str(words), "--output", str(list_good))
    assert made.exit_code == 0, made.stderr
    list_wrong.write_text(list_good.read_text(encoding="utf-8").replace("grape", "grade"), encoding="utf-8")
    files = {"good": good, "wrong": wrong, "words": words, "list_good": list_good, "list_wrong": list_wrong}
    command = [word.format_map(files) for word in COMMANDS[name]]
    return _EFFORT.sub(r'"\1": 0', run(*command, "--json").stdout)


@pytest.mark.parametrize("name", COMMANDS)
def test_document_equals_its_golden_file(name: str, tmp_path: Path):
    assert document(name, tmp_path) == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")


def test_every_golden_file_has_a_command():
    assert {path.stem for path in GOLDEN.iterdir()} == set(COMMANDS)


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    for each in COMMANDS:
        with TemporaryDirectory() as scratch:
            (GOLDEN / f"{each}.json").write_text(document(each, Path(scratch)), encoding="utf-8")
