"""Every setting of every query changes the answer at each interface that has it, and is rejected by the others.

Also tests `api/query.py`, `api/queries_hitblow.py`, `api/queries_match.py`, `api/queries_tictactoe.py`,
`cli/asking.py`: commands, engine and HTTP build the same query, with the same document.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.api.test_engine import answered
from tests.cli.run import run
from tests.web.client import get

from yomikiri.api.http import services
from yomikiri.api.lines import QUERIES
from yomikiri.api.query import Query
from yomikiri.api.results import versioned
from yomikiri.common.errors import InputError, YomikiriError
from yomikiri.hitblow.model.game import WEIGHTS
from yomikiri.settings import Conflict, Kind, Setting, values
from yomikiri.web import limits

Pairs = list[tuple[str, str]]

# tests/api/test_queries_guessing.py tests the queries about games with lists.
KINDS: dict[str, type[Query[Any]]] = {query.NAME: query for query in QUERIES if query.GAME_NAME != "guessing"}
SERVED = {service.query: service for service in services(limits) if service.query.GAME_NAME != "guessing"}
SETTINGS = {setting.name: setting for kind in KINDS.values() for setting in kind.settings()}
EACH = [(name, setting) for name, kind in KINDS.items() for setting in kind.settings()]

# Limits of time, memory and threads, which need not change the answer.
BOUNDS = {"seconds", "memory", "workers"}
# Settings that the command sets itself.
NOT_OPTIONS = {("suggest", "compare")}
NO_COMMAND = {"winner"}  # its command reads a stream of boards

SMALL = {"digits": "2", "symbols": "0123"}
TURNS = {
    "suggest": [("fact", "01:0H1B")],
    "candidates": [("fact", "01:0H1B")],
    "review": [("fact", "01:0H1B"), ("fact", "12:0H1B")],
    "solve": [("fact", "01:0H1B")],
    "match": [("me", "01:0H1B"), ("they", "23:0H1B")],
}
BASE: dict[str, dict[str, str]] = {
    **dict.fromkeys(("suggest", "candidates", "review", "solve", "match"), SMALL),
    "simulate": {"digits": "3", "symbols": "01234", "policy": "entropy"},
    "race": {**SMALL, "information": "unseen"},
    "analyze": {"board": "0,1,2/3,4,5/6,7,8"},
    "winner": {"board": "0,0,0/0,0,0/0,0,0"},
}
# The test value of each setting, and the other settings that it needs for an effect.
CHANGED: dict[str, tuple[str, dict[str, str]]] = {
    "preset": ("mastermind", {}),
    "digits": ("3", {}),
    "symbols": ("01234", {}),
    "repeats": ("all", {}),
    "no-leading": ("3", {}),
    "words": ("bull", {}),
    "absent": ("3", {}),
    "weights": ("01,1\n02,1\n10,9\n20,1\n30,5\n12,3\n31,2", {}),
    "slips": ("1", {}),
    "slip-rate": ("0.4", {"slips": "1"}),
    "policy": ("minimax", {}),
    "seed": ("7", {"policy": "random"}),
    "alternatives": ("1", {}),
    "compare": ("1", {}),
    "items": ("high", {}),
    "item-takes-turn": ("1", {"items": "high"}),
    "objective": ("worst", {}),
    "within": ("4", {}),
    "consistent": ("1", {}),
    "no-ties": ("1", {}),
    "secret-digits": ("1", {}),
    "secret-symbols": ("01235", {}),
    "secret-repeats": ("all", {}),
    "secret-no-leading": ("1", {}),
    "information": ("public", {}),
    "reveals": ("first", {"symbols": "012345"}),
    "revealed": ("2", {"symbols": "012345", "reveals": "first"}),
    "equal-turns": ("1", {}),
    "first": ("opponent", {}),
    "secret": ("30", {}),
    "shown": ("1", {}),
    "opponent": ("optimal", {}),
    "finishes": ("1,9", {"opponent": "custom"}),
    "board": ("9,1,2/3,4,5/6,7,8", {}),
    "line": ("2", {}),
    "moves": ("a1 b1 a2", {}),
    "tie": ("first", {}),
    "seconds": ("9", {}),
    "memory": ("64", {}),
    "workers": ("2", {}),
}
# Other settings with which the effect of a setting on a query is visible.
BESIDE: dict[tuple[str, str], dict[str, str]] = {
    ("match", "seed"): {**SMALL, "opponent": "perfect"},
    ("match", "finishes"): {**SMALL, "opponent": "custom", "finishes": "1,1,1"},
    ("simulate", "seed"): {"policy": "random", "digits": "3", "symbols": "01234"},
    ("suggest", "alternatives"): {"compare": "1"},
}
OTHER: dict[tuple[str, str], str] = {
    ("simulate", "policy"): "random",
    ("simulate", "digits"): "2",
    ("simulate", "symbols"): "0123",
    ("simulate", "weights"): "012,9\n034,1\n432,1\n103,2\n230,1",
    ("match", "finishes"): "1,1,9",
}

# Settings that decide between nearly equal answers, so that no small game shows an effect: the samples of an opponent,
# and the likelier of several corrections.
RARELY = {("match", "seed"), ("review", "slip-rate")}
# Settings with an error of their own, because no solver supports them.
UNSOLVED = {("race", "no-leading"), ("race", "secret-no-leading")}


def pairs_of(name: str, setting: Setting | None = None) -> Pairs:
    """Return the settings of a query, as (name, value) pairs, followed by its turns.

    With a `setting`, the pairs contain its test value and the other settings without which it has no effect.
    """
    pairs = dict(BASE[name])
    turns = TURNS.get(name, [])
    if setting:
        value, beside = CHANGED[setting.name]
        pairs = {**BESIDE.get((name, setting.name), pairs | beside)}
        pairs[setting.name] = OTHER.get((name, setting.name), value)
        turns = turns_for_setting(name, setting, turns)
    return [*pairs.items(), *turns]


def without(name: str, setting: Setting) -> Pairs:
    """Return the same pairs without the setting, or with its value in `BASE`."""
    pairs = [pair for pair in pairs_of(name, setting) if pair[0] != setting.name]
    base = BESIDE.get((name, setting.name), BASE[name])
    return [*([(setting.name, base[setting.name])] if setting.name in base else []), *pairs]


def turns_for_setting(name: str, setting: Setting, turns: Pairs) -> Pairs:
    """Return the turns of a query, changed if the setting needs other turns to be valid and to have an effect."""
    if name == "review" and setting.name in ("digits", "slips", "slip-rate"):
        return [("fact", "012:0H2B")] if setting.name == "digits" else [("fact", "01:0H1B"), ("fact", "23:0H0B")]
    if setting.name == "alternatives":
        return [("fact", "012:0H1B")]
    if setting.name == "words":
        return [(side, value.replace("0H1B", "1B")) for side, value in turns or [("fact", "012:0H1B")]]
    if setting.name in ("digits", "secret-digits", "preset", "repeats", "first") and name != "review":
        return []
    return turns[:1] if setting.name == "secret" else turns


EFFORT = {"cpu_seconds", "tie_break_cpu_seconds", "nodes", "positions", "schema_version"}


def plain(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in EFFORT}


@cache
def _cached_document(name: str, pairs: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    try:
        question = KINDS[name].of(pairs)
        return plain(versioned(question.document(question.answer())))
    except YomikiriError as error:
        return {"error": str(error)}


def document_of(name: str, pairs: Pairs) -> dict[str, Any]:
    """Return the document of a query that runs directly in Python."""
    return _cached_document(name, tuple(pairs))


def line_of(name: str, pairs: Pairs) -> dict[str, Any]:
    """Return the same query as a line of the engine."""
    line: dict[str, Any] = {"request": name}
    for key, text in pairs:
        if key in ("fact", "me", "they"):
            line.setdefault("turns", []).append(text if key == "fact" else f"{key}={text}")
        elif key == "moves":
            line["moves"] = text.split()
        elif key == "weights":
            line["weights"] = {code: int(weight) for code, weight in (each.split(",") for each in text.split("\n"))}
        else:
            setting = SETTINGS[key]
            value = setting.read(text)
            line[setting.key] = value
    return line


def command_of(name: str, pairs: Pairs, folder: Path) -> list[str]:
    """Return the same query as a command line."""
    words: list[str] = []
    for key, text in pairs:
        if key == "compare":  # the command always compares
            continue
        if key in ("fact", "me", "they"):
            words.append(text if key == "fact" else f"{key}={text}")
        elif key == "weights":
            (folder / "weights.csv").write_text(text, encoding="utf-8")
            words += ["--weights", str(folder / "weights.csv")]
        elif SETTINGS[key].kind is Kind.FLAG:
            words += [f"--{key}"] if text == "1" else []
        else:
            words.append(f"--{key}={text}")
    return ["tictactoe" if name in ("analyze", "winner") else "hitblow", name, "--json", *words]


def of_command(name: str, pairs: Pairs) -> Pairs:
    """Return the settings of a query as the command sets them: `suggest` always compares guesses."""
    return [*pairs, ("compare", "1")] if name == "suggest" and ("compare", "1") not in pairs else pairs


@pytest.mark.parametrize(("name", "setting"), EACH, ids=[f"{name}-{setting.name}" for name, setting in EACH])
def test_setting_changes_the_answer_equally_at_every_interface(name: str, setting: Setting, tmp_path: Path):
    pairs = pairs_of(name, setting)
    document = document_of(name, pairs)
    if setting.name not in BOUNDS and (name, setting.name) not in RARELY:
        assert document != document_of(name, without(name, setting))
    (line,) = answered(line_of(name, pairs))
    if (name, setting.name) in UNSOLVED:
        assert "cannot be solved" in document["error"]
        assert line["error"] == document["error"]
        assert document["error"] in run(*command_of(name, pairs, tmp_path)).stderr
        return
    assert plain(line["answer"]) == document
    whole = document_of(name, of_command(name, pairs))
    if name not in NO_COMMAND and (name, setting.name) not in NOT_OPTIONS:
        result = run(*command_of(name, pairs, tmp_path))
        assert result.exit_code == 0, result.stderr
        assert plain(json.loads(result.stdout)) == whole
    kind = KINDS[name]
    if kind in SERVED and setting not in SERVED[kind].hidden:
        path = "tictactoe" if name == "analyze" else "hitblow"
        served = [pair for pair in pairs if pair[0] != "compare"]
        answer = get(f"/api/v1/{path}/{name}?{urlencode(served)}")
        assert answer.status == 200, answer.body
        assert plain(json.loads(answer.body)) == whole


@pytest.mark.parametrize("name", KINDS)
def test_setting_of_another_query_is_rejected_at_every_interface(name: str, tmp_path: Path):
    kind = KINDS[name]
    known = {setting.name for setting in kind.settings()}
    base = pairs_of(name)
    for setting in SETTINGS.values():
        if setting.name in known:
            continue
        pair = (setting.name, CHANGED[setting.name][0])
        with pytest.raises(InputError, match="unknown setting"):
            kind.of([*base, pair])
        (line,) = answered(line_of(name, [*base, pair]))
        assert (line["status"], "unknown key" in line["error"]) == (2, True), setting.name
        if name not in NO_COMMAND:
            option = [f"--{setting.name}"] if setting.kind is Kind.FLAG else [f"--{setting.name}", pair[1]]
            result = run(*command_of(name, base, tmp_path), *option)
            assert (result.exit_code, f"--{setting.name}" in result.stderr) == (2, True), setting.name
    for kind_served, service in SERVED.items():
        if kind_served is kind:
            for setting in SETTINGS.values():
                if setting.name not in known or setting in service.hidden:
                    query = urlencode([*base, (setting.name, CHANGED[setting.name][0])])
                    path = "tictactoe" if name == "analyze" else "hitblow"
                    answer = get(f"/api/v1/{path}/{name}?{query}")
                    assert (answer.status, b"unknown parameter" in answer.body) == (400, True), setting.name


@pytest.mark.parametrize("name", KINDS)
def test_query_rejects_conflicts(name: str):
    kind = KINDS[name]
    for rule in kind.CONFLICTS:
        for idle in rule.names:
            pairs = [pair for pair in pairs_of(name) if pair[0] not in (idle, *rule.unless)]
            other = next((word for each, known in rule.unless.items() for word in SETTINGS[each].words
                          if word not in known), "")  # fmt: skip
            chosen = [(each, other) for each in rule.unless]
            beside = [(rule.beside, CHANGED[rule.beside][0])] if rule.beside else []
            with pytest.raises(InputError, match=f"{idle} has no effect with"):
                kind.of([*pairs, *chosen, *beside, (idle, CHANGED[idle][0])])


def test_every_setting_has_a_test_value():
    assert SETTINGS.keys() == CHANGED.keys()


# --- one setting ------------------------------------------------------------------------------------------------------

COUNT = Setting("how-many", "So many.", Kind.INTEGER, default=5, least=1, most=100)
RATE = Setting("rate", "How often.", Kind.NUMBER, least=0.5)
WORD = Setting("word", "Which.", Kind.WORD, default="a", words=("a", "b"))
FLAG = Setting("flag", "Whether.", Kind.FLAG, default=True)


def test_values_are_parsed_by_type():
    assert values((COUNT, RATE, WORD, FLAG), {"how-many": "７", "rate": "1.5", "flag": "0"}) == {
        "how_many": 7, "rate": 1.5, "word": "a", "flag": False,
    }  # fmt: skip
    assert (COUNT.default_text, RATE.default_text, WORD.default_text, FLAG.default_text) == ("5", None, "a", "1")


@pytest.mark.parametrize(
    ("setting", "given", "message"),
    [
        (COUNT, "0", "how-many=0: expected a whole number from 1 to 100"),
        (COUNT, "101", "how-many=101: expected a whole number from 1 to 100"),
        (COUNT, "1e1", "how-many=1e1: expected a whole number from 1 to 100"),
        (COUNT, "1_0", "how-many=1_0: expected a whole number from 1 to 100"),
        (COUNT, "", "how-many=: expected a whole number from 1 to 100"),
        (RATE, "nan", "rate=nan: expected a number of 0.5 or more"),
        (RATE, "inf", "rate=inf: expected a number of 0.5 or more"),
        (RATE, "1e999", "rate=1e999: expected a number of 0.5 or more"),
        (RATE, "0.4", "rate=0.4: expected a number of 0.5 or more"),
        (WORD, "c", "word=c: expected one of a, b"),
        (FLAG, "yes", "flag=yes: expected one of 0, 1"),
    ],
)
def test_invalid_value_error_says_what_was_expected(setting: Setting, given: str, message: str):
    with pytest.raises(InputError) as refused:
        setting.read(given)
    assert str(refused.value) == message


def test_conflict_rejects_a_setting_without_the_one_it_needs():
    with pytest.raises(InputError, match="--b has no effect without --a: leave it out"):
        Conflict(("b",), needs="a").check({"b"}, str, lambda name: f"--{name}")
    Conflict(("b",), needs="a").check({"a", "b"}, str)
    assert WEIGHTS.key == "weights"
