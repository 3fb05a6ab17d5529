"""Compute the exact values of the race from scratch and write the page race-values.md.

    python benchmarks/hitblow_race.py docs/theory/race-values.md         all games below: some minutes
    python benchmarks/hitblow_race.py - "3 of 10" "4 of 6, repeats"      these games, printed

Each game runs in its own process, with the kernels loaded before the clock starts. The sets of candidates of a game are
computed once, and used for both rules for the end of a match and for every number of revealed symbols. MiB is the peak
memory of the process.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.public.race import PublicRace
from yomikiri.hitblow.race.terms import Reveals, Terms

SYMBOLS = "0123456789"
GAMES = [
    *(f"2 of {symbols}" for symbols in range(3, 11)),
    *(f"3 of {symbols}" for symbols in range(4, 11)),
    *(f"4 of {symbols}" for symbols in range(5, 9)),
    *(f"2 of {symbols}, repeats" for symbols in range(2, 11)),
    *(f"3 of {symbols}, repeats" for symbols in range(2, 9)),
    *(f"4 of {symbols}, repeats" for symbols in range(2, 7)),
]
# The player who reveals symbols, and their number.
REVEALED = [(Reveals.NONE, 1), (Reveals.FIRST, 1), (Reveals.SECOND, 1), (Reveals.FIRST, 2), (Reveals.SECOND, 2)]
HEAD = "| game | nobody | first, 1 | second, 1 | first, 2 | second, 2 |\n| --- |" + " --- |" * 5
PAGE = """\
# Values of the race

This page lists the first player's chance of winning a match of Hit & Blow, as an exact fraction and in percent. Both
players see all guesses and answers, use no other information and play perfectly. [race-public.md](race-public.md)
explains the method and proves it. *first, 1* means that the first player reveals one symbol that is not in their
secret, and so on; a dash marks games with too few symbols. *Repeats*: a code may contain a symbol several times, as in
Mastermind (4 of 6).

`python benchmarks/hitblow_race.py docs/theory/race-values.md` writes this page. `yomikiri hitblow race` with the
options of a game (`--digits 3 --symbols 01234567 --reveals first --revealed 2`, and so on) computes a single value.
[race-public.md](race-public.md#larger-games) lists values of 4 of 9 and 4 of 10.

## The first to find the secret wins

{sudden}

## Equal turns

With `--equal-turns`, both players get the same number of guesses, and the match is a draw if both find the secret in
the same round. A draw counts one half; the chance of a draw, if both play the moves of this program, is in brackets.

{equal}

## What it took

CPU seconds on one core of {machine}, for all values of the game above, with loaded kernels.

{work}
"""


def rules_of(game: str) -> Rules:
    """Return the rules of a game written as `4 of 10`, or `4 of 6, repeats`."""
    size, _, repeats = game.partition(", ")
    digits, _, symbols = size.split()
    return Rules(int(digits), SYMBOLS[: int(symbols)], Repeats.ALL if repeats else Repeats.NONE)


def race_values(game: str) -> dict[str, Any]:
    """Compute the values of a game in this process."""
    rules = rules_of(game)
    begun = process_time()
    found: dict[str, Any] = {"sudden": [], "equal": []}
    for kind in ("sudden", "equal"):
        race = PublicRace(rules, equal_turns=kind == "equal", from_nothing=True)
        for reveals, revealed in REVEALED:
            needed = 2 if rules.repeats is Repeats.ALL else rules.digits
            if reveals is not Reveals.NONE and len(rules.symbols) - revealed < needed:
                found[kind].append(None)
                continue
            terms = Terms(rules, "", reveals, revealed, race.equal_turns)
            mine, theirs = terms.first.candidates, terms.second.candidates
            found[kind].append([str(race.win(mine, theirs)), str(race.draw(mine, theirs))])
        if kind == "sudden":
            found["sets"], found["forms"], found["pairs"] = work_of(race)
            found["sudden_seconds"] = process_time() - begun
    found["seconds"] = process_time() - begun
    found["MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return found


def work_of(race: PublicRace) -> tuple[int, int, int]:
    work = race.effort
    return work.sets, work.forms, work.pairs


def solved(game: str) -> dict[str, Any]:
    """Compute the values of a game in a separate process."""
    done = subprocess.run([sys.executable, __file__, "--one", game], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def row(game: str, values: list[list[str] | None]) -> str:
    cells = [cell(Fraction(value[0]), Fraction(value[1])) if value else "–" for value in values]
    return f"| {' | '.join([game, *cells])} |"


def cell(value: Fraction, draw: Fraction) -> str:
    drawn = f" (drawn {float(draw):.2%})" if draw else ""
    return f"{value} = {float(value):.4%}{drawn}"


def page(games: list[str]) -> Iterator[str]:
    """Yield the tables game by game, and finally the whole page."""
    tables: dict[str, list[str]] = {"sudden": [HEAD], "equal": [HEAD], "work": []}
    tables["work"].append(
        "| game | sets | forms | positions | plain, s | equal turns too, s | MiB |\n" + "| --- " * 7 + "|"
    )
    for game in games:
        found = solved(game)
        for kind in ("sudden", "equal"):
            tables[kind].append(row(game, found[kind]))
        counts = [f"{found[name]:,}" for name in ("sets", "forms", "pairs")]
        seconds = [f"{found[name]:.1f}" for name in ("sudden_seconds", "seconds")]
        tables["work"].append(f"| {' | '.join([game, *counts, *seconds, str(found['MiB'])])} |")
        print(tables["sudden"][-1], tables["work"][-1], sep="\n", file=sys.stderr, flush=True)
    machine = f"{processor()}, {platform.machine()}, Python {platform.python_version()}"
    yield PAGE.format(machine=machine, **{name: "\n".join(lines) for name, lines in tables.items()})


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.processor())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="?", default="-", help="where to write; - prints")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--one", metavar="GAME", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(race_values(given.one)))
        return
    text = "".join(page(given.games))
    if given.page == "-":
        print(text)
    else:
        Path(given.page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
