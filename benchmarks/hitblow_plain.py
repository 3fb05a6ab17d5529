"""CPU seconds of the search without machine code.

    python benchmarks/hitblow_plain.py [--positions N]

For each game: the proof from scratch, and positions after one to three random turns. A position that takes longer than
ten seconds is stopped and counted.
"""

from __future__ import annotations

import argparse
import platform
import random
from statistics import median
from time import process_time

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.codes import all_guesses, all_secrets, decode_all
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import PRESETS, Repeats, Rules, Turn, hint
from yomikiri.hitblow.search.plain import PlainSearch, within_reach

CUT = 10.0
GAMES = {
    "3 of 10": Rules(),
    "3 of 10, repeats in guesses": Rules(repeats=Repeats.GUESS),
    "3 of 10, repeats": Rules(repeats=Repeats.ALL),
    "Mastermind 4,6": PRESETS["mastermind"].rules,
    "4 of 10": Rules(4),
}


def main() -> None:
    """Print a line for each game and number of turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=30)
    asked = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, CPU seconds")
    for name, rules in GAMES.items():
        for turns in range(4):
            games = positions(rules, turns, 1 if turns == 0 else asked.positions)
            times = [time for time in map(seconds, games) if time is not None]
            left_out = asked.positions - len(games) if turns else 1 - len(games)
            cut = sum(time >= CUT for time in times)
            if times:
                print(f"{name:28} {turns} turns: median {median(times):.3f}, worst {max(times):.3f}, cut {cut}"
                      f"{f', out of reach {left_out}' if left_out else ''}")  # fmt: skip


def positions(rules: Rules, turns: int, count: int) -> list[Knowledge]:
    """Draw `count` random positions, and return those that are small enough for the search without machine code."""
    draw = random.Random(1)
    secrets, guesses = decode_all(rules, all_secrets(rules)), decode_all(rules, all_guesses(rules))
    found = []
    for _ in range(count):
        secret = draw.choice(secrets)
        made = [draw.choice(guesses) for _ in range(turns)]
        known = Knowledge(rules, "", tuple(Turn(guess, hint(guess, secret)) for guess in made))
        if within_reach(known):
            found.append(known)
    return found


def seconds(known: Knowledge) -> float:
    """Return the time of the best guess in a position, at most `CUT`."""
    begun = process_time()
    try:
        PlainSearch(known, Budget.within(5 * CUT, cancelled=lambda: process_time() - begun > CUT)).moves(1)
    except Stopped:
        return CUT
    return process_time() - begun


if __name__ == "__main__":
    main()
