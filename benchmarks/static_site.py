"""Size and speed of the page without a server, compared with the server's, in one browser.

    python benchmarks/static_site.py RUNTIME            RUNTIME as for `yomikiri site`; two minutes
    python benchmarks/static_site.py RUNTIME --times 9  with that many visits of each page

A visit lasts from the request of an address until its page is complete. The first visit of a page includes the search;
the median of the others is the time of the page itself. The server is `yomikiri web` on loopback. Needs Chromium with
its driver, and the requirements of `yomikiri site`.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

from yomikiri.site.folder import server, write_site

PAGES = {
    "home": "/",
    "book": "/hitblow?v=1&turn=012:0H1B",
    "book, again": "/hitblow?v=1&turn=089:0H1B&turn=127:0H1B",
    "off the book": "/hitblow?v=1&turn=012:0H1B&turn=345:1H0B&turn=367:0H1B",
    "4 digits": "/hitblow?v=1&digits=4&turn=0192:0H1B",
    "Mastermind": "/hitblow?preset=mastermind&turn=1122:1H1B",
    "match": "/match?v=1",
    "match, 4 digits": "/match?v=1&digits=4&me=0123:1H1B&they=0123:0H1B",
    "play": "/play?v=1&seed=tea&me=012",
    "review": "/hitblow?v=1&turn=345:1H0B&turn=123:0H2B&turn=012:0H1B&turn=371:3H0B&review=1",
    "practise": "/practise?v=1&seed=tea&difficulty=easy",
    "3x3": "/tictactoe?v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2",
    "4x4": "/tictactoe?v=1&board=3,-1,4,1/-5,9,2,-6/5,3,-5,8/9,-7,9,3",
    "5x5, line 4": "/tictactoe?v=1&board=1,2,3,2,1/2,3,4,3,2/3,4,5,4,3/2,3,4,3,2/1,2,3,2,1&line=4&moves=c3",
    "Japanese": "/?lang=ja",
}
READY = "return document.readyState === 'complete' && !!document.querySelector('main#main')"


def chromium(profile: str) -> Chrome:
    """Start a browser with an empty profile."""
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for each in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--user-data-dir={profile}"):
        options.add_argument(each)
    return Chrome(options=options, service=ChromeService(shutil.which("chromedriver") or ""))


def visit(driver: Chrome, address: str) -> float:
    """Load a page; return the seconds until it is complete."""
    begin = time.perf_counter()
    driver.get(address)
    while True:
        try:
            if driver.execute_script(READY):
                return time.perf_counter() - begin
        except WebDriverException:  # the loading page is being replaced by the real page
            pass
        if time.perf_counter() - begin > 60:
            raise SystemExit(f"{address}: not there in a minute")
        time.sleep(0.002)


def compare(driver: Chrome, native: str, site: str, times: int) -> None:
    """Print the time of each page with and without a server, alternating."""
    print(f"\n{'page':16} {'server':>8} {'again':>8} {'without':>8} {'again':>8} {'ratio':>6} {'again':>6}")
    for name, path in PAGES.items():
        took: dict[str, list[float]] = {native: [], site: []}
        for _time in range(times + 1):
            for at, seconds in took.items():
                seconds.append(visit(driver, at + path))
        firsts = [seconds[0] * 1e3 for seconds in took.values()]
        agains = [statistics.median(seconds[1:]) * 1e3 for seconds in took.values()]
        ratios = f"{firsts[1] / firsts[0]:6.1f} {agains[1] / agains[0]:6.1f}"
        print(f"{name:16} {firsts[0]:5.0f} ms {agains[0]:5.0f} ms {firsts[1]:5.0f} ms {agains[1]:5.0f} ms {ratios}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runtime", type=Path)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work, "site")
        parts = write_site(folder, given.runtime)
        for part in parts:
            print(f"{part.name:8} {part.size / 1e6:6.2f} MB")
        own = sum(part.size for part in parts if part.name in ("app", "shell"))
        print(f"{'all':8} {sum(part.size for part in parts) / 1e6:6.2f} MB, {own / 1e6:.2f} MB of them our own")
        serving = server(folder)
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        command = [sys.executable, "-m", "yomikiri", "web", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            try:
                assert process.stdout
                native = process.stdout.readline().strip().rstrip("/")
                site = f"http://127.0.0.1:{serving.server_address[1]}"
                firsts, seconds = [], 0.0
                for number in range(3):
                    driver = chromium(str(Path(work, f"profile-{number}")))
                    firsts.append(visit(driver, f"{site}/"))
                    seconds = visit(driver, f"{site}/")
                    if number < 2:
                        driver.quit()
                print(f"first visit {' '.join(f'{each:.2f}' for each in sorted(firsts))} s, home again {seconds:.2f} s")
                compare(driver, native, site, given.times)
                driver.quit()
            finally:
                process.terminate()
                serving.shutdown()
                serving.server_close()


if __name__ == "__main__":
    main()
