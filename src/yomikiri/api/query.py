"""Base of the queries that commands, engine and HTTP share: each has settings, an answer and a JSON document.

A query is a frozen value that `Query.of` builds from (name, value) pairs of text. Interfaces only translate their input
into pairs, and the answer or its document into a screen, a line or a response.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.settings import Conflict, Setting, unknown, values

if TYPE_CHECKING:
    from yomikiri.api.results import Document

A = TypeVar("A")
Pairs = Iterable[tuple[str, str]]


def own(setting: Setting) -> Any:
    """Declare a field of a query as the value of a setting."""
    return field(metadata={"setting": setting})


@dataclass(frozen=True, slots=True)
class Query(ABC, Generic[A]):
    """A question that a user can ask.

    A subclass declares the names of the (name, value) pairs from which its queries are built:

    - `GAME_SETTINGS`: the settings that describe the game.
    - `OWN_SETTINGS`: all other settings. If it is empty, they are the settings of the fields declared with `own`.
    - `TURNS`: the names of pairs that may be repeated. The value of such a pair is a turn, a move, or another fact (one
      piece of knowledge about a secret).
    - `CONFLICTS`: the combinations of settings that are rejected, because one of them would have no effect.
    - `RESULT`: the module and the class of the query's document. The module is imported only when it is needed.
    """

    NAME: ClassVar[str]
    GAME_NAME: ClassVar[Literal["guessing", "hitblow", "match", "tictactoe"]]
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = ()
    OWN_SETTINGS: ClassVar[tuple[Setting, ...]] = ()
    TURNS: ClassVar[tuple[str, ...]] = ()
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = ()
    RESULT: ClassVar[str]

    @classmethod
    def own_settings(cls) -> tuple[Setting, ...]:
        """Return the settings of this query besides those of its game."""
        return cls.OWN_SETTINGS or tuple(each.metadata["setting"] for each in fields(cls) if each.metadata)

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """Return all settings of the query, those of its game first."""
        return (*cls.GAME_SETTINGS, *cls.own_settings())

    @classmethod
    def of(cls, pairs: Pairs) -> Self:
        """Build a query from (name, value) pairs.

        Raises an `InputError` for an unknown name, an invalid value, or settings that conflict.
        """
        pairs, settings = tuple(pairs), {setting.name: setting for setting in cls.settings()}
        for name, _value in pairs:
            if name not in settings and name not in cls.TURNS:
                raise unknown(name, (*settings, *cls.TURNS))
        given = dict(pairs)
        for conflict in cls.CONFLICTS:
            conflict.check(given, lambda name: given.get(name, settings[name].default_text))
        own_names = {setting.name for setting in cls.own_settings()}
        game = [pair for pair in pairs if pair[0] not in own_names]
        return cls._about(game, **values(cls.own_settings(), given))

    @classmethod
    @abstractmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        """Build a query about the game that the pairs describe. `own_values` are the values of its own settings."""

    @classmethod
    def turns(cls, texts: Iterable[str]) -> list[tuple[str, str]]:
        """Return a (name, value) pair for each of `texts`. The name is always the last one in `TURNS`.

        Each text is one word: a turn, a move, or another fact (one piece of knowledge about a secret).
        """
        return [(cls.TURNS[-1], text) for text in texts]

    @abstractmethod
    def answer(self, budget: Budget = UNLIMITED) -> A:
        """Return the answer. Raises a `YomikiriError`, or `Stopped` if the budget is spent first."""

    def certain(self, best: Any) -> str | None:
        """Return a sentence about the proven part of an unfinished search, or None if there is nothing to say.

        `best` is the best result so far: the attribute `best` of `Stopped`.
        """
        return None

    def document(self, answer: A) -> Document:
        """Return the JSON document of an answer."""
        document: Document = self.result().of(answer)
        return document

    @classmethod
    def result(cls) -> type[Document]:
        """Return the class of the document."""
        module, _separator, name = cls.RESULT.partition(":")
        kind: type[Document] = getattr(import_module(f"yomikiri.api.{module}"), name)
        return kind

    def respond(self, budget: Budget) -> Document:
        """Compute the answer, and return its document.

        If the budget is spent first, raises `Stopped`. Its hint is then the sentence that `certain` returns.
        """
        try:
            return self.document(self.answer(budget))
        except Stopped as stopped:
            stopped.hint = self.certain(stopped.best)
            raise


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a session's game: its turns or moves, and the number of candidates.

    `count` is the number of candidates for the secret that the user guesses. In a match, `their_count` is the number of
    candidates for the user's own secret, which the opponent guesses. Both are None if the game has no such secret.
    """

    game: str
    turns: tuple[object, ...]
    count: int | None = None
    their_count: int | None = None
    finished: bool = False
