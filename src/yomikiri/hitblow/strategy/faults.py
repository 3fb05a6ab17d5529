"""What can be wrong with a strategy or its file: the leaves below `StrategyFault`, a branch of the tree of errors.

Every fault names its place: a line and column where the text is not JSON, a field such as `cost.total_guesses`, or the
way through the tree, guess by hint by guess: `012 0H1B 134`.
"""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.errors import N_, Place, StrategyFault, YomikiriError

# --- the text ---------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class NotUtf8(StrategyFault):
    """Bytes that are not text."""

    byte: int
    message = N_("byte {byte} is not UTF-8: expected a strategy file in JSON")


@dataclass(eq=False)
class NotJson(StrategyFault):
    """Text that is not JSON from there on."""

    line: int
    column: int
    message = N_("line {line}, column {column} is not JSON: expected a strategy file, complete to its end")


@dataclass(eq=False)
class NestedTooDeeply(StrategyFault):
    """Brackets within brackets beyond any strategy."""

    line: int
    column: int
    most: int
    message = N_("line {line}, column {column} is nested too deeply: expected at most {most} brackets in each other")


# --- the shape --------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class DoubledKey(StrategyFault):
    """A key twice in one object, or a hint with two branches."""

    place: Place
    key: str
    message = N_("at {place}: {key!r} stands twice: expected it once")


@dataclass(eq=False)
class MissingKey(StrategyFault):
    """An object without a key it needs."""

    place: Place
    key: str
    message = N_("at {place}: {key!r} is missing")


@dataclass(eq=False)
class UnknownKey(StrategyFault):
    """An object with a key that the format does not have."""

    place: Place
    key: str
    known: str
    message = N_("at {place}: unknown key {key!r}: expected only {known}")


@dataclass(eq=False)
class NotAnObject(StrategyFault):
    """Something else where an object stands."""

    place: Place
    given: str
    message = N_("at {place}: {given} is not an object: expected {{...}}")


@dataclass(eq=False)
class NotAList(StrategyFault):
    """Something else where a list stands."""

    place: Place
    given: str
    message = N_("at {place}: {given} is not a list: expected [...]")


@dataclass(eq=False)
class NotText(StrategyFault):
    """Something else where a text stands."""

    place: Place
    given: str
    message = N_('at {place}: {given} is not a text: expected "..."')


@dataclass(eq=False)
class NotANumber(StrategyFault):
    """Something else where a whole number stands."""

    place: Place
    given: str
    digits: int
    message = N_("at {place}: {given} is not usable: expected a whole number from 0, of at most {digits} digits")


@dataclass(eq=False)
class NotTrueOrFalse(StrategyFault):
    """Something else where true or false stands."""

    place: Place
    given: str
    message = N_("at {place}: {given}: expected true or false")


@dataclass(eq=False)
class NotOneOf(StrategyFault):
    """A value beside those there are."""

    place: Place
    given: str
    known: str
    message = N_("at {place}: {given}: expected {known}")


@dataclass(eq=False)
class NotAHint(StrategyFault):
    """A key under `on` that is not a hint as files write it."""

    place: Place
    given: str
    message = N_("at {place}: {given!r} is not a hint: expected the form 1H1B")


@dataclass(eq=False)
class Unusable(StrategyFault):
    """Rules, codes, hints or turns that are none."""

    place: Place
    reason: YomikiriError
    message = N_("at {place}: {reason}")


@dataclass(eq=False)
class NoBranches(StrategyFault):
    """A node that has a place for branches and none there."""

    place: Place
    message = N_("at {place}: 'on' is empty: expected a branch, or no 'on' after the last guess")


@dataclass(eq=False)
class UnevenFigure(StrategyFault):
    """A figure of the cost that does not follow from the histogram."""

    place: Place
    given: int
    counted: int
    message = N_("at {place}: {given}: the histogram gives {counted}")


# --- the strategy -----------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class InconsistentGuess(StrategyFault):
    """A guess that cannot be the secret in a strategy of consistent guesses."""

    place: Place
    message = N_("at {place}: the guess cannot be the secret: the objective allows only guesses that can")


@dataclass(eq=False)
class UselessGuess(StrategyFault):
    """A guess that leaves its candidates as they were."""

    place: Place
    hint: str
    count: int
    message = N_("at {place}: the guess tells nothing: {hint} is the answer whichever of the {count} secrets it is")


@dataclass(eq=False)
class BranchAfterWin(StrategyFault):
    """A branch under the hint that ends the game."""

    place: Place
    hint: str
    message = N_("at {place}: a branch for {hint}: expected none, since the secret is found")


@dataclass(eq=False)
class EmptyBranch(StrategyFault):
    """A branch for a hint that no secret gives there."""

    place: Place
    hint: str
    message = N_("at {place}: a branch for {hint}: expected none, since no secret gives this hint here")


@dataclass(eq=False)
class MissingBranch(StrategyFault):
    """A hint that can come and has no branch."""

    place: Place
    hint: str
    secret: str
    message = N_("at {place}: no branch for {hint}: expected one, since the secret {secret} gives this hint here")


@dataclass(eq=False)
class WrongFigure(StrategyFault):
    """A figure that replaying the strategy does not give."""

    place: Place
    given: str
    counted: str
    message = N_("at {place}: {given}: replaying every secret gives {counted}")


@dataclass(eq=False)
class BeyondLimit(StrategyFault):
    """A strategy that takes longer than its objective allows."""

    place: Place
    within: int
    counted: int
    message = N_("at {place}: {within}: but some secret takes {counted} guesses")


@dataclass(eq=False)
class ImpossibleBound(StrategyFault):
    """A lower bound above the total."""

    place: Place
    given: int
    total: int
    message = N_("at {place}: {given}: expected at most the total, {total}")


@dataclass(eq=False)
class OpenProof(StrategyFault):
    """A strategy called optimal whose bound does not reach its total."""

    place: Place
    given: int
    total: int
    message = N_("at {place}: {given}: expected the total, {total}, since the strategy is called optimal")
