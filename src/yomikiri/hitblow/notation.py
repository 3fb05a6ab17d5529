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

from yomikiri.enums import fold
from yomikiri.errors import N_, CodeError, HintError, TurnError
from yomikiri.hitblow.facts import KINDS, Absent, At, NamedFact, not_a_fact, not_such
from yomikiri.hitblow.part_turns import PartTurn, answered
from yomikiri.hitblow.rules import (
    Answered,
    Fact,
    Hint,
    Rules,
    Turn,
    Words,
    not_a_hint,
    not_a_turn,
)

# Labels by what they can mean. `b` alone is the one that depends on its partner and on the words in use.
_HITS = (
    *("hits", "hit", "h", "ヒット"),
    *("eats", "eat", "e", "a", "イート"),
    *("bulls", "bull", "ブル"),
    *("blacks", "black", "黒", "ブラック"),
    *("strikes", "strike", "s", "ストライク"),
)
_BLOWS = (
    *("blows", "blow", "ブロー"),
    *("bites", "bite", "バイト"),
    *("cows", "cow", "c", "カウ"),
    *("whites", "white", "w", "白", "ホワイト"),
    *("balls", "ball", "ボール"),
)
_LABEL = "|".join(sorted((*_HITS, *_BLOWS, "b"), key=len, reverse=True))
_HITS_ALONE = re.compile(rf"(\d)\s*(?:{'|'.join((*_HITS, 'b'))})\s*_")
_BLOWS_ALONE = re.compile(rf"_\s*(\d)\s*(?:{'|'.join((*_BLOWS, 'b'))})")
_GAP = r"[\s,、・/+&]*"
_NUMBER_FIRST = re.compile(rf"(\d)\s*({_LABEL})(?:{_GAP}(\d)\s*({_LABEL}))?")
_LABEL_FIRST = re.compile(rf"({_LABEL})\s*[:=]?\s*(\d)(?:{_GAP}({_LABEL})\s*[:=]?\s*(\d))?")
_BARE = re.compile(r"(\d)(?:\s*[-,、/+.]\s*|\s*)(\d)")
_NOTHING = ("0", "miss", "ミス", "ハズレ", "はずれ", "外れ")


def parse_hint(text: str, words: Words = Words.HIT) -> Hint:
    """Read a hint: `1 1`, `1-1`, `1.1`, `11`, `1H1B`, `1A1B`, `1B2C`, `1S1B`, `1EAT1BITE`, `1黒1白`, in either order.

    A missing part is 0, and so are both in `0` and `miss`. A lone `1B` is what `words` call so: a bull, a black one,
    else a blow. Raises a `HintError`.
    """
    folded = fold(text)
    if folded in _NOTHING:
        return Hint(0, 0)
    if match := _BARE.fullmatch(folded):
        return Hint(int(match[1]), int(match[2]))
    if match := _NUMBER_FIRST.fullmatch(folded):
        parts = [(match[2], match[1]), (match[4], match[3])]
    elif match := _LABEL_FIRST.fullmatch(folded):
        parts = [(match[1], match[2]), (match[3], match[4])]
    else:
        raise not_a_hint(text, write_hint(Hint(1, 1), words))
    named = [(label, int(number)) for label, number in parts if label]
    meanings = _meanings([label for label, _ in named], words)
    if meanings is None:
        raise not_a_hint(text, write_hint(Hint(1, 1), words))
    counts = dict(zip(meanings, (number for _, number in named), strict=True))
    return Hint(counts.get("hits", 0), counts.get("blows", 0))


def _meanings(labels: list[str], words: Words) -> list[str] | None:
    """What each label counts, `hits` or `blows`; None if two count the same."""
    plain = ["hits" if label in _HITS else "blows" if label in _BLOWS else "" for label in labels]
    if labels == ["b"]:
        return ["hits" if words in (Words.BULL, Words.BLACK) else "blows"]
    if "b" in labels:  # with a partner it is whatever the partner is not: 1H2B, 1B2C
        other = next((meaning for meaning in plain if meaning), None)
        if other is None:
            return None
        plain = [meaning or ("blows" if other == "hits" else "hits") for meaning in plain]
    return plain if len(set(plain)) == len(plain) else None


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
    """Read a code that may be guessed; raises a `CodeError`, for an answer one that says so."""
    code = parse_code(text, rules)
    if set(code) - set(rules.symbols):
        with suppress(HintError):
            parse_hint(text)
            raise CodeError(N_("{given!r} is an answer: expected a guess"), given=text)
    return rules.check_guess(code)


def is_guess(text: str, rules: Rules) -> bool:
    """Whether it is a code that may be guessed."""
    try:
        parse_guess(text, rules)
    except CodeError:
        return False
    return True


def parse_fact(text: str, rules: Rules, words: Words = Words.HIT) -> Fact:
    """Read a token, `012:1H1B` or `has=3`, as in arguments, saved games and addresses; raises an `InputError`."""
    folded = unicodedata.normalize("NFKC", text)
    guess, colon, answer = folded.partition(":")
    if colon:
        return _answered(parse_guess(guess, rules), answer, words)
    name, sign, value = folded.partition("=")
    kind = KINDS.get(fold(name))
    if kind is None:
        raise not_a_fact(text) if sign else not_a_turn(text)
    return _of_game(kind.parse(value), rules)


def parse_turn(text: str, rules: Rules, words: Words = Words.HIT) -> Answered:
    """Read `GUESS:HINT`, or `GUESS:` and a part of the hint or the marks."""
    if ":" not in unicodedata.normalize("NFKC", text):
        raise not_a_turn(text)
    turn = parse_fact(text, rules, words)
    assert isinstance(turn, Answered)
    return turn


def _answered(guess: str, answer: str, words: Words) -> Answered:
    """A guess with its hint, or with what else is told of it: `1H_`, `_1B`, `=2`, `?`, `HBM`."""
    try:
        return Turn(guess, parse_hint(answer, words))
    except HintError:
        folded = re.sub(_HITS_ALONE, r"\1H_", re.sub(_BLOWS_ALONE, r"_\1B", fold(answer))).upper()
        if told := answered(guess, folded):
            return told
        raise


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
    if (found := _alone(text, words)) is not None:
        return found(proposed())
    guess, gap, answer = _split(text.strip(), rules)
    answered_so = (_alone(answer, words) or ("=" in fold(gap) and _alone(f"={answer}", words))) if gap else None
    if answered_so:
        with suppress(CodeError):
            return answered_so(parse_guess(guess, rules))
    code = parse_code(text, rules)
    if not gap and len(code) == rules.digits and not set(code) - set(rules.symbols):
        raise guess_alone(rules.check_guess(code), words)
    if fact := parse_words(text, rules):
        return fact
    if answered_so:
        return answered_so(parse_guess(guess, rules))
    raise not_a_hint(text, write_hint(Hint(1, 1), words))


def _alone(text: str, words: Words) -> Callable[[str], Answered] | None:
    """What makes a turn of a guess where the text is an answer without one."""
    with suppress(HintError):
        _answered("", text, words)
        return lambda guess: _answered(guess, text, words)
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


def guess_alone(guess: str, words: Words = Words.HIT) -> TurnError:
    """The error for a guess without its hint, where that was needed."""
    return TurnError(
        N_("{given!r} has no hint: expected a guess and its hint, such as '{given} {example}'"),
        given=guess,
        example=write_hint(Hint(1, 1), words),
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


_LETTERS = {Words.HIT: ("H", "B"), Words.EAT: ("E", "B"), Words.BULL: ("B", "C"), Words.BLACK: ("B", "W")}


def write_hint(answer: Hint, words: Words = Words.HIT) -> str:
    """The short form in the words of the game: 1H1B, 1E1B, 1B1C, 1B1W. `parse_hint` reads it under the same words."""
    hits, blows = _LETTERS[words]
    return f"{answer.hits}{hits}{answer.blows}{blows}"


def write_answer(turn: Answered, words: Words = Words.HIT) -> str:
    """What a guess was answered, in short and in the words of the game; `parse_line` reads it under the same words."""
    if isinstance(turn, Turn):
        return write_hint(turn.hint, words)
    answer = str(turn).rpartition(":")[2]
    if not isinstance(turn, PartTurn):
        return answer
    hits, blows = _LETTERS[words]
    return answer.replace("B", blows).replace("H", hits)
