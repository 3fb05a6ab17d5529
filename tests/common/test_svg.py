"""SVG pictures for the page and for notebooks: contents, safety and contrast."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from yomikiri import hitblow
from yomikiri.common import svg
from yomikiri.hitblow import Knowledge, Objective, Rules, Strategy, review, simulate
from yomikiri.hitblow.policies.book import read_volume, volumes
from yomikiri.tictactoe import Board, Position, analyze

BOARD = Board.parse("-2,0,-1/-1,-1,0/-1,-1,-2")
PLAYED = Position(BOARD).play("b1").play("a1")


def standard() -> Strategy:
    return read_volume(next(volumes(Rules(), "", Objective())))


def face(value: Any) -> ElementTree.Element:
    """Return the HTML of a value in a notebook; raise an error if it is not valid XML."""
    return ElementTree.fromstring(
        f"<div>{value._repr_html_()}</div>".replace(' xmlns="http://www.w3.org/2000/svg"', "")
    )


def letters(value: Any) -> list[str]:
    return [element.text or "" for element in face(value).iter("text")]


def test_knowledge_is_shown_as_a_table_of_probabilities():
    known = Knowledge.parse("012:0H1B absent=7")
    table = face(known).find("table")
    assert table is not None
    head, *rows = [[cell.text for cell in row] for row in table.iter("tr")]
    assert head == [None, "1", "2", "3"]
    assert rows == [
        [symbol, *(f"{100 * share:.0f}%" for share in shares)]
        for symbol, shares in zip("0123456789", known.table(), strict=True)
    ]
    assert table.findtext("caption") == "012:0H1B absent=7 (180)"
    assert face(Knowledge()).findtext("table/caption") == "(720)"
    assert "0%" in Knowledge.parse("012:3H0B 012:0H0B")._repr_html_()


def test_strategy_is_shown_as_tree_and_histogram():
    small = hitblow.solve(Rules(2, "012")).strategy
    assert letters(small)[:6] == ["01", "0H1B 12", "0H1B 20", "0H2B 10", "1H0B 02", "0H1B 21"]
    heights = {element.findtext("title"): float(element.get("height", "")) for element in face(small).iter("rect")}
    assert heights["01 (6)"] == 96
    assert heights["01 0H1B 12 0H1B 20 (1)"] == 16
    whole = standard()
    assert letters(whole)[-14:-1:2] == [str(count) for count in whole.cost.histogram]
    assert len(whole._repr_html_()) < 40_000


def test_cost_is_shown_as_a_histogram():
    assert letters(simulate(lambda known: known.codes(1)[0], Knowledge(Rules(2, "012")))) == [
        *("1", "1", "3", "2", "2", "3"),
    ]


def test_review_is_shown_as_the_numbers_of_candidates():
    judged = review(Knowledge.parse("345:1H0B 123:0H2B 012:0H1B 371:3H0B"))
    assert letters(judged) == ["720", "126", "17", "4", "1"]
    assert face(judged)[0].get("aria-label") == "720, 126, 17, 4, 1"
    assert letters(review(Knowledge())) == []


def test_board_and_position_show_weights_and_marks():
    names = ["a", "b", "c", "1", "2", "3"]
    assert [text for text in letters(BOARD) if text] == [*names, *map(str, BOARD.flat)]
    assert [text for text in letters(PLAYED) if text][6:10] == ["O", "-2", "X", "0"]
    assert face(PLAYED)[0].get("aria-label") == f"{BOARD}, X b1, O a1"


def test_completed_line_is_highlighted():
    won = Position.after(BOARD, [0, 1, 4, 2, 8])
    assert [at for at, box in enumerate(face(won).iter("rect")) if box.get("fill-opacity") != "0"] == [0, 4, 8]


def test_analysis_shows_the_result_of_each_move_and_highlights_the_best():
    advice = analyze(PLAYED)
    found = {move.move: text for move, text in zip(advice.moves, letters(advice)[11::2], strict=False)}
    assert found[2] == "O #6"
    best = [at for at, box in enumerate(face(advice).iter("rect")) if box.get("fill-opacity") != "0"]
    assert best == [4, 6]
    assert {"X +1", "O +1"} <= set(letters(advice))
    assert "=" in letters(analyze(Board.parse("0,0,0/0,0,0/0,0,0")))


@pytest.mark.parametrize("kind", ["table", "tree", "board"])
def test_special_symbols_and_long_weights_give_small_valid_pictures(kind: str):
    odd = Rules(1, "<&\"'")
    values: dict[str, Callable[[], Any]] = {
        "table": lambda: Knowledge(odd),
        "tree": lambda: hitblow.solve(odd).strategy,
        "board": lambda: Board(((10**3999, 1),), line=1),
    }
    value = values[kind]()
    face(value)
    assert len(value._repr_html_()) < 15_000


def test_pictures_contain_no_scripts_or_links():
    for value in (standard(), PLAYED, analyze(PLAYED), Knowledge()):
        for element in face(value).iter():
            assert element.tag not in ("script", "style", "image", "use", "foreignObject", "a")
            assert not [name for name in element.keys() if name.startswith("on") or "href" in name]  # noqa: SIM118
            assert "url(" not in element.get("style", "")


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: str, back: str, share: float) -> str:
    return "#" + "".join(
        f"{round(share * int(colour[at : at + 2], 16) + (1 - share) * int(back[at : at + 2], 16)):02x}"
        for at in (1, 3, 5)
    )


@pytest.mark.parametrize(("back", "ink"), [("#ffffff", "#000000"), ("#111111", "#e0e0e0")], ids=["light", "dark"])
@pytest.mark.parametrize("colour", [svg.BLUE, svg.AMBER])
def test_colours_have_enough_contrast_on_light_and_dark(colour: str, back: str, ink: str):
    assert contrast(colour, back) >= 3, "large letters, bars and lines"
    assert contrast(ink, mixed(colour, back, svg.SHADE)) >= 4.5, "letters on the colour"


def test_svg_module_is_imported_on_demand():
    program = (
        "import sys; from yomikiri.hitblow import Knowledge, suggest; suggest(Knowledge());"
        "from yomikiri.tictactoe import Board, analyze; analyze(Board.parse('1,2,3/4,5,6/7,8,9'));"
        "print('yomikiri.common.svg' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_pictures_use_two_colours():
    source = svg.__file__
    assert source
    with open(source, encoding="utf-8") as file:
        assert set(re.findall(r"#[0-9a-f]{6}", file.read())) == {svg.BLUE, svg.AMBER}
