"""A site in a real browser: after one visit it answers every page without a network, until a new version replaces it.

The tests need Node.js, ziglang, Chromium, and a folder with the runtime, which YOMIKIRI_RUNTIME names (see
CONTRIBUTING.md). A test that is skipped names the missing ones.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from tests.site.addresses import ADDRESSES, in_language
from tests.site.walker import STARTS, Fetched, Page, walk
from tests.web.client import get
from tests.web.own import WORDS

from yomikiri.guessing.game import Game
from yomikiri.site.folder import _write_worker, server, write_site
from yomikiri.site.runtime import runtime_in
from yomikiri.web.app import create_app
from yomikiri.web.own_game import OwnGame

pytestmark = pytest.mark.exhaustive

SECONDS = 90
WALKED = 250  # pages
SETTLED = "return document.readyState === 'complete' && !!document.querySelector('main#main')"
UPDATE = "return navigator.serviceWorker.getRegistration().then((it) => it.update()).catch(() => 0)"


@pytest.fixture(scope="session")
def runtime() -> Path:
    named = os.environ.get("YOMIKIRI_RUNTIME")
    missing = [name for name in ("node", "chromium", "chromedriver") if not shutil.which(name)]
    missing += [name for name in ("ziglang",) if find_spec(name) is None]
    if not named or missing:
        pytest.skip(f"no site is tried: YOMIKIRI_RUNTIME={named or ''}, missing: {' '.join(missing) or 'nothing else'}")
    return Path(named)


@pytest.fixture(scope="session")
def site(runtime: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a site for the folder /app/."""
    target = tmp_path_factory.mktemp("site") / "app"
    write_site(target, runtime, "/app/")
    return target


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve a site and yield its address."""
    serving = server(folder, "/app/", port)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{serving.server_address[1]}/app"
    finally:
        serving.shutdown()
        serving.server_close()


@contextmanager
def chromium(profile: Path, language: str = "en") -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for each in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=390,844"):
        options.add_argument(each)
    options.add_argument(f"--user-data-dir={profile}")
    options.add_argument(f"--lang={language}")
    driver = Chrome(options=options, service=ChromeService(str(shutil.which("chromedriver"))))
    try:
        yield driver
    finally:
        driver.quit()


def wait(driver: Chrome, ready: str = SETTLED) -> None:
    """Wait until a script returns a true value."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            if driver.execute_script(ready):
                return
        except Exception:  # during a navigation
            pass
        time.sleep(0.02)
    pytest.fail(f"never: {ready}: {driver.current_url} {driver.find_element('tag name', 'body').text[-800:]}")


def go(driver: Chrome, address: str) -> str:
    """Go to a page and return its title."""
    driver.get(address)
    wait(driver)
    return driver.title.partition(" · ")[0]


def stop_workers(driver: Chrome) -> None:
    """End the worker, as a browser does to free memory."""
    driver.execute_cdp_cmd("ServiceWorker.enable", {})
    driver.execute_cdp_cmd("ServiceWorker.stopAllWorkers", {})
    time.sleep(1)


def test_site_works_offline_after_the_first_visit(site: Path, tmp_path: Path) -> None:
    with served(site) as at:
        port = int(at.split(":")[2].partition("/")[0])
        with chromium(tmp_path) as driver:
            # A deep link can be the first visit. Pages are found with and without a final slash.
            assert go(driver, f"{at}/hitblow?v=1&turn=012:0H1B") == "Guess 134"
            assert go(driver, f"{at}/hitblow/?v=1&turn=012:0H1B") == "Guess 134"
            assert go(driver, f"{at}/") == "Hit & Blow and weighted tic-tac-toe"
            turns = ""
            for answer in ("012:0H1B", "134:0H1B", "301:0H1B"):
                turns += f"&turn={answer}"
                assert go(driver, f"{at}/hitblow?v=1{turns}")
            assert go(driver, f"{at}/hitblow?v=1&turn=012:0H1B&turn=345:1H0B&turn=367:0H1B") == "Guess 146"
            assert "%" in page_text(driver, f"{at}/match?v=1")
            assert go(driver, f"{at}/tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2") == "Takahashi wins with b1 or c2"
            assert go(driver, f"{at}/?lang=ja") == "ヒット＆ブローと重み付き三目並べ"
            assert driver.execute_script("return navigator.serviceWorker.controller !== null")
            stop_workers(driver)
            assert go(driver, f"{at}/hitblow?v=1&turn=012:0H1B") == "Guess 134"
            # A second tab uses the same worker.
            driver.switch_to.new_window("tab")
            assert go(driver, f"{at}/hitblow?v=1&turn=012:0H1B&turn=134:0H1B")
    with chromium(tmp_path) as driver:
        assert not reached(port)
        assert go(driver, f"{at}/") == "Hit & Blow and weighted tic-tac-toe"
        assert go(driver, f"{at}/hitblow?v=1&turn=089:0H1B&turn=127:0H1B") == "Guess 032"
        assert go(driver, f"{at}/hitblow?v=1&digits=4&turn=0123:1H1B").startswith("Guess")


def test_site_with_an_own_list_searches_in_the_browser(runtime: Path, tmp_path: Path) -> None:
    write_site(tmp_path / "app", runtime, "/app/", OwnGame(Game(WORDS, ["night"])))
    with served(tmp_path / "app") as at, chromium(tmp_path / "profile") as driver:
        assert go(driver, f"{at}/guess?v=1") == "Guess crate"
        assert go(driver, f"{at}/guess?v=1&turn=grape:02202") == "Guess crane"
        assert "About 2.00 more guesses on average." in page_text(driver, f"{at}/guess?v=1&turn=grape:02202")
        assert go(driver, f"{at}/guess/play?v=1&seed=tea&me=crane") == "Your guess 2"
        assert "zzzzz" in page_text(driver, f"{at}/guess?v=1&turn=zzzzz:00000")


def page_text(driver: Chrome, address: str) -> str:
    go(driver, address)
    return str(driver.find_element("tag name", "main").text)


def reached(port: int) -> bool:
    import socket

    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def test_pages_equal_those_of_a_server(runtime: Path, tmp_path: Path) -> None:
    folder = tmp_path / "root"
    write_site(folder, runtime)
    serving = server(folder)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    at = f"127.0.0.1:{serving.server_address[1]}"
    native = create_app()
    ask = """const done = arguments[1];
        fetch(arguments[0]).then(
            async (found) => done([found.status, await found.text(), found.headers.get("content-security-policy")]),
            (error) => done([0, String(error), ""]))"""
    different: list[str] = []
    try:
        with chromium(tmp_path / "profile") as driver:
            go(driver, f"http://{at}/")
            driver.get(f"http://{at}/licences.html")  # the policy forbids pages to fetch
            driver.set_script_timeout(SECONDS)
            for address in (in_language(each, language) for each in ADDRESSES for language in ("en", "ja")):
                expected = get(address, native, host=at)
                if expected.status == 303:  # a new game is random, and its address contains the seed
                    address = expected.headers["location"]
                    expected = get(address, native, host=at)
                found: list[Any] = driver.execute_async_script(ask, address)
                if address.startswith("/api/"):  # a site has no API
                    assert found[0] == 404
                elif found[:2] != [expected.status, expected.html]:
                    different.append(address)
                else:
                    assert found[2] == expected.headers["content-security-policy"]
    finally:
        serving.shutdown()
        serving.server_close()
    assert different == []


def test_every_page_of_the_site_opens(runtime: Path, tmp_path: Path) -> None:
    folder = tmp_path / "root"
    write_site(folder, runtime)
    serving = server(folder)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    at = f"http://127.0.0.1:{serving.server_address[1]}"
    ask = """const done = arguments[1];
        fetch(arguments[0]).then(
            async (found) => done([found.status, found.redirected ? found.url : "", await found.text()]),
            (error) => done([0, "", String(error)]))"""
    try:
        with chromium(tmp_path / "profile") as driver:
            go(driver, f"{at}/")
            driver.get(f"{at}/licences.html")  # the policy forbids pages to fetch
            driver.set_script_timeout(SECONDS)

            def fetch(address: str) -> Fetched:
                status, _location, text = driver.execute_async_script(ask, address)
                return Fetched(status, "", text)

            pages = list(walk(fetch, STARTS, WALKED, ("en", "ja")))
    finally:
        serving.shutdown()
        serving.server_close()
    assert len(pages) == WALKED
    # Nothing that the page itself offers fails, and every page has a way back.
    assert [address for address, page in pages if page.status >= 500 or page.status == 0] == []
    kept = "/offline"  # a file to download, without links
    assert [address for address, page in pages if not Page(page.text).links and not address.startswith(kept)] == []


def test_failed_page_has_a_way_back(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "app"
    shutil.copytree(site, folder)
    worker = folder / "sw.js"
    broken = "function answered(app, request, url) {\n  if (url.search === '?broken') throw new Error('broken');"
    worker.write_text(worker.read_text().replace("function answered(app, request, url) {", broken))
    with served(folder) as at, chromium(tmp_path / "profile") as driver:
        assert "Something went wrong" in page_text(driver, f"{at}/?broken")
        driver.find_element("partial link text", "Home").click()
        wait(driver, "return document.title.startsWith('Hit & Blow') && !!document.querySelector('main#main')")


def test_new_version_waits_for_open_pages(site: Path, runtime: Path, tmp_path: Path) -> None:
    folder = tmp_path / "app"
    shutil.copytree(site, folder)
    with served(folder) as at:
        port = int(at.split(":")[2].partition("/")[0])
        version = "return caches.keys().then((names) => names.sort().join())"
        with chromium(tmp_path / "profile") as driver:
            go(driver, f"{at}/")
            before = driver.execute_script(version)
            # A new version with a damaged file: the old version stays.
            notices = folder / "licences.html"
            notices.write_text(notices.read_text() + "<!-- next -->")
            _write_worker(folder, runtime_in(runtime))
            whole = notices.read_text()
            notices.write_text("damaged")
            driver.execute_script(UPDATE)
            time.sleep(4)
            go(driver, f"{at}/")
            assert driver.execute_script(version) == before
            # The complete new version is downloaded, and waits.
            notices.write_text(whole)
            driver.execute_script(UPDATE)
            wait(driver, "return navigator.serviceWorker.getRegistration().then((it) => !!it.waiting)")
            assert go(driver, f"{at}/hitblow?v=1&turn=012:0H1B") == "Guess 134"
            assert len(driver.execute_script(version).split(",")) == 2
        with chromium(tmp_path / "profile") as driver:
            go(driver, f"{at}/")
            wait(driver, "return caches.keys().then((names) => names.length === 1)")
            assert driver.execute_script(version) != before
            driver.get(f"{at}/licences.html")
            assert "<!-- next -->" in driver.execute_script("return fetch(location).then((it) => it.text())")
    assert not reached(port)


def test_record_works_on_the_site(site: Path, tmp_path: Path) -> None:
    held = {"days": {"2026-11-20": {"guesses": 4, "found": True}}, "puzzles": {}, "solved": [True], "notes": {}}
    file = tmp_path / "record.json"
    file.write_text(json.dumps(held))
    with served(site) as at, chromium(tmp_path / "profile") as driver:
        go(driver, f"{at}/practise?v=1&difficulty=easy&seed=tea")
        driver.find_element("css selector", "[data-import]").send_keys(str(file))
        wait(driver, "return (localStorage.record ?? '').includes('2026-11-20')")
        stop_workers(driver)
        go(driver, f"{at}/practise?v=1&difficulty=easy&seed=tea")
        assert json.loads(driver.execute_script("return localStorage.record"))["days"] == held["days"]


def test_shell_explains_errors(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "app"
    shutil.copytree(site, folder)
    (folder / "packs" / "app.pack").write_bytes(b"half of it")
    with served(folder) as at, chromium(tmp_path / "profile", "en") as driver:
        driver.get(f"{at}/match?v=1")
        wait(driver, "return !document.querySelector('[data-when=failed]').hidden")
        assert "app.pack" in driver.find_element("id", "why").text
