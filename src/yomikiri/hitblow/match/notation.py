"""Text form of a match: one word for each of its settings, turns and other facts.

    first=opponent shown=7 secret=314 they=012:0H1B me=345:1H0B

An *entry* is a turn or another fact of one side, `me` or `they`. All other words are *terms*: settings of the match,
such as the side that goes first. The options on the command line, saved matches, and the parameters in addresses of
the web page use the same names. Terms equal to their default are left out. `preset`, `digits`, `symbols` and `repeats`
are the rules of the opponent's secret; `secret-digits` and so on are those of the player's own secret if they differ.
`words` selects the letters for hits and blows in the turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from yomikiri.common.enums import choice, fold
from yomikiri.common.errors import N_, TurnError
from yomikiri.hitblow.match.match import Match, Side, is_own_change, movers
from yomikiri.hitblow.model.facts import SecretChange
from yomikiri.hitblow.model.game import (
    DIGITS,
    GAME,
    REPEATS,
    WEIGHTS,
    Pairs,
    different_rules,
    pairs_text,
    rules_of,
    rules_pairs,
    slips_of,
    slips_pairs,
    words_of,
)
from yomikiri.hitblow.model.notation import guess_alone, is_guess, parse_code, parse_fact, parse_guess, parse_words
from yomikiri.hitblow.model.rules import Answered, Fact, Rules, Turn, Words
from yomikiri.settings import HelpHeading, Kind, Setting

SIDES = {"me": Side.ME, "they": Side.OPPONENT}
LABELS = {side: label for label, side in SIDES.items()}

OWN_RULES = (
    Setting("secret-digits", N_("Number of digits of your own secret, if different."), Kind.INTEGER,
            least=DIGITS.least, most=DIGITS.most, group=HelpHeading.GAME),
    Setting("secret-symbols", N_("The symbols of your own secret, if different."), group=HelpHeading.GAME),
    Setting("secret-repeats", N_("Repeated symbols in your own secret, if different."), Kind.WORD,
            words=REPEATS.words, group=HelpHeading.GAME),
    Setting("secret-no-leading", N_("Symbols that your own secret may not begin with, if different."),
            group=HelpHeading.GAME),
)  # fmt: skip
"""The settings of the rules of the player's own secret."""

FIRST = Setting(
    "first",
    N_("First player: me or opponent."),
    Kind.WORD,
    default=str(Side.ME),
    words=tuple(Side),
    group=HelpHeading.GAME,
)
SECRET = Setting("secret", N_("Your own secret; with it the program works out your answers."), group=HelpHeading.KNOWN)
SHOWN = Setting("shown", N_("Symbols that you revealed as not in your secret."), group=HelpHeading.KNOWN)
EQUAL_TURNS = Setting(
    "equal-turns",
    N_("Both players get the same number of guesses; if both find the secret, it is a draw."),
    Kind.FLAG,
    group=HelpHeading.GAME,
)

MATCH = (*GAME, *OWN_RULES, FIRST, SECRET, SHOWN, EQUAL_TURNS)
"""The settings of a match. `match_of` reads all of them except the prior weights."""

TERMS = tuple(setting.name for setting in MATCH if setting is not WEIGHTS)
"""The names of the terms (settings of a match, such as `first`) that `match_of` accepts."""


def match_pairs(match: Match, words: Words = Words.HIT) -> Iterator[tuple[str, str]]:
    """Yield a match as (name, value) pairs: its terms, then its turns and other facts. `match_of` is the inverse.

    *Terms* are the settings of a match, such as `first` and `secret`. `words` selects the names of hits and blows. The
    pair with the name `words` is left out if its value is the default or follows from the preset.
    """
    yield from rules_pairs(match.rules, words)
    yield from different_rules(match.own_rules, match.rules, "secret-")
    if match.first is Side.OPPONENT:
        yield "first", str(match.first)
    for name, value in (("absent", match.absent), ("shown", match.shown), ("secret", match.secret_at(0))):
        if value:
            yield name, value
    if match.equal_turns:
        yield "equal-turns", "1"
    yield from slips_pairs(match.slips)
    yield from line_pairs(match.first, match.facts, match.secret)


def line_pairs(first: Side, facts: Sequence[Fact], secret: str) -> Iterator[tuple[str, str]]:
    """Yield the turns and other facts of a match as (name, value) pairs, such as `("me", "345:1H0B")`.

    If the player's secret changes and the new one is known, the pair `("secret", "271")` follows the change.
    """
    after = [*(fact.previous_secret for fact in facts if is_own_change(fact)), secret][1:]
    for side, fact in zip(movers(first, facts), facts, strict=False):
        yield LABELS[side], str(fact)
        if is_own_change(fact) and (now := after.pop(0)):
            yield "secret", now


def match_of(pairs: Pairs) -> Match:
    """Build a match from (name, value) pairs.

    The names `me` and `they` give the turns and other facts of the two sides, in order. All other names are *terms*:
    settings of the match, such as `first`. Terms may come in any order; the last value of a repeated term counts. Only
    for `secret` does the position among the pairs matter: after a change of the player's secret, the value is the new
    secret.

    Raises a `TurnError` for an unknown name, an `InputError` for an invalid value, and the errors of `play_pair` and
    `Match`.
    """
    pairs = tuple(pairs)
    for name, value in pairs:
        if name not in SIDES and name not in TERMS:
            raise _not_of_a_match(f"{name}={value}")
    parameters = dict(pairs)
    rules = rules_of(parameters)
    own_rules = rules_of(parameters, "secret-", rules)
    secrets = _secrets(pairs, own_rules)
    match = Match(
        rules,
        own_rules,
        choice(parameters, "first", Side, Side.ME),
        parse_code(parameters.get("absent", ""), rules),
        parse_code(parameters.get("shown", ""), own_rules),
        secrets.pop(0),
        choice(parameters, "equal-turns", ("0", "1"), "0") == "1",
        slips=slips_of(parameters),
    )
    words = words_of(parameters)
    for name, value in pairs:
        if name in SIDES:
            match = play_pair(match, name, value, words)
            if is_own_change(match.facts[-1]):
                match = replace(match, secret=secrets.pop(0))
    return match


def _secrets(pairs: Pairs, own_rules: Rules) -> list[str]:
    """Return the player's secret at the start of a match, and after each change of this secret.

    An unknown secret is an empty string.
    """
    secrets = [""]
    for name, value in pairs:
        if name == "secret":
            secrets[-1] = parse_code(value, own_rules)
        elif name == "they" and isinstance(parse_words(value, own_rules), SecretChange):
            secrets.append("")
    return secrets


def write_match(match: Match) -> str:
    """Return the text of a match. `read_match` is the inverse."""
    return pairs_text(match_pairs(match))


def read_match(text: str) -> Match:
    """Parse the text of a match. Raises the errors of `split_pair` and `match_of`."""
    return match_of(map(split_pair, text.split()))


def split_pair(word: str) -> tuple[str, str]:
    """Split a word `NAME=VALUE` into name and value. Raises a `TurnError` if it has no equals sign."""
    name, sign, value = word.partition("=" if "=" in word else "＝")
    if not sign:
        raise _not_of_a_match(word)
    return fold(name), value


def play_pair(match: Match, name: str, value: str, words: Words = Words.HIT, typed: str = "") -> Match:
    """Return the match after a turn in text form, `me=GUESS:ANSWER`, or after another fact, such as `me=has=3`.

    `name` is `me` or `they`, and `value` is the text after the first equals sign. `words` selects the letters for hits
    and blows in the answer. `they=GUESS` is enough if the player's secret is known. Raises a `TurnError` for another
    name and for a turn of the wrong side, and the errors of `Match.play`. Errors quote `typed`, the text that the user
    entered, unless it is empty.
    """
    typed = typed or f"{name}={value}"
    side = SIDES.get(name)
    if side is None:
        raise _not_of_a_match(typed)
    if match.to_move is side.other and is_guess(value.partition(":")[0], match.sought(side)):
        raise _out_of_turn(typed, side)
    fact = parse_entry(match, side, value, words)
    if not isinstance(fact, Answered):
        return match.learn(side, fact)
    if match.to_move is side.other:
        raise _out_of_turn(typed, side)
    return match.play(fact)


def _out_of_turn(typed: str, side: Side) -> TurnError:
    if side is Side.ME:
        return TurnError(N_("{given!r} is out of turn: their guess comes next ('they')"), given=typed)
    return TurnError(N_("{given!r} is out of turn: your guess comes next ('me')"), given=typed)


def parse_entry(match: Match, side: Side, value: str, words: Words) -> Fact:
    """Parse a turn or another fact of one side: `value` is its text, such as `012:0H1B` or `has=3`.

    `words` selects the letters for hits and blows in the answer of a turn. If the player's secret is known, a guess of
    the opponent may come without its answer, which is then computed.
    """
    rules = match.sought(side)
    try:
        return parse_fact(value, rules, words)
    except TurnError:
        code = parse_code(value, rules)
        if set(code) - set(rules.symbols):
            raise
        guess = parse_guess(code, rules)
        if side is Side.ME or not match.secret:
            raise guess_alone(value) from None
        return Turn(guess, match.answer(guess))


def _not_of_a_match(word: str) -> TurnError:
    return TurnError(N_("{given!r} is not part of a match: expected me=GUESS:ANSWER or they=GUESS:ANSWER"), given=word)
