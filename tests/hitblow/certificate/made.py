"""Certificates of small games as lines, and a checker that records its claims about sets."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import Any

import numpy as np

from yomikiri.hitblow.certificate import checker
from yomikiri.hitblow.certificate.writer import write_certificate
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.strategy.strategy import Task

SYMBOLS = "0123456789"


@lru_cache
def certificate(
    digits: int, symbols: int, repeats: str, total: int, turns: tuple[str, ...] = (), absent: str = ""
) -> tuple[str, ...]:
    """Return the lines of a certificate."""
    lines: list[str] = []
    task = Task(Rules(digits, SYMBOLS[:symbols], repeats), absent, tuple(map(Turn.parse, turns)))  # type: ignore[arg-type]
    write_certificate(task, total, lines.append)
    return tuple(lines)


def as_file(lines: Any) -> BytesIO:
    return BytesIO("".join(f"{line}\n" for line in lines).encode())


class Logged(checker.CertificateGame):
    """A game that records each set with its proven bound."""

    claims: dict[tuple[bytes, int], Any]

    def open(self, s: Any, least: int, among: Any = np.True_) -> Any:
        if not hasattr(self, "claims"):
            self.claims = {}
        self.claims[s.tobytes(), least] = s
        return super().open(s, least, among)


def checked(lines: Any, kind: type[checker.CertificateGame] = checker.CertificateGame) -> Any:
    """Return the game after checking a certificate, or the reason of its rejection."""
    try:
        return checker.check(as_file(lines), kind)
    except checker.Rejected as error:
        return str(error)


class Exact:
    """Least totals of small sets by a plain recursion over a separate table of hints."""

    def __init__(self, hints: list[list[tuple[int, int]]], digits: int) -> None:
        self.hints, self.win, self.transpositions = hints, (digits, 0), dict[tuple[int, ...], int]()

    def least(self, codes: tuple[int, ...]) -> int:
        """Return the least total of codes given by their numbers."""
        if len(codes) < 3:
            return (0, 1, 3)[len(codes)]
        if codes not in self.transpositions:
            best = 10**9
            for row in self.hints:
                cells: dict[tuple[int, int], list[int]] = {}
                for code in codes:
                    cells.setdefault(row[code], []).append(code)
                if len(cells) > 1:
                    rest = [tuple(cell) for hint, cell in cells.items() if hint != self.win]
                    low = len(codes) + sum(2 * len(cell) - 1 for cell in rest)
                    if low < best:
                        best = min(best, len(codes) + sum(map(self.least, rest)))
            self.transpositions[codes] = best
        return self.transpositions[codes]
