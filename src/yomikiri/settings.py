"""What may be set, said once: a name, what values it takes, its default and its help.

A setting is declared beside the code that reads it. Options of commands, keys of the engine, parameters of the API and
their descriptions are made from it, and each of them hands its value on as text, so that it is read in one place:

    SEED = Setting("seed", N_("Random seed."), Kind.INTEGER, default=0, least=0)
    SEED.read("7") == 7        --seed 7        {"seed": 7}        seed=7
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from math import inf, nan
from typing import Any

from yomikiri.common.enums import not_a_number, not_one_of, not_whole
from yomikiri.common.errors import N_, Choices, InputError


class Kind(Enum):
    """What values a setting takes."""

    TEXT = auto()
    INTEGER = auto()
    NUMBER = auto()
    FLAG = auto()  # 0 or 1
    WORD = auto()  # one of a few `words`
    LINES = auto()  # text of several lines: a file on the command line


class Group(Enum):
    """Under which heading help lists a setting."""

    QUESTION = N_("This command")
    KNOWN = N_("What is known")
    GAME = N_("The game")
    OUTPUT = N_("Output")


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that may be set.

    `least` (0 by default) and `most` bound a number, `words` are those that a word may be, and `shown` stands for a
    value in help. A `default` of None is nothing; `example` is what a schema shows.
    """

    name: str
    help: str
    kind: Kind = Kind.TEXT
    default: str | float | bool | None = None
    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()
    shown: str = ""
    group: Group = Group.QUESTION
    example: Any = field(default=None, compare=False)

    @property
    def key(self) -> str:
        """The name as a key of JSON and a field of Python."""
        return self.name.replace("-", "_")

    @property
    def text(self) -> str | None:
        """The default as text, None where there is none."""
        return None if self.default is None else str(int(self.default) if self.kind is Kind.FLAG else self.default)

    def read(self, text: str) -> Any:
        """The value that a text tells; raises an `InputError`."""
        match self.kind:
            case Kind.INTEGER:
                plain = unicodedata.normalize("NFKC", text).strip()
                return self._bounded(text, int(plain) if re.fullmatch(r"-?[0-9]{1,18}", plain) else nan)
            case Kind.NUMBER:
                plain = unicodedata.normalize("NFKC", text).strip()
                number = re.fullmatch(r"[0-9]{1,18}(?:\.[0-9]{1,30})?(?:e-?[0-9]{1,3})?", plain)
                return self._bounded(text, float(plain) if number else nan)
            case Kind.FLAG:
                if text not in ("0", "1"):
                    raise not_one_of(self.name, text, ("0", "1"))
                return text == "1"
            case Kind.WORD if text not in self.words:
                raise not_one_of(self.name, text, self.words)
        return text

    def _bounded(self, text: str, value: float) -> float:
        least, most = self.least or 0, inf if self.most is None else self.most
        if least <= value <= most and value < inf:  # nan is within no bounds
            return value
        said = {"parameter": self.name, "given": text, "least": f"{least:.15g}", "most": f"{most:.15g}"}
        raise (_not_whole if self.kind is Kind.INTEGER else _no_number)(bounded=self.most is not None, **said)


def _not_whole(*, bounded: bool, parameter: str, given: str, least: str, most: str) -> InputError:
    if bounded:
        return not_whole(parameter, given, least, most)
    return InputError(N_("{parameter}={given}: expected a whole number from {least}"),
                      parameter=parameter, given=given, least=least)  # fmt: skip


def _no_number(*, bounded: bool, parameter: str, given: str, least: str, most: str) -> InputError:
    if bounded:
        return not_a_number(parameter, given, least, most)
    return InputError(N_("{parameter}={given}: expected a number from {least}"),
                      parameter=parameter, given=given, least=least)  # fmt: skip


def values(settings: Iterable[Setting], told: Mapping[str, str]) -> dict[str, Any]:
    """The values of some settings by their keys, those that nothing is told of at their defaults; raises an
    `InputError`."""
    return {
        setting.key: setting.read(told[setting.name]) if setting.name in told else setting.default
        for setting in settings
    }


@dataclass(frozen=True, slots=True)
class Conflict:
    """Names of what does nothing beside others: to give one of them is refused.

    They are idle wherever `beside` is given, wherever `needs` is not, or unless one of the names in `unless` has one of
    those values.
    """

    names: tuple[str, ...]
    beside: str = ""
    needs: str = ""
    unless: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def check(
        self, given: Collection[str], value: Callable[[str], str | None], called: Callable[[str], str] = str
    ) -> None:
        """Raise an `InputError` where something idle is among the names that are `given`.

        `value` is what a name stands for, and `called` how it is written where it was given.
        """
        idle = next((name for name in self.names if name in given), None)
        if idle is None:
            return
        if self.beside:
            if self.beside in given:
                raise not_both(called(idle), called(self.beside))
            return
        if self.needs:
            if self.needs not in given:
                raise without(called(idle), called(self.needs))
            return
        if any(value(name) in known for name, known in self.unless.items()):
            return
        first = next(iter(self.unless))
        useful = [f"{called(name)} {each}" for name, known in self.unless.items() for each in known]
        raise idle_with(called(idle), f"{called(first)} {value(first)}", useful)


_FEW = 4  # more than so many values are not listed


def idle_with(option: str, other: str, useful: Sequence[str]) -> InputError:
    """The error for what does nothing with something else, since it needs one of those that are `useful`."""
    if len(useful) > _FEW:
        return InputError(N_("{option} does nothing with {other}: leave it out"), option=option, other=other)
    return InputError(
        N_("{option} does nothing with {other}: it needs {useful}"),
        option=option,
        other=other,
        useful=Choices(" / ".join(useful)),
    )


def not_both(option: str, other: str) -> InputError:
    """The error for what does nothing beside something else that is given."""
    return InputError(N_("{option} does nothing with {other}: give one of them, not both"), option=option, other=other)


def without(option: str, other: str) -> InputError:
    """The error for what does nothing without something else."""
    return InputError(N_("{option} does nothing without {other}: leave it out"), option=option, other=other)


def missing(name: str) -> InputError:
    """The error for something that must be told and is not."""
    return InputError(N_("{given!r} is missing: add it"), given=name)


def unknown(given: str, known: Iterable[str]) -> InputError:
    """The error for a name that is none of those known."""
    return InputError(
        N_("unknown setting {given!r}: expected one of {known}"), given=given, known=Choices(", ".join(known))
    )
