"""The tables of docs/match.md: what the benchmark works out by cells, against matches played out one by one."""

from dataclasses import replace
from functools import cache
from itertools import product
from math import inf

import pytest
from benchmarks.hitblow_ways import ENTROPY, FEWEST, MODELS, WAYS, Table

from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match, Outcome, Side
from yomikiri.hitblow.match.opponents import Perfect
from yomikiri.hitblow.rules import Rules, Turn, hint

MODEL = {"perfect": Perfect()} | {f"against {name}": model for name, model in MODELS.items()}


@cache
def guess_of_mine(way: str, match: Match) -> str:
    if way not in MODEL:
        return FEWEST.choose(match.known(Side.ME)).guess
    return Advisor(MODEL[way], FEWEST, inf, waits=True).propose(match).guess


def guesses_of_theirs(opponent: str, match: Match) -> list[str]:
    """Their guess; of a consistent player any, each as likely."""
    known = match.known(Side.OPPONENT)
    match opponent:
        case "perfect":
            seen = replace(match, first=match.first.other, shown=match.absent, absent=match.shown, secret="")
            return [guess_of_mine("perfect", seen)]
        case "consistent":
            return known.codes()
    return [{"optimal": FEWEST, "entropy": ENTROPY}[opponent].choose(known).guess]


def won(way: str, opponent: str, match: Match, found: str) -> float:
    """How likely I win against that secret of theirs; mine is told."""
    side = match.to_move
    if side is None:
        return float(match.outcome == Outcome(Side.ME))
    if side is Side.ME:
        guess = guess_of_mine(way, match)
        return won(way, opponent, match.play(Turn(guess, hint(guess, found))), found)
    guesses = guesses_of_theirs(opponent, match)
    turns = [Turn(guess, match.answer(guess)) for guess in guesses]
    return sum(won(way, opponent, match.play(turn), found) for turn in turns) / len(turns)


@pytest.mark.parametrize("first", Side)
@pytest.mark.parametrize("way", WAYS)
def test_a_way_of_playing_wins_as_often_as_when_all_matches_are_played(way, first):
    for rules, opponents in (
        (Rules(3, "0123"), ("optimal", "entropy", "perfect")),
        (Rules(2, "0123"), ("consistent",)),
    ):
        start = Match(rules, rules, first)
        start = replace(start, shown="3") if first is Side.ME else replace(start, absent="3")
        table = Table(rules, first, "3", samples=200)
        pairs = list(product(start.known(Side.OPPONENT).codes(), start.known(Side.ME).codes()))
        for opponent in opponents:
            share = sum(won(way, opponent, replace(start, secret=mine), found) for mine, found in pairs) / len(pairs)
            told, error = table.cell(way, opponent)
            assert abs(told - share) <= 4 * error + 1e-8
            assert error == 0 or opponent == "consistent"
