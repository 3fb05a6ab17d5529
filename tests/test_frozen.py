"""Nothing that other programs meet goes while the program is rebuilt, and what was saved is still read.

`frozen/` was recorded by ff758cb (`python -m tests.surface`), and its files were written by that program. What differs
on purpose stands here with its reason.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import surface
from tests.cli.run import run

from yomikiri.documents.saved import read, read_opponent
from yomikiri.hitblow.game import Game, game_pairs
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import write_match
from yomikiri.hitblow.rules import Rules

FROZEN = Path(__file__).with_name("frozen")
RECORDED = json.loads((FROZEN / "surface.json").read_text(encoding="utf-8"))

GONE = {  # what was there, and why it is not
    "compile": "machine code is made when the package is built",
}
GONE_OPTIONS = {  # the same for options
    ("hitblow race", "--words VALUE"): "a race has no turns that could be read",
}
STATUSES = {  # commands that end otherwise, and why
    "hitblow store show frozen/proof-format-1.store": (2, "stores of format 1 may hold what was never proven"),
}


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(FROZEN.parent)
        return surface.surface()


@pytest.mark.parametrize("room", ["commands", "documents", "api"])
def test_nothing_that_was_there_has_gone(now, room):
    missing = {
        (name, each)
        for name, known in RECORDED[room].items()
        if name not in GONE
        for each in set(known) - set(now[room].get(name, []))
    }
    assert missing == (GONE_OPTIONS.keys() if room == "commands" else set())
    assert set(RECORDED[room]) - GONE.keys() <= set(now[room])


def test_what_is_said_to_have_gone_is_not_there(now):
    assert not GONE.keys() & now["commands"].keys()


def test_every_page_and_file_has_its_address(now):
    assert set(RECORDED["addresses"]) <= set(now["addresses"])


@pytest.mark.parametrize("address", RECORDED["opened"])
def test_an_address_opens_as_it_did(now, address):
    assert now["opened"][address] == RECORDED["opened"][address]


@pytest.mark.parametrize("command", RECORDED["statuses"])
def test_a_command_ends_as_it_did(now, command):
    expected, _why = STATUSES.get(command, (RECORDED["statuses"][command], ""))
    assert now["statuses"][command] == expected


GAMES = {
    "game-turns": "absent=7 turn=012:0H1B turn=134:1H0B",
    "game-facts": "digits=4 no-leading=0 turn=1234:0H1B fact=has=5 fact=absent=7",
    "game-weights-items-words": "digits=2 symbols=0123 words=eat turn=01:0H1B",
}
MATCHES = {"match-turns": "me=012:0H1B they=345:1H0B", "match-items-words": "me=high=LHH me=pass"}


@pytest.mark.parametrize("name", GAMES)
def test_a_saved_game_is_still_read(name):
    known, items, words = read((FROZEN / "saves" / f"{name}.json").read_bytes(), Knowledge)
    game = Game(known.rules, words, known.absent, known.facts)
    assert " ".join(f"{key}={value}" for key, value in game_pairs(game)) == GAMES[name]
    more = name == "game-weights-items-words"
    assert known.slips.most == (name == "game-facts")
    assert dict(known.prior) == ({"12": 3, "20": 5, "31": 1} if more else {})
    assert (list(items.left), items.takes_turn, items.since, list(items.used)) == (
        (["high"], True, 1, ["target"]) if more else ([], False, 0, [])
    )


@pytest.mark.parametrize("name", MATCHES)
def test_a_saved_match_is_still_read(name):
    match, items, words = read((FROZEN / "saves" / f"{name}.json").read_bytes(), Match)
    assert write_match(match) == MATCHES[name]
    more = name == "match-items-words"
    assert dict(match.prior) == ({"123": 3, "456": 1} if more else {})
    assert (list(items.left), words) == ((["high"], "eat") if more else ([], "hit"))


def test_past_secrets_are_still_read():
    past = read_opponent((FROZEN / "saves" / "opponent.json").read_bytes())
    assert (past.name, past.codes) == ("Aya", ((Rules(), ("012", "345", "678")),))


@pytest.mark.parametrize("name", ["strategy-1", "strategy-2", "strategy-turns"])
def test_a_strategy_file_is_still_verified(name):
    assert run("hitblow", "verify", str(FROZEN / f"{name}.json")).exit_code == 0
