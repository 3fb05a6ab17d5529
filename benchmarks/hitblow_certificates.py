"""Write certificates of proven totals, check them, and report the time.

    python benchmarks/hitblow_certificates.py FOLDER [GAME ...] [--beside PROGRAM FOLDER]

A GAME is "5 of 8", "4 of 8 repeats" or "4 of 9 any guess"; the default is all games with a certificate in
docs/assets/results/certificates. Each game is solved, its certificate is written to FOLDER and checked by one process.
Seconds are CPU seconds of one thread. With `--beside`, another checker runs on its own certificates after each check.
PROGRAM is called with the file in its folder that is named after the game, such as 4-10-distinct-26274.cert.
"""

from __future__ import annotations

import argparse
import gzip
import resource
import subprocess
import sys
import time
from pathlib import Path

from yomikiri.hitblow.certificate.checker import CertificateGame, check, open_file
from yomikiri.hitblow.certificate.writer import write_certificate
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Task

SYMBOLS = "0123456789"
ENDINGS = {Repeats.NONE: "", Repeats.GUESS: " any guess", Repeats.ALL: " repeats"}
KINDS = {ending.strip(): repeats for repeats, ending in ENDINGS.items()}


def games_with_certificates() -> list[str]:
    """Return the games whose certificates are in the repository."""
    games = [f"{digits} of {symbols}" for digits in (2, 3, 4) for symbols in range(digits, 11)]
    games += [f"{digits} of {symbols} repeats" for digits in (2, 3, 4) for symbols in range(2, 11)]
    games += [f"{digits} of {symbols} any guess" for digits in (2, 3, 4) for symbols in range(digits, 11)]
    left_out = ("4 of 9 repeats", "4 of 10 repeats", "4 of 10 any guess")
    return [game for game in games if game not in left_out] + ["5 of 5", "5 of 6", "5 of 7"]


def rules_of(game: str) -> Rules:
    """Return the rules of a game by its name."""
    digits, _, symbols, *repeats = game.split()
    return Rules(int(digits), SYMBOLS[: int(symbols)], KINDS[" ".join(repeats)])


def write_certificate_of(game: str, folder: Path) -> tuple[Path, list[str], list[str]]:
    """Solve a game and write its certificate.

    Returns the file, and the columns of the game's table row that come before and after the columns of the check.
    """
    task = Task(rules_of(game))
    strategy = solve(task, ties=False).strategy
    assert strategy
    total, path = strategy.cost.total_guesses, folder / f"{game.replace(' ', '-')}.cert.gz"
    begun, size = time.process_time(), 0
    with gzip.GzipFile(path, "wb", mtime=0) as file:

        def write(line: str) -> None:
            nonlocal size
            size += file.write(f"{line}\n".encode())

        write_certificate(task, total, write)
    seconds = time.process_time() - begun
    before = [game, f"{strategy.cost.secrets:,}", f"**{total:,}**"]
    return path, before, [f"{size:,}", f"{path.stat().st_size:,}", f"{seconds:.1f}"]


def check_certificate(path: Path) -> tuple[CertificateGame, float]:
    """Check a certificate. Returns the game and the total that it proves, and the CPU seconds."""
    begun = time.process_time()
    with open_file(str(path)) as file:
        shown = check(file)
    return shown, time.process_time() - begun


def seconds_of_other_checker(program: str, folder: Path, game: str) -> float | None:
    """Return the CPU seconds of another program with its own certificate of a game, if it has one."""
    digits, _, symbols, *repeats = game.split()
    begin = f"{digits}-{symbols}-{'repeats' if repeats else 'distinct'}-"
    for path in sorted(folder.glob(f"{begin}*.cert")):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, program, path], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return None


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--beside", nargs=2, metavar=("PROGRAM", "FOLDER"))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print("| game | secrets | total | lemmas | leaves | bytes | compressed | write s | check s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for game in given.games or games_with_certificates():
        path, before, after = write_certificate_of(game, given.folder)
        shown, seconds = check_certificate(path)
        line = " | ".join([*before, f"{shown.lemmas:,}", f"{shown.leaves:,}", *after])
        other = seconds_of_other_checker(given.beside[0], Path(given.beside[1]), game) if given.beside else None
        print(
            f"| {line} | {seconds:.2f} |" + (f" beside {other:.2f}: {seconds / other:.2f}" if other else ""), flush=True
        )


if __name__ == "__main__":
    main()
