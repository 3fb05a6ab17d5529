"""A game against the program: its secret from a seed, or an adversary without a secret, and the program's own guesses.

The program has no state between guesses. The secret is a function of the rules and a seed, and the program's guesses
are a function of the visible game and the seed. Where a choice is random, the random number is a hash of the seed and
of the purpose of the choice. So the settings of the game and the guesses of both players determine the whole game.
docs/guide/play.md describes the computation, with test vectors.

The adversary answers guesses without having a secret: each answer leaves the guesser as much work as possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Literal

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import choice
from yomikiri.common.errors import N_, CodeError, InputError, RulesError
from yomikiri.common.seeds import check_seed, chosen, drawn
from yomikiri.hitblow.match.advice import MOST_RACED, Advisor, is_raced
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import SIDES
from yomikiri.hitblow.match.opponents import Consistent, Opponent, Perfect, PolicyPlayer
from yomikiri.hitblow.model.codes import all_guesses, decode
from yomikiri.hitblow.model.game import Pairs, rules_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Level
from yomikiri.hitblow.model.notation import parse_code, parse_guess
from yomikiri.hitblow.model.rules import Hint, Rules, Turn, hint
from yomikiri.hitblow.policies.base import Policy, require_candidates
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task
from yomikiri.machine.library import available


def not_one_symbol(given: str, rules: Rules) -> CodeError:
    """Return the error for the text `given`, where exactly one symbol to reveal is expected."""
    return CodeError(N_("{given!r} is not one symbol: expected one of {symbols}"), given=given, symbols=rules.symbols)


def secret_of(known: Knowledge, seed: str) -> str:
    """Return the program's secret: a candidate, drawn by the weights of the candidates.

    >>> secret_of(Knowledge(), "tea")
    '307'
    """
    rules = known.rules
    purpose = f"secret {rules.digits} {rules.repeats} {rules.symbols}"
    place = chosen(seed, purpose, known.count) if known.weights is None else drawn(seed, purpose, known.weights)
    return decode(rules, known.candidates[place])


def shown_of(rules: Rules, secret: str, seed: str, absent: str = "") -> str:
    """Return the symbol that the program reveals as absent, or an empty string if there is no such symbol.

    The symbol occurs neither in the program's `secret` nor in `absent`, the symbols that are known to be absent
    already. It is chosen at random, but the same `seed` always gives the same symbol.
    """
    unused = [symbol for symbol in rules.symbols if symbol not in secret and symbol not in absent]
    return unused[chosen(seed, "shown", len(unused))] if can_show(rules, secret, absent) else ""


def can_show(rules: Rules, secret: str, absent: str = "") -> bool:
    """Return True if some symbol can be revealed as absent.

    It must occur neither in the secret nor in `absent`, the symbols that are known to be absent already. And enough
    symbols must remain for a secret.
    """
    left = len(rules.symbols) - len(absent) - 1
    return len(set(secret)) <= left and left >= rules.symbols_needed


def guess_of(seen: Match, level: Level, seed: str, plain: Policy, budget: Budget = UNLIMITED) -> str:
    """Return the program's guess. `seen` is the match from the program's side, without the program's secret.

    `plain` is the policy that needs the fewest guesses. If the budget runs out, the levels FEWEST and PERFECT return a
    good guess without a proof.
    """
    assert not seen.secret
    known = seen.known(Side.ME)
    if level is Level.FEWEST:
        return plain.choose(known, budget).guess
    if level is Level.PERFECT:
        return Advisor(Perfect(), plain).propose(seen, budget).guess
    codes = all_guesses(known.rules) if level is Level.RANDOM else known.candidates
    return decode(known.rules, codes[chosen(seed, f"guess {len(known.turns) + 1}", len(codes))])


@dataclass(frozen=True)
class Play:
    """A game in progress against the program.

    - `seed`: text that determines the random choices of the program, such as its secret.
    - `race`: True if both players guess in turns, False if only the person guesses.
    - `level`: how well the program guesses.
    - `handicap`: True if the side that begins reveals a symbol that its secret does not contain, in a game in
      which both players guess. If the person begins, this symbol is in the field `shown`. If the program
      begins, it is one of the symbols in the property `absent`.
    - `secret`: the person's secret, which the program guesses if both players guess.
    - `guesses`: the person's guesses at the program's secret.
    - `answers`: the guesses with which the program has replied, at the person's secret.
    - `barred`: symbols that the program's secret never contains, known to the person.

    Raises the errors of `Knowledge` and `Match`.
    """

    rules: Rules = Rules()
    seed: str = "0"
    race: bool = False
    level: Level = Level.CONSISTENT
    first: Side = Side.ME
    handicap: bool = True
    secret: str = ""
    shown: str = ""
    guesses: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    barred: str = ""

    def __post_init__(self) -> None:
        check_seed(self.seed)
        object.__setattr__(self, "barred", self.rules.check_absent(self.barred))
        if self.level is Level.PERFECT and not is_raced(self.rules):
            raise RulesError(N_("level perfect plays games of at most {limit} codes: choose another level"),
                             limit=MOST_RACED[0])  # fmt: skip
        if self.race and self.secret:
            self.rules.check_secret(self.secret)
            if len(self.shown) > 1:
                raise not_one_symbol(self.shown, self.rules)

    @cached_property
    def program_secret(self) -> str:
        """The program's secret."""
        return secret_of(Knowledge(self.rules, self.barred), self.seed)

    @property
    def waits_for(self) -> Literal["", "secret", "shown"]:
        """The field that the person must still set before the first guess: `secret`, or the revealed symbol `shown`.

        It is empty if nothing is missing.
        """
        if not self.race:
            return ""
        if not self.secret:
            return "secret"
        due = self.handicap and self.first is Side.ME and not self.shown and can_show(self.rules, self.secret)
        return "shown" if due else ""

    @cached_property
    def absent(self) -> str:
        """The symbols that the person knows to be absent from the program's secret.

        These are `barred`, and the symbol that the program reveals if it begins a race with the handicap.
        """
        if not (self.race and self.handicap and self.first is Side.OPPONENT):
            return self.barred
        return self.barred + shown_of(self.rules, self.program_secret, self.seed, self.barred)

    @cached_property
    def match(self) -> Match:
        """The game as a match, from the person's side.

        It contains the turns of both players in order, up to the first turn whose guess is not made yet.
        """
        match = Match(self.rules, self.rules, self.first, self.absent, self.shown, self.secret)
        for side, guess in () if self.waits_for else self.in_order():
            if match.to_move is not side:
                break
            match = match.play(Turn(guess, self.hint(side, guess)))
        return match

    @cached_property
    def board(self) -> Knowledge:
        """The person's knowledge about the program's secret: rules, absent symbols, and the person's turns."""
        if self.race:
            return self.match.known(Side.ME)
        guesses = [self.rules.check_guess(guess) for guess in self.guesses]
        end = guesses.index(self.program_secret) + 1 if self.program_secret in guesses else len(guesses)
        return Knowledge(
            self.rules, self.barred, tuple(Turn(guess, hint(guess, self.program_secret)) for guess in guesses[:end])
        )

    def hint(self, side: Side, guess: str) -> Hint:
        """Return the answer to a guess of one side, computed from the other side's secret."""
        return hint(self.rules.check_guess(guess), self.program_secret if side is Side.ME else self.secret)

    @property
    def to_move(self) -> Side | None:
        """The side to move. Before the game begins and after it ends, there is no such side."""
        if self.waits_for:
            return None
        if self.race:
            return self.match.to_move
        return None if self.board.solved else Side.ME

    @property
    def over(self) -> bool:
        """True if a player has hit the other's secret."""
        return self.to_move is None and not self.waits_for

    @property
    def won(self) -> bool:
        """True if the person has found the program's secret."""
        return self.board.solved

    def guess(self, code: str) -> Play:
        """Return the game after a guess of the person. Raises a `CodeError`."""
        played = (*(turn.guess for turn in self.board.played), self.rules.check_guess(code))
        return replace(self, guesses=played)

    def answered(self, plain: Policy, budget: Budget = UNLIMITED) -> Play:
        """Return the game with the program's next guess, if it is the program's turn.

        Guesses of either player after the end of the game or out of turn are removed. `plain` is the policy that needs
        the fewest guesses.
        """
        known = self.match.known(Side.OPPONENT).played if self.race and not self.waits_for else ()
        tidy = replace(self, guesses=tuple(turn.guess for turn in self.board.played) if not self.waits_for else (),
                       answers=tuple(turn.guess for turn in known))  # fmt: skip
        if tidy.to_move is not Side.OPPONENT:
            return tidy
        seen = tidy.match.exchanged()
        assert seen, "no secret is changed in this game"
        guess = guess_of(seen, self.level, self.seed, plain, budget)
        return replace(tidy, answers=(*tidy.answers, guess))

    def in_order(self) -> Iterator[tuple[Side, str]]:
        """Yield the guesses of both players in turn order."""
        left = {Side.ME: list(self.guesses), Side.OPPONENT: list(self.answers)}
        side = self.first
        while left[side]:
            yield side, left[side].pop(0)
            side = side.other


def rival(level: Level, plain: Policy) -> Opponent | None:
    """Return the model of the opponent that plays like the program at a level.

    Returns None if the program guesses at random at this level. The person's guesses are then valued without an
    opponent.
    """
    models: dict[Level, Opponent] = {
        Level.CONSISTENT: Consistent(),
        Level.FEWEST: PolicyPlayer("optimal", plain),
        Level.PERFECT: Perfect(),
    }
    return models.get(level)


# --- the secret of the day --------------------------------------------------------------------------------------------


def day_of(text: str) -> date:
    """Parse a date in the form 2026-11-25. Raises an `InputError`."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise InputError(N_("day={given}: expected a date such as 2026-11-22"), given=text)


def number_of(day: date) -> Play:
    """Return the game for the secret of a day, before its first guess. The secret has three digits.

    The secret depends on the date alone, so it is the same for everyone. `day` is the player's local date.

    >>> number_of(date(2026, 11, 25)).rules.digits
    3
    """
    return Play(seed=f"day-{day}")


def play_of(pairs: Pairs) -> Play:
    """Build a game from (name, value) pairs, such as the parameters in the address of a web page.

    There must be a `seed`, or a `day` instead. `me` and `they` are the guesses of both sides in order. `absent` sets
    the field `barred`. The other names are those of rules and of the fields of `Play`. Raises an `InputError`.
    """
    pairs = tuple(pairs)
    given = dict(pairs)
    day = day_of(given["day"]) if "day" in given else None
    if day and "seed" in given:
        raise InputError(N_("seed= and day= both choose the secret: give only one"))
    rules = rules_of(given)
    guesses = {side: tuple(parse_guess(value, rules) for name, value in pairs if SIDES.get(name) is side)
               for side in Side}  # fmt: skip
    return Play(
        rules,
        number_of(day).seed if day else given["seed"],
        choice(given, "race", ("0", "1"), "0") == "1",
        choice(given, "level", Level, Level.CONSISTENT),
        choice(given, "first", Side, Side.ME),
        choice(given, "handicap", ("0", "1"), "1") == "1",
        parse_code(given.get("secret", ""), rules),
        parse_code(given.get("shown", ""), rules),
        guesses[Side.ME],
        guesses[Side.OPPONENT],
        parse_code(given.get("absent", ""), rules),
    )


# --- the adversary ----------------------------------------------------------------------------------------------------


def hardest_answer(known: Knowledge, guess: str, budget: Budget = UNLIMITED) -> Hint:
    """Return the answer to `guess` after which the worst case needs the most guesses.

    If there are several such answers, the result is the one that leaves the most codes. Only answers that fit some
    candidate are possible, and the winning answer is returned only if no other answer is possible. If the budget ends
    before all worst cases are proven, or without machine code, the result is the answer that leaves the most codes.
    Raises `CodeError` and `ContradictionError`.

    >>> hardest_answer(Knowledge(), "012", Budget(states=0))
    Hint(hits=0, blows=1)
    """
    known.rules.check_guess(guess)
    require_candidates(known)
    sizes = {answer: size for answer, size in known.cells(guess).items() if answer != known.rules.win}
    if not sizes:
        return known.rules.win
    # Largest first, because an answer with fewer codes is preferred only for a longer worst case.
    hints = sorted(sizes, key=lambda answer: (-sizes[answer], answer))
    if not available():
        return hints[0]
    best, longest = hints[0], 0
    try:
        for answer in hints:
            # A set of this size cannot take longer, because its codes can be guessed one after the other.
            if sizes[answer] <= longest:
                break
            worst = _worst_case(known.after(Turn(guess, answer)), budget)
            if worst > longest:
                best, longest = answer, worst
    except Stopped:
        return hints[0]
    return best


def _worst_case(known: Knowledge, budget: Budget) -> int:
    """Return the least number of further guesses that is enough for every candidate.

    Raises `Stopped` if the budget ends.
    """
    from yomikiri.hitblow.search.solve import solve

    task = Task(known.rules, known.absent, known.facts, Objective(Criterion.WORST))
    strategy = solve(task, budget=budget, ties=False).strategy
    assert strategy, "without a limit there is one"
    return strategy.cost.max_guesses
