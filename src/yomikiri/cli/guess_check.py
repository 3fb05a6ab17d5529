"""`yomikiri guess check`: certificates for games with lists of codes.

A certificate is a file that proves a lower bound of the total of guesses over all secrets. The functions of this module
write a certificate for a solved game, check a certificate, and compare its bound with the total of a strategy.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yomikiri.api.guessing_game import CODE_CONFLICTS, CODES, codes_of
from yomikiri.cli import certificates
from yomikiri.cli.asking import with_settings
from yomikiri.cli.base import INTERRUPTED, command, json_option
from yomikiri.common.host import usable_cores
from yomikiri.guessing.game import Game, Position
from yomikiri.wording import guessing as wording

if TYPE_CHECKING:
    from yomikiri.guessing.certificate.checker import ListGame
    from yomikiri.guessing.results import SolvedGame


@command(conflicts=CODE_CONFLICTS)
@click.argument("file")
@with_settings(*CODES)
@certificates.limits
@json_option
def check(file: str, workers: int | None, seconds: float | None, memory: int, as_json: bool, **given: Any) -> int:
    """Check a certificate: a proof that no strategy finds all secrets in fewer guesses in total.

    FILE may be compressed. Give the lists or the codes for which it was made. You need not trust the author of a
    certificate, but make sure that it names the kind of answers that you mean.
    """
    from yomikiri.api.results_guessing import AcceptedList

    game = Game(*codes_of(given))
    require_claimable(game.start)
    return certificates.report(
        lambda: _accept(file, game, workers=workers, seconds=seconds, memory=memory),
        AcceptedList.of,
        wording.accepted,
        as_json=as_json,
    )


def _accept(
    file: str, game: Game, *, workers: int | None = None, seconds: float | None = None, memory: int = 2048
) -> ListGame:
    """Check that a certificate in a file is valid for this game.

    Returns the checked game with the claim that is proven: a lower bound of the total of guesses. Raises an
    `InputError` if the file cannot be opened, a `CheckError` if the certificate is rejected, and `Stopped` if the time
    limit or Ctrl-C came first.
    """
    from yomikiri.guessing.certificate.check import check_certificate
    from yomikiri.guessing.certificate.writer import weights_of

    processes = workers or usable_cores()
    return certificates.accept(
        file,
        lambda content, budget: check_certificate(
            content, weights_of(game), game.guesses, workers=processes, memory=memory << 20, budget=budget
        ),
        seconds,
    )


def require_claimable(position: Position) -> None:
    """Raise an `InputError` if certificates do not support this game.

    Called before the game is solved, because solving may take long.
    """
    from yomikiri.guessing.certificate.writer import head

    head(position, 0)


def certify(position: Position, solved: SolvedGame, first: str | None, path: Path, workers: int | None) -> int:
    """Write a certificate for a solved game and check it; return the exit status.

    If `first` is given, the certificate is about the strategies that begin with that guess. Ctrl-C during the writing
    leaves no file. Ctrl-C during the check leaves a certificate that is not checked.
    """
    from yomikiri.guessing.certificate.writer import write_certificate

    is_checked = certificates.write_and_check(
        path,
        lambda: certificates.write(
            path,
            lambda write, budget: write_certificate(
                position, solved.total, write, first=first, workers=workers or usable_cores(), budget=budget
            ),
            wording.progress,
        ),
        lambda: _accept(str(path), position.game, workers=workers),
    )
    return 0 if is_checked else INTERRUPTED


def check_bound(position: Position, solved: SolvedGame, file: str) -> None:
    """Check that the certificate in a file proves that no strategy for this game has a smaller total than `solved`.

    Raises a `CheckError` if the certificate is rejected or proves another claim, and the other errors of
    `certificates.accept`.
    """
    from yomikiri.guessing.certificate.writer import head

    certificates.require_claim(_accept(file, position.game).head, head(position, solved.total))
