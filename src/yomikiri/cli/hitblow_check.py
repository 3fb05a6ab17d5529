"""`yomikiri hitblow check`: a certificate that no strategy takes less."""

from __future__ import annotations

import click

from yomikiri.budget import Stopped
from yomikiri.cli.base import INTERRUPTED, Seconds, command, echo_json, json_option, option
from yomikiri.errors import CheckError
from yomikiri.wording import certificate as wording
from yomikiri.wording import sentence


@command()
@click.argument("file")
@option("--workers", type=click.IntRange(1, 1024),
        help="Number of processes for a certificate that is cut into sections; all processor cores by "
             "default.")  # fmt: skip
@option("--seconds", type=Seconds(min=0), help="Stop after so many seconds, undecided if it is not done.")
@option("--memory", type=click.IntRange(1, 1 << 20), default=2048, show_default=True,
        help="Size limit of the table of answers of each process, in MiB; games that need more are "
             "rejected.")  # fmt: skip
@json_option
def check(file: str, workers: int | None, seconds: float | None, memory: int, as_json: bool) -> int:
    """Check the certificate in FILE, plain or compressed: a proof that no strategy finds all secrets of a game in fewer
    guesses in total.

    What is accepted is right whoever wrote it. Compare the game that is named with the one that you mean.
    """
    from yomikiri.cli.certificates import accept
    from yomikiri.documents import strategies as documents

    try:
        game = accept(file, workers=workers, seconds=seconds, memory=memory)
    except CheckError as fault:
        if as_json:
            echo_json(documents.NotAccepted(False, sentence(fault)))
        raise
    except Stopped:
        if as_json:
            echo_json(documents.NotAccepted(None, wording.undecided()))
        else:
            click.echo(wording.undecided())
        return INTERRUPTED
    if as_json:
        echo_json(documents.accepted(game))
    else:
        for line in wording.accepted(game):
            click.echo(line)
    return 0
