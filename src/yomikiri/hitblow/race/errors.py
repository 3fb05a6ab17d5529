"""What can be wrong with a match."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.errors import N_, CodeError, HintError, InputError, TurnError


@dataclass(eq=False)
class UnreadableMatch(TurnError):
    """A word of a match that is neither a turn nor one of its terms."""

    given: str
    message = N_("{given!r} is not part of a match: expected me=GUESS:HINT or they=GUESS:HINT")


@dataclass(eq=False)
class UnreadableTerm(TurnError):
    """A term of a match with a value that it cannot have."""

    given: str
    expected: str
    message = N_("{given!r} is not a term of a match: expected {expected}")


@dataclass(eq=False)
class OutOfTurn(TurnError):
    """Two moves in a row by one side."""

    given: str
    expected: str
    message = N_("{given!r} is out of turn: expected {expected} next, since the sides move in turns")


@dataclass(eq=False)
class MatchOver(TurnError):
    """A turn after the end of the match."""

    given: str
    message = N_("{given!r} comes after the end of the match: expected no further turn")


@dataclass(eq=False)
class ShownInSecret(CodeError):
    """My secret uses a symbol that I showed as one it does not use."""

    given: str
    symbol: str
    message = N_("the secret {given!r} uses {symbol!r}, which was shown as absent: expected one without it")


@dataclass(eq=False)
class AnswerAgainstSecret(HintError):
    """I answered a guess of the opponent otherwise than my secret does."""

    given: str
    secret: str
    answer: str
    message = N_("{given!r} is not how the secret {secret} answers: expected {answer}")


@dataclass(eq=False)
class UnreadableFinishes(InputError):
    """How often the opponent finds a secret with each guess, not as counts."""

    given: str
    message = N_(
        "finishes {given!r}: expected how often they need 1, 2, 3, ... guesses, with up to 7 digits, as in 1,4,25"
    )


@dataclass(eq=False)
class IdleFinishes(InputError):
    """Counts of finishes for a model that does not use them."""

    given: str
    opponent: str
    message = N_("--finishes {given!r} is for --opponent custom: expected none with {opponent}")


@dataclass(eq=False)
class TooManyRevealed(InputError):
    """One player shows more symbols than their secret can leave out."""

    given: int
    limit: int
    message = N_("--revealed {given} leaves too few symbols for a secret: expected at most {limit}")


@dataclass(eq=False)
class TooLargeRace(InputError):
    """More secrets than a value of the race is computed for."""

    given: int
    limit: int
    message = N_("{given} secrets are too many for this race: expected at most {limit}")


@dataclass(eq=False)
class TooManyHistories(InputError):
    """More ways a race can go than are read out when own secrets count."""

    limit: int
    message = N_("this race can go in more than {limit} ways: expected a smaller game, such as 2 digits of 01234")


@dataclass(eq=False)
class UnusableStore(InputError):
    """A file that cannot keep the work of a race, is damaged, or keeps something else."""

    given: str
    message = N_(
        "{given} cannot keep this work: expected a new file, or a whole one kept under the same rules and version"
    )


@dataclass(eq=False)
class NothingToStore(InputError):
    """A file for the work of a race that is over in seconds."""

    given: str
    message = N_("--store keeps the work of --information public: expected none with {given}")


@dataclass(eq=False)
class RevealedByNobody(InputError):
    """A number of symbols to show, where nobody shows any."""

    given: int
    message = N_("--revealed {given} says how many, not who: expected --reveals first or second with it")
