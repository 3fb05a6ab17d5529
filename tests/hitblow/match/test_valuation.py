import random
from fractions import Fraction

import pytest

from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.valuation import payoffs_by_depth
from yomikiri.hitblow.model.rules import Hint, Rules, Turn
from yomikiri.hitblow.race.finish import Finish, Pace, certain_payoff

TINY = Rules(1, "01")
MISS, WIN = Turn("0", Hint(0, 0)), Turn("0", Hint(1, 0))


def played_out(match: Match, mine: int, theirs: int) -> int:
    """Return 2 for my win, 1 for a draw, 0 for a loss if we find the secrets at guess `mine` and `theirs` from now."""
    left = {Side.ME: mine, Side.OPPONENT: theirs}
    while mover := match.to_move:
        left[mover] -= 1
        match = match.play(MISS if left[mover] else WIN)
    assert match.outcome
    return {Side.ME: 2, None: 1, Side.OPPONENT: 0}[match.outcome.winner]


@pytest.mark.slow
def test_payoffs_by_depth_agree_with_played_matches():
    chance = random.Random(1)
    for _ in range(100):
        match = Match(TINY, TINY, first=chance.choice(list(Side)), equal_turns=chance.random() < 0.5)
        for _ in range(chance.randrange(5)):
            match = match.play(MISS)
        theirs = Finish((*(chance.randrange(4) for _ in range(chance.randrange(4))), 1))
        worth = payoffs_by_depth(match, Pace(theirs))
        unit = Fraction(certain_payoff(theirs, equal_turns=match.equal_turns), 2 * theirs.total)
        for mine in range(1, 8):
            wins = [count * played_out(match, mine, at) for at, count in enumerate(theirs.counts, start=1)]
            assert sum(wins) * unit == (worth[mine - 1] if mine <= len(worth) else 0)
        assert list(worth) == sorted(worth, reverse=True)


def test_only_an_immediate_hit_draws_after_their_find():
    match = Match(TINY, TINY, first=Side.OPPONENT, equal_turns=True).play(WIN)
    assert payoffs_by_depth(match, Pace(Finish((3, 1)))) == (4,)
    assert played_out(match, 1, 0) == 1
    assert played_out(match, 2, 0) == 0
