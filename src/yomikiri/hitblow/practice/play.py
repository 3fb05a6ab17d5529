"""A game against the program: a secret out of a seed, or an adversary without one, and the program's own guesses.

Nothing is kept between two guesses. The secret follows from the rules and a seed, by one digest; what the program
guesses follows from what both can see and from the seed, by another. So the whole game is its terms and the guesses of
both, and whoever has them knows every hint; play.md has the recipe with test vectors.

The adversary answers guesses without a secret: every answer leaves the one who guesses as much work as it can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from itertools import count
from typing import Literal

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import Named
from yomikiri.common.errors import N_, CodeError, InputError, RulesError
from yomikiri.hitblow.match.advice import MOST_RACED, Advisor, is_raced
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.opponents import Consistent, Opponent, Perfect, Player
from yomikiri.hitblow.model.codes import all_guesses, decode
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Rules, Turn, hint
from yomikiri.hitblow.policies.base import Policy, require_candidates
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task
from yomikiri.machine.library import available

FORMAT = 1
"""The number of the recipe; another one gives other secrets."""

_WORDS = 1 << 32


class Level(Named):
    """How well the program guesses: any code, any that fits, one that needs the fewest guesses, or perfect play."""

    RANDOM = "random"
    CONSISTENT = "consistent"
    FEWEST = "fewest"
    PERFECT = "perfect"


def check_seed(seed: str) -> str:
    """`seed` itself if it is 1 to 40 letters, digits and `-`; raises an `InputError`."""
    if not re.fullmatch(r"[0-9A-Za-z-]{1,40}", seed):
        raise InputError(N_("seed {given!r}: expected 1 to 40 letters, digits or '-'"), given=seed)
    return seed


def not_one_symbol(given: str, rules: Rules) -> CodeError:
    """The error for what is shown, where it is not just one symbol."""
    return CodeError(N_("{given!r} is not one symbol: expected one of {symbols}"), given=given, symbols=rules.symbols)


def chosen(seed: str, purpose: str, among: int) -> int:
    """A number below `among` (at most 2^32), each as likely: of SHA-256 the first 32 bits, again where that is uneven.

    Of 2^32 numbers the last few would make the first remainders likelier: these are rejected.

    >>> chosen("tea", "example", 720)
    279
    """
    for attempt in count():
        digest = sha256(f"yomikiri {FORMAT}\n{seed}\n{purpose}\n{attempt}".encode()).digest()
        number = int.from_bytes(digest[:4])
        if number < _WORDS // among * among:
            return number % among
    raise AssertionError("a digest is even at some time")


def secret_of(known: Knowledge, seed: str) -> str:
    """The secret that the program keeps: one that fits what is known, as likely as that says.

    >>> secret_of(Knowledge(), "tea")
    '307'
    """
    rules = known.rules
    purpose = f"secret {rules.digits} {rules.repeats} {rules.symbols}"
    if known.weights is None:
        place = chosen(seed, purpose, known.count)
    else:
        weight = chosen(seed, purpose, _WORDS) * known.total // _WORDS
        place = int(known.weights.cumsum().searchsorted(weight, side="right"))
    return decode(rules, known.candidates[place])


def shown_of(rules: Rules, secret: str, seed: str, absent: str = "") -> str:
    """The symbol that the program shows, which its secret does not use; none where there is none to show."""
    unused = [symbol for symbol in rules.symbols if symbol not in secret and symbol not in absent]
    return unused[chosen(seed, "shown", len(unused))] if can_show(rules, secret, absent) else ""


def can_show(rules: Rules, secret: str, absent: str = "") -> bool:
    """Whether a secret leaves a symbol to be shown, besides those known to be `absent`, and secrets without it."""
    left = len(rules.symbols) - len(absent) - 1
    return len(set(secret)) <= left and left >= rules.symbols_needed


def guess_of(seen: Match, level: Level, seed: str, plain: Policy, budget: Budget = UNLIMITED) -> str:
    """What the program guesses: it is the one who is advised in `seen`, where no secret is given.

    `plain` is the policy that needs the fewest guesses. At the highest levels the guess is a good one where the budget
    is spent before.
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

    The person seeks the program's secret, with `guesses`; in a `race` the program seeks theirs as well, `secret`, in
    turns, with `answers`. With a `handicap` whoever is `first` shows a symbol that their secret does not use: the
    person `shown`, the program `absent`. The program's secret uses none of the symbols `barred`, and the person knows.
    Raises what `Knowledge` and `Match` do.
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
        """What the person still has to tell before the first guess: their `secret`, what is `shown`, or nothing."""
        if not self.race:
            return ""
        if not self.secret:
            return "secret"
        due = self.handicap and self.first is Side.ME and not self.shown and can_show(self.rules, self.secret)
        return "shown" if due else ""

    @cached_property
    def absent(self) -> str:
        """The symbols that the person knows the program's secret not to use: `barred`, and the one that it shows where
        it begins a race under the handicap."""
        if not (self.race and self.handicap and self.first is Side.OPPONENT):
            return self.barred
        return self.barred + shown_of(self.rules, self.program_secret, self.seed, self.barred)

    @cached_property
    def match(self) -> Match:
        """The game as a match, seen by the person; all turns that can be made of the guesses of both, in order."""
        match = Match(self.rules, self.rules, self.first, self.absent, self.shown, self.secret)
        for side, guess in () if self.waits_for else self.in_order():
            if match.to_move is not side:
                break
            match = match.play(Turn(guess, self.hint(side, guess)))
        return match

    @cached_property
    def board(self) -> Knowledge:
        """What the person knows of the program's secret."""
        if self.race:
            return self.match.known(Side.ME)
        guesses = [self.rules.check_guess(guess) for guess in self.guesses]
        end = guesses.index(self.program_secret) + 1 if self.program_secret in guesses else len(guesses)
        return Knowledge(
            self.rules, self.barred, tuple(Turn(guess, hint(guess, self.program_secret)) for guess in guesses[:end])
        )

    def hint(self, side: Side, guess: str) -> Hint:
        """What a guess of one side is answered with."""
        return hint(self.rules.check_guess(guess), self.program_secret if side is Side.ME else self.secret)

    @property
    def to_move(self) -> Side | None:
        """Whose turn it is; nobody's once the game is over, or before it can begin."""
        if self.waits_for:
            return None
        if self.race:
            return self.match.to_move
        return None if self.board.solved else Side.ME

    @property
    def over(self) -> bool:
        """Whether somebody has found a secret."""
        return self.to_move is None and not self.waits_for

    @property
    def won(self) -> bool:
        """Whether the person has found the program's secret."""
        return self.board.solved

    def guess(self, code: str) -> Play:
        """The game after a guess of the person; raises a `CodeError`."""
        played = (*(turn.guess for turn in self.board.played), self.rules.check_guess(code))
        return replace(self, guesses=played)

    def answered(self, plain: Policy, budget: Budget = UNLIMITED) -> Play:
        """The game after the program's guess, where it is to move; without guesses that come after the end."""
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
        """The guesses of both, as they take turns."""
        left = {Side.ME: list(self.guesses), Side.OPPONENT: list(self.answers)}
        side = self.first
        while left[side]:
            yield side, left[side].pop(0)
            side = side.other


def rival(level: Level, plain: Policy) -> Opponent | None:
    """How the program is reckoned with in a match: a model that plays as it does at that level.

    None for one that guesses at random, against whom only my own guesses count.
    """
    models: dict[Level, Opponent] = {
        Level.CONSISTENT: Consistent(),
        Level.FEWEST: Player("optimal", plain),
        Level.PERFECT: Perfect(),
    }
    return models.get(level)


# --- the number of a day ----------------------------------------------------------------------------------------------


def day_of(text: str) -> date:
    """Read a date such as 2026-11-25, written in that one way; raises an `InputError`."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise InputError(N_("day={given}: expected a date such as 2026-11-22"), given=text)


def number_of(day: date) -> Play:
    """The game of that day before its first guess: three digits, the same for everyone and under every preset.

    A date alone decides it. Whoever asks names the date where they are.

    >>> number_of(date(2026, 11, 25)).rules.digits
    3
    """
    return Play(seed=f"day-{day}")


# --- the adversary ----------------------------------------------------------------------------------------------------


def hardest_answer(known: Knowledge, guess: str, budget: Budget = UNLIMITED) -> Hint:
    """The answer to `guess` after which the worst case needs most guesses, and of those the one that leaves most codes.

    It fits some candidate, and is no win while another answer does. Where the budget is spent before all worst cases
    are proven, or there is no machine code, it is the answer that leaves most codes. Raises a
    `CodeError`, and `ContradictionError` when no candidate is left.

    >>> hardest_answer(Knowledge(), "012", Budget(states=0))
    Hint(hits=0, blows=1)
    """
    known.rules.check_guess(guess)
    require_candidates(known)
    sizes = {answer: size for answer, size in known.cells(guess).items() if answer != known.rules.win}
    if not sizes:
        return known.rules.win
    # Those that leave most come first: an answer with fewer codes is preferred for a longer worst case alone.
    hints = sorted(sizes, key=lambda answer: (-sizes[answer], answer))
    if not available():
        return hints[0]
    best, longest = hints[0], 0
    try:
        for answer in hints:
            # No set of so few codes takes longer: they can be guessed one after the other.
            if sizes[answer] <= longest:
                break
            worst = _worst_case(known.after(Turn(guess, answer)), budget)
            if worst > longest:
                best, longest = answer, worst
    except Stopped:
        return hints[0]
    return best


def _worst_case(known: Knowledge, budget: Budget) -> int:
    """How many guesses the worst of the candidates needs; raises `Stopped`."""
    from yomikiri.hitblow.search.solve import solve

    task = Task(known.rules, known.absent, known.facts, Objective(Criterion.WORST))
    strategy = solve(task, budget=budget, ties=False).strategy
    assert strategy, "without a limit there is one"
    return strategy.cost.max_guesses
