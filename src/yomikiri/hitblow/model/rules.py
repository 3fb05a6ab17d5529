"""Rules of Hit & Blow as plain values: codes, answers, turns, and the rules of a game.

A code is a string of symbols. The answer to a guess (class `Hint`) counts *hits* (right symbol, right place) and
*blows* (right symbol, wrong place):

    secret  3 1 4
    guess   4 1 5      1 hit (the 1), 1 blow (the 4): 1H1B
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import perm
from operator import eq
from typing import TYPE_CHECKING

from yomikiri.common.enums import Named, fold, not_one_of, not_such, shown, whole
from yomikiri.common.errors import N_, CodeError, ContradictionError, HintError, InputError, RulesError, TurnError

MAX_DIGITS = 6
MAX_SYMBOLS = 16


class Repeats(Named):
    """The rule on repeated symbols: they are allowed in no code, in guesses only, or in both guesses and secrets."""

    NONE = "none"
    GUESS = "guess"
    ALL = "all"


class Words(Named):
    """The names of a game for hits and blows: hit and blow, eat and bite, bull and cow, or black and white."""

    HIT = "hit"
    EAT = "eat"
    BULL = "bull"
    BLACK = "black"

    @property
    def letters(self) -> tuple[str, str]:
        """The abbreviations of a hit and a blow in short answers: H and B, E and B, B and C, or B and W."""
        return _LETTERS[self]


_LETTERS = {Words.HIT: ("H", "B"), Words.EAT: ("E", "B"), Words.BULL: ("B", "C"), Words.BLACK: ("B", "W")}


@dataclass(frozen=True, slots=True, order=True)
class Hint:
    """The answer to a guess: its hits and blows. `str` writes it as `1H1B`, and `Hint.parse` is the inverse."""

    hits: int
    blows: int

    def __post_init__(self) -> None:
        if not (type(self.hits) is int and type(self.blows) is int and self.hits >= 0 <= self.blows):
            object.__setattr__(self, "hits", whole(self.hits, "hits", 0, MAX_DIGITS))
            object.__setattr__(self, "blows", whole(self.blows, "blows", 0, MAX_DIGITS))

    @classmethod
    def read(cls, given: Hint | str, parameter: str) -> Hint:
        """Return the answer that an argument contains: a `Hint`, or text such as `1H1B`.

        Raises a `HintError` for other text, and an `InputError` that names the argument `parameter` for other types.
        """
        if isinstance(given, cls):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        raise not_such(parameter, given, "Hint(1, 1) or '1H1B'")

    def __str__(self) -> str:
        return self.in_words(Words.HIT)

    def in_words(self, words: str) -> str:
        """Return the answer in short form, such as 1H1B, with the letters for hits and blows that `words` selects."""
        hits, blows = Words(words).letters
        return f"{self.hits}{hits}{self.blows}{blows}"

    @classmethod
    def parse(cls, text: str) -> Hint:
        """Parse an answer in the standard form `1H1B`. `answers.parse_hint` also accepts the forms that people type."""
        match = re.fullmatch(r"([0-9])H([0-9])B", text) if isinstance(text, str) else None
        if match is None:
            raise not_a_hint(shown(text))
        return cls(int(match[1]), int(match[2]))


def not_a_hint(text: str) -> HintError:
    """Return the error for text that cannot be parsed as an answer."""
    return HintError(
        N_("{given!r} is not an answer: expected one such as {example} or '1 1'"), given=text, example=Hint(1, 1)
    )


class Fact:
    """A piece of information about a secret. `str` writes it as text without blanks, which `notation.parse_fact` reads.

    Most facts are conditions: `holds` returns True for the codes that satisfy them. A change of the secret
    (`facts.SecretChange`) maps each code to its possible new values instead.
    """

    __slots__ = ()

    def check(self, rules: Rules) -> None:
        """Raise an `InputError` if a game with these rules cannot have the fact, for example because of its symbols."""

    def in_words(self, words: str) -> str:
        """Return the fact as text like `str`, with the game's own names for hits and blows."""
        return str(self)

    def holds(self, code: str) -> bool:
        """Return True if the fact is true of the secret `code`."""
        raise NotImplementedError

    def becomes(self, code: str, rules: Rules) -> Sequence[str]:
        """Return the codes that the secret can be after the fact, if it was `code` before. They are equally likely.

        Only a change of the secret leads to other codes. Any other fact leads to `code` itself, or to no code if the
        fact is false for `code`.
        """
        return (code,) if self.holds(code) else ()


class Answered(Fact):
    """A guess with the information received about it.

    The information is a complete answer (`Turn`), a part of an answer, or a mark for each place of the guess, as in
    Wordle.
    """

    __slots__ = ()
    guess: str

    def check(self, rules: Rules) -> None:
        rules.check_guess(self.guess)

    def in_words(self, words: str) -> str:
        return f"{self.guess}:{self.answer(words)}"

    def answer(self, words: str) -> str:
        """Return the answer without the guess, with the game's own names for hits and blows."""
        return str(self).rpartition(":")[2]

    @property
    def found(self) -> bool:
        """True if the answer shows that the guess is the secret."""
        return False


@dataclass(frozen=True, slots=True)
class Turn(Answered):
    """A guess and its complete answer. `str` writes a turn as `012:0H1B`, and `Turn.parse` is the inverse.

    `hint` may be given as text. Raises an `InputError` if `guess` is not text, or if `hint` is not an answer.

    >>> Turn.parse("012:0H1B") == Turn("012", "0H1B")
    True
    """

    guess: str
    hint: Hint

    if TYPE_CHECKING:

        def __init__(self, guess: str, hint: Hint | str) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.guess, str):
            raise not_such("guess", self.guess, "'012'")
        if not isinstance(self.hint, Hint):
            object.__setattr__(self, "hint", Hint.read(self.hint, "hint"))

    def __str__(self) -> str:
        return f"{self.guess}:{self.hint}"

    def answer(self, words: str) -> str:
        return self.hint.in_words(words)

    @classmethod
    def parse(cls, text: str) -> Turn:
        """Parse a turn in the standard form `012:1H1B`.

        `notation.parse_turn` also accepts the forms that people type.
        """
        guess, colon, answer = text.rpartition(":") if isinstance(text, str) else ("", "", "")
        if not colon:
            raise not_a_turn(shown(text))
        return cls(guess, Hint.parse(answer))

    def holds(self, code: str) -> bool:
        return hint(self.guess, code) == self.hint

    @property
    def found(self) -> bool:
        return self.hint.hits == len(self.guess)


def not_a_turn(text: str, rules: Rules | None = None) -> TurnError:
    """Return the error for text that cannot be parsed as a turn."""
    return TurnError(
        N_("{given!r} is not a turn: expected GUESS:ANSWER, such as {example}"),
        given=text,
        example=Turn((rules or Rules()).example, Hint(0, 1)),
    )


def impossible(turn: Answered) -> HintError:
    """Return the error for a turn with an impossible answer: no secret gives this answer to the guess."""
    return HintError(
        N_("{given} is impossible for {guess} in this game: check the answer"),
        given=_Answer(turn),
        guess=turn.guess,
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """Part of an error message: the answer of a turn, such as 1H1B, in the players' own words for hits and blows."""

    turn: Answered

    def __str__(self) -> str:
        return self.in_words(Words.HIT)

    def in_words(self, words: str) -> str:
        return self.turn.answer(words)


@dataclass(frozen=True, slots=True)
class _Facts:
    """Part of an error message: a list of facts, with answers in the players' own words for hits and blows."""

    facts: tuple[Fact, ...]

    def __str__(self) -> str:
        return self.in_words(Words.HIT)

    def in_words(self, words: str) -> str:
        return " ".join(fact.in_words(words) for fact in self.facts)


def no_code_fits(facts: Iterable[Fact]) -> ContradictionError:
    """Return the error for facts that no code satisfies together."""
    return ContradictionError(N_("the answers contradict each other: no code fits {given}"), given=_Facts(tuple(facts)))


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a game: the number of digits, the symbols, and where a symbol may repeat.

    `digits` is 1 to 6. `symbols` are 1 to 16 different printable characters other than blanks, `:` and `-`. Their order
    determines the order of codes. A code never begins with a symbol of `no_leading`. Raises an `InputError` for other
    values, usually a `RulesError`. It also raises a `RulesError` if there are too few symbols for a secret without
    repeats, or if no symbol may begin a code.

    >>> Rules().secret_count, Rules(4, "123456", Repeats.ALL).secret_count
    (720, 1296)
    """

    digits: int = 3
    symbols: str = "0123456789"
    repeats: Repeats = Repeats.NONE
    no_leading: str = ""

    def __post_init__(self) -> None:
        if type(self.digits) is not int or not 1 <= self.digits <= MAX_DIGITS:
            object.__setattr__(self, "digits", self._whole_digits())
        for name in ("symbols", "no_leading"):
            object.__setattr__(self, name, _symbols(getattr(self, name), name))
        usable = all(s.isprintable() and not s.isspace() and s not in ":-" for s in self.symbols)
        if not usable or not 1 <= len(self.symbols) <= MAX_SYMBOLS or len(set(self.symbols)) != len(self.symbols):
            raise RulesError(
                N_("symbols {given!r}: expected 1 to 16 different printable characters, without spaces, ':' or '-'"),
                given=self.symbols,
            )
        try:
            object.__setattr__(self, "repeats", Repeats.of(self.repeats))
        except InputError:
            raise RulesError(N_("repeats {given!r}: expected none, guess or all"), given=shown(self.repeats)) from None
        if len(self.symbols) < self.symbols_needed:
            raise RulesError(
                N_("symbols {given!r} are too few: expected at least {digits} for a secret without repeats"),
                given=self.symbols,
                digits=self.digits,
            )
        self.check_symbols(self.no_leading, self.no_leading)
        leading = "".join(symbol for symbol in self.symbols if symbol in self.no_leading)
        object.__setattr__(self, "no_leading", leading)
        if len(leading) == len(self.symbols):
            raise RulesError(N_("no-leading {given!r} leaves no code: give fewer symbols"), given=leading)

    def _whole_digits(self) -> int:
        try:
            return whole(self.digits, "digits", 1, MAX_DIGITS)
        except InputError:
            raise RulesError(N_("{given} digits: expected 1 to 6"), given=shown(self.digits)) from None

    @classmethod
    def preset(cls, name: str) -> Rules:
        """Return the rules of a preset, one of `PRESETS`. Raises an `InputError` for an unknown name.

        >>> Rules.preset("bulls")
        Rules(digits=4, symbols='0123456789', repeats=Repeats.NONE, no_leading='')
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise not_one_of("preset", shown(name), PRESETS)
        return PRESETS[name].rules

    @classmethod
    def read(cls, given: Rules | Preset | str, parameter: str) -> Rules:
        """Return the rules that an argument contains: rules, a preset, or the name of a preset.

        Raises an `InputError` that names the argument `parameter`.
        """
        if isinstance(given, cls):
            return given
        if isinstance(given, Preset):
            return given.rules
        if isinstance(given, str):
            if given not in PRESETS:
                raise not_one_of(parameter, given, PRESETS)
            return PRESETS[given].rules
        raise not_such(parameter, given, "Rules(4) or 'bulls'")

    @property
    def example(self) -> str:
        """An example of a code for messages, such as 345 if the symbols are 0 to 9.

        The code consists of consecutive symbols of the game. The last symbol of the game is followed by the first one.
        The code begins with the fourth symbol, or with an earlier one if too few symbols would follow. If a code may
        not begin with that symbol (`no_leading`), the example begins with the next symbol that may begin a code.
        """
        usual = max(0, min(3, len(self.symbols) - self.digits))
        starts = (*range(usual, len(self.symbols)), *range(usual))
        start = next(start for start in starts if self.symbols[start] not in self.no_leading)
        return (self.symbols * (self.digits + 1))[start : start + self.digits]

    @property
    def symbols_needed(self) -> int:
        """The minimum number of different symbols in a secret."""
        return 1 if self.repeats is Repeats.ALL else self.digits

    @property
    def secret_count(self) -> int:
        """The number of codes that can be the secret."""
        symbols = len(self.symbols)
        every = symbols**self.digits if self.repeats is Repeats.ALL else perm(symbols, self.digits)
        return self._count_leading(every)

    def _count_leading(self, every: int) -> int:
        """Return the number of codes that do not begin with a symbol of `no_leading`.

        `every` is the number of codes if any symbol may come first. The result is exact, because the number of codes
        that begin with a symbol is the same for all symbols.
        """
        return every // len(self.symbols) * (len(self.symbols) - len(self.no_leading))

    def secrets(self) -> Iterator[str]:
        """Yield every code that can be the secret, in order."""
        if self.repeats is Repeats.ALL:
            codes = map("".join, product(self.symbols, repeat=self.digits))
        else:
            codes = map("".join, permutations(self.symbols, self.digits))
        return (code for code in codes if code[0] not in self.no_leading)

    @property
    def guess_count(self) -> int:
        """The number of codes that may be guessed."""
        return (
            self.secret_count
            if self.repeats is not Repeats.GUESS
            else self._count_leading(len(self.symbols) ** self.digits)
        )

    @property
    def win(self) -> Hint:
        """The answer that ends the game: a hit at every place."""
        return Hint(self.digits, 0)

    @property
    def hints(self) -> tuple[Hint, ...]:
        """Every answer that a code of this number of digits can get, ordered by hits, then by blows.

        Hits and blows together are at most `digits`. If all places but one are hits, the answer has no blow, because
        the last symbol has no other place to be. The symbols of the game are ignored here, and they may exclude more
        answers: see `codes.possible_hints`.
        """
        digits = self.digits
        pairs = (Hint(hits, blows) for hits in range(digits + 1) for blows in range(digits + 1 - hits))
        return tuple(hint for hint in pairs if hint != Hint(digits - 1, 1))

    def check_guess(self, code: str, typed: str = "") -> str:
        """Check that the rules allow `code` as a guess, and return it.

        Raises a `CodeError` otherwise. The error quotes `typed`, the text that the user entered, or `code` if that text
        is empty.
        """
        return self._check(code, typed or code, distinct=self.repeats is Repeats.NONE)

    def check_secret(self, code: str, typed: str = "") -> str:
        """Check that the rules allow `code` as a secret, and return it.

        Raises a `CodeError` otherwise. The error quotes `typed`, the text that the user entered, or `code` if that text
        is empty.
        """
        return self._check(code, typed or code, distinct=self.repeats is not Repeats.ALL)

    def is_guess(self, code: str) -> bool:
        """Return True if the rules allow `code` as a guess."""
        return _is_allowed(self.check_guess, code)

    def is_secret(self, code: str) -> bool:
        """Return True if the rules allow `code` as a secret."""
        return _is_allowed(self.check_secret, code)

    def check_absent(self, absent: str) -> str:
        """Check the symbols that are absent from the secret, and return them in the order of the game's symbols.

        The result contains each symbol once. Raises a `CodeError` for an unknown symbol, and a `RulesError` if too few
        symbols remain for a secret, or none that may begin it.
        """
        absent = _symbols(absent, "absent")
        self.check_symbols(absent, absent)
        left = len(self.symbols) - len(set(absent))
        if left < self.symbols_needed:
            raise RulesError(
                N_("absent {given!r} leaves too few symbols for a secret of {digits}: give fewer"),
                given=absent,
                digits=self.digits,
            )
        if not set(self.symbols).difference(absent, self.no_leading):
            raise RulesError(
                N_("absent {given!r} leaves no symbol that a secret may begin with: give fewer"), given=absent
            )
        return "".join(symbol for symbol in self.symbols if symbol in absent)

    def check_symbols(self, symbols: str, given: str) -> None:
        """Raise a `CodeError` that quotes the text `given` if one of `symbols` does not belong to this game."""
        for symbol in symbols:
            if symbol not in self.symbols:
                raise CodeError(
                    N_("{symbol!r} in {given!r} is not a symbol of this game: expected symbols from {symbols}"),
                    given=given,
                    symbol=next((typed for typed in given if fold(typed) == symbol), symbol),
                    symbols=self.symbols,
                )

    def _check(self, code: str, typed: str, *, distinct: bool) -> str:
        if not isinstance(code, str):
            raise not_such("code", code, repr(self.example))
        self.check_symbols(code, typed)
        if len(code) != self.digits:
            raise CodeError(
                N_("{given!r} is not a code: expected {digits:symbol|symbols}, such as {example}"),
                given=typed,
                digits=self.digits,
                example=self.example,
            )
        if code[0] in self.no_leading:
            raise CodeError(
                N_("{given!r} begins with {symbol!r}: expected another symbol there"), given=typed, symbol=code[0]
            )
        if distinct:
            for symbol, times in Counter(code).items():
                if times > 1:
                    raise CodeError(
                        N_("{symbol!r} is in {given!r} more than once: use {digits} different symbols"),
                        given=typed,
                        symbol=symbol,
                        digits=self.digits,
                    )
        return code


def nothing_to_reveal() -> RulesError:
    """Return the error for a game in which no symbol can be revealed as absent, because a secret needs all symbols."""
    return RulesError(N_("no symbol can be revealed: a secret needs all the remaining ones"))


def _symbols(given: str | Iterable[str], parameter: str) -> str:
    """Join the symbols in an argument into one text. The argument may be text or a list or tuple of characters.

    Raises an `InputError` that names the argument `parameter`.
    """
    if isinstance(given, str):
        return given
    if isinstance(given, (list, tuple)) and all(isinstance(symbol, str) and len(symbol) == 1 for symbol in given):
        return "".join(given)
    raise not_such(parameter, given, "'0123456789'")


def _is_allowed(check: Callable[[str], str], code: str) -> bool:
    try:
        return bool(check(code))
    except CodeError:
        return False


def hint(guess: str, secret: str) -> Hint:
    """Return the answer to `guess` if the secret is `secret`.

    The number of hits and blows together is the size of the intersection of the two multisets of symbols, so a repeated
    symbol is never counted twice. Raises a `CodeError` for codes of different lengths.

    >>> str(hint("314", "134"))
    '1H2B'
    """
    if not (isinstance(guess, str) and isinstance(secret, str)):
        raise not_such(
            "secret" if isinstance(guess, str) else "guess", secret if isinstance(guess, str) else guess, "'012'"
        )
    if guess.isascii() != secret.isascii():
        guess, secret = unicodedata.normalize("NFKC", guess), unicodedata.normalize("NFKC", secret)
    if len(guess) != len(secret):
        raise CodeError(
            N_("guess {guess!r} and secret {secret!r}: expected codes of the same length"), guess=guess, secret=secret
        )
    hits, common = sum(map(eq, guess, secret)), 0
    for symbol in set(guess):
        if symbol in secret:
            common += min(guess.count(symbol), secret.count(symbol))
    return Hint(hits, common - hits)


@dataclass(frozen=True, slots=True)
class Preset:
    """A standard game: its rules, and its names for hits and blows."""

    rules: Rules
    words: Words


PRESETS: dict[str, Preset] = {
    "hitblow": Preset(Rules(), Words.HIT),
    "numeron": Preset(Rules(), Words.EAT),
    "bulls": Preset(Rules(digits=4), Words.BULL),
    "mastermind": Preset(Rules(digits=4, symbols="123456", repeats=Repeats.ALL), Words.BLACK),
}


def preset_of(rules: Rules, words: Words) -> str | None:
    """Return the name of the preset with these rules and with these names for hits and blows, or None."""
    known = (name for name, each in PRESETS.items() if (each.rules, each.words) == (rules, words))
    return next(known, None)


def usual_words(rules: Rules) -> Words:
    """Return the usual names for hits and blows in a game with these rules.

    The first preset with these rules determines the names. If there is no such preset, the names are hit and blow.
    """
    return next((preset.words for preset in PRESETS.values() if preset.rules == rules), Words.HIT)
