"""Questions asked in the middle of a game: the best guess, what any guess costs, and the next best ones.

Two searches answer them alike: with kernels (`moves`), and without a compiler (`plain`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE

# Up to so many candidates the whole tree is made, to tell the most guesses it takes.
_GROWN = 200
_TIES = 4  # guesses of equal total that are compared further


@dataclass(frozen=True, slots=True)
class Move:
    """A guess and the least total of guesses, itself included, that any play after it needs over all candidates.

    `max_guesses` is the most that any candidate then takes, where it was counted.
    """

    guess: str
    total_guesses: int
    max_guesses: int | None = None


class PositionSearch(Protocol):
    """The exact search from one position, with at least one candidate. Each method raises `Stopped` when the budget is
    spent."""

    def least(self) -> int:
        """The least total of guesses over all candidates."""

    def moves(self, most: int, below: int = IMPOSSIBLE) -> list[Move]:
        """The `most` guesses of least total, if it is below `below`, best first.

        Of guesses that are mirror images of each other there is only one. Of equal totals the lower one-step bound
        comes first, then code order. Guesses are taken by their bound, so once the bound reaches the worst of the best,
        no better one is left.
        """

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        """The least total of play that begins with `guess`, if it is below `below`; else a bound that is not.

        A guess that tells nothing leaves all candidates in one cell.
        """

    def max_guesses(self, guess: str) -> int:
        """The most guesses that any candidate takes when `guess` is followed by play of least total."""


def best_move(search: PositionSearch, known: Knowledge) -> Move:
    """The guess of least total.

    Of several, while candidates are few, one whose worst case is shortest, then one that could be right; else, and
    beyond that, the first by its bound and then in code order.
    """
    total = search.least()
    if known.count > _GROWN:
        return search.moves(1, total + 1)[0]
    ties = [move.guess for move in search.moves(_TIES, total + 1)]
    worst = {guess: search.max_guesses(guess) for guess in ties}
    best = min(ties, key=lambda guess: (worst[guess], not known.is_candidate(guess)))
    return Move(best, total, worst[best])
