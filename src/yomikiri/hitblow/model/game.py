"""Conversion of a game to pairs of names and values, and back, as in options, web addresses (URLs) and saved games.

For example `preset=bulls digits=3 absent=7 slips=1 turn=012:1B fact=has=3 turn=345:1C`, where `slips` is the largest
number of turns that may be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from yomikiri.common.enums import choice, number
from yomikiri.common.errors import N_, InputError
from yomikiri.common.file_errors import fault_at_line
from yomikiri.hitblow.model.facts import absent_first
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import parse_code, parse_fact, parse_turn
from yomikiri.hitblow.model.prior import Prior, checked_prior, no_weight
from yomikiri.hitblow.model.rules import MAX_DIGITS, PRESETS, Answered, Fact, Preset, Repeats, Rules, Words
from yomikiri.hitblow.model.wrong_answers import MOST, Slips, not_a_rate
from yomikiri.settings import HelpHeading, Kind, Setting

Pairs = Iterable[tuple[str, str]]

PRESET = Setting("preset", N_("A standard game; the options below override it."), Kind.WORD, words=tuple(PRESETS),
                 group=HelpHeading.GAME)  # fmt: skip
DIGITS = Setting("digits", N_("Number of digits in a code, 1 to 6."), Kind.INTEGER, least=1, most=MAX_DIGITS,
                 group=HelpHeading.GAME)  # fmt: skip
SYMBOLS = Setting("symbols", N_("The symbols used in codes, at most 16."), group=HelpHeading.GAME)
REPEATS = Setting("repeats", N_("Repeated symbols: never (none), only in guesses (guess), or also in the secret "
                                "(all)."), Kind.WORD,
                  words=tuple(Repeats), group=HelpHeading.GAME)  # fmt: skip
NO_LEADING = Setting("no-leading", N_("Symbols that a code may not begin with."), group=HelpHeading.GAME)
WORDS = Setting("words", N_("Names for hits and blows."), Kind.WORD, words=tuple(Words), group=HelpHeading.GAME)
ABSENT = Setting("absent", N_("Symbols known not to be in the secret."), group=HelpHeading.KNOWN)
WEIGHTS = Setting(
    "weights",
    N_(
        "File of weights, one CODE,WEIGHT per line in whole numbers: a secret of weight 2 is twice as likely. "
        "Codes not listed are excluded. Totals count each secret by its weight."
    ),
    Kind.LINES,
    group=HelpHeading.KNOWN,
    example={"012": 3, "345": 1},
)
SLIPS = Setting("slips", N_("Maximum number of wrong turns, mistyped or misheard."), Kind.INTEGER, most=MOST,
                group=HelpHeading.KNOWN)  # fmt: skip
SLIP_RATE = Setting("slip-rate", N_("Probability that a turn is wrong; 0.05 by default."), Kind.NUMBER, least=0.001,
                    most=0.5, group=HelpHeading.KNOWN)  # fmt: skip

RULES = (PRESET, DIGITS, SYMBOLS, REPEATS, NO_LEADING)
"""The settings of the rules, which `rules_of` reads."""

UNCERTAIN = (SLIPS, SLIP_RATE)
"""The settings of wrong answers, which `slips_of` reads."""

GAME = (*RULES, WORDS, ABSENT, WEIGHTS, *UNCERTAIN)
"""The settings of a game on one board. `weights_of` reads `weights`, and `game_of` reads all others."""


@dataclass(frozen=True, slots=True)
class HitBlowGame:
    """A game on one board: rules, names for hits and blows, facts, prior weights, and how many turns may be wrong."""

    rules: Rules = Rules()
    words: Words = Words.HIT
    absent: str = ""
    facts: tuple[Fact, ...] = ()
    prior: Prior = ()
    slips: Slips = Slips()

    def __post_init__(self) -> None:
        absent, facts = absent_first(self.absent, self.facts)
        object.__setattr__(self, "absent", self.rules.check_absent(absent))
        object.__setattr__(self, "facts", facts)

    @property
    def known(self) -> Knowledge:
        """The knowledge about the secret.

        Raises an `InputError` for a fact that the rules do not allow, or that no secret of the rules satisfies.
        """
        return Knowledge(self.rules, self.absent, self.facts, self.prior, self.slips)


def game_of(pairs: Pairs) -> HitBlowGame:
    """Build a game from pairs of names and values, as in command-line options and web addresses.

        preset=bulls digits=3 absent=7 slips=1 turn=012:1B fact=has=3 turn=345:1C

    The *preset* is a standard game. The pairs `digits`, `symbols`, `repeats`, `no-leading` and `words` replace parts of
    the preset. `slips` is the largest number of turns that may be wrong. `turn` and `fact` may occur any number of
    times, in the order of the game. If another name occurs twice, the last value counts. Unknown names are ignored, and
    so is `weights` (the weights of the codes), which `weights_of` reads. Raises an `InputError` for an invalid value.
    `game_pairs` is the inverse.
    """
    pairs = tuple(pairs)
    parameters = dict(pairs)
    rules, words = rules_of(parameters), words_of(parameters)
    facts = tuple(
        (parse_turn if name == "turn" else parse_fact)(value, rules, words)
        for name, value in pairs
        if name in ("turn", "fact")
    )
    return HitBlowGame(rules, words, parse_code(parameters.get("absent", ""), rules), facts, slips=slips_of(parameters))


def weights_of(parameters: Mapping[str, str], rules: Rules, absent: str = "") -> Prior:
    """Parse the prior weights of the codes in parameter `weights`. The result is empty if the parameter is missing.

    Raises an `InputError` for an invalid value, and if every code with a positive weight contains an `absent` symbol.
    """
    if "weights" not in parameters:
        return ()
    prior = parse_weights(parameters["weights"], rules)
    if not Knowledge(rules, absent, prior=prior).count:
        raise no_weight()
    return prior


def parse_weights(text: str, rules: Rules) -> Prior:
    """Parse the prior weights of codes from lines `CODE,WEIGHT`, such as `012,3`.

    Codes without a line get the weight 0. Blank lines are ignored. Fields may be quoted, `"012",3`, as in files of
    spreadsheets, and separated by a semicolon or a tab instead of a comma. Raises an `InputError` for an invalid line,
    and if all weights are 0. The error for a line names its number, and the file if `text` is a `FileText`.
    """
    weights: dict[str, int] = {}
    for line, written in enumerate(text.splitlines(), start=1):
        if not written.strip():
            continue
        try:
            code, weight = _weight_in(written, rules)
            if code in weights:
                raise InputError(N_("{given!r} has a weight already: remove one of the two lines"), given=code)
        except InputError as reason:
            raise fault_at_line(text, "weights", line, reason) from None
        weights[code] = weight
    if not weights:
        raise no_weight()
    return checked_prior(rules, weights.items())


def _weight_in(written: str, rules: Rules) -> tuple[str, int]:
    """Parse one line `CODE,WEIGHT`, such as `012,3`, and return the code and its weight. Raises an `InputError`."""
    separator = next((sign for sign in ",;\t" if sign in written), "")
    if not separator:
        raise InputError(
            N_("{given!r} has no comma: expected CODE,WEIGHT such as {example},3"), given=written, example=rules.example
        )
    code, weight = _fields(written, separator)
    code = rules.check_secret(parse_code(code, rules))
    if not re.fullmatch("[0-9]{1,9}", weight):
        raise InputError(N_("{given!r} needs a whole number of 0 or more as its weight"), given=written)
    return code, int(weight)


def _fields(written: str, separator: str) -> tuple[str, str]:
    """Split a line `CODE,WEIGHT` at the last separator into its two fields, each of which may be quoted.

    The code may contain blanks and the separator.
    """
    import csv

    fields = next(csv.reader([written.strip()], delimiter=separator, skipinitialspace=True))
    return separator.join(fields[:-1]).strip(), fields[-1].strip()


def slips_of(parameters: Mapping[str, str]) -> Slips:
    """Parse the parameters about wrong turns: their maximum number `slips`, and their probability `slip-rate`.

    Raises an `InputError`.
    """
    most = number(parameters, "slips", 0)
    rate = parameters.get("slip-rate")
    if rate is None:
        return Slips(most)
    if not most:
        raise InputError(N_("slip-rate={given} has no effect without slips: give slips, too"), given=rate)
    try:
        return Slips(most, float(rate))
    except ValueError:
        raise not_a_rate(rate) from None


def rules_of(parameters: Mapping[str, str], prefix: str = "", base: Rules | None = None) -> Rules:
    """Build rules from the parameters `digits`, `symbols`, `repeats` and `no-leading`.

    Missing parameters take their value from `base`. If `base` is None, they take it from the preset that the parameter
    `preset` names. `prefix` is put before each name except `preset`, as in `secret-digits`. Raises an `InputError`.
    """
    base = base or _preset(parameters).rules
    return Rules(
        number(parameters, f"{prefix}digits", base.digits),
        parameters.get(f"{prefix}symbols", base.symbols),
        choice(parameters, f"{prefix}repeats", Repeats, base.repeats),
        parameters.get(f"{prefix}no-leading", base.no_leading),
    )


def words_of(parameters: Mapping[str, str]) -> Words:
    """Return the names for hits and blows that parameter `words` selects, or those of the preset if it is missing.

    Raises an `InputError`.
    """
    return choice(parameters, "words", Words, _preset(parameters).words)


def _preset(parameters: Mapping[str, str]) -> Preset:
    return PRESETS[choice(parameters, "preset", PRESETS, "hitblow")]


def game_pairs(game: HitBlowGame) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names and values that describe a game, except its prior weights. `game_of` is the inverse.

    Settings with their default value are left out.
    """
    yield from rules_pairs(game.rules, game.words)
    if game.absent:
        yield "absent", game.absent
    yield from slips_pairs(game.slips)
    yield from fact_pairs(game.facts)


def pairs_text(pairs: Iterable[tuple[str, object]]) -> str:
    """Join pairs of names and values into one text, `NAME=VALUE NAME=VALUE`."""
    return " ".join(f"{name}={value}" for name, value in pairs)


def slips_pairs(slips: Slips) -> Iterator[tuple[str, str]]:
    """Yield (name, value) pairs for the assumption about wrong answers, without those that have the default value.

    `slips` is the limit on the number of wrong turns, and `slip-rate` the probability that a turn is wrong.
    """
    if slips.most:
        yield "slips", str(slips.most)
        if slips.rate != Slips().rate:
            yield "slip-rate", f"{slips.rate:g}"


def fact_pairs(facts: Iterable[Fact]) -> Iterator[tuple[str, str]]:
    """Yield a (name, value) pair for each fact of a game: the value is the fact as text.

    The name is `turn` if the fact is a guess with its answer. It is `fact` for all other facts.
    """
    return (("turn" if isinstance(fact, Answered) else "fact", str(fact)) for fact in facts)


def rules_pairs(rules: Rules, words: Words = Words.HIT) -> Iterator[tuple[str, str]]:
    """Yield (name, value) pairs for the rules of a game and its names for hits and blows.

    If a preset has these rules and names, the only pair is its name, and there is no pair for the default preset.
    Otherwise the pairs contain the settings that differ from the default preset.
    """
    for name, preset in PRESETS.items():
        if (preset.rules, preset.words) == (rules, words):
            yield from [] if name == "hitblow" else [("preset", name)]
            return
    yield from different_rules(rules, Rules())
    if words is not Words.HIT:
        yield "words", str(words)


def different_rules(rules: Rules, base: Rules, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield (name, value) pairs for the settings in which `rules` differ from the rules `base`.

    `prefix` is put before each name, as in `secret-digits`. `rules_of` is the inverse.
    """
    for name in ("digits", "symbols", "repeats", "no_leading"):
        if getattr(rules, name) != getattr(base, name):
            yield f"{prefix}{name.replace('_', '-')}", str(getattr(rules, name))
