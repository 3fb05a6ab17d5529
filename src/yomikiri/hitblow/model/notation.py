"""Conversion between text and values: codes, answers, turns and other facts, in all forms that people write.

Text is normalised first (NFKC, then lower case), so that full-width digits and letters equal narrow ones. All
interfaces read and write through this module, which does no input or output itself. The parsers, from the strictest to
the most lenient:

    facts.parse_standard    a fact exactly as the program writes it, as in strategy files: `has=3`, `012:1H1B`
    parse_turn              a guess and its answer with a colon: `012:1b`
    parse_fact              a turn or a named fact as one token, as in arguments and addresses
    parse_words             a named fact as people type it: `at 2 5`
    parse_line              a whole line typed in a game: an answer alone, a turn, or a named fact
    parse_opponent_line     a guess of the opponent typed in a match, with or without its answer

`parse_code`, `parse_guess` and `answers.parse_answer` read the parts of a turn.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, CodeError, HintError, TurnError
from yomikiri.hitblow.model.answers import parse_answer, parse_hint
from yomikiri.hitblow.model.facts import FACT_KINDS, Absent, At, NamedFact, not_a_fact, wrong_value
from yomikiri.hitblow.model.rules import (
    Answered,
    Fact,
    Hint,
    Rules,
    Words,
    not_a_hint,
    not_a_turn,
)


def parse_code(text: str, rules: Rules) -> str:
    """Convert a text that is meant as a code to the symbols of the game, without blanks.

    For example, full-width digits, or letters in the other case, become the symbols that they stand for. The result
    need not be a valid code: characters that are not symbols of the game remain, and the length is not checked.
    """
    folded = {fold(symbol): symbol for symbol in reversed(rules.symbols)}
    read = []
    for character in "".join(text.split()):
        if character in rules.symbols:
            read.append(character)
        else:
            read.extend(folded.get(part, part) for part in fold(character))
    return "".join(read)


def parse_guess(text: str, rules: Rules) -> str:
    """Parse a code that the rules allow as a guess. Raises a `CodeError` that quotes the text as typed."""
    code = parse_code(text, rules)
    if set(code) - set(rules.symbols):
        with suppress(HintError):
            parse_hint(text)
            raise CodeError(N_("{given!r} is an answer: expected a guess, such as {example}"),
                            given=text, example=rules.example)  # fmt: skip
        guess, gap, answer = _split(text.strip(), rules)
        if gap and is_guess(guess, rules) and _turn_with_answer(answer, rules, Words.HIT):
            raise CodeError(N_("{given!r} has an answer: expected the guess alone, such as {example}"),
                            given=text, example=guess)  # fmt: skip
    return rules.check_guess(code, "".join(text.split()))


def is_guess(text: str, rules: Rules) -> bool:
    """Return True if the text is a code that the rules allow as a guess."""
    try:
        parse_guess(text, rules)
    except CodeError:
        return False
    return True


def parse_fact(text: str, rules: Rules, words: Words = Words.HIT) -> Fact:
    """Parse a turn or a named fact, such as `012:1H1B` or `has=3`, as in options, saved games and web addresses.

    A text with a colon is a turn, and any other text is a named fact. Raises an `InputError` if it is invalid.
    """
    guess, colon, answer = re.sub("：", ":", text).partition(":")
    if colon:
        return parse_answer(parse_guess(guess, rules), answer, rules, words)
    name, sign, value = unicodedata.normalize("NFKC", text).partition("=")
    kind = FACT_KINDS.get(fold(name))
    if kind is None:
        raise not_a_fact(text) if sign else not_a_turn(text, rules)
    return _of_game(kind.parse(value), rules)


def parse_turn(text: str, rules: Rules, words: Words = Words.HIT) -> Answered:
    """Parse a turn `GUESS:ANSWER` with a complete or partial answer. Raises an `InputError`."""
    if ":" not in unicodedata.normalize("NFKC", text):
        raise not_a_turn(text, rules)
    turn = parse_fact(text, rules, words)
    assert isinstance(turn, Answered)
    return turn


def _of_game(fact: NamedFact, rules: Rules) -> NamedFact:
    """Normalise the symbols of a fact. If the fact has several, sort them in the order of the game, without repeats.

    Raises a `CodeError` for unknown symbols.
    """
    symbols = {
        name: parse_code("".join(str(value).split()), rules)
        for name, value in fact.fields.items()
        if name.startswith("symbol")
    }
    for given in symbols.values():
        rules.check_symbols(given, given)
    if "symbols" in symbols:
        symbols["symbols"] = "".join(symbol for symbol in rules.symbols if symbol in symbols["symbols"])
    return replace(fact, **symbols)  # type: ignore[type-var]


def parse_line(text: str, rules: Rules, words: Words, proposed: Callable[[], str]) -> Fact:
    """Parse a line typed in a game: an answer to the proposed guess, a turn, or a named fact such as `has 3`.

    `proposed` is a function that returns the proposed guess. A turn is `GUESS ANSWER`, with a blank, colon, comma or
    equals sign in between. A line that can be read in several ways is an answer rather than a turn, and a turn rather
    than a named fact: `1 1` is one hit and one blow. Raises an `InputError`.
    """
    if (found := _turn_with_answer(text, rules, words)) is not None:
        return found(proposed())
    guess, gap, answer = _split(text.strip(), rules)
    complete_turn = _turn_with_answer(answer, rules, words) if gap else None
    if not complete_turn and "=" in fold(gap):  # the sign may belong to the answer: `012=1` has the answer `=1`
        complete_turn = _turn_with_answer(f"={answer}", rules, words)
    if complete_turn:
        with suppress(CodeError):
            return complete_turn(parse_guess(guess, rules))
    code = parse_code(text, rules)
    if not gap and len(code) == rules.digits and not set(code) - set(rules.symbols):
        raise guess_alone(rules.check_guess(code))
    if fact := parse_words(text, rules):
        return fact
    if complete_turn:
        return complete_turn(parse_guess(guess, rules))
    raise not_a_hint(text)


def _turn_with_answer(text: str, rules: Rules, words: Words) -> Callable[[str], Answered] | None:
    """Parse an answer that the user typed without its guess, and return a function that completes the turn.

    The function takes the guess and returns the turn. The result is None if the text is not an answer.
    """
    with suppress(HintError):
        parse_answer("", text, rules, words)
        return lambda guess: parse_answer(guess, text, rules, words)
    return None


TARGET = ("target", "ターゲット")
"""The names that a person may type for TARGET, an action in the game Numer0n that reveals the place of a digit."""


def parse_words(text: str, rules: Rules) -> NamedFact | None:
    """Parse a named fact as people type it, `at 2 5` or `at=5@2`, with its name in English or Japanese.

    Returns None if the text does not begin with the name of a fact. Raises an `InputError` for an invalid value.

    The name `target` is not that of a fact, but of an item: TARGET is an action in Numer0n that asks for the place of a
    digit. For this name, the function raises a `TurnError`, which explains how to type the answer to TARGET.
    """
    name, _sign, rest = re.sub(r"\s*[=\s]\s*", " ", fold(text), count=1).partition(" ")
    kind = FACT_KINDS.get(name) or next((kind for kind in FACT_KINDS.values() if name in map(fold, kind.also)), None)
    if name in TARGET:
        raise TurnError(
            N_(
                "{given!r}: as the answer to TARGET, type '{at}' if the digit is at that place, '{absent}' if it is "
                "in no place"
            ),
            given=text,
            at=At.sample(rules).as_typed(),
            absent=replace(Absent.sample(rules), symbols=At.sample(rules).symbol).as_typed(),
        )
    if kind is None:
        return None
    fact = kind.read(rest, typed=True)
    if fact is None:
        raise wrong_value(text, kind.sample(rules).as_typed())
    return _of_game(fact, rules)


def guess_alone(guess: str) -> TurnError:
    """Return the error for a line that contains a guess but no answer."""
    return TurnError(
        N_("{given!r} has no answer: expected a guess and its answer, such as '{given} {example}'"),
        given=guess,
        example=Hint(1, 1),
    )


def parse_opponent_line(text: str, rules: Rules, words: Words = Words.HIT) -> tuple[str, Hint | None]:
    """Parse a guess of the opponent as a player types it, with or without its answer: `GUESS` or `GUESS ANSWER`.

    Guess and answer may be separated by a blank, colon, comma, equals sign or full stop. Returns the guess, and its
    answer or None. Raises an `InputError`.
    """
    guess, gap, answer = _split(text.strip(), rules)
    return parse_guess(guess, rules), parse_hint(answer, words) if gap else None


def _split(text: str, rules: Rules) -> tuple[str, str, str]:
    """Split a text into a guess, the separator and the rest.

    The separator is empty if the text does not begin with a guess. The symbols of the guess may be separated by blanks:
    `3 4 5 1H1B`.
    """
    signs = "".join(sign for sign in "=＝,，、.．" if sign not in rules.symbols)
    gap, apart = rf"(\s*[:\uff1a{signs}]\s*|\s+)", rf"(?:\S\s+){{{rules.digits - 1}}}\S"
    if rules.digits > 1 and re.fullmatch(apart, text):
        return text, "", ""
    match = re.match(rf"({apart}){gap}(.+)", text) or re.match(rf"(\S{{1,{rules.digits * 2}}}?){gap}(.+)", text)
    return (match[1], match[2], match[3]) if match else (text, "", "")


def write_hint(answer: Hint, words: Words = Words.HIT) -> str:
    """Return an answer as text in short form, such as 1H1B, with the letters for hits and blows that `words` selects.

    `parse_hint` is the inverse.
    """
    return answer.in_words(words)


def write_answer(turn: Answered, words: Words = Words.HIT) -> str:
    """Return the complete or partial answer of a turn as text in short form, such as 1H1B or 1H_.

    `words` selects the letters for hits and blows. `parse_line` reads the text if it gets the same `words`.
    """
    return turn.answer(words)
