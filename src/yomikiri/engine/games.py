"""How a line tells a game: its rules and turns, a `session` that holds them, or a session and what comes after it.

Options that a command has are keys here, with `_` for `-`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType, field

from yomikiri.budget import Budget
from yomikiri.documents import Count, Part
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.game import Game as OneGame
from yomikiri.hitblow.game import Pairs, game_of, weights_of
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import SIDES, match_of, match_pairs, split_pair
from yomikiri.tictactoe.notation import board_of
from yomikiri.tictactoe.position import Position
from yomikiri.wording.contradictions import consistent

Id = int | str | None


@dataclass(frozen=True, slots=True)
class Session:
    """A game that the engine keeps under a name: of which kind, its terms, and its turns or moves so far."""

    kind: type[Game]
    terms: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, str], ...]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names and values that tell the game."""
        return (*self.terms, *self.steps)


class Question(Part, kw_only=True, tag_field="request"):
    """A line that is asked. `id` comes back with the answer; with `progress` the engine says how far it has come."""

    id: Id = None
    progress: bool = False

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The document that answers; raises a `YomikiriError`, and `Stopped` where the budget is spent before that."""
        raise NotImplementedError


class Opened(Part):
    """A session: what its game is, and the turns or moves so far; `count` candidates are left, the opponent's board
    included in a match."""

    session: str
    game: Literal["hitblow", "match", "tictactoe"]
    turns: list[str]
    count: Count | UnsetType = UNSET
    their_count: Count | UnsetType = UNSET
    finished: bool = False


class Game(Question, kw_only=True):
    """A question about a game: one that it tells, or one of a session, or both."""

    session: str | UnsetType = UNSET
    terms: ClassVar[tuple[str, ...]] = ()
    played: ClassVar[str] = "turns"

    def told(self, sessions: dict[str, Session]) -> list[tuple[str, str]]:
        """The names and values that tell the game, those of the session first."""
        kept: tuple[tuple[str, str], ...] = ()
        if isinstance(self.session, str):
            found = session_named(self.session, sessions)
            if not isinstance(self, found.kind):
                raise InputError(
                    N_("the session {given!r} holds another game: ask what its game knows, or open another"),
                    given=self.session,
                )
            kept = found.pairs
        return [*kept, *self.named(), *self.own_steps()]

    def own_steps(self) -> list[tuple[str, str]]:
        """The turns or moves of this line."""
        return self.steps(getattr(self, self.played))

    def named(self) -> Iterator[tuple[str, str]]:
        """The terms of this line."""
        for name in self.terms:
            value = getattr(self, name)
            if value is not UNSET:
                yield name.replace("_", "-"), _text(value)

    @classmethod
    def steps(cls, turns: list[str]) -> list[tuple[str, str]]:
        """Turns or moves as names and values."""
        raise NotImplementedError

    @classmethod
    def state(cls, name: str, pairs: Pairs) -> Opened:
        """The game that names and values tell, as a session of that name; raises a `YomikiriError`."""
        raise NotImplementedError


def missing(key: str) -> InputError:
    """The error for a line that lacks a key."""
    return InputError(N_("{given!r} is missing: add it"), given=key)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, dict):
        return "\n".join(f"{code},{weight}" for code, weight in value.items())
    if isinstance(value, list):
        return "/".join(",".join(map(str, row)) for row in value)
    return str(value)


def session_named(name: str, sessions: dict[str, Session]) -> Session:
    """The session of that name; raises an `InputError`."""
    if name not in sessions:
        raise InputError(N_("there is no session {given!r}: open it first"), given=name)
    return sessions[name]


class Ruled(Game, kw_only=True):
    """A game of Hit & Blow, with the rules that the command's options tell."""

    preset: str | UnsetType = UNSET
    digits: int | UnsetType = UNSET
    symbols: str | UnsetType = UNSET
    repeats: str | UnsetType = UNSET
    no_leading: str | UnsetType = UNSET
    words: str | UnsetType = UNSET
    absent: str | UnsetType = UNSET
    weights: Annotated[dict[str, int] | UnsetType, Meta(examples=[{"012": 3, "345": 1}])] = UNSET
    slips: int | UnsetType = UNSET
    slip_rate: float | UnsetType = UNSET
    terms: ClassVar[tuple[str, ...]] = (
        *("preset", "digits", "symbols", "repeats", "no_leading", "words", "absent", "weights", "slips", "slip_rate"),
    )


class OneBoard(Ruled, kw_only=True):
    """A game on one board."""

    turns: Annotated[list[str], Meta(examples=[["012:0H1B"]])] = field(default_factory=list)

    @classmethod
    def steps(cls, turns: list[str]) -> list[tuple[str, str]]:
        return [("fact", turn) for turn in turns]

    @classmethod
    def state(cls, name: str, pairs: Pairs) -> Opened:
        known = game_told(pairs).known
        return Opened(name, "hitblow", list(map(str, known.facts)), known.count, finished=known.solved)

    def known(self, sessions: dict[str, Session]) -> Knowledge:
        """What is known of the secret; raises a `ContradictionError` with the likeliest slip where no code fits."""
        return consistent(game_told(self.told(sessions)))

    def certain(self, sessions: dict[str, Session]) -> Knowledge:
        """The same where no turn may be wrong; raises an `InputError` where any may."""
        known = self.known(sessions)
        known.require_certain()
        return known


def game_told(pairs: Pairs) -> OneGame:
    """The game on one board of names and values, and how likely each secret is; raises an `InputError`."""
    game = game_of(pairs)
    return replace(game, prior=weights_of(dict(pairs), game.rules, game.absent))


def match_told(pairs: Pairs) -> Match:
    """The match of names and values, and how likely each of the opponent's secrets is; raises an `InputError`."""
    match = match_of((name, value) for name, value in pairs if name != "weights")
    return replace(match, prior=weights_of(dict(pairs), match.rules, match.absent))


class TwoBoards(Ruled, kw_only=True):
    """A match."""

    secret_digits: int | UnsetType = UNSET
    secret_symbols: str | UnsetType = UNSET
    secret_repeats: str | UnsetType = UNSET
    secret_no_leading: str | UnsetType = UNSET
    first: str | UnsetType = UNSET
    shown: str | UnsetType = UNSET
    secret: str | UnsetType = UNSET
    equal_turns: bool | UnsetType = UNSET
    turns: Annotated[list[str], Meta(examples=[["me=012:0H1B", "they=345:0H0B"]])] = field(default_factory=list)
    terms: ClassVar[tuple[str, ...]] = (
        *(*Ruled.terms, "secret_digits", "secret_symbols", "secret_repeats", "secret_no_leading"),
        *("first", "shown", "secret", "equal_turns"),
    )

    @classmethod
    def steps(cls, turns: list[str]) -> list[tuple[str, str]]:
        return [split_pair(turn) for turn in turns]

    @classmethod
    def state(cls, name: str, pairs: Pairs) -> Opened:
        assistant = MatchAssistant(match_told(pairs))
        match = assistant.match
        turns = [f"{side}={turn}" for side, turn in match_pairs(match) if side in SIDES]
        mine, theirs = (match.known(side).count for side in Side)
        return Opened(name, "match", turns, mine, theirs, assistant.finished)


class Cells(Game, kw_only=True):
    """A position of weighted tic-tac-toe: a board, row by row, and the moves made on it."""

    board: Annotated[list[list[int]] | str | UnsetType, Meta(examples=["-2,0,-1/-1,-1,0/-1,-1,-2"])] = UNSET
    line: int | UnsetType = UNSET
    moves: Annotated[list[str], Meta(examples=[["b2", "a1"]])] = field(default_factory=list)
    terms: ClassVar[tuple[str, ...]] = ("board", "line")
    played: ClassVar[str] = "moves"

    @classmethod
    def steps(cls, turns: list[str]) -> list[tuple[str, str]]:
        return [("move", move) for move in turns]

    @classmethod
    def state(cls, name: str, pairs: Pairs) -> Opened:
        position = _position(pairs)
        moves = [value for key, value in pairs if key == "move"]
        return Opened(name, "tictactoe", moves, finished=position.outcome is not None)

    def position(self, sessions: dict[str, Session]) -> Position:
        """The position that the question tells."""
        return _position(self.told(sessions))


def _position(pairs: Pairs) -> Position:
    told = dict(pairs)
    if "board" not in told:
        raise missing("board")
    board, moves = board_of({**told, "moves": " ".join(value for name, value in pairs if name == "move")})
    return Position.after(board, moves)
