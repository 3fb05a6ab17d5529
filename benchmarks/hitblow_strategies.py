"""Races between strategies that ignore the other board: the exact figures of docs/guide/race.md.

    python benchmarks/hitblow_strategies.py

Three strategies play each other, each as first and as second player: the one with the fewest guesses, the one of the
equilibrium, and the best reply to the fewest guesses. Games are the standard race, and races in which either side
reveals one symbol. The standard race adds a fourth strategy, another one with the fewest guesses.
"""

from __future__ import annotations

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.policies.book import read_volume, volumes
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.finish import Finish, race_odds, win_payoffs
from yomikiri.hitblow.race.terms import Reveals, Terms
from yomikiri.hitblow.race.unseen import finish_of, unseen
from yomikiri.hitblow.strategy.strategy import Objective, cost

# another strategy with the same least total, but other numbers at each guess
OTHER_FEWEST = Finish((1, 4, 25, 154, 346, 185, 5))


def fewest(known: Knowledge) -> Finish:
    """Return how many secrets the stored strategy with the fewest guesses finds at each guess."""
    return Finish.of(read_volume(next(volumes(known.rules, known.absent, Objective()))).cost)


def reply(known: Knowledge, opponent: Finish, *, first: bool) -> Finish:
    """Return the best reply to an opponent."""
    weighing = DepthWeightedSearch(known, win_payoffs(opponent, first=first, to_move=first))
    return Finish.of(cost(weighing.tree(), known.codes()))


def show(terms: Terms) -> None:
    """Print all pairs of strategies: the first player's chances in percent."""
    found = unseen(terms.first, terms.second)
    plain = fewest(terms.first), fewest(terms.second)
    firsts = {
        "fewest guesses": plain[0],
        "race": finish_of(found.first),
        "best against fewest": reply(terms.first, plain[1], first=True),
    }
    seconds = {
        "fewest guesses": plain[1],
        "race": finish_of(found.second),
        "best against fewest": reply(terms.second, plain[0], first=False),
    }
    if terms.reveals is Reveals.NONE:
        firsts["other fewest"] = seconds["other fewest"] = OTHER_FEWEST
    print(f"\nshows one digit: {terms.reveals.value}")
    for player, finishes in (("first", firsts), ("second", seconds)):
        for name, finish in finishes.items():
            print(f"  {player:7}{name:21}{float(finish.mean):.4f}  {' '.join(map(str, finish.counts))}")
    print(f"  {'first wins, %':28}{''.join(f'{name:>21}' for name in seconds)}")
    for name, finish in firsts.items():
        values = [float(race_odds(finish, other).value) for other in seconds.values()]
        print(f"  {name:28}{''.join(f'{100 * value:>21.2f}' for value in values)}")


if __name__ == "__main__":
    for who in Reveals:
        show(Terms(reveals=who))
