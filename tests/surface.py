"""The public interface of the program: Python names, commands, options, JSON keys, requests, addresses, exit statuses.

`python -m tests.surface > tests/frozen/surface.json` records the interface of the importable package. `test_frozen.py`
checks that no recorded item disappears; a release records its additions.
"""

from __future__ import annotations

import inspect
import json
import os
import shlex
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import click

FROZEN = Path(__file__).with_name("frozen")


PACKAGES = (
    "yomikiri",
    "yomikiri.env",
    "yomikiri.guessing",
    "yomikiri.hitblow",
    "yomikiri.hitblow.policies",
    "yomikiri.tictactoe",
)


def names() -> dict[str, list[str]]:
    """Return the arguments of each public Python name, and for classes also the members with their arguments."""
    found = {}
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            found[f"{package}.{name}"] = [*arguments(thing), *(members(thing) if inspect.isclass(thing) else ())]
    return found


def members(kind: type) -> Iterator[str]:
    """Yield the public members of a class that the package defines, with their arguments."""
    ours = [each for each in kind.__mro__ if each.__module__.startswith("yomikiri.")]
    every = {name for each in ours for name in (*vars(each), *vars(each).get("__annotations__", ()))}
    for name in sorted(name for name in every if not name.startswith("_")):
        yield f".{name}"
        if inspect.isroutine(getattr(kind, name, None)):
            yield from (f".{name} {each}" for each in arguments(getattr(kind, name)))


def arguments(thing: Any) -> Iterator[str]:
    """Yield the arguments of a callable, with the index of those that can be positional."""
    if not callable(thing) or isinstance(thing, type(Enum)):
        return
    for place, parameter in enumerate(inspect.signature(thing).parameters.values()):
        by_place = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        yield f"{place} {parameter.name}" if by_place else parameter.name


def commands(group: click.Command, name: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield the path of each command with its options (names, and whether they take a value) and arguments."""
    context = click.Context(group)
    inputs = []
    for param in group.params:
        if isinstance(param, click.Option):
            names = "/".join([*param.opts, *param.secondary_opts])
            inputs.append(names if param.is_flag or param.count else f"{names} VALUE")
        else:
            inputs.append((param.name or "").upper() + ("..." if param.nargs == -1 else ""))
    yield name, sorted(inputs)
    if isinstance(group, click.Group):
        for each in sorted(group.list_commands(context)):
            command = group.get_command(context, each)
            assert command is not None
            yield from commands(command, f"{name} {each}".strip())


def keys(schema: dict[str, Any], whole: dict[str, Any], path: str = "", within: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the path of each key in a JSON Schema; recursive references are followed once."""
    if "$ref" in schema:
        reference = schema["$ref"]
        if reference in within:
            return
        target: Any = whole
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]
        yield from keys(target, whole, path, (*within, reference))
    for some in (schema.get("anyOf", []), schema.get("oneOf", []), schema.get("allOf", [])):
        for each in some:
            yield from keys(each, whole, path, within)
    for key, value in schema.get("properties", {}).items():
        yield f"{path}.{key}"
        yield from keys(value, whole, f"{path}.{key}", within)
    for inner, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(schema.get(inner), dict):
            yield from keys(schema[inner], whole, path + mark, within)
    for each in schema.get("prefixItems", []):
        yield from keys(each, whole, path + "[]", within)


def documents() -> dict[str, list[str]]:
    """Return the keys of each document and request by its name in `yomikiri schema`."""
    from yomikiri.cli.programs import schema

    names = _printed(schema, []).split()
    found = {}
    for name in names:
        text = json.loads(_printed(schema, [name]))
        found[name] = sorted(set(keys(text, text)))
    return found


def _printed(command: click.Command, arguments: list[str]) -> str:
    from click.testing import CliRunner

    return CliRunner().invoke(command, arguments).stdout


def api() -> dict[str, list[str]]:
    """Return the parameters of each address of the API."""
    from tests.web.client import get

    description = json.loads(get("/api/v1/openapi.json").body)
    whole = description
    found = {}
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            params = [
                whole["components"]["parameters"][each["$ref"].split("/")[-1]] if "$ref" in each else each
                for each in operation.get("parameters", [])
            ]
            found[f"{method} {path}"] = sorted(each["name"] for each in params)
    return found


def addresses() -> list[str]:
    """Return the paths of all pages and files of the server."""
    from yomikiri.web.app import routes

    return sorted(route.path for route in routes())


def statuses() -> dict[str, int]:
    """Return the exit status of each command in `frozen/commands.txt` without input, run in the folder `tests`."""
    from click.testing import CliRunner

    from yomikiri.cli.main import cli

    os.chdir(FROZEN.parent)
    lines = (FROZEN / "commands.txt").read_text(encoding="utf-8").splitlines()
    return {line: CliRunner().invoke(cli, shlex.split(line)).exit_code for line in lines}


def opened() -> dict[str, list[Any]]:
    """Return for each address in `frozen/addresses.txt` its status, and its game as the page would write it."""
    from tests.web.client import get

    from yomikiri.common.errors import YomikiriError
    from yomikiri.web import hitblow_address, play_address, tictactoe_address

    readers = {
        "/hitblow": hitblow_address.read,
        "/match": hitblow_address.read_match,
        "/play": play_address.read,
        "/tictactoe": tictactoe_address.read,
    }
    found = {}
    for address in (FROZEN / "addresses.txt").read_text(encoding="utf-8").splitlines():
        reader = readers.get(urlsplit(address).path)
        try:
            written = str(reader(parse_qsl(urlsplit(address).query))) if reader else None
        except YomikiriError:
            written = None
        found[address] = [get(address).status, written]
    return found


def surface() -> dict[str, Any]:
    """Return the complete interface."""
    from yomikiri.cli.main import cli

    return {
        "names": names(),
        "commands": dict(commands(cli)),
        "documents": documents(),
        "api": api(),
        "addresses": addresses(),
        "opened": opened(),
        "statuses": statuses(),
    }


if __name__ == "__main__":
    print(json.dumps(surface(), indent=1, ensure_ascii=False))
