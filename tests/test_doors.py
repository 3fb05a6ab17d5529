"""The same text is the same game at every door: options and typed lines, addresses, the API, saved games."""

from __future__ import annotations

import json
from itertools import chain
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from tests.cli.run import run
from tests.web.client import get

from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import match_pairs, read_match
from yomikiri.hitblow.model.game import Game, game_of, game_pairs
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, Words
from yomikiri.saves import Keeper
from yomikiri.web.hitblow_address import read
from yomikiri.web.hitblow_address import read_match as read_match_address

BULLS, MASTERMIND = Rules(4), Rules(4, "123456", Repeats.ALL)

GAMES = [
    ({}, "012:1B", Game(Rules(), Words.HIT, "", (Turn("012", Hint(0, 1)),))),
    ({"preset": "numeron"}, "012:1B", Game(Rules(), Words.EAT, "", (Turn("012", Hint(0, 1)),))),
    ({"preset": "bulls"}, "0123:1B", Game(BULLS, Words.BULL, "", (Turn("0123", Hint(1, 0)),))),
    ({"preset": "bulls", "words": "hit"}, "0123:1B", Game(BULLS, Words.HIT, "", (Turn("0123", Hint(0, 1)),))),
    ({"preset": "mastermind"}, "1122:1B", Game(MASTERMIND, Words.BLACK, "", (Turn("1122", Hint(1, 0)),))),
    ({"preset": "mastermind"}, "1122:2B1W", Game(MASTERMIND, Words.BLACK, "", (Turn("1122", Hint(2, 1)),))),
    ({"words": "black"}, "012:b1", Game(Rules(), Words.BLACK, "", (Turn("012", Hint(1, 0)),))),
    (
        {"words": "bull", "absent": "78"},
        "０１２：１黒１白",
        Game(Rules(), Words.BULL, "78", (Turn("012", Hint(1, 1)),)),
    ),
    ({"preset": "bulls", "digits": "３"}, "123:1C", Game(Rules(), Words.BULL, "", (Turn("123", Hint(0, 1)),))),
    (
        {"digits": "2", "symbols": "abcd", "repeats": "all", "absent": "D"},
        "AB:1H",
        Game(Rules(2, "abcd", Repeats.ALL), Words.HIT, "d", (Turn("ab", Hint(1, 0)),)),
    ),
]
BY_NAME = pytest.mark.parametrize(("told", "turn", "game"), GAMES, ids=[f"{told} {turn}" for told, turn, _ in GAMES])


def options(told: dict[str, str]) -> list[str]:
    return list(chain.from_iterable((f"--{name}", value) for name, value in told.items()))


def known_from(game: Game) -> Knowledge:
    return game.known


@BY_NAME
def test_names_and_values_tell_the_game(told, turn, game):
    assert game_of([*told.items(), ("turn", turn)]) == game
    assert game_of(game_pairs(game)) == game


@BY_NAME
def test_options_and_arguments_tell_it(told, turn, game):
    shown = run("hitblow", "candidates", turn, *options(told)).stdout
    assert shown.split() == known_from(game).codes()


@BY_NAME
def test_a_typed_line_tells_it(told, turn, game):
    shown = run("hitblow", "assist", "--policy", "likely", *options(told), given=f"{turn}\n")
    assert f"{known_from(game).count:,} candidates" in shown.stdout


@BY_NAME
def test_an_address_tells_it(told, turn, game):
    address = read([*told.items(), ("turn", turn)])
    assert (address.game, address.words) == (known_from(game), game.words)


@BY_NAME
def test_a_question_to_the_api_tells_it(told, turn, game):
    query = urlencode([*told.items(), ("turn", turn), ("policy", "likely")])
    document = json.loads(get(f"/api/v1/hitblow/suggest?{query}").body)
    assert (document["guess"], document["count"]) == (known_from(game).codes(1)[0], known_from(game).count)


@BY_NAME
def test_a_match_is_told_in_the_same_way_by_options_and_addresses(told, turn, game):
    address = read_match_address([*told.items(), ("me", turn)])
    match = address.game
    assert (match.rules, address.words) == (game.rules, game.words)
    assert (match.absent, match.turns) == (game.absent, game.facts)
    text = " ".join([*(f"{name}={value}" for name, value in told.items()), f"me={turn}"])
    assert read_match(text) == match


def test_the_command_of_a_match_reads_a_lone_b_as_everything_else_does():
    for preset, turn, stored in (("bulls", "012:1B", "012:1H0B"), ("mastermind", "112:1B", "112:1H0B")):
        command = ("hitblow", "match", "--json", "--seconds", "0", "--preset", preset, "--digits", "3")
        shown = run(*command, f"me={turn}", "they=" + stored)
        assert f"me={stored} they={stored}" in json.loads(shown.stdout)["match"]


@pytest.mark.parametrize("game", [game for _, _, game in GAMES])
def test_a_saved_game_holds_it_as_hits_and_blows(game):
    keeper = Keeper(Knowledge)
    keeper.keep(known_from(game))
    assert keeper.path
    assert json.loads(keeper.path.read_text("utf-8"))["game"].endswith(" ".join(f"turn={turn}" for turn in game.facts))
    keeper.release()
    saved = Keeper(Knowledge).latest(game.rules)
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
def test_facts_are_told_alike_at_every_door(tokens):
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
def test_facts_are_saved_and_taken_up_again(tokens):
    known = game_of(given(tokens)).known
    keeper = Keeper(Knowledge)
    keeper.keep(known)
    keeper.release()
    saved = Keeper(Knowledge).latest(known.rules)
    assert saved
    assert saved.game == known


REFUSED = [
    ({"digits": "three"}, "", "digits needs a number, such as 1: 'three' is none"),
    ({"digits": "7"}, "", "7 digits: expected 1 to 6"),
    ({"symbols": "0012"}, "", "symbols '0012': expected 1 to 16 different"),
    ({"absent": "x"}, "", "'x' in 'x' is not a symbol of this game"),
    ({"preset": "bulls"}, "0123:x", "'x' is not an answer"),
    ({"preset": "bulls"}, "012:1B", "'012' is not a code: expected 4 symbols"),
]


@pytest.mark.parametrize(("told", "turn", "said"), REFUSED, ids=[said for _, _, said in REFUSED])
def test_what_cannot_be_read_is_refused_with_the_same_sentence(told, turn, said):
    assert said in run("hitblow", "candidates", *options(told), *([turn] if turn else [])).stderr
    query = urlencode([*told.items(), ("turn", turn)] if turn else told)
    for path in ("/hitblow", "/match", "/api/v1/hitblow/suggest"):
        answer = get(f"{path}?{query.replace('turn=', 'me=') if path == '/match' else query}")
        assert answer.status == 400
        assert said in answer.text.replace("&#39;", "'")


@pytest.mark.parametrize(
    ("name", "known"),
    [("preset", "hitblow, numeron"), ("repeats", "none, guess, all"), ("words", "hit, eat, bull, black")],
)
def test_a_word_that_is_none_of_a_few_is_refused_with_those(name, known):
    for path in ("/hitblow", "/match", "/api/v1/hitblow/suggest"):
        assert f"{name}=chess: expected one of {known}" in get(f"{path}?{name}=chess").text
    assert "'chess' is not one of" in run("hitblow", "candidates", f"--{name}", "chess").stderr
