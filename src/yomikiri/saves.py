"""Games in progress on disk: the only writer of a user's files.

Every game has its own file, written beside and renamed, so that neither a crash nor a second terminal damages it. To
take up a game again is to rename its file: of two terminals that try, one gets it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from yomikiri.errors import YomikiriError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import read_match, write_match
from yomikiri.hitblow.rules import Repeats, Rules, Turn

FORMAT = "yomikiri-game"
MATCH_FORMAT = "yomikiri-match"
VERSION = 1


def default_folder() -> Path:
    """Where this user's games are kept."""
    from platformdirs import user_data_path

    return user_data_path("yomikiri", appauthor=False) / "games"


G = TypeVar("G", Knowledge, Match)


@dataclass(frozen=True, slots=True)
class SavedGame(Generic[G]):
    """A game of Hit & Blow, or a match, on disk."""

    path: Path
    game: G
    saved_at: float


@dataclass
class Keeper(Generic[G]):
    """Keeps one game in one file; a new game gets a new file, and a finished one is removed.

    `write` and `read` are inverse: a game as a document, and back; `read` raises an `InputError` or `ValueError` for
    anything else. See `game_keeper` and `match_keeper`.
    """

    write: Callable[[G], dict[str, Any]]
    read: Callable[[Any], G]
    folder: Path = field(default_factory=default_folder)
    path: Path | None = None

    def keep(self, game: G) -> None:
        """Write the game as it is now; a game without turns has nothing to lose and no file. Raises `OSError`."""
        if not game.turns:
            self.drop()
            return
        if self.path is None:
            self.path = self.folder / _fresh_name()
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".tmp")
        beside.write_text(json.dumps(self.write(game), ensure_ascii=False), encoding="utf-8")
        os.replace(beside, self.path)

    def drop(self) -> None:
        """Remove the file: the game is over, or was given up."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None

    def release(self) -> None:
        """Leave the file for another time; what comes is another game."""
        self.path = None

    def latest(self, rules: Rules) -> SavedGame[G] | None:
        """The game of these rules that was saved last, if any; files that cannot be read are passed over."""
        games = (saved for saved in self._games() if saved.game.rules == rules)
        return max(games, key=lambda saved: saved.saved_at, default=None)

    def take_up(self, game: SavedGame[G]) -> bool:
        """Make the saved game this keeper's; False if another terminal was faster."""
        mine = self.folder / _fresh_name()
        try:
            os.rename(game.path, mine)
        except OSError:
            return False
        self.path = mine
        return True

    def _games(self) -> Iterator[SavedGame[G]]:
        try:
            paths = sorted(self.folder.glob("*.json"))
        except OSError:
            return
        for path in paths:
            try:
                game = self.read(json.loads(path.read_text(encoding="utf-8")))
                yield SavedGame(path, game, path.stat().st_mtime)
            except (OSError, ValueError, RecursionError, YomikiriError):
                continue


def game_keeper(folder: Path | None = None) -> Keeper[Knowledge]:
    """Keeps a game on a single board."""
    return Keeper(_document, _knowledge, folder or default_folder())


def match_keeper(folder: Path | None = None) -> Keeper[Match]:
    """Keeps a match, by its text."""
    return Keeper(_match_document, _match, folder or default_folder())


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
    """The knowledge in a document; raises an `InputError` or `ValueError` for anything else."""
    match document:
        case {
            "format": "yomikiri-game",
            "version": 1,
            "rules": {"digits": int(digits), "symbols": str(symbols), "repeats": str(repeats)},
            "absent": str(absent),
            "turns": [*turns],
        } if turns and all(isinstance(turn, str) for turn in turns):
            return Knowledge(
                Rules(digits, symbols, Repeats(repeats)),
                absent,
                tuple(Turn.parse(turn) for turn in turns),
            )
    raise ValueError("no saved game")


def _match_document(match: Match) -> dict[str, Any]:
    return {"format": MATCH_FORMAT, "version": VERSION, "match": write_match(match)}


def _match(document: Any) -> Match:
    match document:
        case {"format": "yomikiri-match", "version": 1, "match": str(text)}:
            return read_match(text)
    raise ValueError("no saved game")
