"""What was worked out, kept in a file while the work goes on, so that a run that was killed continues where it was.

One file that holds the tables of all games (`tables_file`); each save writes a new one beside it and puts that in its
place, so that a crash leaves one or the other whole. Positions are not kept: with the forms at hand they are the
smaller part of the work.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from yomikiri.errors import N_, InputError
from yomikiri.hitblow.race.public.kernels.tables import KEPT, Tables, check, filled, game_of, kept, small_tables
from yomikiri.hitblow.race.public.tables_file import Arrays, chunks, read
from yomikiri.hitblow.rules import Rules


class Store:
    """The file of one run: a new one, an empty one, or one that holds work under the same rules."""

    def __init__(self, path: Path, *games: Rules) -> None:
        self._path, self._games = path.resolve(), [game_of(rules) for rules in games]
        self._about = ", ".join(f"{rules.digits} {len(rules.symbols)} {rules.repeats.value}" for rules in games)

    def load(self) -> list[Tables]:
        """What is known of each game; a new file is begun.

        Raises an `InputError` for a damaged file and for any other, and nothing is written into it.
        """
        empty = [small_tables(game) for game in self._games]
        try:
            if not self._path.exists() or (self._path.is_file() and self._path.stat().st_size == 0):
                self.save(empty)
                return empty
            if not self._path.is_file():  # opening a pipe would wait for somebody to write
                raise _unusable(self._path)
            with self._path.open("rb") as file:
                arrays = read(file, self._about, _parts(empty))
            tables = [filled(game, {n: arrays[f"{n} {i}"] for n in KEPT}) for i, game in enumerate(self._games)]
            for game, of_game in zip(self._games, tables, strict=True):
                check(game, of_game)
        except (OSError, ValueError):
            raise _unusable(self._path) from None
        return tables

    def save(self, tables: Sequence[Tables]) -> None:
        """Keep the tables of all games; raises an `InputError` if they cannot be written."""
        beside = self._path.with_name(f"{self._path.name}.unfinished")
        try:
            with beside.open("wb") as file:
                file.writelines(chunks(self._about, _parts(tables)))
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self._path)
        except OSError:
            raise _unusable(self._path) from None


def _parts(tables: Sequence[Tables]) -> Arrays:
    return {f"{name} {i}": rows for i, of_game in enumerate(tables) for name, rows in kept(of_game).items()}


def _unusable(path: Path) -> InputError:
    return InputError(
        N_("{given} cannot store this work: choose a new file, or an undamaged one for the same rules and version"),
        given=str(path),
    )
