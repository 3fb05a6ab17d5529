"""The endpoint of the page and its queue."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yomikiri.web import app, limits, serve
from yomikiri.web.hitblow import by_book, hitblow
from yomikiri.web.pages import ALL_INTERFACES, static
from yomikiri.web.play import needs_no_search, play
from yomikiri.web.serve import LOOPBACK, endpoint, listen


def test_server_listens_locally_by_default():
    where = endpoint(lan=False)
    assert where.host == LOOPBACK
    assert not where.any_address


def test_server_listens_on_the_network_on_request():
    where = endpoint(lan=True)
    assert where.host == ALL_INTERFACES
    assert where.any_address


RELEASED = threading.Event()


def slow(_request: Request) -> Response:
    """Return a page whose search lasts until the test ends it."""
    RELEASED.wait(600)
    return Response("done")


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Start a server with slow searches and the usual bounds. Yields its port."""
    monkeypatch.setattr(serve, "SILENT_SECONDS", 0.5)
    RELEASED.clear()
    routes = [
        Route("/slow", app.queued(slow)),
        Route("/hitblow", app.queued(hitblow, by_book)),
        Route("/play", app.queued(play, needs_no_search)),
        Route("/static/{name}", static),
    ]
    listener = listen(endpoint(lan=False), 0)
    small = Starlette(routes=routes)
    small.state.lan, small.state.base = False, ""
    running = serve.server(small)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    RELEASED.set()
    running.should_exit = True
    thread.join(10)
    listener.close()


def ask(port: int, path: str) -> tuple[int, dict[str, str]]:
    connection = HTTPConnection(LOOPBACK, port, timeout=600)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


def test_searches_wait_in_a_bounded_queue(busy: int):
    many = limits.MOST_SEARCHES + limits.MOST_WAITING
    with ThreadPoolExecutor(many) as pool:
        asked = [pool.submit(ask, busy, "/slow") for _ in range(many)]
        waiting = 0  # requests of this loop that took a place in the queue
        while (answer := one_more(busy))[0] != 503:  # until all requests have arrived
            waiting += 1
            time.sleep(0.05)
        assert answer[1]["retry-after"] == "2"
        assert ask(busy, "/static/style.css")[0] == 200
        assert ask(busy, "/hitblow?turn=012:0H1B")[0] == 200
        assert ask(busy, "/play?seed=tea&me=012")[0] == 200
        assert ask(busy, "/hitblow?turn=345:0H1B&turn=012:1H0B&compare=1")[0] == 503
        assert ask(busy, "/play?seed=tea&me=012&hint=2")[0] == 503
        early = [future.result()[0] for future in asked if future.done()]
        RELEASED.set()
        assert set(early) <= {503}, "no quick page waits for a slow one"
        assert {future.result()[0] for future in asked} <= {200, 503}
        assert sum(future.result()[0] == 200 for future in asked) >= many - waiting


def one_more(port: int) -> tuple[int, dict[str, str]]:
    """Return the status of one more request for a slow page; 0 if it has to wait."""
    connection = HTTPConnection(LOOPBACK, port, timeout=0.3)
    try:
        connection.request("GET", "/slow")
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}
    except TimeoutError:
        return 0, {}
    finally:
        connection.close()


@pytest.mark.parametrize("sent", [b"", b"GET /static/style.css HTT"])
def test_silent_connections_are_closed(busy: int, sent: bytes):
    with socket.create_connection((LOOPBACK, busy), timeout=20) as connection:
        connection.sendall(sent)
        assert connection.recv(100) == b""
