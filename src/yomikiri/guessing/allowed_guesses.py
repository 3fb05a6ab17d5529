"""The guesses that hard mode or consistent play allows at a set of candidates, in a search without compiled code.

Hard mode allows only guesses that use everything the answers have revealed. Consistent play allows only candidates.

In this example of hard mode, the guesses are 01, 02 and 10, with the indices 0, 1 and 2. The first guess is 01, and the
secret is 02. So the answer is a hit in the first place, and hard mode then allows only 01 and 02, which begin with 0:

>>> allowed = AllowedGuesses(np.array([[0, 0, 1], [1, 2, 0]], dtype=np.uint8), 3)
>>> after = allowed.after(0, 0, answer=0, secret=1)
>>> allowed.at(after, np.array([0, 1]))
array([0, 1])

The second argument of `at` contains the indices of the candidates. It has an effect in consistent play only.
"""

from __future__ import annotations

from yomikiri.common.lazy import NDArray, np


class AllowedGuesses:
    """Sets of allowed guesses. Each set has an index, so that a search stores a number instead of a set.

    Index 0 is the set of all guesses. `guesses` is their number, g. In hard mode, `symbols` contains the symbol of each
    guess at each place, shape (places, g). In other games, the shape is (0, g). If `candidates_only` is True, only
    candidates are allowed.
    """

    def __init__(self, symbols: NDArray[np.uint8], guesses: int, *, candidates_only: bool = False) -> None:
        self._symbols, self._candidates_only = symbols, candidates_only
        every = np.arange(guesses)
        self._sets: list[NDArray[np.intp]] = [every]
        self._index: dict[bytes, int] = {every.tobytes(): 0}
        self._index_after: dict[tuple[int, int, int], int] = {}

    def at(self, index: int, own: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the guesses that are allowed at a candidate set, in order.

        In general, these are the guesses of the set `index`. If only candidates are allowed, they are the candidates.

        `own` contains, for each candidate, the index of the guess that is equal to it.
        """
        return np.sort(own) if self._candidates_only else self._sets[index]

    def after(self, index: int, guess: int, answer: int, secret: int) -> int:
        """Return the index of the set of guesses that hard mode allows after `guess`.

        The set is a subset of the set `index`, which contains the guesses that were allowed before.

        The guesses use everything that the answer reveals. `secret` is any secret that gives this answer to `guess`,
        as the index of a guess.
        """
        if not len(self._symbols):
            return 0
        key = index, guess, answer
        if key not in self._index_after:
            guesses, symbols = self._sets[index], self._symbols
            found = guesses[_uses(symbols[:, guesses], symbols[:, guess], symbols[:, secret])]
            self._index_after[key] = self._index.setdefault(found.tobytes(), len(self._sets))
            if self._index_after[key] == len(self._sets):
                self._sets.append(found)
        return self._index_after[key]


def _uses(guesses: NDArray[np.uint8], last: NDArray[np.uint8], secret: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return, for each guess, True if hard mode allows it after the answer of `secret` to `last`.

    An allowed guess keeps the hits of `last`, and has each symbol at least as often as the answer revealed. `guesses`
    has the shape (places, g); `last` and `secret` have one symbol for each place.
    """
    hits = last == secret
    kept: NDArray[np.bool_] = (guesses[hits] == last[hits, None]).all(axis=0)
    for symbol in set(last.tolist()):
        revealed = min(int((last == symbol).sum()), int((secret == symbol).sum()))
        kept &= (guesses == symbol).sum(axis=0) >= revealed
    return kept
