"""Duels for one secret, against a slow oracle and totals that an independent program has computed.

Also tests `guessing/duel_search.py` and `guessing/kernels/duel.py`: their values.
"""

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import inf, log2

import pytest
from tests.guessing.test_position_search import random_game

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import TurnError
from yomikiri.guessing.answers import HITS_BLOWS, KINDS
from yomikiri.guessing.duel import Duel, Rival
from yomikiri.guessing.duel_search import DuelSearch, best_duel_guess
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.machine.kernel import as_python


def least_entropy(game: Game, secrets: frozenset[str]) -> str:
    """Return the guess of the model `entropy`: of equal ones a candidate, then a secret, then the first."""
    order = [*game.secrets, *game.guesses]

    def key(guess: str) -> tuple[float, bool, int]:
        sizes: dict[str, int] = {}
        for secret in secrets:
            answer = game.answers.answer(guess, secret)
            sizes[answer] = sizes.get(answer, 0) + 1
        return round(sum(n * log2(n) for n in sizes.values()), 6), guess not in secrets, order.index(guess)

    return min(secrets if game.guess_rule is GuessRule.CONSISTENT else game.guesses, key=key)


def fewest_guesses(game: Game) -> Callable[[frozenset[str]], str]:
    """Return the model `optimal`: the guess of a set with the least cost, found by trying every strategy.

    Of equal ones it is a candidate, then a secret, then the first.
    """
    weights = dict(zip(game.secrets, game.weights, strict=True))
    order = [*game.secrets, *game.guesses]

    def after(secrets: frozenset[str], guess: str) -> float:
        cells: dict[str, set[str]] = {}
        for secret in secrets - {guess}:
            cells.setdefault(game.answers.answer(guess, secret), set()).add(secret)
        if secrets in cells.values():  # the guess changes nothing
            return inf
        return sum(map(weights.__getitem__, secrets)) + sum(cost(frozenset(cell)) for cell in cells.values())

    @cache
    def cost(secrets: frozenset[str]) -> float:
        return min(after(secrets, guess) for guess in allowed(secrets))

    def allowed(secrets: frozenset[str]) -> Iterable[str]:
        return secrets if game.guess_rule is GuessRule.CONSISTENT else game.guesses

    def model(secrets: frozenset[str]) -> str:
        return min(
            allowed(secrets), key=lambda guess: (after(secrets, guess), guess not in secrets, order.index(guess))
        )

    return model


def margin(game: Game, rival: Rival, turns: int) -> Fraction:
    """Return the expected weight that the side to move finds, less that of the other, by trying every guess."""
    weights = dict(zip(game.secrets, game.weights, strict=True))
    optimal = fewest_guesses(game)

    def after(secrets: frozenset[str], guess: str, mover: int, left: int) -> Fraction:
        cells: dict[str, set[str]] = {}
        for secret in secrets - {guess}:
            cells.setdefault(game.answers.answer(guess, secret), set()).add(secret)
        found = Fraction(weights[guess] if guess in secrets else 0)
        return found - sum(value(frozenset(cell), 1 - mover, left - 1) for cell in cells.values())

    @cache
    def value(secrets: frozenset[str], mover: int, left: int) -> Fraction:
        if not left:
            return Fraction(0)
        if mover == 1 and rival is Rival.CONSISTENT:
            return sum((after(secrets, guess, mover, left) for guess in secrets), Fraction(0)) / len(secrets)
        if mover == 1 and rival is Rival.ENTROPY:
            return after(secrets, least_entropy(game, secrets), mover, left)
        if mover == 1 and rival is Rival.OPTIMAL:
            return after(secrets, optimal(secrets), mover, left)
        allowed = secrets if game.guess_rule is GuessRule.CONSISTENT else game.guesses
        useful = [
            guess
            for guess in allowed
            if guess in secrets or len({game.answers.answer(guess, secret) for secret in secrets}) > 1
        ]
        return max(after(secrets, guess, mover, left) for guess in useful)

    return value(frozenset(game.secrets), 0, turns)


def check_random_duels(seeds: range) -> None:
    for seed in seeds:
        game = random_game(seed)
        rule = GuessRule.CONSISTENT if seed % 3 == 0 else GuessRule.ANY
        uniform = seed % 2 == 0
        secrets = dict.fromkeys(game.secrets, 1) if uniform else dict(zip(game.secrets, game.weights, strict=True))
        game = Game(secrets, game.guesses, random.Random(seed).choice([*KINDS.values()]), rule)
        rival = random.Random(seed).choice([*Rival])
        turns = (None, 1, 2, 3, 4)[seed % 5]
        advice = DuelSearch(Duel(game.start, turns_left=turns), rival).best()
        expected = margin(game, rival, 99 if turns is None else turns)
        assert float((advice.win - advice.lose) * sum(game.weights)) == pytest.approx(float(expected)), seed


def test_values_of_random_duels_equal_those_of_the_oracle():
    check_random_duels(range(150))


@pytest.mark.exhaustive
def test_values_of_1000_random_duels_equal_those_of_the_oracle():
    check_random_duels(range(150, 1150))


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
