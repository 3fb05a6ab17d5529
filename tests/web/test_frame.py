"""What holds for every page: who is answered, with which headers, in which language, and how errors look."""

from __future__ import annotations

import re

import pytest
from tests.web.client import get

from yomikiri.web.app import create_app
from yomikiri.web.limits import MOST_IN_ADDRESS
from yomikiri.web.pages import preferred


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1", 200), ("localhost:8349", 200), ("[::1]:8349", 200), ("LOCALHOST", 200),
     ("", 421), ("evil.example", 421), ("192.168.1.5", 421), ("127.0.0.1.evil.example", 421)],
)  # fmt: skip
def test_on_this_machine_only_its_own_names_are_answered(host: str, status: int):
    assert get("/", host=host).status == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("192.168.1.5:8349", 200), ("[fe80::1]:8349", 200), ("tablet.example", 421), ("192.168.1.5.evil.example", 421)],
)
def test_on_the_network_any_address_is_answered_and_no_foreign_name(host: str, status: int):
    assert get("/", create_app((), any_address=True), host=host).status == status


@pytest.mark.parametrize("target", ["/", "/hitblow", "/nowhere", "/hitblow?turn=x", "/static/style.css"])
def test_every_answer_has_the_headers(target: str):
    headers = get(target).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_refusal_has_the_headers_too():
    assert "content-security-policy" in get("/", host="evil.example").headers


def test_no_page_needs_what_the_policy_forbids():
    for target in ("/", "/hitblow?turn=012:0H1B&guess=345", "/hitblow?turn=012:0H1B&turn=012:1H0B&edit=1", "/x"):
        html = get(target).html
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?! src=\"/static/)", html), target
        assert not re.search(r'(?:src|href|action)="(?:\w+:)?//', html), target


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_the_page_is_only_read(method: str):
    assert get("/hitblow", method=method).status == 405


def test_an_address_can_be_only_so_long():
    assert get("/hitblow?x=" + "7" * MOST_IN_ADDRESS).status == 414


def test_static_files_are_served_by_name_and_nothing_else():
    assert get("/static/style.css").headers["content-type"].startswith("text/css")
    for name in ("../app.py", "%2e%2e/app.py", "nothing.css", "", "style.css/"):
        assert get(f"/static/{name}").status == 404


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("", "en"), ("ja", "ja"), ("ja-JP,ja;q=0.9,en;q=0.8", "ja"), ("en-US,en;q=0.9,ja;q=0.8", "en"),
     ("fr,ja;q=0.1", "ja"), ("ja;q=0", "en"), ("*", "en"), (";;;q=9,,ja", "ja"), ("JA", "ja")],
)  # fmt: skip
def test_the_browser_chooses_the_language(accepted: str, language: str):
    assert preferred(accepted) == language
    assert f'<html lang="{language}">' in get("/hitblow", accept_language=accepted).html


def test_the_address_chooses_before_the_browser():
    assert '<html lang="ja">' in get("/hitblow?lang=ja", accept_language="en").html


def test_the_language_is_switched_where_one_is():
    page = get("/hitblow?v=1&turn=012:0H1B&absent=7")
    assert page.links("日本語") == ["/hitblow?v=1&turn=012:0H1B&absent=7&lang=ja"]


def test_an_error_is_a_page_with_a_sentence_and_a_way_on():
    page = get("/hitblow?turn=012:2H1B")
    assert page.status == 400
    assert "2H1B cannot be the answer to 012" in page.text
    assert "Traceback" not in page.html


def test_the_way_on_from_an_error_keeps_the_language():
    assert get("/match?first=x&lang=ja").links("はじめから") == ["/match?lang=ja"]
    assert get("/nothing?lang=ja").links("はじめから") == ["/?lang=ja"]


def test_no_path_that_was_asked_for_becomes_part_of_a_link():
    page = get("//evil.example/x")
    assert page.status == 404
    assert "evil" not in page.html


def test_what_was_typed_is_shown_and_never_run():
    page = get("/hitblow?turn=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in page.html
    assert "<script>alert" in page.text
