"""`yomikiri hitblow check`: certificates of optimality.

A certificate is a file that proves a lower bound of the total of guesses over all secrets. The functions of this module
write a certificate for a solved game, check a certificate, and compare its bound with the total of a strategy.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yomikiri.cli import certificates
from yomikiri.cli.base import INTERRUPTED, command, json_option
from yomikiri.common.host import usable_cores
from yomikiri.hitblow.strategy.strategy import Cost, Evidence, Strategy, Task
from yomikiri.wording import proof as wording

if TYPE_CHECKING:
    from yomikiri.hitblow.certificate.checker import CertificateGame
    from yomikiri.hitblow.search.solution import Solution


@command()
@click.argument("file")
@certificates.limits
@json_option
def check(file: str, workers: int | None, seconds: float | None, memory: int, as_json: bool) -> int:
    """Check a certificate: a proof that no strategy finds all secrets in fewer guesses in total.

    FILE may be compressed. You need not trust the author of a certificate, but make sure that it names the game you
    mean.
    """
    from yomikiri.api.results_strategy import Accepted

    return certificates.report(
        lambda: accept(file, workers=workers, seconds=seconds, memory=memory),
        Accepted.of,
        wording.accepted,
        as_json=as_json,
    )


def require_claimable(task: Task) -> None:
    """Raise an `InputError` if no certificate can be written for a task.

    A task consists of the rules, the facts known at the start, and the objective. This function is called before the
    task is solved, because solving may take long.
    """
    from yomikiri.hitblow.certificate.check import head

    head(task, 0)


def write_and_check(solution: Solution, strategy: Strategy, path: Path, memory: int) -> tuple[Solution, int]:
    """Write a certificate for a solved game and check it. Returns a solution and the exit status.

    After a successful check, the solution is marked as checked. The solution is unchanged if its strategy is not
    proven, and after Ctrl-C. Ctrl-C during the writing leaves no file. Ctrl-C during the check leaves a certificate
    that is not checked.
    """
    if strategy.proof.kind is not Evidence.OPTIMAL:
        return solution, 0
    is_checked = certificates.write_and_check(
        path, lambda: _write(strategy, path, memory), lambda: check_bound(strategy, strategy.cost, str(path))
    )
    if not is_checked:
        return solution, INTERRUPTED
    return replace(solution, strategy=replace(strategy, proof=replace(strategy.proof, checked=True))), 0


def _write(strategy: Strategy, path: Path, memory: int) -> None:
    from yomikiri.hitblow.certificate.writer import write_certificate

    certificates.write(
        path,
        lambda write, budget: write_certificate(
            strategy.task, strategy.cost.total_guesses, write, memory=memory, budget=budget
        ),
        wording.progress,
    )


def accept(
    file: str, *, workers: int | None = None, seconds: float | None = None, memory: int = 2048
) -> CertificateGame:
    """Check that the certificate in a file is valid.

    Returns its game with the claim that is proven: a lower bound of the total of guesses. Raises the errors of
    `certificates.accept`.
    """
    from yomikiri.hitblow.certificate.check import check_certificate

    processes = workers or usable_cores()
    return certificates.accept(
        file,
        lambda content, budget: check_certificate(content, workers=processes, memory=memory << 20, budget=budget),
        seconds,
    )


def check_bound(strategy: Strategy, cost: Cost, file: str) -> None:
    """Check that the certificate in a file proves that no strategy for the same game costs less than `cost`.

    Raises a `CheckError` if the certificate is rejected or proves another claim, and the other errors of `accept`.
    """
    from yomikiri.hitblow.certificate.check import head

    expected = head(strategy.task, cost.total_guesses)
    game = accept(file)
    claim = f"certificate 1 {game.p} {game.q} {game.repeats} {game.absent} {game.total}"
    # Compare the turns as a set, because their order does not change the claim.
    words, start = expected.split(), claim.split()
    is_same = words[: len(start)] == start and sorted(words[len(start) :]) == sorted(game.turns)
    certificates.require_claim(expected if is_same else " ".join([claim, *game.turns]), expected)
