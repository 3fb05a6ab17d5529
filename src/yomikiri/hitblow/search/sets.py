"""The candidate sets that one engine works on: their codes, cells, hashes and symmetry groups, by turns."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.model.codes import decode, guess_number, guess_numbers
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Turn
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.symmetry import hash_turns, is_hashed_by_turns, refine_group
from yomikiri.hitblow.search.kernels.workspace import HASHED_TURNS, Workspace, answer_indices, symbol_mask
from yomikiri.hitblow.search.symmetry.equivalent import start_symmetry
from yomikiri.hitblow.search.workspaces import new_workspace

Numbers = NDArray[np.int32]  # codes as numbers of guesses
Turns = tuple[Turn, ...]

_NOBODY: Numbers = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class SymmetryGroup:
    """The e symmetries that map each of some turns to itself: see `kernels.symmetry`."""

    orders: NDArray[np.int16]  # (e,): permutations of places
    maps: NDArray[np.uint8]  # (e, 16): the image of each symbol
    used: int  # the symbols of the turns, and those distinguishable before them, a bit each

    def lay(self, work: Workspace) -> None:
        """Write the group to a workspace as that of the set at depth 0."""
        count = len(self.orders)
        work.group_size[0] = count
        work.group_order[0, :count] = self.orders
        work.group_map[0, :count] = self.maps


class CandidateSets:
    """The candidate sets after turns, given the knowledge at the start.

    They have a workspace of their own, so that any thread may use them while a search runs.
    """

    def __init__(self, game: Planes, start: Knowledge) -> None:
        self.rules, self._game = start.rules, game
        exchanged = start_symmetry(start)
        self.absent = exchanged.gone  # symbols, a bit each
        self._named = exchanged.whole  # whether sets may be hashed by their turns up to symmetry
        digits = self.rules.digits
        self.hints = [Hint(hits, common - hits) for common in range(digits + 1) for hits in range(common + 1)]
        every = list(map(tuple, game.orders.tolist()))
        orders = np.array([every.index(order) for order in exchanged.orders], dtype=np.int16)
        same = np.tile(np.arange(16, dtype=np.uint8), (len(orders), 1))
        apart = (1 << len(self.rules.symbols)) - 1 & ~exchanged.fresh
        first = guess_numbers(self.rules, start.candidates).astype(np.int32)
        self._start = first, SymmetryGroup(orders, same, apart)
        self._aside, self._lock = new_workspace(game, 1, 2), Lock()
        self.forget()

    def __len__(self) -> int:
        return len(self._codes)

    def forget(self) -> None:
        """Discard all sets but the first. Each is computed again when it is needed."""
        codes, elements = self._start
        self._codes: dict[Turns, Numbers] = {(): codes}
        self._elements: dict[Turns, SymmetryGroup] = {(): elements}
        self._numbers: dict[str, int] = {}

    def number(self, guess: str) -> int:
        """Return the number of a guess."""
        number = self._numbers.get(guess)
        if number is None:
            number = self._numbers[guess] = guess_number(self.rules, guess)
        return number

    def code(self, number: int) -> str:
        """Return the text of a code."""
        return decode(self.rules, self._game.codes[number])

    def codes(self, turns: Turns) -> Numbers:
        """Return the candidates after some turns, in ascending order."""
        codes = self._codes.get(turns)
        if codes is None:
            codes = self.cells(turns[:-1], turns[-1].guess).get(turns[-1].hint, _NOBODY)
            self._codes[turns] = codes
        return codes

    def answer_indices(self, turns: Turns, guess: str) -> NDArray[np.int64]:
        """Return the answer index of each candidate after some turns, for a guess: shape (n,)."""
        codes = self.codes(turns)
        answers = np.empty(len(codes), dtype=np.int64)
        answer_indices(self._game, self.number(guess), codes, answers)
        return answers

    def cells(self, turns: Turns, guess: str) -> dict[Hint, Numbers]:
        """Return the candidates after some turns by their answer to a guess, in the order of hints."""
        codes, answers = self.codes(turns), self.answer_indices(turns, guess)
        cells = {self.hints[index]: codes[answers == index] for index in np.flatnonzero(np.bincount(answers))}
        for answer, cell in cells.items():
            self._codes[*turns, Turn(guess, answer)] = cell
        return dict(sorted(cells.items()))

    def turns_named(self, turns: Turns) -> int:
        """Return the number of turns, or more than HASHED_TURNS if not every permutation maps the start to itself."""
        return len(turns) if self._named else len(turns) + HASHED_TURNS + 1

    def name(self, turns: Turns, codes: Numbers) -> tuple[np.uint64, np.uint64]:
        """Return the Zobrist hash of the candidates after some turns."""
        if not is_hashed_by_turns(self.rules.digits, self.turns_named(turns)) or len(codes) < self._game.answer_count:
            key, check = self._game.keys[codes].sum(axis=0, dtype=np.uint64)
            return np.uint64(key), np.uint64(check)
        with self._lock:
            self.lay_turns(self._aside, turns)
            key, check = hash_turns(self._game, self._aside, len(turns), self.absent)
        return np.uint64(key), np.uint64(check)

    def lay_turns(self, work: Workspace, turns: Turns) -> None:
        """Write the first turns to a workspace."""
        for i, turn in enumerate(turns[:HASHED_TURNS]):
            common = turn.hint.hits + turn.hint.blows
            work.turn_guess[i] = self.number(turn.guess)
            work.turn_answer[i] = common * (common + 1) // 2 + turn.hint.hits

    def elements(self, turns: Turns) -> SymmetryGroup:
        """Return the symmetry group of some turns."""
        found = self._elements.get(turns)
        if found is None:
            before, guess = self.elements(turns[:-1]), self.number(turns[-1].guess)
            with self._lock:
                work = self._aside
                before.lay(work)
                refine_group(self._game, work, 0, guess, before.used)
                kept = work.group_size[1]
                orders, maps = work.group_order[1, :kept].copy(), work.group_map[1, :kept].copy()
            found = SymmetryGroup(orders, maps, before.used | int(symbol_mask(self._game, guess)))
            self._elements[turns] = found
        return found
