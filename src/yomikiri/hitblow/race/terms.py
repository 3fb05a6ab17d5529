"""The terms of a race: the rules, who has shown symbols that their secret does not use, and when it ends."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.enums import Named
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.race.errors import TooManyRevealed
from yomikiri.hitblow.rules import Rules


class Reveals(Named):
    """Who shows symbols that their own secret does not use."""

    NONE = "none"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Terms:
    """A race before its first guess.

    `absent` are symbols that neither secret uses; `reveals` shows `revealed` more. Which ones makes no difference,
    since symbols may be renamed: here they are the last. Under `equal_turns` the second player completes the turn, and
    finding both secrets in it is a draw; else the first to find wins at once. Raises a `RulesError` where `absent`
    leaves too few symbols for a secret, `TooManyRevealed` where those shown do.
    """

    rules: Rules = Rules()
    absent: str = ""
    reveals: Reveals = Reveals.NONE
    revealed: int = 1
    equal_turns: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "absent", self.rules.check_absent(self.absent))
        most = len(self.rules.symbols) - len(self.absent) - self.rules.symbols_needed
        if self.reveals is not Reveals.NONE and self.revealed > most:
            raise TooManyRevealed(self.revealed, most)

    @property
    def shown(self) -> str:
        """The symbols that one player shows, in order."""
        if self.reveals is Reveals.NONE:
            return ""
        left = [symbol for symbol in self.rules.symbols if symbol not in self.absent]
        return "".join(left[-self.revealed :])

    @property
    def first(self) -> Knowledge:
        """What the first player knows of the secret that they seek."""
        return Knowledge(self.rules, self.absent + (self.shown if self.reveals is Reveals.SECOND else ""))

    @property
    def second(self) -> Knowledge:
        """What the second player knows of the secret that they seek."""
        return Knowledge(self.rules, self.absent + (self.shown if self.reveals is Reveals.FIRST else ""))
