"""Summary of a stored proof: proven bounds of the least total, the cells of the first guess, and the remaining work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import parse_fact
from yomikiri.hitblow.model.rules import Hint, Rules, Turn
from yomikiri.hitblow.search.proof.bound_table import NOTHING, BoundKey, BoundTable
from yomikiri.hitblow.search.proof.forecast import seconds_left
from yomikiri.hitblow.search.proof.store import StoreContents, read_game
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns


@dataclass(frozen=True, slots=True)
class CellState:
    """One cell of the first guess: its answer, its number of codes, and bounds of its total.

    `upper` is None before the proof has found a strategy for the cell.
    """

    hint: Hint
    codes: int
    lower: int
    upper: int | None

    @property
    def proven(self) -> bool:
        """True if the total of the cell is proven: the lower and the upper bound are equal."""
        return self.lower == self.upper


@dataclass(frozen=True, slots=True)
class Summary:
    """The bounds of the least total of a game, and the state of the cells of its first guess.

    - `ties` is about the tie-break: the search for a strategy of least total that is best by its other criteria. It is
      None if no tie-break has begun. Otherwise it is True if the result of the last stored tie-break is proven, because
      its lower and upper bounds are equal.
    - `share` is an estimate of the part of the last proof that is done, from 0 to 1; None if it is unknown.
    - `seconds` is the CPU time of all results.
    - `answers` is the number of results of tasks that workers have returned.
    """

    rules: Rules
    absent: str
    facts: tuple[str, ...]
    consistent: bool
    lower: int
    upper: int | None
    ties: bool | None
    guess: str
    cells: tuple[CellState, ...]
    answers: int
    nodes: int
    seconds: float
    workers: int
    share: float | None

    @property
    def proven(self) -> bool:
        """True if the least total is proven: the lower and the upper bound are equal."""
        return self.lower == self.upper

    @property
    def left(self) -> float | None:
        """An estimate of the remaining CPU time, in seconds; None if it is unknown."""
        if self.proven:
            return 0.0
        return seconds_left(self.seconds, self.share)


def summary_of(contents: StoreContents) -> Summary:
    """Return the summary of a store. Raises `CheckError` if its records contradict each other."""
    rules, absent, facts, consistent = read_game(contents.game)
    bound_table = contents.bound_table()
    known = Knowledge(rules, absent, tuple(parse_fact(fact, rules) for fact in facts))
    whole = Subproblem(rules, known.start.absent, known.played, consistent, facts=known.start.facts)
    root = bound_table.known(BoundKey.of(whole))
    guess = _first_guess(contents, whole, root.best)
    asked = [record for record in contents.records if record.effort.worker]
    last = [record.key for record in contents.records if record.key.cost is Count.LAST]
    return Summary(
        rules,
        absent,
        facts,
        consistent,
        max(root.lower, 2 * known.count - 1),
        _upper(root.upper),
        all(known.lower == known.upper for known in map(bound_table.known, last[-1:])) if last else None,
        guess,
        tuple(_cells(known, whole, guess, bound_table)) if guess else (),
        len(asked),
        sum(record.effort.nodes for record in asked),
        sum(record.effort.seconds for record in asked),
        len({record.effort.worker for record in asked}),
        contents.share,
    )


def proven_cells(contents: StoreContents) -> Iterator[tuple[tuple[Turn, ...], int]]:
    """Yield (canonical turns, total) for each cell whose least total is proven.

    Cells after fewer turns come first, then the order of the turns decides. Canonical turns are the same for equivalent
    cells.
    """
    bound_table = contents.bound_table()
    places = {record.key for record in contents.records if record.key.cost is Count.TOTAL and not record.key.guess}
    for key in sorted(places, key=lambda key: (len(key.turns), list(map(str, key.turns)))):
        known = bound_table.known(key)
        if key.limit is None and known.lower == known.upper < IMPOSSIBLE:
            yield key.turns, known.lower


def _cells(known: Knowledge, whole: Subproblem, guess: str, bound_table: BoundTable) -> Iterator[CellState]:
    """Yield the state of each cell of a guess. Yields nothing if no cell has stored bounds."""
    cells = sorted(known.cells(guess).items())
    found = {hint: bound_table.known(BoundKey.of(whole.after(Turn(guess, hint)))) for hint, _codes in cells}
    for hint, codes in cells:
        cell = found[hint]
        if hint != known.rules.win and set(found.values()) != {NOTHING}:
            yield CellState(hint, codes, max(cell.lower, 2 * codes - 1), _upper(cell.upper))


def _upper(upper: int) -> int | None:
    return None if upper >= IMPOSSIBLE else upper


def _first_guess(contents: StoreContents, whole: Subproblem, best: str) -> str:
    """Return the best first guess in the store.

    If the store has no strategy, return the first guess in the oldest record that has one, because the proof worked on
    it before any other. Returns "" if no record has a first guess.
    """
    name = canonical_turns(whole)
    for record in contents.records:
        key = record.key
        if not best and key.turns == name.turns:
            best = key.guess
        if not best and not name.turns and len(key.turns) == 1:
            best = key.turns[0].guess
    return name.permutation.back(best)
