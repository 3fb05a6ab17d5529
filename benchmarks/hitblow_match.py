"""How often each way of playing wins a match against each opponent, in both seats, with the handicap or without.

    python benchmarks/hitblow_match.py [--matches 1000] [--digits 3] [--symbols 0123456789] [--no-handicap]
                                       [--first me|opponent] [--way WAY] [--proposals]

Prints the tables of docs/match.md. Secrets, and the guesses of chance play, are drawn with a seed, the same for all
ways of playing. `=` marks an exact value; the others are followed by their standard error, in percent. With
`--proposals` it tells instead what a proposal takes, with its figures and its reason, against a consistent player.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from math import inf, sqrt

from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.policies.exact import Exact, no_tick
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.race.advice import Advisor
from yomikiri.hitblow.race.finish import Finish, race
from yomikiri.hitblow.race.match import Match, Side
from yomikiri.hitblow.race.opponents import Consistent, Opponent, Player
from yomikiri.hitblow.race.valuation import Public, Weighed, shared_race
from yomikiri.hitblow.rules import Hint, Rules, Turn, hint
from yomikiri.hitblow.simulate import simulate

PLAIN, ENTROPY = Exact(seconds=None), OneStep("entropy")
Way = Callable[[Match, random.Random], str]


@cache
def chosen(policy: Policy, known: Knowledge) -> str:
    return policy.choose(known).guess


def follows(policy: Policy) -> Way:
    return lambda match, _chance: chosen(policy, match.known(Side.ME))


def guesses_what_fits(match: Match, chance: random.Random) -> str:
    codes = match.known(Side.ME).codes()
    return codes[chance.randrange(len(codes))]


def plays_the_race(match: Match, _chance: random.Random) -> str:
    return public_guess(replace(match, secret=""))


@cache
def public_guess(match: Match) -> str:
    return Public(match, shared_race(match.rules, match.equal_turns), no_tick).best()


def expects(opponent: Opponent) -> Way:
    """Wins most often against that opponent, its own secret being known to it."""

    def choose(match: Match, _chance: random.Random) -> str:
        return weighed_guess(match, opponent)

    return choose


@lru_cache(maxsize=1 << 14)
def weighed_guess(match: Match, opponent: Opponent) -> str:
    return Weighed(match, opponent.pace(match.known(Side.OPPONENT), match.secret), no_tick).best()


WAYS: dict[str, Way] = {
    "fewest guesses": follows(PLAIN),
    "perfect": plays_the_race,
    "against optimal": expects(Player("optimal", PLAIN)),
    "against consistent": expects(Consistent()),
    "against entropy": expects(Player("entropy", ENTROPY)),
}
OPPONENTS: dict[str, Way] = {
    "optimal": follows(PLAIN),
    "consistent": guesses_what_fits,
    "entropy": follows(ENTROPY),
    "perfect": plays_the_race,
}


def play(ways: dict[Side, Way], start: Match, secrets: dict[Side, str], chance: random.Random) -> float:
    """Whether `Side.ME` wins (a draw is a half): the match is kept from both points of view."""
    views = {
        Side.ME: replace(start, secret=secrets[Side.ME]),
        Side.OPPONENT: replace(
            start, first=start.first.other, absent=start.shown, shown=start.absent, secret=secrets[Side.OPPONENT]
        ),
    }
    while side := views[Side.ME].to_move:
        guess = ways[side](views[side], chance)
        turn = Turn(guess, hint(guess, secrets[side.other]))
        views = {of: view.play(turn) for of, view in views.items()}
    outcome = views[Side.ME].outcome
    assert outcome
    return {Side.ME: 1.0, None: 0.5, Side.OPPONENT: 0.0}[outcome.winner]


def exactly(way: str, opponent: str, start: Match) -> Fraction | None:
    """The chance of winning where it can be computed: two policies that look at their own boards, or perfect play."""
    if way == opponent == "perfect":
        public = Public(start, shared_race(start.rules, start.equal_turns), no_tick)
        return public.standing()
    policies = {"fewest guesses": PLAIN, "optimal": PLAIN, "entropy": ENTROPY}
    if way not in policies or opponent not in policies:
        return None
    mine = Finish.of(simulate(policies[way], start.known(Side.ME)))
    theirs = Finish.of(simulate(policies[opponent], start.known(Side.OPPONENT)))
    if start.first is Side.ME:
        return race(mine, theirs).value
    return 1 - race(theirs, mine).value


def cell(way: str, opponent: str, start: Match, matches: int) -> str:
    if (exact := exactly(way, opponent, start)) is not None:
        return f"{float(exact):.2%} ="
    won = 0.0
    mine, theirs = start.known(Side.OPPONENT).codes(), start.known(Side.ME).codes()
    ways = {Side.ME: WAYS[way], Side.OPPONENT: OPPONENTS[opponent]}
    for seed in range(matches):
        chance = random.Random(seed)
        secrets = {Side.ME: chance.choice(mine), Side.OPPONENT: chance.choice(theirs)}
        won += play(ways, start, secrets, chance)
    share = won / matches
    return f"{share:.2%} ± {sqrt(share * (1 - share) / matches):.2%}"


def time_proposals(start: Match, matches: int) -> None:
    """CPU milliseconds of every proposal, kernels compiled and loaded."""
    advisor = Advisor(plain=PLAIN, seconds=inf, waits=True)
    advisor.advise(start if start.to_move is Side.ME else start.play(Turn(*first_turn(start))))
    taken = []
    for seed in range(matches):
        chance = random.Random(seed)
        codes = {side: start.known(side.other).codes() for side in Side}
        secrets = {side: chance.choice(codes[side]) for side in Side}
        match = replace(start, secret=secrets[Side.ME])
        while side := match.to_move:
            if side is Side.ME:
                begun = time.process_time()
                guess = advisor.advise(match).proposed.guess
                taken.append(1000 * (time.process_time() - begun))
            else:
                guess = chance.choice(match.known(side).codes())
            match = match.play(Turn(guess, hint(guess, secrets[side.other])))
    taken.sort()
    shares = ", ".join(f"{share:.0%} {taken[int(share * (len(taken) - 1))]:.1f}" for share in (0.5, 0.9, 0.99, 1))
    print(f"{len(taken)} proposals, CPU ms: {shares}")


def first_turn(match: Match) -> tuple[str, Hint]:
    """A turn of the side that begins."""
    guess = match.known(match.first).codes(1)[0]
    return guess, min(match.known(match.first).cells(guess))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--digits", type=int, default=3)
    parser.add_argument("--symbols", default="0123456789")
    parser.add_argument("--no-handicap", action="store_true")
    parser.add_argument("--first", choices=[str(side) for side in Side], action="append")
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("--proposals", action="store_true")
    asked = parser.parse_args()
    rules = Rules(asked.digits, asked.symbols)
    shown = "" if asked.no_handicap else rules.symbols[-1]
    for first in map(Side, asked.first or Side):
        start = Match(rules, rules, first)
        start = replace(start, shown=shown) if first is Side.ME else replace(start, absent=shown)
        if asked.proposals:
            time_proposals(start, asked.matches)
            continue
        print(
            f"\n{'I' if first is Side.ME else 'they'} move first, {f'showing {shown}' if shown else 'showing nothing'}"
        )
        print("| | " + " | ".join(OPPONENTS) + " |\n" + "| --- " * (1 + len(OPPONENTS)) + "|", flush=True)
        for way in asked.way or WAYS:
            row = [cell(way, opponent, start, asked.matches) for opponent in OPPONENTS]
            print(f"| {way} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
