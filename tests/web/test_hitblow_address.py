"""The address is the game: it says all of it, old ones keep working, and none of them can break a page."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.client import get

from yomikiri.errors import InputError
from yomikiri.hitblow.rules import PRESETS, Hint, Repeats, Rules, Turn, Words
from yomikiri.web.hitblow_address import Address, read
from yomikiri.web.limits import MOST_IN_ADDRESS, MOST_TURNS

# Links as they were handed out, with what their pages say. They stay; new ones are added below.
OLD = {
    "/hitblow": ["Guess 1", "0 1 2", "720 candidates"],
    "/hitblow?v=1&turn=012:0H1B&turn=345:1H0B&absent=7&lang=ja": ["3 手目の予想", "012", "345", "使われない数字：7"],
    "/hitblow?v=1&turn=012:0H1B&turn=134:1H0B": ["Guess 3", "1 5 6", "45 candidates"],
    "/hitblow?v=1&turn=012%3A0H1B": ["Guess 2", "1 3 4", "252 candidates"],
    "/hitblow?v=1&preset=numeron&turn=012:0H1B": ["0E1B", "252 candidates"],
    "/hitblow?v=1&preset=bulls&turn=0123:0H1B": ["0B1C", "1,440 candidates"],
    "/hitblow?v=1&preset=mastermind": ["4 digits of 123456, repeats allowed"],
    "/hitblow?v=1&preset=bulls&turn=0123:1B": ["1B0C"],
    "/hitblow?v=1&preset=mastermind&turn=1122:1B": ["1B0W"],
    "/hitblow?v=1&digits=2&symbols=abcd&repeats=all&words=bull": ["2 digits of abcd, repeats allowed"],
    "/hitblow?v=1&turn=012:0H1B&guess=345": ["Your guess 2", "3 4 5"],
    "/hitblow?v=1&turn=012:0H1B&edit=1": ["What did they answer to 012?"],
    "/hitblow?v=1&turn=012:0H1B&turn=012:1H1B": ["These answers do not fit together"],
    "/hitblow?v=1&turn=012:3H0B": ["Found 012 in 1 guess"],
}


@pytest.mark.parametrize(("link", "said"), OLD.items(), ids=OLD)
def test_old_links_keep_working(link: str, said: list[str]):
    page = get(link)
    assert page.status == 200
    assert [text for text in said if text not in page.text] == []


def test_an_address_of_a_later_version_is_refused_and_says_so():
    page = get("/hitblow?v=2&turn=012:0H1B")
    assert page.status == 400
    assert "version '2'" in page.text


RULES = st.sampled_from(
    [*((known.rules, known.words) for known in PRESETS.values()), (Rules(2, "abcdé"), "bull"),
     (Rules(3, "あいうえ", Repeats.ALL), "eat"), (Rules(1, "&=%+"), "hit"), (Rules(2, "012", Repeats.GUESS), "hit")]
)  # fmt: skip


@st.composite
def addresses(draw: st.DrawFn) -> Address:
    """Games that can be said, whether they can be played or not."""
    rules, words = draw(RULES)
    codes = st.permutations(rules.symbols).map(lambda symbols: "".join(symbols[: rules.digits]))
    turns = draw(st.lists(st.builds(Turn, codes, st.sampled_from(rules.hints)), max_size=4))
    return Address(
        rules,
        Words(words),
        draw(st.sampled_from(["", rules.symbols[0]])) if len(rules.symbols) > rules.digits else "",
        tuple(turns),
        draw(st.sampled_from([None, "en", "ja"])),
        draw(st.one_of(st.just(""), codes)),
        draw(st.sampled_from([None, len(turns)])) if turns else None,
        draw(st.booleans()),
    )


@given(addresses())
def test_an_address_says_the_whole_game(address: Address):
    assert read(parse_qsl(str(address).partition("?")[2], keep_blank_values=True)) == address


@given(addresses())
@settings(max_examples=25)
def test_every_link_of_a_page_leads_to_a_page(address: Address):
    page = get(str(address))
    if page.status == 200:
        for link in page.links()[::8]:
            assert get(link).status == 200, link


def test_no_link_of_a_game_in_progress_leads_to_an_error():
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


@given(st.lists(st.tuples(NAMES, VALUES), max_size=6))
@settings(max_examples=200)
def test_whatever_a_game_says_there_is_a_page_or_a_refusal(pairs: list[tuple[str, str]]):
    page = get("/hitblow?" + urlencode(pairs, errors="surrogatepass"))
    assert page.status in (200, 400, 414)
    assert page.html.startswith("<!doctype html>")


def test_the_longest_game_fits_into_an_address():
    whole = Address(turns=(Turn("012", Hint(0, 1)),) * MOST_TURNS, absent="789", lang="ja", edit=MOST_TURNS)
    assert len(str(whole)) < MOST_IN_ADDRESS / 2
    assert get(str(whole)).status == 200


def test_one_more_line_than_the_page_reads_is_refused():
    whole = Address(turns=(Turn("012", Hint(0, 1)),) * (MOST_TURNS + 1))
    assert get(str(whole)).status == 400


@pytest.mark.parametrize("rules", ["digits=5", "digits=6", "symbols=0123456789abcdef&digits=4", "digits=5&repeats=all"])
def test_rules_that_would_keep_the_machine_busy_are_refused_and_say_so(rules: str):
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
def test_a_value_that_a_game_cannot_have_is_refused_with_what_was_expected(link: str, said: str):
    page = get(link, accept_language="en")
    assert page.status == 400
    assert said in page.text


def test_a_name_without_a_value_says_nothing():
    assert read([("digits", ""), ("repeats", ""), ("words", ""), ("preset", ""), ("symbols", "")]) == Address()


def test_what_cannot_be_read_is_an_input_error():
    with pytest.raises(InputError):
        read([("digits", "three")])
