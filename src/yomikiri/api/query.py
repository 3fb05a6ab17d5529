"""Questions that a user can ask: settings, an answer and its document, declared once for commands, engine and API.

A question is a frozen struct that `of` builds from names and values, as text. Commands, engine and API import this
package and only translate their input into a question. Begin with `Question` below, then read `board`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.settings import Idle, Setting, unknown, values

if TYPE_CHECKING:
    from yomikiri.api.results import Part
    from yomikiri.hitblow.model.game import Pairs

__all__ = ["A", "Question"]

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Question(ABC, Generic[A]):
    """A question. `TELLING` are the settings that tell its game, `OWN` those that are its fields, `PLAYED` the names
    under which turns, facts or moves stand, any number of times; `IDLE` says what does nothing beside what."""

    NAME: ClassVar[str]
    TELLING: ClassVar[tuple[Setting, ...]] = ()
    OWN: ClassVar[tuple[Setting, ...]] = ()
    PLAYED: ClassVar[tuple[str, ...]] = ()
    IDLE: ClassVar[tuple[Idle, ...]] = ()

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """Every setting, those of the game first."""
        return (*cls.TELLING, *cls.OWN)

    @classmethod
    def of(cls, pairs: Pairs) -> Self:
        """The question that names and values tell; raises an `InputError`."""
        pairs, settings = tuple(pairs), {setting.name: setting for setting in cls.settings()}
        for name, _value in pairs:
            if name not in settings and name not in cls.PLAYED:
                raise unknown(name, (*settings, *cls.PLAYED))
        told = dict(pairs)
        for rule in cls.IDLE:
            rule.check(told, lambda name: told.get(name, settings[name].text))
        own = {setting.name for setting in cls.OWN}
        return cls._told([pair for pair in pairs if pair[0] not in own], **values(cls.OWN, told))

    @classmethod
    @abstractmethod
    def _told(cls, game: Pairs, **own: Any) -> Self:
        """The question about the game that names and values tell, with the values of its own settings."""

    @abstractmethod
    def answer(self, budget: Budget = UNLIMITED) -> A:
        """The answer; raises a `YomikiriError`, and `Stopped` where the budget is spent before there is one."""

    def so_far(self, best: Any) -> str | None:
        """What is certain where the budget is spent before there is an answer, in a sentence; `best` is what it came
        with."""
        return None

    @abstractmethod
    def document(self, answer: A) -> Part:
        """The answer as JSON has it."""
