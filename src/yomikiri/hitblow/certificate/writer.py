"""Writer of certificates: everything that the checker needs to confirm a proven total.

A *lemma* claims a lower bound of the cost of a set of secrets. The writer begins with a lemma for the set of all
secrets. A guess divides the set into *cells*, the sets of secrets with equal answers. For each lemma, a scan by the
checker computes a *cheap bound* of the cost of each guess, from the sizes of its cells. If the cheap bound of a guess
is below the bound that the lemma claims, the writer proves better bounds for some cells of the guess. It writes these
bounds as *items* of the lemma. The module `checker` defines these words exactly.

The search engine proves the better bounds. Each request to it is for one cell. The result is either a higher bound, or
the proof that the bound so far is the exact cost of the cell. The next request is always for the cell with the least
work so far, so that the work stays about equal and no cell is solved without need. The transposition table of the
search engine keeps all results, in whatever order the requests come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

import numpy as np

from yomikiri.common.budget import UNLIMITED, Budget, Progress
from yomikiri.common.errors import N_, InputError
from yomikiri.guessing.certificate.cells import Cell, choose_bounds, raise_bounds
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.certificate.check import head
from yomikiri.hitblow.certificate.checker import CertificateGame, Rejected
from yomikiri.hitblow.certificate.renaming import Form, Renaming, form_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Turn
from yomikiri.hitblow.search.engine import MEMORY, SearchEngine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.strategy.strategy import Task

# Smallest number of guesses in a lemma for which the symmetries of its set of secrets are listed. With fewer guesses,
# symmetries would not make the lemma shorter.
_FEW = 3
TABLE_BYTES = 1 << 33  # limit on the size of the checker's table of answers, in bytes
_LEAF = 2.0  # estimated work, in search nodes, of a bound that needs only one scan of all guesses


_SECTIONS = 5040  # number of secrets above which a certificate is divided into sections, to be checked in parallel


def write_certificate(
    task: Task, total: int, write: Callable[[str], object], *, memory: int = MEMORY, budget: Budget = UNLIMITED
) -> None:
    """Write a certificate for the claim that every strategy for a task needs at least `total` guesses.

    `total` is the number of guesses added up over all secrets. Requires that the claim is true. `write` is called with
    each line. `memory` limits the transposition table of the search engine, in bytes. Raises an `InputError` for a task
    that certificates do not support, and for a game whose table of answers is too large. Raises `Stopped` if the budget
    ends first.
    """
    first = head(task, total)
    known = Knowledge(task.rules, task.absent, task.facts)
    engine = SearchEngine(task.rules, known.start.absent, known.start.facts, consistent=False, memory=memory)
    try:
        game = CertificateGame(first, TABLE_BYTES, lambda _sets: budget.check(engine.nodes))
    except Rejected:
        raise InputError(N_("the game is too large for a certificate: choose one with fewer codes")) from None
    write(first)
    writer = Writer(engine, game, write, budget)
    part = Subproblem(task.rules, known.start.absent, known.played, facts=known.start.facts)
    writer.lemma(part, np.arange(len(game.own)), total, sections=len(game.own) > _SECTIONS)


class Writer:
    """Writer of the lemmas of a certificate: claims that a set of secrets costs at least some number of guesses.

    The search engine proves the claims. `lemmas` is the number of lemmas written so far, including unfinished ones.
    """

    def __init__(
        self, engine: SearchEngine, game: CertificateGame, write: Callable[[str], object], budget: Budget = UNLIMITED
    ) -> None:
        self._engine, self._game, self._write, self._budget = engine, game, write, budget
        self._every = np.arange(len(game.codes))
        self._shown: dict[bytes, tuple[int, int, Renaming]] = {}
        self._number = 0
        p = game.p
        own = {str(hint): index for index, hint in enumerate(engine.hints)}
        self._hints = {
            int(game.answer_index[h * (p + 1) + b]): Hint(h, b) for h in range(p + 1) for b in range(p + 1 - h)
        }
        self._engine_index = {index: own[str(hint)] for index, hint in self._hints.items()}
        self._begun = monotonic()
        self.lemmas = 0

    def lemma(self, part: Subproblem, rows: Any, least: int, *, sections: bool = False) -> None:
        """Write the lemma that a candidate set costs at least `least` guesses in total.

        All lemmas that its proof needs are written, too: lower bounds for cells of guesses, the sets of secrets with
        equal answers. Requires that the lemma is true. `rows` is the set of secrets, as rows of the checker's table of
        answers, and `part` is the same set as a subproblem of the search engine. With `sections`, the lemma for each
        cell is written as a *section*, a part of the certificate that can be checked without the others.
        """
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
        below: list[tuple[Subproblem, Cell, int]] = []
        for k, (guess, low) in enumerate(left.items()):
            cells = self._cells(rows, guess, lowers[k], cheap, most)
            raise_bounds(cells, least - low, partial(self._search, part, guess))
            words.append("".join(f"{symbol:x}" for symbol in game.codes[guess].tolist()))
            for cell, bound in choose_bounds([cell for cell in cells if cell.lower > cell.cheap], least - low):
                hint = self._hints[cell.answer]
                ending = ""
                # Add a lemma for the lower bound of a cell, unless the checker can prove it by one scan of all guesses.
                if game.open(cell.rows, bound)[0]:
                    ending = "^" if sections else "+"
                    below.append((self._after(part, guess, cell.answer), cell, bound))
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
        """Add one symmetry of a set of secrets, and return, for each guess, the least guess of its orbit.

        The *orbit* of a guess contains the guesses to which the symmetries map it. `orbit` contains, for each guess,
        the least guess of its orbit under the symmetries so far. `moved` contains the guess to which the added symmetry
        maps each guess.
        """
        while True:
            before = orbit
            orbit = np.minimum(orbit, orbit[moved])
            np.minimum.at(orbit, before, orbit)
            orbit = orbit[orbit]
            if np.array_equal(orbit, before):
                return orbit

    def _after(self, part: Subproblem, guess: int, index: int) -> Subproblem:
        return part.after(Turn(self._engine.code(guess), self._hints[index]))

    def _cells(self, rows: Any, guess: int, lowers: list[int], cheap: Any, most: int) -> list[Cell]:
        """Return the cells of a guess for which a search may prove a better lower bound of the cost.

        The *cost* of a cell is the least total number of guesses until each of its codes is found. Two lower bounds are
        known already. The checker computes the *cheap bound* from the size of the cell, and `cheap` contains it for
        each size. The search engine has computed the other bound by a scan of all guesses, and `lowers` contains it for
        each answer. The lower bound of a returned cell is the larger one of the two.

        For sizes c up to `most`, the cheap bound is only 2 * c - 1. This is the exact cost of a cell in which one code,
        as a guess, separates all others.
        """
        game = self._game
        answers = game.hints[rows, guess]
        cells = []
        for index, count in enumerate(np.bincount(answers, minlength=game.r)[:-1].tolist()):
            if count < 4:
                continue
            cell = rows[answers == index]
            is_inseparable = False
            if count <= most and not (is_inseparable := bool(game.inseparable(cell[None])[0])):
                continue  # omit a cell in which one code separates all others, because its exact cost is known
            low = int(cheap[count]) + is_inseparable
            seen = max(low, lowers[self._engine_index[index]])
            cells.append(Cell(index, cell, low, seen, _LEAF + count / 10))
            cells[-1].steps.append((seen, cells[-1].work))
        return cells

    def _search(self, part: Subproblem, guess: int, cell: Cell) -> tuple[int, int]:
        """Search for a better lower bound of the cost of a cell, and return it with the number of nodes searched.

        If the bound so far is already the exact cost of the cell, the first result is this cost.
        """
        before = self._engine.nodes
        after = self._after(part, guess, cell.answer)
        found = self._engine.run(replace(after, upper=cell.lower + 1), self._budget)
        return found, self._engine.nodes - before
