"""Policies without search: simple ones, and those that look one guess ahead.

The simple policies guess a candidate, in order or at random, or repdigits such as 000. The one-step policies score
every guess by the cells into which it splits the candidates, and choose the guess with the lowest score. Scores are
whole numbers, so that ties do not depend on the order of summation. Ties are resolved in favour of a candidate, then by
code order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias, TypeVar

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import N_, RulesError
from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import (
    Codes,
    all_guesses,
    cell_sizes,
    cells_of_guesses,
    decode,
    encode,
    guesses_at,
    hint_number,
    numbers,
    secret_classes,
)
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.model.space import Weights, spreads
from yomikiri.hitblow.policies.base import ALTERNATIVES, Choice, Policy, require_candidates

Sizes: TypeAlias = "NDArray[np.int64]"  # shape (g, (digits + 1)²): cell sizes of each guess by answer number
Scores: TypeAlias = "NDArray[np.int64]"  # shape (g,): lower is better
T = TypeVar("T", bound="np.generic")

# Largest number of (guess, candidate) pairs scored for one suggestion, about half a second of work. Larger games are
# sampled, with fewer pairs, because a sample is inexact anyway.
EVALUATIONS = 1 << 25
SAMPLED_EVALUATIONS = 1 << 23
SAMPLED_CANDIDATES = 1 << 12

# Fixed-point arithmetic for c·log2(c), in units of 2^-32. The sum over cells is rounded to 2^-24. That is much larger
# than the rounding errors of the terms, and much smaller than the difference between two partitions.
_ENTROPY_UNIT = 1 << 32
_ENTROPY_ROUNDING = 8
# The unit is 2^-32 if the number of candidates (or the sum of their weights) has at most this many bits. It doubles
# with each further bit, so that the scores fit into 64 bits.
_ENTROPY_WHOLE = 26


@dataclass(frozen=True, slots=True)
class Likely(Policy):
    """The policy that guesses the likeliest candidate. Ties are resolved by code order."""

    name: str = "likely"
    alternatives: int = ALTERNATIVES

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        require_candidates(known)
        first, *rest = known.likeliest(1 + self.alternatives)
        return Choice(first, tuple(rest))


@dataclass(frozen=True, slots=True)
class Random(Policy):
    """The policy that guesses the likeliest candidate. Ties are resolved at random.

    Equal seed and knowledge give the same guess.
    """

    seed: int = 0
    name: str = "random"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        require_candidates(known)
        history = [ord(letter) for letter in f"{known.absent} {' '.join(map(str, known.facts))}"]
        likeliest, weights = known.candidates, known.weights
        if weights is not None:
            likeliest = likeliest[weights == weights.max()]
        index = np.random.default_rng([self.seed, *history]).integers(len(likeliest))
        return Choice(decode(known.rules, likeliest[index]))


@dataclass(frozen=True, slots=True)
class Repdigit(Policy):
    """The policy that guesses repdigits (000, 111, ...) to count each symbol in the secret, then the first candidate.

    A repdigit is skipped if the number of its symbol in the secret is already known. Choosing a guess raises a
    `RulesError` if the rules do not allow repeated symbols in guesses, unless codes have one digit.
    """

    name: str = "repdigit"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        if known.rules.repeats is Repeats.NONE and known.rules.digits > 1:
            raise RulesError(
                N_("policy {given} guesses repeated digits such as 000: it needs --repeats guess or --repeats all"),
                given=self.name,
            )
        require_candidates(known)
        for index, symbol in enumerate(known.rules.symbols):
            times = (known.candidates == index).sum(axis=1)
            if times.min() != times.max():
                return Choice(symbol * known.rules.digits)
        return Choice(known.codes(1)[0])


def entropy(sizes: Sizes) -> Scores:
    """Score guesses by the remaining entropy: the sum of c·log2(c) over the cell sizes c. Lower is better.

    For n equally likely candidates, the sum is n times the expected entropy after the answer. The score is the sum in
    units of 2^-24, or in larger units if n is large.
    """
    counts, places = np.unique(sizes, return_inverse=True)
    unit = _ENTROPY_UNIT >> max(0, int(sizes[0].sum()).bit_length() - _ENTROPY_WHOLE)
    bits = np.rint(counts * np.log2(np.maximum(counts, 1)) * unit).astype(np.int64)
    rounded: Scores = bits[places.reshape(sizes.shape)].sum(axis=1) + (1 << (_ENTROPY_ROUNDING - 1))
    return rounded >> _ENTROPY_ROUNDING


def most_parts(sizes: Sizes) -> Scores:
    """Score guesses by the number of non-empty cells, negated so that a guess with more cells has a lower score."""
    parts: Scores = (sizes > 0).sum(axis=1)
    return -parts


def expected_size(sizes: Sizes) -> Scores:
    """Score guesses by the expected number of remaining candidates: the sum of the squared cell sizes.

    For n equally likely candidates, the sum is n times the expected number.
    """
    squares: Scores = (sizes * sizes).sum(axis=1)
    return squares


def minimax(sizes: Sizes) -> Scores:
    """Score guesses by the size of the largest cell (Knuth, The Computer as Master Mind, 1977). Lower is better."""
    largest: Scores = sizes.max(axis=1)
    return largest


SCORES: dict[str, Callable[[Sizes], Scores]] = {
    "entropy": entropy,
    "most-parts": most_parts,
    "expected-size": expected_size,
    "minimax": minimax,
}


@dataclass(frozen=True, slots=True)
class OneStep(Policy):
    """The policy that chooses the guess with the lowest score of one kind, `name`, a key of `SCORES`.

    `evaluations` is the maximum number of (guess, candidate) pairs scored for one suggestion. `alternatives` is the
    number of next best guesses in the result.
    """

    name: str
    evaluations: int = EVALUATIONS
    alternatives: int = ALTERNATIVES

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        """Return the guess with the lowest score.

        It is chosen from all guesses, or from a sample if there are more than `evaluations` (guess, candidate) pairs.
        """
        require_candidates(known)
        guesses, candidates, weights, sampled = _pool(known, self.evaluations)
        member = np.isin(numbers(guesses), numbers(candidates))
        every = len(guesses) == known.rules.guess_count
        cells = (
            cells_of_guesses(known.rules, candidates, weights) if every else cell_sizes(guesses, candidates, weights)
        )
        keys = self.scores(known.rules, cells, weights) * 2 + ~member
        first, *others = (decode(known.rules, guesses[index]) for index in _least(keys, 1 + self.alternatives))
        rival = None
        if keys.min() % 2 and not sampled:  # an odd key marks a guess that is not a candidate
            candidate = np.flatnonzero(member)[keys[member].argmin()]
            rival = decode(known.rules, guesses[candidate])
        return Choice(first, tuple(others), sampled, rival)

    def guess(self, known: Knowledge, budget: Budget = UNLIMITED) -> str:
        """Return the guess that `choose` returns, without computing alternatives."""
        return known.codes()[0] if known.count == 1 else replace(self, alternatives=0).choose(known).guess

    def scores(self, rules: Rules, sizes: Sizes, weights: Weights | None) -> Scores:
        """Return the score of each guess from its cell sizes and the weights of the candidates."""
        return SCORES[self.name](sizes)


# Guesses per bit of entropy: the standard game takes 4.97 guesses for its 9.5 bits, and two codes take 1.5 guesses for
# 1 bit. Values between 0.3 and 0.6 play about equally well (`benchmarks/hitblow_slips.py`).
GUESSES_A_BIT = 0.45
_UNITS = 1 << 30


@dataclass(frozen=True, slots=True)
class Soonest(OneStep):
    """The policy that chooses the guess with the lowest estimate of the expected number of further guesses.

    The estimate is an average over the answers. It is 0 for the win. For any other answer, it is 1 guess plus
    `GUESSES_A_BIT` guesses for each bit of entropy that remains. Unlike the other scores, this score prefers to win at
    once if one candidate is much likelier than the others.
    """

    name: str = "soonest"

    def scores(self, rules: Rules, sizes: Sizes, weights: Weights | None) -> Scores:
        total = sizes[0].sum()
        won = sizes[:, hint_number(rules, rules.win)]
        inside = 0.0 if weights is None else spreads(weights).sum()
        # The sum need not exclude the cell of the winning answer: it has only one code, so its entropy is 0.
        missing = spreads(sizes).sum(axis=1) - inside
        scores: Scores = np.rint((total - won + GUESSES_A_BIT * missing) / total * _UNITS).astype(np.int64)
        return scores


def _pool(known: Knowledge, evaluations: int) -> tuple[Codes, Codes, Weights | None, bool]:
    """Return the guesses to score, in code order, and the candidates with their weights, all or a sample.

    The last result is True if the guesses or the candidates are a sample. The sample depends only on the knowledge. If
    there are enough candidates, at least half of the sampled guesses are candidates.

    Before the first guess of a large game, no sample is needed. Then many guesses are equivalent, because symbols and
    places are interchangeable, and the result contains one guess of each kind (see `_first_guesses`).
    """
    few = known.rules.guess_count * known.count <= evaluations
    if known.at_start and not few:
        guesses = _first_guesses(known)
        return guesses, *secret_classes(known.rules, np.unique(guesses).tolist(), known.absent), False
    candidates, weights = known.candidates, known.weights
    if few:
        return all_guesses(known.rules), candidates, weights, False
    random = np.random.default_rng(known.count)
    chosen = _sample(random, np.arange(len(candidates)), SAMPLED_CANDIDATES)
    some, weights = candidates[chosen], None if weights is None else weights[chosen]
    most = min(evaluations, SAMPLED_EVALUATIONS) // len(some)
    guesses = guesses_at(known.rules, _sample(random, np.arange(known.rules.guess_count), most // 2))
    pool = np.concatenate((guesses, _sample(random, candidates, most - most // 2)))
    return np.unique(pool, axis=0), some, weights, True


def _first_guesses(known: Knowledge) -> Codes:
    """Return one guess of each kind of equivalent guesses, for a position in which only absent symbols are known.

    Two symbols are then interchangeable if they agree in two properties: being absent, and being allowed to begin a
    code. Interchangeable symbols form a *class*. Places are interchangeable as well, except that the first place is
    special if some symbol may not begin a code.

    Two guesses are of one *kind* if they have the same numbers of occurrences of symbols in each class. If some symbol
    may not begin a code, their first symbols must also agree in class and in number of occurrences. Guesses of one kind
    have the same value. The guess returned for a kind is the first in code order.
    """
    rules = known.rules
    classes: dict[tuple[bool, bool], list[str]] = {}
    for symbol in rules.symbols:
        classes.setdefault((symbol in known.absent, symbol in rules.no_leading), []).append(symbol)
    kinds = {
        tuple(sorted(zip((-times for times in parts), of, strict=True)))
        for parts in _parts(rules.digits, 1 if rules.repeats is Repeats.NONE else rules.digits)
        for of in product(classes, repeat=len(parts))
    }
    found = []
    for kind in kinds:
        left = {of: iter(symbols) for of, symbols in classes.items()}
        used = [(next(left[of], ""), -times) for times, of in kind]
        if all(symbol for symbol, _times in used):
            letters = sorted("".join(symbol * times for symbol, times in used), key=rules.symbols.index)
            firsts = [symbol for symbol, _times in used if symbol not in rules.no_leading]
            for first in firsts if rules.no_leading else letters[:1]:
                rest = [*letters]
                rest.remove(first)
                found.append(encode(rules, first + "".join(rest)))
    return np.unique(np.array(found, dtype=np.uint8), axis=0)


def _parts(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of `total` into parts of at most `most`, each with its parts in decreasing order."""
    if not total:
        yield ()
    for first in range(min(total, most), 0, -1):
        for rest in _parts(total - first, first):
            yield (first, *rest)


def _sample(random: np.random.Generator, codes: NDArray[T], most: int) -> NDArray[T]:
    if len(codes) <= most:
        return codes
    return codes[np.sort(random.choice(len(codes), most, replace=False, shuffle=False))]


def _least(keys: Scores, most: int) -> list[int]:
    """Return the indices of the smallest keys, at most `most` of them, in ascending order of keys.

    Equal keys are in code order.
    """
    few = min(most, len(keys))
    threshold = np.partition(keys, few - 1)[few - 1]
    near = np.flatnonzero(keys <= threshold)
    return [int(index) for index in near[np.argsort(keys[near], kind="stable")][:few]]
