"""The rules of a match: two secrets, turns alternate, and the first to hit everything wins.

Each player keeps a secret and guesses at the other's. The first player's advantage may be paid for by showing a symbol
that its secret does not use. The turns, in order, are all that happens, and whose they are follows from who began:

    first=me  shown=7  secret=314        me    012 -> 0H1B        (I showed that 314 does not use 7)
                                         they  345 -> 1H1B
                                         me    ...

By default a match ends at once when a secret is found. With `equal_turns` the second player still completes the turn,
and the match is drawn if both have then found the secret with as many guesses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from yomikiri.enums import Named
from yomikiri.errors import N_, CodeError, HintError, TurnError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Fact, Hint, Rules, Turn, all_but_last, hint, turn_in


class Side(Named):
    """One of the two players, as the person who is advised sees them."""

    ME = "me"
    OPPONENT = "opponent"

    @property
    def other(self) -> Side:
        """The other player."""
        return Side.OPPONENT if self is Side.ME else Side.ME


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won a match; nobody, when it is drawn."""

    winner: Side | None


@dataclass(frozen=True)
class Match:
    """A match in progress: its terms and the turns of both sides in order.

    `rules` are those of the secret that I seek, `own_rules` those of mine; `absent` are the symbols that the opponent
    showed, `shown` those that I showed; `secret` is mine, empty where it is not told. Raises a `RulesError`, a
    `CodeError`, a `HintError`, and a `TurnError` for a turn after the end. Hints that contradict each other are a match
    all the same: the board they stand on has no candidates.

    >>> match = Match(first=Side.OPPONENT, secret="314")
    >>> match.play(Turn("134", match.answer("134"))).to_move
    Side.ME
    """

    rules: Rules = Rules()
    own_rules: Rules = Rules()
    first: Side = Side.ME
    absent: str = ""
    shown: str = ""
    secret: str = ""
    equal_turns: bool = False
    turns: tuple[Turn, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", Side(self.first))
        object.__setattr__(self, "absent", self.rules.check_absent(self.absent))
        object.__setattr__(self, "shown", self.own_rules.check_absent(self.shown))
        object.__setattr__(self, "turns", tuple(self.turns))
        if self.secret:
            self.own_rules.check_secret(self.secret)
            for symbol in self.secret:
                if symbol in self.shown:
                    raise CodeError(
                        N_("secret {given!r}: you revealed {symbol!r}, so your secret cannot contain it"),
                        given=self.secret,
                        symbol=symbol,
                    )
        for side in Side:
            self.known(side)  # which checks the guesses and hints by themselves
        for line, turn in enumerate(self.turns):
            self._check(line, turn)

    def _check(self, line: int, turn: Turn) -> None:
        if self._outcome(line) is not None:
            raise TurnError(N_("{given!r} comes after the end of the match: leave it out"), given=str(turn))
        if self.secret and self.mover(line) is Side.OPPONENT:
            answer = self.answer(turn.guess)
            if turn.hint != answer:
                raise HintError(
                    N_("{given!r} does not fit your secret {secret}: expected {answer}"),
                    given=str(turn),
                    secret=self.secret,
                    answer=str(answer),
                )

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What happened, line by line."""
        return self.turns

    # --- whose turn it is, and who has won ----------------------------------------------------------------------------

    def mover(self, line: int) -> Side:
        """Who moves in that line, counted from 0: the sides take turns."""
        return self.first if line % 2 == 0 else self.first.other

    @property
    def to_move(self) -> Side | None:
        """Whose turn it is; nobody's once the match is over."""
        return None if self.outcome else self.mover(len(self.turns))

    @cached_property
    def outcome(self) -> Outcome | None:
        """Who has won; None while the match goes on."""
        return self._outcome(len(self.turns))

    @property
    def last_chance(self) -> bool:
        """Whether the side to move must hit now, the other having found its secret."""
        return self.outcome is None and bool(self._finders(len(self.turns)))

    def _outcome(self, lines: int) -> Outcome | None:
        """Who has won after so many lines."""
        finders = self._finders(lines)
        if not finders or (self.equal_turns and lines % 2):  # the second player's turn is still to come
            return None
        return Outcome(finders.pop() if len(finders) == 1 else None)

    def _finders(self, lines: int) -> set[Side]:
        """Who has hit everything within so many lines."""
        return {
            self.mover(line)
            for line, turn in enumerate(self.turns[:lines])
            if turn.hint == self.sought(self.mover(line)).win
        }

    # --- the boards ---------------------------------------------------------------------------------------------------

    def sought(self, side: Side) -> Rules:
        """The rules of the secret that a side seeks."""
        return self.rules if side is Side.ME else self.own_rules

    def lines(self, side: Side) -> range:
        """The lines, counted from 0, in which a side moved."""
        return range(0 if side is self.first else 1, len(self.turns), 2)

    def known(self, side: Side) -> Knowledge:
        """What a side knows of the other's secret, as both can see it."""
        return self._mine if side is Side.ME else self._theirs

    @cached_property
    def _mine(self) -> Knowledge:
        return Knowledge(self.rules, self.absent, self._turns_of(Side.ME))

    @cached_property
    def _theirs(self) -> Knowledge:
        return Knowledge(self.own_rules, self.shown, self._turns_of(Side.OPPONENT))

    def _turns_of(self, side: Side) -> tuple[Turn, ...]:
        return tuple(self.turns[line] for line in self.lines(side))

    def answer(self, guess: str) -> Hint:
        """What my secret answers to a guess of the opponent; raises a `CodeError`. The secret must be told."""
        assert self.secret
        return hint(self.own_rules.check_guess(guess), self.secret)

    # --- steps --------------------------------------------------------------------------------------------------------

    def play(self, turn: Turn) -> Match:
        """The match after a turn of the side to move.

        Raises a `CodeError`, a `HintError` for a hint that no secret, or not mine, gives to that guess, and a
        `TurnError` after the end.
        """
        mover = self.mover(len(self.turns))
        later = replace(self, turns=(*self.turns, turn))
        # The candidates are derived from these, not counted again from the whole space.
        boards = {side: self.known(side) for side in Side}
        boards[mover] = boards[mover].after(turn)
        later.__dict__.update(_mine=boards[Side.ME], _theirs=boards[Side.OPPONENT])
        return later

    def turn(self, line: int) -> Turn:
        """What stands in `line` (from 1); raises a `TurnError`."""
        return turn_in(self.turns, line)

    def undo(self) -> Match:
        """The match without its last line; raises a `TurnError`."""
        return replace(self, turns=all_but_last(self.turns))

    def edit(self, line: int, turn: Turn) -> Match:
        """The match with another turn in `line` (from 1).

        Raises what `play` does, and a `TurnError` where there is no such line or turns follow one that wins.
        """
        self.turn(line)
        turns = list(self.turns)
        turns[line - 1] = turn
        return replace(self, turns=tuple(turns))
