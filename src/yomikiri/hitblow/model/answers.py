"""Parser of answers as people write them: `1H1B`, `1 1`, `1 hit 1 blow`, `1イート1バイト`, `BBW`, `●○` and so on."""

from __future__ import annotations

import re

from yomikiri.common.enums import fold
from yomikiri.common.errors import HintError
from yomikiri.hitblow.model.partial_answers import answered
from yomikiri.hitblow.model.rules import Answered, Hint, Rules, Turn, Words, not_a_hint

# Neither list contains the letter b alone, because b can mean a hit (bull, black) or a blow (blow, bite).
_HITS = (
    *("hits", "hit", "h", "ヒット"),
    *("eats", "eat", "e", "a", "イート"),
    *("bulls", "bull", "ブル"),
    *("blacks", "black", "黒", "ブラック"),
    *("strikes", "strike", "s", "ストライク", "스트라이크"),
)
_BLOWS = (
    *("blows", "blow", "ブロー"),
    *("bites", "bite", "バイト"),
    *("cows", "cow", "c", "カウ"),
    *("whites", "white", "w", "白", "ホワイト"),
    *("balls", "ball", "ボール", "볼"),
)
_NOTHING = ("0", "miss", "ミス", "ハズレ", "はずれ", "外れ", "낫싱", "nothing")

# Signs that each mean one hit, one blow or one miss: pegs, and the emoji in results that players share.
_HIT_SIGNS, _BLOW_SIGNS, _MISS_SIGNS = "●🟢", "○🔸🔶", "▫⬜\ufe0f"
_SIGNS = re.compile(rf"[{_HIT_SIGNS}{_BLOW_SIGNS}{_MISS_SIGNS}\s]+")

_LABEL = "|".join(sorted((*_HITS, *_BLOWS, "b"), key=len, reverse=True))
_DASH = "\\-ー‐‑–—−〜~"
_GAP = rf"[\s,、・/+&{_DASH}]*"
_HITS_ALONE = re.compile(rf"(\d)\s*(?:{'|'.join((*_HITS, 'b'))})\s*_")
_BLOWS_ALONE = re.compile(rf"_\s*(\d)\s*(?:{'|'.join((*_BLOWS, 'b'))})")
_NUMBER_FIRST = re.compile(rf"(\d)\s*({_LABEL})(?:{_GAP}(\d)\s*({_LABEL}))?")
_LABEL_FIRST = re.compile(rf"({_LABEL})\s*[:=]?\s*(\d)(?:{_GAP}({_LABEL})\s*[:=]?\s*(\d))?")
_BARE = re.compile(rf"(\d)(?:\s*[{_DASH},、/+.]\s*|\s*)(\d)")
_MARKS = re.compile("[hbm]+")


def parse_hint(text: str, words: Words = Words.HIT) -> Hint:
    """Parse an answer of hits and blows, in any form and either order.

    Accepts `1 1`, `1-1`, `11`, `1H1B`, `1B2C`, `1S1B`, `1EAT-1BITE`, `1黒1白`, and one sign for each hit and blow, such
    as `●○` and `🟢🔶`. Games with black and white or bull and cow also accept one letter for each, such as `BBW`. A
    missing part is 0; `0` and `miss` mean that both are 0. A lone `1B` is a hit if `words` abbreviates hits by B,
    otherwise a blow. Raises a `HintError`.
    """
    folded = fold(text)
    if folded in _NOTHING:
        return Hint(0, 0)
    if match := _BARE.fullmatch(folded):
        return Hint(int(match[1]), int(match[2]))
    if counted := _counted(folded, words):
        return counted
    if match := _NUMBER_FIRST.fullmatch(folded):
        parts = [(match[2], match[1]), (match[4], match[3])]
    elif match := _LABEL_FIRST.fullmatch(folded):
        parts = [(match[1], match[2]), (match[3], match[4])]
    else:
        raise not_a_hint(text)
    named = [(label, int(number)) for label, number in parts if label]
    meanings = _meanings([label for label, _ in named], words)
    if meanings is None:
        raise not_a_hint(text)
    counts = dict(zip(meanings, (number for _, number in named), strict=True))
    return Hint(counts.get("hits", 0), counts.get("blows", 0))


def _counted(folded: str, words: Words) -> Hint | None:
    """Parse an answer with one sign or letter for each hit and each blow, such as `●○` or `BBW`.

    Returns None for other text.
    """
    if _SIGNS.fullmatch(folded):
        return Hint(sum(map(folded.count, _HIT_SIGNS)), sum(map(folded.count, _BLOW_SIGNS)))
    hit, blow = map(str.lower, words.letters)
    if folded and hit == "b" and re.fullmatch(f"{hit}*{blow}*", folded):
        return Hint(folded.count(hit), folded.count(blow))
    return None


def _meanings(labels: list[str], words: Words) -> list[str] | None:
    """Return the meaning, `hits` or `blows`, of each label in an answer, such as `h` and `bite` in `1h 2bite`.

    Returns None if two labels mean the same. The label `b` means the opposite of the other label. If `b` is the only
    label, `words` decides.
    """
    plain = ["hits" if label in _HITS else "blows" if label in _BLOWS else "" for label in labels]
    if labels == ["b"]:
        return ["hits" if words.letters[0] == "B" else "blows"]
    if "b" in labels:  # The letter b means blows in 1H2B (hits and blows), but bulls, which are hits, in 1B2C.
        other = next((meaning for meaning in plain if meaning), None)
        if other is None:
            return None
        plain = [meaning or ("blows" if other == "hits" else "hits") for meaning in plain]
    return plain if len(set(plain)) == len(plain) else None


def parse_answer(guess: str, text: str, rules: Rules, words: Words) -> Answered:
    """Parse the answer to a guess: hits and blows, a partial answer, or marks such as `HBM`.

    Partial answers are `1H_`, `_1B`, `=2` and `?`. Raises a `HintError` for other text.
    """
    try:
        return Turn(guess, parse_hint(text, words))
    except HintError:
        folded = re.sub(_HITS_ALONE, r"\1h_", re.sub(_BLOWS_ALONE, r"_\1b", fold(text)))
        turn = answered(guess, folded.upper())
        if turn is None or (_MARKS.fullmatch(folded) and len(folded) != rules.digits):
            raise
        return turn
