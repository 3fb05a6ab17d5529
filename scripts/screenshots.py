"""Take the pictures of the page that the READMEs show: python scripts/screenshots.py [FOLDER], by default docs/assets.

Needs what the tests of the page need: Chromium, its driver, and the packages for development.
"""

from __future__ import annotations

import shutil
import sys
import threading
from pathlib import Path

import uvicorn
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.support.wait import WebDriverWait

from yomikiri.web.app import create_app
from yomikiri.web.serve import LOOPBACK, endpoint, listen

SHOTS = {
    "page-hitblow": ("/hitblow?v=1&turn=012:0H1B&turn=134:1H0B", "light"),
    "page-match": ("/play?v=1&seed=tea&race=1&secret=314&shown=7&me=012&they=180&me=345&they=894", "dark"),
    "page-tictactoe": ("/tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b1,a1", "light"),
}
PHONE = {"width": 390, "height": 780, "deviceScaleFactor": 1.5, "mobile": False}
SETTLED = "return document.getAnimations().every(each => each.playState === 'finished')"


def main() -> None:
    """Take all pictures in both languages."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/assets")
    listener = listen(endpoint(lan=False), 0)
    server = uvicorn.Server(uvicorn.Config(create_app(), log_level="error"))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    options = ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(argument)
    # Given explicitly, so that Selenium does not download a browser.
    options.binary_location = shutil.which("chromium") or sys.exit("error: there is no chromium")
    driver = Chrome(options, ChromeService(shutil.which("chromedriver") or sys.exit("error: there is no chromedriver")))
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    for name, (path, theme) in SHOTS.items():
        features = [{"name": "prefers-color-scheme", "value": theme}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        for language in ("en", "ja"):
            driver.get(f"http://{LOOPBACK}:{listener.getsockname()[1]}{path}&lang={language}")
            WebDriverWait(driver, 10).until(lambda driven: driven.execute_script(SETTLED))
            driver.save_screenshot(str(folder / f"{name}-{language}.png"))
    driver.quit()


if __name__ == "__main__":
    main()
