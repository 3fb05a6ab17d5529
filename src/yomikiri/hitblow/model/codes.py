"""Codes and answers as arrays: all codes of a game in order, and the answers to many guesses for many secrets.

A code is a row of symbol indices, uint8. Codes are ordered by their symbols, so row 0 of the standard game is `[0, 1,
2]`, the code 012. The *answer number* of an answer (class `Hint`) is `hits * (digits + 1) + blows`, which fits in
uint8. For 3 digits:

    0H0B 0   0H1B 1   0H2B 2   0H3B 3   1H0B 4   1H1B 5   ...   3H0B 12

The largest game, six digits of sixteen symbols with repeats, has 16,777,216 codes: 96 MiB of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeAlias

from yomikiri.common.enums import not_such
from yomikiri.common.errors import N_, CodeError
from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.rules import MAX_DIGITS, MAX_SYMBOLS, Hint, Repeats, Rules, Turn

Codes: TypeAlias = "NDArray[np.uint8]"
"""Array of n codes, one per row, as symbol indices: shape (n, digits)."""

_BLOCK = 1 << 16
"""Number of (guess, code) pairs whose answers are computed at once.

The temporary arrays for this number of pairs fit into the processor's cache.
"""

_KEPT = 1 << 21
"""Maximum number of (guess, secret) pairs of a game whose table of answers is cached."""


@lru_cache(maxsize=4)
def all_secrets(rules: Rules) -> Codes:
    """Return every code that can be the secret, in order: shape (n, digits), uint8, read-only."""
    return _leading(rules, _listed(len(rules.symbols), rules.digits, rules.repeats is not Repeats.ALL))


@lru_cache(maxsize=4)
def all_guesses(rules: Rules) -> Codes:
    """Return every code that may be guessed, in order: shape (g, digits), uint8, read-only."""
    if rules.repeats is Repeats.GUESS:
        return _leading(rules, _listed(len(rules.symbols), rules.digits, False))
    return all_secrets(rules)


def _leading(rules: Rules, codes: Codes) -> Codes:
    """Return the codes that do not begin with a symbol of `rules.no_leading`."""
    if not rules.no_leading:
        return codes
    kept = codes[~np.isin(codes[:, 0], [rules.symbols.index(symbol) for symbol in rules.no_leading])]
    kept.flags.writeable = False
    return kept


def _listed(symbols: int, digits: int, distinct: bool) -> Codes:
    last = np.arange(symbols, dtype=np.uint8)
    if distinct:
        codes = np.zeros((1, 0), dtype=np.uint8)
        for _ in range(digits):
            longer = np.column_stack((np.repeat(codes, symbols, axis=0), np.tile(last, len(codes))))
            codes = longer[(longer[:, :-1] != longer[:, -1:]).all(axis=1)]
    else:
        codes = np.empty((symbols,) * digits + (digits,), dtype=np.uint8)
        for place in range(digits):
            codes[..., place] = last.reshape(-1, *(1,) * (digits - 1 - place))
        codes = codes.reshape(symbols**digits, digits)
    codes.flags.writeable = False
    return codes


def guesses_at(rules: Rules, places: NDArray[np.int64]) -> Codes:
    """Return the guesses with the given indices in the order of all guesses of a game: shape (n, digits), uint8.

    `places` contains the indices. If guesses may repeat symbols and may begin with any symbol, the symbols of a guess
    are the digits of its index, written to the base of the number of symbols. Then the function does not create the
    large array of all guesses.
    """
    if rules.repeats is Repeats.NONE or rules.no_leading:
        listed: Codes = all_guesses(rules)[places]
        return listed
    codes: Codes = np.stack(np.unravel_index(places, (len(rules.symbols),) * rules.digits), axis=1).astype(np.uint8)
    return codes


def secrets_answering(rules: Rules, turn: Turn) -> Codes:
    """Return every secret that gives the answer of `turn` to its guess, in order: shape (n, digits), uint8.

    If secrets may repeat symbols, the function does not compare every code with the guess. It splits codes into a left
    and a right half. The number of hits of a code is the sum over its halves, and so is the number of times that each
    symbol of the guess occurs. Halves in which all these numbers are equal form one class. The answer of a code depends
    only on the classes of its two halves. There are few classes, so it is quick to compute the answer of each pair of
    classes.
    """
    guess, number = encode(rules, turn.guess), hint_number(rules, turn.hint)
    if rules.repeats is not Repeats.ALL or rules.no_leading:
        every = all_secrets(rules)
        codes: Codes = every[answers_to(rules, turn.guess, every) == number]
        return codes
    middle = (rules.digits + 1) // 2
    used, most = np.unique(guess, return_counts=True)
    halves, kinds, places = [], [], []
    for part in (guess[:middle], guess[middle:]):
        half = _listed(len(rules.symbols), len(part), False)
        counts = np.column_stack(((half == part).sum(axis=1), (half[:, :, None] == used).sum(axis=1)))
        kind, place = np.unique(counts, axis=0, return_inverse=True)
        halves.append(half)
        kinds.append(kind)
        places.append(place.reshape(-1))
    both = kinds[0][:, None, :] + kinds[1][None, :, :]
    answers = np.minimum(both[:, :, 1:], most).sum(axis=2) + rules.digits * both[:, :, 0]
    fitting = [np.flatnonzero(row[places[1]]) for row in answers == number]
    first = np.repeat(np.arange(len(halves[0])), [len(fitting[kind]) for kind in places[0]])
    second = np.concatenate([fitting[kind] for kind in places[0]])
    return np.concatenate((halves[0][first], halves[1][second]), axis=1)


def secret_classes(rules: Rules, used: Iterable[int], absent: str = "") -> tuple[Codes, NDArray[np.int64]]:
    """Group the secrets of a game into classes that give equal answers, and return one code for each class.

    `used` contains indices of symbols. Only guesses that consist of these symbols are considered, so the answers do not
    depend on which of the other symbols a secret contains. In the returned codes, a single symbol therefore takes the
    place of all the others. A returned code may contain this symbol several times, even if the symbols of a secret do
    not repeat. So a returned code need not be a secret.

    Returns the codes, shape (n, digits), uint8, and the number of secrets in each class, shape (n,), int64. Secrets
    with `absent` symbols are left out.
    """
    present = [place for place, symbol in enumerate(rules.symbols) if symbol not in absent]
    kept = sorted(set(used).intersection(present))
    others = [symbol for symbol in present if symbol not in kept]
    leading = np.array([symbol not in rules.no_leading for symbol in rules.symbols])
    named = np.array([*kept, *others[:1]], dtype=np.uint8)
    codes = named[_listed(len(named), rules.digits, False)]
    other = np.isin(codes, others)
    distinct = rules.repeats is not Repeats.ALL
    first = np.where(other[:, 0], leading[others].sum(), leading[codes[:, 0]]).astype(np.int64)
    counts, before = first, other[:, 0].astype(np.int64)
    for place in range(1, rules.digits):
        counts = counts * np.where(other[:, place], len(others) - before * distinct, 1)
        before = before + other[:, place]
    for symbol in kept if distinct else ():
        counts = counts * ((codes == symbol).sum(axis=1) <= 1)
    return codes[counts > 0], counts[counts > 0]


def encode(rules: Rules, code: str) -> Codes:
    """Convert a code from text to a row of symbol indices: shape (digits,), uint8."""
    return np.array([rules.symbols.index(symbol) for symbol in code], dtype=np.uint8)


def decode(rules: Rules, row: Codes) -> str:
    """Convert a code from a row of symbol indices to text."""
    return "".join(rules.symbols[index] for index in row)


def decode_all(rules: Rules, rows: Codes) -> list[str]:
    """Convert many codes from rows of symbol indices, shape (n, digits), to a list of texts."""
    letters = np.array(list(rules.symbols))[rows]
    codes: list[str] = letters.view(f"U{rules.digits}")[:, 0].tolist()
    return codes


def numbers(codes: Codes) -> NDArray[np.int64]:
    """Pack each code into one integer, four bits per symbol: shape (n,).

    The integers have the same order as the codes.
    """
    packed = np.zeros(len(codes), dtype=np.int64)
    for place in range(codes.shape[1]):
        packed = packed << 4 | codes[:, place]
    return packed


def guess_numbers(rules: Rules, codes: Codes) -> NDArray[np.intp]:
    """Return the index of each code in the array of all guesses of a game (`all_guesses`): shape (n,)."""
    return np.searchsorted(_numbered_guesses(rules), numbers(codes))


def guess_number(rules: Rules, guess: str) -> int:
    """Return the index of a guess in the array of all guesses of a game (`all_guesses`)."""
    return int(guess_numbers(rules, encode(rules, guess)[None, :])[0])


@lru_cache(maxsize=4)
def _numbered_guesses(rules: Rules) -> NDArray[np.int64]:
    return numbers(all_guesses(rules))


def hint_number(rules: Rules, answer: Hint) -> int:
    """Return the answer number of an answer, which identifies it: `hits * (digits + 1) + blows`."""
    return answer.hits * (rules.digits + 1) + answer.blows


def numbered_hint(rules: Rules, number: int) -> Hint:
    """Return the answer with a given answer number, which is `hits * (digits + 1) + blows`."""
    return Hint(*divmod(number, rules.digits + 1))


def hint_places(rules: Rules) -> NDArray[np.uint8]:
    """Return a table from answer numbers to indices in `Rules.hints`: shape ((digits + 1)²,), uint8.

    The answer number is `hits * (digits + 1) + blows`. The index counts only the possible answers, and the win is the
    last. The answer numbers of impossible answers, such as 3H3B, have the index 0.
    """
    places = np.zeros((rules.digits + 1) ** 2, dtype=np.uint8)
    places[[hint_number(rules, hint) for hint in rules.hints]] = np.arange(len(rules.hints))
    return places


def possible_hints(rules: Rules, guess: str) -> frozenset[Hint]:
    """Return every answer that some secret of the rules gives to `guess`, a code that may be guessed.

    Renaming the symbols in guess and secret changes no answer, so the result depends only on which places of the guess
    hold equal symbols. Exchanging symbols outside the guess changes no answer either. Therefore a few symbols outside
    the guess represent all of them: `digits` symbols if the symbols of a secret must differ, and one symbol otherwise.
    If some symbols may not begin a code, symbols are not interchangeable, and all secrets are compared with the guess.
    """
    if rules.no_leading:
        return _hints_to(rules, guess)
    return _possible_hints(rules, tuple(map(guess.index, guess)))


@lru_cache(maxsize=256)
def _hints_to(rules: Rules, guess: str) -> frozenset[Hint]:
    return _occurring(rules, encode(rules, guess), all_secrets(rules))


@lru_cache(maxsize=256)
def _possible_hints(rules: Rules, pattern: tuple[int, ...]) -> frozenset[Hint]:
    """Return every answer to the guesses with a pattern of equal symbols.

    The pattern replaces each symbol of the guess by the index of its first occurrence: the guess 7 7 3 has the pattern
    0 0 2.
    """
    used, distinct = len(set(pattern)), rules.repeats is not Repeats.ALL
    others = min(len(rules.symbols) - used, rules.digits if distinct else 1)
    # Build a guess with this pattern from the lowest symbol indices: the guess 0 0 1 for the pattern 0 0 2.
    guess = np.array([sorted(set(pattern)).index(place) for place in pattern], dtype=np.uint8)
    return _occurring(rules, guess, _listed(used + others, rules.digits, distinct))


def _occurring(rules: Rules, guess: Codes, codes: Codes) -> frozenset[Hint]:
    sizes = cell_sizes(guess[None, :], codes)[0]
    return frozenset(numbered_hint(rules, number) for number in np.flatnonzero(sizes).tolist())


def hint_table(guesses: Codes, codes: Codes) -> NDArray[np.uint8]:
    """Return the answer to every guess if each code is the secret, as answer numbers: shape (g, n), uint8.

    The answer number is `hits * (digits + 1) + blows`. Codes are arrays of symbol indices from 0 to 15, shapes (g,
    digits) and (n, digits), or lists of such rows. Raises an `InputError` for other values, and if guesses and codes
    differ in the number of digits.

    Hits are counted place by place. The number of hits and blows together is a sum over the symbols. Each symbol
    contributes the smaller one of two counts: its occurrences in the guess, and its occurrences in the code.

    >>> codes = all_secrets(Rules(2, "012"))
    >>> hint_table(codes[:2], codes)
    array([[6, 3, 2, 1, 1, 3],
           [3, 6, 1, 3, 2, 1]], dtype=uint8)
    """
    guesses, codes = _codes(guesses, "guesses"), _codes(codes, "codes")
    digits = guesses.shape[1]
    if codes.shape[1] != digits:
        raise CodeError(
            N_("the codes have {given:symbol|symbols}: expected {digits}, as in the guesses"),
            given=codes.shape[1],
            digits=digits,
        )
    table = np.empty((len(guesses), len(codes)), dtype=np.uint8)
    columns = max(1, min(len(codes), _BLOCK))
    rows = max(1, _BLOCK // columns)
    for left in range(0, len(codes), columns):
        # Store the array of codes column by column, because `_hints` compares one place of all codes at a time.
        part = np.asfortranarray(codes[left : left + columns])
        for top in range(0, len(guesses), rows):
            _hints(guesses[top : top + rows], part, digits, table[top : top + rows, left : left + columns])
    return table


def _codes(given: Any, parameter: str) -> Codes:
    """Convert codes given as an array or as lists of symbol indices to an array of uint8, shape (n, digits).

    Raises an `InputError` that names the argument `parameter`.
    """
    if (
        isinstance(given, np.ndarray)
        and given.dtype == np.uint8
        and given.ndim == 2
        and 1 <= given.shape[1] <= MAX_DIGITS
    ):
        return given
    try:
        array = np.asarray(given)
    except (ValueError, TypeError, OverflowError):
        array = np.empty(0)
    kind = array.dtype.kind if array.size else "i"
    if array.ndim != 2 or not 1 <= array.shape[1] <= MAX_DIGITS or kind not in "iu" or not _are_symbols(array):
        raise not_such(parameter, given, "[[0, 1, 2], [3, 4, 5]]")
    return array.astype(np.uint8)


def _are_symbols(array: NDArray[Any]) -> bool:
    return not array.size or (array.min() >= 0 and array.max() < MAX_SYMBOLS)


def answers_to(rules: Rules, guess: str, codes: Codes) -> NDArray[np.uint8]:
    """Return the answer to one guess if each code is the secret, as answer numbers: shape (n,), uint8.

    The answer number is `hits * (digits + 1) + blows`.
    """
    answers: NDArray[np.uint8] = hint_table(encode(rules, guess)[None, :], codes)[0]
    return answers


def _hints(guesses: Codes, codes: Codes, digits: int, out: NDArray[np.uint8]) -> None:
    hits = np.zeros(out.shape, dtype=np.uint8)
    for place in range(digits):
        hits += guesses[:, place, None] == codes[None, :, place]
    common = np.zeros(out.shape, dtype=np.uint8)
    for symbol in np.flatnonzero(np.bincount(guesses.ravel())):
        common += np.minimum(_times(symbol, guesses)[:, None], _times(symbol, codes)[None, :])
    # The answer number is hits * (digits + 1) + blows = hits * digits + common, because common = hits + blows.
    np.multiply(hits, digits, out=hits)
    np.add(hits, common, out=out)


def _times(symbol: np.intp, codes: Codes) -> NDArray[np.uint8]:
    """Return how often each code contains the symbol: shape (n,), uint8.

    Adds place by place, because numpy is slow to sum over a short axis.
    """
    times = np.zeros(len(codes), dtype=np.uint8)
    for place in range(codes.shape[1]):
        times += codes[:, place] == symbol
    return times


def cell_sizes(guesses: Codes, codes: Codes, weights: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Count the `codes` that give each answer to each guess: shape (g, (digits + 1)²), int64.

    The columns are answer numbers, `hits * (digits + 1) + blows`. The sum of each row is the number of codes. With
    `weights`, one per code and with a sum below 2^53, the entries are sums of weights instead.
    """
    return _counted(lambda rows: hint_table(guesses[rows], codes), guesses, len(codes), weights)


def cells_of_guesses(rules: Rules, codes: Codes, weights: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Count the `codes` that give each answer to each guess of a game: shape (g, (digits + 1)²), int64.

    The result is that of `cell_sizes` for all guesses. The `codes` must be possible secrets. Small games use a cached
    table of the answers of all secrets to all guesses.
    """
    guesses, secrets = all_guesses(rules), all_secrets(rules)
    if len(guesses) * len(secrets) > _KEPT:
        return cell_sizes(guesses, codes, weights)
    table = _all_answers(rules)
    places = np.searchsorted(numbers(secrets), numbers(codes))
    return _counted(lambda rows: table[rows, places], guesses, len(codes), weights)


@lru_cache(maxsize=4)
def _all_answers(rules: Rules) -> NDArray[np.uint8]:
    return hint_table(all_guesses(rules), all_secrets(rules))


def _counted(
    answers: Callable[[slice], NDArray[np.uint8]], guesses: Codes, count: int, weights: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """Count the codes that give each answer to each guess: shape (g, (digits + 1)²), int64.

    The function `answers` returns the answer numbers for a slice of the guesses and all codes, and `count` is the
    number of codes. With `weights`, one per code, the result contains sums of weights instead.
    """
    numbers = (guesses.shape[1] + 1) ** 2
    sizes = np.empty((len(guesses), numbers), dtype=np.int64)
    rows = max(1, _BLOCK // max(1, count))
    for top in range(0, len(guesses), rows):
        table = answers(slice(top, top + rows))
        offsets = np.arange(len(table), dtype=np.int64) * numbers
        flat = (table + offsets[:, None]).ravel()
        each = None if weights is None else np.tile(weights, len(table))
        counted = np.bincount(flat, each, minlength=len(table) * numbers)
        sizes[top : top + len(table)] = counted.reshape(-1, numbers)
    return sizes


def without_symbols(codes: Codes, absent: Iterable[int]) -> Codes:
    """Return, in the same order, the codes that contain none of the symbols with the indices `absent`."""
    kept = np.ones(len(codes), dtype=bool)
    for symbol in absent:
        kept &= (codes != symbol).all(axis=1)
    return codes[kept]
