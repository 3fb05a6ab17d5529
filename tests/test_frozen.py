"""Compatibility with earlier versions as in docs/reference/compatibility.md: public interface and saved files.

`frozen/surface.json` is the interface of version 1.0 (`python -m tests.surface`). The folder also contains saves,
strategies and addresses of this and earlier versions. A release adds its own files and removes no others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import surface
from tests.cli.run import run

from yomikiri.api.saved import read_game, read_opponent
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import write_match
from yomikiri.hitblow.model.game import HitBlowGame, game_pairs
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules

FROZEN = Path(__file__).with_name("frozen")
RECORDED = json.loads((FROZEN / "surface.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(FROZEN.parent)
        return surface.surface()


@pytest.mark.parametrize("room", ["names", "commands", "documents", "api"])
def test_recorded_names_still_exist(now, room):
    missing = {
        (name, each) for name, known in RECORDED[room].items() for each in set(known) - set(now[room].get(name, []))
    }
    assert missing == set()
    assert RECORDED[room].keys() <= now[room].keys()


def test_recorded_addresses_still_exist(now):
    assert set(RECORDED["addresses"]) <= set(now["addresses"])


@pytest.mark.parametrize("address", RECORDED["opened"])
def test_recorded_address_opens_the_same_game(now, address):
    assert now["opened"][address] == RECORDED["opened"][address]


@pytest.mark.parametrize("command", RECORDED["statuses"])
def test_recorded_command_has_the_same_exit_status(now, command):
    assert now["statuses"][command] == RECORDED["statuses"][command]


GAMES = {
    "game-turns": "absent=7 turn=012:0H1B turn=134:1H0B",
    "game-facts": "digits=4 no-leading=0 turn=1234:0H1B fact=has=5 fact=absent=7",
    "game-weights-items-words": "digits=2 symbols=0123 words=eat turn=01:0H1B",
}
MATCHES = {"match-turns": "me=012:0H1B they=345:1H0B", "match-items-words": "me=high=LHH me=pass"}


def saved(names: dict[str, str]) -> list[str]:
    """Return the saved files with these names in all versions of the format."""
    files = (path.stem for path in sorted((FROZEN / "saves").glob("*.json")))
    return [file for file in files if file.removesuffix("-3") in names]


@pytest.mark.parametrize("file", saved(GAMES))
def test_saved_games_of_earlier_versions_are_read(file):
    known, items, words = read_game((FROZEN / "saves" / f"{file}.json").read_bytes(), Knowledge)
    name = file.removesuffix("-3")
    game = HitBlowGame(known.rules, words, known.absent, known.facts)
    assert " ".join(f"{key}={value}" for key, value in game_pairs(game)) == GAMES[name]
    more = name == "game-weights-items-words"
    assert known.slips.most == (name == "game-facts")
    assert dict(known.prior) == ({"12": 3, "20": 5, "31": 1} if more else {})
    assert (list(items.left), items.takes_turn, items.since, list(items.used)) == (
        (["high"], True, 1, ["target"]) if more else ([], False, 0, [])
    )


@pytest.mark.parametrize("file", saved(MATCHES))
def test_saved_matches_of_earlier_versions_are_read(file):
    match, items, words = read_game((FROZEN / "saves" / f"{file}.json").read_bytes(), Match)
    name = file.removesuffix("-3")
    assert write_match(match) == MATCHES[name]
    more = name == "match-items-words"
    assert dict(match.prior) == ({"123": 3, "456": 1} if more else {})
    assert (list(items.left), words) == ((["high"], "eat") if more else ([], "hit"))


def test_past_secrets_of_earlier_versions_are_read():
    past = read_opponent((FROZEN / "saves" / "opponent.json").read_bytes())
    assert (past.name, past.codes) == ("Aya", ((Rules(), ("012", "345", "678")),))


@pytest.mark.parametrize("name", ["strategy-1", "strategy-2", "strategy-turns"])
def test_strategy_files_of_earlier_versions_are_verified(name):
    assert run("hitblow", "verify", str(FROZEN / f"{name}.json")).exit_code == 0
