"""Replay of the program's moves against every reply, by independent code."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest
from tests.hitblow.race.public.played import Played
from tests.reference.forms import Forms, Numbers
from tests.reference.public_race import BruteRace, Codes
from tests.reference.replay import CLOSING, OPENING, SUDDEN, Policy, best_result_against

from yomikiri.hitblow.model.rules import Repeats, Rules

Option = tuple[bool, tuple[int, ...]]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((Rules(3, "012345"), "2003/3600"), id="3 of 6"),
        pytest.param((Rules(3, "01234567"), "19757/35280"), id="3 of 8", marks=pytest.mark.release),
    ],
)
def handicap(request: pytest.FixtureRequest) -> tuple[Played, Fraction]:
    """Return a race and its value if the first player reveals a symbol."""
    rules, value = request.param
    return Played(rules), Fraction(value)


class RandomPolicy:
    """A policy that takes a random option for each pair of forms. Brute force on sets of codes finds its value."""

    def __init__(self, rules: Rules, equal: bool, seed: int) -> None:
        self.brute, self.seed = BruteRace(rules, equal=equal), seed
        self.form, self.options, self.chance = cache(self._form), cache(self._options), cache(self._chance)
        self.known: dict[tuple[int, frozenset[Option]], int] = {}

    def _options(self, codes: Codes) -> dict[Option, frozenset[Codes]]:
        """Return the cells of each option; an option is its ability to hit and the forms of its other cells."""
        parts = [part for part in self.brute.options(codes) if codes not in part[1]]
        return {(hit, tuple(sorted(map(self.form, cells)))): cells for hit, cells in parts}

    def _form(self, codes: Codes) -> int:
        return self.known.setdefault((len(codes), frozenset(self.options(codes))), len(self.known))

    def drawn(self, mine: Codes, theirs: Codes, closing: bool) -> Option:
        lot = random.Random(f"{self.seed} {self.form(mine)} {self.form(theirs)} {closing}")
        return lot.choice(sorted(self.options(mine)))

    def _chance(self, mine: Codes, theirs: Codes, closing: bool, replies: bool) -> Fraction:
        """Return the mover's chance if it plays best against the policy (`replies`), or if it plays by the policy."""
        later = self.brute.equal and not closing
        won = 1 - Fraction(later, 2 * len(theirs))
        options = self.options(mine)
        chosen = list(options) if replies else [self.drawn(mine, theirs, closing)]
        chances = [
            won * option[0]
            + sum(len(cell) * (1 - self.chance(theirs, cell, later, not replies)) for cell in options[option])
            for option in chosen
        ]
        passed = [len(mine) * (1 - self.chance(theirs, mine, later, False))] if replies else []
        return max(chances + passed) / len(mine)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "equal"),
    [
        pytest.param(Rules(2, "0123"), False, marks=pytest.mark.exhaustive),
        pytest.param(Rules(2, "0123"), True, marks=pytest.mark.exhaustive),
        (Rules(2, "012", Repeats.ALL), False),
        (Rules(2, "012", Repeats.ALL), True),
    ],
    ids=["2 of 4", "2 of 4, turns completed", "2 of 3, repeats", "2 of 3, repeats, turns completed"],
)
def test_replay_of_a_random_policy_agrees_with_brute_force(rules, equal):
    played = Played(rules, equal_turns=equal)
    forms, every = played.forms, played.every
    sets = [frozenset("".join(rules.symbols[symbol] for symbol in code) for code in each) for each in forms.example]
    whole, shares = 2 * len(played.codes) ** 2, set()
    for seed in range(5):
        random_policy = RandomPolicy(rules, equal, seed)
        same = [random_policy.form(codes) for codes in sets]
        assert len(set(same)) == len(same)
        options = [
            [(bool(hit), tuple(sorted(same[form] for form in cells))) for hit, cells in options_of(forms, form)]
            for form in range(len(sets))
        ]

        def policy(
            kind: int,
            held: int,
            other: int,
            random_policy: RandomPolicy = random_policy,
            options: list[list[Option]] = options,
        ) -> int:
            drawn = random_policy.drawn(sets[held], sets[other], kind == CLOSING)
            return int(forms.first[held]) + options[held].index(drawn)

        for replies in (False, True):
            found = Fraction(best_result_against(forms, policy, played.begins, every, every, replies=replies), whole)
            chance = random_policy.chance(sets[every], sets[every], False, replies)
            assert found == (chance if replies else 1 - chance)
            shares.add(found)
    assert len(shares) > 5


def options_of(forms: Forms, form: int) -> list[tuple[int, Numbers]]:
    """Return (can hit, forms of the other cells) for each option of a form."""
    options = range(forms.first[form], forms.first[form + 1])
    return [(forms.hit[at], forms.cell[forms.begin[at] : forms.begin[at + 1]]) for at in options]


@pytest.mark.slow
def test_perfect_play_holds_its_value_against_every_reply(handicap):
    played, value = handicap
    assert played.guaranteed_chances(played.every, played.reduced, SUDDEN) == (value, value)


def test_perfect_play_holds_its_value_from_any_position(handicap):
    """The test uses reachable sets of all sizes."""
    played, _value = handicap
    chance = random.Random(9)
    for _ in range(30):
        mine, theirs = (min(chance.choices(range(len(played.forms.size)), k=2)) for _ in range(2))
        value = played.race.win(played.forms.example[mine], played.forms.example[theirs])
        assert value > 0
        assert played.guaranteed_chances(mine, theirs, SUDDEN) == (value, value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "revealed", "equal", "values"),
    [
        (Rules(3, "012345"), 2, False, ("1301/1800", "101/288", "659/720")),
        (Rules(3, "012345"), 1, True, ("7183/14400", "5213/14400", "1017/1600")),
        (Rules(2, "0123", Repeats.ALL), 1, True, None),
        *(
            pytest.param(*game, marks=pytest.mark.release)
            for game in (
                (Rules(3, "0123456"), 2, False, ("30881/44100", "349/840", "1867/2100")),
                (Rules(3, "0123456"), 1, True, ("5501/11025", "2089/5600", "7859/12600")),
            )
        ),
        pytest.param(Rules(4, "01234"), 1, False, ("4913/7200", "171/320", "2327/2880"), marks=pytest.mark.exhaustive),
    ],
    ids=[
        "3 of 6, two revealed",
        "3 of 6, turns completed",
        "2 of 4, repeats",
        "3 of 7, two revealed",
        "3 of 7, turns completed",
        "4 of 5",
    ],
)
def test_perfect_play_holds_its_value_in_other_games(rules, revealed, equal, values):
    played = Played(rules, revealed=revealed, equal_turns=equal)
    every, reduced = played.every, played.reduced
    found = [
        played.guaranteed_chances(*sets, played.begins) for sets in ((every, every), (every, reduced), (reduced, every))
    ]
    assert all(least == most for least, most in found)
    if values:
        assert [least for least, _ in found] == list(map(Fraction, values))


def with_other_move(policy: Policy, spoilt: tuple[int, int, int], move: int) -> Policy:
    """Return the policy with another move in the position `spoilt`."""
    return lambda *position: move if position == spoilt else policy(*position)


@pytest.mark.slow
@pytest.mark.parametrize("equal", [False, True])
def test_worse_move_has_a_lower_secured_chance(equal):
    """If a move is followed by the program's moves, it guarantees exactly the chance that the program gives it."""
    played, chance = Played(Rules(3, "012345"), equal_turns=equal), random.Random(4)
    forms = played.forms
    worse = 0
    for _ in range(40):
        kind = chance.choice((OPENING, CLOSING)) if equal else SUDDEN
        held, other = (chance.randrange(len(forms.size)) for _ in range(2))
        sets = forms.example[held], forms.example[other]
        best = played.race.win(*sets, closing=kind == CLOSING)
        for move in range(forms.first[held], forms.first[held + 1]):
            guess = next(code for code, option in zip(played.codes, forms.option[held], strict=True) if option == move)
            won = best_result_against(
                forms, with_other_move(played.option, (kind, held, other), move), kind, held, other, replies=False
            )
            sure = 1 - Fraction(won, 2 * len(sets[0]) * len(sets[1]))
            assert sure == played.race.chance(guess, *sets, closing=kind == CLOSING)
            worse += sure < best
    assert worse > 40
