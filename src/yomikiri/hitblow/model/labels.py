"""The enumerations in results: reasons, measures, items and luck.

Advice returns these values, and `wording` turns them into sentences. They have a module of their own, so that `wording`
does not import the search.
"""

from __future__ import annotations

from yomikiri.common.enums import Named


class Unproven(Named):
    """The reason why a policy that usually proves its guesses did not.

    - `NO_MACHINE_CODE`: the processor is not supported.
    - `TOO_LARGE`: the code space is too large to search.
    - `TIME`: the time ran out.
    - `SLIPS`: turns may be wrong, and the proofs need correct ones.
    """

    NO_MACHINE_CODE = "no machine code"
    TOO_LARGE = "too-large"
    TIME = "time"
    SLIPS = "slips"


class Measure(Named):
    """The quantity that compares guesses: expected guesses or candidates left, number or size of parts, entropy."""

    EXPECTED_GUESSES = "expected_guesses"
    EXPECTED_REMAINING = "expected_remaining"
    PARTS = "parts"
    LARGEST = "largest"
    BITS = "bits"


class Item(Named):
    """The items of Numer0n that a player may use before a guess."""

    HIGH = "high"
    SLASH = "slash"
    TARGET = "target"
    SHUFFLE = "shuffle"
    CHANGE = "change"
    DOUBLE = "double"


class UseMeasure(Named):
    """The quantity that compares two ways to use an item.

    `GUESSES`: the proven expected number of further guesses. `BITS`: the expected entropy after the guess. `WIN`: the
    chance of winning the match.
    """

    GUESSES = "guesses"
    BITS = "bits"
    WIN = "win"


class Fortune(Named):
    """The luck of an answer, by the guesses it saved or cost. `CERTAIN`: no other answer was possible."""

    CERTAIN = "certain"
    VERY_LUCKY = "very-lucky"
    LUCKY = "lucky"
    AVERAGE = "average"
    UNLUCKY = "unlucky"
    VERY_UNLUCKY = "very-unlucky"


class Basis(Named):
    """The method that computed the chances of winning.

    - `RACE`: the exact race, with best play by both sides.
    - `PACE`: the strategy that wins most often against the opponent's finish distribution.
    - `PLAIN`: play for the fewest guesses, which is not proven to win most often.
    """

    RACE = "race"
    PACE = "pace"
    PLAIN = "plain"


class Unsolved(Named):
    """The reason why the exact race, or the strategy that wins most often, was not computed.

    - `NO_MACHINE_CODE`: the processor is not supported.
    - `TOO_LARGE`: there are too many positions.
    - `TIME`: the time ran out.
    - `UNEVEN`: some candidates are likelier than others. This excludes only the race.
    - `DOUBLE`: a turn has two guesses. This excludes only the race.
    - `SLIPS`: turns may be wrong, which neither method supports. Later turns are taken to be right.
    """

    NO_MACHINE_CODE = "no machine code"
    TOO_LARGE = "too-large"
    TIME = "time"
    UNEVEN = "uneven"
    SLIPS = "slips"
    DOUBLE = "double"


class Motive(Named):
    """The reason for a guess in a match.

    - `ONLY`: there is no other candidate.
    - `LAST_CHANCE`: the opponent has finished, so only finding the secret with this guess still draws.
    - `BOTH`: the guess wins most often and needs the fewest guesses.
    - `MOST`: the guess wins most often, and no guess is proven to need the fewest guesses.
    - `NOW`, `WITHIN`, `RACE`: the guess wins more often than the play for the fewest guesses. It is likelier to find
      the secret at once (`NOW`) or within some number of guesses (`WITHIN`), or it is better in the exact race
      (`RACE`).
    """

    ONLY = "only"
    LAST_CHANCE = "last-chance"
    BOTH = "both"
    MOST = "most"
    NOW = "now"
    WITHIN = "within"
    RACE = "race"


class Unit(Named):
    """The unit of a cost: expected number of further guesses, or chance of winning with a draw counted half."""

    GUESSES = "guesses"
    CHANCE = "chance"


class Level(Named):
    """The strength at which the program plays.

    `RANDOM`: any code. `CONSISTENT`: any candidate. `FEWEST`: play for the fewest guesses. `PERFECT`: perfect play of
    the race.
    """

    RANDOM = "random"
    CONSISTENT = "consistent"
    FEWEST = "fewest"
    PERFECT = "perfect"
