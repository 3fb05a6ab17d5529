"""Base of all queries: settings in, an answer out, and its JSON document; the same for commands, engine and HTTP.

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

    A subclass declares the settings that describe its game (`GAME_SETTINGS`), its own ones (fields made by `own`, or
    `OWN_SETTINGS`), the names of repeatable pairs (`TURNS`: turns, facts or moves), and settings that conflict
    (`CONFLICTS`). `RESULT` names the class of its document, which is imported when it is needed.
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
        """Return all settings, those of the game first."""
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
            conflict.check(given, lambda name: given.get(name, settings[name].text))
        own_names = {setting.name for setting in cls.own_settings()}
        game = [pair for pair in pairs if pair[0] not in own_names]
        return cls._about(game, **values(cls.own_settings(), given))

    @classmethod
    @abstractmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        """Build a query about the game that pairs describe."""

    @classmethod
    def turns(cls, texts: Iterable[str]) -> list[tuple[str, str]]:
        """Return turns, facts or moves, each as one word of text, as (name, value) pairs."""
        return [(cls.TURNS[-1], text) for text in texts]

    @abstractmethod
    def answer(self, budget: Budget = UNLIMITED) -> A:
        """Return the answer. Raises a `YomikiriError`, and `Stopped` if the budget is spent before there is one."""

    def certain(self, best: Any) -> str | None:
        """Return a sentence about the proven facts when a search stops without an answer; `best` is `Stopped.best`."""
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
        """Return the document of the answer. The hint of `Stopped` lists the proven facts of an unfinished search."""
        try:
            return self.document(self.answer(budget))
        except Stopped as stopped:
            stopped.hint = self.certain(stopped.best)
            raise


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a session's game: its turns or moves, and the number of candidates on each board."""

    game: str
    turns: tuple[object, ...]
    count: int | None = None
    their_count: int | None = None
    finished: bool = False
