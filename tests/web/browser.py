"""A browser for tests: open pages, tap visible elements, read text, find accessibility barriers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import axe_core_python
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import presence_of_element_located
from selenium.webdriver.support.wait import WebDriverWait

from yomikiri.web.pages import files

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# WCAG 2.2, levels A and AA.
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_UNSTYLED = """
const linked = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => new URL(link.href).pathname);
const rules = (list) => [...list].flatMap((rule) => rule.selectorText ? [rule] : rules(rule.cssRules ?? []));
return Object.entries(arguments[0]).flatMap(([name, text]) => {
  if (linked.includes(`/static/${name}`)) return [];
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const matters = rules(sheet.cssRules).filter((rule) => document.querySelector(rule.selectorText));
  return matters.map((rule) => `${name}: ${rule.selectorText}`);
});
"""

_SEEN = """
const seen = (each) => each.checkVisibility({visibilityProperty: true, opacityProperty: true})
  && each.getBoundingClientRect().width > 0;
"""

# Links and buttons of their own; a link in a sentence may be smaller.
_SMALLER = (
    _SEEN
    + """
const tapped = document.querySelectorAll(":is(header, main) :is(a:not(p a, .skip), summary, button)");
const shown = [...tapped].filter(seen);
const small = shown.filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width < arguments[0] || box.height < arguments[1];
});
return [shown.length, small.map((each) => each.outerHTML)];
"""
)

# Parts of a card or a button that are outside its box, except in rows that scroll.
_OUTSIDE = (
    _SEEN
    + """
const parts = [...document.querySelectorAll("main :is(.card, .felt, .btn, .chip, .key, .answer, .door, .turn) *")];
return parts.filter(seen).filter((each) => {
  const texts = [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);  // may be wider than its box
  const boxes = [each, ...texts.map((node) => {
    const range = document.createRange();
    range.selectNode(node);
    return range;
  })].map((part) => part.getBoundingClientRect());
  const around = each.parentElement.closest(".card, .felt, .btn, .chip, .key, .answer, .door, .turn");
  const outer = around.getBoundingClientRect();
  if (each.ownerSVGElement || each.closest(".sr, .scroll, .confetti, div.wide, .known")) return false;
  return boxes.some((box) => box.width && (box.left < outer.left - 1 || box.right > outer.right + 1));
}).map((each) => each.outerHTML);
"""
)

# One call of the driver instead of two for each element. The text of a code has a line break after each symbol.
_TAPPED = (
    _SEEN
    + r"""
const [where, text] = arguments;
const says = (each) => each.innerText.includes(text) || each.innerText.replaceAll("\n", "").includes(text);
return [...document.querySelectorAll(where)].find((each) => seen(each) && says(each));
"""
)

# One call of the driver instead of three for each element.
_BOXES = (
    _SEEN
    + """
return [...document.querySelectorAll(arguments[0])].filter(seen).map((each) => {
  const box = each.getBoundingClientRect();
  return [box.left + scrollX, box.right + scrollX, box.top + scrollY, box.bottom + scrollY, each.innerText];
});
"""
)


class Box(NamedTuple):
    """The box of an element on its page, in pixels, with its text."""

    left: float
    right: float
    top: float
    bottom: float
    text: str


@dataclass
class Browser:
    """Chromium on the page under test."""

    driver: Chrome
    server: str
    scripts: bool = True

    def resized(self, width: int, height: int) -> Browser:
        """Set the size of the viewport. Animations end at once."""
        self._pace(1000)
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        return self

    def themed(self, theme: str) -> Browser:
        """Set the preferred theme, `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": theme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        return self

    def go(self, path: str) -> Browser:
        """Open a page."""
        self.driver.get(self.server + path)
        return self

    def at_its_own_pace(self) -> Browser:
        """Reload the page with animations at normal speed; by default they end at once."""
        self._pace(1)
        return self.reloaded()

    def reloaded(self) -> Browser:
        """Reload the page."""
        self.driver.refresh()
        return self

    def wait_until_settled(self) -> None:
        """Wait until every animation of the page is over."""
        WebDriverWait(self.driver, 20, poll_frequency=0.05).until(
            lambda driver: driver.execute_script(
                "return document.getAnimations().every(a => a.playState === 'finished')"
            )
        )

    def _pace(self, rate: float) -> None:
        self.driver.execute_cdp_cmd("Animation.enable", {})
        self.driver.execute_cdp_cmd("Animation.setPlaybackRate", {"playbackRate": rate})

    def becomes(self, address: str) -> bool:
        """Wait for an address. Return False if it is not reached in time."""
        try:
            WebDriverWait(self.driver, 20, poll_frequency=0.02).until(lambda _driver: self.address == address)
        except TimeoutException:
            return False
        return True

    @property
    def address(self) -> str:
        """The current address without the server."""
        return self.driver.current_url.removeprefix(self.server)

    @property
    def query(self) -> dict[str, list[str]]:
        """The parameters of the address, each with its values in order."""
        return parse_qs(urlsplit(self.driver.current_url).query, keep_blank_values=True)

    @property
    def text(self) -> str:
        """The visible text of the page."""
        return self.driver.find_element(By.TAG_NAME, "main").text

    def find(self, css: str) -> WebElement:
        """Return the first matching element."""
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css: str) -> list[WebElement]:
        """Return every matching element."""
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def boxes(self, css: str) -> list[Box]:
        """Return the boxes of every matching visible element."""
        return [Box(*box) for box in self.driver.execute_script(_BOXES, css)]

    def tap(self, text: str, within: str = "body") -> Browser:
        """Tap the first visible link, button or summary that contains `text`. Fails if there is no such element."""
        element = self.driver.execute_script(_TAPPED, f"{within} :is(a, button, summary)", text)
        assert element, f"nothing to tap says {text!r}:\n{self.text}"
        self._click(element)
        return self

    def _click(self, element: WebElement) -> None:
        """Click, and wait for the next page if there is one."""
        root, stays = self.find("html"), element.tag_name == "summary" or self._only_types(element)
        element.click()
        if not stays:
            wait = WebDriverWait(self.driver, 20, poll_frequency=0.02)
            wait.until(lambda _driver: _gone(root))
            wait.until(presence_of_element_located((By.CSS_SELECTOR, ".working")))

    def _only_types(self, element: WebElement) -> bool:
        """Return True if tapping a key of the pad loads no page.

        A page is loaded only when the guess is complete, by a script.
        """
        name = element.get_dom_attribute("name")
        if not self.scripts or name not in ("add", "erase"):
            return False
        form = element.find_element(By.XPATH, "ancestor::form")
        if name == "erase" or form.get_dom_attribute("data-waits") is not None:
            return True
        typed = str(form.find_element(By.NAME, "guess").get_property("value"))
        return len(typed) + 1 < int(form.get_dom_attribute("data-pad") or 0)

    def press(self, key: str) -> None:
        """Press a key."""
        ActionChains(self.driver).send_keys(key).perform()

    def menu(self) -> Browser:
        """Open the menu with all its folds."""
        self.find(".menu > summary").click()
        self.driver.execute_script("for (const each of document.querySelectorAll('.menu details')) each.open = true")
        return self

    def unfold(self) -> Browser:
        """Open every fold of the page."""
        self.driver.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
        return self

    def unstyled(self) -> list[str]:
        """Return rules of unlinked stylesheets that would match an element of the page."""
        sheets = {name: data.decode() for name, data in files().items() if name.endswith(".css")}
        return list(self.driver.execute_script(_UNSTYLED, sheets))

    def smaller(self, width: int, height: int) -> tuple[int, list[str]]:
        """Return the number of visible links and buttons, and those smaller than this size in pixels."""
        count, small = self.driver.execute_script(_SMALLER, width, height)
        return count, small

    def outside(self) -> list[str]:
        """Return the visible parts of cards and buttons that reach beyond the left or right side of their boxes."""
        return list(self.driver.execute_script(_OUTSIDE))

    def waits_for(self, css: str, text: str) -> bool:
        """Wait until the first matching element contains `text`. Return False after the time limit."""
        try:
            WebDriverWait(self.driver, 120).until(
                lambda _driver: text in str(self.find(css).get_property("textContent"))
            )
        except TimeoutException:
            return False
        return True

    def waits_until(self, script: str, seconds: float = 20) -> bool:
        """Wait until a script returns a true value. Return False after the time limit."""
        try:
            WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda driver: driver.execute_script(script))
        except TimeoutException:
            return False
        return True

    @contextmanager
    def without_its_script(self) -> Iterator[None]:
        """Load pages as with scripts off, while the driver can still run scripts."""
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*page.js*"]})
        yield
        self.driver.execute_cdp_cmd("Network.disable", {})

    def barriers(self, colours: bool | None = None) -> list[dict[str, Any]]:
        """Return the findings of axe-core against WCAG A and AA.

        `colours` selects contrast alone, or everything else. The driver runs axe-core, because the policy forbids pages
        to.
        """
        if not self.driver.execute_script("return typeof axe === 'object'"):
            self.driver.execute_script(AXE)
        asked: dict[str, Any] = {"runOnly": {"type": "tag", "values": LEVELS}, "resultTypes": ["violations"]}
        if colours:
            asked["runOnly"] = {"type": "rule", "values": ["color-contrast"]}
        elif colours is False:
            asked["rules"] = {"color-contrast": {"enabled": False}}
        found: dict[str, Any] = self.driver.execute_async_script(
            "const done = arguments[1]; axe.run(arguments[0]).then(done)", asked
        )
        return [{"rule": each["id"], "where": [node["html"] for node in each["nodes"]]} for each in found["violations"]]

    def complaints(self) -> list[str]:
        """Return the messages in the log of the browser since the last call."""
        entries: list[dict[str, Any]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries]

    def too_wide(self) -> int:
        """Return the number of pixels by which the page is wider than the window."""
        root = self.driver.find_element(By.TAG_NAME, "html")
        return int(root.get_property("scrollWidth")) - int(root.get_property("clientWidth"))  # type: ignore[arg-type]


def _gone(element: WebElement) -> bool:
    """Return True if an element has left the page. During navigation, the driver reports this by several errors."""
    try:
        element.is_enabled()
    except WebDriverException:
        return True
    return False
