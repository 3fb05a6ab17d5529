"""How often each way of playing wins a match against each opponent: the tables of docs/guide/match.md.

    python benchmarks/hitblow_ways.py [--samples 300] [--digits 3] [--symbols 0123456789]
                                      [--shown none|first] [--first me|opponent] [--way WAY] [--opponent OPPONENT]
    python benchmarks/hitblow_ways.py --check [--first me|opponent]
                                      compare small games with a simulation of each match

No match is simulated. A position represents all secrets that are possible in it, and the recursion over the match
splits it into cells. So a value is exact, and marked `=`, unless the opponent chooses at random.

For a random opponent, a sample fixes all random choices, as if the opponent had a strategy tree, and a secret of mine.
It is played to the end against all secrets of the opponent. A way is compared with the guess of fewest expected
guesses: its advantage is averaged over the samples and added to the exact value of that guess. The samples are the same
for all ways. The standard error follows the value.

`--check` compares these values with a simulation of each match, for small games.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import inf, sqrt
from statistics import mean, stdev

from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match, MatchOutcome, Side
from yomikiri.hitblow.match.opponents import Consistent, Opponent, Perfect, PolicyPlayer
from yomikiri.hitblow.match.valuation import shared_race
from yomikiri.hitblow.model.codes import decode, hint_table
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Rules, Turn, hint
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.policies.simulation import simulate
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.finish import Finish, race_odds, win_payoffs

FEWEST, ENTROPY = Exact(seconds=None), OneStep("entropy")


class Board:
    """The knowledge of one side. There is one object for each sequence of turns, so boards are compared by identity."""

    def __init__(self, known: Knowledge) -> None:
        self.known, self.count = known, known.count
        self._after: dict[str, dict[Hint, tuple[int, Board | None]]] = {}

    def after(self, guess: str) -> dict[Hint, tuple[int, Board | None]]:
        """Return the cells of a guess by answer, each with its size and board; the win has no board."""
        if guess not in self._after:
            cells = self.known.cells(guess).items()
            self._after[guess] = {
                answer: (size, None if answer == self.known.rules.win else Board(self.known.after(Turn(guess, answer))))
                for answer, size in cells
            }
        return self._after[guess]

    @cached_property
    def centre(self) -> str:
        """Return a candidate that separates all others, if there is one: no guess finds the secret sooner."""
        if self.count > len(self.known.rules.hints):
            return ""
        hints = hint_table(self.known.candidates, self.known.candidates)
        at = next((at for at, row in enumerate(hints) if len(set(row.tolist())) == self.count), None)
        return "" if at is None else decode(self.known.rules, self.known.candidates[at])


@cache
def start(rules: Rules, absent: str) -> Board:
    return Board(Knowledge(rules, absent))


Way = Callable[[Board, Board, str], str]
"""What a side guesses that is to move: from its own board, the other's, and its own secret."""


@cache
def chosen(policy: Policy, board: Board) -> str:
    return (policy is FEWEST and board.centre) or policy.choose(board.known).guess


def follows(policy: Policy) -> Way:
    return lambda mine, _theirs, _secret: chosen(policy, mine)


def plays_the_race(mine: Board, theirs: Board, _secret: str) -> str:
    """Return the guess that wins the race most often; among equal ones the one with the fewest expected guesses."""
    return raced(mine, theirs)


@cache
def raced(mine: Board, theirs: Board) -> str:
    fewest = chosen(FEWEST, mine)
    if fewest == mine.centre:
        return fewest
    codes = mine.known.candidates, theirs.known.candidates
    with shared_race(mine.known.rules, mine.known.rules, False).locked() as public:
        best = public.moves(*codes)[0]
        return fewest if public.chance(fewest, *codes) == public.win(*codes) else best


def best_against_model(opponent: Opponent) -> Way:
    """Return a way of playing that wins most often against an opponent who needs as many guesses as a model says.

    Ties go to the fewest expected guesses.
    """
    return lambda mine, theirs, secret: weighed(mine, stakes(opponent, theirs, secret))


@cache
def representative_secret(theirs: Board, secret: str) -> str:
    """Return the first candidate that is equal to `secret` up to a renaming of symbols that keeps the turns.

    A consistent player finds both equally fast. After more than one turn, the result is `secret` itself.
    """
    turns = theirs.known.turns
    if len(turns) > 1:
        return secret
    named = [tuple(map(turn.guess.find, secret)) for turn in turns]
    return next(code for code in theirs.known.codes() if [tuple(map(turn.guess.find, code)) for turn in turns] == named)


@cache
def stakes(opponent: Opponent, theirs: Board, secret: str) -> tuple[int, ...]:
    like = representative_secret(theirs, secret) if isinstance(opponent, Consistent) else secret
    if like != secret:
        return stakes(opponent, theirs, like)
    return win_payoffs(opponent.pace(theirs.known, secret).finish, first=True, to_move=True)


@cache
def weighed(board: Board, worth: tuple[int, ...]) -> str:
    fewest = chosen(FEWEST, board)
    if fewest == board.centre:
        return fewest
    weighing = DepthWeightedSearch(board.known, worth)
    best = weighing.best()
    return fewest if weighing.of(fewest).payoff == best.payoff else best.guess


def consistent_player_of_sample(sample: int) -> Way:
    """Return a consistent player whose random choices are fixed in advance.

    Its first guess is always the same, because all are equivalent by renaming and neither side gains by the choice.
    """
    return lambda mine, _theirs, _secret: drawn(sample, mine)


@cache
def drawn(sample: int, board: Board) -> str:
    turns = board.known.turns
    codes = board.known.codes()
    return random.Random(f"{sample} {' '.join(map(str, turns))}").choice(codes) if turns else codes[0]


MODELS: dict[str, Opponent] = {
    "optimal": PolicyPlayer("optimal", FEWEST),
    "consistent": Consistent(),
    "entropy": PolicyPlayer("entropy", ENTROPY),
}
POLICIES: dict[str, Policy] = {"fewest guesses": FEWEST, "optimal": FEWEST, "entropy": ENTROPY}
BLIND: dict[str, Way] = {"fewest guesses": follows(FEWEST), "perfect": plays_the_race}
"""Ways that do not use my own secret."""
WAYS = BLIND | {f"against {name}": best_against_model(model) for name, model in MODELS.items()}
OPPONENTS: dict[str, Way | None] = {
    "optimal": follows(FEWEST),
    "consistent": None,
    "entropy": follows(ENTROPY),
    "perfect": plays_the_race,
}


class Meeting:
    """A way of mine against a way of theirs."""

    def __init__(self, mine: Way, theirs: Way) -> None:
        self.mine, self.theirs = mine, theirs

    def won(self, mine: Board, theirs: Board, side: Side, secret: str = "") -> int:
        """Return the number of pairs of possible secrets that I win.

        With `secret`, only the pairs with that secret of mine count.
        """
        if side is Side.ME:
            cells = mine.after(self.mine(mine, theirs, secret)).values()
            hit = 1 if secret else theirs.count
            return sum(self.won(cell, theirs, Side.OPPONENT, secret) if cell else hit for _size, cell in cells)
        guess = self.theirs(theirs, mine, "")
        later = theirs.after(guess)
        left = [later[hint(guess, secret)]] if secret else later.values()
        return sum(self.won(mine, cell, Side.ME, secret) for _size, cell in left if cell)


class Table:
    """The values for one choice of the first player and of the revealed symbol."""

    def __init__(self, rules: Rules, first: Side, shown: str, samples: int) -> None:
        absent = {first: "", first.other: shown}
        self.first, self.mine, self.theirs = first, start(rules, absent[Side.ME]), start(rules, absent[Side.OPPONENT])
        self.secrets = self.theirs.known.codes()
        chance = random.Random(0)
        rounds = -(-samples // len(self.secrets))
        self.samples = [secret for _ in range(rounds) for secret in chance.sample(self.secrets, len(self.secrets))]
        del self.samples[samples:]

    def cell(self, way: str, opponent: str) -> tuple[float, float]:
        """Return the chance of a way, and its standard error: 0 for an exact value."""
        if way == "fewest guesses" and opponent != "perfect":
            return float(self.raced(opponent)), 0.0
        if theirs := OPPONENTS[opponent]:
            return float(self.exactly(WAYS[way], theirs, blind=way in BLIND)), 0.0
        more = [a - b for a, b in zip(self.sampled(way), self.sampled("fewest guesses"), strict=True)]
        return float(self.raced(opponent)) + mean(more), stdev(more) / sqrt(len(more))

    def raced(self, opponent: str) -> Fraction:
        """Return the exact chance of the guess with the fewest expected guesses, if the opponent ignores my board."""
        ours = Finish.of(simulate(FEWEST, self.mine.known))
        if policy := POLICIES.get(opponent):
            theirs = Finish.of(simulate(policy, self.theirs.known))
        else:
            theirs = MODELS[opponent].pace(self.theirs.known).finish
        return race_odds(ours, theirs).value if self.first is Side.ME else 1 - race_odds(theirs, ours).value

    def exactly(self, mine: Way, theirs: Way, *, blind: bool) -> Fraction:
        """Return the chance of a way over all pairs of secrets."""
        meeting = Meeting(mine, theirs)
        secrets = [""] if blind else self.secrets
        won = sum(meeting.won(self.mine, self.theirs, self.first, secret) for secret in secrets)
        return Fraction(won, self.mine.count * self.theirs.count)

    @cache  # noqa: B019
    def sampled(self, way: str) -> list[float]:
        """Return the chance of a way against a consistent player in each sample."""
        return [
            Meeting(WAYS[way], consistent_player_of_sample(sample)).won(self.mine, self.theirs, self.first, secret)
            / self.mine.count
            for sample, secret in enumerate(self.samples)
        ]


class Played:
    """The chances by simulation: one match for each pair of secrets, with the advice of the program."""

    def __init__(self) -> None:
        self._advised = cache(self._advise)

    def share(self, way: str, opponent: str, start: Match) -> float:
        """Return the frequency of wins."""
        mine, theirs = start.known(Side.OPPONENT).codes(), start.known(Side.ME).codes()
        pairs = list(product(mine, theirs))
        return sum(self._won(way, opponent, replace(start, secret=code), found) for code, found in pairs) / len(pairs)

    def _won(self, way: str, opponent: str, match: Match, found: str) -> float:
        """Return my chance of winning if the opponent's secret is `found` and mine is in `match`."""
        side = match.to_move
        if side is None:
            return float(match.outcome == MatchOutcome(Side.ME))
        if side is Side.ME:
            guess = self._advised(way, match)
            return self._won(way, opponent, match.play(Turn(guess, hint(guess, found))), found)
        turns = [Turn(guess, match.answer(guess)) for guess in self._guesses(opponent, match)]
        return sum(self._won(way, opponent, match.play(turn), found) for turn in turns) / len(turns)

    def _guesses(self, opponent: str, match: Match) -> list[str]:
        """Return their possible guesses; those of a consistent player are equally likely."""
        known = match.known(Side.OPPONENT)
        if opponent == "consistent":
            return known.codes()
        if opponent == "perfect":
            seen = replace(match, first=match.first.other, shown=match.absent, absent=match.shown, secret="")
            return [self._advised("perfect", seen)]
        return [POLICIES[opponent].choose(known).guess]

    def _advise(self, way: str, match: Match) -> str:
        if way == "fewest guesses":
            return FEWEST.choose(match.known(Side.ME)).guess
        opponent = Perfect() if way == "perfect" else MODELS[way.removeprefix("against ")]
        return Advisor(opponent, FEWEST, inf).propose(match).guess


def check(firsts: list[Side]) -> None:
    """Compare the tables of small games with simulated matches; raise an AssertionError if they differ."""
    for first, way in product(firsts, WAYS):
        for rules, opponents in (
            (Rules(3, "0123"), ("optimal", "entropy", "perfect")),
            (Rules(2, "0123"), ("consistent",)),
        ):
            start = Match(rules, rules, first)
            start = replace(start, shown="3") if first is Side.ME else replace(start, absent="3")
            table = Table(rules, first, "3", samples=200)
            for opponent in opponents:
                told, error = table.cell(way, opponent)
                played = Played().share(way, opponent, start)
                print(f"{way} against {opponent}, {first} first: {told:.4%}, played out {played:.4%}")
                assert abs(told - played) <= 4 * error + 1e-8
                assert error == 0 or opponent == "consistent"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--digits", type=int, default=3)
    parser.add_argument("--symbols", default="0123456789")
    parser.add_argument("--shown", choices=("none", "first"), action="append")
    parser.add_argument("--first", choices=[str(side) for side in Side], action="append")
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("--opponent", choices=OPPONENTS, action="append")
    parser.add_argument("--check", action="store_true", help="compare small games with matches played out one by one")
    asked = parser.parse_args()
    firsts = list(map(Side, asked.first or Side))
    if asked.check:
        check(firsts)
        return
    rules, opponents = Rules(asked.digits, asked.symbols), asked.opponent or list(OPPONENTS)
    for shows in asked.shown or ("first", "none"):
        for first in firsts:
            began = time.process_time()
            table = Table(rules, first, rules.symbols[-1] if shows == "first" else "", asked.samples)
            print(f"\n{'I' if first is Side.ME else 'they'} move first; {shows} shows a symbol\n")
            print("| | " + " | ".join(opponents) + " |\n" + "| --- " * (1 + len(opponents)) + "|", flush=True)
            for way in asked.way or WAYS:
                print(f"| {way} |", end="", flush=True)
                for opponent in opponents:
                    won, error = table.cell(way, opponent)
                    print(f" {won:.2%} {f'± {error:.2%}' if error else '='} |", end="", flush=True)
                print()
            print(f"\n{time.process_time() - began:.0f} seconds of CPU", flush=True)


if __name__ == "__main__":
    main()
