"""Mutation tests of the verifier: it rejects every corrupted strategy and names the place."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.hitblow.strategy.made import strategy_of
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.common.errors import Place, StrategyFault
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.policies.onestep import Likely
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.strategy import Cost, Criterion, Evidence, Node, Objective, Proof, Strategy, Task, cost
from yomikiri.hitblow.strategy.verify import verify
from yomikiri.wording import sentence

STARTS = [
    Knowledge(Rules(1, "abc")),
    Knowledge(Rules(2, "0123")),
    Knowledge(Rules(3, "012345")),
    Knowledge(Rules(3, "012345"), absent="4"),
    Knowledge(Rules(3, "0123456789"), "7", (Turn("012", Hint(0, 1)), Turn("345", Hint(1, 0)))),
    Knowledge(Rules(3, "0123", Repeats.GUESS)),
    Knowledge(Rules(3, "1234", Repeats.ALL)),
    pytest.param(
        Knowledge(Rules(4, "123456", Repeats.ALL), facts=(Turn("1122", Hint(1, 1)),)), marks=pytest.mark.exhaustive
    ),
]


@pytest.mark.parametrize("known", STARTS, ids=str)
def test_verify_returns_the_cost_of_a_correct_strategy(known: Knowledge):
    strategy = strategy_of(known)
    assert verify(strategy) == strategy.cost
    assert strategy.cost.secrets == known.count


# Three digits of six symbols. The first guess is 012, and 134 after 0H1B; `made.strategy_of` chooses the guesses.
CORRECT = write_strategy(strategy_of(Knowledge(Rules(3, "012345"))))


def corrupted(change: Callable[[dict[str, Any]], object]) -> str:
    """Return the strategy file after applying `change` to its document."""
    document = json.loads(CORRECT)
    change(document)
    return json.dumps(document)


def branches(document: dict[str, Any], *hints: str) -> dict[str, Any]:
    """Return the branches of the node that these hints lead to."""
    on: dict[str, Any] = document["tree"]["on"]
    for hint in hints:
        on = on[hint]["on"]
    return on


def swap(on: dict[str, Any], one: str, other: str) -> None:
    on[one], on[other] = on[other], on[one]


def rename(on: dict[str, Any], old: str, new: str) -> None:
    on[new] = on.pop(old)


def repeat_guess(node: dict[str, Any]) -> None:
    """Insert 20 guesses before a node that give no information."""
    inner = dict(node)
    for _ in range(20):
        inner = {"guess": "012", "on": {"0H1B": inner}}
    node.clear()
    node.update(inner)


MUTATIONS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a guess changed": (lambda d: branches(d)["0H1B"].update(guess="345"), "at 012 0H1B 345: "),
    "a guess with too few symbols": (lambda d: branches(d)["0H1B"].update(guess="34"), "at 012 0H1B 34: '34' is"),
    "a guess with an unknown symbol": (lambda d: branches(d)["0H1B"].update(guess="349"), "at 012 0H1B 349: '9' in"),
    "a repeated symbol": (lambda d: branches(d)["0H1B"].update(guess="344"), "at 012 0H1B 344: '4' is in '344' more"),
    "a branch dropped": (lambda d: branches(d).pop("0H1B"), "at 012: no branch for 0H1B"),
    "a deeper branch dropped": (lambda d: branches(d, "0H1B").pop("0H2B"), "at 012 0H1B 134: no branch for 0H2B"),
    "a hint renamed": (lambda d: rename(branches(d, "0H1B"), "0H2B", "0H0B"), "at 012 0H1B 134: a branch for 0H0B"),
    "an impossible hint": (lambda d: rename(branches(d), "0H1B", "2H1B"), "at 012: a branch for 2H1B"),
    "a hint in other words": (lambda d: rename(branches(d), "0H1B", "1 blow"), "at 012: '1 blow' is not an answer"),
    "two branches swapped": (lambda d: swap(branches(d), "0H1B", "0H2B"), "at 012 0H1B "),
    "an unreachable branch added": (
        lambda d: branches(d, "0H1B").update({"0H0B": {"guess": "341"}}),
        "at 012 0H1B 134: a branch for 0H0B",
    ),
    "a branch for the winning hint": (
        lambda d: branches(d).update({"3H0B": {"guess": "012"}}),
        "at 012: a branch for 3H0B, where the secret is already found",
    ),
    "useless guesses repeated": (lambda d: repeat_guess(branches(d)["0H1B"]), "at 012 0H1B 012: the guess gives"),
    "an empty list of branches": (lambda d: branches(d)["0H1B"].update(on={}), "at 012 0H1B 134: 'on' is empty"),
    "a total altered": (lambda d: d["cost"].update(total_guesses=1), "at cost.total_guesses: 1: the histogram"),
    "a count of secrets altered": (lambda d: d["cost"].update(secrets=121), "at cost.secrets: 121: the histogram"),
    "a maximum altered": (lambda d: d["cost"].update(max_guesses=7), "at cost.max_guesses: 7: the histogram"),
    "rules swapped": (lambda d: d["rules"].update(repeats="all"), "at 012"),
    "fewer symbols": (lambda d: d["rules"].update(symbols="01234"), "at 012"),
    "more digits": (lambda d: d["rules"].update(digits=4), "at 012: '012' is not a code"),
    "a huge game": (lambda d: d["rules"].update(symbols="0123456789abcdef", repeats="all"), "at 012"),
    "a different start": (lambda d: d["start"].update(absent="5"), "at 012"),
    "too many absent symbols": (lambda d: d["start"].update(absent="2345"), "at start.absent: absent '2345' leaves"),
    "a child added to a leaf": (
        lambda d: branches(d, "0H1B")["0H3B"].update(on={"0H3B": {"guess": "341"}}),
        "at 012 0H1B 134 0H3B 341: a branch for 0H3B, which no secret gives here",
    ),
    "a contradictory start": (
        lambda d: d["start"].update(turns=["012:0H0B", "345:0H0B"]),
        "at start: the answers contradict each other: no code fits 012:0H0B 345:0H0B",
    ),
    "an invalid turn": (lambda d: d["start"].update(turns=["012:1H1B", "01"]), "at start.turns[1]: '01' is"),
    "a limit that the tree exceeds": (lambda d: d["objective"].update(within=3), "at objective.within: 3: some secret"),
    "a guess that the objective forbids": (
        lambda d: d["objective"].update(consistent=True),
        ": the guess is not a candidate",
    ),
    "a bound above the total": (lambda d: d["proof"].update(lower_bound=10**6), "at proof.lower_bound: 1000000"),
    "an optimal total above the bound": (
        lambda d: d["proof"].update(kind="optimal", evidence="proven"),
        "at proof.lower_bound: 120: expected the",
    ),
    "evidence that contradicts the kind": (
        lambda d: d["proof"].update(evidence="checked"),
        'at proof.evidence: "checked": expected "best known"',
    ),
    "an unknown format": (lambda d: d.update(format="yomikiri-game"), 'at format: "yomikiri-game": expected "yomikiri'),
    "an unknown version": (lambda d: d.update(version=3), "at version: 3: expected 1, 2"),
    "a version that is a boolean": (lambda d: d.update(version=True), "at version: true: expected 1, 2"),
    "an unknown key": (lambda d: d.update(note=""), "at file: unknown key 'note'"),
    "an unknown key in the tree": (lambda d: branches(d)["0H1B"].update(no={}), "at 012 0H1B tree: unknown key 'no'"),
    "a missing key": (lambda d: d["cost"].pop("histogram"), "at cost: 'histogram' is missing"),
    "a missing guess": (lambda d: branches(d)["0H1B"].pop("guess"), "at 012 0H1B tree: 'guess' is missing"),
    "a guess that is a number": (lambda d: branches(d)["0H1B"].update(guess=134), "at 012 0H1B guess: 134 is"),
    "a tree that is a list": (lambda d: d.update(tree=[]), "at tree: [...] is not an object"),
    "branches in a list": (lambda d: branches(d)["0H1B"].update(on=[]), "at 012 0H1B 134: [...] is not an object"),
    "turns in an object": (lambda d: d["start"].update(turns={}), "at start.turns: {...} is not a list"),
    "a negative count": (lambda d: d["cost"].update(secrets=-1), "at cost.secrets: -1: expected a non-neg"),
    "a huge number": (lambda d: d["cost"].update(secrets=10**4000), "at cost.secrets: 1000"),
    "a fraction": (lambda d: d["cost"].update(secrets=120.0), "at cost.secrets: 120.0: expected a non-neg"),
    "not a number": (lambda d: d["cost"].update(secrets=float("nan")), "at cost.secrets: NaN: expected a non-neg"),
    "an infinite number": (lambda d: d["proof"].update(lower_bound=float("inf")), "at proof.lower_bound: Infinity"),
    "a boolean for a number": (lambda d: d["rules"].update(digits=True), "at rules.digits: true: expected a non-neg"),
    "text for a boolean": (lambda d: d["objective"].update(consistent="no"), 'at objective.consistent: "no": expected'),
    "an unknown objective": (lambda d: d["objective"].update(kind="best"), 'at objective.kind: "best": expected exp'),
    "an unknown kind of proof": (lambda d: d["proof"].update(kind="sure"), 'at proof.kind: "sure": expected optimal'),
    "invalid rules": (lambda d: d["rules"].update(symbols="00"), "at rules: symbols '00'"),
}  # fmt: skip


def error_of(data: str | bytes) -> str:
    """Return the message of the fault in invalid data."""
    with pytest.raises(StrategyFault) as caught:
        verify(read_strategy(data.encode() if isinstance(data, str) else data))
    return sentence(caught.value)


@pytest.mark.parametrize("name", MUTATIONS)
def test_verify_names_the_place_of_a_corruption(name: str):
    change, complaint = MUTATIONS[name]
    assert complaint in error_of(corrupted(change))


def altered_with_equal_sums(histogram: list[int]) -> list[int]:
    """Return another histogram with the same sum and total: one secret a guess earlier, another one later."""
    moved = list(histogram)
    moved[1] -= 1
    moved[2] += 2
    moved[3] -= 1
    return moved


def test_verify_recounts_a_histogram_whose_sums_are_correct():
    document = json.loads(CORRECT)
    true = document["cost"]["histogram"]
    document["cost"]["histogram"] = altered_with_equal_sums(true)
    assert error_of(json.dumps(document)) == (
        f"at cost.histogram: {altered_with_equal_sums(true)}: replaying every secret gives {true}"
    )


def test_verify_recounts_figures_that_agree_with_each_other():
    document = json.loads(CORRECT)
    histogram = [0, *document["cost"]["histogram"]]
    total = document["cost"]["total_guesses"] + 120
    document["cost"].update(histogram=histogram, total_guesses=total, max_guesses=len(histogram))
    assert error_of(json.dumps(document)).startswith(f"at cost.total_guesses: {total}: replaying")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (CORRECT.replace('"0H1B":', '"0H1B": {"guess": "034"}, "0H1B":', 1), "at 012: '0H1B' appears twice"),
        (CORRECT.replace('"guess": "134"', '"guess": "034", "guess": "134"', 1), "at 012 0H1B tree: 'guess' appears"),
        (CORRECT.replace('"version": 1', '"version": 2, "version": 1', 1), "at file: 'version' appears twice"),
        (CORRECT[:-3], "is not JSON"),
        (CORRECT[: len(CORRECT) // 2], "is not JSON"),
        ("", "line 1, column 1 is not JSON"),
        ("[" * 100_000, "line 1, column 201 is nested too deeply"),
        (CORRECT.replace('{"guess": "134"', '{"guess": "134", "on": {"0H1B": ' * 50_000, 1), "is nested too deeply"),
        ('{"a": ' * 100_000, "line 1, column 1201 is nested too deeply"),
        ('"' + '\\"[' * 100_000, "is not JSON"),
        ("null", "at file: null is not an object"),
        ("1" * 10_000, "at file: 1111"),
        ("\ufeff" + CORRECT, "line 1, column 1 is not JSON"),
        (CORRECT.encode("utf-16"), "byte 0 is not UTF-8"),
        (CORRECT.encode().replace(b"134", b"1\xff4", 1), "is not UTF-8"),
        (b"\x00" * 100, "line 1, column 1 is not JSON"),
    ],
)  # fmt: skip
def test_read_strategy_names_the_place_of_a_fault_in_the_text(data: str | bytes, complaint: str):
    assert complaint in error_of(data)


def test_verify_rejects_a_small_tree_for_a_huge_game_quickly():
    rules = Rules(6, "0123456789abcdef", Repeats.ALL)
    strategy = Strategy(Task(rules), Node("000000"), Cost((rules.secret_count,)), Proof(Evidence.OPTIMAL, 0))
    with pytest.raises(StrategyFault, match="at 000000: no branch for 5H0B"):
        verify(strategy)


def test_verify_rejects_a_deep_tree_without_recursion():
    node = Node("01")
    for _ in range(5000):
        node = Node("01", ((Hint(0, 1), node),))
    tree = Node("01", ((Hint(0, 1), node),))
    rules = Rules(2, "012")
    task = Task(rules, facts=(Turn("01", Hint(0, 1)),))
    strategy = Strategy(task, tree, Cost((1,)), Proof(Evidence.HEURISTIC, 0))
    with pytest.raises(StrategyFault, match="the guess gives no information") as caught:
        verify(strategy)
    assert caught.value.data["place"] == Place("01")


def test_verify_accepts_consistent_guesses_within_the_limit():
    plain = strategy_of(Knowledge(Rules(3, "01234")), Likely())
    objective = Objective(Criterion.WORST, within=plain.cost.max_guesses, consistent=True)
    proven = Proof(Evidence.OPTIMAL, plain.cost.total_guesses)
    strategy = replace(plain, task=replace(plain.task, objective=objective), proof=proven)
    assert verify(strategy) == plain.cost


def wasteful_tree(known: Knowledge) -> Node:
    """Return a tree that prefers guesses which are not candidates, as long as they split the candidates."""
    cells = {guess: known.cells(guess) for guess in known.rules.secrets()}
    splitting = [guess for guess, split in cells.items() if len(split) > 1 and known.rules.win not in split]
    guess = (splitting or list(known.codes()))[0]
    answers = [answer for answer in cells[guess] if answer != known.rules.win]
    return Node(guess, tuple((answer, wasteful_tree(known.after(Turn(guess, answer)))) for answer in answers))


def without_last_leaf(node: Node) -> tuple[Node, str]:
    """Return the tree without one leaf, and the guess of that leaf."""
    *others, (answer, below) = node.branches
    if not below.branches:
        return Node(node.guess, tuple(others)), below.guess
    rest, lost = without_last_leaf(below)
    return Node(node.guess, (*others, (answer, rest))), lost


def test_verify_names_a_lost_secret_if_the_tree_has_enough_nodes():
    known, proof = Knowledge(Rules(2, "0123")), Proof(Evidence.HEURISTIC, 0)
    whole, task = wasteful_tree(known), Task(known.rules)
    assert verify(Strategy(task, whole, cost(whole, known.codes()), proof)).secrets == 12
    tree, lost = without_last_leaf(whole)
    claimed = cost(tree, [code for code in known.codes() if code != lost])
    with pytest.raises(StrategyFault, match=f"no branch for ...., the answer for the secret {lost} here"):
        verify(Strategy(task, tree, claimed, proof))


def test_verify_rejects_facts_that_violate_the_rules():
    for guess, complaint in (("01", "'01' is not a code"), ("019", "'9' in '019' is not a symbol")):
        task = Task(Rules(3, "012345"), facts=(Turn(guess, Hint(0, 1)),))
        with pytest.raises(StrategyFault, match=f"at start: {complaint}"):
            verify(Strategy(task, Node("012"), Cost((1,)), Proof(Evidence.HEURISTIC, 0)))


# --- random edits -----------------------------------------------------------------------------------------------------

SMALL = write_strategy(strategy_of()).encode()


def count_guesses(data: bytes) -> list[int]:
    """Count the guesses for each secret from the JSON, without code of the package."""
    document = json.loads(data)
    rules = document["rules"]
    taken = []
    for secret in every_code(rules["symbols"], rules["digits"], repeats=rules["repeats"] == "all"):
        if set(secret) & set(document["start"]["absent"]):
            continue
        turns = (turn.split(":") for turn in document["start"]["turns"])
        if any("{}H{}B".format(*plain_hint(guess, secret)) != hint for guess, hint in turns):
            continue
        node, count = document["tree"], 1
        while node["guess"] != secret:
            node = node["on"]["{}H{}B".format(*plain_hint(node["guess"], secret))]
            count += 1
        taken.append(count)
    return taken


EDITS = st.lists(
    st.tuples(
        st.integers(0, len(SMALL)),
        st.integers(0, 3),
        st.one_of(
            st.binary(max_size=3),
            st.sampled_from([b"0", b"1", b"2", b"3", b"4", b'"', b"{", b"}", b",", b" ", b"\n", b"H", b"all", b"null"]),
        ),
    ),
    min_size=1,
    max_size=3,
)


@examples(1000)
@given(EDITS)
def test_edited_file_is_rejected_in_one_line_or_still_correct(edits: list[tuple[int, int, bytes]]):
    data = SMALL
    for place, cut, put in edits:
        data = data[:place] + put + data[place + cut :]
    try:
        counted = verify(read_strategy(data))
    except StrategyFault as fault:
        complaint = sentence(fault)
    else:
        taken = count_guesses(data)
        complaint = ""
        assert counted == Cost(tuple(map(taken.count, range(1, max(taken) + 1))))
    assert "\n" not in complaint


@examples(500)
@given(st.integers(0, len(SMALL) - 1), st.integers(0, len(SMALL) - 1), st.integers(1, 40))
def test_file_with_a_moved_piece_is_rejected_or_still_correct(source: int, target: int, length: int):
    subproblem = SMALL[source : source + length]
    rest = SMALL[:source] + SMALL[source + length :]
    data = rest[:target] + subproblem + rest[target:]
    try:
        verify(read_strategy(data))
    except StrategyFault:
        return
    assert count_guesses(data)
