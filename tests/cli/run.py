"""Running a command in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from yomikiri.cli.main import cli


def run(*arguments: str, given: str | bytes = "") -> Result:
    """The result of the command line, with `given` on standard input; an unexpected exception fails the test."""
    result = CliRunner().invoke(cli, list(arguments), input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
