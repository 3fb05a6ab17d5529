"""Duels for one secret, against a slow oracle and totals that an independent program has computed.

Also tests `guessing/duel_search.py` and `guessing/kernels/duel.py`: their values.
"""

import random
from fractions import Fraction
from functools import cache, partial
from itertools import permutations, product
from math import log2

import numpy as np
import pytest
from tests.guessing.test_position_search import random_game
from tests.reference.guessing import uses

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import CodeError, TurnError
from yomikiri.guessing.answers import ANSWER_KINDS, HITS_BLOWS, MARKS
from yomikiri.guessing.codes import CodeSpace
from yomikiri.guessing.duel import Duel, Rival
from yomikiri.guessing.duel_search import DuelSearch, best_duel_guess
from yomikiri.guessing.game import Game, Observation
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.kernels.answer_table import TableProblem, TableSet
from yomikiri.guessing.kernels.table_recursion import first_best
from yomikiri.guessing.position_table import PositionTable
from yomikiri.guessing.search import TableSearch
from yomikiri.machine.kernel import as_python

Guesses = frozenset[str]


class Oracle:
    """The values of a duel by trying every guess, with the guesses that are allowed as a set of their own."""

    def __init__(self, game: Game, rival: Rival) -> None:
        self.game, self.rival = game, rival
        self.weights = dict(zip(game.secrets, game.weights, strict=True))
        self.order = [*game.secrets, *game.guesses]
        self.margin, self.cost = cache(self._margin), cache(self._cost)

    def cells(self, secrets: Guesses, guess: str, allowed: Guesses) -> list[tuple[Guesses, Guesses]]:
        """Return the cells of a guess without the winning cell, each with the guesses that are allowed after it."""
        found: dict[str, set[str]] = {}
        for secret in secrets - {guess}:
            found.setdefault(self.game.answers.answer(guess, secret), set()).add(secret)
        return [(frozenset(cell), self.allowed_after(guess, cell, allowed)) for cell in found.values()]

    def allowed_after(self, guess: str, cell: set[str], allowed: Guesses) -> Guesses:
        match self.game.guess_rule:
            case GuessRule.CONSISTENT:
                return frozenset(cell)
            case GuessRule.HARD:
                return frozenset(other for other in allowed if uses(guess, min(cell), other))
        return allowed

    def useful(self, secrets: Guesses, allowed: Guesses) -> list[str]:
        return [guess for guess in allowed if all(cell != secrets for cell, _ in self.cells(secrets, guess, allowed))]

    def _cost(self, secrets: Guesses, allowed: Guesses) -> int:
        return min(self.cost_after(secrets, guess, allowed) for guess in self.useful(secrets, allowed))

    def cost_after(self, secrets: Guesses, guess: str, allowed: Guesses) -> int:
        later = sum(self.cost(*cell) for cell in self.cells(secrets, guess, allowed))
        return later + sum(map(self.weights.__getitem__, secrets))

    def entropy_after(self, secrets: Guesses, guess: str, allowed: Guesses) -> float:
        sizes = [len(cell) for cell, _ in self.cells(secrets, guess, allowed)]
        return round(sum(size * log2(size) for size in sizes), 6)

    def model(self, secrets: Guesses, allowed: Guesses) -> list[str]:
        """Return the guesses that the model of the opponent makes at a set, each equally likely."""
        if self.rival is Rival.CONSISTENT:
            return list(secrets)
        rating = self.entropy_after if self.rival is Rival.ENTROPY else self.cost_after

        def key(guess: str) -> tuple[float, bool, int]:
            return rating(secrets, guess, allowed), guess not in secrets, self.order.index(guess)

        return [min(self.useful(secrets, allowed), key=key)]

    def _margin(self, secrets: Guesses, allowed: Guesses, mover: int, left: int) -> Fraction:
        """Return the expected weight that the side to move finds, less that of the other."""
        if not left:
            return Fraction(0)
        follows_model = mover == 1 and self.rival is not Rival.PERFECT
        guesses = self.model(secrets, allowed) if follows_model else self.useful(secrets, allowed)
        results = []
        for guess in guesses:
            found = Fraction(self.weights[guess] if guess in secrets else 0)
            later = (self.margin(*cell, 1 - mover, left - 1) for cell in self.cells(secrets, guess, allowed))
            results.append(found - sum(later))
        return sum(results, Fraction(0)) / len(results) if follows_model else max(results)


def margin(game: Game, rival: Rival, turns: int) -> Fraction:
    """Return the margin of the side to move at the start of a game."""
    secrets = frozenset(game.secrets)
    allowed = secrets if game.guess_rule is GuessRule.CONSISTENT else frozenset(game.guesses)
    return Oracle(game, rival).margin(secrets, allowed, 0, turns)


def check_margin(game: Game, rival: Rival, turns: int | None, seed: int) -> None:
    """Check the best margin of a duel that ends after `turns` guesses (None for no limit) against the oracle."""
    advice = DuelSearch(Duel(game.start, turns_left=turns), rival).best()
    expected = margin(game, rival, 99 if turns is None else turns)
    assert float((advice.win - advice.lose) * sum(game.weights)) == pytest.approx(float(expected)), seed


def check_random_duels(seeds: range) -> None:
    for seed in seeds:
        game = random_game(seed)
        rule = (GuessRule.CONSISTENT, GuessRule.ANY, GuessRule.HARD)[seed % 3]
        uniform = seed % 2 == 0
        secrets = dict.fromkeys(game.secrets, 1) if uniform else dict(zip(game.secrets, game.weights, strict=True))
        kind = MARKS if rule is GuessRule.HARD else random.Random(seed).choice([*ANSWER_KINDS.values()])
        game = Game(secrets, game.guesses, kind, rule)
        rival = random.Random(seed).choice([*Rival])
        turns = (None, 1, 2, 3, 4)[seed % 5]
        check_margin(game, rival, turns, seed)


def test_values_of_random_duels_equal_those_of_the_oracle():
    check_random_duels(range(150))


@pytest.mark.exhaustive
def test_values_of_1000_random_duels_equal_those_of_the_oracle():
    check_random_duels(range(150, 1150))


def test_model_optimal_prefers_candidates_then_the_first_guess():
    later = 0
    for seed in range(200):
        given = random_game(seed)
        secrets = dict(zip(given.secrets, given.weights, strict=True))
        others = [guess for guess in given.guesses if guess not in secrets]
        game = Game(secrets, [*others, *secrets], given.answers)
        tables, oracle = PositionTable(game.start), Oracle(game, Rival.OPTIMAL)
        oracle.order = list(game.guesses)
        search = TableSearch(tables.table, UNLIMITED)
        count = len(tables.secrets)
        members = sorted(random.Random(seed).sample(range(count), min(count, 2 + seed % 7)))
        if len(members) < 2:
            continue
        current = search._write_set(np.array(members, dtype=np.int32))
        guess = tables.guesses[search.run(current.n, partial(first_guess_of, current))]
        candidates = frozenset(tables.secrets[member] for member in members)
        assert [guess] == oracle.model(candidates, frozenset(game.guesses)), seed
        equal = oracle.cost_after(candidates, guess, frozenset(game.guesses))
        before = game.guesses[: game.guesses.index(guess)]
        later += any(oracle.cost_after(candidates, other, frozenset(game.guesses)) == equal for other in before)
    assert later > 0


def first_guess_of(current: TableSet, problem: TableProblem) -> int:
    return int(first_best(problem, current, current.n))


def test_uncompiled_kernels_agree_with_the_oracle():
    with as_python():
        check_random_duels(range(12))


@pytest.mark.parametrize(
    ("places", "symbols", "repeats", "rule", "won"),
    [
        (2, 3, False, GuessRule.ANY, 3),
        (2, 4, False, GuessRule.ANY, 6),
        (2, 7, False, GuessRule.ANY, 21),
        (3, 4, False, GuessRule.ANY, 10),
        (3, 5, False, GuessRule.ANY, 30),
        (2, 4, True, GuessRule.ANY, 8),
        (2, 5, True, GuessRule.ANY, 13),
        (2, 10, False, GuessRule.CONSISTENT, 45),
        (3, 5, False, GuessRule.CONSISTENT, 28),
        (3, 6, False, GuessRule.CONSISTENT, 52),
        (4, 5, False, GuessRule.CONSISTENT, 62),
    ],
)
def test_secrets_that_the_first_player_wins(places: int, symbols: int, repeats: bool, rule: GuessRule, won: int):
    """An independent program gives these numbers for two perfect players."""
    digits = "0123456789"[:symbols]
    codes = product(digits, repeat=places) if repeats else permutations(digits, places)
    game = Game(list(map("".join, codes)), answers=HITS_BLOWS, guess_rule=rule)
    assert DuelSearch(Duel(game.start)).best().win == Fraction(won, len(game.secrets))


def check_rhymes(seeds: range) -> None:
    """Compare duels in hard mode, with secrets that share two or three places, with the oracle."""
    codes = list(map("".join, product("abcdefg", repeat=4)))
    for seed in seeds:
        chance = random.Random(seed)
        shared = dict(zip(chance.sample(range(4), chance.randint(2, 3)), chance.choices("abc", k=3), strict=False))
        rhymes = [code for code in codes if all(code[place] == symbol for place, symbol in shared.items())]
        secrets = chance.sample(rhymes, chance.randint(4, 7))
        weights = {secret: chance.choice((1, 1, 2, 3)) if seed % 2 else 1 for secret in secrets}
        others = [code for code in chance.sample(codes, 12) if code not in secrets]
        game, turns = Game(weights, others, MARKS, GuessRule.HARD), (None, 2, 3, 4)[seed % 4]
        for rival in Rival:
            check_margin(game, rival, turns, seed)


def test_values_in_hard_mode_equal_those_of_the_oracle():
    check_rhymes(range(4))


@pytest.mark.exhaustive
def test_values_of_100_duels_in_hard_mode_equal_those_of_the_oracle():
    check_rhymes(range(4, 104))


@pytest.mark.parametrize("rival", Rival)
def test_hard_mode_after_a_turn_is_that_of_the_oracle(rival: Rival):
    for seed in range(24):
        chance = random.Random(seed)
        codes = list(map("".join, product("abc", repeat=4)))
        chance.shuffle(codes)
        game = Game(codes[:30], codes[30:50], MARKS, GuessRule.HARD)
        first, secret = codes[chance.randrange(50)], codes[chance.randrange(30)]
        position = game.start.after(Observation(first, MARKS.answer(first, secret)))
        if first == secret or len(position.candidates) > 9:
            continue
        allowed = frozenset(guess for guess in game.guesses if uses(first, secret, guess))
        margin = Oracle(game, rival).margin(frozenset(position.candidates), allowed, 0, 99)
        advice = DuelSearch(Duel(position), rival).best()
        assert (advice.win - advice.lose) * len(position.candidates) == pytest.approx(float(margin)), seed
        assert uses(first, secret, advice.guess)


def test_hard_mode_refuses_a_turn_that_ignores_an_answer():
    duel = Duel(Game(["crane", "crate", "grate"], ["night"], guess_rule=GuessRule.HARD).start).after("crane:22202")
    with pytest.raises(CodeError, match="guess 'grate': hard mode needs 'c' at place 1"):
        duel.after("grate:02222")
    assert duel.after("crate:22222").winner == 1


def test_duel_alternates_and_ends_with_a_winner_or_a_draw():
    duel = Duel(Game(["ab", "cd", "ef"], answers=HITS_BLOWS).start, to_move=1, turns_left=2)
    duel = duel.after("ab:0H0B")
    assert (duel.to_move, duel.winner, duel.is_over) == (0, None, False)
    assert best_duel_guess(duel).draw == Fraction(1, 2)
    won = duel.after("cd:2H0B")
    assert (won.winner, won.is_over) == (0, True)
    drawn = duel.after("cd:0H0B")
    assert (drawn.winner, drawn.is_over) == (None, True)
    with pytest.raises(TurnError, match="the duel has ended in a draw"):
        drawn.after("ef:2H0B")
    with pytest.raises(TurnError, match="the duel is over"):
        best_duel_guess(drawn)


def test_large_duels_are_sampled_and_say_so():
    codes = ["".join(code) for code in permutations("0123456", 3)]
    advice = best_duel_guess(Duel(Game(codes, answers=HITS_BLOWS).start))
    assert (advice.is_exact, advice.sampled, advice.candidates) == (False, 150, 210)


def test_duel_with_a_selection_of_the_guesses_is_not_exact():
    """There are 8^8 = 16,777,216 codes, which are too many for a table of two candidates and all guesses."""
    game = Game(["01234567", "01234576"], CodeSpace(8, "01234567", repeats=True), HITS_BLOWS)
    advice = best_duel_guess(Duel(game.start))
    assert (advice.is_exact, advice.sampled) == (False, 0)


def test_figures_of_one_guess_are_those_of_the_best_if_it_is_the_best():
    game = Game(["".join(code) for code in permutations("01234", 3)], answers=HITS_BLOWS)
    search = DuelSearch(Duel(game.start), Rival.CONSISTENT)
    best = search.best()
    assert search.after(best.guess) == best


def test_stopped_search_raises():
    game = Game(["".join(code) for code in permutations("01234", 3)], answers=HITS_BLOWS)
    with pytest.raises(Stopped):
        DuelSearch(Duel(game.start), budget=Budget(states=3)).best()


def test_smaller_samples_are_used_if_the_time_is_too_short():
    """Codes without common symbols: each guess excludes one of them, so there are too many sets of candidates."""
    codes = [chr(0x4E00 + i) for i in range(60)]
    advice = best_duel_guess(Duel(Game(codes, answers=HITS_BLOWS).start), seconds=0.2)
    assert (advice.is_exact, advice.sampled, advice.candidates) == (False, 15, 60)
    with pytest.raises(Stopped):
        best_duel_guess(Duel(Game(codes, answers=HITS_BLOWS).start), budget=Budget(states=0))
