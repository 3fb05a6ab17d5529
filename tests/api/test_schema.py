"""JSON Schema of the documents: every document that a command prints matches its schema."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from tests.api.test_golden import COMMANDS, GOLDEN
from tests.cli.run import run

from yomikiri.api.schema import DIALECT, DOCUMENTS, schema_of
from yomikiri.hitblow.policies.book import VOLUMES, book_strategy
from yomikiri.hitblow.strategy.file import write_strategy

NAMES = {
    "suggest": "suggestion", "candidates": "candidates", "review": "review", "solve": "solved",
    "verify": "verification", "race": "race", "match": "match", "analyze": "analysis",
}  # fmt: skip


GUESS_NAMES = {
    "suggest": "suggestion", "candidates": "candidates", "review": "review", "solve": "solved",
    "simulate": "simulation", "simulate-all": "simulations", "verify": "verification", "verify-wrong": "verification",
}  # fmt: skip


def document_of(command: str) -> str:
    if command.startswith("guess-"):
        return f"guess-{GUESS_NAMES[command.removeprefix('guess-')]}"
    if command.startswith("simulate"):
        return "simulations" if command == "simulate-all" else "cost"
    return NAMES[command.partition("-")[0]]


def golden(command: str) -> Any:
    return json.loads((GOLDEN / f"{command}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("command", COMMANDS)
def test_documents_match_their_schemas(command: str):
    found = schema_of(document_of(command))
    assert found["$schema"] == DIALECT
    jsonschema_rs.validator_for(found).validate(golden(command))


@pytest.mark.parametrize("command", COMMANDS)
def test_schema_rejects_unknown_and_missing_keys(command: str):
    check, document = jsonschema_rs.validator_for(schema_of(document_of(command))), golden(command)
    assert not check.is_valid({**document, "bogus": 1})
    assert not check.is_valid({key: value for key, value in document.items() if key != "schema_version"})
    assert not check.is_valid({**document, "schema_version": 2})


def test_strategies_match_their_schema():
    check = jsonschema_rs.validator_for(schema_of("strategy"))
    for strategy in (book_strategy(volume.task) for volume in VOLUMES[:3]):
        assert strategy
        written = json.loads(write_strategy(strategy))
        check.validate(written)
        assert not check.is_valid({**written, "tree": {"guess": "012", "on": {"0H0X": {"guess": "345"}}}})


def test_schemas_are_valid():
    for name in DOCUMENTS:
        jsonschema_rs.meta.validate(schema_of(name))


@pytest.mark.parametrize("options", [["--within", "4"], ["--consistent", "crate:02202"], ["--answers", "sum"]], ids=str)
def test_exported_strategies_for_lists_match_their_schema(options: list[str]):
    written = run("guess", "export", *options, "--secrets", "-", given="brake\ncrane\ncrate\ndrake\ngrape,4\n")
    assert written.exit_code == 0
    jsonschema_rs.validator_for(schema_of("guess-strategy")).validate(json.loads(written.stdout))


@pytest.mark.parametrize("options", [["has=3"], ["--no-leading", "0"], ["--weights", "-"], ["01:0H1B"], []], ids=str)
def test_exported_files_match_their_schema(options: list[str]):
    weights = "01,1\n12,5\n" if "--weights" in options else ""
    written = run("hitblow", "export", *options, "--digits", "2", "--symbols", "0123", given=weights)
    assert written.exit_code == 0
    jsonschema_rs.validator_for(schema_of("strategy")).validate(json.loads(written.stdout))
