"""Targets: command lines, typed lines, addresses, strategy files, stores, saved games and compiled code."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Callable
from math import inf
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from tests.cli.run import run
from tests.fuzz.engine import Case, Target
from tests.web.client import get

from yomikiri.common.errors import StrategyFault
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.strategy.file import read_strategy
from yomikiri.hitblow.strategy.verify import verify

STATUSES = {0, 2, 3, 4}
ANSWERS = {200, 302, 303, 307, 400, 404, 405, 409, 414, 421, 422, 503}
SAMPLE = Path(__file__).parent.parent / "hitblow/race/public/sample.store"

_NASTY = [
    "",
    " ",
    "-",
    ":",
    "=",
    "\x1b[2J",
    "\ud83c",
    "０１２",
    "1e10",
    "nan",
    "-1",
    "99999999999",
    "../x",
    "%00",
    "あ",
    "\x00",
]
_CODES = ["012", "345", "0123", "1122", "999", "01", "012345", "abc", "７８９"]
_HINTS = ["0H1B", "1H1B", "3H0B", "2H1B", "1 1", "1B", "11", "0", "1ヒット", "1B2W", "9H9B", "H", "1H_"]
_TURNS = [f"{code}:{hint}" for code in _CODES for hint in _HINTS]
_RULES = [
    ["--digits", "2", "--symbols", "0123"],
    ["--digits", "3", "--symbols", "01234"],
    ["--digits", "0"],
    ["--digits", "7"],
    ["--symbols", "00"],
    ["--symbols", "a:b"],
    ["--repeats", "all", "--digits", "2", "--symbols", "abc"],
    ["--preset", "numeron"],
    ["--preset", "mastermind"],
    ["--preset", "nothing"],
    ["--absent", "7"],
    ["--absent", "0123456789"],
    ["--words", "bull"],
    ["--words", "black"],
    ["--lang", "ja"],
    ["--json"],
    ["--seed", "3"],
]
_SMALL = [["--digits", "2", "--symbols", "0123"], ["--digits", "1", "--symbols", "012", "--repeats", "all"]]
# A command, its options, and whether it needs small rules to be fast.
_COMMANDS: list[tuple[list[str], list[list[str]], bool]] = [
    (["hitblow", "suggest"], [["--policy", "entropy"], ["--policy", "repdigit"], ["--seconds", "0.1"]], False),
    (["hitblow", "candidates"], [["--table"]], False),
    (["hitblow", "review"], [["--seconds", "0.1"]], False),
    (["hitblow", "simulate"], [["--policy", "random"], ["--policy", "all"], ["--strategy", "nothing"]], True),
    (
        ["hitblow", "solve"],
        [["--objective", "last"], ["--within", "3"], ["--consistent"]],
        True,
    ),
    (["hitblow", "export"], [["--format", "csv"], ["--format", "html"], ["--within", "2"]], True),
    (["hitblow", "race"], [["--reveals", "first"], ["--revealed", "2"], ["--equal-turns"]], True),
    (["hitblow", "verify"], [["-"], ["/"], [""]], False),
    (["tictactoe", "winner"], [["--tie", "first"], ["--line", "2"], ["--rows", "2"]], False),
    (["tictactoe", "analyze"], [["--board", "1,2,3/4,5,6/7,8,9"], ["--board", "1/2"], ["--moves", "b2 a1"]], False),
    (["tictactoe", "generate"], [["--count", "2"], ["--low", "3", "--high", "1"], ["--unique"]], False),
]
_TYPED = ["undo", "list", "table", "why", "why 345", "edit 1 0H0B", "edit 9 1H1B", "new", "help", "secret 314", "まて",
          "me 012 0H1B", "they 345 1H0B", "go", "b2", "a1", "quit x", *_HINTS, *_CODES]  # fmt: skip
_TALKS = [["hitblow", "assist"], ["hitblow", "play"], ["hitblow", "play", "--who", "both"],
          ["hitblow", "match", "--seconds", "0.1"],
          ["tictactoe", "play", "--seed", "1"]]  # fmt: skip
_PAGES = ["/hitblow", "/match", "/tictactoe", "/", "/api/v1/hitblow/suggest", "/api/v1/tictactoe/analyze", "/static/x"]
_NAMES = ["v", "turn", "me", "they", "absent", "digits", "symbols", "repeats", "preset", "words", "lang", "line",
          "edit", "compare", "first", "secret", "shown", "equal-turns", "opponent", "board", "moves", "tie", "kind",
          "seed"]  # fmt: skip
_VALUES = [*_TURNS[:20], *_NASTY, "1", "3", "2", "ja", "en", "all", "none", "bulls", "hit", "opponent", "012", "7",
           "-2,0,-1/-1,-1,0/-1,-1,-2", "b2,a1", "0x1"]  # fmt: skip


def _some(draw: Random, given: list[Any], most: int) -> list[Any]:
    return [draw.choice(given) for _ in range(draw.randint(0, most))]


def _spoiled(draw: Random, text: str) -> str:
    """Return a text with a few random changes."""
    letters = list(text)
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(len(letters) + 1)
        letters[place : place + draw.randint(0, 2)] = draw.choice([*_NASTY, *"0129HB:,/- "])
    return "".join(letters)


def _command(draw: Random) -> Case:
    path, own, small = draw.choice(_COMMANDS)
    words = [word for option in _some(draw, [*own, *_RULES], 4) for word in option]
    if path[0] == "hitblow":
        words += _some(draw, _TURNS, 3)
    if draw.random() < 0.3:
        words = [_spoiled(draw, word) if draw.random() < 0.3 else word for word in words]
    # Rules at the end override earlier ones. The small rules keep every search short.
    return [*path, *words, *(draw.choice(_SMALL) if small else [])]


def _fault_of_command(case: Case) -> str | None:
    return _fault_of_run(case, "1 2 3\n4 5 6\n7 8 9\n")


def _fault_of_run(arguments: list[str], typed: str, most: float = 1) -> str | None:
    result = run(*arguments, given=typed.encode("utf-8", "surrogatepass"))
    complaints = [line for line in result.stderr.splitlines() if line.startswith(("error:", "エラー"))]
    if result.exit_code not in STATUSES:
        return f"ends with status {result.exit_code}"
    if result.exit_code in (2, 3) and not 1 <= len(complaints) <= most:
        return f"status {result.exit_code} with {len(complaints)} lines of error"
    if "\x1b" in result.stderr or "Traceback" in result.output:
        return "writes what it should not"
    if "--json" in arguments and not result.exit_code and result.stdout.startswith("{"):
        json.loads(result.stdout)
    return None


def _talk(draw: Random) -> Case:
    number = draw.randrange(len(_TALKS))
    lines = [_spoiled(draw, line) if draw.random() < 0.3 else line for line in _some(draw, _TYPED, 8)]
    return [str(number), *lines]


def _fault_of_talk(case: Case) -> str | None:
    if not case or case[0] not in map(str, range(len(_TALKS))):
        return None
    return _fault_of_run(_TALKS[int(case[0])], "".join(f"{line}\n" for line in case[1:]), most=inf)


def _shown_talk(case: Case) -> str:
    lines = "".join(f"{line}\n" for line in case[1:])
    return f"printf %s {shlex.quote(lines)} | yomikiri {shlex.join(_TALKS[int(case[0])])}"


def _address(draw: Random) -> Case:
    path = draw.choice(_PAGES)
    values = [_spoiled(draw, value) if draw.random() < 0.2 else value for value in _some(draw, _VALUES, 6)]
    return [path, *(f"{draw.choice(_NAMES)}={value}" for value in values)]


def _fault_of_address(case: Case) -> str | None:
    answer = get(_target(case))
    if answer.status not in ANSWERS:
        return f"answers {answer.status}"
    if answer.headers.get("content-type", "").startswith("application/json"):
        json.loads(answer.body)
    return None


def _target(case: Case) -> bytes:
    path, *pairs = case or ["/"]
    split = [pair.partition("=") for pair in pairs]
    query = "&".join(f"{name}={quote(value.encode('utf-8', 'surrogatepass'))}" for name, _sign, value in split)
    return f"{path or '/'}?{query}".encode()


_STRATEGY = (
    '{"format":"yomikiri-strategy","version":1,"rules":{"digits":2,"symbols":"012","repeats":"none"},'
    '"start":{"absent":"","turns":[]},"objective":{"kind":"expected","within":null,"consistent":false},'
    '"cost":{"secrets":6,"total_guesses":14,"max_guesses":3,"histogram":[1,2,3]},'
    '"proof":{"kind":"heuristic","lower_bound":13},'
    '"tree":{"guess":"01","on":{"0H1B":{"guess":"12","on":{"0H1B":{"guess":"20"}}},"0H2B":{"guess":"10"},'
    '"1H0B":{"guess":"02","on":{"0H1B":{"guess":"21"}}}}}}'
)


def _file(draw: Random) -> Case:
    return [_spoiled(draw, _STRATEGY)]


def _fault_of_file(case: Case) -> str | None:
    data = "".join(case).encode("utf-8", "surrogatepass")
    try:
        strategy = read_strategy(data)
        cost = verify(strategy)
    except StrategyFault:
        return None
    # If the file is valid, the tree must find every secret with the stated histogram.
    found = [0] * len(cost.histogram)
    for secret in strategy.task.secrets():
        *_others, last = guesses = list(strategy.tree.guesses(secret))
        if last != secret:
            return f"verified, but {secret} is not found"
        found[len(guesses) - 1] += 1
    return None if tuple(found) == strategy.cost.histogram else "verified, but counted otherwise"


def _shown_file(case: Case) -> str:
    return f"printf %s {shlex.quote(''.join(case))} | yomikiri hitblow verify -"


def _store(draw: Random) -> Case:
    size = SAMPLE.stat().st_size
    return [f"{draw.randrange(size)} {draw.randrange(256)}" for _ in range(draw.randint(1, 3))]


def _fault_of_store(case: Case) -> str | None:
    from yomikiri.common.errors import InputError
    from yomikiri.hitblow.race.public.race import public_value
    from yomikiri.hitblow.race.terms import Terms

    content = bytearray(SAMPLE.read_bytes())
    for change in case:
        place, _blank, byte = change.partition(" ")
        if place.isdigit() and byte.isdigit() and int(place) < len(content):
            content[int(place)] = int(byte) % 256
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "store")
        store.write_bytes(content)
        try:
            found = public_value(Terms(_STORED), store=store)
        except InputError:
            return None
    return None if found == public_value(Terms(_STORED)) else f"gives {found.lower}"


_STORED = Rules(2, "0123")


def _save(draw: Random) -> Case:
    whole = json.dumps({
        "format": "yomikiri-game", "version": 1, "absent": "7", "turns": ["012:0H1B", "134:1H0B"],
        "rules": {"digits": 3, "symbols": "0123456789", "repeats": "none"},
    })  # fmt: skip
    return [_spoiled(draw, whole)]


def _fault_of_save(case: Case) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder, "yomikiri", "games")
        games.mkdir(parents=True)
        Path(games, "game.json").write_bytes("".join(case).encode("utf-8", "surrogatepass"))
        before = os.environ.get("XDG_DATA_HOME")
        os.environ["XDG_DATA_HOME"] = folder
        try:
            return _fault_of_run(["hitblow", "assist", "--resume"], "list\n")
        finally:
            if before is None:
                del os.environ["XDG_DATA_HOME"]
            else:
                os.environ["XDG_DATA_HOME"] = before


def _again(name: str) -> Callable[[Case], str]:
    return lambda case: f"scripts/fuzz --again {name} {shlex.quote(json.dumps(case))}"


TARGETS = [
    Target("command", _command, _fault_of_command, lambda case: f"yomikiri {shlex.join(case)}"),
    Target("talk", _talk, _fault_of_talk, _shown_talk),
    Target("address", _address, _fault_of_address, lambda case: _target(case).decode()),
    Target("file", _file, _fault_of_file, _shown_file),
    Target("store", _store, _fault_of_store, _again("store")),
    Target("save", _save, _fault_of_save, _again("save")),
]  # fmt: skip
