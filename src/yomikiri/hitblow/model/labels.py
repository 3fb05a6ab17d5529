"""The enumerations in results, such as the reason for a suggested guess, or the luck of an answer.

Advice returns these values, and `wording` turns them into sentences. The enumerations have a module of their own, so
that `wording` does not import the search.
"""

from __future__ import annotations

from yomikiri.common.enums import Named


class Unproven(Named):
    """The reason why a suggested guess is not proven best, although the method that suggested it usually gives a proof.

    - `NO_MACHINE_CODE`: the processor is not supported.
    - `TOO_LARGE`: there are too many candidates or guesses to search. The limit is lower if some candidates are
      likelier than others.
    - `TIME`: the time ran out.
    - `SLIPS`: some turns may be wrong, but a proof is only possible if all turns are right.
    """

    NO_MACHINE_CODE = "no machine code"
    TOO_LARGE = "too-large"
    TIME = "time"
    SLIPS = "slips"


class Measure(Named):
    """The quantity by which one guess is better than another.

    - `EXPECTED_GUESSES`: the expected number of further guesses.
    - `EXPECTED_REMAINING`: the expected number of candidates after the answer.
    - `PARTS`: the number of different answers that the candidates give.
    - `LARGEST`: the greatest number of candidates that give the same answer.
    - `BITS`: the expected information of the answer.
    """

    EXPECTED_GUESSES = "expected_guesses"
    EXPECTED_REMAINING = "expected_remaining"
    PARTS = "parts"
    LARGEST = "largest"
    BITS = "bits"


class Item(Named):
    """The items of Numer0n: special actions, such as HIGH&LOW and SHUFFLE, that a player may use before a guess."""

    HIGH = "high"
    SLASH = "slash"
    TARGET = "target"
    SHUFFLE = "shuffle"
    CHANGE = "change"
    DOUBLE = "double"


class UseMeasure(Named):
    """The quantity by which one use of a Numer0n item, such as SLASH, is better than another.

    - `GUESSES`: the proven expected number of further guesses.
    - `BITS`: the expected entropy of the candidates, in bits, at the end of the turn in which the item is used.
    - `WIN`: the chance of winning the match.
    """

    GUESSES = "guesses"
    BITS = "bits"
    WIN = "win"


class Fortune(Named):
    """The luck of the player with an answer, measured by the guesses that the answer saved or cost.

    `CERTAIN` means that no other answer was possible.
    """

    CERTAIN = "certain"
    VERY_LUCKY = "very-lucky"
    LUCKY = "lucky"
    AVERAGE = "average"
    UNLUCKY = "unlucky"
    VERY_UNLUCKY = "very-unlucky"


class Basis(Named):
    """The method that computed the chances of winning.

    - `RACE`: the exact solution of the match, for best play by both sides.
    - `PACE`: the strategy that wins most often, given the distribution of the number of guesses that the opponent
      needs.
    - `PLAIN`: play for the fewest guesses, which is not proven to win most often.
    """

    RACE = "race"
    PACE = "pace"
    PLAIN = "plain"


class Unsolved(Named):
    """The reason why the exact race, or the strategy that wins most often, was not computed.

    These are two methods of advice in a match. The *exact race* is the solution for best play by both sides. The
    *strategy that wins most often* assumes that the opponent ignores the player's board.

    - `NO_MACHINE_CODE`: the processor is not supported.
    - `TOO_LARGE`: there are too many positions. For the exact race, this is also the reason if some symbols may not
      begin a code.
    - `TIME`: there is not enough time.
    - `UNEVEN`: some candidates are likelier than others. This excludes only the exact race.
    - `DOUBLE`: a player has two guesses in the present turn, after the action DOUBLE of Numer0n. This excludes only the
      exact race.
    - `SLIPS`: turns may be wrong, and the methods need correct ones. The method used instead assumes that later turns
      are right.
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
    - `LAST_CHANCE`: the opponent has found the player's secret, so the player must find the opponent's secret with this
      guess, and can only draw.
    - `BOTH`: the guess wins most often, and is proven to need the fewest guesses on average.
    - `MOST`: the guess wins most often, but is not proven to need the fewest guesses on average.

    The other reasons compare the guess with its *rival*, the guess that needs the fewest guesses on average. The guess
    wins more often than the rival, for one of these reasons:

    - `NOW`: it is likelier to find the secret at once.
    - `WITHIN`: it is likelier to find the secret within some number of guesses.
    - `RACE`: neither of the two was found to be true.

    If the chances were computed by play for the fewest guesses (`Basis.PLAIN`), it is not known which guess wins most
    often. Then `BOTH` and `MOST` only say whether the guess is proven to need the fewest guesses on average.
    """

    ONLY = "only"
    LAST_CHANCE = "last-chance"
    BOTH = "both"
    MOST = "most"
    NOW = "now"
    WITHIN = "within"
    RACE = "race"


class Unit(Named):
    """The unit in which a guess is valued: expected number of further guesses, or chance of winning.

    In a chance of winning, a draw counts half.
    """

    GUESSES = "guesses"
    CHANCE = "chance"


class Level(Named):
    """The strength at which the program plays against a person.

    - `RANDOM`: the program guesses a random code.
    - `CONSISTENT`: the program guesses a random candidate.
    - `FEWEST`: the program plays for the fewest guesses on average.
    - `PERFECT`: the program plays perfectly for finding its opponent's secret first.
    """

    RANDOM = "random"
    CONSISTENT = "consistent"
    FEWEST = "fewest"
    PERFECT = "perfect"
