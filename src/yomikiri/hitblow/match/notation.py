"""A match as text, and back: its terms and then its turns in order, a word each.

    first=opponent shown=7 secret=314 they=012:0H1B me=345:1H0B

The names are those of the command's options, and the words those of saved matches and addresses. A term at its default
is not written. `digits`, `symbols` and `repeats` are the rules of the secret that I seek, `secret-digits` and so on of
mine, where they differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from yomikiri.errors import N_, TurnError
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.notation import fold, guess_alone, parse_code, parse_guess, parse_turn
from yomikiri.hitblow.rules import MAX_DIGITS, Repeats, Rules, Turn, Words

T = TypeVar("T")
Pairs = Iterable[tuple[str, str]]

_SIDES = {"me": Side.ME, "they": Side.OPPONENT}
_LABELS = {side: label for label, side in _SIDES.items()}
_STANDARD = Rules()


def pairs_of(match: Match) -> Iterator[tuple[str, str]]:
    """The terms and turns of a match as names and values; `match_of` is the inverse."""
    yield from _rules_pairs("", match.rules, _STANDARD)
    yield from _rules_pairs("secret-", match.own_rules, match.rules)
    if match.first is Side.OPPONENT:
        yield "first", str(match.first)
    for name, value in (("absent", match.absent), ("shown", match.shown), ("secret", match.secret)):
        if value:
            yield name, value
    if match.equal_turns:
        yield "equal-turns", "1"
    for line, turn in enumerate(match.turns):
        yield _LABELS[match.mover(line)], str(turn)


def match_of(pairs: Pairs, words: Words = Words.HIT) -> Match:
    """The match of names and values, terms in any order; where a term stands twice, the last one counts.

    Raises a `TurnError` for what is no term, and what `play_pair` and `Match` raise.
    """
    terms: dict[str, str] = {}
    turns = []
    for name, value in pairs:
        if name in _SIDES:
            turns.append((name, value))
        elif name in _TERMS:
            terms[name] = value
        else:
            raise _not_of_a_match(f"{name}={value}")
    match = _start(terms)
    for name, value in turns:
        match = play_pair(match, name, value, words)
    return match


def write_match(match: Match) -> str:
    """The text of a match; `read_match` is the inverse."""
    return " ".join(f"{name}={value}" for name, value in pairs_of(match))


def read_match(text: str, words: Words = Words.HIT) -> Match:
    """The match that a text tells; raises what `match_of` does."""
    return match_of(map(split_pair, text.split()), words)


def split_pair(word: str) -> tuple[str, str]:
    """The name and the value of a word; raises a `TurnError` where there is no `=`."""
    name, sign, value = word.partition("=" if "=" in word else "＝")
    if not sign:
        raise _not_of_a_match(word)
    return fold(name), value


def play_pair(match: Match, name: str, value: str, words: Words = Words.HIT) -> Match:
    """The match after the turn `me=GUESS:HINT` or `they=GUESS:HINT`; `they=GUESS` where my secret is told.

    Raises a `TurnError` for another name and for a turn of the wrong side, and what `Match.play` raises.
    """
    side = _SIDES.get(name)
    if side is None:
        raise _not_of_a_match(f"{name}={value}")
    if match.to_move is side.other:
        raise TurnError(
            N_("{given!r} is out of turn: expected {expected} next, since the sides move in turns"),
            given=f"{name}={value}",
            expected=f"{_LABELS[side.other]}=",
        )
    return match.play(_turn(match, side, value, words))


def _turn(match: Match, side: Side, value: str, words: Words) -> Turn:
    rules = match.sought(side)
    try:
        return parse_turn(value, rules, words)
    except TurnError:
        code = parse_code(value, rules)
        if set(code) - set(rules.symbols):
            raise
        guess = parse_guess(code, rules)
        if side is Side.ME or not match.secret:
            raise guess_alone(value) from None
        return Turn(guess, match.answer(guess))


_TERMS = {
    *("digits", "symbols", "repeats", "secret-digits", "secret-symbols", "secret-repeats"),
    *("first", "absent", "shown", "secret", "equal-turns"),
}


def _start(terms: dict[str, str]) -> Match:
    """The match of some terms before its first turn."""
    rules = _rules(terms, "", _STANDARD)
    own_rules = _rules(terms, "secret-", rules)
    return Match(
        rules,
        own_rules,
        _one_of(terms, "first", {str(side): side for side in Side}, Side.ME),
        parse_code(terms.get("absent", ""), rules),
        parse_code(terms.get("shown", ""), own_rules),
        parse_code(terms.get("secret", ""), own_rules),
        _one_of(terms, "equal-turns", {"0": False, "1": True}, False),
    )


def _rules(terms: dict[str, str], prefix: str, base: Rules) -> Rules:
    digits = {str(number): number for number in range(1, MAX_DIGITS + 1)}
    return Rules(
        _one_of(terms, f"{prefix}digits", digits, base.digits),
        terms.get(f"{prefix}symbols", base.symbols),
        _one_of(terms, f"{prefix}repeats", {str(kind): kind for kind in Repeats}, base.repeats),
    )


def _rules_pairs(prefix: str, rules: Rules, base: Rules) -> Iterator[tuple[str, str]]:
    for name in ("digits", "symbols", "repeats"):
        if getattr(rules, name) != getattr(base, name):
            yield f"{prefix}{name}", str(getattr(rules, name))


def _one_of(terms: dict[str, str], name: str, values: dict[str, T], default: T) -> T:
    if name not in terms:
        return default
    try:
        return values[terms[name]]
    except KeyError:
        raise TurnError(
            N_("{given!r} is not a term of a match: expected {expected}"),
            given=f"{name}={terms[name]}",
            expected=", ".join(f"{name}={value}" for value in values),
        ) from None


def _not_of_a_match(word: str) -> TurnError:
    return TurnError(N_("{given!r} is not part of a match: expected me=GUESS:HINT or they=GUESS:HINT"), given=word)
