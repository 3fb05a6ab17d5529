"""A browser as a test uses it: go somewhere, tap what can be seen, read, look for barriers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import axe_core_python
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# WCAG 2.2, levels A and AA.
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@dataclass
class Browser:
    """Chromium on the page under test."""

    driver: Chrome
    server: str

    def resized(self, width: int, height: int) -> Browser:
        """The same with a viewport of that size."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        return self

    def themed(self, theme: str) -> Browser:
        """The same for someone who likes pages `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": theme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        return self

    def go(self, path: str) -> Browser:
        """Open a page."""
        self.driver.get(self.server + path)
        return self

    @property
    def address(self) -> str:
        """Where it is, without the server."""
        return self.driver.current_url.removeprefix(self.server)

    @property
    def text(self) -> str:
        """What can be read."""
        return self.driver.find_element(By.TAG_NAME, "main").text

    def find(self, css: str) -> WebElement:
        """The first element that matches."""
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css: str) -> list[WebElement]:
        """Every element that matches."""
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def tap(self, text: str, within: str = "body") -> Browser:
        """Tap the first thing to tap that can be seen and whose text holds `text`; fails if there is none."""
        for element in self.all(f"{within} :is(a, button, summary)"):
            if element.is_displayed() and text in element.text:
                element.click()
                return self
        raise AssertionError(f"nothing to tap says {text!r}:\n{self.text}")

    def barriers(self) -> list[dict[str, Any]]:
        """What axe-core finds against WCAG A and AA; the driver runs it, as the page itself may not."""
        self.driver.execute_script(AXE)
        found: dict[str, Any] = self.driver.execute_async_script(
            "const done = arguments[1]; axe.run({runOnly: {type: 'tag', values: arguments[0]}}).then(done)", LEVELS
        )
        return [{"rule": each["id"], "where": [node["html"] for node in each["nodes"]]} for each in found["violations"]]

    def too_wide(self) -> int:
        """How many pixels the page is wider than the window."""
        root = self.driver.find_element(By.TAG_NAME, "html")
        return int(root.get_property("scrollWidth")) - int(root.get_property("clientWidth"))  # type: ignore[arg-type]
