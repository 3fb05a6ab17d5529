"""Policies for lists of codes, compared with slow programs that use only the rules.

Also tests `guessing/one_step.py`: the policies that do not search.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import log2

import pytest

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import CodeError, ContradictionError, InputError
from yomikiri.guessing.advice import solve
from yomikiri.guessing.answers import HITS, HITS_BLOWS, MARKS, SUM, AnswerKind
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.one_step import likeliest
from yomikiri.guessing.policies import PolicyName, policy_named, quick_solution, simulate
from yomikiri.guessing.strategy import replay

WORDS = ["brake", "crane", "crate", "drake", "flake", "grade", "grape", "grate", "spice", "trace"]
OTHERS = ["night", "lumpy", "brick", "gourd"]
CODES = ["".join(code) for code in permutations("01234", 3)]

GAMES = {
    "marks": Game(WORDS, OTHERS),
    "sum": Game(WORDS, OTHERS, SUM),
    "hits": Game(WORDS, OTHERS, HITS),
    "hits and blows": Game(CODES, answers=HITS_BLOWS),
    "weights": Game({word: 1 + 3 * (at % 3) for at, word in enumerate(WORDS)}, OTHERS),
    "hard": Game(WORDS, OTHERS, guess_rule=GuessRule.HARD),
    "consistent": Game(CODES, (), HITS_BLOWS, GuessRule.CONSISTENT),
}
EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def naive_guess(position: Position, name: PolicyName) -> str:
    """Return the guess of a policy by its definition, from the answers of all secrets to all guesses."""
    game = position.game
    weights = dict(zip(position.candidates, position.weights, strict=True))
    by_weight = sorted(weights, key=lambda code: -weights[code])
    if len(weights) <= 2 or position.guesses_left == 1 or name is PolicyName.CONSISTENT:
        return by_weight[0]
    best = None
    for guess in [*by_weight, *(guess for guess in game.guesses if guess not in weights)]:
        if not position.allows(guess):
            continue
        parts = Counter[str]()
        for code, weight in weights.items():
            parts[game.answers.answer(guess, code)] += weight
        total = sum(parts.values())
        information = -sum(part / total * log2(part / total) for part in parts.values())
        rating = -information if name is PolicyName.ENTROPY else max(parts.values())
        if best is None or rating < best[0] - 1e-9:
            best = (rating, guess)
    assert best
    return best[1]


def naive_counts(game: Game, name: PolicyName) -> Counter[int]:
    """Return the weight of the secrets by their number of guesses, each secret played alone; 0 if not found."""
    found = Counter[int]()
    guesses: dict[Position, str] = {}
    for secret, weight in zip(game.secrets, game.weights, strict=True):
        position = game.start
        while not position.is_solved and position.guesses_left != 0:
            if position not in guesses:
                guesses[position] = naive_guess(position, name)
            guess = guesses[position]
            position = position.after(f"{guess}:{game.answers.answer(guess, secret)}")
        found[len(position.turns) if position.is_solved else 0] += weight
    return found


@EACH_GAME
@pytest.mark.parametrize("name", [PolicyName.ENTROPY, PolicyName.MINIMAX, PolicyName.CONSISTENT])
def test_policy_finds_each_secret_as_a_naive_program_does(game: Game, name: PolicyName):
    expected = naive_counts(game, name)
    played = simulate(policy_named(name, game.start), game.start)
    assert dict(enumerate(played.histogram, start=1)) == {n: expected[n] for n in range(1, max(expected) + 1)}
    assert played.missed == 0
    assert played.secrets == len(game.secrets)


@EACH_GAME
def test_exact_policy_needs_the_total_of_the_optimal_strategy(game: Game):
    played = simulate(policy_named("exact", game.start, seconds=None), game.start)
    assert played.total == solve(game.start).total
    assert sum(played.histogram) == sum(game.weights)


@pytest.mark.parametrize("kind", [MARKS, HITS_BLOWS])
def test_secrets_beyond_the_limit_of_guesses_are_missed(kind: AnswerKind):
    game = Game(WORDS, OTHERS, kind, guess_limit=2)
    for name in (PolicyName.ENTROPY, PolicyName.MINIMAX, PolicyName.CONSISTENT):
        expected = naive_counts(game, name)
        played = simulate(policy_named(name, game.start), game.start)
        assert played.missed == expected[0] > 0
        assert played.histogram == (expected[1], expected[2])
    played = simulate(policy_named("exact", game.start), game.start)
    assert played.missed + sum(played.histogram) == len(WORDS)


def test_exact_policy_finds_every_secret_within_a_limit_that_is_enough():
    most = len(replay(solve(GAMES["marks"].start).strategy, GAMES["marks"].start))
    game = Game(WORDS, OTHERS, guess_limit=most)
    assert simulate(policy_named("exact", game.start), game.start).missed == 0


def test_simulation_of_some_secrets_counts_only_these():
    start, entropy = GAMES["marks"].start, policy_named("entropy", GAMES["marks"].start)
    alone = [simulate(entropy, start, secrets=[word]) for word in WORDS]
    assert all(played.secrets == 1 for played in alone)
    assert sum(played.total for played in alone) == simulate(entropy, start).total
    assert simulate(entropy, start, secrets=["CRANE", "crane"]).secrets == 1
    with pytest.raises(CodeError, match="secret 'night': expected a candidate"):
        simulate(entropy, start, secrets=["night"])


def test_simulation_after_turns_counts_the_guesses_from_there():
    start = GAMES["marks"].start.after("trace:02202")
    played = simulate(policy_named("exact", start), start)
    assert played.secrets == len(start.candidates) == 4
    assert played.total == solve(start).total


def test_simulation_plays_each_position_once():
    seen: list[Position] = []

    def policy(position: Position) -> str:
        seen.append(position)
        return likeliest(position)

    simulate(policy, GAMES["hits and blows"].start)
    assert len(seen) == len(set(seen)) <= len(CODES)


def test_policy_that_may_never_end_is_refused():
    with pytest.raises(InputError, match="the policy guesses lumpy again"):
        simulate(lambda _position: "lumpy", Game(["night", "trace"], ["lumpy"]).start)
    with pytest.raises(CodeError, match="'xxxxx'"):
        simulate(lambda _position: "xxxxx", GAMES["marks"].start)
    with pytest.raises(CodeError, match="hard mode needs"):
        simulate(lambda position: "lumpy" if position.turns else "crane", GAMES["hard"].start)


def test_stopped_simulation_returns_the_secrets_that_are_done():
    start = GAMES["hits and blows"].start
    with pytest.raises(Stopped) as stopped:
        simulate(likeliest, start, Budget(states=10))
    played = stopped.value.best
    assert 0 < played.secrets == sum(played.histogram) < len(CODES)
    with pytest.raises(Stopped) as stopped:
        simulate(likeliest, start, Budget(states=0))
    assert stopped.value.best.average is None


def test_stopped_simulation_is_a_random_sample():
    """The mean of simulations that stop early is near that of the whole one, so the order of the secrets is fair."""
    start = Game(["".join(code) for code in permutations("0123456", 3)], answers=HITS_BLOWS).start
    whole = simulate(likeliest, start).average
    assert whole is not None
    means = []
    for states in (20, 30, 40, 50, 60):
        with pytest.raises(Stopped) as stopped:
            simulate(likeliest, start, Budget(states=states))
        means.append(stopped.value.best.average)
    assert sum(means) / len(means) == pytest.approx(float(whole), rel=0.05)


def test_policies_reject_unknown_names_and_contradictions():
    with pytest.raises(InputError, match="policy 'best' with lists of codes: expected one of exact, entropy"):
        policy_named("best", GAMES["marks"].start)
    wrong = GAMES["marks"].start.after("crane:00000").after("trace:00000").after("spice:00000")
    with pytest.raises(ContradictionError):
        simulate(likeliest, wrong)
    with pytest.raises(ContradictionError):
        policy_named("entropy", wrong)


@pytest.mark.parametrize("name", ["entropy", "minimax"])
def test_large_positions_are_rated_as_small_ones(name: str, monkeypatch: pytest.MonkeyPatch):
    start = GAMES["weights"].start
    usual = simulate(policy_named(name, start), start)
    monkeypatch.setattr("yomikiri.guessing.one_step._PAIRWISE", 0)
    monkeypatch.setattr("yomikiri.guessing.one_step._CHUNK", 1)
    assert simulate(policy_named(name, start), start) == usual


@pytest.mark.parametrize("name", [PolicyName.ENTROPY, PolicyName.MINIMAX])
def test_hard_mode_excludes_the_guess_that_divides_most(name: PolicyName):
    rhymes, others = ["batch", "catch", "hatch", "latch", "match", "patch"], ["champ", "climb"]
    free = Game(rhymes, others).start.after("batch:02222")
    hard = Game(rhymes, others, guess_rule=GuessRule.HARD).start.after("batch:02222")
    assert policy_named(name, free)(free) == naive_guess(free, name) == "champ"
    assert policy_named(name, hard.game.start)(hard) == naive_guess(hard, name) == "catch"
    last = Game(rhymes, others, guess_limit=2).start.after("batch:02222")
    assert policy_named(name, last)(last) == "catch"


def test_equivalent_guesses_tie_although_sums_are_rounded():
    start = Game(["".join(code) for code in permutations("0123456789", 3)], answers=HITS_BLOWS).start
    assert policy_named("entropy", start)(start) == "012"
    assert policy_named("minimax", start)(start) == "012"


@EACH_GAME
def test_quick_solution_is_the_strategy_of_the_policy_entropy(game: Game):
    quick = quick_solution(game.start)
    assert quick
    assert quick.histogram == simulate(policy_named("entropy", game.start), game.start).histogram
    assert quick.bound <= solve(game.start).total <= quick.total


@EACH_GAME
@pytest.mark.parametrize("at", [0, -1])
def test_quick_solution_begins_with_a_given_guess(game: Game, at: int):
    first = game.start.candidates[at] if game.guess_rule is GuessRule.CONSISTENT else game.guesses[at]
    quick = quick_solution(game.start, first)
    assert quick
    assert quick.first == quick.strategy.guess == first
    assert quick.bound <= solve(game.start, first=first).total <= quick.total


def test_quick_solution_keeps_the_limit_of_guesses():
    assert quick_solution(Game(WORDS, OTHERS, guess_limit=2).start) is None
    assert quick_solution(Game(WORDS, OTHERS, guess_limit=9).start)
