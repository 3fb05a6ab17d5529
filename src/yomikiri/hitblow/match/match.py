"""Rules of a match: two secrets, alternating turns, and the first player to find the other's secret wins.

Each player has a secret and guesses the other's. As a handicap, the player who begins may reveal a symbol that is not
in their secret. A match contains a list of *entries*: the turns and other facts of both players, in order. Who begins
determines whose turn it is at each entry:

    first=me  shown=7  secret=314        me    012 -> 0H1B        (I revealed that 314 does not contain 7)
                                         they  345 -> 1H1B
                                         me    ...

By default a match ends as soon as a player finds a secret. With `equal_turns`, both players get the same number of
turns: if the first player finds the secret, the second player still has one turn, and the match is drawn if they find
the other secret in this turn.

Methods state whether they count entries from 0 or from 1. The *board* of a side contains its knowledge of the secret
that it looks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard

from yomikiri.common.entries import all_but_last, entry_in, with_entry
from yomikiri.common.enums import Named, flag, not_such, text
from yomikiri.common.errors import N_, CodeError, HintError, TurnError
from yomikiri.hitblow.model.corrections import repairs
from yomikiri.hitblow.model.facts import Double, OfTurn, Pass, SecretChange
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import Prior
from yomikiri.hitblow.model.rules import Answered, Fact, Hint, Rules, Turn, hint
from yomikiri.hitblow.model.wrong_answers import Slips


class Side(Named):
    """One of the two players: `ME` receives the advice, `OPPONENT` is the other player."""

    ME = "me"
    OPPONENT = "opponent"

    @property
    def other(self) -> Side:
        """The other player."""
        return Side.OPPONENT if self is Side.ME else Side.ME


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The result of a match: its winner, or None for a draw."""

    winner: Side | None


@dataclass(frozen=True, slots=True)
class Learned(Fact):
    """A fact about a secret, other than a turn, and the side that learned it: an element of `Match.facts`.

    An example is the fact that the secret contains a certain symbol. If the fact is a change of the player's own
    secret, `previous_secret` is the secret before the change, or empty if it is unknown.
    """

    side: Side
    fact: Fact
    previous_secret: str = ""

    def __str__(self) -> str:
        return str(self.fact)


def _are_facts(given: object) -> bool:
    return isinstance(given, (list, tuple)) and all(isinstance(fact, Fact) for fact in given)


def movers(first: Side, facts: Sequence[Fact]) -> list[Side]:
    """Return the side to which each turn or other fact of a match belongs, and finally the side to guess next.

    A guess belongs to the side whose turn it is. Any other fact belongs to the side that learned it.
    """
    owners = turn_owners(first, facts)[0]
    sides = (fact.side if isinstance(fact, Learned) else owner for fact, owner in zip(facts, owners, strict=False))
    return [*sides, owners[-1]]


def turn_owners(first: Side, facts: Sequence[Fact]) -> tuple[list[Side], int]:
    """Return the side whose turn it is at each of `facts`, the course of a match, and after the last of them.

    The first result is a list of these sides. The second result is the number of guesses that the side to move now has
    left in its turn. A guess or a pass ends a turn; other facts do not. After the action DOUBLE of Numer0n, a turn has
    two guesses, unless the first one finds the secret.
    """
    owners, calls = [first], 1
    for fact in facts:
        owner = owners[-1]
        if isinstance(fact, Learned):
            calls = calls + isinstance(fact.fact, Double) if not isinstance(fact.fact, Pass) else 0
        else:
            calls = calls - 1 if not (isinstance(fact, Answered) and fact.found) else 0
        owners.append(owner if calls else owner.other)
        calls = calls or 1
    return owners, calls


@dataclass(frozen=True)
class Match:
    """A match in progress: its settings, and the turns and other facts of both sides in order.

    - `rules`, `absent`, `prior`: rules of the opponent's secret, the symbols that the opponent revealed as absent, and
      prior weights of the codes.
    - `own_rules`, `shown`, `secret`: rules of the player's own secret, the symbols that the player revealed as absent,
      and the present secret, or an empty string if it is unknown.
    - `first`: the side that begins. `equal_turns`: True if both sides get the same number of turns.
    - `slips`: an assumption about wrong turns: the largest number of them on either board, and the probability that a
      turn is wrong. Turns that can be checked with the player's secret are never wrong.

    The prior is not part of the text of a match. A match with contradictory answers is valid; its board has no
    candidates. Raises an `InputError` for an invalid prior and for a value of a wrong type. Other invalid values raise
    a `RulesError`, a `CodeError` or a `HintError`. A fact after the end of the match or out of turn raises a
    `TurnError`.

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
    facts: tuple[Fact, ...] = ()
    prior: Prior = ()
    slips: Slips = Slips()

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules.read(self.rules, "rules"))
        object.__setattr__(self, "own_rules", Rules.read(self.own_rules, "own_rules"))
        object.__setattr__(self, "first", Side.read(self.first, "first"))
        object.__setattr__(self, "slips", Slips.read(self.slips, "slips"))
        text(self.secret, "secret")
        flag(self.equal_turns, "equal_turns")
        if isinstance(self.facts, str) or not _are_facts(self.facts):
            raise not_such("facts", self.facts, "(Turn('012', '0H1B'),)")
        object.__setattr__(self, "absent", self.rules.check_absent(self.absent))
        object.__setattr__(self, "shown", self.own_rules.check_absent(self.shown))
        object.__setattr__(self, "facts", tuple(self.facts))
        for secret in filter(None, {self.secret_at(line) for line in range(len(self.facts) + 1)}):
            self.own_rules.check_secret(secret)
        for symbol in self.secret_at(0):
            if symbol in self.shown:
                raise CodeError(
                    N_("secret {given!r}: you revealed {symbol!r}, so your secret cannot contain it"),
                    given=self.secret_at(0),
                    symbol=symbol,
                )
        for side in Side:
            self.known(side)  # Compute the knowledge of each side once, to raise an error for an impossible fact.
        object.__setattr__(self, "prior", self._mine.prior)
        for line, fact in enumerate(self.facts):
            self._check(line, fact)

    def _check(self, line: int, fact: Fact) -> None:
        if self._outcome(line) is not None:
            raise TurnError(N_("{given!r} comes after the end of the match: leave it out"), given=fact)
        if isinstance(fact, Learned) and isinstance(fact.fact, OfTurn) and fact.side is not self.owner(line):
            raise TurnError(N_("{given!r} is out of turn: only the player to move can use it"), given=fact)
        secret = self.secret_at(line)
        if not secret or self.mover(line) is Side.ME:
            return
        content = fact.fact if isinstance(fact, Learned) else fact
        if isinstance(content, Turn):
            answer = self.answer(content.guess, secret)
            if content.hint != answer:
                raise HintError(
                    N_("{given!r} does not fit your secret {secret}: expected {answer}"),
                    given=content,
                    secret=secret,
                    answer=answer,
                )
        elif not self._is_true(content, secret, self.secret_at(line + 1)):
            raise HintError(
                N_("{given!r} does not fit your secret {secret}: correct one of the two"),
                given=content,
                secret=secret,
            )

    def _is_true(self, fact: Fact, secret: str, now: str) -> bool:
        """Return True if a fact that the opponent learned is true of the player's secret.

        `secret` is the player's secret before the fact. `now` is the secret after the fact, or empty if it is unknown.
        The two differ only if the fact is a change of the secret. A change is true if it can turn `secret` into `now`,
        or into any code if `now` is empty.
        """
        became = fact.becomes(secret, self.own_rules)
        return now in became if now else bool(became)

    def secret_at(self, line: int) -> str:
        """Return the player's secret before fact number `line` (from 0) of the match.

        The result is an empty string if the secret is not known.
        """
        changes = (fact for fact in self.facts[line:] if is_own_change(fact))
        return next((fact.previous_secret for fact in changes), self.secret)

    @property
    def turns(self) -> tuple[Answered, ...]:
        """All guesses of both sides with their answers, in the order of the match."""
        return tuple(fact for fact in self.facts if isinstance(fact, Answered))

    # --- whose turn it is, and who has won ----------------------------------------------------------------------------

    @cached_property
    def _movers(self) -> list[Side]:
        return movers(self.first, self.facts)

    def mover(self, line: int) -> Side:
        """Return the side to which fact number `line` (from 0) of the match belongs.

        After the last fact, this is the side to move. Once the match is over, it is the side whose turn it would be.
        """
        return self._movers[line]

    @cached_property
    def _owners(self) -> tuple[list[Side], int]:
        return turn_owners(self.first, self.facts)

    def owner(self, line: int) -> Side:
        """Return the side whose turn it is at fact number `line` (from 0) of the match, or after the last fact."""
        return self._owners[0][line]

    @property
    def to_move(self) -> Side | None:
        """The side whose turn it is; None once the match is over."""
        return None if self.outcome else self.owner(len(self.facts))

    @property
    def calls(self) -> int:
        """The number of guesses that the side to move has left in its turn."""
        return self._owners[1]

    @cached_property
    def outcome(self) -> MatchOutcome | None:
        """The result of the match; None while it is in progress."""
        return self._outcome(len(self.facts))

    @property
    def last_chance(self) -> bool:
        """True if one side has found a secret, and the side to move can only draw, by finding the other secret now."""
        return self.outcome is None and bool(self._finders(len(self.facts)))

    def _outcome(self, lines: int) -> MatchOutcome | None:
        """Return the result of the match after its first `lines` facts, or None if it was still in progress then."""
        finders = self._finders(lines)
        # With equal turns, a match goes on until the second player has had the same number of turns as the first.
        if not finders or (self.equal_turns and self.owner(lines) is not self.first):
            return None
        return MatchOutcome(finders.pop() if len(finders) == 1 else None)

    def _finders(self, lines: int) -> set[Side]:
        """Return the sides that found a secret within the first `lines` facts, even if that secret changed later."""
        found = set[Side]()
        for line, fact in enumerate(self.facts[:lines]):
            if isinstance(fact, Answered) and fact.found:
                found.add(self.mover(line))
        return found

    # --- the boards ---------------------------------------------------------------------------------------------------

    def sought(self, side: Side) -> Rules:
        """Return the rules of the secret that a side looks for."""
        return self.rules if side is Side.ME else self.own_rules

    def lines(self, side: Side) -> list[int]:
        """Return the indices (from 0) of the turns and other facts about the secret that a side looks for."""
        return [line for line, fact in enumerate(self.facts) if self.mover(line) is side and not _is_of_turn(fact)]

    def line_of(self, side: Side, number: int) -> int:
        """Convert the number of a fact in one side's knowledge to its number in the match.

        Both numbers count from 1. The knowledge contains only the facts about the secret that the side looks for. A
        match may begin with facts that name symbols absent from that secret. These facts have numbers in the match, but
        not in the knowledge, which contains the symbols in its field `absent` instead.
        """
        lines = self.lines(side)
        return lines[number - 1 - len(self.known(side).facts)] + 1

    def known(self, side: Side) -> Knowledge:
        """Return the knowledge of a side about the other side's secret. The other side has seen the same facts."""
        return self._mine if side is Side.ME else self._theirs

    @cached_property
    def _mine(self) -> Knowledge:
        return Knowledge(self.rules, self.absent, self.learned_in(self.lines(Side.ME)), self.prior, self.slips)

    @cached_property
    def _theirs(self) -> Knowledge:
        return Knowledge(
            self.own_rules, self.shown, self.learned_in(self.lines(Side.OPPONENT)), slips=self._their_slips
        )

    @property
    def _their_slips(self) -> Slips:
        """The assumption about wrong answers to the opponent's guesses.

        No answer can be wrong if the player's secret was known at every guess, because the answers were checked.
        """
        return Slips() if all(self.secret_at(line) for line in self.lines(Side.OPPONENT)) else self.slips

    @cached_property
    def resolved(self) -> Match:
        """A copy of the match for searches that cannot handle wrong turns: in the copy, no turn can be wrong.

        On the player's board, a prior replaces the turns: it gives each candidate its present probability. If there are
        more than `_SETTLED` candidates, the turns remain. If no code fits them, the likeliest correction replaces some.

        On the opponent's board, the turns always remain in this way. A prior would be wrong there: the player does not
        know which answers the opponent received, but the opponent does. Requires at least one candidate on each board.
        """
        if not self.slips.most:
            return self
        mine = self._mine.resolved if self._mine.count <= _SETTLED else _likeliest_reading(self._mine)
        settled = replace(self, slips=Slips())
        settled.__dict__.update(_mine=mine, _theirs=_likeliest_reading(self._theirs))
        return settled

    def learned_in(self, lines: Iterable[int]) -> tuple[Fact, ...]:
        """Return some of the turns and other facts of the match, without the sides that learned them.

        `lines` are their indices in the match, from 0. A match stores a fact that is not a turn together with the side
        that learned it (`Learned`). The result contains the fact alone, as a player's knowledge does.
        """
        facts = (self.facts[line] for line in lines)
        return tuple(fact.fact if isinstance(fact, Learned) else fact for fact in facts)

    def answer(self, guess: str, secret: str = "") -> Hint:
        """Return the answer to a guess of the opponent, if the player's secret is `secret`.

        The default is the player's present secret, which must then be known. Raises a `CodeError`.
        """
        assert self.secret or secret
        return hint(self.own_rules.check_guess(guess), secret or self.secret)

    # --- steps --------------------------------------------------------------------------------------------------------

    def play(self, turn: Answered) -> Match:
        """Return the match after a turn of the side to move.

        Raises a `CodeError`, a `HintError` for a wrong or impossible answer, and a `TurnError` after the end.
        """
        return self._after(turn, self.mover(len(self.facts)), turn, self.secret)

    def learn(self, side: Side, fact: Fact) -> Match:
        """Return the match after a side has learned a fact other than a turn.

        After a change of the player's secret, the new secret is unknown. Raises an `InputError`.
        """
        learned = Learned(side, fact)
        if is_own_change(learned):
            return self._after(replace(learned, previous_secret=self.secret), side, fact, secret="")
        return self._after(learned, side, fact, secret=self.secret)

    def _after(self, line: Fact, side: Side, fact: Fact, secret: str) -> Match:
        """Return the match with one more turn or other fact, and with `secret` as the player's secret.

        `line` is the new element of the match. It contains the fact `fact`, which the side `side` learns.
        """
        later = replace(self, facts=(*self.facts, line), secret=secret)
        # Derive the new candidates from the present ones, because filtering all codes of the game again is slow.
        boards = {each: self.known(each) for each in Side}
        if not isinstance(fact, OfTurn):
            boards[side] = boards[side].after(fact)
        later.__dict__.update(_mine=boards[Side.ME])
        if boards[Side.OPPONENT].slips == later._their_slips:
            later.__dict__.update(_theirs=boards[Side.OPPONENT])
        return later

    def line(self, line: int) -> Fact:
        """Return turn or fact number `line` of the match, counted from 1. Raises a `TurnError` if it does not exist."""
        return entry_in(self.facts, line)

    def until(self, lines: int) -> Match:
        """Return the match as it was after its first `lines` turns and other facts."""
        return replace(self, facts=self.facts[:lines], secret=self.secret_at(lines))

    def undo(self) -> Match:
        """Return the match without its last turn or other fact. Raises a `TurnError` if there is none."""
        return self.until(len(all_but_last(self.facts)))

    def exchanged(self) -> Match | None:
        """Return the match with the roles of the two sides exchanged, and with the player's secret unknown.

        Returns None if one of the secrets was changed.
        """
        if any(isinstance(fact, SecretChange) for fact in self.learned_in(range(len(self.facts)))):
            return None
        facts = tuple(Learned(f.side.other, f.fact) if isinstance(f, Learned) else f for f in self.facts)
        return Match(self.own_rules, self.rules, self.first.other, self.shown, self.absent, "", self.equal_turns, facts)

    def edit(self, line: int, fact: Fact) -> Match:
        """Return the match with `fact` in the place of turn or fact number `line`, counted from 1.

        Raises the errors of `play`. Raises a `TurnError` if there is no turn or fact with this number, or if a turn
        would follow after the end of the match.
        """
        return replace(self, facts=with_entry(self.facts, line, fact))


_SETTLED = 1 << 15
"""Limit on the number of candidates up to which their weights become the prior of a match without wrong turns."""


def _likeliest_reading(known: Knowledge) -> Knowledge:
    """Return a copy of the knowledge in which no turn may be wrong.

    If no code fits all turns, some turns are first replaced by corrected ones: the likeliest correction that some code
    fits.
    """
    read = replace(known, slips=Slips())
    for repair in repairs(read)[:1]:
        facts = read.facts
        for line, turn in zip(repair.lines, repair.turns, strict=True):
            facts = with_entry(facts, line, turn)
        read = replace(read, facts=facts)
    return read


def _is_of_turn(fact: Fact) -> bool:
    return isinstance(fact, Learned) and isinstance(fact.fact, OfTurn)


def is_own_change(fact: Fact) -> TypeGuard[Learned]:
    """Return True if an element of a match, a turn or another fact, is a change of the player's own secret."""
    return isinstance(fact, Learned) and fact.side is Side.OPPONENT and isinstance(fact.fact, SecretChange)
