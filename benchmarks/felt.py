"""The waiting times of a user: start of each command, suggestions, pages; compared with a bare interpreter.

    python benchmarks/felt.py            a minute or two
    python benchmarks/felt.py NAME ...   only those commands

Needs an installed program. The figure of a command is the CPU time of the whole process, user and system, in seconds:
the minimum of ten runs, and its difference to a bare interpreter. Runs of the commands, the bare interpreter and
`import numpy` alternate, so that other load affects all of them equally. The time includes the search, if there is one.
Bytecode is kept, as in an installation.
"""

from __future__ import annotations

import http.client
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import hint
from yomikiri.hitblow.policies import policy_named
from yomikiri.hitblow.policies.simulation import simulate

RUNS = 10
BARE, NUMPY = "bare interpreter", "import numpy"
KEPT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
PROGRAM = [sys.executable, "-m", "yomikiri"]
BOARD = "-1 1 0\n-4 -2 -5\n-4 -1 -5\n"
LARGE = "".join(" ".join(str((7 * row + 5 * column) % 11 - 5) for column in range(5)) + "\n" for row in range(5))
COMMANDS = {
    "version": (("--version",), ""),
    "assist": (("hitblow", "assist"), ""),
    "suggest-book": (("hitblow", "suggest", "012:0H1B"), ""),
    "suggest-3": (("hitblow", "suggest", "012:0H1B", "034:1H0B"), ""),
    "suggest-4": (("hitblow", "suggest", "--digits", "4", "0123:1H1B", "0456:0H1B"), ""),
    "match": (("hitblow", "match"), ""),
    "winner": (("tictactoe", "winner"), BOARD),
    "analyze-3x3": (("tictactoe", "analyze"), BOARD),
    "analyze-5x5": (("tictactoe", "analyze", "--line", "4"), LARGE),
}
MATCHES = {
    "match page, cold": "/match?v=1",
    "match page, 4 digits": "/match?v=1&digits=4&secret=5678&me=0123:1H1B&they=0123:0H0B&me=0456:0H1B&they=4567:0H3B",
}


def wall_seconds(act: Callable[[], object]) -> float:
    """Return the wall-clock seconds of a call."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def cpu(command: list[str], given: str = "") -> float:
    """Return the CPU seconds of a process from start to end."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=KEPT)
    assert process.stdin
    process.stdin.write(given.encode())
    process.stdin.close()
    _pid, process.returncode, used = os.wait4(process.pid, 0)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime


def start_times(names: list[str]) -> dict[str, float]:
    """Return the minimum CPU seconds of some commands, of the bare interpreter and of `import numpy`."""
    programs = {BARE: ([sys.executable, "-c", "pass"], ""), NUMPY: ([sys.executable, "-c", "import numpy"], "")}
    programs |= {name: ([*PROGRAM, *COMMANDS[name][0]], COMMANDS[name][1]) for name in names}
    taken: dict[str, list[float]] = {name: [] for name in programs}
    for _run in range(RUNS):
        for name, (command, given) in programs.items():
            taken[name].append(cpu(command, given))
    return {name: min(times) for name, times in taken.items()}


def suggestion_times() -> list[float]:
    """Return the seconds of each suggestion but the first, over sixty standard games."""
    times = []
    for secret in Knowledge().codes()[::12]:
        game = Assistant().answer(hint("012", secret))
        while not game.solved:
            begin = time.perf_counter()
            guess = game.advice.proposed.guess
            times.append(time.perf_counter() - begin)
            game = game.answer(hint(guess, secret))
    return times


def measure_web_server() -> None:
    """Print the CPU seconds and memory of a new web server for its first match page and for a larger match."""
    process = subprocess.Popen([*PROGRAM, "web", "--port", "0"], stdout=subprocess.PIPE, text=True, env=KEPT)
    assert process.stdout
    try:
        server = http.client.HTTPConnection(urlsplit(process.stdout.readline().strip()).netloc, timeout=60)
        for name, path in MATCHES.items():
            begin = _used(process.pid)
            server.request("GET", path)
            server.getresponse().read()
            print(f"{name:28} {_used(process.pid) - begin:6.2f} s   memory {_memory(process.pid)} MiB")
    finally:
        process.terminate()
        process.wait()


def _used(pid: int) -> float:
    """Return the CPU seconds of a running process."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    """Return the resident memory of a running process in MiB."""
    with open(f"/proc/{pid}/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // (1 << 20)


def main() -> None:
    print(f"{platform.machine()}, Python {platform.python_version()}, CPU seconds, the least of {RUNS}")
    chosen = sys.argv[1:] or [*COMMANDS]
    times = start_times(chosen)
    for name, least in times.items():
        print(f"{name:28} {least:6.3f} s   more than the bare interpreter {least - times[BARE]:6.3f} s")
    if len(sys.argv) > 1:
        return
    measure_web_server()
    later = suggestion_times()
    print(f"{'later proposals, 3 digits':28} {statistics.median(later) * 1e3:6.1f} ms  worst {max(later) * 1e3:.1f} ms")
    whole = wall_seconds(lambda: simulate(policy_named("entropy"), Knowledge()))
    print(f"{'simulate, 720 secrets':28} {whole:6.2f} s")


if __name__ == "__main__":
    main()
