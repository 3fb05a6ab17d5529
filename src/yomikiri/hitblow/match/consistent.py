"""How soon a player finds a secret who guesses any code that still fits: worked out exactly, or from samples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations, zip_longest
from math import log2, sqrt

from yomikiri.hitblow.codes import Codes, cell_sizes, encode, hint_table
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.race.finish import Finish, Pace
from yomikiri.hitblow.rules import Repeats, Turn, hint
from yomikiri.hitblow.space import Weights, mask, or_ones, parts_of
from yomikiri.lazy import NDArray, np

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


@lru_cache(maxsize=256)
def any_that_fits(known: Knowledge, secret: str, seed: int, *, late: bool) -> Pace:
    """When the secret is found if each candidate is as likely to be guessed; averaged over the candidates if the secret
    is not told. `late` says that there is hardly any time."""
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


def by_weight(known: Knowledge, seed: int) -> Pace:
    """The same if each candidate is guessed as likely as it is the secret, which is not told: from samples."""
    return _sampled(known, np.arange(known.count), seed, _SAMPLED_PAIRS, known.weights)


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
            rest = _exact(cell, secret, guesses[0]) if cell.count <= _EXACT_CANDIDATES else None
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


def _exact(known: Knowledge, secret: str, first: str = "") -> Sequence[float] | None:
    """The chances of a random consistent player, by guess; None where too many different sets are met.

    A set of candidates is a bit mask. After guessing g, those are left that answer g as the secret does; so what is
    left depends on the set of guesses made, not on their order, and few different sets are met.

    Where all that is known is the hint to one guess, the `first`, and codes do not repeat symbols, the symbols that
    neither it nor the secret has may be exchanged: of the next guesses that this makes alike one is played on.
    """
    n, place = known.count, _place(known, secret)
    table = hint_table(known.candidates, known.candidates)
    kept = [mask(table[guess] == table[guess, place]) for guess in range(n)]
    others = ~(1 << place)
    memo: dict[int, tuple[float, ...]] = {}  # of tuples, since the collector of garbage passes over those of floats

    def shares(left: int) -> tuple[float, ...]:
        if len(memo) >= _EXACT_SETS:
            raise _TooManySets
        later, guesses = [], left & others
        if not guesses & (guesses - 1):  # the secret alone, or with one other; half of all sets are such
            memo[left] = (0.5, 0.5) if guesses else (1.0,)
            return memo[left]
        while guesses:
            guess = guesses & -guesses
            guesses ^= guess
            rest = left & kept[guess.bit_length() - 1]
            later.append(memo.get(rest) or shares(rest))
        found = memo[left] = mean(later)
        return found

    def mean(later: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        """Of the secret, which is found at once, and of guesses with what comes later."""
        size = len(later) + 1
        return (1 / size, *[each / size for each in map(sum, zip_longest(*later, fillvalue=0.0))])

    every = (1 << n) - 1
    try:
        if not first:
            return shares(every)
        kinds = [tuple(map((secret + first).find, code)) for code in known.codes()]
        ones = {kind: guess for guess, kind in enumerate(kinds)}
        played = {kind: shares(every & kept[guess]) for kind, guess in ones.items() if guess != place}
        return mean([played[kind] for guess, kind in enumerate(kinds) if guess != place])
    except _TooManySets:
        return None


def _averaged(known: Knowledge) -> list[float] | None:
    """As `_exact`, the sums over all candidates as the secret, each times its weight.

    After guessing g, each set of candidates that answer g alike is left with the secrets in it; what is left of whom is
    the same for all of them.
    """
    n = known.count
    table = hint_table(known.candidates, known.candidates)
    cells = [[cell for cell in parts_of(row) if cell != 1 << guess] for guess, row in enumerate(table)]
    weights = or_ones(known.weights, n).tolist()
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


def _whole(shares: Sequence[float]) -> tuple[int, ...]:
    """Shares as whole numbers of a small unit; what is too small for it is dropped."""
    unit = _UNIT / sum(shares)
    whole = [round(share * unit) for share in shares]
    while not whole[-1]:
        whole.pop()
    return tuple(whole)
