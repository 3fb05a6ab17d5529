"""A real browser for the tests of the page: Debian's Chromium, driven by selenium, and the page on a port of its own.

Where there is no browser these tests are skipped with a line that says how to get one; under CI=true they fail.
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
# The first is the others without windows: a page costs it half as much.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PHONE = (360, 740)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The page on a free port of this machine; its address without the last slash."""
    listener = listen(endpoint(lan=False), 0)
    running = serve.server(create_app())
    # Signals belong to the main thread, which is pytest's.
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://{LOOPBACK}:{listener.getsockname()[1]}"
    running.should_exit = True
    thread.join(10)
    listener.close()


@pytest.fixture(scope="session")
def start_browser(server: str) -> Iterator[Callable[[bool], Browser]]:
    """Starts Chromium at the size of a phone, with or without scripts; one of each is kept for all tests."""
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
        # Debian starts it by a script, and the driver would end only that.
        with suppress(WebDriverException):
            browser.driver.execute_cdp_cmd("Browser.close", {})
        browser.driver.quit()


@pytest.fixture(
    params=[pytest.param(True, id="scripts"), pytest.param(False, id="no scripts", marks=pytest.mark.exhaustive)]
)
def browser(request: pytest.FixtureRequest, start_browser: Callable[[bool], Browser]) -> Browser:
    """A phone, once with scripts and once without."""
    return start_browser(request.param).resized(*PHONE)


@pytest.fixture
def scripted(start_browser: Callable[[bool], Browser]) -> Browser:
    """A phone with scripts, where a test needs them or where they make no difference."""
    return start_browser(True).resized(*PHONE)
