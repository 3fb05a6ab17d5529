"""Exact values of public races, compared with known values and with brute force."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import inf
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.examples import before_release
from tests.reference.public_race import BruteRace

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.codes import Codes, all_secrets, decode_all, encode, without_symbols
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.race.kernels.pairs import OPENING, SUDDEN
from yomikiri.hitblow.race.public import forms as forms_module
from yomikiri.hitblow.race.public import payoffs as payoffs_module
from yomikiri.hitblow.race.public.forms import Forms
from yomikiri.hitblow.race.public.payoffs import Payoffs
from yomikiri.hitblow.race.public.race import PublicRace, RaceEffort
from yomikiri.hitblow.race.public.tables import check
from yomikiri.machine import running
from yomikiri.machine.shared_words import STOP, STOP_REQUESTED

DIGITS = "0123456789"


def codes(rules: Rules, absent: int = 0) -> Codes:
    """Return all codes without the last `absent` symbols."""
    return without_symbols(all_secrets(rules), range(len(rules.symbols) - absent, len(rules.symbols)))


def after(rules: Rules, turns: str, absent: str = "") -> Codes:
    """Return the candidates after some turns."""
    return Knowledge(rules, absent, tuple(map(Turn.parse, turns.split()))).candidates


def encoded(rules: Rules, texts: str) -> Codes:
    """Return codes as an array from their texts."""
    return np.array([encode(rules, each) for each in texts.split()])


def text(rows: Codes, rules: Rules) -> frozenset[str]:
    return frozenset(decode_all(rules, rows))


# Two independent programs of this project agree on these values; brute force confirms them up to 3 of 4.
@pytest.mark.parametrize(
    ("digits", "symbols", "nobody", "first", "second"),
    [
        (2, 3, "25/36", None, None),
        (2, 4, "35/48", "5/9", None),
        (2, 5, "267/400", "119/240", None),
        (2, 6, None, "13/25", None),
        (3, 4, "391/576", None, None),
        (3, 5, "1261/1800", None, None),
        (3, 6, "10408/14400", "4006/7200", "5917/7200"),
        (3, 7, "30881/44100", "14545/25200", "20700/25200"),
        (3, 8, "77710/112896", "39514/70560", "56049/70560"),
    ],
)
def test_small_games_have_their_known_values(digits, symbols, nobody, first, second):
    rules = Rules(digits, DIGITS[:symbols])
    race = PublicRace(rules)
    every, reduced = codes(rules), codes(rules, 1)
    for mine, theirs, expected in ((every, every, nobody), (every, reduced, first), (reduced, every, second)):
        if expected:
            assert race.win(mine, theirs) == Fraction(expected)


def test_standard_game_has_its_known_values():
    rules = Rules()
    race = PublicRace(rules, from_nothing=True)
    every, reduced, twice = codes(rules), codes(rules, 1), codes(rules, 2)
    assert race.win(every, every) == Fraction(174001, 259200)
    assert race.win(every, reduced) == Fraction(68807, 120960)
    assert race.win(reduced, every) == Fraction(39977, 51840)
    assert race.win(every, twice) == Fraction(109453, 241920)


def test_shipped_forms_give_the_known_value_for_other_symbols():
    rules = Rules(3, "abcdefghij")
    race = PublicRace(rules)
    known = race.effort
    assert race.win(codes(rules), codes(rules, 1)) == Fraction(68807, 120960)
    assert race.effort.sets == known.sets > 6000


@pytest.mark.slow
@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize(
    "rules",
    [
        Rules(2, "012"),
        Rules(2, "0123"),
        Rules(2, "012", Repeats.ALL),
        Rules(2, "012", Repeats.GUESS),
    ],
    ids=str,
)
def test_value_agrees_with_brute_force_from_the_start(rules, equal):
    race, brute = PublicRace(rules, equal_turns=equal), BruteRace(rules, equal=equal)
    every, reduced = codes(rules), codes(rules, 1 if len(rules.symbols) > rules.digits else 0)
    for mine, theirs in ((every, every), (every, reduced), (reduced, every)):
        for closing in (False, True)[: 1 + equal]:
            expected = brute.win(text(mine, rules), text(theirs, rules), closing)
            assert race.win(mine, theirs, closing=closing) == expected


# (rules of the secret that the first player seeks, rules for the second player)
SIDES = [
    (Rules(2, "0123"), Rules(2, "abc", Repeats.ALL)),
    (Rules(1, "01234"), Rules(2, "012")),
    (Rules(2, "012", Repeats.GUESS), Rules(3, "abc")),
]


@pytest.mark.slow
@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("sides", SIDES, ids=str)
def test_value_agrees_with_brute_force_for_different_rules(sides, equal):
    """The test covers the start, positions after one turn each, every guess, and swapped seats."""
    race, brute = PublicRace(*sides, equal_turns=equal), BruteRace(*sides, equal=equal)
    swapped = PublicRace(*sides[::-1], equal_turns=equal)
    sets = [[codes(rules), codes(rules)[1::2]] for rules in sides]
    for mine, theirs in product(*sets):
        board = text(mine, sides[0]), text(theirs, sides[1])
        for closing in (False, True):
            position = (theirs, mine) if closing else (mine, theirs)
            seen = (board[1], board[0]) if closing else board
            value = race.win(*position, closing=closing)
            assert value == brute.win(*seen, closing)
            for guess in brute.guesses_of[closing]:
                if brute.tells(seen[0], guess):
                    assert race.chance(guess, *position, closing=closing) == brute.chance(guess, *seen, closing)
            moves = race.moves(*position, closing=closing)
            assert moves
            assert all(brute.chance(guess, *seen, closing) == value for guess in moves)
            if equal:
                least, most = brute.draws(*seen, closing)
                assert least <= race.draw(*position, closing=closing) <= most
            else:
                assert swapped.win(*position, closing=not closing) == value


def test_shipped_forms_serve_either_side():
    standard, other = Rules(), Rules(4, "abcde")
    for sides in ((standard, other), (other, standard)):
        known, fresh = PublicRace(*sides), PublicRace(*sides, from_nothing=True)
        assert fresh.effort.sets == 0
        assert known._forms[sides.index(standard)].counts[0] > 1000
        boards = [after(standard, "012:1H1B 034:1H0B"), codes(other)]
        mine, theirs = boards if sides[0] is standard else boards[::-1]
        assert known.win(mine, theirs) == fresh.win(mine, theirs)
        assert known.moves(mine, theirs) == fresh.moves(mine, theirs)


def test_swapped_seats_give_the_complement_with_equal_turns():
    rules, other = Rules(2, "01234"), Rules(3, "012")
    race, swapped = PublicRace(rules, other, equal_turns=True), PublicRace(other, rules, equal_turns=True)
    mine, theirs = codes(rules), codes(other)
    assert race.win(mine, theirs) + swapped.win(theirs, mine) == 1


@pytest.mark.parametrize("equal", [False, True])
def test_chance_of_every_guess_agrees_with_brute_force(equal):
    rules = Rules(2, "01234")
    race, brute = PublicRace(rules, equal_turns=equal), BruteRace(rules, equal=equal)
    sets = [after(rules, turns) for turns in ("01:0H0B", "01:0H1B", "01:0H1B 12:0H1B", "01:1H0B 23:0H0B")]
    for mine in sets:
        for theirs in sets:
            board = text(mine, rules), text(theirs, rules)
            best = brute.win(*board)
            moves = race.moves(mine, theirs)
            assert moves
            for guess in brute.guesses:
                if brute.tells(board[0], guess):
                    assert race.chance(guess, mine, theirs) == brute.chance(guess, *board)
            assert all(brute.chance(guess, *board) == best for guess in moves)


def test_uninformative_guess_passes_the_move():
    rules = Rules(3, "0123456")
    race = PublicRace(rules)
    mine, theirs = after(rules, "012:0H1B"), after(rules, "012:1H0B 034:1H0B")
    assert race.chance("012", mine, theirs) == 1 - race.win(theirs, mine)
    assert race.chance("012", mine, theirs) <= race.win(mine, theirs)


def test_single_candidate_is_guessed():
    rules = Rules(3, "0123")
    last = codes(rules)[:1]
    assert PublicRace(rules).moves(last, codes(rules)) == ("012",)


def test_arbitrary_sets_have_a_value():
    rules = Rules(2, "01234")
    race, brute = PublicRace(rules), BruteRace(rules)
    every = all_secrets(rules)
    odd, other = every[[0, 3, 4, 9, 13, 17]], every[[1, 2, 8, 11]]
    assert race.win(odd, other) == brute.win(text(odd, rules), text(other, rules))


def test_partitions_of_different_sets_are_never_confused():
    """With one hash function for node ids and partitions, two partitions would have equal hashes in this position."""
    rules = Rules(3, "0123")
    mine, theirs = (encoded(rules, text) for text in ("123 120 203 213 301", "012 321 023 021 102"))
    race, brute = PublicRace(rules, from_nothing=True), BruteRace(rules)
    board = text(mine, rules), text(theirs, rules)
    assert race.win(mine, theirs) == brute.win(*board) == Fraction(21, 25)
    asked = [race.moves(mine, theirs) for _ in range(3)]
    assert [brute.chance(guess, *board) for guess in asked[0]] == [Fraction(21, 25)]
    assert asked[1] == asked[2] == asked[0]


@pytest.mark.slow
@pytest.mark.parametrize("equal", [False, True])
def test_value_agrees_with_brute_force_on_consecutive_small_sets(equal):
    """All queries share one workspace, so entries of earlier queries must not matter."""
    chance = Random(29 + equal)
    for rules in (Rules(3, "0123"), Rules(2, "01234"), Rules(2, "012", Repeats.ALL), Rules(3, "0123", Repeats.GUESS)):
        every = all_secrets(rules)
        race, brute = PublicRace(rules, equal_turns=equal, from_nothing=True), BruteRace(rules, equal=equal)
        for _ in range(10 if before_release() else 2):
            mine, theirs = (every[sorted(chance.sample(range(len(every)), chance.randint(3, 8)))] for _ in "12")
            board, closing = (text(mine, rules), text(theirs, rules)), equal and chance.random() < 0.5
            value = race.win(mine, theirs, closing=closing)
            assert value == brute.win(*board, closing)
            moves = race.moves(mine, theirs, closing=closing)
            assert moves
            assert all(brute.chance(guess, *board, closing) == value for guess in moves)
            assert moves == PublicRace(rules, equal_turns=equal, from_nothing=True).moves(mine, theirs, closing=closing)


def test_stopped_search_resumes_without_repeating_work():
    """The test stops one query after growing numbers of states and repeats it until it ends."""
    rules = Rules(3, "012345678")
    race, efforts, entered = PublicRace(rules), [RaceEffort(0, 0, 0)], 0
    for states in (int(1.5**step) for step in range(-1, 60)):
        try:
            value = race.win(codes(rules), codes(rules), budget=Budget(states=states))
            break
        except Stopped:
            efforts.append(race.effort)
            assert race._state_count - entered == states
            entered = race._state_count
    assert len(efforts) > 10
    assert value == Fraction(174557, 254016)
    assert efforts == sorted(efforts, key=lambda effort: (effort.sets, effort.pairs))


def stopped_at_once(kernel: Callable[[], object], words: NDArray[np.uint64], *_: object) -> tuple[object, bool]:
    """Request a stop, then start the kernel: a replacement of `run`."""
    words[0, STOP] = STOP_REQUESTED
    return kernel(), True


@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("expand_limit", [None, 1000])
def test_stop_at_any_poll_leaves_valid_tables(equal: bool, expand_limit: int | None, monkeypatch: pytest.MonkeyPatch):
    """Each run allows more polls. The tables must stay valid and the result unchanged."""
    rules, stops = Rules(3, "012345"), 0
    right = PublicRace(rules, equal_turns=equal, from_nothing=True).win(codes(rules), codes(rules))
    kind = OPENING if equal else SUDDEN
    for step in (1, 3, 10, 40):
        forms = Forms(rules, expand_limit=expand_limit)
        payoffs = Payoffs(forms, forms)
        for polls in range(1, 100_000, step):
            monkeypatch.setattr(running, "run", stopped_at_once)
            for module in (forms_module, payoffs_module):
                monkeypatch.setattr(module, "poll_limit", lambda *_, polls=polls: polls)
            try:
                form = forms.form(forms.numbers(codes(rules)))
                payoff = payoffs.payoff(kind, form, form)
                break
            except Stopped:
                stops += 1
                check(forms.game, forms.tables)
        assert Fraction(payoff, 2 * len(codes(rules)) ** 2) == right
    assert stops > 40


def test_construction_and_growth_respect_the_budget():
    for spent in (Budget.within(0.0), Budget(cancelled=lambda: True)):
        with pytest.raises(Stopped):
            PublicRace(Rules(3, "01234567ab"), budget=spent)
        race = PublicRace(Rules(3, "01234"))
        with pytest.raises(Stopped):
            race._forms[0].widen(spent)
        with pytest.raises(Stopped):
            race._payoffs.widen(budget=spent)
        assert race.win(codes(race.rules), codes(race.rules)) == PublicRace(race.rules).win(
            codes(race.rules), codes(race.rules)
        )


def test_store_is_saved_between_kernel_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A save is due at once, so the search stops, saves and resumes. The kernel never runs during a save."""
    rules, saved = Rules(3, "0123456"), list[int]()
    with PublicRace(rules, store=tmp_path / "work", from_nothing=True) as race:
        save = race.save

        def noted() -> None:
            assert not running._mine.running
            saved.append(race.effort.sets)
            save()
            race._due = inf if len(saved) == 5 else 0.0

        monkeypatch.setattr(race, "save", noted)
        race._due = 0.0
        value = race.win(codes(rules), codes(rules))
    assert value == PublicRace(rules).win(codes(rules), codes(rules))
    assert len(saved) == 6, "and once more at the end"
    assert saved == sorted(saved)


def test_budget_counts_the_states_of_one_query():
    rules = Rules(3, "01234567")
    race = PublicRace(rules)
    for states in (10, 20):
        before = race._state_count
        with pytest.raises(Stopped):
            race.win(codes(rules), codes(rules), budget=Budget(states=states))
        assert race._state_count - before == states
    race.win(codes(rules), codes(rules))
    assert race.win(codes(rules), codes(rules), budget=Budget(states=10)) == race.win(codes(rules), codes(rules))


def test_equally_good_moves_list_candidates_first():
    rules = Rules(3, "012345")
    mine = after(rules, "012:0H0B 120:0H0B")
    moves = PublicRace(rules).moves(mine, after(rules, "012:0H0B 023:0H1B"))
    assert moves[0] == "345"
    assert "345" in text(mine, rules)
    assert "034" in moves
    assert "034" not in text(mine, rules)
