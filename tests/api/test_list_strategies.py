"""Strategy files for lists of codes: any relevant change of a file is rejected, and the error names its place.

Also tests `guessing/strategy.py`: the verifier that this module calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from typing import Any, get_args, get_type_hints

import pytest

from yomikiri.api.list_strategies import verified_strategy, write_list_strategy
from yomikiri.api.results_guessing import ListStrategyFile
from yomikiri.common.errors import InputError, StrategyFault
from yomikiri.guessing.advice import solve
from yomikiri.guessing.answers import ANSWER_KINDS, HITS, HITS_BLOWS, MARKS, SUM
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.one_step import likeliest
from yomikiri.guessing.policies import simulate
from yomikiri.guessing.results import SolvedGame
from yomikiri.guessing.strategy import DecisionNode, replay, verify

WORDS = ["brake", "crane", "crate", "drake", "flake", "grade", "grape", "grate", "spice", "trace"]
OTHERS = ["night", "lumpy"]
SECRETS = dict.fromkeys(WORDS, 1)
START = Game(WORDS, OTHERS).start
FILE = write_list_strategy(START, solve(START))


def read(text: str) -> tuple[Position, Any]:
    return verified_strategy(text.encode(), SECRETS, OTHERS)


POSITIONS = {
    "plain": START,
    "hard": Game(WORDS, OTHERS, guess_rule=GuessRule.HARD, guess_limit=5).start,
    "consistent": Game(WORDS, OTHERS, SUM, GuessRule.CONSISTENT).start,
    "hits": Game(WORDS, OTHERS, HITS).start,
    "after turns": START.after("trace:02202"),
    "weights": Game({word: 2 + at for at, word in enumerate(WORDS)}, OTHERS).start,
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_written_strategy_is_read_and_verified(position: Position):
    solved = solve(position)
    secrets = dict(zip(position.game.secrets, position.game.weights, strict=True))
    found, read_again = verified_strategy(write_list_strategy(position, solved).encode(), secrets, OTHERS)
    assert found == position
    assert read_again == solved


def test_order_of_the_lists_and_a_common_factor_of_the_weights_do_not_matter():
    turned = dict.fromkeys(reversed(WORDS), 4)
    assert verified_strategy(FILE.encode(), turned, OTHERS[::-1])[1] == solve(START)


def first_leaf(node: dict[str, Any]) -> dict[str, Any]:
    while node["on"]:
        node = next(iter(node["on"].values()))
    return node


def rename_first_leaf(file: dict[str, Any]) -> None:
    first_leaf(file["tree"])["guess"] = "zzzzz"


def drop_a_branch(file: dict[str, Any]) -> None:
    file["tree"]["on"].popitem()


def add_a_branch(file: dict[str, Any]) -> None:
    file["tree"]["on"]["22222"] = {"guess": "crane", "on": {}}


def write_in_capitals(file: dict[str, Any]) -> None:
    file["tree"]["guess"] = file["tree"]["guess"].upper()


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "first guess": (lambda file: file["tree"].update(guess="xx"), "at xx: 'xx' has 2 symbols"),
    "unknown guess": (rename_first_leaf, r"at \w+ [012]+ .*zzzzz: guess 'zzzzz': expected a code from the list"),
    "capitals": (write_in_capitals, "write the guess as '[a-z]+'"),
    "missing branch": (drop_a_branch, r"at \w+: no branch for the answer [012]+, which the secret \w+ gives"),
    "branch after the win": (add_a_branch, r"at \w+: branch '22222': expected one branch for each of the answers"),
    "total": (lambda file: file.update(total=21), "at total: 21: the tree gives 22"),
    "histogram": (lambda file: file.update(histogram=[9, 1]), r"at histogram: \[9, 1\]: the tree gives \[1, 6, 3\]"),
    "bound": (lambda file: file.update(bound=23), "at bound: 23: expected at most the total of the tree, 22"),
    "limit": (lambda file: file.update(within=2), r"at \w+( [012]+ \w+){2}: this guess comes after the limit of 2"),
    "turn": (lambda file: file.update(turns=["crane:9"]), "at turns: answer '9': '9' is not a mark"),
    "turn without secret": (lambda file: file.update(turns=["night:22222"]), "at turns: no secret fits"),
    "kind of answers": (lambda file: file.update(answers="colours"), 'at answers: "colours": expected "hits-blows", "'),
    "other kind": (lambda file: file.update(answers="sum"), "branch '[012]+': expected one branch for each of"),
    "rule": (lambda file: file.update(answers="sum", guess_rule="hard"), "at guess_rule: hard mode: needs marks"),
    "no tree": (lambda file: file.pop("tree"), "at file: 'tree' is missing"),
    "unknown key": (lambda file: file.update(more=1), "at file: unknown key 'more': expected one of format, version"),
    "format": (lambda file: file.update(format="yomikiri-strategy"), 'at format: "yomikiri-strategy": expected "yomik'),
    "secrets": (lambda file: file["secrets"].update(count=9), "at secrets: the file is for a list of 9 codes, and the"),
    "guesses": (lambda file: file["guesses"].update(sha256="0" * 64), "at guesses: the file is for another list of 12"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_wrong_file_is_refused_with_the_place_of_the_fault(change: str):
    file = json.loads(FILE)
    CHANGES[change][0](file)
    with pytest.raises(StrategyFault, match=CHANGES[change][1]):
        read(json.dumps(file))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1, column 1 is not JSON"),
        (b"{", "line 1, column 2 is not JSON"),
        (b"[]", r"at file: \[\.\.\.\] is not an object"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b'{"a":' * 5000, "line 1, column 4001 is nested too deeply"),
        (FILE.encode()[:-9], "line 12, column [0-9]+ is not JSON"),
        (FILE.replace('"total"', '"bound"').encode(), "at file: 'bound' appears twice"),
        (FILE.replace('"total": 22', '"total": 22.0').encode(), "at total: 22.0: expected a non-negative integer"),
    ],
)
def test_text_that_is_no_file_is_refused_with_its_place(data: bytes, message: str):
    with pytest.raises(StrategyFault, match=message):
        verified_strategy(data, SECRETS, OTHERS)


def test_strategy_of_many_guesses_in_a_row_is_read():
    """No two codes share a symbol, so each guess excludes itself only."""
    codes = [chr(0x4E00 + number) for number in range(64)]
    start = Game(codes, answers=HITS).start
    node = DecisionNode(codes[-1])
    for code in reversed(codes[:-1]):
        node = DecisionNode(code, (("0", node),))
    solved = SolvedGame(codes[0], node, verify(node, start), 64)
    again = verified_strategy(write_list_strategy(start, solved).encode(), dict.fromkeys(codes, 1), [])
    assert again == (start, solved)


def test_file_for_other_weights_is_refused():
    with pytest.raises(StrategyFault, match="at secrets: the file is for another list of 10 codes"):
        verified_strategy(FILE.encode(), SECRETS | {"crane": 2}, OTHERS)
    with pytest.raises(InputError, match="the list of secrets is empty"):
        verified_strategy(FILE.encode(), {}, [])


def test_guess_that_the_rule_forbids_is_refused():
    game = Game(["ab", "ac", "bc"], ["zz"], MARKS, GuessRule.CONSISTENT)
    asks = DecisionNode("zz", (("00", DecisionNode("ab")),))
    with pytest.raises(StrategyFault, match="at zz: guess 'zz': it cannot be the secret"):
        verify(asks, game.start)


def test_two_branches_for_one_answer_are_refused():
    game = Game(["ab", "ac"])
    leaf = DecisionNode("ac")
    with pytest.raises(StrategyFault, match="at ab: branch '20': expected one branch for each of the answers 20"):
        verify(DecisionNode("ab", (("20", leaf), ("20", leaf))), game.start)


def test_verifier_counts_as_the_replay_and_the_simulation_do():
    codes = Game(["".join(code) for code in permutations("01234", 3)], answers=HITS_BLOWS).start

    def grown(position: Position) -> DecisionNode:
        guess = likeliest(position)
        cells = position.split(guess)
        cells.pop("3H0B")
        return DecisionNode(guess, tuple((answer, grown(cell)) for answer, cell in cells.items()))

    strategy = grown(codes)
    assert verify(strategy, codes) == replay(strategy, codes) == simulate(likeliest, codes).histogram


def test_files_name_every_kind_of_answers():
    kinds = get_type_hints(ListStrategyFile)["answers"]
    assert set(get_args(kinds)) == set(ANSWER_KINDS)
