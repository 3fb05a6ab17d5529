"""Time of a request to a running engine, compared with one process per request: `python benchmarks/engine.py`.

The result is the median wall-clock time over many requests, from the request to its answer, through real pipes.
"""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
import sys
import time

QUESTIONS: dict[str, dict[str, object]] = {
    "hello": {"request": "hello"},
    "suggest, a position of the book": {"request": "suggest", "turns": ["012:0H1B"]},
    "suggest in a session": {"request": "suggest", "session": "game"},
    "candidates of a position": {"request": "candidates", "turns": ["012:0H1B", "134:1H1B"]},
    "winner of a 3x3 board": {"request": "winner", "board": [[-2, 0, -1], [-1, -1, 0], [-1, -1, -2]]},
}
ROUNDS = 200
COMMAND = [sys.executable, "-m", "yomikiri"]


def main() -> None:
    """Measure and print."""
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    with subprocess.Popen([*COMMAND, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin
        assert engine.stdout

        def asked(question: dict[str, object]) -> float:
            assert engine.stdin
            assert engine.stdout
            start = time.perf_counter()
            print(json.dumps(question), file=engine.stdin, flush=True)
            answer = engine.stdout.readline()
            assert '"answer"' in answer, answer
            return time.perf_counter() - start

        asked({"request": "open", "session": "game", "turns": ["012:0H1B"]})
        for name, question in QUESTIONS.items():
            asked(question)
            times = [asked(question) for _ in range(ROUNDS)]
            print(f"{name:<36}{statistics.median(times) * 1000:9.2f} ms")
        engine.stdin.close()
    times = []
    for _ in range(9):
        start = time.perf_counter()
        subprocess.run([*COMMAND, "hitblow", "suggest", "012:0H1B", "--json"], capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    print(f"{'a process for one suggestion':<36}{statistics.median(times) * 1000:9.2f} ms")


if __name__ == "__main__":
    main()
