"""Facts about a secret other than complete turns: one small class per kind of fact, in one table by name.

Each kind with a name is a frozen dataclass derived from `NamedFact`, such as `Has`. Most other code handles facts
without depending on their kinds. docs/guide/what-can-be-known.md shows how to add a kind. Guesses with a partial answer
are in `partial_answers`. This module is plain Python, so that strategies can be verified without NumPy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import dropwhile, permutations, takewhile
from string import Formatter
from typing import ClassVar, Self, cast

from yomikiri.common.errors import N_, Choices, InputError, TurnError
from yomikiri.hitblow.model.partial_answers import answered
from yomikiri.hitblow.model.rules import Fact, Hint, Repeats, Rules, Turn

FACT_KINDS: dict[str, type[NamedFact]] = {}
"""The kinds of facts by name. A class derived from `NamedFact` that has a name registers itself here."""

# Regular expressions for the fields of facts, by the name of the field. All other fields are whole numbers.
_FORMS = {"symbol": ".", "symbols": ".+", "letters": "[A-Za-z]+"}


def _pattern(form: str) -> str:
    """Convert a form such as `{symbol}@{place}` to a regular expression with a group for each field in braces.

    A blank in the form matches white space in a text. Between a digit and another character, the white space may be
    missing.
    """
    pattern = ""
    for literal, name, _spec, _conversion in Formatter().parse(form):
        pattern += re.escape(literal).replace(r"\ ", r"(?:\s+|(?<=\d)(?=[^\d\s])|(?<=[^\d\s])(?=\d))")
        if name:
            pattern += f"(?P<{name}>{_FORMS.get(name, '[0-9]{1,2}')})"
    return pattern


class NamedFact(Fact):
    """A fact written with its name, such as `has=3`.

    Class attributes:

    - `name`: the name in text, and the key in `FACT_KINDS`. A class without a name is only a base class.
    - `value`: the form of the text after the equals sign, with the fields in braces, such as `{symbol}@{place}`.
      `symbol` and `symbols` are symbols of the game, `place` counts from 1, `letters` consists of letters A to Z in
      either case, and all other fields are whole numbers from 0.
    - `typed`: further forms that a person may type after the name. The first one appears in messages. If there is none,
      messages show the fields of `value` with blanks in between.
    - `also`: other names that a person may type. Japanese help shows the first of them that is not ASCII.
    - `typed_words`: a mapping from words that a person may type to the letters that they mean.
    - `example`: a fact as text, for messages.
    - `said`: the sentence that shows the fact to a person.
    - `numeric`: True if the kind needs a game whose symbols are digits.
    """

    __slots__ = ()
    name: ClassVar[str]
    value: ClassVar[str] = ""
    typed: ClassVar[tuple[str, ...]] = ()
    also: ClassVar[tuple[str, ...]] = ()
    typed_words: ClassVar[Mapping[str, str]] = {}
    example: ClassVar[str] = ""
    said: ClassVar[str] = ""
    numeric: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            FACT_KINDS[cls.name] = cls

    def __str__(self) -> str:
        return f"{self.name}={self.value.format_map(self.fields)}" if self.value else self.name

    @property
    def fields(self) -> Mapping[str, str | int]:
        """The values of the fact by the names of its fields, such as `symbol` and `place` for `at=5@2`."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def form(cls) -> str:
        """Return the form of the values that a person types after the name of a fact, such as `{place} {symbol}`."""
        return cls.typed[0] if cls.typed else re.sub(r"\}[^{]+\{", "} {", cls.value)

    def as_typed(self, name: str = "") -> str:
        """Return the fact as a person types it, such as `at 2 5`.

        `name` replaces the name of the fact, unless `name` is empty.
        """
        return f"{name or self.name} {self.form().format_map(self.fields)}".rstrip()

    @classmethod
    def sample(cls, rules: Rules) -> Self:
        """Return an example of a fact of this class, such as `has=3`, with symbols and places that the game has."""
        fact = cls.parse(cls.example.partition("=")[2])
        fit = {
            name: rules.symbols[-1] if name.startswith("symbol") else min(int(value), rules.digits)
            for name, value in fact.fields.items()
            if (name.startswith("symbol") and not set(str(value)) <= set(rules.symbols)) or name == "place"
        }
        return replace(fact, **fit)  # type: ignore[type-var]

    @classmethod
    def read(cls, text: str, typed: bool = False) -> Self | None:
        """Parse the value of a fact, such as `5@2` in `at=5@2`. Returns None for other text.

        If `typed` is True, the text may also have another form that a person may type, such as `2 5`.
        """
        for word, letters in cls.typed_words.items() if typed else ():
            text = text.replace(word, letters)
        for form in (cls.value, cls.form(), *cls.typed) if typed else (cls.value,):
            if found := re.fullmatch(_pattern(form), text):
                values = {name: each if name in _FORMS else int(each) for name, each in found.groupdict().items()}
                if "letters" in values:
                    values["letters"] = found["letters"].upper()
                return cls(**values)
        return None

    @classmethod
    def parse(cls, value: str) -> Self:
        """Parse the value of a fact, such as `5@2` in `at=5@2`. Raises a `TurnError` for other text."""
        if fact := cls.read(value):
            return fact
        raise wrong_value(f"{cls.name}={value}" if value else cls.name, cls.example or cls.name)

    def check(self, rules: Rules) -> None:
        """Raise an `InputError` if a game with these rules cannot have the fact.

        This applies to a fact with a symbol or a place that the game does not have. It also applies to a fact of a
        `numeric` kind, if some symbol of the game is not a digit.
        """
        if self.numeric and not rules.symbols.isdecimal():
            raise InputError(
                N_("{given!r} needs a game of digits: the symbols are {symbols}"),
                given=str(self),
                symbols=rules.symbols,
            )
        values = self.fields
        rules.check_symbols(str(values.get("symbol", values.get("symbols", ""))), str(self))
        if not 1 <= int(values.get("place", 1)) <= rules.digits:
            raise InputError(
                N_("there is no place {place} in this game: expected 1 to {digits}"),
                place=values["place"],
                digits=rules.digits,
            )


@dataclass(frozen=True, slots=True)
class Absent(NamedFact):
    """The fact `absent=7`: the secret does not contain any of the given symbols."""

    name = "absent"
    value = "{symbols}"
    also = ("ない", "なし", "使わない")
    example = "absent=7"
    said = N_("not in the secret: {symbols}")
    symbols: str

    def check(self, rules: Rules) -> None:
        rules.check_absent(self.symbols)

    def holds(self, code: str) -> bool:
        return not set(code) & set(self.symbols)


@dataclass(frozen=True, slots=True)
class Has(NamedFact):
    """The fact `has=3`: the secret contains each of the given symbols at least once."""

    name = "has"
    value = "{symbols}"
    also = ("ある", "あり", "使う")
    example = "has=3"
    said = N_("in the secret: {symbols}")
    symbols: str

    def holds(self, code: str) -> bool:
        return set(code) >= set(self.symbols)


@dataclass(frozen=True, slots=True)
class At(NamedFact):
    """The fact `at=5@2`: the secret has the symbol 5 at place 2."""

    name = "at"
    value = "{symbol}@{place}"
    typed = ("{place} {symbol}",)
    also = ("位置",)
    example = "at=5@2"
    said = N_("place {place} is {symbol}")
    symbol: str
    place: int

    def holds(self, code: str) -> bool:
        return code[self.place - 1] == self.symbol


@dataclass(frozen=True, slots=True)
class Off(NamedFact):
    """The fact `off=5@2`: the secret does not have the symbol 5 at place 2."""

    name = "off"
    value = "{symbol}@{place}"
    typed = ("{place} {symbol}",)
    also = ("位置違い",)
    example = "off=5@2"
    said = N_("place {place} is not {symbol}")
    symbol: str
    place: int

    def holds(self, code: str) -> bool:
        return code[self.place - 1] != self.symbol


@dataclass(frozen=True, slots=True)
class Times(NamedFact):
    """The fact `times=5x2`: the secret contains the symbol 5 exactly twice."""

    name = "times"
    value = "{symbol}x{count}"
    also = ("回数",)
    example = "times=5x2"
    said = N_("how often {symbol} occurs: {count}")
    symbol: str
    count: int

    @classmethod
    def sample(cls, rules: Rules) -> Self:
        """Return an example, such as `times=5x2`: a symbol occurs twice, or once if secrets do not repeat symbols."""
        return replace(super(Times, cls).sample(rules), count=2 if rules.repeats is Repeats.ALL else 1)

    def holds(self, code: str) -> bool:
        return code.count(self.symbol) == self.count


# --- items of Numer0n: special actions besides guessing ---------------------------------------------------------------

LOW, HIGH = "01234", "56789"
CLASSES = {"low": LOW, "high": HIGH}
_JAPANESE_WORDS = {"ハイ": "high", "ロー": "low", "高": "high", "低": "low"}


@dataclass(frozen=True, slots=True)
class High(NamedFact):
    """The answer to HIGH&LOW of Numer0n: which digits of the secret are high (5 to 9) and which are low (0 to 4).

    HIGH&LOW is an *item*: a special action of a player besides guessing.

    In `high=LHH`, `letters` has L or H for each place. In `high=2`, `letters` is only the number of high digits.
    """

    name = "high"
    value = "{letters}"
    also = ("high&low", "ハイロー", "ハイアンドロー")
    typed_words: ClassVar[Mapping[str, str]] = {**_JAPANESE_WORDS, "high": "H", "low": "L", " ": ""}
    example = "high=LHH"
    said = N_("HIGH&LOW: {letters}")
    numeric = True
    letters: str

    @classmethod
    def sample(cls, rules: Rules) -> Self:
        """Return an example of an answer to HIGH&LOW, such as `high=LHH`, with a letter for each place of the game."""
        return cls("L" + "H" * (rules.digits - 1))

    def check(self, rules: Rules) -> None:
        super(High, self).check(rules)
        if self._counts:
            known = int(self.letters) <= rules.digits
        else:
            known = len(self.letters) == rules.digits and not set(self.letters) - set("LH")
        if not known:
            raise InputError(
                N_(
                    "HIGH&LOW is {given!r}: expected L or H for each of the {digits:place|places}, or the number of "
                    "high digits"
                ),
                given=self.letters,
                digits=rules.digits,
            )

    @property
    def _counts(self) -> bool:
        """True if the answer contains only the number of high digits, and not a letter for each place."""
        return self.letters.isdecimal()

    @classmethod
    def read(cls, text: str, typed: bool = False) -> Self | None:
        if re.fullmatch("[0-9]", text.strip()):
            return cls(text.strip())
        return super(High, cls).read(text, typed)

    @classmethod
    def of(cls, code: str) -> Self:
        """Return the answer to HIGH&LOW of Numer0n for a secret: at each place, H for a digit 5 to 9, L for 0 to 4."""
        return cls("".join("H" if symbol in HIGH else "L" for symbol in code))

    def holds(self, code: str) -> bool:
        letters = self.of(code).letters
        return letters.count("H") == int(self.letters) if self._counts else letters == self.letters


@dataclass(frozen=True, slots=True)
class Slash(NamedFact):
    """The answer to SLASH of Numer0n: the largest digit of the secret minus its smallest digit.

    SLASH is an *item*: a special action of a player besides guessing.
    """

    name = "slash"
    value = "{difference}"
    also = ("スラッシュ",)
    example = "slash=6"
    said = N_("SLASH: {difference}")
    numeric = True
    difference: int

    @classmethod
    def of(cls, code: str) -> Self:
        """Return the answer to SLASH of Numer0n for a secret: its largest digit minus its smallest digit."""
        return cls(int(max(code)) - int(min(code)))

    def holds(self, code: str) -> bool:
        return self.of(code) == self


class SecretChange(NamedFact):
    """The fact that the owner changed the secret, by SHUFFLE or CHANGE of Numer0n.

    Earlier facts are about the old secret.
    """

    __slots__ = ()

    def secrets(self, code: str, rules: Rules) -> list[str]:
        """Return the possible secrets after the change, if the secret was `code` before.

        These are the codes that `becomes` returns, without those that the rules do not allow as a secret.
        """
        return [now for now in self.becomes(code, rules) if rules.is_secret(now)]


@dataclass(frozen=True, slots=True)
class Shuffle(SecretChange):
    """The use of SHUFFLE, a special action in the game Numer0n: the owner of the secret rearranged its digits.

    Every order is equally likely, including the old one.
    """

    name = "shuffle"
    also = ("シャッフル",)
    example = "shuffle"
    said = N_("SHUFFLE: the secret was rearranged")
    numeric = True

    def becomes(self, code: str, rules: Rules) -> Sequence[str]:
        return sorted({"".join(order) for order in permutations(code)})


@dataclass(frozen=True, slots=True)
class Changed(SecretChange):
    """The use of CHANGE, a special action in the game Numer0n: the owner of the secret replaced one digit by another.

    Both digits are high (5 to 9), or both are low (0 to 4). The old secret did not contain the new digit.
    """

    name = "change"
    value = "{letters}@{place}"
    typed = ("{place} {letters}", "{letters} {place}")
    also = ("チェンジ",)
    typed_words: ClassVar[Mapping[str, str]] = _JAPANESE_WORDS
    example = "change=high@2"
    said = N_("CHANGE: place {place} now has another {letters} digit")
    numeric = True
    letters: str
    place: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "letters", self.letters.lower())

    def check(self, rules: Rules) -> None:
        super(Changed, self).check(rules)
        if self.letters not in CLASSES:
            raise InputError(N_("CHANGE is {given!r}: expected high or low"), given=self.letters)

    def becomes(self, code: str, rules: Rules) -> Sequence[str]:
        """Return the codes that the secret `code` can become by CHANGE, an action that replaces its digit at one place.

        The old and the new digit are both in the class that `letters` names, high or low. If the digit of `code` at
        this place is not in the class, there are no such codes. The result may contain codes that the rules do not
        allow, because they begin with a symbol of `no_leading`. `secrets` leaves these out.
        """
        of, at = CLASSES[self.letters], self.place - 1
        if code[at] not in of:
            return ()
        return [code[:at] + digit + code[at + 1 :] for digit in rules.symbols if digit in of and digit not in code]


class OfTurn(NamedFact):
    """A fact about a turn of a match, without information about the secret.

    An example is the use of DOUBLE, an action in the game Numer0n that gives a player two guesses in one turn.
    """

    __slots__ = ()

    def holds(self, code: str) -> bool:
        """Return True, because a fact without information about the secret fits every code."""
        return True


@dataclass(frozen=True, slots=True)
class Double(OfTurn):
    """The use of DOUBLE, a special action in the game Numer0n that gives a player two guesses in one turn."""

    name = "double"
    also = ("ダブル",)
    example = "double"
    said = N_("DOUBLE: two guesses in this turn")


@dataclass(frozen=True, slots=True)
class Pass(OfTurn):
    """The end of a player's turn without a guess, for example because a special action replaces the guess."""

    name = "pass"
    also = ("パス",)
    example = "pass"
    said = N_("pass: no guess in this turn")


# --- text -------------------------------------------------------------------------------------------------------------


def parse_standard(text: str) -> Fact:
    """Parse a fact in its standard form, such as `has=3` or `012:1H1B`. Raises an `InputError` for other text.

    `notation.parse_fact` also accepts the forms that people type.
    """
    guess, colon, answer = text.rpartition(":")
    if colon:
        return answered(guess, answer) or Turn(guess, Hint.parse(answer))
    name, _sign, value = text.partition("=")
    if name not in FACT_KINDS:
        raise not_a_fact(text)
    return FACT_KINDS[name].parse(value)


def wrong_value(given: str, example: str) -> TurnError:
    """Return the error for a fact with a valid name but an invalid value, such as `at=5`, which lacks the place.

    `given` is the invalid fact as text, and `example` is a valid fact of the same kind.
    """
    return TurnError(N_("{given!r}: expected a value such as {example}"), given=given, example=example)


def absent_first(absent: str, facts: Sequence[Fact]) -> tuple[str, tuple[Fact, ...]]:
    """Move the `Absent` facts at the beginning of a sequence of facts into the text `absent`.

    Returns `absent` with the symbols of these facts appended, and the remaining facts. `Absent` facts that come after
    another fact remain among the facts.
    """
    rest = tuple(dropwhile(lambda fact: isinstance(fact, Absent), facts))
    first = (fact.symbols for fact in facts[: len(facts) - len(rest)] if isinstance(fact, Absent))
    return absent + "".join(first), rest


def turns_first(facts: Sequence[Fact]) -> tuple[Sequence[Turn], Sequence[Fact]]:
    """Split facts into two parts: the turns at the beginning, and all facts after them.

    The second part begins with the first fact that is not a `Turn`, and may contain turns after it.
    """
    turns = list(takewhile(lambda fact: isinstance(fact, Turn), facts))
    return cast(list[Turn], turns), facts[len(turns) :]


def not_a_fact(text: str) -> TurnError:
    """Return the error for text that is not a fact."""
    return TurnError(
        N_("{given!r} is not a fact: expected one of {known}, each with its value, such as has=3"),
        given=text,
        known=Choices(", ".join(FACT_KINDS)),
    )
