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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard

from yomikiri.common.enums import Named, flag, not_such, text
from yomikiri.common.errors import N_, CodeError, HintError, TurnError
from yomikiri.hitblow.model.corrections import repairs
from yomikiri.hitblow.model.facts import Change, Double, OfTurn, Pass
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import Prior
from yomikiri.hitblow.model.rules import Answered, Fact, Hint, Rules, Turn, all_but_last, hint, turn_in, with_line
from yomikiri.hitblow.model.wrong_answers import Slips


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


@dataclass(frozen=True, slots=True)
class Learned(Fact):
    """A fact besides the turns, and who learned it. Where it is that I changed my secret, `was` is what it was before,
    if that is told."""

    side: Side
    fact: Fact
    was: str = ""

    def __str__(self) -> str:
        return str(self.fact)


def _are_facts(given: object) -> bool:
    return isinstance(given, (list, tuple)) and all(isinstance(fact, Fact) for fact in given)


def movers(first: Side, facts: Sequence[Fact]) -> list[Side]:
    """Whose each line is, and the next: a guess is of the side whose turn it is, what is learned besides of who learns
    it."""
    owners = turn_owners(first, facts)[0]
    sides = (fact.side if isinstance(fact, Learned) else owner for fact, owner in zip(facts, owners, strict=False))
    return [*sides, owners[-1]]


def turn_owners(first: Side, facts: Sequence[Fact]) -> tuple[list[Side], int]:
    """In whose turn each line stands, and the next; and how many guesses are made in this turn from there on.

    A guess ends a turn, and so does a pass; what is learned besides does not. DOUBLE makes the turn two guesses long,
    unless the first finds the secret.
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
    """A match in progress: its terms, and in order the turns of both sides and what they learned besides.

    `rules` are those of the secret that I seek, `own_rules` those of mine; `absent` are the symbols that the opponent
    showed, `shown` those that I showed; `secret` is mine as it is now, empty where it is not told. `prior` says how
    likely each of their secrets is; it is no part of the text of a match. `slips` are turns that may be wrong, on
    either board, where they are not compared with my secret. Raises an `InputError` for the prior, a `RulesError`, a
    `CodeError`, a `HintError`, and a `TurnError` for a turn after the end. Hints that contradict each
    other are a match all the same: the board they stand on has no candidates.

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
            self.known(side)  # which checks the facts by themselves
        object.__setattr__(self, "prior", self._mine.prior)
        for line, fact in enumerate(self.facts):
            self._check(line, fact)

    def _check(self, line: int, fact: Fact) -> None:
        if self._outcome(line) is not None:
            raise TurnError(N_("{given!r} comes after the end of the match: leave it out"), given=fact)
        if isinstance(fact, Learned) and isinstance(fact.fact, OfTurn) and fact.side is not self.owner(line):
            raise TurnError(N_("{given!r} is out of turn: it is for who is to move"), given=fact)
        secret = self.secret_at(line)
        if not secret or self.mover(line) is Side.ME:
            return
        told = fact.fact if isinstance(fact, Learned) else fact
        if isinstance(told, Turn):
            answer = self.answer(told.guess, secret)
            if told.hint != answer:
                raise HintError(
                    N_("{given!r} does not fit your secret {secret}: expected {answer}"),
                    given=told,
                    secret=secret,
                    answer=answer,
                )
        elif not self._is_true(told, secret, self.secret_at(line + 1)):
            raise HintError(
                N_("{given!r} is not true of your secret {secret}: correct it, or the secret"),
                given=told,
                secret=secret,
            )

    def _is_true(self, fact: Fact, secret: str, now: str) -> bool:
        """Whether a fact is true of a secret of mine, which it leaves as `now` if that is told."""
        became = fact.becomes(secret, self.own_rules)
        return now in became if now else bool(became)

    def secret_at(self, line: int) -> str:
        """My secret before that line, counted from 0; empty where it is not told."""
        changes = (fact for fact in self.facts[line:] if is_own_change(fact))
        return next((fact.was for fact in changes), self.secret)

    @property
    def turns(self) -> tuple[Answered, ...]:
        """The turns of both sides, in order."""
        return tuple(fact for fact in self.facts if isinstance(fact, Answered))

    # --- whose turn it is, and who has won ----------------------------------------------------------------------------

    @cached_property
    def _movers(self) -> list[Side]:
        return movers(self.first, self.facts)

    def mover(self, line: int) -> Side:
        """Whose that line is, counted from 0; of those to come only the next is known."""
        return self._movers[line]

    @cached_property
    def _owners(self) -> tuple[list[Side], int]:
        return turn_owners(self.first, self.facts)

    def owner(self, line: int) -> Side:
        """In whose turn that line stands, counted from 0, or the next one."""
        return self._owners[0][line]

    @property
    def to_move(self) -> Side | None:
        """The side whose turn it is; None once the match is over."""
        return None if self.outcome else self.owner(len(self.facts))

    @property
    def calls(self) -> int:
        """How many guesses the side to move makes in this turn from here on."""
        return self._owners[1]

    @cached_property
    def outcome(self) -> Outcome | None:
        """Who has won; None while the match is in progress."""
        return self._outcome(len(self.facts))

    @property
    def last_chance(self) -> bool:
        """Whether the side to move must find the secret now, because the other has."""
        return self.outcome is None and bool(self._finders(len(self.facts)))

    def _outcome(self, lines: int) -> Outcome | None:
        """Who has won after so many lines."""
        finders = self._finders(lines)
        if not finders or (
            self.equal_turns and self.owner(lines) is not self.first
        ):  # the second player's turn is still to come
            return None
        return Outcome(finders.pop() if len(finders) == 1 else None)

    def _finders(self, lines: int) -> set[Side]:
        """The sides that found the other's secret in the first `lines` lines: a secret changed later undoes nothing."""
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
        """The lines of a side, counted from 0: those on its board."""
        return [line for line, fact in enumerate(self.facts) if self.mover(line) is side and not _is_of_turn(fact)]

    def line_of(self, side: Side, number: int) -> int:
        """In which line of the match, from 1, stands fact `number`, from 1, of what a side knows.

        Symbols absent before everything else are none of these facts, though a line may tell them.
        """
        lines = self.lines(side)
        return lines[number - 1 - len(self.known(side).facts)] + 1

    def known(self, side: Side) -> Knowledge:
        """Return what a side knows of the other's secret, as both can see it."""
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
        """None where each of their turns was compared with my secret."""
        return Slips() if all(self.secret_at(line) for line in self.lines(Side.OPPONENT)) else self.slips

    @cached_property
    def resolved(self) -> Match:
        """The same where no turn can be wrong any more: my candidates as likely as they are, unless they are very many,
        and of what the opponent knows the likeliest reading, since they heard what was said. There are candidates."""
        if not self.slips.most:
            return self
        mine = self._mine.resolved if self._mine.count <= _SETTLED else _likeliest_reading(self._mine)
        settled = replace(self, slips=Slips())
        settled.__dict__.update(_mine=mine, _theirs=_likeliest_reading(self._theirs))
        return settled

    def learned_in(self, lines: Iterable[int]) -> tuple[Fact, ...]:
        """What was learned in some lines, counted from 0."""
        facts = (self.facts[line] for line in lines)
        return tuple(fact.fact if isinstance(fact, Learned) else fact for fact in facts)

    def answer(self, guess: str, secret: str = "") -> Hint:
        """Return what my secret answers to a guess of the opponent; raises a `CodeError`. The secret must be given."""
        assert self.secret or secret
        return hint(self.own_rules.check_guess(guess), secret or self.secret)

    # --- steps --------------------------------------------------------------------------------------------------------

    def play(self, turn: Answered) -> Match:
        """Return the match after a turn of the side to move.

        Raises a `CodeError`, a `HintError` for a hint that no secret, or not mine, gives to that guess, and a
        `TurnError` after the end.
        """
        return self._after(turn, self.mover(len(self.facts)), turn, self.secret)

    def learn(self, side: Side, fact: Fact) -> Match:
        """The match after a side has learned something besides its turns; a change of my secret leaves it untold.

        Raises an `InputError`.
        """
        learned = Learned(side, fact)
        if is_own_change(learned):
            return self._after(replace(learned, was=self.secret), side, fact, secret="")
        return self._after(learned, side, fact, secret=self.secret)

    def _after(self, line: Fact, side: Side, fact: Fact, secret: str) -> Match:
        """The match after one more line, by which a side learned a fact."""
        later = replace(self, facts=(*self.facts, line), secret=secret)
        # The candidates are derived from these, not counted again from the whole space.
        boards = {each: self.known(each) for each in Side}
        if not isinstance(fact, OfTurn):
            boards[side] = boards[side].after(fact)
        later.__dict__.update(_mine=boards[Side.ME])
        if boards[Side.OPPONENT].slips == later._their_slips:
            later.__dict__.update(_theirs=boards[Side.OPPONENT])
        return later

    def line(self, line: int) -> Fact:
        """Return the turn `line` (from 1); raises a `TurnError`."""
        return turn_in(self.facts, line)

    def until(self, lines: int) -> Match:
        """The match as it was after so many lines."""
        return replace(self, facts=self.facts[:lines], secret=self.secret_at(lines))

    def undo(self) -> Match:
        """Return the match without its last turn; raises a `TurnError`."""
        return self.until(len(all_but_last(self.facts)))

    def exchanged(self) -> Match | None:
        """The match as the other side sees it, no secret told; None where a secret was changed meanwhile."""
        if any(isinstance(fact, Change) for fact in self.learned_in(range(len(self.facts)))):
            return None
        facts = tuple(Learned(f.side.other, f.fact) if isinstance(f, Learned) else f for f in self.facts)
        return Match(self.own_rules, self.rules, self.first.other, self.shown, self.absent, "", self.equal_turns, facts)

    def edit(self, line: int, fact: Fact) -> Match:
        """The match with something else in `line` (from 1).

        Raises what `play` does, and a `TurnError` where there is no such line or turns follow one that wins.
        """
        return replace(self, facts=with_line(self.facts, line, fact))


_SETTLED = 1 << 15  # candidates that are settled as likely as they are, at most


def _likeliest_reading(known: Knowledge) -> Knowledge:
    """What is known if all turns are right or, where that cannot be, as the likeliest repair has them."""
    read = replace(known, slips=Slips())
    for repair in repairs(read)[:1]:
        facts = read.facts
        for line, turn in zip(repair.lines, repair.turns, strict=True):
            facts = with_line(facts, line, turn)
        read = replace(read, facts=facts)
    return read


def _is_of_turn(fact: Fact) -> bool:
    return isinstance(fact, Learned) and isinstance(fact.fact, OfTurn)


def is_own_change(fact: Fact) -> TypeGuard[Learned]:
    """Whether it is that I changed my secret."""
    return isinstance(fact, Learned) and fact.side is Side.OPPONENT and isinstance(fact.fact, Change)
