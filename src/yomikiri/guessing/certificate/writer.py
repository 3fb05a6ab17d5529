"""Writer of certificates for games with the user's lists: everything that the checker needs to confirm a proven total.

A *lemma* claims a lower bound of the cost of a set of secrets. For this, every guess at the set must cost at least as
much. A *cheap bound* is a lower bound of the cost of a cell that the checker computes from the size of the cell. For
most guesses, the cheap bounds of the cells suffice. For each other guess, the writer states better bounds of some of
its cells. A bound that one scan of all guesses proves is a *leaf*; any other bound gets a lemma of its own, and the
search proves it. The docstring of the module `checker` proves the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

import numpy as np

from yomikiri.common.budget import UNLIMITED, Budget, Progress
from yomikiri.common.errors import N_, InputError
from yomikiri.guessing.certificate.cells import Cell, choose_bounds, raise_bounds
from yomikiri.guessing.certificate.checker import ListGame, NotAProof, digest
from yomikiri.guessing.certificate.pool import CertificatePool
from yomikiri.guessing.certificate.support import require_support
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.position_search import PositionSearch

TABLE_BYTES = 1 << 32  # limit on the size of the checker's table of answers, in bytes
_PART = 8  # number of first guesses that a process writes at a time
# The writer tests each cell of at most this many codes for a code that separates all others. If there is none, the
# checker counts one more than the *cheap bound* of the cell, its lower bound of the cost by size. So the test may save
# a scan of all guesses, which proves a better bound. For larger cells, the test is not worth its time.
_TESTED = 40


def head(position: Position, total: int, first: str | None = None) -> str:
    """Return the first line of a certificate that no strategy for the position has a total below `total`.

    If `first` is given, the claim is about the strategies that begin with that guess. Raises an `InputError` for a game
    that certificates do not support. A supported game has two properties:

    - Every guess is allowed. Otherwise, a subset of a candidate set may cost more than the set.
    - The number of guesses has no limit.
    """
    game = position.game
    why = None
    if game.guess_rule is not GuessRule.ANY:
        why = N_("--consistent and --hard")
    elif game.guess_limit is not None:
        why = N_("--within")
    require_support(why)
    codes = sorted(game.guesses)
    numbers = {code: k for k, code in enumerate(codes)}
    turns = [f"{numbers[turn.guess]}:{turn.answer}" for turn in position.turns]
    begins = [] if first is None else [str(numbers[first])]
    lists = digest(weights_of(game)), digest(dict.fromkeys(codes, 0))
    return " ".join(["certificate 2", game.answers.NAME, *lists, str(total), *turns, *begins])


def weights_of(game: Game) -> dict[str, int]:
    """Return the secrets of a game with their weights."""
    return dict(zip(game.secrets, game.weights, strict=True))


def write_certificate(
    position: Position,
    total: int,
    write: Callable[[str], object],
    *,
    first: str | None = None,
    workers: int = 1,
    budget: Budget = UNLIMITED,
) -> None:
    """Write a certificate that no strategy for a position has a total number of guesses below `total`.

    The caller must know that this is true, for example from a search. If `first` is given, the claim is about the
    strategies that begin with that guess. `write` is called with each line. `workers` processes share the first
    guesses. Raises an `InputError` for a game that certificates do not support or that is too large, and `Stopped` if
    the budget ends.
    """
    writer = ListWriter(position, total, first, budget)
    write(writer.head)
    writer.write_all(write, workers)


class ListWriter:
    """Writer of a certificate that no strategy for a position has a total below `total`.

    The constructor raises the errors of `write_certificate`.
    """

    def __init__(self, position: Position, total: int, first: str | None = None, budget: Budget = UNLIMITED) -> None:
        self.head = head(position, total, first)
        game, self._budget = position.game, budget
        try:
            weights = weights_of(game)
            self._game = ListGame(self.head, weights, game.guesses, TABLE_BYTES, lambda _scans: budget.check())
            self._search = PositionSearch(position, budget)
        except (NotAProof, InputError):
            raise _too_large() from None
        if not self._search.is_complete:
            raise _too_large()
        self._arguments = position, total, first
        numbers = {code: k for k, code in enumerate(self._search.secrets)}
        # `_numbers[row]` is the index, in the search, of the secret in this row of the checker's table.
        self._numbers = np.array([numbers[self._game.codes[k]] for k in self._game.own.tolist()], dtype=np.int32)
        self._is_even = len({*game.weights}) == 1  # True if all secrets have the same weight
        self._lines = list[str]()

    def write_all(self, write: Callable[[str], object], workers: int) -> None:
        """Write all lines of the certificate after its first line.

        `write` is called with each line. `workers` processes share the first guesses.
        """
        guesses, begun, done = sorted(self._game.first_guesses()), monotonic(), 0
        parts = [guesses[k : k + _PART] for k in range(0, len(guesses), _PART)]

        def receive(lines: list[str]) -> None:
            nonlocal done
            done += 1
            for line in lines:
                write(line)
            report()

        def report() -> None:
            states = min(done * _PART, len(guesses))
            self._budget.report(Progress(done=states, of=len(guesses), seconds=monotonic() - begun))
            self._budget.check()

        if workers == 1 or len(parts) == 1:
            for part in parts:
                receive(self.lines_of(part))
        else:
            pool = CertificatePool[list[str]](workers, _begin, self._arguments, receive, report)
            try:
                for part in parts:
                    pool.submit(_write, part)
                pool.wait_for_all()
            finally:
                pool.close()
        write(".")

    def lines_of(self, guesses: Sequence[int]) -> list[str]:
        """Return the lines of a certificate for some first guesses, each followed by the lemmas that it needs."""
        self._lines = []
        for guess in guesses:
            self._guess(self._game.all, self._game.above, guess, self._game.total)
        return self._lines

    def _lemma(self, s: Any, least: int) -> None:
        reach = self._game.reach(s)
        for guess in sorted(self._game.unrefuted(s, least, reach)):
            self._guess(s, reach, guess, least)
        self._lines.append(".")

    def _guess(self, s: Any, reach: Any, guess: int, least: int) -> None:
        """Write the line of a guess at a candidate set, and the lemmas that it needs.

        Together, they show that the guess costs at least `least`. `s` is the set. `reach` contains, for each guess, the
        number of its cells, plus 1 if the guess is in the set: the result of `ListGame.reach`.
        """
        game, words, lemmas = self._game, [str(guess)], list[tuple[Any, int]]()
        for cell, bound in self._bounds(s, guess, least, game.cheap(len(s), int(reach.max()))):
            is_shown = self._is_even and bound <= cell.seen
            is_leaf = is_shown or game.leaf(cell.rows, bound, reach)
            words.append(f"{game.labels[cell.answer]}={bound}{'' if is_leaf else '+'}")
            if not is_leaf:
                lemmas.append((cell.rows, bound))
        self._lines.append(" ".join(words))
        for rows, bound in lemmas:
            self._lemma(rows, bound)

    def _bounds(self, s: Any, guess: int, least: int, cheap: Any) -> list[tuple[Cell, int]]:
        """Return lower bounds of cells of a guess that together show that the guess costs at least `least`.

        `s` is the candidate set at which the guess is made. `cheap` contains, for each size of a cell, the lower bound
        of its cost that the checker computes by itself: the *cheap bound*. Each cell that is not in the result counts
        with its cheap bound.

        At first, the bounds in the result are those that one scan of all guesses proves. The largest cell is scanned
        first, because a scan tends to raise the bound of a large cell most. If these bounds are too small, a search
        raises the bounds further.
        """
        cells = [self._cell(answer, rows, cheap) for answer, rows in self._game.cells(s, guess).items()]
        missing = least - self._game.weight(s) - sum(cell.cheap for cell in cells)
        if missing <= 0:
            return []
        cells = sorted((cell for cell in cells if not cell.exact), key=lambda cell: -len(cell.rows))
        gained = 0
        for cell in cells:
            if gained >= missing:
                break
            cell.seen = self._search.bound_of_set(self._numbers[cell.rows])
            gained += cell.raise_to(cell.seen)
        if gained >= missing:
            return self._leaves(cells, missing)
        raise_bounds(cells, missing, self._raised)
        return choose_bounds(cells, missing)

    def _leaves(self, cells: Sequence[Cell], missing: int) -> list[tuple[Cell, int]]:
        """Choose bounds that the checker can prove by one scan per cell, so that few guesses have to be scanned.

        Together, the bounds exceed the cheap bounds by `missing` guesses. Let b be the bound of a cell of n codes. For
        each guess g, let k(g) be the number of cells into which g divides the larger set that contains the cell, plus 1
        if g is in the larger set. The checker has computed these numbers before (`ListGame.reach`). If all weights are
        1, g costs at least 3n - k(g) at the cell, by fact 3 in the docstring of `checker`. So a bound of at most 3n - k
        needs a scan of the guesses with k(g) > k only. Fact 6 gives such a bound for other weights. The greater k is,
        the fewer guesses are scanned. So the bounds are chosen for the greatest k that suffices.
        """
        lower, cheap = np.array([(cell.lower, cell.cheap) for cell in cells], int).reshape(-1, 2).T
        reach = np.arange(len(self._game.labels) + 2)
        shown = [
            3 * self._game.weight(cell.rows) - self._game.saved(cell.rows)[np.minimum(reach, len(cell.rows) + 1)]
            for cell in cells
        ]
        gains_by_reach = np.maximum(
            0, np.minimum(lower, np.transpose(shown)) - cheap
        )  # a row for each `reach`, a column for each cell
        gains = gains_by_reach[np.flatnonzero(gains_by_reach.sum(1) >= missing)[-1]]
        chosen = list[tuple[Cell, int]]()
        for k in np.argsort(-gains, kind="stable").tolist():
            if missing > 0:
                gain = min(int(gains[k]), missing)
                chosen.append((cells[k], cells[k].cheap + gain))
                missing -= gain
        return chosen

    def _cell(self, answer: int, rows: Any, cheap: Any) -> Cell:
        n, least, weights = len(rows), self._game.cost(rows, cheap), self._game.weights[rows]
        # In a cell of at most two codes, a heaviest code separates the others, and so the cheap bound is the cost.
        exact = n < 3
        if n <= _TESTED and cheap[n] < 2 * n:
            raised = self._game.raised(rows, cheap)
            least += raised
            exact = exact or (not raised and weights[0] == weights[-1])
        return Cell(answer, rows, least, least, work=n * min(n, 100) / 50, exact=exact)

    def _raised(self, cell: Cell) -> tuple[int, int]:
        before, step = self._search.nodes, self._game.weight(cell.rows) // len(cell.rows)  # the average weight
        found = self._search.cost_of(self._numbers[cell.rows], cell.lower + step)
        return found, self._search.nodes - before


def _too_large() -> InputError:
    return InputError(N_("the game is too large for a certificate: use shorter lists"))


_writer: ListWriter | None = None  # writer of the certificate in a worker process


def _begin(position: Position, total: int, first: str | None) -> None:
    """Initialise a worker process with its own search and table of answers."""
    global _writer
    _writer = ListWriter(position, total, first)


def _write(guesses: Sequence[int]) -> list[str]:
    """Return the lines of a certificate for some first guesses. A worker process calls this function."""
    assert _writer is not None
    return _writer.lines_of(guesses)
