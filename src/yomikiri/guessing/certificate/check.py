"""Check of a certificate for a game with the user's lists of codes, by several processes and within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from time import monotonic
from typing import Any

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.guessing.certificate.checker import ListGame, lines_of, need
from yomikiri.guessing.certificate.pool import CertificatePool, CheckProgress

# One process checks one part of a certificate. A part ends after _PART guesses at the first turn, or as soon as it
# exceeds _LONG bytes.
_PART, _LONG = 8, 1 << 20
# Limit on the size of a part, in bytes. A part may exceed _LONG, because a guess at the first turn is never separated
# from its *lemmas*: the proofs of lower bounds that its line needs.
_MOST = 1 << 28


def check_certificate(
    file: Any,
    secrets: Mapping[str, int],
    guesses: Iterable[str],
    *,
    workers: int = 1,
    memory: float = 1 << 31,
    budget: Budget = UNLIMITED,
) -> ListGame:
    """Check the certificate in an open binary file, and return the game that it is about.

    `secrets` contains the secrets of this game with their weights, and `guesses` the guesses. The returned game
    contains the lower bound that the certificate proves: no strategy takes fewer guesses in total. Each guess counts
    with the weight of the secret.

    To prove it, a certificate uses lower bounds for smaller sets of secrets. A *scan* compares all guesses with one
    set. A *leaf* is a bound that one scan proves. A *lemma* is a bound with a longer proof, which the certificate
    contains. The returned game contains the numbers of lemmas and leaves.

    `workers` processes share the first guesses, each with its own table of answers of at most `memory` bytes. If the
    budget limits the number of states, each scan counts as one. Raises `checker.NotAProof` for an invalid certificate,
    and `Stopped` if the budget ends first.
    """
    progress = CheckProgress(budget, monotonic())
    lines, lists = lines_of(file), ({**secrets}, [*guesses])
    first = next(lines, "")
    game = ListGame(first, *lists, memory, progress.count)
    if workers == 1:
        game.check(lines)
    else:
        _check_in_processes(game, (first, *lists, memory), lines, workers, progress)
    return game


def _check_in_processes(
    game: ListGame, arguments: tuple[Any, ...], lines: Iterator[str], workers: int, progress: CheckProgress
) -> None:
    needed, met = game.first_guesses(), set[int]()

    def receive(result: tuple[list[int], int, int, int]) -> None:
        guesses, scans, lemmas, leaves = result
        for guess in guesses:
            need(guess not in met, f"guess {guess} appears twice")
            met.add(guess)
        progress.worker_scans += scans
        progress.worker_lemmas += lemmas
        game.lemmas += lemmas
        game.leaves += leaves
        progress.count(game.scans)

    pool = CertificatePool[tuple[list[int], int, int, int]](
        workers, _begin, arguments, receive, lambda: progress.poll(game.scans)
    )
    try:
        for part in _parts(lines):
            pool.submit(_check, part)
        pool.wait_for_all()
    finally:
        pool.close()
    need(needed <= met, "a first guess is missing")


def _parts(lines: Iterator[str]) -> Iterator[list[str]]:
    """Yield the lines of a certificate, without its first and its last line, in parts that one process can check.

    A part contains some first guesses. The line of each is followed by its *lemmas*: proofs of lower bounds that the
    line needs.
    """
    part, firsts, size, open_lemmas = list[str](), 0, 0, 0
    for line in lines:
        if line == "." and not open_lemmas:
            break
        part.append(line)
        size += len(line) + 64
        need(size < _MOST, "a first guess has too many lines")
        open_lemmas += -1 if line == "." else line.count("+")
        if not open_lemmas:
            firsts += 1
            if firsts == _PART or size > _LONG:
                yield part
                part, firsts, size = [], 0, 0
    else:
        need(False, "the end is missing")
    need(next(lines, None) is None, "lines after the end")
    if part:
        yield part


_game: ListGame | None = None  # the game that the certificate is about; set in worker processes only


def _begin(head: str, secrets: dict[str, int], guesses: list[str], memory: float) -> None:
    """Initialise a worker process with its own table of answers. `head` is the first line of the certificate."""
    global _game
    _game = ListGame(head, secrets, guesses, memory)


def _check(part: list[str]) -> tuple[list[int], int, int, int]:
    """Check a part of a certificate in a worker process: some first guesses with their lemmas.

    Returns the indices of these guesses, and the numbers of scans, lemmas and leaves. A *scan* compares all guesses
    with one set of secrets. A *leaf* is a bound that one scan proves.
    """
    assert _game is not None
    before = _game.scans, _game.lemmas, _game.leaves
    _game.lines = iter(part)
    guesses = [_game.first_guess(line) for line in _game.lines]
    return guesses, _game.scans - before[0], _game.lemmas - before[1], _game.leaves - before[2]
