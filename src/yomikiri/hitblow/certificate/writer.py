"""Writer of certificates: everything that the checker needs to confirm a proven total.

The writer goes down from the start. For each set, the checker's own scan determines which guesses cheap bounds do not
refute, and how much is missing. For each of these guesses the writer finds cells whose bounds make up the difference.
It asks the engine to raise the bound of one cell by one at a time, always for the cell with the least work so far, so
that no cell is solved in vain. The engine keeps its results in the transposition table, whatever the order of the
requests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

import numpy as np

from yomikiri.common.budget import UNLIMITED, Budget, Progress
from yomikiri.common.errors import N_, InputError
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.certificate.check import head
from yomikiri.hitblow.certificate.checker import Game, Rejected
from yomikiri.hitblow.certificate.renaming import Form, Renaming, form_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Turn
from yomikiri.hitblow.search.engine import MEMORY, SearchEngine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.strategy.strategy import Task

_FEW = 3  # fewer guesses than this are listed, because writing symmetries would take more space
ROOM = 1 << 33  # largest table of answers in bytes
_LEAF, _ASKED = 2.0, 20.0  # cost of a leaf and of a request to the engine, in search nodes


@dataclass
class _Cell:
    """A cell of a guess: its codes as rows, and its bounds."""

    slot: int
    rows: Any
    cheap: int
    lower: int
    work: float
    exact: bool = False
    steps: list[tuple[int, float]] = field(default_factory=list)  # bounds with the work after which each was proven


_SECTIONS = 5040  # certificates of larger games are divided into sections, which can be checked in parallel


def write_certificate(
    task: Task, total: int, write: Callable[[str], object], *, memory: int = MEMORY, budget: Budget = UNLIMITED
) -> None:
    """Write a certificate, line by line, that no strategy for a task has a total below `total`, which must be true.

    `memory` limits the engine's transposition table, in bytes. Raises an `InputError` for a task without certificates,
    and for a game whose answers do not fit into memory; `Stopped` if the budget ends.
    """
    first = head(task, total)
    known = Knowledge(task.rules, task.absent, task.facts)
    engine = SearchEngine(task.rules, known.start.absent, known.start.facts, consistent=False, memory=memory)
    try:
        game = Game(first, ROOM, lambda _sets: budget.check(engine.nodes))
    except Rejected:
        raise InputError(N_("the game is too large for a certificate: choose one with fewer codes")) from None
    write(first)
    writer = Writer(engine, game, write, budget)
    part = Subproblem(task.rules, known.start.absent, known.played, facts=known.start.facts)
    writer.lemma(part, np.arange(len(game.own)), total, sections=len(game.own) > _SECTIONS)


class Writer:
    """Writer of the lemmas of a certificate, line by line, with the bounds of an engine."""

    def __init__(
        self, engine: SearchEngine, game: Game, write: Callable[[str], object], budget: Budget = UNLIMITED
    ) -> None:
        self._engine, self._game, self._write, self._budget = engine, game, write, budget
        self._every = np.arange(len(game.codes))
        self._shown: dict[bytes, tuple[int, int, Renaming]] = {}
        self._number = 0
        p = game.p
        own = {str(hint): slot for slot, hint in enumerate(engine.hints)}
        self._hints = {int(game.slot[h * (p + 1) + b]): Hint(h, b) for h in range(p + 1) for b in range(p + 1 - h)}
        self._engine_slot = {slot: own[str(hint)] for slot, hint in self._hints.items()}
        self._begun = monotonic()
        self.lemmas = 0

    def lemma(self, part: Subproblem, rows: Any, least: int, *, sections: bool = False) -> None:
        """Write a lemma with everything it needs: the set `rows` costs at least `least`, which must be true."""
        game = self._game
        form = form_of(game.codes[game.own[rows]], game.q)
        known = self._shown.get(form.name)
        if known and known[1] >= least:
            self._write(f"@{known[0]}/{form.renaming.back().after(known[2])}")
            return
        number, self._number = self._number, self._number + 1
        self.lemmas += 1
        words, asked = self._symmetries(form, rows, least)
        left, cheap, most = asked
        guesses = np.array([*left], dtype=np.int32)
        self._tell()
        lowers = self._engine.cell_bounds(part, guesses, IMPOSSIBLE, most + 1, self._budget).tolist()
        below: list[tuple[Subproblem, _Cell, int]] = []
        for k, (guess, low) in enumerate(left.items()):
            cells = self._cells(rows, guess, lowers[k], cheap, most)
            self._raise(part, guess, cells, least - low)
            words.append("".join(f"{symbol:x}" for symbol in game.codes[guess].tolist()))
            for cell, bound in self._chosen([cell for cell in cells if cell.lower > cell.cheap], least - low):
                hint = self._hints[cell.slot]
                ending = ""
                if game.open(cell.rows, bound)[0]:  # the engine's bounds may be stronger than the checker's
                    ending = "^" if sections else "+"
                    below.append((self._after(part, guess, cell.slot), cell, bound))
                words.append(f"{hint.hits}{hint.blows}={bound}{ending}")
        self._write(" ".join(words))
        for after, cell, bound in below:
            if sections:
                outer = self._shown, self._number
                self._shown, self._number = {}, 0
                self.lemma(after, cell.rows, bound)
                self._shown, self._number = outer
                self._write("end")
            else:
                self.lemma(after, cell.rows, bound)
        self._shown[form.name] = number, least, form.renaming

    def _tell(self) -> None:
        self._budget.report(Progress(states=self._engine.nodes, done=self.lemmas, seconds=monotonic() - self._begun))

    def _symmetries(self, form: Form, rows: Any, least: int) -> tuple[list[str], tuple[dict[int, int], Any, int]]:
        game = self._game
        asked = game.open(rows, least)
        if len(asked[0]) < _FEW or not form.symmetries:
            return [], asked
        kept, orbit = [], self._every
        for renaming in form.symmetries:
            text = str(renaming)
            moved = game.renamed(text, self._every)
            joined = self._joined(orbit, moved)
            if (joined[list(asked[0])] != orbit[list(asked[0])]).any():
                kept.append(f"*{text}")
                orbit = joined
        return kept, game.open(rows, least, orbit == self._every) if kept else asked

    @staticmethod
    def _joined(orbit: Any, moved: Any) -> Any:
        """Return the least guess of each orbit after joining the orbits that a renaming connects."""
        while True:
            before = orbit
            orbit = np.minimum(orbit, orbit[moved])
            np.minimum.at(orbit, before, orbit)
            orbit = orbit[orbit]
            if np.array_equal(orbit, before):
                return orbit

    def _after(self, part: Subproblem, guess: int, slot: int) -> Subproblem:
        return part.after(Turn(self._engine.code(guess), self._hints[slot]))

    def _cells(self, rows: Any, guess: int, lowers: list[int], cheap: Any, most: int) -> list[_Cell]:
        """Return the cells of a guess that may cost more than their cheap bounds, with the bounds of one scan."""
        game = self._game
        answers = game.hints[rows, guess]
        cells = []
        for slot, count in enumerate(np.bincount(answers, minlength=game.r)[:-1].tolist()):
            if count < 4:
                continue
            cell = rows[answers == slot]
            doubt = False
            if count <= most and not (doubt := bool(game.imperfect(cell[None])[0])):
                continue  # separable, so its cost equals the cheap bound
            low = int(cheap[count]) + doubt
            seen = max(low, lowers[self._engine_slot[slot]])
            cells.append(_Cell(slot, cell, low, seen, _LEAF + count / 10))
            cells[-1].steps.append((seen, cells[-1].work))
        return cells

    def _raise(self, part: Subproblem, guess: int, cells: list[_Cell], missing: int) -> None:
        """Raise the bounds of cells with the engine, one at a time, the cell with the least work first."""
        engine = self._engine
        gained = sum(cell.lower - cell.cheap for cell in cells)
        while gained < missing:
            open_ = [cell for cell in cells if not cell.exact]
            assert open_, f"{part} costs less"
            cell = min(open_, key=lambda cell: cell.work)
            before = engine.nodes
            after = self._after(part, guess, cell.slot)
            found = engine.run(replace(after, upper=cell.lower + 1), self._budget)
            cell.work += _ASKED + (engine.nodes - before)
            cell.exact = found <= cell.lower
            if found > cell.lower:
                gained += found - cell.lower
                cell.lower = found
                cell.steps.append((found, cell.work))

    @staticmethod
    def _chosen(cells: list[_Cell], missing: int) -> list[tuple[_Cell, int]]:
        """Return the subset of the bounds that suffices with the least total work (dynamic programming)."""
        best: list[tuple[float, tuple[tuple[int, int], ...]] | None] = [None] * (missing + 1)
        best[0] = (0.0, ())
        for i, cell in enumerate(cells):
            new = list(best)
            for bound, work in cell.steps:
                for gained, way in enumerate(best):
                    if way is not None and bound > cell.cheap:
                        to = min(missing, gained + bound - cell.cheap)
                        cost = way[0] + work
                        if (had := new[to]) is None or cost < had[0]:
                            new[to] = cost, (*way[1], (i, bound))
            best = new
        chosen = best[missing]
        assert chosen is not None, "bounds are not enough"
        return [(cells[i], bound) for i, bound in chosen[1]]
