"""Models of the opponent: how soon they find my secret, as far as that does not depend on my board.

`optimal` plays for the fewest guesses on average, `entropy` for the least doubt left after the next hint, `consistent`
guesses any code that still fits, each as likely; `custom` finds the secret at times that are given. None of them looks
at my board. `perfect` does: it plays the race, and what it does is known from the race alone (`race.public`).

If my secret is given, a model plays against that secret; else against each of the candidates, as likely as they are.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import log2, sqrt

from yomikiri.arrays import NDArray, np
from yomikiri.budget import UNLIMITED, Budget
from yomikiri.enums import not_one_of
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.codes import Codes, cell_sizes, encode, hint_table
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies.base import Policy, simulate
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.race.finish import Finish
from yomikiri.hitblow.rules import Repeats, Turn, hint
from yomikiri.hitblow.space import Weights

# Sets of so many candidates are worked out exactly, with or without the secret, where that meets no more different sets
# than these; others are sampled, and where the time is over all but the smallest.
_EXACT_CANDIDATES = 256
_EXACT_AVERAGED = 40
_EXACT_SETS = 30_000
_SAMPLES = 4096
_SAMPLED_PAIRS = 1 << 21
_LATE_CANDIDATES = 12
_LATE_PAIRS = 1 << 17
_MOST_AMONG = 1 << 15  # candidates, at most, among which games are sampled; of more,
_AMONG = 1 << 11  # so many stand for all,
_GUESSED = 64  # and so many guesses say what one tells
_UNIT = 1 << 29  # shares that are not counted are whole numbers of so small a part


@dataclass(frozen=True, slots=True)
class Pace:
    """When a side finds the secret, in its guesses from now.

    `error` is the standard error of a share where it comes from samples, else 0.
    """

    finish: Finish
    error: float = 0.0

    def within(self, guesses: int) -> float:
        """The chance that so many guesses are enough."""
        return 1 - self.finish.after(guesses) / self.finish.total


class Opponent(ABC):
    """A model of the opponent."""

    name: str
    """The name it is asked for by."""
    watches: bool
    """Whether it looks at my board."""

    @property
    def stand_in(self) -> Opponent:
        """Who it is taken for where only the pace counts: itself, unless it looks at my board."""
        return self

    @abstractmethod
    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """When they find my secret, from what they know of it now; there is a candidate, the secret is one.

        Raises `Stopped` where the play of a policy is worked out and the budget is spent before.
        """


@dataclass(frozen=True, slots=True)
class Player(Opponent):
    """Plays by a policy, and so in one way only."""

    name: str
    policy: Policy
    watches: bool = False

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """One guess for certain if the secret is given, else the histogram over the candidates."""
        if not secret:
            return Pace(Finish(_histogram(self.policy, known, budget)))
        return Pace(Finish((*(0 for _ in range(_guesses(self.policy, known, secret, budget) - 1)), 1)))


# What a spent budget cut short has raised, so that only what is whole is remembered.
@lru_cache(maxsize=256)
def _histogram(policy: Policy, known: Knowledge, budget: Budget) -> tuple[int, ...]:
    return simulate(policy, known, budget).histogram


@lru_cache(maxsize=4096)
def _guesses(policy: Policy, known: Knowledge, secret: str, budget: Budget) -> int:
    """With which of its next guesses a policy finds the secret."""
    guess = policy.choose(known, budget).guess
    budget.check()
    answer = hint(guess, secret)
    return 1 if answer == known.rules.win else 1 + _guesses(policy, known.after(Turn(guess, answer)), secret, budget)


@dataclass(frozen=True, slots=True)
class Consistent(Opponent):
    """Guesses any of the remaining candidates, each as likely as the other, or as it is the secret if `by_weight`.

    Worked out exactly for sets of moderate size, else from samples, which are the same for the same seed; from few
    where the budget is spent.
    """

    seed: int = 0
    name: str = "consistent"
    watches: bool = False
    by_weight: bool = False

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """The chances over its draws, and over the candidates if the secret is not told."""
        if self.by_weight and known.weights is not None:
            return _sampled(known, np.arange(known.count), self.seed, _SAMPLED_PAIRS, known.weights)
        return _consistent(known, secret, self.seed, budget.spent())


@lru_cache(maxsize=256)
def _consistent(known: Knowledge, secret: str, seed: int, late: bool) -> Pace:
    n = known.count
    # Before the first hint all candidates are alike, since places and symbols may be renamed.
    alike = (
        not known.facts and not known.uneven and not known.rules.no_leading and known.rules.repeats is not Repeats.ALL
    )
    told = secret or ("" if n > 1 and not alike else known.codes(1)[0])
    if n <= (_LATE_CANDIDATES if late else _EXACT_CANDIDATES if told else _EXACT_AVERAGED):
        found = _exact(known, told) if told else _averaged(known)
        if found:
            return Pace(Finish(_whole(found)))
    elif alike and not late and (found := _from_start(known, told)):
        return Pace(Finish(_whole(found)))
    places = np.array([_place(known, told)]) if told else np.arange(n)
    return _sampled(known, places, seed, _LATE_PAIRS if late else _SAMPLED_PAIRS)


def _place(known: Knowledge, secret: str) -> int:
    """Where a secret stands among the candidates."""
    return int((known.candidates == encode(known.rules, secret)).all(axis=1).argmax())


def _from_start(known: Knowledge, secret: str) -> list[float] | None:
    """The chances of a random consistent player before the first hint; None if that may leave too many candidates.

    Two first guesses are alike if renaming places, and symbols with them, turns one into the other and leaves the
    secret as it is: one of each kind is played on.
    """
    if known.count > _EXACT_CANDIDATES * len(known.rules.hints):
        return None
    alike: dict[tuple[int, ...], list[str]] = {}
    for guess in known.codes():
        alike.setdefault(_kind(tuple(map(secret.find, guess))), []).append(guess)
    chances = [0.0] * known.count
    for guesses in alike.values():
        answer = hint(guesses[0], secret)
        if answer == known.rules.win:
            later = [1.0]
        else:
            cell = known.after(Turn(guesses[0], answer))
            rest = _exact(cell, secret) if cell.count <= _EXACT_CANDIDATES else None
            if rest is None:
                return None
            later = [0.0, *rest]
        for turn, chance in enumerate(later):
            chances[turn] += chance * len(guesses) / known.count
    return chances


@lru_cache(maxsize=256)
def _kind(way: tuple[int, ...]) -> tuple[int, ...]:
    """Of the ways that renaming places makes of one, the least.

    A way says for each place of a guess where its symbol stands in the secret, -1 if nowhere.
    """
    orders = permutations(range(len(way)))
    return min(tuple(-1 if way[at] < 0 else order.index(way[at]) for at in order) for order in orders)


def _exact(known: Knowledge, secret: str) -> list[float] | None:
    """The chances of a random consistent player, by guess; None where too many different sets are met.

    A set of candidates is a bit mask. After guessing g, those are left that answer g as the secret does; so what is
    left depends on the set of guesses made, not on their order, and few different sets are met.
    """
    n, place = known.count, _place(known, secret)
    table = hint_table(known.candidates, known.candidates)
    kept = [_mask(table[guess] == table[guess, place]) for guess in range(n)]
    others = ~(1 << place)
    memo: dict[int, list[float]] = {}

    def shares(left: int) -> list[float]:
        if left not in memo:
            if len(memo) >= _EXACT_SETS:
                raise _TooManySets
            found = [1.0]
            guesses = left & others
            while guesses:
                guess = guesses & -guesses
                guesses ^= guess
                later = shares(left & kept[guess.bit_length() - 1])
                found.extend([0.0] * (len(later) + 1 - len(found)))
                for turn, share in enumerate(later, start=1):
                    found[turn] += share
            memo[left] = [share / left.bit_count() for share in found]
        return memo[left]

    try:
        return shares((1 << n) - 1)
    except _TooManySets:
        return None


def _averaged(known: Knowledge) -> list[float] | None:
    """As `_exact`, the sums over all candidates as the secret, each times its weight.

    After guessing g, each set of candidates that answer g alike is left with the secrets in it; what is left of whom is
    the same for all of them.
    """
    n = known.count
    table = hint_table(known.candidates, known.candidates)
    alike = [[_mask(row == answer) for answer in np.unique(row)] for row in table]
    cells = [[cell for cell in masks if cell != 1 << guess] for guess, masks in enumerate(alike)]
    weights = [1] * n if known.weights is None else known.weights.tolist()
    memo: dict[int, list[float]] = {}

    def shares(left: int) -> list[float]:
        size = left.bit_count()
        if left not in memo:
            if len(memo) >= _EXACT_SETS:
                raise _TooManySets
            found, guesses = [0.0], left
            while guesses:
                guess = guesses & -guesses
                guesses ^= guess
                number = guess.bit_length() - 1
                found[0] += weights[number]
                for cell in () if size == 1 else cells[number]:
                    if later := cell & left:
                        rest = shares(later)
                        found.extend([0.0] * (len(rest) + 1 - len(found)))
                        for turn, share in enumerate(rest, start=1):
                            found[turn] += share
            memo[left] = [share / size for share in found]
        return memo[left]

    try:
        return shares((1 << n) - 1)
    except _TooManySets:
        return None


class _TooManySets(Exception):
    pass


def _mask(kept: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(kept, bitorder="little").tobytes(), "little")


def _sampled(
    known: Knowledge, places: NDArray[np.int64], seed: int, pairs: int, weights: Weights | None = None
) -> Pace:
    """Games of a random consistent player, all at once: a row of `left` for each.

    With weights a guess is drawn by them: of exponential waiting times at these rates the shortest. Of very many
    candidates some stand for all: what a guess tells there says how many more it takes to come down to so few.
    """
    codes, random = known.candidates, np.random.default_rng(seed)
    told, extra, likely = len(places) == 1, 0.0, known.weights
    if len(codes) > _MOST_AMONG:
        kept = np.union1d(random.choice(len(codes), _AMONG, replace=False, shuffle=False), places[:told])
        places = np.searchsorted(kept, places) if told else np.arange(len(kept))
        extra = log2(len(codes) / len(kept)) / _bits_a_guess(codes[kept])
        weights, likely = (None if each is None else each[kept] for each in (weights, likely))
        codes = codes[kept]
    n = len(codes)
    samples = max(1, min(_SAMPLES, pairs // n))
    secrets = random.choice(places, samples, p=None if told or likely is None else likely / float(likely.sum()))
    left = np.ones((samples, n), dtype=bool)
    counts = []
    while len(secrets):
        if weights is None:
            draws = random.random(left.shape, dtype=np.float32)
        else:
            draws = (weights / random.standard_exponential(left.shape)).astype(np.float32)
        guesses = np.where(left, draws, -1).argmax(axis=1)
        found = guesses == secrets
        counts.append(int(found.sum()))
        left, guesses, secrets = left[~found], guesses[~found], secrets[~found]
        drawn, rows = np.unique(guesses, return_inverse=True)
        table = hint_table(codes[drawn], codes)
        left &= table[rows] == table[rows, secrets][:, None]
    finish = Finish(_whole(_later(counts, extra))) if extra else Finish(tuple(counts))
    return Pace(finish, max(sqrt(count * (samples - count) / samples) / samples for count in counts))


def _bits_a_guess(codes: Codes) -> float:
    """What the hint to one of these codes tells of another on average, in bits; the first of them are guessed."""
    sizes = cell_sizes(codes[:: max(1, len(codes) // _GUESSED)], codes) / len(codes)
    return float(-(sizes * np.log2(sizes, where=sizes > 0, out=np.zeros_like(sizes))).sum(axis=1).mean())


def _later(counts: list[int], guesses: float) -> list[float]:
    """Chances by guess where all is found so many guesses later, on average."""
    whole, rest = divmod(guesses, 1)
    shares = [0.0] * (int(whole) + len(counts) + 1)
    for turn, count in enumerate(counts, start=int(whole)):
        shares[turn] += count * (1 - rest)
        shares[turn + 1] += count * rest
    return shares


def _whole(shares: list[float]) -> tuple[int, ...]:
    """Shares as whole numbers of a small unit; what is too small for it is dropped."""
    unit = _UNIT / sum(shares)
    whole = [round(share * unit) for share in shares]
    while not whole[-1]:
        whole.pop()
    return tuple(whole)


@dataclass(frozen=True, slots=True)
class Perfect(Opponent):
    """Plays the race: looks at both boards, and has no better guess in it.

    What it guesses depends on my board, so it has no pace of its own: that of `consistent` stands in to tell how soon
    it may find the secret.
    """

    seed: int = 0
    name: str = "perfect"
    watches: bool = True

    @property
    def stand_in(self) -> Opponent:
        return Consistent(self.seed)

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        return self.stand_in.pace(known, secret, budget)


@dataclass(frozen=True, slots=True)
class Custom(Opponent):
    """Finds the secret at times that are given: `counts[i]` of their sum with guess i + 1 of the match."""

    counts: tuple[int, ...]
    name: str = "custom"
    watches: bool = False

    def pace(self, known: Knowledge, secret: str = "", budget: Budget = UNLIMITED) -> Pace:
        """The times that are still to come; if none is, the next guess."""
        left = self.counts[len(known.turns) :]
        return Pace(Finish(left if any(left) else (1,)))


OPPONENTS = ("perfect", "optimal", "consistent", "entropy", "custom")
DEFAULT_OPPONENT = "consistent"


def opponent_named(name: str, plain: Policy, finishes: str = "", seed: int = 0) -> Opponent:
    """The model of that name, one of `OPPONENTS`.

    `plain` is the policy of `optimal`; `finishes` are the counts of `custom`, such as `1,4,25,154`, for it alone.
    Raises an `InputError`.
    """
    match name:
        case "perfect":
            return Perfect(seed)
        case "consistent":
            return Consistent(seed)
        case "optimal":
            return Player(name, plain)
        case "entropy":
            return Player(name, OneStep(name))
        case "custom":
            return Custom(parse_finishes(finishes))
    raise not_one_of("opponent", name, OPPONENTS)


def parse_finishes(text: str) -> tuple[int, ...]:
    """Read counts such as `1,4,25,154`; raises an `InputError`, also for counts too large to be weighed."""
    if not re.fullmatch(r"\s*[0-9]{1,7}(?:[\s,]+[0-9]{1,7}){0,99}\s*", text) or not re.search("[1-9]", text):
        raise InputError(
            N_(
                "--finishes {given!r}: expected how often they need 1, 2, 3, ... guesses, such as 1,4,25,"
                " of at most 7 digits each"
            ),
            given=text,
        )
    return tuple(int(number) for number in re.findall("[0-9]+", text))
