"""Weights of secrets: reading from files, saving, and their effect on probabilities, strategies and simulations."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.cli.run import run

from yomikiri.api.saved import read_game, write_game
from yomikiri.common.errors import InputError, StrategyFault
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import read_match
from yomikiri.hitblow.model.facts import parse_standard
from yomikiri.hitblow.model.game import parse_weights
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn, hint
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task
from yomikiri.hitblow.strategy.verify import verify

RULES = Rules(3, "01234")


def weights(seed: int, rules: Rules = RULES) -> dict[str, int]:
    random = Random(seed)
    return {code: random.choice((0, 1, 2, 3, 50)) for code in rules.secrets()}


def prior(seed: int) -> tuple[tuple[str, int], ...]:
    return tuple(weights(seed).items())


def test_weights_exclude_zero_codes_and_give_the_probabilities() -> None:
    known = Knowledge(RULES, "4", (Turn.parse("012:0H2B"),), prior(1))
    plain = {c: w for c, w in weights(1).items() if w and "4" not in c and str(hint("012", c)) == "0H2B"}
    assert known.codes() == [*plain]
    chances = [Fraction(weight, sum(plain.values())) for weight in plain.values()]
    assert [known.probability(code) for code in plain] == pytest.approx([*map(float, chances)])
    assert known.chances().tolist() == pytest.approx([*map(float, chances)])


def test_turns_and_saved_games_keep_the_weights() -> None:
    known = Knowledge(RULES, prior=prior(2)).after(Turn.parse("012:0H1B"))
    assert known == Knowledge(RULES, facts=known.facts, prior=prior(2))
    assert known.start.prior == known.prior
    assert read_game(write_game(known), Knowledge)[0] == known


def test_uniform_prior_equals_no_prior() -> None:
    assert Knowledge(RULES, prior=tuple((code, 7) for code in RULES.secrets())) == Knowledge(RULES)


@pytest.mark.parametrize("seed", range(3))
def test_weighted_strategy_is_verified_and_round_trips(seed: int) -> None:
    task = Task(RULES, "", tuple(map(parse_standard, ("has=1",))), prior=Knowledge(RULES, prior=prior(seed)).prior)
    strategy = solve(task).strategy
    assert strategy is not None
    assert strategy.cost.secrets == Knowledge(RULES, facts=task.facts, prior=task.prior).total
    assert read_strategy(write_strategy(strategy).encode()) == strategy
    assert verify(strategy) == strategy.cost
    document = json.loads(write_strategy(strategy))
    document["start"]["weights"] = {code: weight + 1 for code, weight in document["start"]["weights"].items()}
    with pytest.raises(StrategyFault, match="replaying every secret"):
        verify(read_strategy(json.dumps(document).encode()))


def test_weights_allow_only_the_average_objective() -> None:
    with pytest.raises(InputError, match="weights allow only the smallest average"):
        solve(Task(RULES, objective=Objective(Criterion.WORST), prior=prior(1)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("012,1\n01,2", "weights, line 2: '01' is not a code"),
        ("012,1\n\n012,2", "weights, line 3: '012' has a weight already"),
        ("012,-1", "weights, line 1: '012,-1' needs a whole number of 0 or more as its weight"),
        ("012", "weights, line 1: '012' has no comma: expected CODE,WEIGHT such as"),
        ("789,1", "weights, line 1: '7' in '789' is not a symbol"),
        ("012,0\n013,0", "the weights are all 0"),
        ("", "the weights are all 0"),
    ],
)
def test_invalid_weights_are_refused_with_their_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_weights(text, RULES)


def test_commands_take_weights_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "weights.csv"
    file.write_text("".join(f"{code},{weight}\n" for code, weight in prior(4)))
    options = ("--symbols", "01234", "--weights", str(file))
    solved = json.loads(run("hitblow", "solve", *options, "--json").stdout)
    known = Knowledge(RULES, prior=prior(4))
    assert (solved["secrets"], solved["proof"]) == (known.total, "optimal")
    suggested = json.loads(run("hitblow", "suggest", *options, "--json").stdout)
    assert suggested["total_guesses"] == solved["total_guesses"]
    assert (suggested["count"], suggested["secrets"]) == (known.count, known.total)
    listed = json.loads(run("hitblow", "candidates", *options, "--json").stdout)
    assert sum(each["probability"] for each in listed["candidates"]) == pytest.approx(1)
    assert "Candidates: " in run("hitblow", "suggest", "012:0H2B", *options).stdout


def test_simulate_counts_each_secret_by_its_weight(tmp_path: Path) -> None:
    file = tmp_path / "weights.csv"
    file.write_text("".join(f"{code},{weight}\n" for code, weight in prior(4)))
    options = ("--symbols", "01234", "--weights", str(file))
    found = [0] * 9
    for secret, weight in weights(4).items():
        if weight:
            known, guesses = Knowledge(RULES, prior=prior(4)), 0
            while not known.solved:
                guess = known.likeliest(1)[0]
                known, guesses = known.after(Turn(guess, hint(guess, secret))), guesses + 1
            found[guesses - 1] += weight
    played = json.loads(run("hitblow", "simulate", "--policy", "likely", *options, "--json").stdout)
    assert played["histogram"] == found[: len(played["histogram"])]
    least = json.loads(run("hitblow", "solve", *options, "--json").stdout)
    exact = json.loads(run("hitblow", "simulate", *options, "--json").stdout)
    assert exact["total_guesses"] == least["total_guesses"] < played["total_guesses"]


def test_match_accepts_saves_and_uses_weights(tmp_path: Path) -> None:
    file = tmp_path / "weights.csv"
    file.write_text("".join(f"{code},{weight}\n" for code, weight in prior(4)))
    options = ("--symbols", "01234", "--weights", str(file), "--json")
    found = json.loads(run("hitblow", "match", "me=012:0H2B", "they=012:0H2B", *options).stdout)
    assert (found["basis"], found.get("unread")) == ("pace", None)
    match = replace(read_match("symbols=01234 me=012:0H2B they=012:0H2B"), prior=prior(4))
    assert found["count"] == match.known(Side.ME).count
    assert read_game(write_game(match), Match)[0] == match
    assert b'"version":3' in write_game(match)
    assert MatchAssistant(match).change("secret", "140").match.prior == match.prior


def test_weights_are_refused_with_unsupported_options(tmp_path: Path) -> None:
    file = tmp_path / "weights.csv"
    file.write_text("012,3\n120,1\n")
    for arguments, said in (
        (("race",), "a public race cannot be solved with weights"),
        (("race", "--information", "unseen", "--reveals", "first"), "depends on which symbols a player reveals"),
        (("play", "--keeper", "adversary"), "--weights has no effect with --keeper adversary"),
        (("simulate", "--strategy", "x"), "--weights has no effect with --strategy"),
        (("suggest", "--absent", "12"), "the weights are all 0"),
        (("match", "--absent", "12"), "the weights are all 0"),
    ):
        refused = run("hitblow", *arguments, "--weights", str(file))
        assert (refused.exit_code, said in refused.stderr) == (2, True), refused.stderr
    valued = run("hitblow", "race", "--information", "unseen", "--weights", str(file), "--json")
    # Guessing the likelier of two codes first succeeds with probability 3/4.
    assert json.loads(valued.stdout)["exact"] == "13/16"


def test_play_draws_the_secret_by_weight(tmp_path: Path) -> None:
    file = tmp_path / "weights.csv"
    file.write_text("012,1\n345,99999\n678,0\n")
    for seed in range(3):
        played = run("hitblow", "play", "--weights", str(file), "--seed", str(seed), given=b"345\n")
        assert "Found in 1 guess" in played.stdout or "1" in played.stdout.splitlines()[-1]
        assert "Weighted secrets: 2, the likeliest 345" in played.stdout


def test_equal_remaining_weights_give_the_uniform_guess() -> None:
    prior = tuple((code, 6 if code[0] == "3" else 1) for code in Rules().secrets())
    known = Knowledge.parse("301:0H1B").facts
    even, left = Knowledge(facts=known), Knowledge(facts=known, prior=prior)
    assert left.simplified == even
    assert Exact().compare(left) == Exact().compare(even)
    assert Knowledge(prior=prior).simplified == Knowledge(prior=prior)
    some = Knowledge(facts=known, prior=tuple(each for each in prior if each[0] != "024"))
    assert (some.simplified, some.count) == (some, even.count - 1)
