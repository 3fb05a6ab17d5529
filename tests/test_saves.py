import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from yomikiri.common.errors import InputError
from yomikiri.hitblow.advice.items import Items
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import read_match
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.prior import PastSecrets
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, Words
from yomikiri.hitblow.model.wrong_answers import Slips
from yomikiri.saves import GameStorage, Opponents

KNOWN = Knowledge(Rules(), "7", (Turn("012", Hint(0, 1)),))


def test_game_is_saved_after_each_line(tmp_path):
    keeper = GameStorage(Knowledge, tmp_path)
    keeper.keep(KNOWN)
    keeper.keep(KNOWN.after(Turn("134", Hint(1, 0))))
    keeper.release()
    saved = GameStorage(Knowledge, tmp_path).latest(Rules())
    assert saved is not None
    assert saved.game == KNOWN.after(Turn("134", Hint(1, 0)))
    assert len(list(tmp_path.glob("*.json"))) == 1


def test_items_are_saved_if_there_are_any(tmp_path):
    keeper, items = GameStorage(Knowledge, tmp_path), Items((Item.HIGH,), takes_turn=True, since=1, used=(Item.TARGET,))
    keeper.keep(KNOWN)
    assert keeper.path
    assert b"items" not in keeper.path.read_bytes()
    keeper.keep(KNOWN, items)
    assert json.loads(keeper.path.read_bytes())["items"] == {
        "left": ["high"], "after": 1, "take_turn": True, "used": ["target"],
    }  # fmt: skip
    match = read_match("me=high=LHH me=pass")
    other = GameStorage(Match, tmp_path)
    other.keep(match, Items((Item.HIGH,)))
    keeper.release()
    other.release()
    [game], [saved] = GameStorage(Knowledge, tmp_path).games(), GameStorage(Match, tmp_path).games()
    assert (game.game, game.items, saved.game, saved.items) == (KNOWN, items, match, Items((Item.HIGH,)))


def test_words_are_saved(tmp_path):
    bulls = replace(KNOWN, rules=Rules(4), facts=())
    for game, words, text in (
        (KNOWN, None, ""),
        (KNOWN, Words.HIT, ""),
        (KNOWN, Words.EAT, "preset=numeron "),
        (bulls.after(Turn.parse("0123:0H1B")), Words.BULL, "preset=bulls "),
    ):
        keeper = GameStorage(Knowledge, tmp_path)
        keeper.keep(game, words=words)
        assert keeper.path
        file = json.loads(keeper.path.read_bytes())
        assert file["game"].startswith(f"{text}absent=7 turn=")
        keeper.release()
        [saved] = GameStorage(Knowledge, tmp_path).games()
        assert (saved.game, saved.words) == (game, words or Words.HIT)
        saved.path.unlink()
    other, match = GameStorage(Match, tmp_path), read_match("me=012:0H1B")
    other.keep(match, words=Words.EAT)
    other.release()
    assert [(saved.game, saved.words) for saved in GameStorage(Match, tmp_path).games()] == [(match, Words.EAT)]


def test_two_terminals_write_two_files(tmp_path):
    one, two = GameStorage(Knowledge, tmp_path), GameStorage(Knowledge, tmp_path)
    one.keep(KNOWN)
    two.keep(Knowledge().after(Turn("345", Hint(1, 1))))
    one.keep(KNOWN)
    assert len(list(tmp_path.glob("*.json"))) == 2


def kept(folder: Path, game: Knowledge) -> Path:
    """Save and release a game; return its file."""
    keeper = GameStorage(Knowledge, folder)
    keeper.keep(game)
    path = keeper.path
    assert path is not None
    keeper.release()
    return path


def test_only_one_of_two_terminals_resumes_a_game(tmp_path):
    kept(tmp_path, KNOWN)
    one, two = GameStorage(Knowledge, tmp_path), GameStorage(Knowledge, tmp_path)
    seen_by_one, seen_by_two = one.latest(Rules()), two.latest(Rules())
    assert seen_by_one is not None
    assert seen_by_two is not None
    one.resume(seen_by_one)
    with pytest.raises(BlockingIOError):
        two.resume(seen_by_two)
    assert two.latest(Rules()) is None
    assert two.played_elsewhere(Rules())
    one.release()
    again = two.latest(Rules())
    assert again is not None
    two.resume(again)
    assert two.path == again.path


def test_game_of_a_killed_terminal_can_be_resumed(tmp_path):
    program = (
        "import os, sys; from pathlib import Path; from yomikiri.saves import GameStorage;"
        "from yomikiri.hitblow.model.knowledge import Knowledge; from yomikiri.hitblow.model.rules import Turn;"
        "GameStorage(Knowledge, Path(sys.argv[1])).keep(Knowledge(facts=(Turn.parse('012:0H1B'),)));"
        "print('kept', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"kept\n"
        assert GameStorage(Knowledge, tmp_path).latest(Rules()) is None
        process.kill()
        process.wait()
    saved = GameStorage(Knowledge, tmp_path).latest(Rules())
    assert saved is not None
    GameStorage(Knowledge, tmp_path).resume(saved)


def test_game_finished_by_another_terminal_is_not_resumed(tmp_path):
    kept(tmp_path, KNOWN)
    one, two = GameStorage(Knowledge, tmp_path), GameStorage(Knowledge, tmp_path)
    seen = two.latest(Rules())
    assert seen is not None
    one.resume(seen)
    one.delete()
    with pytest.raises(FileNotFoundError):
        two.resume(seen)
    assert two.path is None
    assert list(tmp_path.iterdir()) == []


def test_game_continued_by_another_terminal_is_resumed_as_it_is_now(tmp_path):
    kept(tmp_path, KNOWN)
    one, two = GameStorage(Knowledge, tmp_path), GameStorage(Knowledge, tmp_path)
    seen = two.latest(Rules())
    assert seen is not None
    one.resume(seen)
    later = KNOWN.after("345:1H0B")
    one.keep(later)
    one.release()
    assert two.resume(seen).game == later


def test_unreadable_game_is_not_resumed(tmp_path):
    path = kept(tmp_path, KNOWN)
    keeper = GameStorage(Knowledge, tmp_path)
    seen = keeper.latest(Rules())
    assert seen is not None
    path.write_bytes(b"{}")
    with pytest.raises(OSError, match="Invalid argument"):
        keeper.resume(seen)
    assert keeper.path is None
    assert path.read_bytes() == b"{}"


def test_file_of_a_newer_version_is_listed_and_unchanged(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GOOD | {"version": 4}))
    assert GameStorage(Knowledge, tmp_path).newer_files() == [path]
    assert GameStorage(Knowledge, tmp_path).latest(Rules()) is None


def test_pipe_in_the_folder_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "aaa.json")
    kept(tmp_path, KNOWN)
    assert GameStorage(Knowledge, tmp_path).latest(Rules()) is not None


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_failed_write_leaves_the_file_unchanged(tmp_path, monkeypatch, failing):
    keeper = GameStorage(Knowledge, tmp_path)
    keeper.keep(KNOWN)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    later = KNOWN.after(Turn("134", Hint(1, 0)))
    with monkeypatch.context() as broken:
        broken.setattr(os, failing, refuse)
        with pytest.raises(OSError, match="No space"):
            keeper.keep(later)
    keeper.release()
    saved = GameStorage(Knowledge, tmp_path).latest(Rules())
    assert saved is not None
    assert saved.game == KNOWN


def test_latest_finds_the_newest_game_with_the_rules(tmp_path):
    old, new, other = (
        GameStorage(Knowledge, tmp_path),
        GameStorage(Knowledge, tmp_path),
        GameStorage(Knowledge, tmp_path),
    )
    old.keep(KNOWN)
    new.keep(Knowledge().after(Turn("345", Hint(1, 1))))
    other.keep(Knowledge(Rules(4, "123456", Repeats.ALL)).after(Turn("1122", Hint(1, 1))))
    assert old.path is not None
    assert new.path is not None
    newest = new.path
    os.utime(old.path, (1000, 1000))
    os.utime(newest, (2000, 2000))
    for keeper in (old, new, other):
        keeper.release()
    saved = GameStorage(Knowledge, tmp_path).latest(Rules())
    assert saved is not None
    assert saved.path == newest


def test_finished_or_empty_game_has_no_file(tmp_path):
    keeper = GameStorage(Knowledge, tmp_path)
    keeper.keep(KNOWN)
    keeper.keep(Knowledge())
    assert list(tmp_path.iterdir()) == []
    keeper.keep(KNOWN)
    keeper.delete()
    assert list(tmp_path.iterdir()) == []
    keeper.delete()


def test_released_game_stays_and_the_next_has_its_own_file(tmp_path):
    keeper = GameStorage(Knowledge, tmp_path)
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
NOW = {"format": "yomikiri-game", "version": 3, "game": "turn=012:0H1B"}
RULES = {"digits": 3, "symbols": "0123456789", "repeats": "none"}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 5000,
        json.dumps(GOOD | {"version": 3}),
        json.dumps(GOOD | {"version": 4}),
        json.dumps(NOW | {"game": ""}),
        json.dumps(NOW | {"game": "turn=012:9H9B"}),
        json.dumps(NOW | {"game": "digits=99 turn=012:0H1B"}),
        json.dumps(NOW | {"format": "yomikiri-match", "game": "me=012:0H1B"}),
        json.dumps(GOOD | {"rules": RULES | {"digits": 99}}),
        json.dumps(GOOD | {"rules": RULES | {"digits": "3"}}),
        json.dumps(GOOD | {"rules": RULES | {"repeats": "x"}}),
        json.dumps(GOOD | {"turns": ["012:9H9B"]}),
        json.dumps(GOOD | {"turns": [12]}),
        json.dumps(GOOD | {"turns": []}),
    ],
)
def test_other_files_are_skipped(tmp_path, content):
    kept(tmp_path, KNOWN)
    (tmp_path / "zzz.json").write_text(content)
    saved = GameStorage(Knowledge, tmp_path).latest(Rules())
    assert saved is not None
    assert saved.game == KNOWN


def test_missing_folder_has_no_games(tmp_path):
    assert GameStorage(Knowledge, tmp_path / "missing").latest(Rules()) is None


def test_interrupted_write_leaves_the_file_unchanged(tmp_path, monkeypatch):
    keeper = GameStorage(Knowledge, tmp_path)
    first = Knowledge(facts=(Turn("012", Hint(0, 1)),))
    keeper.keep(first)

    def half(_descriptor: int) -> None:
        beside = next(tmp_path.glob("*.tmp"))
        os.truncate(beside, 5)
        raise OSError(28, "No space left on device")

    later = first.after(Turn("345", Hint(1, 1)))
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", half)
        with pytest.raises(OSError, match="No space"):
            keeper.keep(later)
    keeper.release()
    saved = GameStorage(Knowledge, tmp_path).latest(Rules())
    assert saved is not None
    assert saved.game == first


def test_past_secrets_are_saved_for_each_opponent(tmp_path):
    opponents = Opponents(tmp_path / "opponents")
    assert opponents.read("Ann") == PastSecrets("Ann")
    past = opponents.change("Ann", lambda past: past.add(Rules(), ["012"]))
    assert opponents.change("ＡＮＮ", lambda past: past.add(Rules(4), ["0123"])) == past.add(Rules(4), ["0123"])
    opponents.change("太郎", lambda past: past.add(Rules(), ["345"]))
    assert [isinstance(each, PastSecrets) and each.name for each in opponents.all()] == ["Ann", "太郎"]
    file = tmp_path / "opponents" / "ann.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(file.parent.glob("*.tmp"))
    opponents.change("ann", lambda past: PastSecrets(past.name))
    assert not file.exists()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"format":"yomikiri-opponent","version":1,"name":"Bob","secrets":[]}',
        "code",
        "name",
    ],
)
def test_damaged_opponent_file_is_rejected_and_unchanged(tmp_path, damage):
    opponents = Opponents(tmp_path)
    opponents.change("ann", lambda past: past.add(Rules(), ["012"]))
    file = tmp_path / "ann.json"
    changes = {"code": (b'"012"', b'"011"'), "name": (b'"ann"', b'"../a"')}
    content = damage if isinstance(damage, bytes) else file.read_bytes().replace(*changes[damage])
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"ann\.json is damaged"):
        opponents.read("ann")
    with pytest.raises(InputError, match=r"ann\.json is damaged"):
        opponents.change("ann", lambda past: past)
    [said] = opponents.all()
    assert isinstance(said, InputError)
    assert file.read_bytes() == content


def test_opponent_file_of_a_newer_version_has_its_own_error(tmp_path):
    (tmp_path / "ann.json").write_text('{"format": "yomikiri-opponent", "version": 9, "name": "ann", "more": []}')
    with pytest.raises(InputError, match="was saved by a newer version"):
        Opponents(tmp_path).read("ann")


def test_saved_game_is_readable_only_by_its_owner(tmp_path):
    assert kept(tmp_path, KNOWN).stat().st_mode & 0o777 == 0o600


def test_concurrent_changes_are_all_recorded(tmp_path):
    def record(_time: int) -> None:
        Opponents(tmp_path).change("ann", lambda past: past.add(Rules(), ["012"]))

    with ThreadPoolExecutor(2) as both:
        list(both.map(record, range(40)))
    assert len(Opponents(tmp_path).read("ann").of(Rules())) == 40


def test_slips_are_saved_if_there_are_any(tmp_path):
    for slips in (Slips(1), Slips(2, 0.2)):
        game = replace(KNOWN, slips=slips)
        path = kept(tmp_path / str(slips.most), game)
        assert GameStorage(Knowledge, path.parent).latest() is not None
        assert GameStorage(Knowledge, path.parent).games()[0].game == game
    assert b"slip" not in kept(tmp_path / "none", KNOWN).read_bytes()
    broken = path.read_bytes().replace(b"slips=2", b"slips=99")
    path.write_bytes(broken)
    assert GameStorage(Knowledge, path.parent).games() == []


def test_match_is_found_by_the_rules_of_both_secrets(tmp_path):
    keeper = GameStorage(Match, tmp_path)
    keeper.keep(read_match("secret-digits=4 me=012:0H1B"))
    keeper.release()
    assert GameStorage(Match, tmp_path).latest(Rules(), Rules(4))
    assert not GameStorage(Match, tmp_path).latest(Rules())
    assert not GameStorage(Match, tmp_path).latest(Rules(), Rules(5))


def test_damaged_file_is_listed_among_the_opponents(tmp_path):
    opponents = Opponents(tmp_path)
    opponents.change("Ann", lambda past: past.add(Rules(), ["012"]))
    (tmp_path / "bob.json").write_text("{")
    ann, bob = opponents.all()
    assert isinstance(ann, PastSecrets)
    assert isinstance(bob, InputError)
