import pytest

from yomikiri.common.errors import InputError
from yomikiri.hitblow.match.opponents import OPPONENTS, Custom, PolicyPlayer, opponent_named, parse_finishes
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Rules, Turn, hint
from yomikiri.hitblow.policies.onestep import Likely, OneStep
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.finish import Finish, win_payoffs

SMALL = Knowledge(Rules(2, "01234"))
MID = Knowledge(Rules(3, "0123456"), "6", (Turn("012", Hint(0, 1)),))


def test_player_pace_agrees_with_games_of_its_policy():
    policy = OneStep("entropy")
    times = []
    for secret in MID.codes():
        known, count = MID, 0
        while not known.solved:
            guess = policy.choose(known).guess
            known, count = known.after(Turn(guess, hint(guess, secret))), count + 1
        times.append(count)
        assert PolicyPlayer("entropy", policy).pace(MID, secret).finish.counts == (0,) * (count - 1) + (1,)
    assert PolicyPlayer("entropy", policy).pace(MID).finish.counts == tuple(
        times.count(at) for at in range(1, max(times) + 1)
    )


def test_player_pace_counts_secrets_by_weight():
    known = Knowledge(SMALL.rules, prior=tuple((code, 1 + 9 * (code < "13")) for code in SMALL.codes()))
    assert PolicyPlayer("entropy", OneStep("entropy")).pace(known).finish.total == known.total


def test_custom_finishes_count_from_the_start_of_the_match():
    custom = Custom((1, 2, 3, 4))
    assert custom.pace(SMALL).finish.counts == (1, 2, 3, 4)
    assert custom.pace(SMALL.after(Turn("01", Hint(0, 1)))).finish.counts == (2, 3, 4)
    late = SMALL.after(Turn("01", Hint(0, 1)))
    assert Custom((1,)).pace(late).finish.counts == (1,), "later than was said: the next guess"


def test_opponents_are_found_by_name():
    for name in OPPONENTS:
        model = opponent_named(name, Likely(), "1,2" if name == "custom" else "")
        assert model.name == name
        assert model.watches is (name == "perfect")
        pace = model.pace(SMALL, "10")
        assert pace.within(len(pace.finish.counts)) == 1


@pytest.mark.parametrize("text", ["", "often", "0", "0,0", "1;2", "-1", "1.5", "9" * 8])
def test_invalid_finishes_are_refused(text):
    with pytest.raises(InputError, match="finishes"):
        parse_finishes(text)


def test_finishes_are_separated_by_commas_or_blanks():
    assert parse_finishes(" 1, 4 25,154") == (1, 4, 25, 154)


def test_largest_valid_finishes_fit_the_search():
    largest = Finish(parse_finishes(",".join(["9" * 7] * 100)))
    payoffs = win_payoffs(largest, first=False, to_move=True, equal_turns=True)
    assert DepthWeightedSearch(Knowledge(Rules()), payoffs).nodes == 0
