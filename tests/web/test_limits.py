"""Served hosts, headers, and bounds on the work for one request."""

from __future__ import annotations

import re
from itertools import count

import pytest
from tests.web.client import get

from yomikiri.hitblow.search.position import _engine
from yomikiri.web import limits
from yomikiri.web.app import create_app
from yomikiri.web.limits import MOST_IN_ADDRESS


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1", 200), ("localhost:8349", 200), ("[::1]:8349", 200), ("LOCALHOST", 200),
     ("", 421), ("evil.example", 421), ("192.168.1.5", 421), ("127.0.0.1.evil.example", 421)],
)  # fmt: skip
def test_local_server_rejects_foreign_host_names(host: str, status: int):
    assert get("/", host=host).status == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("192.168.1.5:8349", 200), ("[fe80::1]:8349", 200), ("tablet.example", 421), ("192.168.1.5.evil.example", 421)],
)
def test_network_server_accepts_addresses_but_no_foreign_names(host: str, status: int):
    assert get("/", create_app((), any_address=True), host=host).status == status


@pytest.mark.parametrize("target", ["/", "/hitblow", "/nowhere", "/hitblow?turn=x", "/static/style.css"])
def test_responses_have_the_security_headers(target: str):
    headers = get(target).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_rejections_have_the_security_headers():
    assert "content-security-policy" in get("/", host="evil.example").headers


def test_pages_obey_the_content_policy():
    for target in ("/", "/hitblow?turn=012:0H1B&guess=345", "/hitblow?turn=012:0H1B&turn=012:1H0B&edit=1", "/x"):
        html = get(target).html
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?! src=\"/static/)", html), target
        assert not re.search(r'(?:src|href|action)="(?:\w+:)?//', html), target


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_other_methods_than_get_and_head_are_rejected(method: str):
    answer = get("/hitblow", method=method)
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


def test_long_addresses_are_rejected():
    assert get("/hitblow?x=" + "7" * MOST_IN_ADDRESS).status == 414


@pytest.mark.slow
@pytest.mark.usefixtures("no_machine_code")
def test_large_games_without_machine_code_are_unproven():
    off_the_book = "/hitblow?preset=bulls&absent=9"  # too large for the plain search, too
    assert "Not proven optimal: there is no machine code for this processor." in get(off_the_book).text
    assert get(f"{off_the_book}&guess=0123").status == 200
    assert get("/match?me=345:0H1B&they=678:0H0B&me=012:0H1B&they=901:0H1B").status == 200


GAMES = {
    "3 of 16, guesses repeat": ("digits=3&symbols=0123456789abcdef&repeats=guess", "5eb:1H0B", "9c1:1H1B"),
    "3 of 15, all repeat": ("digits=3&symbols=0123456789abcde&repeats=all", "b6c:1H0B", "d7d:0H1B"),
    "4 of 10": ("preset=bulls", "6790:0H1B", "3026:0H2B"),
    "4 of 9, all repeat": ("digits=4&symbols=012345678&repeats=all", "3768:0H0B", "5138:1H1B"),
    "5 of 8": ("digits=5&symbols=01234567", "12340:1H2B", "12340:1H3B"),
    "6 of 4, all repeat": ("digits=6&symbols=0123&repeats=all", "222120:2H2B", "131120:2H2B"),
    "6 of 7": ("digits=6&symbols=0123456", "123450:1H4B", "613542:1H5B"),
}
OFTEN = "5 of 8"
HARD = [pytest.param(game, marks=[] if game is OFTEN else pytest.mark.exhaustive, id=game) for game in GAMES]
TICK = 0.02
"""Seconds between two readings of the clock in these tests, which do not depend on the speed of the machine."""

MOST_READINGS = 20
"""Readings of the clock after the end of the time, while searches stop and the page is built."""


@pytest.mark.slow
@pytest.mark.parametrize("game", HARD)
def test_searches_of_a_page_share_its_time_limit(game: str, monkeypatch: pytest.MonkeyPatch):
    readings = count()
    monkeypatch.setattr("yomikiri.common.budget.monotonic", lambda: next(readings) * TICK)

    def seconds_of(target: str) -> float:
        """Return the time on this clock of a page that is not cached."""
        _engine.cache_clear()
        begun = next(readings)
        assert get(target).status == 200
        return (next(readings) - begun) * TICK

    rules, mine, theirs = GAMES[game]
    spare = MOST_READINGS * TICK
    assert seconds_of(f"/hitblow?{rules}&turn={mine}&compare=1") < limits.SECONDS + spare
    match = f"/match?{rules}&me={mine}&they={theirs}"
    assert seconds_of(match) < limits.SECONDS + limits.MATCH_SECONDS + spare


def test_search_out_of_time_gives_a_good_guess(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "SECONDS", -1.0)
    assert (
        "Not proven optimal: the best guess found within the time limit." in get("/hitblow?preset=bulls&absent=9").text
    )
