"""Cost of the exact search on word lists: CPU seconds, seconds and memory.

    python benchmarks/word_lists.py SECRETS GUESSES --first salet   the value of this word, and a suggestion after it
    python benchmarks/word_lists.py SECRETS GUESSES --proof         the best first word, with the proof

`--hard` plays by the rules of hard mode, and `--within N` ends the game after N guesses. `--workers N` is the number of
threads of the proof (default 1).

SECRETS and GUESSES contain one word on each line. Each measurement has a process of its own, so the times include the
start of the program and the table of all answers.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from yomikiri.common.budget import UNLIMITED
from yomikiri.guessing import Game, GuessRule
from yomikiri.guessing.answers import MARKS
from yomikiri.guessing.lists import read_lists


class Lists(NamedTuple):
    """The files of a game and its rules."""

    secrets: str
    guesses: str
    rule: GuessRule
    limit: int | None


def measure_in_process(label: str, work: Callable[..., str], *arguments: Any) -> None:
    """Run some work in a new process; print its result, CPU seconds, seconds and memory."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        begun = time.monotonic()
        text, seconds, memory = pool.apply(_run, (work, arguments))
        passed = time.monotonic() - begun
    print(f"{label:34} {text:34} {seconds:8.2f} s of CPU  {passed:8.2f} s  {memory:6.0f} MB", flush=True)


def _run(work: Callable[..., str], arguments: tuple[Any, ...]) -> tuple[str, float, float]:
    text = work(*arguments)
    return text, time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def game_of(lists: Lists) -> Game:
    """Return the game of two files."""
    secrets, guesses = (Path(name).read_text() for name in (lists.secrets, lists.guesses))
    return Game(*read_lists(secrets, guesses), MARKS, lists.rule, lists.limit)


def value_of(lists: Lists, word: str) -> str:
    """Return the least total with a first word."""
    from yomikiri.guessing.position_search import PositionSearch

    search = PositionSearch(game_of(lists).start)
    total = search.cost_after(word, UNLIMITED)
    return f"{total} ({total / search.total_weight:.4f})"


def suggested(lists: Lists, turn: str) -> str:
    """Return the suggestion after a turn."""
    from yomikiri.guessing.advice import suggest

    advice = suggest(game_of(lists).start.after(turn), seconds=None)
    return f"{advice.guess} {float(advice.expected or 0):.4f} of {advice.candidates} candidates"


def proven(lists: Lists, workers: int) -> str:
    """Return the least total of all first words."""
    from yomikiri.guessing.advice import solve

    solved = solve(game_of(lists).start, workers=workers)
    return f"{solved.first} {solved.total} {'proven' if solved.is_proven else 'not proven'}"


def main() -> None:
    """Run the measurements that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("secrets")
    parser.add_argument("guesses")
    parser.add_argument("--first", action="append", default=[])
    parser.add_argument("--proof", action="store_true")
    parser.add_argument("--hard", action="store_true")
    parser.add_argument("--within", type=int)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    rule = GuessRule.HARD if given.hard else GuessRule.ANY
    lists = Lists(given.secrets, given.guesses, rule, given.within)
    for word in given.first:
        measure_in_process(f"value of {word}", value_of, lists, word)
        measure_in_process(f"suggestion after {word}, no hit", suggested, lists, f"{word}:{'0' * len(word)}")
    if given.proof:
        measure_in_process("proof of the best first word", proven, lists, given.workers)


if __name__ == "__main__":
    main()
