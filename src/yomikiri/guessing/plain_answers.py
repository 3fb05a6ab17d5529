"""Answers of secrets to guesses, computed with NumPy: for a single guess, and for use without compiled kernels.

`kernels.answers` defines answer numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from yomikiri.common.enums import fold
from yomikiri.common.lazy import NDArray, np
from yomikiri.guessing.answers import AnswerKind
from yomikiri.guessing.codes import CodeList

_BLOCK = 1 << 16  # number of codes that are compared at a time, so that temporary arrays fit into the cache
_NO_SYMBOL = 255  # index of a symbol that occurs in no secret


def fill_plainly(
    guesses: NDArray[np.uint8],
    secrets: NDArray[np.uint8],
    hit_value: NDArray[np.int64],
    blow_value: NDArray[np.int64],
    answers: NDArray[np.uint16],
) -> None:
    """Fill the table `answers` with the answer number of each secret to each guess.

    Shapes: `guesses` (places, g), `secrets` (n, places), `answers` (n, at least g).
    """
    anywhere = range(len(guesses))
    for row, secret in zip(answers, secrets, strict=True):
        places = dict.fromkeys(secret.tolist(), anywhere)
        row[: guesses.shape[1]] = _numbers(guesses, secret[:, None], hit_value, blow_value, places)


def answers_to(kind: AnswerKind, guess: str, secrets: CodeList) -> NDArray[np.uint16]:
    """Return the answer number of each secret to one guess: shape (n,). `kind.text` converts a number to text."""
    columns, count = secrets.columns, len(secrets)
    symbols = [index if (index := secrets.symbols.find(symbol)) >= 0 else _NO_SYMBOL for symbol in guess]
    code = np.array(symbols, dtype=np.uint8)[:, None]
    places: dict[int, list[int]] = {}
    for place, symbol in enumerate(symbols):
        places.setdefault(symbol, []).append(place)
    hit_value, blow_value, win = _values(kind, len(guess))
    answers = np.empty(count, dtype=np.uint16)
    for begin in range(0, count, _BLOCK):
        block = columns[:, begin : begin + _BLOCK]
        answers[begin : begin + _BLOCK] = _numbers(code, block, hit_value, blow_value, places)
    if win is not None:
        answers[(columns == code).all(axis=0)] = win
    return answers


@lru_cache(maxsize=16)
def _values(kind: AnswerKind, places: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int | None]:
    """Return the values of hits and blows by place, and the number of the winning answer.

    None replaces the number of the winning answer if that number is the sum of the values of the hits. Then the caller
    need not set it.
    """
    hit_value, blow_value = (np.array(values, dtype=np.int64) for values in kind.values(places))
    win = kind.number_of(fold(kind.win(places)), places)
    return hit_value, blow_value, None if win == hit_value.sum() else win


def _numbers(
    guess: NDArray[np.uint8],
    secret: NDArray[np.uint8],
    hit_value: NDArray[np.int64],
    blow_value: NDArray[np.int64],
    places: Mapping[int, Sequence[int]],
) -> NDArray[np.uint16]:
    """Return the answer numbers between one code and n codes: shape (n,).

    The single code is either the guess or the secret, and has the shape (places, 1). The other argument has the shape
    (places, n). `places` maps each symbol of the single code to the places at which a blow of this symbol is possible:
    the places where the guess has it, or all places if the single code is the secret.
    """
    hits = guess == secret
    missed = ~hits
    numbers: NDArray[np.uint16] = hit_value.astype(np.uint16) @ hits
    for symbol, those in places.items() if blow_value.any() else ():
        # how often the secret has the symbol, not counting hits and the blows given so far
        free = ((secret == symbol) & missed).sum(axis=0, dtype=np.uint8)
        for place in those:
            blow = missed[place] & (free > 0) & (guess[place] == symbol)
            free -= blow
            numbers += np.uint16(blow_value[place]) * blow
    return numbers
