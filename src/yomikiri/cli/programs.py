"""`yomikiri engine`, `schema` and `hitblow interact`: commands for other programs."""

from __future__ import annotations

import sys

import click

from yomikiri.api.queries_hitblow import (
    ALTERNATIVES,
    COMPARE,
    ITEM_TAKES_TURN,
    ITEMS,
    SECONDS_CONFLICT,
    SEED_CONFLICT,
    SuggestQuery,
)
from yomikiri.cli.base import command
from yomikiri.cli.files import read_line
from yomikiri.cli.hitblow_shared import with_game_query
from yomikiri.common.errors import N_, Choices, HintError, InputError
from yomikiri.hitblow.advice.suggestion import suggest
from yomikiri.hitblow.model.answers import parse_hint
from yomikiri.hitblow.model.game import UNCERTAIN
from yomikiri.hitblow.model.rules import Turn, no_code_fits
from yomikiri.wording import _

_HELLO = '{"id": 1, "request": "hello"}'


@command()
def engine() -> None:
    """Answer JSON questions, one per line, until the input ends: for programs that stay connected.

    Try: {"id": 1, "request": "hello"}
    """
    from yomikiri.api.engine import serve

    if sys.stdin.isatty():
        click.echo(
            _("Type one JSON request per line, such as {example}. Ctrl-D ends the input.").format(example=_HELLO),
            err=True,
        )
    serve(sys.stdin.buffer, sys.stdout.buffer)


@command()
@click.argument("name", required=False)
def schema(name: str | None) -> None:
    """Print the JSON Schema of the document NAME; without NAME, list the names."""
    import json

    from yomikiri.api import schema as schemas
    from yomikiri.api.lines import REQUESTS

    names = (*schemas.DOCUMENTS, "request")
    if name is None:
        click.echo("\n".join(names))
        return
    if name not in names:
        raise InputError(
            N_("{given!r} is not a document: expected one of {known}"), given=name, known=Choices(", ".join(names))
        )
    is_request = name == "request"
    found = schemas.schema(name, REQUESTS.values(), versioned=False) if is_request else schemas.schema_of(name)
    click.echo(json.dumps(found, ensure_ascii=False, indent=2))


@command(conflicts=(SECONDS_CONFLICT, SEED_CONFLICT))
@with_game_query(SuggestQuery, without=(*UNCERTAIN, ALTERNATIVES, COMPARE, ITEMS, ITEM_TAKES_TURN))
def interact(question: SuggestQuery) -> None:
    """Find a secret by the protocol of an interactive contest problem.

    Writes '? 012', reads the hits and blows '1 1', and so on; writes '! 345' as soon as the secret is certain.
    """
    game, chooser = question.game, question.chooser
    known = game.known
    while known.count > 1:
        guess = suggest(known, chooser).proposed.guess
        _write(f"? {guess}")
        line = read_line(sys.stdin)
        if not line:
            raise HintError(N_("the input ended: expected the hits and blows of {guess}, such as 1 1"), guess=guess)
        turn = Turn(guess, parse_hint(line, game.words))
        known = known.after(turn)
        if turn.hint == game.rules.win:
            break
    if not known.count:
        raise no_code_fits(known.facts)
    _write(f"! {known.codes(1)[0]}")


def _write(line: str) -> None:
    click.echo(line)
    sys.stdout.flush()
