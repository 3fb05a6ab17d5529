"""Questions that cost no guess: the search against a recursion that tries everything, and known totals."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from functools import cache, partial
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
import pytest
from tests.examples import before_release
from tests.reference.guessing import uses

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import ContradictionError, InputError
from yomikiri.guessing.advice import compare_questions
from yomikiri.guessing.answers import HITS_BLOWS, MARKS
from yomikiri.guessing.free_questions import FreeQuestion, QuestionSearch
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule

Set = frozenset[int]
Codes = frozenset[str]
Groups = frozenset[Hashable]


class TableGame(NamedTuple):
    """A game as a table: the answer of secret s to guess g is `columns[g][s]`, and the largest answer is the win."""

    columns: list[list[int]]
    weights: list[int]
    questions: list[FreeQuestion]
    takes_turn: bool


class Oracle:
    """The least costs of a game by every guess and every question, without any bound."""

    def __init__(self, game: TableGame) -> None:
        self.game, self.win = game, max(map(max, game.columns))
        self.turn, self.guess_first = cache(self._turn), cache(self._guess_first)

    def weight(self, secrets: Set) -> int:
        return sum(self.game.weights[secret] for secret in secrets)

    def parts(self, secrets: Set, answers: Sequence[int]) -> dict[int, Set]:
        found = {answers[secret] for secret in secrets}
        return {answer: frozenset(s for s in secrets if answers[s] == answer) for answer in found}

    def _turn(self, secrets: Set, groups: Groups) -> int:
        divide = [each for each in self.game.questions if len(self.parts(secrets, each.answers)) > 1]
        costs = [self.question_first(secrets, groups, each) for each in divide if each.group in groups]
        return min([self.guess_first(secrets, groups), *costs])

    def question_first(self, secrets: Set, groups: Groups, question: FreeQuestion) -> int:
        parts, rest = self.parts(secrets, question.answers).values(), groups - {question.group}
        if self.game.takes_turn:
            return self.weight(secrets) + sum(self.turn(part, rest) for part in parts)
        return sum(self.guess_first(part, rest) for part in parts)

    def _guess_first(self, secrets: Set, groups: Groups) -> int:
        return min(self.after(secrets, groups, column) for column in self.game.columns)

    def after(self, secrets: Set, groups: Groups, column: Sequence[int]) -> int:
        """Return the least cost with this guess first. A guess that cannot change anything is not allowed."""
        cells = self.parts(secrets, column)
        if len(cells) == 1 and self.win not in cells:
            return 1 << 60
        cells.pop(self.win, None)
        return self.weight(secrets) + sum(self.turn(cell, groups) for cell in cells.values())


def answer_columns(chance: random.Random, secrets: int) -> list[list[int]]:
    """Return the answers of all secrets to some guesses; guess k < `secrets` names secret k."""
    guesses = secrets + chance.randint(0, 4)
    if chance.random() < 0.3:
        kinds = chance.randint(1, 4)
        return [[chance.randrange(kinds) for _ in range(secrets)] for _ in range(guesses)]
    codes = chance.sample([*product("abcd", repeat=3)], guesses)
    with_blows = chance.random() < 0.6

    def answer(guess: Sequence[str], secret: Sequence[str]) -> int:
        hits = sum(map(str.__eq__, guess, secret))
        return 4 * hits + sum(min(guess.count(each), secret.count(each)) for each in {*guess}) * with_blows

    return [[answer(guess, secret) for secret in codes[:secrets]] for guess in codes]


def table_game(seed: int) -> tuple[TableGame, list[int]]:
    """Return a random game, and for each secret the guess that names it."""
    chance = random.Random(seed)
    secrets = chance.randint(1, 8)
    columns = answer_columns(chance, secrets)
    for secret in range(secrets):
        columns[secret][secret] = 99
    order = chance.sample(range(len(columns)), len(columns))
    weights = [chance.choice((1, 1, 2, 5, 8)) if seed % 2 else 1 for _ in range(secrets)]
    questions = []
    for group in range(chance.randint(0, 3)):
        for _choice in range(chance.choice((1, 1, 3))):
            kinds = chance.randint(1, 4)
            questions.append(FreeQuestion(tuple(chance.randrange(kinds) for _ in range(secrets)), group))
    columns = [columns[guess] for guess in order]
    game = TableGame(columns, sorted(weights, reverse=True), questions, takes_turn=chance.random() < 0.4)
    return game, [order.index(secret) for secret in range(secrets)]


@pytest.mark.slow
def test_random_games_have_the_costs_of_the_oracle():
    for seed in range(2000 if before_release() else 600):
        game, own = table_game(seed)
        table, oracle = np.array(game.columns, dtype=np.uint8).T, Oracle(game)
        search = QuestionSearch(table, np.array(own), game.weights, game.questions, takes_turn=game.takes_turn)
        everything, groups = frozenset(range(len(own))), frozenset(question.group for question in game.questions)
        cost, guess = search.best_guess()
        assert cost == oracle.guess_first(everything, groups), seed
        assert cost == oracle.after(everything, groups, game.columns[guess]), seed
        costs = [search.cost_after(k) for k in range(len(game.questions))]
        assert costs == [oracle.question_first(everything, groups, each) for each in game.questions], seed


class HardOracle:
    """The least costs of a game in hard mode by every question and every guess that is still allowed."""

    def __init__(self, game: Game, questions: Sequence[FreeQuestion], *, takes_turn: bool) -> None:
        self.game, self.questions, self.takes_turn = game, questions, takes_turn
        self.turn, self.guess_first = cache(self._turn), cache(self._guess_first)

    def question_first(self, secrets: Codes, allowed: Codes, groups: Groups, question: FreeQuestion) -> int:
        numbers = {secret: question.answers[self.game.secrets.index(secret)] for secret in secrets}
        parts = [frozenset(s for s in secrets if numbers[s] == answer) for answer in set(numbers.values())]
        rest = groups - {question.group}
        if self.takes_turn:
            return len(secrets) + sum(self.turn(part, allowed, rest) for part in parts)
        return sum(self.guess_first(part, allowed, rest) for part in parts)

    def _turn(self, secrets: Codes, allowed: Codes, groups: Groups) -> int:
        useful = [each for each in self.questions if each.group in groups and self.divides(secrets, each)]
        costs = [self.question_first(secrets, allowed, groups, each) for each in useful]
        return min([self.guess_first(secrets, allowed, groups), *costs])

    def divides(self, secrets: Codes, question: FreeQuestion) -> bool:
        return len({question.answers[self.game.secrets.index(secret)] for secret in secrets}) > 1

    def _guess_first(self, secrets: Codes, allowed: Codes, groups: Groups) -> int:
        return min(self.after(secrets, guess, allowed, groups) for guess in allowed)

    def after(self, secrets: Codes, guess: str, allowed: Codes, groups: Groups) -> int:
        """Return the least cost with this guess first. A guess that cannot change anything is excluded."""
        answers = {secret: MARKS.answer(guess, secret) for secret in secrets - {guess}}
        cells = [frozenset(s for s in answers if answers[s] == answer) for answer in set(answers.values())]
        if secrets in cells:
            return 1 << 60
        later = (frozenset(each for each in allowed if uses(guess, min(cell), each)) for cell in cells)
        return len(secrets) + sum(map(partial(self.turn, groups=groups), cells, later))


def test_hard_mode_has_the_costs_of_the_oracle():
    """A guess that marks a shared symbol keeps out the guesses without it, so that the costs may change."""
    changed = 0
    for seed in range(24):
        chance = random.Random(seed)
        secrets = [symbol + "abc" for symbol in chance.sample("defghijk", chance.randint(6, 8))]
        pairs = [[*chance.sample("defghijk", 2), *chance.sample("abc", 2)] for _ in range(8)]
        others = dict.fromkeys("".join(chance.sample(pair, 4)) for pair in pairs)
        game = Game(secrets, others, guess_rule=GuessRule.HARD)
        questions = [FreeQuestion(tuple(chance.choices((0, 1), k=len(secrets))), group) for group in range(seed % 3)]
        takes_turn = seed % 2 == 1
        found = compare_questions(game.start, questions, takes_turn=takes_turn)
        oracle, groups = HardOracle(game, questions, takes_turn=takes_turn), frozenset(range(len(questions)))
        start = frozenset(game.secrets), frozenset(game.guesses), groups
        assert found.without == oracle.guess_first(*start), seed
        assert found.without == oracle.after(frozenset(game.secrets), found.guess, frozenset(game.guesses), groups)
        assert found.costs == tuple(oracle.question_first(*start, each) for each in questions), seed
        changed += found != compare_questions(Game(secrets, others).start, questions, takes_turn=takes_turn)
    assert changed > 2


def two_of_seven() -> tuple[Game, FreeQuestion, FreeQuestion]:
    """Return the game with 2 different digits of 7, HIGH&LOW and SLASH."""
    game = Game(map("".join, permutations("0123456", 2)), answers=HITS_BLOWS)
    high = FreeQuestion.of(lambda code: (code[0] >= "5", code[1] >= "5"), game.secrets, "high")
    return game, high, FreeQuestion.of(lambda code: abs(int(code[0]) - int(code[1])), game.secrets, "slash")


def test_items_of_numeron_save_almost_half_of_the_guesses():
    game, high, slash = two_of_seven()
    found = compare_questions(game.start, [high, slash])
    assert min(found.without, *found.costs) == 85
    assert found.best == 1
    assert compare_questions(game.start, []).without == 161
    assert compare_questions(game.start, []).best is None


PAIRS = [*map("".join, permutations("0123", 2))]


@pytest.mark.parametrize(
    ("secrets", "total"),
    [
        (dict.fromkeys(PAIRS, 1), 30),
        (dict.fromkeys(PAIRS, 1) | {"01": 8}, 37),
        (dict.fromkeys(map("".join, permutations("01234", 3)), 1), 196),
        (dict.fromkeys(map("".join, product("012", repeat=3)), 1), 73),
    ],
)
def test_games_without_questions_have_their_known_totals(secrets: dict[str, int], total: int):
    assert compare_questions(Game(secrets, answers=HITS_BLOWS).start, []).without == total


def test_only_candidates_are_guessed_in_consistent_play():
    found = []
    for rule in (GuessRule.ANY, GuessRule.CONSISTENT):
        game = Game(["aaa", "aab", "aac", "aad"], ["bcd"], guess_rule=rule)
        costs = compare_questions(game.start, [])
        found.append((costs.guess, costs.without))
    # Only the word bcd has four different answers.
    assert found == [("bcd", 8), ("aaa", 10)]


def test_positions_have_questions_about_their_candidates():
    game, _high, _slash = two_of_seven()
    position = game.start.after("01:0H1B")
    first = FreeQuestion.of(lambda code: code[0], position.candidates, "first digit")
    last = FreeQuestion.of(lambda code: code[1], position.candidates, "last digit")
    found = compare_questions(position, [first, last])
    # Either digit divides the ten candidates into a cell of five and five cells of one.
    assert len(position.candidates) == 10
    assert found.costs[0] == found.costs[1] < found.without


def test_question_for_each_secret_is_only_worth_its_own_turn():
    game = Game(["aaa", "bbb", "ccc", "ddd"], answers=MARKS)
    which = FreeQuestion.of(str, game.secrets, "which")
    # If the question takes no turn, the secret is found at the first guess, otherwise at the second.
    assert compare_questions(game.start, [which]).costs == (4,)
    assert compare_questions(game.start, [which], takes_turn=True).costs == (8,)


def test_invalid_questions_are_refused():
    words = ["crane", "crate", "grate"]
    question = FreeQuestion((0, 1), "vowels")
    with pytest.raises(InputError, match=r"'vowels': expected one answer for each candidate \(3\), not 2"):
        compare_questions(Game(words).start, [question])
    with pytest.raises(InputError, match="5040 candidates are too many for free questions"):
        compare_questions(Game(map("".join, permutations("0123456789", 4)), answers=HITS_BLOWS).start, [])
    with pytest.raises(ContradictionError):
        compare_questions(Game(words).start.after("crane:00000"), [])


def test_search_stops_when_its_budget_is_spent():
    game, high, slash = two_of_seven()
    with pytest.raises(Stopped):
        compare_questions(game.start, [high, slash], Budget(states=5))
