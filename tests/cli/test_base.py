"""Conflicts between options: every declared pair, and a list of known pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest
from tests.cli.run import run
from tests.cli.test_main import COMMANDS

from yomikiri.cli.asking import SettingOption
from yomikiri.cli.base import _METAVARS, WORDS, Command, Option
from yomikiri.cli.main import cli
from yomikiri.hitblow.model.rules import Words
from yomikiri.settings import Conflict, Kind
from yomikiri.wording import use_language

Path = tuple[str, ...]


def command_at(path: Path) -> click.Command:
    command: click.Command = cli
    for name in path:
        assert isinstance(command, click.Group)
        below = command.get_command(click.Context(command), name)
        assert below
        command = below
    return command


def rules() -> Iterator[tuple[Path, Conflict, str]]:
    for path in COMMANDS:
        command = command_at(path)
        for rule in command.conflicts if isinstance(command, Command) else ():
            for option in rule.names:
                yield path, rule, option


def written(parameter: click.Parameter, value: str = "") -> list[str]:
    """Return the words that set a parameter on the command line to a valid value."""
    if isinstance(parameter, click.Argument):
        return ["012:0H1B"]
    if isinstance(parameter, SettingOption) and parameter.setting.kind is Kind.LINES:
        return [parameter.opts[0], __file__]
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return [parameter.opts[0]]
    if isinstance(parameter.type, click.Choice):
        return [parameter.opts[0], value or parameter.type.choices[-1]]
    return [parameter.opts[0], value or "1"]


def test_japanese_help_uses_the_translated_metavar():
    use_language("ja")
    for path in COMMANDS:
        for option in command_at(path).params:
            if isinstance(option, Option) and option.metavar in _METAVARS:
                assert not re.search(rf"\b{option.metavar}\b", option.help or "", re.ASCII), (path, option.name)


def other_choice(parameter: click.Parameter, useful: object) -> str:
    assert isinstance(parameter.type, click.Choice)
    assert isinstance(useful, tuple)
    assert set(useful) < set(parameter.type.choices)
    return next(str(choice) for choice in parameter.type.choices if choice not in useful)


@pytest.mark.parametrize(("path", "rule", "option"), [*rules()])
def test_declared_conflicts_are_refused_and_name_both_options(path: Path, rule: Conflict, option: str):
    named = {parameter.opts[0].lstrip("-"): parameter for parameter in command_at(path).params}
    given = written(named[option])
    beside = (
        [written(named[rule.beside])]
        if rule.beside
        else [[]]
        if rule.needs
        else [written(named[name], other_choice(named[name], values)) for name, values in rule.unless.items()]
    )
    needed = {
        "tictactoe check": ["true"],
        "guess review": ["ab:00"],
        "guess verify": ["strategy.json"],
        "guess check": ["words.cert"],
        "site": ["page", "--runtime", "pyodide"],
    }
    required = needed.get(" ".join(path), [])
    result = run(*path, *given, *(word for words in beside for word in words), *required)
    assert (result.exit_code, result.stdout) == (2, "")
    line, hint = result.stderr.splitlines()
    first = rule.beside or rule.needs or next(iter(rule.unless))
    other = [f"--{first}"] if isinstance(named[first], click.Option) else ["TURNS", "FILE"]
    called = given[0] if isinstance(named[option], click.Option) else option.upper()
    assert line.startswith(f"error: {called} has no effect with")
    assert any(name in line for name in other)
    assert "-h" in hint
    for name, values in rule.unless.items():
        for value in values if len(values) < 5 else ():
            assert f"{named[name].opts[0]} {value}" in line.partition("needs")[2]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("hitblow simulate --strategy F --policy random", "--policy has no effect with --strategy"),
        ("hitblow simulate --strategy F --digits 4", "--digits has no effect with --strategy"),
        ("hitblow suggest --policy entropy --seconds 5", "--seconds has no effect with --policy entropy"),
        ("hitblow suggest --seed 5", "--seed has no effect with --policy exact: it needs --policy random"),
        ("hitblow play --first me", "--first has no effect with --who me: it needs --who both"),
        ("hitblow play --who program --no-handicap", "--handicap has no effect with --who program"),
        ("hitblow play --who program --seed 1", "it needs --who me / --who both / --policy random"),
        ("hitblow match --finishes 1,2", "--finishes has no effect with --opponent consistent"),
        ("hitblow match me=012:0H1B --resume", "--resume has no effect with TURNS"),
        ("hitblow candidates --table --json", "--table has no effect with --json"),
        ("hitblow race --revealed 2", "--revealed has no effect with --reveals none"),
        ("hitblow race --information unseen --store F", "--store has no effect with --information unseen"),
        ("tictactoe generate --complete --count 1", "--count has no effect with --complete"),
        ("tictactoe analyze F --board=1", "--board has no effect with FILE"),
        ("tictactoe play F --seed 1", "--seed has no effect with FILE"),
    ],
)
def test_known_conflicts_are_declared(line: str, complaint: str):
    result = run(*line.split())
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert complaint in result.stderr.splitlines()[0]


@pytest.mark.parametrize(
    "line",
    [
        "hitblow suggest --policy exact --seconds 5",
        "hitblow suggest --policy random --seed 5",
        "hitblow play --who program --policy random --seed 1",
        "hitblow play --who both --first opponent --no-handicap --seed 1",
        "hitblow match --opponent custom --finishes 1,2",
        "hitblow candidates --digits 1 --table",
        "hitblow match --opponent entropy me=012:0H1B",
    ],
)
def test_options_with_an_effect_are_accepted(line: str):
    assert run(*line.split()).exit_code == 0


def test_conflicts_are_reported_in_japanese():
    result = run("--lang", "ja", "hitblow", "play", "--first", "me")
    assert result.stderr.startswith("エラー：--who me のとき --first は")


def test_words_option_offers_every_member_of_words():
    assert tuple(Words) == WORDS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tictactoe", "winner", "--rows", "9"), "'--rows': expected a whole number from 1 to 8, not '9'."),
        (("tictactoe", "winner", "--workers", "0"), "'--workers': expected a whole number of 1 or more, not '0'."),
        (("tictactoe", "winner", "--rows", "two"), "'--rows': expected a whole number from 1 to 8, not 'two'."),
        (("hitblow", "check", "--seconds", "nan", "x"), "'--seconds': expected 0 or more seconds, not 'nan'."),
        (("web", "--port", "99999"), "'--port': expected a whole number from 0 to 65535, not '99999'."),
    ],
)
def test_numbers_out_of_range_are_refused_with_the_range(arguments: tuple[str, ...], said: str):
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "整数" in (japanese := run(*arguments, "--lang", "ja").stderr) or "秒数" in japanese
