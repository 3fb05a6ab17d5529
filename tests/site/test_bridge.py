"""Without a server and without threads, every page is the same as that of a server."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Generator, Iterator

import pytest
from tests.site.addresses import ADDRESSES, in_language
from tests.web.client import get

from yomikiri.common import host
from yomikiri.site import bridge, packs
from yomikiri.web import app, limits

ORIGIN = "http://127.0.0.1"
# Addresses without long searches.
QUICK = [each for each in ADDRESSES if "digits=4" not in each and "/api/" not in each]


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    bridge._application.cache_clear()
    monkeypatch.setattr(host, "threads", lambda: False)
    yield
    bridge._application.cache_clear()


def search_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the time limits of pages, because a search that stops early on a busy machine gives another page."""
    monkeypatch.setattr(limits, "SECONDS", 60.0)
    monkeypatch.setattr(limits, "MATCH_SECONDS", 60.0)


def answered(address: str, base: str = "") -> tuple[int, dict[str, str], bytes]:
    path, _, query = address.partition("?")
    status, headers, body = bridge.answer("GET", path, query, "en", ORIGIN, base)
    return status, dict(headers), body


@pytest.mark.slow
@pytest.mark.parametrize("language", ["ja", pytest.param("en", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("address", QUICK)
def test_bridge_and_server_return_the_same_page(address: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search_to_the_end(monkeypatch)
    asked = in_language(address, language)
    status, headers, body = answered(asked)
    monkeypatch.undo()
    search_to_the_end(monkeypatch)
    served = get(asked)
    if not asked.startswith("/play?"):  # a new game is random
        assert body == served.body
    assert status == served.status
    assert headers["content-security-policy"] == served.headers["content-security-policy"]


def test_bridge_has_no_api() -> None:
    assert answered("/api/v1/openapi.json")[0] == 404


def test_links_lead_into_the_folder_of_the_site() -> None:
    _, headers, body = answered("/", "/folder")
    assert b'href="/folder/static/style.css' in body
    assert b'href="/static' not in body
    assert b'formaction="/folder/hitblow"' in answered("/?preset=own", "/folder")[2]
    assert int(headers["content-length"]) == len(body)
    assert b"http://127.0.0.1/folder/hitblow?" in answered("/hitblow?v=1&turn=012:0H1B", "/folder")[2]
    status, headers, _ = answered("/play", "/folder")
    assert status == 303
    assert headers["location"].startswith("/folder/play?")


def test_begin_loads_pages_without_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(bridge, "answer", lambda *given: asked.append(given[1]))
    bridge.ahead(ORIGIN, "")
    assert asked == ["/hitblow", "/hitblow"]


def test_stored_state_contains_neither_numpy_nor_machine_code() -> None:
    # A browser saves the memory after `begin` for the next start. Compiled code in it would make that start crash.
    program = """
import sys
from yomikiri.common import host
host.threads = lambda: False
from yomikiri.site import bridge
bridge.COMPILED = type("Folder", (), {"__truediv__": lambda self, name: self, "read_text": lambda self: ""})()
before = {*sys.modules}
bridge.begin("http://site", "")
print(*({"numpy", "ctypes"} & {*sys.modules} - before))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [], done.stderr


def test_waiting_application_raises() -> None:
    async def pause() -> None:
        class Never:
            def __await__(self) -> Generator[None, None, None]:
                yield

        await Never()

    with pytest.raises(RuntimeError, match="waits"):
        bridge._run(pause())


def test_bridge_uses_the_language_of_the_browser() -> None:
    status, headers, _ = bridge.answer("GET", "/", "", "ja,en;q=0.5", ORIGIN)
    assert (status, dict(headers)["content-language"]) == (200, "ja")
    assert sys.platform != host.ONE_THREAD


# --- no page needs a module that a site leaves out -------------------------------------------------------------------

_WALK = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if any(name == each or name.startswith(each + ".") for each in {missing}):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
from yomikiri.common import host
host.threads = lambda: False
from tests.site.walker import STARTS, Fetched, walk
from yomikiri.site import bridge
from yomikiri.web import limits
limits.SECONDS = 0.7

def fetch(address):
    path, _, query = address.partition("?")
    status, headers, body = bridge.answer("GET", path, query, "en", "http://site")
    of = dict(headers)
    return Fetched(status, of.get("location", ""), body.decode() if "html" in of.get("content-type", "") else "")

pages = [(fetched.status, address) for address, fetched in walk(fetch, STARTS, {limit})]
assert len(pages) == {limit}, len(pages)
print(*(page for page in pages if page[0] >= 500), sep="\\n")
"""


def left_out() -> set[str]:
    """Return the modules that the site leaves out, except those that Python outside a browser needs to start."""
    (unused,) = (
        ast.literal_eval(each.value)
        for each in ast.parse((packs.BROWSER / "pack.py").read_text()).body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "UNUSED"
    )
    started = subprocess.run(
        [sys.executable, "-c", "import numpy, starlette.routing, sys; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    own = {f"yomikiri.{name.removesuffix('.py').replace('/', '.')}" for name in packs._LEFT_OUT}
    return {*unused, *own} - {*started.stdout.split()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "limit",
    [
        40,
        pytest.param(200, marks=pytest.mark.exhaustive),
        pytest.param(1_500, marks=pytest.mark.release),
    ],
)
def test_no_page_needs_a_module_that_a_site_leaves_out(limit: int) -> None:
    missing = left_out()
    assert {"sqlite3", "yomikiri.api", "yomikiri.cli"} <= missing
    program = _WALK.format(missing=sorted(missing), limit=limit)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    assert done.stdout.strip() == "", done.stderr


def test_unexpected_error_shows_a_page_with_a_way_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_chosen: str, _lang: str | None) -> None:
        raise ZeroDivisionError("unexpected")

    monkeypatch.setattr(app, "home_view", broken)
    status, _, body = answered("/", "/folder")
    assert status == 500
    assert b'href="/folder/"' in body
    assert "unexpected" in capsys.readouterr().err
