"""Finish distribution of a player who draws each guess at random from the candidates: exact, or from samples."""

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

# Up to this many candidates, all games are followed exactly, if the work takes a fraction of a second. Work is the sum
# of the sizes of all sets that are split. Without machine code or time, the limit is far lower.
_EXACT_CANDIDATES = 1296
_EXACT_WORK = 60_000_000
_EXACT_WORK_LATE = 20_000
_SAMPLES = 4096
_SAMPLED_PAIRS = 1 << 21
_LATE_PAIRS = 1 << 17
_MOST_AMONG = 1 << 15  # sampled games use all candidates up to this number
_AMONG = 1 << 11  # sample size if there are more candidates
_GUESSED = 64  # number of guesses from which the average information of an answer is estimated
_UNIT = 1 << 29  # largest sum of the whole numbers that represent probabilities


@lru_cache(maxsize=256)
def consistent_pace(known: Knowledge, secret: str = "", seed: int = 0, *, by_weight: bool = False, late: bool) -> Pace:
    """Return the finish distribution of a player who guesses any candidate: the number of guesses from now.

    The player draws each guess from the candidates, all equally likely, or by their weights if `by_weight`. With
    `secret`, the distribution is that for this secret; otherwise it is the average over the candidates by their
    weights. `late` means that there is hardly any time. The chance of the first guess is exact in any case; that of
    later guesses is exact if `Pace.error` is 0.
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
    """Return the probability of each guess by following every game; empty if that takes too much work."""
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
    """Return the symbols, as a bit mask, that are interchangeable because no fact and no rule has used them."""
    turns = [fact for fact in known.facts if isinstance(fact, Turn)]
    if known.uneven or len(turns) < len(known.facts):
        return 0
    used = {*secret, *known.absent, *known.rules.no_leading}.union(*(turn.guess for turn in turns))
    return sum(1 << at for at, symbol in enumerate(known.rules.symbols) if symbol not in used)


def _whole(first: Fraction, later: Sequence[float]) -> tuple[int, ...]:
    """Return whole numbers in proportion to probabilities: exactly for the first guess, rounded for the later ones.

    A first probability whose denominator is too large is rounded, too.
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
    """Play many games at once: return the number of games by guess, and the distribution of the later guesses.

    `places` are the indices of possible secrets. A row of `left` marks the codes that still fit in one game. To draw a
    guess by weight, each code gets an exponential waiting time at that rate, and the shortest wins. If there are very
    many candidates, a sample represents them; the guesses that it takes to get down to as few are added.
    """
    codes, random = known.candidates, np.random.default_rng(seed)
    told, extra, likely = len(places) == 1, 0.0, known.weights
    if len(codes) > _MOST_AMONG:
        kept = np.union1d(random.choice(len(codes), _AMONG, replace=False, shuffle=False), places[:told])
        places = np.searchsorted(kept, places) if told else np.arange(len(kept))
        extra = log2(len(codes) / len(kept)) / _bits_a_guess(codes[kept])
        codes, likely = codes[kept], None if likely is None else likely[kept]
    n = len(codes)
    samples = max(1, min(_SAMPLES, pairs // n))
    secrets = random.choice(places, samples, p=None if told or likely is None else likely / float(likely.sum()))
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
    """Return the greatest standard error of the share of games won within some number of guesses.

    It also bounds the error of a chance of winning, which is an average of such shares. One game is added to either
    side, because a few games with equal ends do not prove that all games end in the same way.
    """
    games = sum(counts)
    shares = [(within + 1) / (games + 2) for within in accumulate(counts)]
    return max(sqrt(share * (1 - share) / games) for share in shares)


def _bits_a_guess(codes: Codes) -> float:
    """Return how many bits the answer to a guess reveals on average, if guess and secret are among these codes."""
    sizes = cell_sizes(codes[:: max(1, len(codes) // _GUESSED)], codes) / len(codes)
    return float(-(sizes * np.log2(sizes, where=sizes > 0, out=np.zeros_like(sizes))).sum(axis=1).mean())


def _delayed(counts: list[int], guesses: float) -> list[float]:
    """Return the number of games by guess if each takes some more guesses on average."""
    whole, rest = divmod(guesses, 1)
    shares = [0.0] * (int(whole) + len(counts) + 1)
    for turn, count in enumerate(counts, start=int(whole)):
        shares[turn] += count * (1 - rest)
        shares[turn + 1] += count * rest
    return shares
