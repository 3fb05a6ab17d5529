"""Grades of players of different strength: good players should get good grades, random ones should not.

    python benchmarks/hitblow_grades.py [--games 200] [--preset hitblow]

In games on one board, a grade measures the guesses lost by a choice. In races against the program, it measures the
lost chance of winning.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from random import Random

from yomikiri.common.enums import Grade
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.codes import all_guesses, decode
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Level
from yomikiri.hitblow.model.rules import PRESETS, Rules
from yomikiri.hitblow.policies import policy_named
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice.lessons import Report, play_report
from yomikiri.hitblow.practice.play import Play, rival

MOST = 12  # guesses before a player gives up
Player = Callable[[Play, Random], str]


def any_code(play: Play, random: Random) -> str:
    """Return any legal code."""
    codes = all_guesses(play.rules)
    return decode(play.rules, codes[random.randrange(len(codes))])


def random_candidate(play: Play, random: Random) -> str:
    """Return a random candidate, as a careful player does."""
    return random.choice(play.board.codes())


def careless(play: Play, random: Random) -> str:
    """Return a random candidate, but one time in three any code."""
    return (any_code if random.random() < 1 / 3 else random_candidate)(play, random)


def by_policy(name: str) -> Player:
    """Return a player that guesses by a policy on its own board."""
    policy = policy_named(name)
    return lambda play, _random: policy.choose(play.board).guess


def best_race_guess(play: Play, _random: Random) -> str:
    """Return the guess that wins most often in a race."""
    if not play.race:
        return Exact().choose(play.board).guess
    model = rival(play.level, Exact())
    assert model is not None
    return Advisor(model).propose(play.match).guess


PLAYERS: dict[str, Player] = {
    "best play": best_race_guess,
    "entropy": by_policy("entropy"),
    "minimax": by_policy("minimax"),
    "any that fits": random_candidate,
    "careless": careless,
    "any code": any_code,
}


def count_grades(rules: Rules, player: Player, games: int, *, race: bool) -> Counter[Grade | None]:
    """Count the guesses with each grade over some games."""
    counts: Counter[Grade | None] = Counter()
    for number in range(games):
        counts.update(turn.grade for turn in report_of_game(rules, player, number, race=race).turns)
    return counts


def report_of_game(rules: Rules, player: Player, number: int, *, race: bool) -> Report:
    """Return the report of one game."""
    random = Random(number)
    seed = f"grades-{number}"
    secret = random.choice(Knowledge(rules).codes()) if race else ""
    first = random.choice(tuple(Side)) if race else Side.ME
    play = Play(rules, seed, race=race, first=first, handicap=False, secret=secret, level=Level.CONSISTENT)
    while not play.over and len(play.guesses) < MOST:
        play = play.answered(Exact()) if race else play
        if not play.over:
            play = play.guess(player(play, random))
    return play_report(play, Exact())


def main() -> None:
    """Print a table for games on one board and one for races."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--preset", choices=sorted(PRESETS), default="hitblow")
    asked = parser.parse_args()
    for race in (False, True):
        print("race, in the chance of winning" if race else "alone, in guesses")
        print(f"{'player':16}" + "".join(f"{grade.value:>12}" for grade in Grade) + f"{'none':>12}{'guesses':>9}")
        for name, player in PLAYERS.items():
            counts = count_grades(PRESETS[asked.preset].rules, player, asked.games, race=race)
            total = sum(counts.values())
            shares = [counts[grade] / total for grade in (*Grade, None)]
            print(f"{name:16}" + "".join(f"{share:12.0%}" for share in shares) + f"{total / asked.games:9.2f}")
        print()


if __name__ == "__main__":
    main()
