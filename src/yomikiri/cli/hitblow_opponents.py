"""`yomikiri hitblow opponents`: past secrets of opponents, from which the weights of their next secrets are learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from yomikiri.cli.asking import options_of
from yomikiri.cli.base import Group, given_values
from yomikiri.cli.hitblow_shared import recorded_weights
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.model.game import RULES, rules_of
from yomikiri.hitblow.model.notation import parse_code
from yomikiri.hitblow.model.prior import PastSecrets
from yomikiri.hitblow.model.rules import Rules
from yomikiri.saves import Opponents
from yomikiri.settings import without
from yomikiri.wording import _, cause, ngettext, sentence
from yomikiri.wording.hitblow import rules_text


@click.group(cls=Group)
def opponents() -> None:
    """Record the secrets that an opponent chose, for --secrets-of NAME.

    They stay on this computer, and no web page shows them.
    """


@opponents.command()
@click.argument("name")
@click.argument("codes", nargs=-1, required=True)
@options_of(*RULES)
@click.pass_context
def add(ctx: click.Context, name: str, codes: tuple[str, ...]) -> None:
    """Record secrets that NAME chose."""
    rules = _rules(ctx)
    past = _changed(name, lambda past: past.add(rules, _read(codes, rules)))
    click.echo(_counted(past, rules))


@opponents.command(name="list")
@click.argument("name", required=False)
def list_(name: str | None) -> None:
    """List the secrets recorded for NAME, or the number recorded for each opponent."""
    if name is None:
        recorded_opponents = Opponents().all()
        if not recorded_opponents:
            click.echo(_("There are no records yet. Add secrets with 'opponents add NAME CODE'."), err=True)
        for past in recorded_opponents:
            if isinstance(past, InputError):
                click.echo(_("skipped: {reason}").format(reason=sentence(past)), err=True)
                continue
            for rules, _codes in past.codes:
                click.echo(_counted(past, rules))
        return
    recorded = Opponents().read(name).codes
    if not recorded:
        raise InputError(N_("the record of {name} is empty: add secrets with 'opponents add'"), name=name)
    for rules, codes in recorded:
        click.echo(_("{rules}: {codes}").format(rules=rules_text(rules), codes=" ".join(codes)))


@opponents.command()
@click.argument("name")
@options_of(*RULES)
@click.pass_context
def export(ctx: click.Context, name: str) -> None:
    """Write the weights learned from the secrets of NAME, in the format of --weights."""
    for code, weight in recorded_weights(name, _rules(ctx)):
        click.echo(f"{code},{weight}")


@opponents.command()
@click.argument("name")
@click.argument("codes", nargs=-1)
@options_of(*RULES)
@click.pass_context
def delete(ctx: click.Context, name: str, codes: tuple[str, ...]) -> None:
    """Delete the record of NAME, or one entry for each CODE."""
    if not codes:
        if given_values(ctx):
            raise without(f"--{next(iter(given_values(ctx)))}", "CODE")
        _changed(name, lambda past: PastSecrets(past.name))
        click.echo(_("The record of {name} is now empty.").format(name=name))
        return
    rules = _rules(ctx)
    past = _changed(name, lambda past: past.delete(rules, _read(codes, rules)))
    click.echo(_counted(past, rules))


def _rules(ctx: click.Context) -> Rules:
    return rules_of(given_values(ctx))


def _read(codes: Sequence[str], rules: Rules) -> list[str]:
    return [rules.check_secret(parse_code(code, rules)) for code in codes]


def _changed(name: str, change: Callable[[PastSecrets], PastSecrets]) -> PastSecrets:
    try:
        return Opponents().change(name, change)
    except OSError as error:
        raise InputError(N_("the record of {name} cannot be saved: {reason}"), name=name, reason=cause(error)) from None


def _counted(past: PastSecrets, rules: Rules) -> str:
    """Return a sentence with the number of secrets that are recorded for these rules."""
    count = len(past.of(rules))
    message = ngettext("{name}: {count} secret ({rules})", "{name}: {count} secrets ({rules})", count)
    return message.format(name=past.name, count=count, rules=rules_text(rules))
