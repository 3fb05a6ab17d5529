"""Rules for every page: its language, its size, its errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.client import get
from tests.web.test_people import PAGES

import yomikiri.web
from yomikiri.web.limits import MOST_TURNS
from yomikiri.web.pages import files, preferred


def test_only_static_files_are_served_by_name():
    assert get("/static/style.css").headers["content-type"].startswith("text/css")
    for name in ("../app.py", "%2e%2e/app.py", "nothing.css", "", "style.css/"):
        assert get(f"/static/{name}").status == 404


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("", "en"), ("ja", "ja"), ("ja-JP,ja;q=0.9,en;q=0.8", "ja"), ("en-US,en;q=0.9,ja;q=0.8", "en"),
     ("fr,ja;q=0.1", "ja"), ("ja;q=0", "en"), ("*", "en"), (";;;q=9,,ja", "ja"), ("JA", "ja")],
)  # fmt: skip
def test_accept_language_selects_the_language(accepted: str, language: str):
    assert preferred(accepted) == language
    assert f'<html lang="{language}">' in get("/hitblow", accept_language=accepted).html


def test_address_overrides_accept_language():
    assert '<html lang="ja">' in get("/hitblow?lang=ja", accept_language="en").html


def test_language_link_keeps_the_page():
    page = get("/hitblow?v=1&turn=012:0H1B&absent=7")
    assert page.links("日本語") == ["/hitblow?v=1&turn=012:0H1B&absent=7&lang=ja"]


def test_error_page_has_a_reason_and_a_link():
    page = get("/hitblow?turn=012:2H1B")
    assert page.status == 400
    assert "2H1B is impossible for 012" in page.text
    assert "Traceback" not in page.html


def test_error_page_keeps_the_language():
    assert get("/match?first=x&lang=ja").links("新しいゲーム") == ["/match?lang=ja"]
    assert get("/nothing?lang=ja").links("新しいゲーム") == ["/?lang=ja"]


@pytest.mark.parametrize("target", ["/nothing?lang=ja", f"/hitblow?lang=ja&turn={'0' * 2000}"])
def test_buttons_named_by_errors_exist(target: str):
    page = get(target)
    named = re.findall("「(.*?)」", page.text)
    assert named
    assert all(page.links(button) for button in named)


def test_requested_path_never_enters_a_link():
    page = get("//evil.example/x")
    assert page.status == 404
    assert "evil" not in page.html


def test_typed_text_is_escaped():
    page = get("/hitblow?turn=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in page.html
    assert "<script>alert" in page.text


@pytest.mark.slow
@given(st.binary(max_size=60), st.binary(max_size=200))
@settings(max_examples=150)
def test_any_bytes_give_a_page_or_a_4xx(path: bytes, query: bytes):
    assert get(b"/" + path + b"?" + query).status in (200, 400, 404, 405, 414)
    assert get(b"/hitblow?" + query).status in (200, 400, 414)


def sent(target: str) -> int:
    """Return the bytes of a response as a browser receives them."""
    answer = get(target, accept_encoding="gzip")
    assert answer.headers.get("content-encoding") == "gzip"
    assert "Accept-Encoding" in answer.headers["vary"]
    return len(answer.body)


def linked(page: str) -> list[str]:
    """Return the stylesheets and scripts of a page."""
    return re.findall(r'(?:href|src)="(/static/[^"]*[.](?:css|js)[?][^"]*)"', get(page).html)


STATIC = Path(yomikiri.web.__file__).parent / "static"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_stylesheets_of_a_page_stay_under_26_kilobytes(page: str):
    names = [part.partition("?")[0] for part in linked(PAGES[page])]
    sheets = [name.removeprefix("/static/") for name in names if name.endswith(".css")]
    assert sum((STATIC / name).stat().st_size for name in sheets) < 26_000
    assert sum(sent(f"/static/{name}") for name in sheets) < 7 * 1024


def test_stylesheets_are_sent_without_comments():
    written = (STATIC / "style.css").read_text(encoding="utf-8")
    assert "/*" in written
    sent = files()["style.css"].decode()
    assert "/*" not in sent
    assert "\n " not in sent
    assert re.sub(r"\s+", "", sent) == re.sub(r"\s+", "", re.sub(r"/[*].*?[*]/", "", written, flags=re.DOTALL))


def test_script_is_sent_without_comments():
    written = (STATIC / "page.js").read_text(encoding="utf-8").splitlines()
    sent = files()["page.js"].decode().splitlines()
    assert sent == [line.strip() for line in written if not line.strip().startswith("//")]


# Classes with a number that the template inserts: symbols, columns, rows, colours.
NUMBERED = re.compile(r"[nrkc][0-9]+")


def test_stylesheets_have_no_unused_classes():
    styles = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.css"))
    named = set(re.findall(r"[.]([a-z][a-z0-9-]*)", re.sub(r"/[*].*?[*]/|\{[^{}]*\}", " ", styles, flags=re.DOTALL)))
    web = Path(yomikiri.web.__file__).parent
    sources = [*web.glob("templates/*"), *web.glob("*.py"), web / "static/page.js", web.parent / "common/enums.py"]
    written = set(re.findall(r"[a-z][a-z0-9-]*", " ".join(path.read_text(encoding="utf-8") for path in sources)))
    assert named > {"tile", "answer", "judgement"}
    assert sorted(name for name in named - written if not NUMBERED.fullmatch(name)) == []


def test_first_page_with_files_stays_under_16_kilobytes():
    parts = linked("/")
    assert len(parts) == 4
    assert sent("/") + sum(map(sent, parts)) < 16_000


LARGE = {
    "the most candidates": "/hitblow?digits=5&symbols=01234567",
    "all numbers left": "/hitblow?preset=bulls&numbers=1",
    "a long board": "/tictactoe?board=" + "/".join(["-100000000000,5,123456,0,-7"] * 5) + "&line=5",
    "a long game against the program": "/play?preset=bulls&seed=tea&give-up=1&review=1" + "&me=0123" * 30,
    "everything open": "/hitblow?preset=bulls&turn=0123:0H1B&edit=1&guess=4567",
    "the longest game": "/hitblow?preset=bulls&edit=1" + "&turn=0123:0H0B" * MOST_TURNS,
    "the longest match": "/match?edit=1" + "&me=012:0H1B&they=345:0H1B" * MOST_TURNS,
    "many candidates after a long match": "/match?digits=4&edit=1"
    + "&me=0123:2H0B&they=0123:0H1B" * (MOST_TURNS - 1)
    + "&me=4567:0H1B&they=0123:0H1B",
}


@pytest.mark.parametrize("link", LARGE.values(), ids=LARGE)
def test_pages_stay_under_6_kilobytes(link: str):
    assert get(link).status == 200
    assert sent(link) < 6 * 1024
