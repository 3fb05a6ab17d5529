"""Settings: each option of the program, declared once with its type, default and help text.

A setting is declared beside the code that uses its value. Command options, keys of the engine, parameters of the API
and their descriptions are derived from it. Each interface passes the value on as text, so that only `Setting.read`
parses it:

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
    """Types of settings."""

    TEXT = auto()
    INTEGER = auto()
    NUMBER = auto()
    FLAG = auto()  # 0 or 1
    WORD = auto()  # one of `Setting.words`
    LINES = auto()  # text of several lines: a file on the command line


class HelpHeading(Enum):
    """Headings under which help lists the options."""

    QUESTION = N_("This command")
    KNOWN = N_("Known facts")
    GAME = N_("The game")
    OUTPUT = N_("Output")


@dataclass(frozen=True, slots=True)
class Setting:
    """The declaration of one option.

    - `least` (0 by default) and `most` bound a number.
    - `words` are the allowed words.
    - `default` is the value if the user does not set the option, or None if the option has no default.
    - `shown` is the placeholder of the value in help.
    - `group` is the heading in help.
    - `example` is the example in the JSON Schema, and `schema` contains further keywords of the schema.
    """

    name: str
    help: str
    kind: Kind = Kind.TEXT
    default: str | float | bool | None = None
    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()
    shown: str = ""
    group: HelpHeading = HelpHeading.QUESTION
    example: Any = field(default=None, compare=False)
    schema: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def key(self) -> str:
        """The name as a JSON key and a Python identifier."""
        return self.name.replace("-", "_")

    @property
    def default_text(self) -> str | None:
        """The default as text, or None if there is no default."""
        return None if self.default is None else str(int(self.default) if self.kind is Kind.FLAG else self.default)

    def read(self, text: str) -> Any:
        """Parse the value of this setting from text.

        Raises an `InputError` if the text is not a value of this kind, or if the number is out of bounds.
        """
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
        if least <= value <= most and value < inf:  # False for nan
            return value
        details = {"parameter": self.name, "given": text, "least": f"{least:.15g}", "most": f"{most:.15g}"}
        raise (_not_whole if self.kind is Kind.INTEGER else _no_number)(bounded=self.most is not None, **details)


def _not_whole(*, bounded: bool, parameter: str, given: str, least: str, most: str) -> InputError:
    if bounded:
        return not_whole(parameter, given, least, most)
    return InputError(N_("{parameter}={given}: expected a whole number of {least} or more"),
                      parameter=parameter, given=given, least=least)  # fmt: skip


def _no_number(*, bounded: bool, parameter: str, given: str, least: str, most: str) -> InputError:
    if bounded:
        return not_a_number(parameter, given, least, most)
    return InputError(N_("{parameter}={given}: expected a number of {least} or more"),
                      parameter=parameter, given=given, least=least)  # fmt: skip


def values(settings: Iterable[Setting], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the value of every setting by key, using defaults for those not given. Raises an `InputError`."""
    return {
        setting.key: setting.read(given[setting.name]) if setting.name in given else setting.default
        for setting in settings
    }


@dataclass(frozen=True, slots=True)
class Conflict:
    """Options that sometimes have no effect. `check` rejects them in that case.

    `names` are these options. A conflict uses one of three rules about other options:

    - `beside`: the options in `names` have no effect if the option `beside` is given.
    - `needs`: they have no effect unless the option `needs` is given.
    - `unless`: they have no effect unless an option has one of the values that `unless` lists for that option.
    """

    names: tuple[str, ...]
    beside: str = ""
    needs: str = ""
    unless: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def check(
        self, given: Collection[str], value: Callable[[str], str | None], display_name: Callable[[str], str] = str
    ) -> None:
        """Raise an `InputError` if the user gave an option that has no effect.

        `given` contains the names of the options that the user gave. `value` maps a name to the value of the option,
        and `display_name` maps a name to the form that the user writes, such as `--seed`.
        """
        without_effect = next((name for name in self.names if name in given), None)
        if without_effect is None:
            return
        if self.beside:
            if self.beside in given:
                raise not_both(display_name(without_effect), display_name(self.beside))
            return
        if self.needs:
            if self.needs not in given:
                raise without(display_name(without_effect), display_name(self.needs))
            return
        if any(value(name) in known for name, known in self.unless.items()):
            return
        first = next(iter(self.unless))
        useful = [f"{display_name(name)} {each}" for name, known in self.unless.items() for each in known]
        raise needs_other(display_name(without_effect), f"{display_name(first)} {value(first)}", useful)


_FEW = 4  # a message does not list more values


def needs_other(option: str, other: str, useful: Sequence[str]) -> InputError:
    """Return the error for `option`, which has no effect with `other` because it needs one of the settings `useful`."""
    if len(useful) > _FEW:
        return InputError(N_("{option} has no effect with {other}: leave it out"), option=option, other=other)
    return InputError(
        N_("{option} has no effect with {other}: it needs {useful}"),
        option=option,
        other=other,
        useful=Choices(" / ".join(useful)),
    )


def not_both(option: str, other: str) -> InputError:
    """Return the error for `option`, which has no effect if `other` is given too."""
    return InputError(N_("{option} has no effect with {other}: give only one of the two"), option=option, other=other)


def without(option: str, other: str) -> InputError:
    """Return the error for `option`, which has no effect unless `other` is given too."""
    return InputError(N_("{option} has no effect without {other}: leave it out"), option=option, other=other)


def missing(name: str) -> InputError:
    """Return the error for a missing setting or key."""
    return InputError(N_("{given!r} is missing: add it"), given=name)


def unknown(given: str, known: Iterable[str]) -> InputError:
    """Return the error for a name that is not among the `known` ones."""
    return InputError(
        N_("unknown setting {given!r}: expected one of {known}"), given=given, known=Choices(", ".join(known))
    )
