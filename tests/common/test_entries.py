import pytest

from yomikiri.common.entries import all_but_last, entry_in, with_entry
from yomikiri.common.errors import TurnError

ENTRIES = ("first", "second", "third")


def test_entries_of_a_game_are_numbered_from_one():
    assert [entry_in(ENTRIES, number) for number in (1, 2, 3)] == [*ENTRIES]
    assert with_entry(ENTRIES, 1, "other") == ("other", "second", "third")
    assert with_entry(ENTRIES, 3, "other") == ("first", "second", "other")
    assert all_but_last(ENTRIES) == ("first", "second")


def test_invalid_entry_numbers_are_refused():
    for number in (-1, 0, 4):
        with pytest.raises(TurnError, match=f"there is no entry {number}: expected 1 to 3"):
            entry_in(ENTRIES, number)
        with pytest.raises(TurnError, match=f"there is no entry {number}: expected 1 to 3"):
            with_entry(ENTRIES, number, "other")
    with pytest.raises(TurnError, match="no turn to edit"):
        entry_in((), 1)
    with pytest.raises(TurnError, match="no turn to undo"):
        all_but_last(())
