"""Games in progress on disk: the only writer of a user's files.

Every game has its own file, written beside and renamed, so that neither a crash nor a second terminal damages it. To
take up a game again is to rename its file: of two terminals that try, one gets it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yomikiri.errors import InputError, YomikiriError
from yomikiri.hitblow.knowledge import Knowledge, knowledge_of
from yomikiri.hitblow.rules import Repeats, Rules, Turn

FORMAT = "yomikiri-game"
VERSION = 1


def default_folder() -> Path:
    """Where this user's games are kept."""
    from platformdirs import user_data_path

    return user_data_path("yomikiri", appauthor=False) / "games"


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game of Hit & Blow on disk."""

    path: Path
    known: Knowledge
    saved_at: float


@dataclass
class Keeper:
    """Keeps one game in one file; a new game gets a new file, and a finished one is removed."""

    folder: Path = field(default_factory=default_folder)
    path: Path | None = None

    def keep(self, known: Knowledge) -> None:
        """Write the game as it is now; a game without turns has nothing to lose and no file. Raises `OSError`."""
        if not known.turns:
            self.drop()
            return
        if self.path is None:
            self.path = self.folder / _fresh_name()
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".tmp")
        beside.write_text(json.dumps(_document(known), ensure_ascii=False), encoding="utf-8")
        os.replace(beside, self.path)

    def drop(self) -> None:
        """Remove the file: the game is over, or was given up."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None

    def release(self) -> None:
        """Leave the file for another time; what comes is another game."""
        self.path = None

    def latest(self, rules: Rules) -> SavedGame | None:
        """The game of these rules that was saved last, if any; files that cannot be read are passed over."""
        games = (game for game in self._games() if game.known.rules == rules)
        return max(games, key=lambda game: game.saved_at, default=None)

    def take_up(self, game: SavedGame) -> bool:
        """Make the saved game this keeper's; False if another terminal was faster."""
        mine = self.folder / _fresh_name()
        try:
            os.rename(game.path, mine)
        except OSError:
            return False
        self.path = mine
        return True

    def _games(self) -> Iterator[SavedGame]:
        try:
            paths = sorted(self.folder.glob("*.json"))
        except OSError:
            return
        for path in paths:
            try:
                known = _knowledge(json.loads(path.read_text(encoding="utf-8")))
                yield SavedGame(path, known, path.stat().st_mtime)
            except (OSError, ValueError, RecursionError, YomikiriError):
                continue


def _fresh_name() -> str:
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(4).hex()}.json"


def _document(known: Knowledge) -> dict[str, Any]:
    rules = known.rules
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": {"digits": rules.digits, "symbols": rules.symbols, "repeats": str(rules.repeats)},
        "absent": known.absent,
        "turns": [str(turn) for turn in known.turns],
    }


def _knowledge(document: Any) -> Knowledge:
    """The knowledge in a document; raises `InputError` or `ValueError` for anything else."""
    match document:
        case {
            "format": "yomikiri-game",
            "version": 1,
            "rules": {"digits": int(digits), "symbols": str(symbols), "repeats": str(repeats)},
            "absent": str(absent),
            "turns": [*turns],
        } if turns and all(isinstance(turn, str) for turn in turns):
            return knowledge_of(
                Rules(digits, symbols, Repeats(repeats)),
                absent,
                tuple(Turn.parse(turn) for turn in turns),
            )
    raise InputError
