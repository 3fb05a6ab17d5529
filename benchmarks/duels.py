"""Duels, in which two players look for the same secret: how often the first player wins, and the CPU seconds.

    python benchmarks/duels.py          the table of docs/theory/one-secret.md, about three minutes
    python benchmarks/duels.py --short  its first lines
    python benchmarks/duels.py --lists SECRETS GUESSES  how many candidates an exact search takes, up to ten minutes

A table row has a game, a model of the opponent, and the guesses that both sides may use: candidates only or any code.
For each row, the script prints the expected number of secrets with which the first player wins, the number of all
secrets, the number of sets searched, and the CPU seconds.

With lists of words, it tries six random positions for each range of the number of candidates, without and with hard
mode. It prints how many are solved exactly within five seconds, and the longest time.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

from yomikiri.common.budget import UNLIMITED
from yomikiri.guessing import HITS_BLOWS, MARKS, Duel, Game, GuessRule, Observation, Rival, best_duel_guess
from yomikiri.guessing.duel_search import DuelSearch

RANGES = ((5, 9), (10, 19), (20, 39), (40, 99))  # numbers of candidates
POSITIONS = 6

Case = tuple[int, int, bool, GuessRule]

SHORT: tuple[Case, ...] = (
    (3, 5, False, GuessRule.ANY),
    (3, 5, False, GuessRule.CONSISTENT),
    (3, 6, False, GuessRule.CONSISTENT),
    (4, 5, False, GuessRule.CONSISTENT),
)
LONG: tuple[Case, ...] = (
    (4, 5, False, GuessRule.ANY),
    (3, 7, False, GuessRule.CONSISTENT),
    (4, 6, False, GuessRule.CONSISTENT),
    (3, 10, False, GuessRule.CONSISTENT),
    (4, 6, True, GuessRule.CONSISTENT),
)


def first_guesses(places: int, symbols: str, *, repeats: bool) -> Iterator[str]:
    """Yield one first guess of each class of guesses that are equal up to a renaming of symbols.

    In the guess of a class, new symbols appear in the order of `symbols`, and symbols that occur more often come first.
    """
    if not repeats:
        yield symbols[:places]
        return
    for code in product(symbols, repeat=places):
        counts = [code.count(symbol) for symbol in dict.fromkeys(code)]
        in_order = list(code) == sorted(code) and "".join(dict.fromkeys(code)) == symbols[: len(counts)]
        if in_order and counts == sorted(counts, reverse=True):
            yield "".join(code)


def measure(places: int, symbol_count: int, rule: GuessRule, rival: Rival, *, repeats: bool) -> None:
    """Solve one game, by its classes of first guesses, and print the result."""
    symbols = "0123456789"[:symbol_count]
    codes = product(symbols, repeat=places) if repeats else permutations(symbols, places)
    game = Game(list(map("".join, codes)), answers=HITS_BLOWS, guess_rule=rule)
    begin, search = time.process_time(), DuelSearch(Duel(game.start), rival, UNLIMITED)
    results = [search.after(guess).win * len(game.secrets) for guess in first_guesses(places, symbols, repeats=repeats)]
    name = f"{places} of {symbol_count}" + (" with repeats" if repeats else "")
    guesses = "candidates" if rule is GuessRule.CONSISTENT else "any code"
    print(
        f"{name:20} {guesses:12} {rival:12} {float(max(results)):9.2f} of {len(game.secrets):5}"
        f" {search.nodes:10} sets {time.process_time() - begin:7.2f} s",
        flush=True,
    )


def measure_lists(secrets: list[str], guesses: list[str], rule: GuessRule, rival: Rival) -> None:
    """Print how many positions after one turn are solved exactly, by number of candidates."""
    game, chance, columns = Game(secrets, guesses, guess_rule=rule), random.Random(7), list[str]()
    for least, most in RANGES:
        exact, longest, tried = 0, 0.0, 0
        while tried < POSITIONS:
            guess, secret = chance.choice(guesses), chance.choice(secrets)
            position = game.start.after(Observation(guess, MARKS.answer(guess, secret)))
            if position.is_solved or not least <= len(position.candidates) <= most:
                continue
            begin, tried = time.perf_counter(), tried + 1
            exact += best_duel_guess(Duel(position), rival, seconds=5).is_exact
            longest = max(longest, time.perf_counter() - begin)
        columns.append(f"{least}-{most}: {exact} of {POSITIONS}, {longest:.1f} s")
    print(f"{rule:5} {rival:12}", *columns, sep="  ", flush=True)


def main() -> None:
    """Run the measurements that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--lists", nargs=2, type=Path, metavar=("SECRETS", "GUESSES"))
    given = parser.parse_args()
    if given.lists:
        secrets, guesses = (path.read_text(encoding="utf-8").split() for path in given.lists)
        for rule, rival in product((GuessRule.ANY, GuessRule.HARD), Rival):
            measure_lists(secrets, guesses, rule, rival)
        return
    cases = SHORT if given.short else SHORT + LONG
    for places, symbols, repeats, rule in cases:
        for rival in Rival:
            measure(places, symbols, rule, rival, repeats=repeats)


if __name__ == "__main__":
    main()
