"""Terms of a race: the rules of both secrets, the revealed symbols, and the condition for its end."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from yomikiri.common.enums import Named, flag, whole
from yomikiri.common.errors import N_, InputError, RulesError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import Prior, checked_prior
from yomikiri.hitblow.model.rules import MAX_SYMBOLS, Rules, nothing_to_reveal


class Reveals(Named):
    """The player who reveals some symbols that are absent from their own secret.

    `NONE` means that neither player reveals any.
    """

    NONE = "none"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a race, before its first guess.

    - `rules`: rules of the second player's secret, which the first player looks for.
    - `second_rules`: rules of the first player's secret, which the second player looks for. None means `rules`.
    - `absent`: symbols of `rules` that neither secret contains.
    - `reveals`: the player who reveals symbols that are absent from their own secret.
    - `revealed`: how many symbols this player reveals. They are the last symbols, in the order of the game,
      that are not in `absent`. Their choice has no effect, because the symbols are interchangeable.
    - `equal_turns`: True if both players get the same number of guesses. The second player may then complete
      the round in which the first player hits, and two hits in one round are a draw. If False, the first hit
      wins.
    - `prior`: weights of the codes of `rules`, proportional to the probability that the code is the secret. If
      `second_rules` differs from `rules`, the prior does not apply to the first player's secret: all codes
      possible for it are equally likely.

    Raises a `RulesError` in these cases:

    - `absent` or the revealed symbols leave too few symbols for a secret.
    - A player reveals symbols and there is a prior. The choice of the symbols would then matter.
    - The rules of a secret forbid some symbols at the first place, such as 0 (`no_leading`). The solvers do not
      support such rules.
    """

    rules: Rules = Rules()
    absent: str = ""
    reveals: Reveals = Reveals.NONE
    revealed: int = 1
    equal_turns: bool = False
    second_rules: Rules | None = None
    prior: Prior = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules.read(self.rules, "rules"))
        if self.second_rules is not None:
            object.__setattr__(self, "second_rules", Rules.read(self.second_rules, "second_rules"))
        object.__setattr__(self, "reveals", Reveals.read(self.reveals, "reveals"))
        object.__setattr__(self, "revealed", whole(self.revealed, "revealed", 1, MAX_SYMBOLS))
        flag(self.equal_turns, "equal_turns")
        object.__setattr__(self, "prior", checked_prior(self.rules, self.prior))
        if self.prior and self.reveals is not Reveals.NONE:
            raise RulesError(
                N_(
                    "with weights the result depends on which symbols a player reveals, and a race cannot name "
                    "them: leave it out"
                )
            )
        object.__setattr__(self, "absent", self.rules.check_absent(self.absent))
        own = self.second_rules or self.rules
        if self.rules.no_leading or own.no_leading:
            raise RulesError(
                N_("a race cannot be solved with --no-leading {given}: leave it out"),
                given=self.rules.no_leading or own.no_leading,
            )
        own.check_absent(self._absent_from(own))
        most = len(self._possible_symbols) - self._shown_of.symbols_needed
        if self.reveals is not Reveals.NONE and self.revealed > most:
            if not most:
                raise nothing_to_reveal()
            raise RulesError(
                N_("{given} revealed symbols leave too few for a secret: expected at most {limit}"),
                given=self.revealed,
                limit=most,
            )

    @property
    def shown(self) -> str:
        """The symbols that one player reveals as absent from their own secret, in the order of the game.

        Empty if neither player reveals any.
        """
        return "" if self.reveals is Reveals.NONE else self._possible_symbols[-self.revealed :]

    @property
    def first(self) -> Knowledge:
        """The first player's knowledge about the second player's secret."""
        return self._known(self.rules, Reveals.SECOND)

    @property
    def second(self) -> Knowledge:
        """The second player's knowledge about the first player's secret."""
        return self._known(self.second_rules or self.rules, Reveals.FIRST)

    def _known(self, rules: Rules, shows: Reveals) -> Knowledge:
        absent = self._absent_from(rules) + (self.shown if self.reveals is shows else "")
        return Knowledge(rules, absent, prior=self.prior if rules == self.rules else ())

    def _absent_from(self, rules: Rules) -> str:
        """Return the symbols that occur in `rules`, but are known to be absent from both secrets."""
        return "".join(symbol for symbol in self.absent if symbol in rules.symbols)

    @property
    def _shown_of(self) -> Rules:
        """The rules of the secret of the player who reveals symbols.

        If neither player reveals any, these are the rules of the second player's secret.
        """
        return (self.second_rules or self.rules) if self.reveals is Reveals.FIRST else self.rules

    @property
    def _possible_symbols(self) -> str:
        """The symbols that the secret of the revealing player may contain, as known before the revelation.

        They are in the order of the game. If neither player reveals symbols, they are those of the second player's
        secret.
        """
        return "".join(symbol for symbol in self._shown_of.symbols if symbol not in self.absent)


@dataclass(frozen=True, slots=True)
class Value:
    """Proven bounds of the value of a race: the first player's chance of winning, with a draw counted one half.

    `draw` is the probability of a draw if both players follow the strategies that the solver found, or None if it was
    not computed. Other strategies with the same value may draw more or less often.
    """

    lower: Fraction
    upper: Fraction
    draw: Fraction | None


def too_large(secrets: int, most: int) -> InputError:
    """Return the error for a race that is too large for a solver, which supports at most `most` secrets.

    `secrets` is the number of possible secrets of one player. For a solver with a limit on the number of possible
    guesses, both arguments are numbers of guesses.
    """
    return InputError(
        N_("{given} secrets are too many to solve this race: choose a game with at most {limit}"),
        given=secrets,
        limit=most,
    )
