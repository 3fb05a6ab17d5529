"""CPU seconds of a suggestion when the player knows one to three random facts about the secret (3 digits of 10).

    python benchmarks/hitblow_facts.py [MIXTURES]     number of random sets of facts (300)

A fact is a turn, a part of an answer, an answer with its places, or another condition such as an absent digit. All
kinds are equally frequent. In a quarter of the sets, the opponent then changes the secret by an item, SHUFFLE or
CHANGE, so that some candidates are more likely than others. The kernels are loaded before the clock starts.
"""

from __future__ import annotations

import random
import sys
import time

from yomikiri.hitblow.model.facts import HIGH
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.partial_answers import marks
from yomikiri.hitblow.model.rules import hint
from yomikiri.hitblow.policies import policy_named

CODES = Knowledge().codes()


def high_low_pattern(secret: str) -> str:
    """Return, for each digit of a secret, whether it is high or low: `H` or `L`."""
    return "".join("LH"[digit in HIGH] for digit in secret)


def conditions(guess: str, secret: str, place: int) -> list[str]:
    """Return true facts about a secret as text, one of each kind.

    The facts are its answers to `guess`, whole and in part, conditions on the digit of `guess` at `place` (1-based),
    and results of the items HIGH&LOW and SLASH.
    """
    told, digit = hint(guess, secret), guess[place - 1]
    at = f"{'at' if secret[place - 1] == digit else 'off'}={digit}@{place}"
    return [
        *(f"{guess}:{answer}" for answer in (told, f"{told.hits}H_", f"_{told.blows}B", f"={told.hits + told.blows}")),
        f"{guess}:{marks(guess, secret)}",
        f"{'has' if digit in secret else 'absent'}={digit}",
        at,
        f"times={digit}x{secret.count(digit)}",
        f"high={high_low_pattern(secret)}",
        f"slash={int(max(secret)) - int(min(secret))}",
    ]


def random_knowledge(chance: random.Random) -> Knowledge:
    """Return random knowledge that holds for a random secret."""
    secret = chance.choice(CODES)
    others = [code for code in CODES if code != secret]
    told = [
        chance.choice(conditions(chance.choice(others), secret, chance.randint(1, 3)))
        for _fact in range(chance.randint(1, 3))
    ]
    if chance.random() < 1 / 4:
        place = chance.randint(1, 3)
        of = "high" if secret[place - 1] in HIGH else "low"
        told.append(chance.choice(["shuffle", f"change={of}@{place}"]))
    return Knowledge.parse(" ".join(told))


def main(mixtures: int = 300) -> None:
    chance, policy = random.Random(1), policy_named("exact")
    for warm in ("has=3", "has=3 change=high@2"):
        policy.choose(Knowledge.parse(warm))
    every = []
    for _mixture in range(mixtures):
        known = random_knowledge(chance)
        assert known.count
        begin = time.process_time()
        proven = not policy.choose(known).unproven
        every.append((time.process_time() - begin, str(known), known.count, proven))
    every.sort(reverse=True)
    for name, some in (
        ("conditions", [each for each in every if "change" not in each[1] and "shuffle" not in each[1]]),
        ("after SHUFFLE or CHANGE", [each for each in every if "change" in each[1] or "shuffle" in each[1]]),
    ):
        seconds, worst, count, proven = some[0]
        late = sum(each[0] > 0.2 for each in some)
        print(f"{name}: {len(some)} mixtures, {some[len(some) // 2][0]:.3f} s in the middle, {late} over 0.2 s,")
        print(f"  at most {seconds:.2f} s: {worst}, {count} candidates, {'proven' if proven else 'not proven in time'}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
