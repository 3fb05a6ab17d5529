"""Proven bounds of first guesses, kept in a file, so that a later run continues a proof.

The file is a store (`common.stores`). Its header describes the position and contains digests of the lists of codes, so
that bounds are used for the same game only. Each record contains a guess with a lower and an upper bound of the cost of
all strategies that begin with it.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import Self

from yomikiri.common.errors import N_, InputError, Place
from yomikiri.common.stores import StoreFile, StoreKind
from yomikiri.guessing.first_guesses import FirstGuessStore, GuessBounds
from yomikiri.guessing.game import Position
from yomikiri.guessing.lists import digest


def _other_game(given: str, about: str, wanted: str) -> InputError:
    """Return the error for a store that belongs to another game.

    It names the first difference between the two games.
    """
    stored, new = json.loads(about), json.loads(wanted)
    part = next(name for name in new if stored.get(name) != new[name])
    file, before, now = Place(given), str(stored.get(part) or ""), str(new[part] or "")
    match part:
        case "secrets":
            return InputError(N_("{file} is for another list of secrets: give that list, or a new file"), file=file)
        case "guesses":
            return InputError(N_("{file} is for another list of guesses: give that list, or a new file"), file=file)
        case "turns":
            return InputError(N_("{file} is for a game after other turns: give those turns, or a new file"), file=file)
        case "answers":
            return InputError(N_("{file} is for the answers {before}, not {now}: give those, or a new file"),
                              file=file, before=before, now=now)  # fmt: skip
        case "within" if not before:
            return InputError(N_("{file} is for a game without a limit of guesses: give no limit, or a new file"),
                              file=file)  # fmt: skip
        case "within" if not now:
            return InputError(N_("{file} is for the limit of guesses {before}: give that limit, or a new file"),
                              file=file, before=before)  # fmt: skip
        case "within":
            return InputError(N_("{file} is for the limit of guesses {before}, not {now}: give that, or a new file"),
                              file=file, before=before, now=now)  # fmt: skip
    return InputError(N_("{file} is for the guess rule {before}, not {now}: give that rule, or a new file"),
                      file=file, before=before, now=now)  # fmt: skip


KIND = StoreKind(
    "yomikiri first guesses",
    1,
    {"bounds": ("guess text not null", "lower integer not null", "upper integer not null")},
    other=_other_game,
)
_SECONDS_BETWEEN_SAVES = 1.0


class FirstGuessFile(FirstGuessStore):
    """A file with bounds of first guesses. No other process can use it while it is open.

    Raises an `InputError` if the file cannot be used, and for a file about another position.
    """

    def __init__(self, path: Path, position: Position) -> None:
        super().__init__()
        self._file, self._saved = StoreFile(path, KIND, about(position)), monotonic()
        try:
            with self._file.reporting_damage():
                for guess, lower, upper in self._file.rows("bounds"):
                    self._merge(str(guess), GuessBounds(int(lower), int(upper)))  # type: ignore[arg-type]
        except BaseException:
            self._file.close()
            raise

    def _merge(self, guess: str, bounds: GuessBounds) -> None:
        before = self.bounds.get(guess, bounds)
        self.bounds[guess] = GuessBounds(max(before.lower, bounds.lower), min(before.upper, bounds.upper))

    def learn(self, guess: str, bounds: GuessBounds) -> None:
        self._file.add("bounds", guess, bounds.lower, bounds.upper)
        if monotonic() - self._saved > _SECONDS_BETWEEN_SAVES:
            self.save()

    def save(self) -> None:
        self._file.save()
        self._saved = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        with self._file:
            self.save()


def about(position: Position) -> str:
    """Return a description of the position as JSON for the header of a store: rules, turns, digests of the lists."""
    game = position.game
    subject = {
        "answers": game.answers.NAME,
        "rule": game.guess_rule.name.lower(),
        "within": game.guess_limit,
        "secrets": digest(zip(game.secrets, game.weights, strict=True)),
        "guesses": digest((guess, 0) for guess in game.guesses),
        "turns": [f"{turn.guess}:{turn.answer}" for turn in position.turns],
    }
    return json.dumps(subject, ensure_ascii=False)
