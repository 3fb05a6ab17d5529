"""The private race, in which players also use their own secrets, against best replies by independent code.

A best reply may use any guess, including uninformative ones and those that the program drops from its tree of the
race. So the tests also check that the dropped guesses are unnecessary.

Also tests `hitblow/race/private_tree.py`: the tree of the guesses and answers of that race.
"""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import accumulate

import pytest

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, hint
from yomikiri.hitblow.race import private_tree as trees
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.finish import Finish, race_odds
from yomikiri.hitblow.race.private import Chances, least, most, private, strategies
from yomikiri.hitblow.race.private_tree import Codes, Guesses, PrivateMove, PrivateNode, Tree
from yomikiri.hitblow.race.terms import Reveals, Terms

ONE_OF_3 = Terms(Rules(1, "012"))
TWO_OF_3 = Terms(Rules(2, "012"))
TWO_OF_4 = Terms(Rules(2, "0123"))
SHOWN = Terms(Rules(2, "0123"), reveals=Reveals.FIRST)
UNEVEN = Terms(Rules(2, "012"), prior=(("01", 2), ("02", 1), ("12", 7), ("20", 2), ("21", 1)))
DIFFERENT = Terms(Rules(2, "012"), second_rules=Rules(2, "ab", Repeats.ALL))

# For each possible secret of the other player: the node of the tree that a player with this secret has reached, and
# the weight of this case.
Beliefs = dict[str, tuple[PrivateNode, Fraction]]


def in_fractions(strategy, parts: int = 12) -> Chances:
    return {
        place: tuple(Fraction(round(chance * parts), parts) for chance in chances)
        for place, chances in strategy.items()
    }


class Deviator:
    """Best reply to a strategy of the tree, with any guess after its first one.

    The other player treats a guess outside the tree as the matching guess of the tree. If the matching guess would have
    hit, the deviator wins, because it could have made that guess.
    """

    def __init__(self, terms: Terms, strategy: Chances) -> None:
        self.terms, self.strategy = terms, strategy
        self.codes: list[str] = []

    def won(self, tree: Tree, first: bool) -> Fraction:
        self.codes = Guesses((self.terms.first if first else self.terms.second).rules)._all
        own, sought = (tree.own, tree.sought) if first else (tree.sought, tree.own)
        start = {secret: (tree.root, Fraction(cases)) for secret, cases in sought.items()}
        begin = self.move if first else self.reply
        made = sum((cases * begin(secret, start, 0) for secret, cases in own.items()), Fraction(0))
        return made / (sum(own.values()) * sum(sought.values()))

    def move(self, own: str, beliefs: Beliefs, ply: int) -> Fraction:
        beliefs = {secret: place for secret, place in beliefs.items() if place[1]}
        if not beliefs:
            return Fraction(0)
        openings = {move.guess for node, _weight in beliefs.values() for move in node.moves}
        return max(
            (self.made(own, beliefs, ply, g) for g in (openings if ply < 2 else self.codes)), default=Fraction(0)
        )

    def made(self, own: str, beliefs: Beliefs, ply: int, guess: str) -> Fraction:
        total = Fraction(0)
        groups: dict[object, Beliefs] = defaultdict(dict)
        for secret, (node, weight) in beliefs.items():
            taken = matching(node, guess)
            if secret in (guess, taken.guess):
                total += weight
            else:
                after = taken.after(secret)
                assert after
                groups[hint(guess, secret)][secret] = (after, weight)
        return sum((self.reply(own, group, ply + 1) for group in groups.values()), total)

    def reply(self, own: str, beliefs: Beliefs, ply: int) -> Fraction:
        groups: dict[str, Beliefs] = defaultdict(dict)
        for secret, (node, weight) in beliefs.items():
            for move, chance in zip(node.moves, self.strategy[node, secret], strict=True):
                after = move.after(own)
                if after and chance:
                    groups[move.guess][secret] = (after, weight * chance)
        return sum((self.move(own, group, ply + 1) for group in groups.values()), Fraction(0))


def divided(guess: str, codes: Codes) -> list[set[str]]:
    groups: dict[object, set[str]] = defaultdict(set)
    for code in codes:
        groups[hint(guess, code)].add(code)
    return list(groups.values())


@cache
def matching(node: PrivateNode, guess: str) -> PrivateMove:
    """Return the first move of a node that is at least as informative as `guess` and hits the same code."""
    wider = divided(guess, node.sought)
    for move in node.moves:
        finer = all(any(cell <= other for other in wider) for cell in divided(move.guess, node.sought))
        if finer and (guess not in node.sought or move.guess == guess):
            return move
    raise AssertionError(f"nothing matches {guess}")


@pytest.mark.parametrize("terms", [ONE_OF_3, TWO_OF_3, TWO_OF_4, SHOWN, DIFFERENT], ids=str)
def test_no_deviation_gains_against_either_strategy(terms: Terms):
    tree = Tree(terms)
    first, second = map(in_fractions, strategies(tree))
    lower, upper = least(tree, first), most(tree, second)
    assert lower == upper == private(terms).lower
    assert Deviator(terms, first).won(tree, first=False) == 1 - lower
    assert Deviator(terms, second).won(tree, first=True) == upper


def test_weighted_secrets_have_valid_bounds():
    """Rounded mixed strategies leave a gap, and each bound is the value of the best reply."""
    tree = Tree(UNEVEN)
    first, second = (in_fractions(strategy, 169) for strategy in strategies(tree))
    lower, upper = least(tree, first), most(tree, second)
    assert Deviator(UNEVEN, first).won(tree, first=False) == 1 - lower
    assert Deviator(UNEVEN, second).won(tree, first=True) == upper
    value = private(UNEVEN)
    assert lower <= value.lower <= value.upper <= upper
    assert upper - lower < Fraction(1, 1000)


def test_worse_strategy_has_a_worse_bound():
    """The bounds come from the strategies. The worse strategy here always makes its last guess."""
    tree = Tree(Terms(Rules(2, "0123"), reveals=Reveals.SECOND))
    first, _second = map(in_fractions, strategies(tree))
    last = {place: (*(Fraction(0),) * (len(chances) - 1), Fraction(1)) for place, chances in first.items()}
    assert least(tree, last) == Fraction(3, 4) < least(tree, first) == Fraction(59, 72)
    shown = Tree(SHOWN)
    _first, second = map(in_fractions, strategies(shown))
    last = {place: (*(Fraction(0),) * (len(chances) - 1), Fraction(1)) for place, chances in second.items()}
    assert most(shown, last) == Fraction(17, 24) > most(shown, second) == Fraction(5, 9)


@pytest.mark.parametrize(
    ("terms", "value"),
    [
        (Terms(Rules(1, "01")), "3/4"),
        (ONE_OF_3, "2/3"),
        (TWO_OF_3, "25/36"),
        (TWO_OF_4, "35/48"),
        (SHOWN, "5/9"),
    ],
    ids=str,
)
def test_small_races_have_their_known_values(terms: Terms, value: str):
    """For one digit among n symbols, the value is (n + 1) / 2n."""
    found = private(terms)
    assert found.lower == found.upper == Fraction(value)
    assert found.draw == 0


@pytest.mark.parametrize("terms", [ONE_OF_3, TWO_OF_3], ids=str)
def test_first_guesses_up_to_symmetry_are_enough(terms: Terms, monkeypatch: pytest.MonkeyPatch):
    value = private(terms)
    monkeypatch.setattr(trees, "_distinct", lambda divisions, _absent: divisions)
    assert len(Tree(terms).root.moves) == terms.first.count
    assert (private(terms).lower, private(terms).upper) == (value.lower, value.upper)


@pytest.mark.parametrize("rules", [TWO_OF_3.rules, TWO_OF_4.rules], ids=str)
def test_equal_turns_give_both_seats_one_half(rules: Rules):
    found = private(Terms(rules, equal_turns=True))
    assert found.lower == found.upper == Fraction(1, 2)
    assert found.draw
    assert 0 < found.draw < 1


def test_dropped_guesses_are_matched_by_kept_ones():
    guesses = Guesses(Rules(2, "0123"))
    for codes in (("01", "02", "03"), ("01", "10", "23", "32"), ("12", "13", "20", "30", "31")):
        kept = guesses.of(codes)
        everything = [guesses._divide(guess, codes) for guess in guesses._all]
        assert all(any(one.matches(other) for one in kept) for other in everything)
        assert not any(a.matches(b) for a in kept for b in kept if a is not b)
        assert all(set(divided(one.guess, codes)[0]) != set(codes) for one in kept)


def test_private_reports_progress_and_respects_its_budget():
    reports: list[Progress] = []
    private(TWO_OF_4, budget=Budget(progress=reports.append))
    assert reports
    assert {progress.states for progress in reports} == {Tree(TWO_OF_4).histories}
    for budget in (Budget.within(0), Budget(states=Tree(TWO_OF_4).histories)):
        with pytest.raises(Stopped) as stopped:
            private(TWO_OF_4, budget=budget)
        assert stopped.value.best is None


@pytest.mark.parametrize(
    ("terms", "error"),
    [
        (Terms(), "secrets are too many to solve this race"),
        (Terms(Rules(2, "01234"), reveals=Reveals.SECOND), "this race has more than"),
    ],
)
def test_large_race_is_refused(terms: Terms, error: str):
    with pytest.raises(InputError, match=error):
        private(terms)


@pytest.mark.parametrize(
    ("symbols", "finish", "value"), [("0123", (1, 4, 7), "35/48"), ("01234", (1, 4, 9, 6), "267/400")]
)
def test_uniformly_best_finish_determines_the_value(symbols: str, finish: tuple[int, ...], value: str):
    """The proof in race.md needs one strategy that finds the most codes within k guesses for every k."""
    known = Knowledge(Rules(2, symbols))
    found = [DepthWeightedSearch(known, (1,) * guesses).best().payoff for guesses in range(1, len(finish) + 1)]
    assert found == list(accumulate(finish))
    together = DepthWeightedSearch(known, tuple(range(len(finish), 0, -1))).best().payoff
    assert together == sum(found), "and by one strategy"
    assert race_odds(Finish(finish), Finish(finish)).value == Fraction(value)


def test_larger_games_have_no_uniformly_best_finish():
    known = Knowledge(Rules(2, "012345"))
    found = [DepthWeightedSearch(known, (1,) * guesses).best().payoff for guesses in range(1, 5)]
    assert DepthWeightedSearch(known, (4, 3, 2, 1)).best().payoff < sum(found)
