"""Addresses contain the whole game, old ones still work, and no address breaks a page."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.web.client import get

from yomikiri.common.errors import InputError
from yomikiri.hitblow.advice.items import ASKING, Items
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.model.codes import possible_hints
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.rules import PRESETS, Hint, Repeats, Rules, Turn, Words, hint
from yomikiri.hitblow.model.wrong_answers import Slips
from yomikiri.web.hitblow_address import AssistAddress, OpenParts, read, read_match
from yomikiri.web.limits import MOST_IN_ADDRESS, MOST_TURNS

# Published links, with texts of their pages. Keep them; add new ones below.
OLD = {
    "/hitblow": ["Guess this", "0 1 2", "720 candidates"],
    "/hitblow?v=1&turn=012:0H1B&turn=345:1H0B&absent=7&lang=ja": ["3 手目", "0 1 2", "使わない数字 7"],
    "/hitblow?v=1&turn=012:0H1B&turn=134:1H0B": ["your turn 3", "1 5 6", "45 candidates"],
    "/hitblow?v=1&turn=012%3A0H1B": ["your turn 2", "1 3 4", "252 candidates"],
    "/hitblow?v=1&preset=numeron&turn=012:0H1B": ["0E1B", "252 candidates"],
    "/hitblow?v=1&preset=bulls&turn=0123:0H1B": ["0B1C", "1,440 candidates"],
    "/hitblow?v=1&preset=mastermind": ["4 pegs of 6 colours"],
    "/hitblow?v=1&preset=bulls&turn=0123:1B": ["1 bull, 0 cows"],
    "/hitblow?v=1&preset=mastermind&turn=1122:1B": ["1 black, 0 whites"],
    "/hitblow?v=1&digits=2&symbols=abcd&repeats=all&words=bull": ["2 digits of abcd, repeats allowed"],
    "/hitblow?v=1&turn=012:0H1B&guess=345": ["Your own guess", "3 4 5"],
    "/hitblow?v=1&turn=012:0H1B&edit=1": ["They answered", "0 1 2"],
    "/hitblow?v=1&turn=012:0H1B&turn=012:1H1B": ["These answers cannot all be right"],
    "/hitblow?v=1&turn=012:3H0B": ["Found 012 in 1 guess"],
    "/hitblow?v=1&slips=1&turn=012:0H1B": ["1 answer may be wrong.", "720 candidates"],
}


@pytest.mark.parametrize(("link", "said"), OLD.items(), ids=OLD)
def test_old_links_still_work(link: str, said: list[str]):
    page = get(link)
    assert page.status == 200
    assert [text for text in said if text not in page.text] == []


def test_address_of_a_later_version_is_rejected():
    page = get("/hitblow?v=2&turn=012:0H1B")
    assert page.status == 400
    assert "version '2'" in page.text


RULES = st.sampled_from(
    [*((known.rules, known.words) for known in PRESETS.values()), (Rules(2, "abcdé"), "bull"),
     (Rules(3, "あいうえ", Repeats.ALL), "eat"), (Rules(1, "&=%+"), "hit"), (Rules(2, "012", Repeats.GUESS), "hit")]
)  # fmt: skip


SLIPS = st.sampled_from([Slips(), Slips(1), Slips(2, 0.125)])


def items(rules: Rules, known: Sequence[Item]) -> st.SearchStrategy[Items]:
    """Draw items for a game with these rules."""
    if not rules.symbols.isdecimal() or rules.repeats is Repeats.ALL:
        return st.just(Items())
    return st.sets(st.sampled_from(known), max_size=3).map(lambda had: Items(tuple(i for i in Item if i in had)))


@st.composite
def addresses(draw: st.DrawFn) -> AssistAddress:
    """Draw games, with or without candidates."""
    rules, words = draw(RULES)
    codes = st.permutations(rules.symbols).map(lambda symbols: "".join(symbols[: rules.digits]))
    turns = [
        Turn(guess, draw(st.sampled_from([*possible_hints(rules, guess)])))
        for guess in draw(st.lists(codes, max_size=4))
    ]
    absent = draw(st.sampled_from(["", rules.symbols[0]])) if len(rules.symbols) > rules.digits else ""
    return AssistAddress(
        Knowledge(rules, absent, tuple(turns), slips=draw(SLIPS)),
        Words(words),
        draw(st.sampled_from([None, "en", "ja"])),
        draw(items(rules, ASKING)),
        OpenParts(
            draw(st.one_of(st.just(""), codes)),
            draw(st.sampled_from([None, len(turns)])) if turns else None,
            compare=draw(st.booleans()),
            numbers=draw(st.booleans()),
        ),
    )


@given(addresses())
def test_address_contains_the_whole_game(address: AssistAddress):
    assert read(parse_qsl(str(address).partition("?")[2], keep_blank_values=True)) == address


@pytest.mark.slow
@given(addresses())
@examples(50)
def test_links_of_a_page_work(address: AssistAddress):
    page = get(str(address))
    if page.status == 200:
        for link in page.links()[::8]:
            assert get(link).status == 200, link


def test_links_of_a_game_in_progress_cause_no_error():
    for link in get("/hitblow?turn=012:0H1B&turn=134:1H0B&edit=1").links():
        assert get(link).status == 200, link


NAMES = st.sampled_from(
    ["v", "turn", "absent", "guess", "add", "edit", "compare", "lang", "preset", "digits", "symbols", "repeats",
     "words", "me", "they", "first", "secret"]
)  # fmt: skip


VALUES = st.one_of(
    st.text(max_size=12),
    st.from_regex(r"[0-9a-zあア]{0,4}:?[0-9]?[HBhb]?[0-9]?[HBhb]?", fullmatch=True),
    st.sampled_from(["1", "2", "012", "012:0H1B", "012:2H1B", "0123:1H1B", "none", "all", "guess", "bulls", "-1", "𝟙"]),
)


@pytest.mark.slow
@given(st.lists(st.tuples(NAMES, VALUES), max_size=6))
@settings(max_examples=200)
def test_any_query_gives_a_page_or_a_4xx(pairs: list[tuple[str, str]]):
    page = get("/hitblow?" + urlencode(pairs, errors="surrogatepass"))
    assert page.status in (200, 400, 414)
    assert page.html.startswith("<!doctype html>")


def test_longest_game_fits_into_an_address():
    known = Knowledge(absent="789", facts=(Turn("012", Hint(0, 1)),) * MOST_TURNS)
    whole = AssistAddress(known, lang="ja", opened=OpenParts(edit=MOST_TURNS))
    assert len(str(whole)) < MOST_IN_ADDRESS / 2
    assert get(str(whole)).status == 200


def test_too_many_turns_are_rejected():
    whole = AssistAddress(Knowledge(facts=(Turn("012", Hint(0, 1)),) * (MOST_TURNS + 1)))
    assert get(str(whole)).status == 400


@pytest.mark.parametrize("rules", ["digits=5", "digits=6", "symbols=0123456789abcdef&digits=4", "digits=5&repeats=all"])
def test_too_large_games_are_rejected(rules: str):
    page = get(f"/hitblow?{rules}")
    assert page.status == 400
    assert "too many for the page" in page.text


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("/hitblow?digits=0", "0 digits: expected 1 to 6"),
        ("/hitblow?repeats=some", "repeats=some: expected one of none, guess, all"),
        ("/hitblow?words=meow", "words=meow: expected one of hit, eat, bull"),
        ("/match?words=meow", "words=meow: expected one of hit, eat, bull"),
        ("/tictactoe?board=1,2/3,4&me=third", "me=third: expected one of first, second"),
    ],
)
def test_invalid_values_are_rejected_with_the_expected_ones(link: str, said: str):
    page = get(link, accept_language="en")
    assert page.status == 400
    assert said in page.text


def test_names_without_a_value_are_ignored():
    assert read([("digits", ""), ("repeats", ""), ("words", ""), ("preset", ""), ("symbols", "")]) == AssistAddress()


def test_unreadable_queries_raise_input_error():
    with pytest.raises(InputError):
        read([("digits", "three")])


OLD_MATCHES = {
    "/match": ["Guess this", "0 1 2", "Match settings"],
    "/match?v=1&first=opponent&absent=5&secret=314&they=012:1H0B&me=123:0H1B&they=345:1H1B": [
        "Your answer to 345", "1 hit, 1 blow", "0 hits, 2 blows", "Yours could be any of 6", "180 candidates",
    ],
    "/match?v=1&me=012:0H1B": ["What did they guess?"],
    "/match?v=1&words=eat&me=012:0H1B&they=345:0H0B&lang=ja": ["0イート、1バイト", "次はこの予想"],
    "/match?v=1&equal-turns=1&me=012:3H0B": ["What did they guess?"],
    "/match?v=1&shown=7&me=012:3H0B": ["You won!", "in 1 guess"],
    "/match?v=1&preset=bulls&me=0123:1B": ["4 digits", "1 bull, 0 cows", "What did they guess?"],
    "/match?v=1&preset=mastermind&me=1122:1B&lang=en": ["4 pegs of 6 colours", "1 black, 0 whites"],
    "/match?v=1&preset=numeron&me=012:1B": ["0 eats, 1 bite"],
    "/match?v=1&digits=4&me=0123:0H1B&they=0123:0H1B": ["4 digits", "1,440 candidates"],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("link", "said"), OLD_MATCHES.items(), ids=OLD_MATCHES)
def test_old_links_of_matches_still_work(link: str, said: list[str]):
    page = get(link)
    assert page.status == 200
    assert [text for text in said if text not in page.text] == []


@st.composite
def matches(draw: st.DrawFn) -> AssistAddress:
    """Draw matches in progress that agree with two secrets."""
    mine, theirs = draw(st.sampled_from(["314", "012"])), draw(st.sampled_from(["508", "159"]))
    match = Match(first=draw(st.sampled_from(Side)), secret=draw(st.sampled_from(["", mine])),
                  equal_turns=draw(st.booleans()), shown=draw(st.sampled_from(["", "7"])))  # fmt: skip
    for guess in draw(st.lists(st.sampled_from(["013", "345", "798", "159"]), max_size=5)):
        if match.to_move is None:
            break
        match = match.play(Turn(guess, hint(guess, theirs if match.to_move is Side.ME else mine)))
    line = draw(st.sampled_from([None, len(match.turns)])) or None
    return AssistAddress(
        match,
        draw(st.sampled_from(Words)),
        draw(st.sampled_from([None, "ja"])),
        draw(items(match.rules, tuple(Item))),
        OpenParts(draw(st.sampled_from(["", "34"])), line, terms=draw(st.booleans()), numbers=draw(st.booleans())),
    )


@pytest.mark.slow
@given(matches())
@settings(max_examples=10)
def test_address_contains_the_whole_match_and_its_links_work(address: AssistAddress):
    assert read_match(parse_qsl(str(address).partition("?")[2])) == address
    page = get(str(address))
    assert page.status == 200
    for link in page.links()[::24]:
        assert get(link).status in (200, 303), link


@given(st.lists(st.tuples(NAMES, VALUES), max_size=6))
@examples(500)
def test_any_query_of_a_match_gives_a_page_or_a_4xx(pairs: list[tuple[str, str]]):
    assert get("/match?" + urlencode(pairs, errors="surrogatepass")).status in (200, 303, 400, 414)


@pytest.mark.parametrize(
    ("secret", "said"),
    [("3140", "'3140' is not a code"), ("345", "'345:1H0B' does not fit"), ("017", "secret '017': you revealed '7'")],
)
def test_wrong_secret_keeps_the_rest_of_the_match(secret: str, said: str):
    page = get(f"/match?v=1&shown=7&me=012:0H1B&they=345:1H0B&secret={secret}")
    assert page.status == 400
    assert said in page.text
    assert f'name="secret" value="{secret}"' in page.html
    assert "/match?v=1&shown=7&me=012:0H1B" in page.links("Undo")


def test_rules_of_a_match_are_checked_before_its_turns():
    for rules in ("digits=6", "secret-digits=6&secret-symbols=0123456789abcdef&secret-repeats=all"):
        page = get(f"/match?{rules}&they=012345:0H0B")
        assert page.status == 400
        assert "too many for the page" in page.text


def test_game_can_continue_after_a_contradiction():
    turns = "turn=012:0H1B&turn=012:1H1B"
    (on,) = get(f"/hitblow?{turns}").links("Continue: one answer may be wrong")
    assert on == f"/hitblow?v=1&{turns}&slips=1"
    page = get(on)
    assert "0 codes fit every answer, 294 more if one is wrong" in page.text
    (back,) = page.links("All answers are right")
    assert "cannot all be right" in get(back).text
    (on,) = get("/match?me=012:0H1B&they=012:0H1B&me=012:1H1B").links("Continue: one answer may be wrong")
    assert "cannot all be right" not in get(on).text
