"""Finish distribution of a player who draws each guess at random from the candidates: exact, or from sampled games.

A *finish distribution* gives, for each number of guesses from now, the chance of finding the secret with exactly this
guess. `Pace` contains the distribution with its standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import log2, sqrt

from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import Codes, cell_sizes, encode, hint_places, hint_table
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.model.space import or_ones
from yomikiri.hitblow.race.finish import Finish, Pace
from yomikiri.machine.library import available

# Limits on exact computation of the chances: the number of candidates, and the total size of all split sets.
# Work up to the limit takes a fraction of a second. LATE is the limit if time is short or machine code is missing.
_EXACT_CANDIDATES = 1296
_EXACT_WORK = 60_000_000
_EXACT_WORK_LATE = 20_000
_SAMPLES = 4096
_SAMPLED_PAIRS = 1 << 21
_LATE_PAIRS = 1 << 17
_MOST_AMONG = 1 << 15  # limit on the number of candidates that sampled games use completely
_AMONG = 1 << 11  # number of candidates drawn at random for sampled games, if there are too many to use all
_GUESSED = 64  # number of guesses from which the average information of an answer, in bits, is estimated
_UNIT = 1 << 29  # limit on the sum of the whole numbers that represent the probabilities of a distribution


@lru_cache(maxsize=256)
def consistent_pace(known: Knowledge, secret: str = "", seed: int = 0, *, by_weight: bool = False, late: bool) -> Pace:
    """Return the finish distribution of a player who draws each guess at random from the candidates.

    The candidates are equally likely, or have their weights if `by_weight`. With `secret`, the distribution is that for
    this secret; otherwise it is the average over the candidates by their weights. With `late`, the caller has hardly
    any time, so that games are sampled sooner and in a smaller number. The chance of the first guess is exact in any
    case; the chances of later guesses are exact if `Pace.error` is 0.
    """
    first = _first_chance(known, secret, by_weight)
    if known.count <= _EXACT_CANDIDATES:
        found = _followed(known, secret, by_weight, late)
        if found:
            return Pace(Finish(_whole(first, found[1:])))
    places = np.array([_place(known, secret)]) if secret else np.arange(known.count)
    counts, later = _sampled(known, places, seed, _LATE_PAIRS if late else _SAMPLED_PAIRS, by_weight)
    return Pace(Finish(_whole(first, later)), _standard_error(counts))


def _first_chance(known: Knowledge, secret: str, by_weight: bool) -> Fraction:
    """Return the exact probability that the next guess is the secret."""
    if not by_weight or known.weights is None:
        return Fraction(1, known.count)
    if secret:
        return known.share(secret)
    return Fraction(sum(weight**2 for weight in known.weights.tolist()), known.total**2)


def _place(known: Knowledge, secret: str) -> int:
    """Return the index of a secret among the candidates."""
    return int((known.candidates == encode(known.rules, secret)).all(axis=1).argmax())


def _followed(known: Knowledge, secret: str, by_weight: bool, late: bool) -> list[float]:
    """Return the probability of finding the secret at guess 0, 1, 2, ... by following every game.

    Returns an empty list if that takes too much work.
    """
    from yomikiri.hitblow.race.kernels.random_play import ChancePlay, walk, walk_all

    n, codes, answers = known.count, known.candidates, len(known.rules.hints)
    weights = or_ones(known.weights, n).astype(np.float64)
    likely = weights / weights.sum()
    if secret:
        likely = np.zeros(n)
        likely[_place(known, secret)] = 1
    play = ChancePlay(
        candidates=n,
        symbols=np.ascontiguousarray(codes, dtype=np.uint8),
        answers=hint_places(known.rules)[hint_table(codes, codes)],
        guessed=weights if by_weight else np.ones(n),
        secret=likely,
        members=np.arange(n + n * (n + 1) // 2, dtype=np.int32),
        cell_end=np.zeros((n + 1, answers), dtype=np.int32),
        found=np.zeros(n + 2),
        work_left=np.array([_EXACT_WORK_LATE if late or not available() else _EXACT_WORK], dtype=np.int64),
    )
    if available():
        walk_all(play, np.uint64(_fresh(known, secret)))
    else:
        walk(play, 0, n, n, 0, 1.0, np.uint64(0))
    return [] if play.work_left[0] < 0 else np.trim_zeros(play.found, "b").tolist()


def _fresh(known: Knowledge, secret: str) -> int:
    """Return a bit mask of interchangeable symbols: those that no fact, no rule and no digit of the secret mentions.

    The mask is 0 if the candidates have different weights, or if there are facts other than turns.
    """
    turns = [fact for fact in known.facts if isinstance(fact, Turn)]
    if known.uneven or len(turns) < len(known.facts):
        return 0
    used = {*secret, *known.absent, *known.rules.no_leading}.union(*(turn.guess for turn in turns))
    return sum(1 << at for at, symbol in enumerate(known.rules.symbols) if symbol not in used)


def _whole(first: Fraction, later: Sequence[float]) -> tuple[int, ...]:
    """Return whole numbers in proportion to probabilities: exactly for the first guess, rounded for the later ones.

    `later` need only be proportional to the probabilities of the later guesses. The first probability is rounded too if
    its denominator is above `_UNIT`.
    """
    first = first.limit_denominator(_UNIT)
    unit = _UNIT // first.denominator
    total, found = first.denominator * unit, first.numerator * unit
    if found == total:
        return (total,)
    scale = (total - found) / sum(later)
    sums = [round(scale * each) for each in np.cumsum(later).tolist()]
    counts = [found, *(after - before for before, after in zip([0, *sums], sums, strict=False))]
    while not counts[-1]:
        counts.pop()
    return tuple(counts)


def _sampled(
    known: Knowledge, places: NDArray[np.int64], seed: int, pairs: int, by_weight: bool
) -> tuple[list[int], list[float]]:
    """Play many games at once; return how many were finished at each guess, and the distribution of the later guesses.

    `places` are the indices of the possible secrets. A row of `left` marks the candidates that still fit in one game.
    To draw a guess by weight, each candidate gets a random waiting time, exponential with its weight as the rate, and
    the shortest waiting time wins.

    If there are very many candidates, a random sample represents them. Reaching so small a set would have taken some
    guesses, and the later distribution is delayed by an estimate of their number.
    """
    codes, random = known.candidates, np.random.default_rng(seed)
    is_known, extra, likely = len(places) == 1, 0.0, known.weights
    if len(codes) > _MOST_AMONG:
        kept = np.union1d(random.choice(len(codes), _AMONG, replace=False, shuffle=False), places[:is_known])
        places = np.searchsorted(kept, places) if is_known else np.arange(len(kept))
        extra = log2(len(codes) / len(kept)) / _bits_a_guess(codes[kept])
        codes, likely = codes[kept], None if likely is None else likely[kept]
    n = len(codes)
    samples = max(1, min(_SAMPLES, pairs // n))
    secrets = random.choice(places, samples, p=None if is_known or likely is None else likely / float(likely.sum()))
    left = np.ones((samples, n), dtype=bool)
    counts = []
    while len(secrets):
        if likely is None or not by_weight:
            draws = random.random(left.shape, dtype=np.float32)
        else:
            draws = (likely / random.standard_exponential(left.shape)).astype(np.float32)
        guesses = np.where(left, draws, -1).argmax(axis=1)
        found = guesses == secrets
        counts.append(int(found.sum()))
        left, guesses, secrets = left[~found], guesses[~found], secrets[~found]
        drawn, rows = np.unique(guesses, return_inverse=True)
        table = hint_table(codes[drawn], codes)
        left &= table[rows] == table[rows, secrets][:, None]
    later = _delayed(counts, extra)[1:]
    return counts, later if any(later) else [1.0]


def _standard_error(counts: Sequence[int]) -> float:
    """Return the greatest standard error of the share of games that are finished within some number of guesses.

    This is also a bound on the error of a chance of winning, which is an average of such shares. Before the error is
    computed, one finished and one unfinished game are added, because a few games that all end alike would otherwise
    have the error 0.
    """
    games = sum(counts)
    shares = [(within + 1) / (games + 2) for within in accumulate(counts)]
    return max(sqrt(share * (1 - share) / games) for share in shares)


def _bits_a_guess(codes: Codes) -> float:
    """Return the average information of an answer in bits, if guess and secret are drawn from these codes."""
    sizes = cell_sizes(codes[:: max(1, len(codes) // _GUESSED)], codes) / len(codes)
    return float(-(sizes * np.log2(sizes, where=sizes > 0, out=np.zeros_like(sizes))).sum(axis=1).mean())


def _delayed(counts: list[int], guesses: float) -> list[float]:
    """Return the number of games finished at each guess if every game takes `guesses` guesses more on average."""
    whole, rest = divmod(guesses, 1)
    shares = [0.0] * (int(whole) + len(counts) + 1)
    for turn, count in enumerate(counts, start=int(whole)):
        shares[turn] += count * (1 - rest)
        shares[turn + 1] += count * rest
    return shares
