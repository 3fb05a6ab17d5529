"""Cost of the page: answers per second, time and size of a page, and memory of the server.

    python benchmarks/web.py             a minute or two
    python benchmarks/web.py --long      with 20,000 requests for the memory, instead of 4,000
    python benchmarks/web.py --hard      CPU seconds of pages whose search exceeds its limit, each of another game
    python benchmarks/web.py --flood     time of cheap pages while 30 visitors request hard ones without a pause
    python benchmarks/web.py --bytes     bytes of each page, stylesheet and script, and the time of each page
    python benchmarks/web.py --pace      2,000 pages of the book at 20 per second: the 99th percentile of the time

The server is `yomikiri web` on loopback, in its own process on one core; the requests come from this process on another
core. *Book* are positions of the standard game after suggested guesses, *off* are positions after random guesses, each
requested once, *match* are positions of matches, *large* those with four digits of ten. Wall-clock times mean little on
a busy machine, so the CPU time of the server per answer is printed too.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.model.game import game_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn, hint

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Server:
    """A running web server. Its CPU time and memory are measured when read."""

    process: subprocess.Popen[str]
    address: str
    started: float

    @property
    def cpu(self) -> float:
        """Return the CPU seconds so far."""
        fields = self._read("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    @property
    def memory(self) -> int:
        """Return the resident memory in MiB."""
        return int(self._read("statm").split()[1]) * PAGE // (1 << 20)

    def _read(self, name: str) -> str:
        with open(f"/proc/{self.process.pid}/{name}", encoding="utf-8") as file:
            return file.read()


def serve() -> Server:
    """Start the web server on one core, and wait for its first page."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "yomikiri", "web", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(process.pid, cores[:1])
    os.sched_setaffinity(0, cores[1:] or cores)
    assert process.stdout
    try:
        address = urlsplit(process.stdout.readline().strip()).netloc
        Visitor(address).ask("/")
    except BaseException:
        process.kill()
        raise
    return Server(process, address, time.perf_counter() - begin)


class Visitor:
    """A connection that stays open."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.connection: http.client.HTTPConnection | None = None

    def ask(self, path: str) -> int:
        """Request a page; return its size."""
        return len(self.read(path))

    def read(self, path: str, encoding: str = "identity") -> bytes:
        """Return the bytes sent for a page."""
        try:
            answer = self._get(path, encoding)
        except (http.client.RemoteDisconnected, ConnectionError):  # the connection was idle for too long
            self.connection = None
            answer = self._get(path, encoding)
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return body

    def _get(self, path: str, encoding: str) -> http.client.HTTPResponse:
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.address, timeout=30)
        self.connection.request("GET", path, headers={"Accept-Language": "en", "Accept-Encoding": encoding})
        return self.connection.getresponse()


def book() -> list[str]:
    """Return positions of games with the suggested guesses."""
    found = set()
    for secret in Knowledge().codes()[::5]:
        game = Assistant()
        while not game.solved:
            found.add("/hitblow?v=1" + "".join(f"&turn={turn}" for turn in game.known.turns))
            guess = game.advice.proposed.guess
            game = game.answer(hint(guess, secret))
    return sorted(found)


def off_book_positions(count: int, seed: int) -> list[str]:
    """Return positions after one to three random guesses."""
    chance, codes = random.Random(seed), Knowledge().codes()
    found = []
    for _ in range(count):
        secret, guesses = chance.choice(codes), chance.sample(codes, chance.randint(1, 3))
        found.append("/hitblow?v=1" + "".join(f"&turn={guess}:{hint(guess, secret)}" for guess in guesses))
    return found


def matches(count: int, seed: int, rules: Rules) -> list[str]:
    """Return positions of matches on my turn, after two rounds."""
    chance, codes = random.Random(seed), Knowledge(rules).codes()
    found = []
    for _ in range(count):
        mine, theirs = chance.choice(codes), chance.choice(codes)
        turns = "".join(
            f"&me={ours}:{hint(ours, theirs)}&they={other}:{hint(other, mine)}"
            for ours, other in ((chance.choice(codes), chance.choice(codes)) for _round in range(2))
            if theirs != ours and mine != other
        )
        found.append(f"/match?v=1&digits={rules.digits}&secret={mine}{turns}")
    return found


HARD = (
    "digits=3&symbols=0123456789abcde&repeats=all",
    "digits=3&symbols=0123456789abcdef&repeats=guess",
    "digits=4&symbols=0123456789",
    "digits=4&symbols=012345678&repeats=all",
    "digits=5&symbols=01234567",
    "digits=5&symbols=01234&repeats=all",
    "digits=6&symbols=0123&repeats=all",
    "digits=6&symbols=0123456",
)


def hard(seed: int) -> Iterator[str]:
    """Return a position of each game after one guess on each board, with the answer that leaves most codes."""
    chance = random.Random(seed)
    for rules in HARD:
        start = game_of(parse_qsl(rules))
        known = Knowledge(start.rules)
        turns = []
        for guess in chance.sample(known.codes(), 2):
            cells = known.cells(guess)
            turns.append(Turn(guess, max(cells, key=cells.__getitem__)))
        yield f"/hitblow?{rules}&turn={turns[0]}&compare=1"
        yield f"/match?{rules}&me={turns[0]}&they={turns[1]}"


def at_a_pace(server: Server, paths: Sequence[str], each_second: float) -> list[float]:
    """Request pages at a fixed pace, without waiting for the earlier ones; return the seconds of each."""
    times: list[float] = []
    threads = []

    def visit(path: str) -> None:
        begin = time.perf_counter()
        Visitor(server.address).ask(path)
        times.append(time.perf_counter() - begin)

    begin = time.perf_counter()
    for number, path in enumerate(paths):
        time.sleep(max(0.0, begin + number / each_second - time.perf_counter()))
        threads.append(threading.Thread(target=visit, args=(path,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return sorted(times)


def quantiles(times: Sequence[float]) -> str:
    """Return the main quantiles of sorted times as text."""
    most = times[min(len(times) - 1, int(0.99 * len(times)))]
    return (
        f"median {statistics.median(times) * 1e3:.1f} ms, 99 of 100 within {most * 1e3:.1f} ms, "
        f"worst {times[-1] * 1e3:.1f} ms"
    )


CHEAP = {
    "first page": "/",
    "stylesheet": "/static/style.css",
    "book": "/hitblow?turn=012:0H1B",
    "play": "/play?seed=tea&me=012",
}


PAGES = {
    "home": "/",
    "assistant, 3 digits": "/hitblow?turn=012:0H1B&turn=134:1H0B",
    "assistant, 4 digits": "/hitblow?preset=bulls&turn=0123:0H1B",
    "assistant, Mastermind": "/hitblow?preset=mastermind&turn=1122:1H1B",
    "numbers left": "/hitblow?turn=012:0H1B&numbers=1",
    "contradiction": "/hitblow?turn=012:0H1B&turn=012:1H1B",
    "match": "/match?preset=numeron&secret=314&me=012:0E1B&they=345:1E1B",
    "match, settings": "/match?preset=numeron&terms=1",
    "against the program": "/play?seed=tea&race=1&secret=314&shown=7&me=012&they=180&me=345&they=894",
    "end of it": "/play?seed=tea&race=1&secret=314&shown=7&me=012&they=180&me=345&they=894&give-up=1",
    "review of it": "/play?seed=tea&race=1&secret=314&shown=7&me=012&they=180&me=345&they=894&give-up=1&review=1",
    "number of a day": "/play?day=2026-11-20",
    "review of a game": "/hitblow?turn=345:1H0B&turn=123:0H2B&turn=012:0H1B&turn=371:3H0B&review=1",
    "practise": "/practise?difficulty=easy&seed=tea",
    "boards": "/tictactoe",
    "tic-tac-toe, 3x3": "/tictactoe?board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b1,a1",
    "tic-tac-toe, 5x5": "/tictactoe?board=1,2,3,2,1/2,3,4,3,2/3,4,5,4,3/2,3,4,3,2/1,2,3,2,1&line=4&moves=c3",
    "practise, board": "/tictactoe/practise?seed=tea&difficulty=easy",
}


def sizes(server: Server, times: int = 5) -> None:
    """Print the bytes sent for each page, alone and with its styles and script, and its times.

    The times are that of the first visit and the median of the next ones. A list of the stylesheets and scripts
    follows, each with its size as written and as sent.
    """
    visitor = Visitor(server.address)
    files: dict[str, tuple[int, int]] = {}
    print(f"{'page':22} {'sent':>6} {'with all':>9} {'first':>9} {'again':>9}")
    for name, path in PAGES.items():
        seconds = []
        for _time in range(times + 1):
            begin = time.perf_counter()
            sent = len(visitor.read(path, "gzip"))
            seconds.append(time.perf_counter() - begin)
        linked = re.findall(r'(?:href|src)="(/static/[^"]*[.](?:css|js)[?][^"]*)"', visitor.read(path).decode())
        for link in linked:
            if link not in files:
                files[link] = len(visitor.read(link)), len(visitor.read(link, "gzip"))
        whole = sent + sum(files[link][1] for link in linked)
        first, again = seconds[0] * 1e3, statistics.median(seconds[1:]) * 1e3
        print(f"{name:22} {sent:6,} {whole:9,} {first:6.0f} ms {again:6.1f} ms")
    for link, (written, sent) in files.items():
        file = link.partition("?")[0].rpartition("/")[2]
        print(f"{file:22} {sent:6,} sent, {written:6,} as written")


def flood(server: Server, visitors: int = 30, times: int = 40) -> None:
    """Request hard pages, each a different one, as fast as they are answered, and cheap pages meanwhile.

    A visitor who gets the answer that the page is busy waits for half a second.
    """
    over, codes = threading.Event(), Knowledge(Rules(5, "01234567")).codes()
    answered: Counter[int] = Counter()

    def visit(number: int) -> None:
        chance = random.Random(number)
        while not over.is_set():
            guess, secret = chance.sample(codes, 2)
            path = f"/hitblow?digits=5&symbols=01234567&turn={guess}:{hint(guess, secret)}&compare=1"
            connection = http.client.HTTPConnection(server.address, timeout=60)
            connection.request("GET", path)
            status = connection.getresponse().status
            connection.close()
            answered[status] += 1
            time.sleep(0.5 if status == 503 else 0)

    threads = [threading.Thread(target=visit, args=(number,), daemon=True) for number in range(visitors)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    for name, path in CHEAP.items():
        seconds = []
        for _time in range(times):
            begin = time.perf_counter()
            Visitor(server.address).ask(path)
            seconds.append(time.perf_counter() - begin)
            time.sleep(0.1)
        print(f"{name:10} {quantiles(sorted(seconds))}")
    over.set()
    for thread in threads:
        thread.join()
    print(f"hard pages answered meanwhile: {answered[200]}, told to come again (503): {answered[503]}")


def throughput(server: Server, paths: Sequence[str], visitors: int = 4) -> tuple[float, int]:
    """Request all pages with that many visitors; return the answers per second and the size of the largest page."""
    waiting, sizes = iter(paths), []
    lock = threading.Lock()

    def visit() -> None:
        visitor = Visitor(server.address)
        while True:
            with lock:
                path = next(waiting, None)
            if path is None:
                return
            sizes.append(visitor.ask(path))

    threads = [threading.Thread(target=visit) for _ in range(visitors)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(sizes) / (time.perf_counter() - begin), max(sizes)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--hard", action="store_true")
    parser.add_argument("--flood", action="store_true")
    parser.add_argument("--bytes", action="store_true")
    parser.add_argument("--pace", action="store_true")
    given = parser.parse_args()
    requests = 20_000 if given.long else 4_000
    known = book()
    server = serve()
    try:
        if given.hard:
            for path in hard(1):
                before = server.cpu
                Visitor(server.address).ask(path)
                print(f"{server.cpu - before:5.2f} s {path}")
            return
        if given.flood:
            flood(server)
            return
        if given.bytes:
            sizes(server)
            return
        if given.pace:
            print(f"book at 20 a second: {quantiles(at_a_pace(server, random.Random(3).choices(known, k=2000), 20))}")
            return
        print(f"start to first page {server.started:.2f} s, {server.memory} MiB; load {os.getloadavg()[0]:.1f}")
        small, large = matches(100, 1, Rules()), matches(10, 1, Rules(4))
        for name, paths, count in (("book", known, 1500), ("off", off_book_positions(300, 1), 300),
                                   ("match", small, 100), ("large", large, 10)):  # fmt: skip
            before = server.cpu
            rate, largest = throughput(server, (paths * (count // len(paths) + 1))[:count])
            spent = (server.cpu - before) / count
            print(f"{name:6} {rate:5.0f} a second, {spent * 1e3:5.1f} ms CPU each, largest page {largest / 1e3:.1f} KB")
        for name, paths in (("book", known), ("off", off_book_positions(200, 2))):
            times = at_a_pace(server, random.Random(3).choices(paths, k=200), 20)
            print(f"{name:6} at 20 a second: {quantiles(times)}")
        marks = [server.memory]
        for part in range(4):
            asked = off_book_positions(requests // 8, 10 + part) + random.Random(part).choices(known, k=requests // 8)
            throughput(server, asked)
            marks.append(server.memory)
        print(f"memory after 0, 1/4, ... of {requests:,} requests: {' '.join(map(str, marks))} MiB")
    finally:
        server.process.terminate()
        server.process.wait()


if __name__ == "__main__":
    main()
