"""Accepted forms of arguments of the public names, and `InputError` for all others."""

# mypy: disable-error-code="arg-type, attr-defined, list-item, call-overload"

from __future__ import annotations

import contextlib
import inspect
import pydoc
from collections.abc import Callable
from enum import EnumType
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yomikiri import hitblow
from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import InputError, YomikiriError
from yomikiri.hitblow import (
    Advisor,
    Assistant,
    Fact,
    Hint,
    Information,
    Knowledge,
    Match,
    MatchAssistant,
    Objective,
    Repeats,
    Reveals,
    Rules,
    Side,
    Slips,
    Strategy,
    Task,
    Terms,
    Turn,
    Words,
    as_csv,
    as_dot,
    as_networkx,
    as_text,
    figures,
    hint,
    hint_table,
    policy_named,
    race_value,
    read_strategy,
    repairs,
    review,
    simulate,
    solve,
    suggest,
    verify,
    write_strategy,
)

SMALL = Rules(2, "0123")
SOLVED = solve(SMALL).strategy
assert SOLVED
SOON = Budget(states=1)


def test_knowledge_is_taken_in_every_form():
    known = Knowledge().after(Turn("012", Hint(0, 1)))
    for form in (known, "012:0H1B", "０１２：０Ｈ１Ｂ", "012:1b", ["012:0H1B"], (Turn("012", "0H1B"),)):
        assert Knowledge.read(form, "known") == known
        assert suggest(form).proposed.guess == "134"
    assert Knowledge("bulls").after("1234:1B0C") == Knowledge(Rules(4), facts="1234:1H0B")
    assert Knowledge("mastermind", facts=["1122:1B1W"]).facts == (Turn("1122", Hint(1, 1)),)
    assert Knowledge(prior={"012": 3, "345": 1}) == Knowledge(prior=(("012", 3), ("345", 1)))
    assert Knowledge(slips=1) == Knowledge(slips=Slips(1))
    assert suggest("bulls") == suggest(Rules(4)) == suggest(Knowledge(Rules(4)))


def test_rules_are_taken_in_every_form():
    assert Rules.preset("mastermind") == hitblow.PRESETS["mastermind"].rules == Rules(4, "123456", "all")
    assert Rules(np.int64(3), list("012345")) == Rules(3, "012345")
    assert solve(SMALL).strategy == solve(Task(SMALL)).strategy
    assert race_value(Rules(2, "012")) == race_value(Terms(Rules(2, "012")))


def test_policies_and_opponents_are_taken_by_name():
    by_name, by_value = suggest("012:0H1B", "entropy"), suggest("012:0H1B", policy_named("entropy"))
    assert by_name == by_value
    assert simulate("entropy", SMALL) == simulate(policy_named("entropy"), Knowledge(SMALL))
    assert Assistant("012:0H1B", "minimax").advice.policy == "minimax"
    assert Advisor("optimal", "entropy").opponent.policy == policy_named("entropy")
    assert MatchAssistant("first=opponent secret=314 they=134:1H2B", "perfect").match.secret == "314"


def test_a_strategy_is_taken_by_the_path_of_its_file(tmp_path: Path):
    path = tmp_path / "s.json"
    path.write_text(write_strategy(SOLVED), encoding="utf-8")
    for form in (path, str(path), path.read_bytes(), path.read_text(encoding="utf-8")):
        assert read_strategy(form) == SOLVED
    for drawn in (as_text, as_dot, as_csv):
        assert list(drawn(path)) == list(drawn(str(path))) == list(drawn(SOLVED))


def test_answers_and_codes_are_taken_as_text():
    assert Turn("012", "1H1B") == Turn("012", Hint(1, 1))
    assert hint("１２３", "123") == Hint(3, 0)
    assert hint_table([[0, 1, 2]], [[0, 1, 2]]).tolist() == hint_table(np.array([[0, 1, 2]]), [[0, 1, 2]]).tolist()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: hint("1234", "12"), "guess '1234' and secret '12': expected codes of the same length"),
        (lambda: hint(123, "123"), "guess=123: expected a value such as '012'"),
        (lambda: Rules("4x"), "4x digits: expected 1 to 6"),
        (lambda: Rules(symbols=3), "symbols=3: expected a value such as '0123456789'"),
        (lambda: Rules(symbols=["01", "2"]), r"symbols=\['01', '2'\]: expected"),
        (lambda: Rules(repeats="some"), "repeats 'some': expected none, guess or all"),
        (lambda: Rules.preset("chess"), "preset=chess: expected one of hitblow, numeron, bulls, mastermind"),
        (lambda: Hint("1", 1), "hits=1: expected a whole number from 0 to 6"),
        (lambda: Turn("012", "many"), "'many' is not an answer"),
        (lambda: Turn("012", 3), r"hint=3: expected a value such as Hint\(1, 1\)"),
        (lambda: Knowledge(3), r"rules=3: expected a value such as Rules\(4\) or 'bulls'"),
        (lambda: Knowledge("chess"), "rules=chess: expected one of hitblow"),
        (lambda: Knowledge().after(3), "facts=3: expected a value such as '012:0H1B absent=7'"),
        (lambda: Knowledge().after("012"), "'012' is not a turn"),
        (lambda: Knowledge(facts=3), "facts=3: expected"),
        (lambda: Knowledge(prior=["012"]), r"prior=\['012'\]: expected a value such as {'012': 3, '345': 1}"),
        (lambda: Knowledge(slips="x"), "slips=x: expected a whole number from 0 to 9"),
        (lambda: suggest(3), r"known=3: expected a value such as Knowledge\('bulls'\) or '012:0H1B'"),
        (lambda: suggest("012:0H1B", "best"), "unknown policy 'best': expected one of"),
        (lambda: suggest("012:0H1B", 3), "policy=3: expected a value such as 'entropy', or a function"),
        (lambda: suggest("012:0H1B", budget=2), "budget=2: expected a Budget"),
        (lambda: solve("chess"), "task=chess: expected one of hitblow"),
        (lambda: solve(SMALL, workers=0), "workers=0: expected a whole number from 1"),
        (lambda: solve(SMALL, store=3), "store=3: expected a value such as 'proof.store'"),
        (lambda: race_value(3), "terms=3: expected"),
        (lambda: race_value(information="secret"), "information=secret: expected one of public, unseen, private"),
        (lambda: verify("s.json"), r"strategy=s.json: expected a value such as read_strategy\('strategy.json'\)"),
        (lambda: read_strategy("no such file"), "cannot read no such file: there is no such file"),
        (lambda: read_strategy(3), "data=3: expected a value such as 'strategy.json'"),
        (lambda: hint_table([["a"]], [[0]]), "guesses=.*: expected a value such as"),
        (lambda: Advisor("nobody"), "opponent=nobody: expected one of perfect, optimal, consistent, entropy"),
        (lambda: Match(first="nobody"), "first=nobody: expected one of me, opponent"),
        (lambda: MatchAssistant(3), "match=3: expected"),
        (lambda: Objective("quick"), "kind=quick: expected one of"),
        (lambda: Terms(reveals=1), "reveals=1: expected one of none, first, second"),
    ],
)
def test_error_names_the_parameter_and_the_accepted_values(call: Callable[[], Any], said: str):
    with pytest.raises(InputError, match=said):
        call()


WRONG: list[Any] = [
    None, True, 0, 1, -1, 9, 10**30, 1.5, float("nan"), float("inf"), 1j, "", "x", "12", "012", "012:0H1B", "1H1B", "{",
    "all", b"12", bytearray(b"1"), [], [1], [[1]], [None], ["x"], [["012", 1]], (), (1, 2), {}, {"a": 1}, {"012": "x"},
    set(), frozenset({1}), range(3), object(), int, ..., iter([]), np.array(1), np.array([1]), np.zeros((2, 2)),
    np.array([["a"]]), np.int64(4), Hint(1, 1), Turn("012", Hint(0, 1)), Rules(), Knowledge(), Match(), Rules,
    Side.ME, Slips(), Exception("x"),
]  # fmt: skip

RIGHT: dict[Any, tuple[Any, ...]] = {
    Advisor: ("entropy", "entropy", 1.0),
    Assistant: (Knowledge(), "entropy", UNLIMITED),
    Fact: (),
    Hint: (1, 1),
    Hint.parse: ("1H1B",),
    Information: ("public",),
    Knowledge: (SMALL, "", (), (), Slips()),
    Knowledge.parse: ("01:0H1B",),
    Knowledge(SMALL).after: ("01:0H1B",),
    Knowledge(SMALL).cells: ("01",),
    Match: (SMALL, SMALL, "me", "", "", "", False, (), (), Slips()),
    MatchAssistant: (Match(), "entropy", UNLIMITED),
    Objective: ("expected", None, False),
    Repeats: ("none",),
    Reveals: ("none",),
    Rules: (3, "0123", "none", ""),
    Rules.preset: ("bulls",),
    SMALL.check_guess: ("01",),
    SMALL.check_absent: ("0",),
    Side: ("me",),
    Slips: (1, 0.05),
    Strategy: (SOLVED.task, SOLVED.tree, SOLVED.cost, SOLVED.proof),
    Task: (SMALL, "", (), Objective(), ()),
    Terms: (SMALL, "", "none", 1, False, None, ()),
    Turn: ("012", "0H1B"),
    Turn.parse: ("012:0H1B",),
    Words: ("hit",),
    as_csv: (SOLVED,),
    as_dot: (SOLVED, str),
    as_networkx: (SOLVED,),
    as_text: (SOLVED, str),
    figures: ("012:0H1B", "134", None),
    hint: ("012", "345"),
    hint_table: ([[0, 1]], [[1, 2]]),
    policy_named: ("entropy", 0, 5),
    race_value: (Terms(Rules(2, "012")), "public"),
    read_strategy: (write_strategy(SOLVED),),
    repairs: ("012:0H1B 012:1H1B",),
    review: ("01:0H1B",),
    simulate: ("entropy", SMALL),
    solve: (SMALL,),
    suggest: ("012:0H1B", "entropy"),
    verify: (SOLVED,),
    write_strategy: (SOLVED,),
}
KEYWORDS = {
    policy_named: ("seconds",),
    race_value: ("budget", "store"),
    review: ("exact", "budget"),
    simulate: ("budget",),
    solve: ("memory", "budget", "ties", "workers", "store", "stopped"),
    suggest: ("compare", "budget"),
}
# Values, and classes to derive from.
NOT_CALLED = {"NamedFact", "POLICIES", "PRESETS", "Policy"}


def test_every_public_name_is_called():
    called = {getattr(call, "__name__", "") for call in RIGHT}
    assert set(hitblow.__all__) - NOT_CALLED <= called


@pytest.mark.parametrize("call", RIGHT, ids=lambda call: call.__qualname__)
def test_values_of_a_wrong_type_give_a_result_or_an_input_error(
    call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)  # some functions take the path of a file
    right = RIGHT[call]
    for wrong in WRONG:
        # Python's enumerations compare an array with their values before they call the code of a class.
        if isinstance(call, EnumType) and isinstance(wrong, np.ndarray):
            continue
        for place in range(len(right)):
            accept(call, (*right[:place], wrong, *right[place + 1 :]), {})
        for name in KEYWORDS.get(call, ()):
            if name == "stopped" and callable(wrong):
                continue  # a function passed by the caller may raise any error
            accept(call, right, {name: wrong})
        accept(call, (wrong,) * len(right), {})


def accept(call: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Call with these arguments; an error that is no `YomikiriError` fails the test."""
    if call in (solve, simulate, race_value, suggest, review) and "budget" not in options:
        options = {**options, "budget": SOON}  # without a limit, some calls take too long
    with contextlib.suppress(YomikiriError, Stopped):
        result = call(*arguments, **options)
        if inspect.isgenerator(result):
            list(islice(result, 1))


@pytest.mark.parametrize("name", hitblow.__all__)
def test_help_shows_no_addresses(name: str):
    assert " at 0x" not in pydoc.render_doc(getattr(hitblow, name))
