"""The address is the match: it says all of it, old ones keep working, and none of them can break a page."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.client import get

from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.rules import Turn, Words, hint
from yomikiri.web.match_address import MatchAddress
from yomikiri.web.match_address import read as read_match

NAMES = st.sampled_from(
    ["v", "turn", "absent", "guess", "add", "edit", "compare", "lang", "preset", "digits", "symbols", "repeats",
     "words", "me", "they", "first", "secret"]
)  # fmt: skip


VALUES = st.one_of(
    st.text(max_size=12),
    st.from_regex(r"[0-9a-zあア]{0,4}:?[0-9]?[HBhb]?[0-9]?[HBhb]?", fullmatch=True),
    st.sampled_from(["1", "2", "012", "012:0H1B", "012:2H1B", "0123:1H1B", "none", "all", "guess", "bulls", "-1", "𝟙"]),
)


OLD_MATCHES = {
    "/match": ["You guess", "0 1 2", "What you agreed on"],
    "/match?v=1&first=opponent&absent=5&secret=314&they=012:1H0B&me=123:0H1B&they=345:1H1B": [
        "Your secret is 314.", "They guessed 345. Answer:", "1 hit, 1 blow", "0 hits, 2 blows", "6 candidates",
        "180 candidates",
    ],
    "/match?v=1&me=012:0H1B": ["Their turn", "What do they guess?"],
    "/match?v=1&words=eat&me=012:0H1B&they=345:0H0B&lang=ja": ["0E1B", "あなたの予想"],
    "/match?v=1&equal-turns=1&me=012:3H0B": ["Their turn"],
    "/match?v=1&shown=7&me=012:3H0B": ["You win in 1."],
    "/match?v=1&preset=bulls&me=0123:1B": ["4 digits of 0123456789", "1B0C", "Their turn"],
    "/match?v=1&preset=mastermind&me=1122:1B&lang=en": ["4 digits of 123456, repeats allowed", "1B0W"],
    "/match?v=1&preset=numeron&me=012:1B": ["0E1B"],
    "/match?v=1&digits=4&me=0123:0H1B&they=0123:0H1B": ["4 digits of 0123456789", "1,440 candidates"],
}  # fmt: skip


@pytest.mark.parametrize(("link", "said"), OLD_MATCHES.items(), ids=OLD_MATCHES)
def test_old_links_of_matches_keep_working(link: str, said: list[str]):
    page = get(link)
    assert page.status == 200
    assert [text for text in said if text not in page.text] == []


@st.composite
def matches(draw: st.DrawFn) -> MatchAddress:
    """Matches as they are played, true to two secrets, up to some line."""
    mine, theirs = draw(st.sampled_from(["314", "012"])), draw(st.sampled_from(["508", "159"]))
    match = Match(first=draw(st.sampled_from(Side)), secret=draw(st.sampled_from(["", mine])),
                  equal_turns=draw(st.booleans()), shown=draw(st.sampled_from(["", "7"])))  # fmt: skip
    for guess in draw(st.lists(st.sampled_from(["013", "345", "798", "159"]), max_size=5)):
        if match.to_move is None:
            break
        match = match.play(Turn(guess, hint(guess, theirs if match.to_move is Side.ME else mine)))
    line = draw(st.sampled_from([None, len(match.turns)])) or None
    return MatchAddress(
        match,
        draw(st.sampled_from(Words)),
        draw(st.sampled_from([None, "ja"])),
        draw(st.sampled_from(["", "34"])),
        line,
        draw(st.booleans()),
    )


@given(matches())
@settings(max_examples=10)
def test_an_address_says_the_whole_match_and_every_link_of_its_page_leads_to_a_page(address: MatchAddress):
    assert read_match(parse_qsl(str(address).partition("?")[2])) == address
    page = get(str(address))
    assert page.status == 200
    for link in page.links()[::24]:
        assert get(link).status in (200, 303), link


@given(st.lists(st.tuples(NAMES, VALUES), max_size=6))
@settings(max_examples=150)
def test_whatever_a_match_says_there_is_a_page_or_a_refusal(pairs: list[tuple[str, str]]):
    assert get("/match?" + urlencode(pairs, errors="surrogatepass")).status in (200, 303, 400, 414)


@pytest.mark.parametrize(
    ("secret", "said"),
    [("3140", "'3140' is not a code"), ("345", "'345:1H0B' is not how"), ("017", "the secret '017' uses '7'")],
)
def test_a_secret_that_cannot_be_loses_nothing_of_the_match(secret: str, said: str):
    page = get(f"/match?v=1&shown=7&me=012:0H1B&they=345:1H0B&secret={secret}")
    assert page.status == 400
    assert said in page.text
    assert f'name="secret" value="{secret}"' in page.html
    assert "/match?v=1&shown=7&me=012:0H1B" in page.links("Undo")


def test_rules_of_a_match_are_bounded_before_anything_is_counted():
    for rules in ("digits=6", "secret-digits=6&secret-symbols=0123456789abcdef&secret-repeats=all"):
        page = get(f"/match?{rules}&they=012345:0H0B")
        assert page.status == 400
        assert "too many for the page" in page.text
