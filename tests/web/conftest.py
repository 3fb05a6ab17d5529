"""A real browser for the tests of the page: Debian's Chromium, driven by selenium, and a server of the page.

Without a browser these tests are skipped with a hint how to install one. With CI=true they fail.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from tests.web.browser import Browser

from yomikiri.web import serve
from yomikiri.web.app import create_app
from yomikiri.web.serve import LOOPBACK, endpoint, listen

HOW = "no browser: 'apt-get install chromium-headless-shell chromium-driver' gets one"
# The first has no windows, and loads a page in half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PHONE = (360, 740)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Return the address of the page on a free port, without the last slash."""
    listener = listen(endpoint(lan=False), 0)
    running = serve.server(create_app())
    # pytest runs in the main thread, which receives the signals.
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://{LOOPBACK}:{listener.getsockname()[1]}"
    running.should_exit = True
    thread.join(10)
    listener.close()


@pytest.fixture(scope="session")
def start_browser(server: str) -> Iterator[Callable[[bool], Browser]]:
    """Return a function that starts Chromium with or without scripts. It keeps one of each for all tests."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        if os.environ.get("CI") == "true":
            pytest.fail(HOW)
        pytest.skip(HOW)
    kept: dict[bool, Browser] = {}

    def start(scripts: bool) -> Browser:
        if scripts not in kept:
            options = ChromeOptions()
            options.binary_location = chromium
            for argument in ("--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                             "--hide-scrollbars", "--no-first-run", "--disable-background-networking"):  # fmt: skip
                options.add_argument(argument)
            started = kept[scripts] = Browser(Chrome(options, ChromeService(driver)), server, scripts)
            started.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
            assert bool(started.go("/").all("html.js")) is scripts
        return kept[scripts]

    yield start
    for browser in kept.values():
        # Close the browser itself first. Debian starts Chromium by a script, and quit() would end only that script.
        with suppress(WebDriverException):
            browser.driver.execute_cdp_cmd("Browser.close", {})
        browser.driver.quit()


@pytest.fixture(
    params=[pytest.param(True, id="scripts"), pytest.param(False, id="no scripts", marks=pytest.mark.exhaustive)]
)
def browser(request: pytest.FixtureRequest, start_browser: Callable[[bool], Browser]) -> Browser:
    """Return a browser of the size of a phone, once with scripts and once without."""
    return start_browser(request.param).resized(*PHONE)


@pytest.fixture
def scripted(start_browser: Callable[[bool], Browser]) -> Browser:
    """Return a browser of the size of a phone with scripts, for tests that need them or do not depend on them."""
    return start_browser(True).resized(*PHONE)
