"""Equal text gives equal games at every interface: options, typed lines, addresses, the API, saved games."""

from __future__ import annotations

import json
from itertools import chain
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from tests.cli.run import run
from tests.web.client import get

from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import match_pairs, read_match
from yomikiri.hitblow.model.game import HitBlowGame, game_of, game_pairs
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, Words
from yomikiri.saves import GameStorage
from yomikiri.web.hitblow_address import read
from yomikiri.web.hitblow_address import read_match as read_match_address

BULLS, MASTERMIND = Rules(4), Rules(4, "123456", Repeats.ALL)

GAMES = [
    ({}, "012:1B", HitBlowGame(Rules(), Words.HIT, "", (Turn("012", Hint(0, 1)),))),
    ({"preset": "numeron"}, "012:1B", HitBlowGame(Rules(), Words.EAT, "", (Turn("012", Hint(0, 1)),))),
    ({"preset": "bulls"}, "0123:1B", HitBlowGame(BULLS, Words.BULL, "", (Turn("0123", Hint(1, 0)),))),
    ({"preset": "bulls", "words": "hit"}, "0123:1B", HitBlowGame(BULLS, Words.HIT, "", (Turn("0123", Hint(0, 1)),))),
    ({"preset": "mastermind"}, "1122:1B", HitBlowGame(MASTERMIND, Words.BLACK, "", (Turn("1122", Hint(1, 0)),))),
    ({"preset": "mastermind"}, "1122:2B1W", HitBlowGame(MASTERMIND, Words.BLACK, "", (Turn("1122", Hint(2, 1)),))),
    ({"words": "black"}, "012:b1", HitBlowGame(Rules(), Words.BLACK, "", (Turn("012", Hint(1, 0)),))),
    (
        {"words": "bull", "absent": "78"},
        "０１２：１黒１白",
        HitBlowGame(Rules(), Words.BULL, "78", (Turn("012", Hint(1, 1)),)),
    ),
    ({"preset": "bulls", "digits": "３"}, "123:1C", HitBlowGame(Rules(), Words.BULL, "", (Turn("123", Hint(0, 1)),))),
    (
        {"digits": "2", "symbols": "abcd", "repeats": "all", "absent": "D"},
        "AB:1H",
        HitBlowGame(Rules(2, "abcd", Repeats.ALL), Words.HIT, "d", (Turn("ab", Hint(1, 0)),)),
    ),
]
EACH_GAME = pytest.mark.parametrize(
    ("settings", "turn", "game"), GAMES, ids=[f"{settings} {turn}" for settings, turn, _ in GAMES]
)


def options(settings: dict[str, str]) -> list[str]:
    return list(chain.from_iterable((f"--{name}", value) for name, value in settings.items()))


def known_from(game: HitBlowGame) -> Knowledge:
    return game.known


@EACH_GAME
def test_pairs_give_the_game_and_back(settings, turn, game):
    assert game_of([*settings.items(), ("turn", turn)]) == game
    assert game_of(game_pairs(game)) == game


@EACH_GAME
def test_options_and_arguments_give_the_game(settings, turn, game):
    shown = run("hitblow", "candidates", turn, *options(settings)).stdout
    assert shown.split() == known_from(game).codes()


@EACH_GAME
def test_typed_line_gives_the_game(settings, turn, game):
    shown = run("hitblow", "assist", "--policy", "likely", *options(settings), given=f"{turn}\n")
    assert f"{known_from(game).count:,} candidates" in shown.stdout


@EACH_GAME
def test_address_gives_the_game(settings, turn, game):
    address = read([*settings.items(), ("turn", turn)])
    assert (address.game, address.words) == (known_from(game), game.words)


@EACH_GAME
def test_api_parameters_give_the_game(settings, turn, game):
    query = urlencode([*settings.items(), ("turn", turn), ("policy", "likely")])
    document = json.loads(get(f"/api/v1/hitblow/suggest?{query}").body)
    assert (document["guess"], document["count"]) == (known_from(game).codes(1)[0], known_from(game).count)


@EACH_GAME
def test_match_address_and_match_text_agree(settings, turn, game):
    address = read_match_address([*settings.items(), ("me", turn)])
    match = address.game
    assert (match.rules, address.words) == (game.rules, game.words)
    assert (match.absent, match.turns) == (game.absent, game.facts)
    text = " ".join([*(f"{name}={value}" for name, value in settings.items()), f"me={turn}"])
    assert read_match(text) == match


def test_match_command_reads_a_single_b_by_the_preset():
    for preset, turn, stored in (("bulls", "012:1B", "012:1H0B"), ("mastermind", "112:1B", "112:1H0B")):
        command = ("hitblow", "match", "--json", "--seconds", "0", "--preset", preset, "--digits", "3")
        shown = run(*command, f"me={turn}", "they=" + stored)
        assert f"me={stored} they={stored}" in json.loads(shown.stdout)["match"]


@pytest.mark.parametrize("game", [game for _, _, game in GAMES])
def test_saved_game_stores_hits_and_blows(game):
    keeper = GameStorage(Knowledge)
    keeper.keep(known_from(game))
    assert keeper.path
    assert json.loads(keeper.path.read_text("utf-8"))["game"].endswith(" ".join(f"turn={turn}" for turn in game.facts))
    keeper.release()
    saved = GameStorage(Knowledge).latest(game.rules)
    assert saved
    assert saved.game == known_from(game)


FACTS = [
    "has=3 012:1H1B",
    "012:1H1B absent=7",
    "absent=7 012:1H1B",
    "012:1H_ 345:_1B",
    "012:=2 345:?",
    "012:HMB at=5@3",
    "off=0@1 times=5x1",
    "high=LHH slash=6",
    "012:1H1B shuffle 345:0H1B",
    "012:0H1B change=high@2 has=8",
]


def given(tokens: str) -> list[tuple[str, str]]:
    return [("turn" if ":" in token else "fact", token) for token in tokens.split()]


@pytest.mark.parametrize("tokens", FACTS)
def test_facts_are_equal_at_every_interface(tokens):
    game = game_of(given(tokens))
    known = game.known
    assert known.count
    assert game_of(game_pairs(game)) == game
    assert game_of(("fact", token) for token in tokens.split()) == game
    assert read(given(tokens)).game == known
    assert read(parse_qsl(urlsplit(str(read(given(tokens)))).query)).game == known
    assert run("hitblow", "candidates", *tokens.split()).stdout.split() == known.codes()
    typed = run("hitblow", "assist", "--policy", "likely", given="\n".join(tokens.split()) + "\nlist\n").stdout
    assert all(f"{line}. " in typed for line in range(1, len(known.facts) + 1))
    assert f"{known.count:,} candidate" in typed
    query = urlencode([*given(tokens), ("policy", "likely")])
    assert json.loads(get(f"/api/v1/hitblow/suggest?{query}").body)["count"] == known.count
    assert get(f"/hitblow?{urlencode(given(tokens))}").status == 200
    match = read_match(
        " ".join(f"me={token}" if ":" not in token else f"me={token} they=567:?" for token in tokens.split())
    )
    assert match.known(Side.ME) == known
    assert read_match_address([*match_pairs(match)]).game == match
    assert get(f"/match?{urlencode([*match_pairs(match)])}").status == 200


@pytest.mark.parametrize("tokens", FACTS)
def test_facts_are_saved_and_resumed(tokens):
    known = game_of(given(tokens)).known
    keeper = GameStorage(Knowledge)
    keeper.keep(known)
    keeper.release()
    saved = GameStorage(Knowledge).latest(known.rules)
    assert saved
    assert saved.game == known


REJECTED = [
    ({"digits": "three"}, "", "digits 'three': expected a number, such as 1"),
    ({"digits": "7"}, "", "7 digits: expected 1 to 6"),
    ({"symbols": "0012"}, "", "symbols '0012': expected 1 to 16 different"),
    ({"absent": "x"}, "", "'x' in 'x' is not a symbol of this game"),
    ({"preset": "bulls"}, "0123:x", "'x' is not an answer"),
    ({"preset": "bulls"}, "012:1B", "'012' is not a code: expected 4 symbols"),
]


@pytest.mark.parametrize(("settings", "turn", "message"), REJECTED, ids=[message for _, _, message in REJECTED])
def test_invalid_input_has_the_same_message_at_every_interface(settings, turn, message):
    assert message in run("hitblow", "candidates", *options(settings), *([turn] if turn else [])).stderr
    query = urlencode([*settings.items(), ("turn", turn)] if turn else settings)
    for path in ("/hitblow", "/match", "/api/v1/hitblow/suggest"):
        answer = get(f"{path}?{query.replace('turn=', 'me=') if path == '/match' else query}")
        assert answer.status == 400
        # A page interprets an unreadable turn as the end of a truncated link.
        cut = turn and "api" not in path
        assert ("This link is cut off" if cut else message) in answer.text.replace("&#39;", "'")


@pytest.mark.parametrize(
    ("name", "known"),
    [("preset", "hitblow, numeron"), ("repeats", "none, guess, all"), ("words", "hit, eat, bull, black")],
)
def test_unknown_word_is_rejected_with_the_known_words(name, known):
    for path in ("/hitblow", "/match", "/api/v1/hitblow/suggest"):
        assert f"{name}=chess: expected one of {known}" in get(f"{path}?{name}=chess").text
    assert "'chess' is not one of" in run("hitblow", "candidates", f"--{name}", "chess").stderr
