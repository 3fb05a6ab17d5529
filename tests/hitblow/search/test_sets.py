"""The sets that turns leave: their codes, cells, names and symmetry."""

from __future__ import annotations

from tests.reference.hitblow import plain_hint

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.sets import CandidateSets

RULES = Rules(3, "01234")
TURNS = (Turn.parse("012:0H1B"),)


def sets(rules: Rules = RULES, absent: str = "") -> CandidateSets:
    return CandidateSets(build_planes(rules), Knowledge(rules, absent))


def test_the_codes_after_some_turns_are_the_candidates_in_order() -> None:
    for rules, absent, turns in (
        (RULES, "", TURNS),
        (RULES, "4", ()),
        (Rules(3, "0123", Repeats.GUESS), "3", (Turn.parse("000:1H0B"),)),
        (RULES, "", (*TURNS, Turn.parse("134:3H0B"), Turn.parse("012:3H0B"))),
    ):
        asked = sets(rules, absent)
        assert [asked.code(number) for number in asked.codes(turns)] == Knowledge(rules, absent, turns).codes()


def test_the_cells_of_a_guess_are_its_answers_in_the_order_of_hints() -> None:
    asked = sets()
    cells = asked.cells(TURNS, "034")
    assert list(cells) == sorted(cells)
    assert sorted(number for cell in cells.values() for number in cell) == asked.codes(TURNS).tolist()
    for answer, cell in cells.items():
        assert {Hint(*plain_hint("034", asked.code(number))) for number in cell} == {answer}


def test_equivalent_sets_have_one_hash() -> None:
    asked = sets(Rules(4, "0123456789"))
    same = [("0123:0H1B", "4567:0H2B"), ("9876:0H1B", "5432:0H2B"), ("0123:0H2B", "4567:0H1B")]
    other = [("0123:0H1B", "0456:0H2B"), ("0123:1H0B", "4567:0H2B")]
    names = [asked.hash(turns := tuple(map(Turn.parse, pair)), asked.codes(turns)) for pair in (*same, *other)]
    assert len({*names[:3]}) == 1
    assert len({*names}) == 3


def test_discarded_sets_are_computed_again() -> None:
    asked = sets()
    before, elements, name = asked.codes(TURNS), asked.elements(TURNS), asked.hash(TURNS, asked.codes(TURNS))
    assert len(asked) > 1
    asked.forget()
    assert len(asked) == 1
    assert asked.codes(TURNS).tolist() == before.tolist()
    assert asked.elements(TURNS).maps.tolist() == elements.maps.tolist()
    assert asked.hash(TURNS, before) == name
