"""Number of guesses and time per suggestion in a game with too many codes for an exact search.

    python benchmarks/code_spaces.py               100 secrets of ten different digits, 0.05 s for each suggestion
    python benchmarks/code_spaces.py 20 0.5        20 secrets, 0.5 s for each suggestion

Prints the guesses needed, and the CPU time of a suggestion by turn: the median and the maximum, in milliseconds. The
time includes reading the answer to the guess before, as in `yomikiri guess interact`.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from random import Random
from statistics import fmean, median
from time import process_time

from yomikiri.guessing.advice import suggest
from yomikiri.guessing.answers import HITS_BLOWS
from yomikiri.guessing.codes import CodeSpace
from yomikiri.guessing.game import Game


def main(count: int, seconds: float) -> None:
    """Play against random secrets, and print the guesses and the times."""
    game = Game(CodeSpace(10, "0123456789", no_leading="0"), answers=HITS_BLOWS)
    begun = process_time()
    suggest(game.start, seconds=seconds)
    print(f"{len(game.secrets):,} codes; the first suggestion, with the list of codes: {process_time() - begun:.2f} s")
    chance, needed, times = Random(1), [], defaultdict[int, list[float]](list)
    for _game in range(count):
        secret, position, turn = game.secrets[chance.randrange(len(game.secrets))], game.start, ""
        while not position.is_solved:
            begun = process_time()
            position = position.after(turn) if turn else position
            if position.is_solved:
                break
            guess = suggest(position, seconds=seconds).guess
            times[len(position.turns) + 1].append(1000 * (process_time() - begun))
            turn = f"{guess}:{HITS_BLOWS.answer(guess, secret)}"
        needed.append(len(position.turns))
    print(f"{count} secrets: {fmean(needed):.2f} guesses on average, {max(needed)} at most")
    for turn_number, each in sorted(times.items()):
        print(f"suggestion {turn_number:2}: median {median(each):4.0f} ms, at most {max(each):4.0f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, float(sys.argv[2]) if len(sys.argv) > 2 else 0.05)
