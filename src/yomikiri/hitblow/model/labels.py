"""The enumerations in results: reasons, measures, items and luck. Advice returns them, and sentences name them.

They have a module of their own, so that the sentences load no search.
"""

from __future__ import annotations

from yomikiri.common.enums import Named


class Unproven(Named):
    """The reason why a policy that usually proves its guesses did not.

    `NO_MACHINE_CODE`: the processor is not supported. `TOO_LARGE`: the code space is too large to search. `TIME`: the
    time ran out. `SLIPS`: turns may be wrong, which no proof supports.
    """

    NO_MACHINE_CODE = "no machine code"
    TOO_LARGE = "too-large"
    TIME = "time"
    SLIPS = "slips"


class Measure(Named):
    """The measure in which one guess is better than another."""

    EXPECTED_GUESSES = "expected_guesses"
    EXPECTED_REMAINING = "expected_remaining"
    PARTS = "parts"
    LARGEST = "largest"
    BITS = "bits"


class Item(Named):
    """The items by name."""

    HIGH = "high"
    SLASH = "slash"
    TARGET = "target"
    SHUFFLE = "shuffle"
    CHANGE = "change"
    DOUBLE = "double"


class UseMeasure(Named):
    """The measure that compares uses of items.

    `GUESSES`: expected number of guesses to come, proven. `BITS`: expected entropy after the guess. `WIN`: chance of
    winning the match.
    """

    GUESSES = "guesses"
    BITS = "bits"
    WIN = "win"


class Fortune(Named):
    """The luck of a hint, by the guesses it saved or cost. `CERTAIN`: no other hint was possible."""

    CERTAIN = "certain"
    VERY_LUCKY = "very-lucky"
    LUCKY = "lucky"
    AVERAGE = "average"
    UNLUCKY = "unlucky"
    VERY_UNLUCKY = "very-unlucky"


class Basis(Named):
    """The method behind the chances.

    `RACE`: the exact race, with best play by both sides. `PACE`: the strategy that wins most often against the
    opponent's finish distribution. `PLAIN`: play for the fewest guesses, which is not proven to win most often.
    """

    RACE = "race"
    PACE = "pace"
    PLAIN = "plain"


class Unsolved(Named):
    """The reason why the race, or the strategy that wins most often, was not solved.

    `NO_MACHINE_CODE`, `TOO_LARGE` (too many positions) and `TIME` (the time ran out) apply to both. `UNEVEN` (some
    candidates are likelier) and `DOUBLE` (a turn with two guesses) exclude only the race. `SLIPS`: turns may be wrong,
    which no method supports; later turns are taken to be right.
    """

    NO_MACHINE_CODE = "no machine code"
    TOO_LARGE = "too-large"
    TIME = "time"
    UNEVEN = "uneven"
    SLIPS = "slips"
    DOUBLE = "double"


class Motive(Named):
    """The reason for a guess.

    - `ONLY`: it is the only candidate.
    - `LAST_CHANCE`: only finding the secret now still draws.
    - `BOTH`: it wins most often and needs the fewest guesses.
    - `MOST`: it wins most often, and the guess with the fewest guesses is not proven.
    - `NOW`, `WITHIN`, `RACE`: it wins more often than the play for the fewest guesses, because it hits now more often,
      finds the secret within some number of guesses more often, or wins more often in the exact race.
    """

    ONLY = "only"
    LAST_CHANCE = "last-chance"
    BOTH = "both"
    MOST = "most"
    NOW = "now"
    WITHIN = "within"
    RACE = "race"


class Unit(Named):
    """The unit of a cost: expected guesses still needed, or the chance of winning, where a draw counts half."""

    GUESSES = "guesses"
    CHANCE = "chance"


class Level(Named):
    """The strength of the program's guesses.

    `RANDOM`: any code. `CONSISTENT`: any candidate. `FEWEST`: play for the fewest guesses. `PERFECT`: perfect play of
    the race.
    """

    RANDOM = "random"
    CONSISTENT = "consistent"
    FEWEST = "fewest"
    PERFECT = "perfect"
