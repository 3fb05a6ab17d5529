import pytest

from yomikiri.common.errors import TurnError
from yomikiri.hitblow.model.entries import all_but_last, entry_in, guess_of, with_entry
from yomikiri.hitblow.model.facts import Absent
from yomikiri.hitblow.model.rules import Hint, Turn

ENTRIES = (Turn("012", Hint(0, 1)), Absent("7"), Turn("134", Hint(1, 1)))


def test_entries_of_a_game_are_numbered_from_one():
    assert [entry_in(ENTRIES, number) for number in (1, 2, 3)] == [*ENTRIES]
    assert with_entry(ENTRIES, 1, ENTRIES[2]) == (ENTRIES[2], ENTRIES[1], ENTRIES[2])
    assert with_entry(ENTRIES, 3, ENTRIES[0]) == (ENTRIES[0], ENTRIES[1], ENTRIES[0])
    assert guess_of(ENTRIES, 3) == "134"
    assert all_but_last(ENTRIES) == ENTRIES[:2]


def test_invalid_entry_numbers_are_refused():
    for number in (-1, 0, 4):
        with pytest.raises(TurnError, match=f"there is no entry {number}: expected 1 to 3"):
            entry_in(ENTRIES, number)
        with pytest.raises(TurnError, match=f"there is no entry {number}: expected 1 to 3"):
            with_entry(ENTRIES, number, ENTRIES[0])
    with pytest.raises(TurnError, match="entry 2 is absent=7, not a turn"):
        guess_of(ENTRIES, 2)
    with pytest.raises(TurnError, match="no turn to edit"):
        entry_in((), 1)
    with pytest.raises(TurnError, match="no turn to undo"):
        all_but_last(())
