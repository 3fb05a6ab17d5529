"""Sharing a game: a link, and with --lan its QR code, without personal data."""

from __future__ import annotations

from html import unescape

import pytest
from tests.web.client import Answer, get

from yomikiri.web import pages
from yomikiri.web.app import create_app

LAN = create_app(any_address=True)
MATCH = "/match?v=1&secret=314&shown=7&me=012:0H1B&they=325:1H0B&lang=ja"


def link(page: Answer) -> str:
    """Return the link that the page shows."""
    return unescape(page.html.partition('id="link">')[2].partition("<")[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "shared"),
    [
        ("/hitblow?v=1&turn=012:0H1B&guess=345&lang=ja", "/hitblow?v=1&turn=012:0H1B"),
        (MATCH, "/match?v=1&shown=7&me=012:0H1B&they=325:1H0B"),
        ("/match?v=1&secret=314&they=shuffle&secret=134", "/match?v=1&they=shuffle"),
        ("/play?v=1&seed=tea&me=012&lang=en", "/play?v=1&seed=tea&me=012"),
        ("/play?v=1&seed=tea&race=1&secret=314&shown=7&me=012&they=346", "/play?v=1&seed=tea&race=1"),
        ("/tictactoe?v=1&board=1,2,3/4,5,6/7,8,9&moves=a1&lang=ja", "/tictactoe?v=1&board=1,2,3/4,5,6/7,8,9&moves=a1"),
    ],
)
def test_shared_link_omits_secret_and_language(path: str, shared: str):
    page = get(path)
    assert link(page) == f"http://127.0.0.1{shared}"
    assert get(shared).status == 200


def test_shared_link_uses_the_network_address(monkeypatch):
    monkeypatch.setattr(pages, "network_address", lambda: "192.168.1.23")
    for host in ("127.0.0.1:8349", "[::1]:8349", "LOCALHOST:8349", "192.168.1.23:8349"):
        page = get(MATCH, LAN, host=host)
        assert link(page) == "http://192.168.1.23:8349/match?v=1&shown=7&me=012:0H1B&they=325:1H0B"
    source = unescape(page.html.partition('class="code-picture" src="')[2].partition('"')[0])
    code = get(source, LAN)
    assert code.headers["content-type"] == "image/svg+xml"
    assert "314" not in source
    assert code.body != get(source.replace("325", "326"), LAN).body


def test_qr_code_is_readable(monkeypatch):
    asked = []
    monkeypatch.setattr("segno.make", lambda text, **_how: asked.append(text))
    with pytest.raises(AttributeError):
        get("/qr.svg?of=/hitblow?v=1%26turn=012:0H1B", LAN, host="10.0.0.7:8349")
    assert asked == ["http://10.0.0.7:8349/hitblow?v=1&turn=012:0H1B"]


@pytest.mark.parametrize("of", ["", "//elsewhere.example/", "https://elsewhere.example/", "hitblow"])
def test_qr_code_of_foreign_addresses_is_404(of: str):
    assert get(f"/qr.svg?of={of}", LAN).status == 404


def test_local_server_has_no_qr_code():
    assert "qr.svg" not in get(MATCH).html
    assert get("/qr.svg?of=/hitblow").status == 404
