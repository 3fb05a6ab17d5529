"""Text to values and back: codes, hints, turns and whole games in every form that people write.

Text is folded first (NFKC, then case), so full-width digits and letters are the same as narrow ones. Every surface
reads and writes through this module; it knows no file, terminal or page itself.
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
from yomikiri.hitblow.model.facts import KINDS, Absent, At, NamedFact, not_a_fact, not_such
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
    """Read the symbols of a code, blanks between left out; each as it stands if it is a symbol, else folded.

    The rules are not asked yet.
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
    """Read a code that may be guessed; raises a `CodeError` that quotes the text as it was typed."""
    code = parse_code(text, rules)
    if set(code) - set(rules.symbols):
        with suppress(HintError):
            parse_hint(text)
            raise CodeError(N_("{given!r} is an answer: expected a guess, such as {example}"),
                            given=text, example=rules.example)  # fmt: skip
        guess, gap, answer = _split(text.strip(), rules)
        if gap and is_guess(guess, rules) and _alone(answer, rules, Words.HIT):
            raise CodeError(N_("{given!r} has an answer: expected the guess alone, such as {example}"),
                            given=text, example=guess)  # fmt: skip
    return rules.check_guess(code, "".join(text.split()))


def is_guess(text: str, rules: Rules) -> bool:
    """Whether it is a code that may be guessed."""
    try:
        parse_guess(text, rules)
    except CodeError:
        return False
    return True


def parse_fact(text: str, rules: Rules, words: Words = Words.HIT) -> Fact:
    """Read a token, `012:1H1B` or `has=3`, as in arguments, saved games and addresses; raises an `InputError`."""
    guess, colon, answer = re.sub("：", ":", text).partition(":")
    if colon:
        return parse_answer(parse_guess(guess, rules), answer, rules, words)
    name, sign, value = unicodedata.normalize("NFKC", text).partition("=")
    kind = KINDS.get(fold(name))
    if kind is None:
        raise not_a_fact(text) if sign else not_a_turn(text, rules)
    return _of_game(kind.parse(value), rules)


def parse_turn(text: str, rules: Rules, words: Words = Words.HIT) -> Answered:
    """Read `GUESS:ANSWER`, where the answer may also be a part of one, or marks."""
    if ":" not in unicodedata.normalize("NFKC", text):
        raise not_a_turn(text, rules)
    turn = parse_fact(text, rules, words)
    assert isinstance(turn, Answered)
    return turn


def _of_game(fact: NamedFact, rules: Rules) -> NamedFact:
    """The fact with its symbols as the game has them, in their order; raises a `CodeError` for others."""
    told = {
        name: parse_code("".join(str(value).split()), rules)
        for name, value in fact.fields.items()
        if name.startswith("symbol")
    }
    for given in told.values():
        rules.check_symbols(given, given)
    if "symbols" in told:
        told["symbols"] = "".join(symbol for symbol in rules.symbols if symbol in told["symbols"])
    return replace(fact, **told)  # type: ignore[type-var]


def parse_line(text: str, rules: Rules, words: Words, proposed: Callable[[], str]) -> Fact:
    """Read a line typed in a game: `HINT`, the answer to the proposed guess; `GUESS HINT` (a blank, colon, comma or
    equals sign between), a turn; or a fact by its name, `has 3`.

    A line is read as a hint whenever it can be, `1 1` as one hit and one blow, else as a turn, else as a fact.
    """
    if (found := _alone(text, rules, words)) is not None:
        return found(proposed())
    guess, gap, answer = _split(text.strip(), rules)
    answered_so = None
    if gap:
        answered_so = _alone(answer, rules, words) or ("=" in fold(gap) and _alone(f"={answer}", rules, words))
    if answered_so:
        with suppress(CodeError):
            return answered_so(parse_guess(guess, rules))
    code = parse_code(text, rules)
    if not gap and len(code) == rules.digits and not set(code) - set(rules.symbols):
        raise guess_alone(rules.check_guess(code))
    if fact := parse_words(text, rules):
        return fact
    if answered_so:
        return answered_so(parse_guess(guess, rules))
    raise not_a_hint(text)


def _alone(text: str, rules: Rules, words: Words) -> Callable[[str], Answered] | None:
    """Return the function from a guess to its turn if the text is an answer without a guess, else None."""
    with suppress(HintError):
        parse_answer("", text, rules, words)
        return lambda guess: parse_answer(guess, text, rules, words)
    return None


TARGET = ("target", "ターゲット")  # the item whose answer is another fact


def parse_words(text: str, rules: Rules) -> NamedFact | None:
    """Read a fact as it is typed, `at 2 5` or `at=5@2`, its name in either language; None where no name begins the
    text. Raises an `InputError` where what follows the name cannot be read."""
    name, _sign, rest = re.sub(r"\s*[=\s]\s*", " ", fold(text), count=1).partition(" ")
    kind = KINDS.get(name) or next((kind for kind in KINDS.values() if name in map(fold, kind.also)), None)
    if name in TARGET:
        raise TurnError(
            N_("{given!r}: the answer to TARGET is typed as '{at}' if the digit is there, '{absent}' if it is nowhere"),
            given=text,
            at=At.sample(rules).as_typed(),
            absent=replace(Absent.sample(rules), symbols=At.sample(rules).symbol).as_typed(),
        )
    if kind is None:
        return None
    fact = kind.read(rest, typed=True)
    if fact is None:
        raise not_such(text, kind.sample(rules).as_typed())
    return _of_game(fact, rules)


def guess_alone(guess: str) -> TurnError:
    """Return the error for a guess without its answer, where that is needed."""
    return TurnError(
        N_("{given!r} has no answer: expected a guess and its answer, such as '{given} {example}'"),
        given=guess,
        example=Hint(1, 1),
    )


def parse_heard(text: str, rules: Rules, words: Words = Words.HIT) -> tuple[str, Hint | None]:
    """Read a line typed for the opponent: their guess, and the hint it was answered with if that was typed as well,
    `GUESS` or `GUESS HINT` (blank or colon between)."""
    guess, gap, answer = _split(text.strip(), rules)
    return parse_guess(guess, rules), parse_hint(answer, words) if gap else None


def _split(text: str, rules: Rules) -> tuple[str, str, str]:
    """The guess, what stands between, and the rest; nothing between where the text does not begin with a guess.

    The symbols of the guess may stand apart: `3 4 5 1H1B`.
    """
    signs = "".join(sign for sign in "=＝,，、.．" if sign not in rules.symbols)
    gap, apart = rf"(\s*[:\uff1a{signs}]\s*|\s+)", rf"(?:\S\s+){{{rules.digits - 1}}}\S"
    if rules.digits > 1 and re.fullmatch(apart, text):
        return text, "", ""
    match = re.match(rf"({apart}){gap}(.+)", text) or re.match(rf"(\S{{1,{rules.digits * 2}}}?){gap}(.+)", text)
    return (match[1], match[2], match[3]) if match else (text, "", "")


def write_hint(answer: Hint, words: Words = Words.HIT) -> str:
    """Return the short form in the words of the game: 1H1B, 1E1B, 1B1C, 1B1W; `parse_hint` reads it again."""
    return answer.in_words(words)


def write_answer(turn: Answered, words: Words = Words.HIT) -> str:
    """Return the answer of a turn in the words of the game; `parse_line` reads it under the same words."""
    return turn.answer(words)
