"""Finish distribution of a player who draws each guess at random from the candidates: exact, or from sampled games.

A *finish distribution* contains, for k = 1, 2, 3, ..., the chance of finding the secret with exactly the k-th guess
from now. `Pace` contains the distribution with its standard error.
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

_EXACT_CANDIDATES = 1296
"""Limit on the number of candidates up to which the chances of random play are computed exactly, without sampling."""

_EXACT_WORK = 60_000_000
"""Limit on the work of the exact computation, which takes a fraction of a second.

The work is a sum over all positions and guesses of random play: the number of candidates that a guess partitions.
"""

_EXACT_WORK_LATE = 20_000
"""Limit on the work of the exact computation if the caller has hardly any time, or without machine code."""

_SAMPLES = 4096
"""Limit on the number of sampled games."""

_SAMPLED_PAIRS = 1 << 21
"""Limit on the number of sampled games, multiplied by the number of candidates, which limits the work of sampling."""

_LATE_PAIRS = 1 << 17
"""Limit on the number of sampled games, multiplied by the number of candidates, if the caller has hardly any time."""

_MOST_AMONG = 1 << 15
"""Limit on the number of candidates up to which sampled games are played with all candidates."""

_AMONG = 1 << 11
"""Number of random candidates that replace all candidates in sampled games if there are more than `_MOST_AMONG`."""

_GUESSED = 64
"""Number of guesses that serve to estimate the average information of an answer."""

_UNIT = 1 << 29
"""Limit on the sum of the whole numbers that represent the probabilities of finding the secret with each guess."""


@lru_cache(maxsize=256)
def consistent_pace(known: Knowledge, secret: str = "", seed: int = 0, *, by_weight: bool = False, late: bool) -> Pace:
    """Return the finish distribution of a player who draws each guess at random from the candidates.

    A *finish distribution* contains the chance of finding the secret with guess 1, 2, 3, and so on from now. The player
    draws all candidates with equal probability, or in proportion to their weights if `by_weight` is True. If `secret`
    is given, the distribution is that for this secret. Otherwise it is the average over the candidates by their
    weights. The chance of the first guess is always exact. The chances of later guesses are exact if `Pace.error` is 0.

    `late` is True if the caller has hardly any time. Then the chances are estimated from sampled games if the exact
    computation takes more than a little work, and fewer games are sampled.
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
    """Return the exact probability that a guess drawn at random from the candidates is the secret.

    If `by_weight` is True, candidates of greater weight are likelier guesses, in proportion to their weights.
    """
    if not by_weight or known.weights is None:
        return Fraction(1, known.count)
    if secret:
        return known.share(secret)
    return Fraction(sum(weight**2 for weight in known.weights.tolist()), known.total**2)


def _place(known: Knowledge, secret: str) -> int:
    """Return the index of `secret` in the array of candidates, which must contain it."""
    return int((known.candidates == encode(known.rules, secret)).all(axis=1).argmax())


def _followed(known: Knowledge, secret: str, by_weight: bool, late: bool) -> list[float]:
    """Return the probability that random play finds the secret with each guess: element i is for guess i + 1.

    The computation is exact, because it traverses all possible games. Returns an empty list if that takes too much
    work: more than `_EXACT_WORK`, or more than `_EXACT_WORK_LATE` if `late` is True or without machine code.
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
    """Return a bit mask of the symbols that may be exchanged without changing the chances of finding the secret.

    Bit i is for the symbol with index i in the rules. A symbol may be exchanged if it occurs neither in the facts nor
    in the given secret, and if codes may begin with it. The mask is 0 if the candidates have different weights or a
    prior, or if some fact is not a guess with a complete answer.
    """
    turns = [fact for fact in known.facts if isinstance(fact, Turn)]
    if known.uneven or len(turns) < len(known.facts):
        return 0
    used = {*secret, *known.absent, *known.rules.no_leading}.union(*(turn.guess for turn in turns))
    return sum(1 << at for at, symbol in enumerate(known.rules.symbols) if symbol not in used)


def _whole(first: Fraction, later: Sequence[float]) -> tuple[int, ...]:
    """Convert the probabilities of a finish distribution to whole numbers in the same proportion.

    `first` is the probability of finding the secret with the first guess. It is kept exactly, unless its denominator is
    above `_UNIT`. `later` contains weights of the later guesses, in proportion to the probabilities of finding the
    secret with them. The sum of these weights is arbitrary, and the results for them are rounded.
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
    """Play many games with random guesses at once, to estimate the chance of finding the secret with each guess.

    Returns two lists: the number of games finished with each guess, and the estimated distribution for the guesses
    after the first one. `places` contains the indices of the possible secrets. `pairs` limits the number of games:
    their number multiplied by the number of candidates is at most `pairs`, but at least one game is played. With
    `by_weight`, the player draws guesses in proportion to their weights. For this, each candidate gets a random waiting
    time, exponential with its weight as the rate, and the candidate with the shortest time is the guess.

    If there are very many candidates, the games are played with a random sample of them. A real game needs some more
    guesses, until the number of candidates is that of the sample. An estimate of this number of guesses is added to the
    length of each game in the second list.
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
    """Return the greatest standard error of the sampled chances of finding the secret within k guesses, over all k.

    `counts` contains the number of games finished with each guess. The chance for k is the share of games finished
    within k guesses. The result also bounds the error of a chance of winning, which is an average of such shares.

    For each k, two games are added to the sample, one finished within k guesses and one not. Otherwise a few games that
    all end with the same guess would have the error 0.
    """
    games = sum(counts)
    shares = [(within + 1) / (games + 2) for within in accumulate(counts)]
    return max(sqrt(share * (1 - share) / games) for share in shares)


def _bits_a_guess(codes: Codes) -> float:
    """Return the average information of an answer in bits, if guess and secret are random members of `codes`.

    The average is an estimate: it is over all members as secrets, but only over about `_GUESSED` members as guesses.
    """
    sizes = cell_sizes(codes[:: max(1, len(codes) // _GUESSED)], codes) / len(codes)
    return float(-(sizes * np.log2(sizes, where=sizes > 0, out=np.zeros_like(sizes))).sum(axis=1).mean())


def _delayed(counts: list[int], guesses: float) -> list[float]:
    """Delay the finish of games by a number of guesses that need not be whole, and return the new distribution.

    `counts` contains the number of games finished with each guess. A delay of 1.25 moves three quarters of each number
    by one guess, and one quarter by two.
    """
    whole, rest = divmod(guesses, 1)
    shares = [0.0] * (int(whole) + len(counts) + 1)
    for turn, count in enumerate(counts, start=int(whole)):
        shares[turn] += count * (1 - rest)
        shares[turn + 1] += count * rest
    return shares
