import json
import os
from pathlib import Path

import pytest

from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Hint, Repeats, Rules, Turn
from yomikiri.saves import game_keeper

KNOWN = Knowledge(Rules(), "7", (Turn("012", Hint(0, 1)),))


def test_a_game_is_kept_after_each_line_and_found_again(tmp_path):
    keeper = game_keeper(tmp_path)
    keeper.keep(KNOWN)
    keeper.keep(KNOWN.after(Turn("134", Hint(1, 0))))
    saved = game_keeper(tmp_path).latest(Rules())
    assert saved is not None
    assert saved.game == KNOWN.after(Turn("134", Hint(1, 0)))
    assert len(list(tmp_path.iterdir())) == 1


def test_two_terminals_keep_two_files(tmp_path):
    one, two = game_keeper(tmp_path), game_keeper(tmp_path)
    one.keep(KNOWN)
    two.keep(Knowledge().after(Turn("345", Hint(1, 1))))
    one.keep(KNOWN)
    assert len(list(tmp_path.glob("*.json"))) == 2


def test_of_two_terminals_that_take_a_game_up_one_gets_it(tmp_path):
    game_keeper(tmp_path).keep(KNOWN)
    one, two = game_keeper(tmp_path), game_keeper(tmp_path)
    seen_by_one, seen_by_two = one.latest(Rules()), two.latest(Rules())
    assert seen_by_one is not None
    assert seen_by_two is not None
    assert one.take_up(seen_by_one)
    assert not two.take_up(seen_by_two)
    again = two.latest(Rules())
    assert again is not None
    assert again.game == KNOWN


def test_the_latest_game_of_the_same_rules_is_offered(tmp_path):
    old, new, other = game_keeper(tmp_path), game_keeper(tmp_path), game_keeper(tmp_path)
    old.keep(KNOWN)
    new.keep(Knowledge().after(Turn("345", Hint(1, 1))))
    other.keep(Knowledge(Rules(4, "123456", Repeats.ALL)).after(Turn("1122", Hint(1, 1))))
    assert old.path is not None
    assert new.path is not None
    os.utime(old.path, (1000, 1000))
    os.utime(new.path, (2000, 2000))
    saved = game_keeper(tmp_path).latest(Rules())
    assert saved is not None
    assert saved.path == new.path


def test_a_finished_game_and_a_game_without_lines_have_no_file(tmp_path):
    keeper = game_keeper(tmp_path)
    keeper.keep(KNOWN)
    keeper.keep(Knowledge())
    assert list(tmp_path.iterdir()) == []
    keeper.keep(KNOWN)
    keeper.drop()
    assert list(tmp_path.iterdir()) == []
    keeper.drop()


def test_released_games_stay_and_the_next_gets_its_own_file(tmp_path):
    keeper = game_keeper(tmp_path)
    keeper.keep(KNOWN)
    keeper.release()
    keeper.keep(KNOWN)
    assert len(list(tmp_path.glob("*.json"))) == 2


GOOD = {
    "format": "yomikiri-game",
    "version": 1,
    "rules": {"digits": 3, "symbols": "0123456789", "repeats": "none"},
    "absent": "",
    "turns": ["012:0H1B"],
}
RULES = {"digits": 3, "symbols": "0123456789", "repeats": "none"}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 5000,
        json.dumps(GOOD | {"version": 2}),
        json.dumps(GOOD | {"rules": RULES | {"digits": 99}}),
        json.dumps(GOOD | {"rules": RULES | {"digits": "3"}}),
        json.dumps(GOOD | {"rules": RULES | {"repeats": "x"}}),
        json.dumps(GOOD | {"turns": ["012:9H9B"]}),
        json.dumps(GOOD | {"turns": [12]}),
        json.dumps(GOOD | {"turns": []}),
    ],
)
def test_files_that_are_no_saved_games_are_passed_over(tmp_path, content):
    game_keeper(tmp_path).keep(KNOWN)
    (tmp_path / "zzz.json").write_text(content)
    saved = game_keeper(tmp_path).latest(Rules())
    assert saved is not None
    assert saved.game == KNOWN


def test_a_folder_that_is_not_there_holds_no_game(tmp_path):
    assert game_keeper(tmp_path / "missing").latest(Rules()) is None


def test_a_write_that_breaks_off_leaves_the_game_as_it_was(tmp_path, monkeypatch):
    keeper = game_keeper(tmp_path)
    first = Knowledge(turns=(Turn("012", Hint(0, 1)),))
    keeper.keep(first)

    def half(path: Path, text: str, **_options: object) -> None:
        path.write_bytes(text.encode()[: len(text) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", half)
    with pytest.raises(OSError, match="No space"):
        keeper.keep(first.after(Turn("345", Hint(1, 1))))
    saved = game_keeper(tmp_path).latest(Rules())
    assert saved is not None
    assert saved.game == first
