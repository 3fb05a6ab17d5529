"""The candidate sets of one engine, by the turns that lead to them: their codes, cells, hashes and symmetry groups."""

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

Numbers = NDArray[np.int32]  # array of guess numbers: indices in code order
Turns = tuple[Turn, ...]

_NO_CODES: Numbers = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class SymmetryGroup:
    """The group of the symmetries that map each turn so far to itself.

    The group has e elements. Each element is a permutation of places together with a map of symbols.
    """

    orders: NDArray[np.int16]  # shape (e,): for each element of the group, its permutation of places
    maps: NDArray[np.uint8]  # shape (e, 16): for each element of the group, the image of each symbol
    used: int  # bit mask of the symbols of the turns, and of those distinguishable before the turns

    def write_to(self, work: Workspace) -> None:
        """Write the group to a workspace as the group of the candidate set at depth 0."""
        count = len(self.orders)
        work.group_size[0] = count
        work.group_order[0, :count] = self.orders
        work.group_map[0, :count] = self.maps


class CandidateSets:
    """The candidate sets after some turns, given the knowledge at the start.

    This object has a workspace of its own, so that any thread may use it while a search runs.
    """

    def __init__(self, game: Planes, start: Knowledge) -> None:
        self.rules, self._game = start.rules, game
        exchanged = start_symmetry(start)
        # bit mask of the symbols that no candidate at the start contains, except those that the rules forbid at the
        # first place
        self.absent = exchanged.absent
        # Flag: True if every permutation of places, and of the symbols that are not absent, maps the candidates at the
        # start to themselves.
        self._may_hash_turns = exchanged.whole
        digits = self.rules.digits
        self.hints = [Hint(hits, common - hits) for common in range(digits + 1) for hits in range(common + 1)]
        every = list(map(tuple, game.orders.tolist()))
        orders = np.array([every.index(order) for order in exchanged.orders], dtype=np.int16)
        same = np.tile(np.arange(16, dtype=np.uint8), (len(orders), 1))
        distinguishable = (1 << len(self.rules.symbols)) - 1 & ~exchanged.interchangeable
        first = guess_numbers(self.rules, start.candidates).astype(np.int32)
        self._start = first, SymmetryGroup(orders, same, distinguishable)
        self._scratch, self._lock = new_workspace(game, 1, 2), Lock()
        self.forget()

    def __len__(self) -> int:
        return len(self._codes)

    def forget(self) -> None:
        """Discard all cached sets but the one at the start. They are computed again when they are needed."""
        codes, elements = self._start
        self._codes: dict[Turns, Numbers] = {(): codes}
        self._elements: dict[Turns, SymmetryGroup] = {(): elements}
        self._numbers: dict[str, int] = {}

    def number(self, guess: str) -> int:
        """Return the number of a code among the guesses."""
        number = self._numbers.get(guess)
        if number is None:
            number = self._numbers[guess] = guess_number(self.rules, guess)
        return number

    def code(self, number: int) -> str:
        """Return the code with this number, its index in code order, as text."""
        return decode(self.rules, self._game.codes[number])

    def codes(self, turns: Turns) -> Numbers:
        """Return the candidates after some turns, as guess numbers (indices in code order), ascending."""
        codes = self._codes.get(turns)
        if codes is None:
            codes = self.cells(turns[:-1], turns[-1].guess).get(turns[-1].hint, _NO_CODES)
            self._codes[turns] = codes
        return codes

    def answer_indices(self, turns: Turns, guess: str) -> NDArray[np.int64]:
        """Return the index of the answer that each candidate after some turns gives to a guess: shape (n,)."""
        codes = self.codes(turns)
        answers = np.empty(len(codes), dtype=np.int64)
        answer_indices(self._game, self.number(guess), codes, answers)
        return answers

    def cells(self, turns: Turns, guess: str) -> dict[Hint, Numbers]:
        """Return the cells of a guess after some turns: for each answer, the candidates that give it.

        Candidates are indices in code order. The answers are in ascending order.
        """
        codes, answers = self.codes(turns), self.answer_indices(turns, guess)
        cells = {self.hints[index]: codes[answers == index] for index in np.flatnonzero(np.bincount(answers))}
        for answer, cell in cells.items():
            self._codes[*turns, Turn(guess, answer)] = cell
        return dict(sorted(cells.items()))

    def turns_for_hash(self, turns: Turns) -> int:
        """Return the number of turns from which `is_hashed_by_turns` decides about the hash of a set.

        A hash of the turns is only possible if every permutation of places, and of the symbols that are not absent,
        maps the candidates at the start to themselves. Otherwise the result is a number for which `is_hashed_by_turns`
        is always False, so that sets get a Zobrist hash.
        """
        return len(turns) if self._may_hash_turns else len(turns) + HASHED_TURNS + 1

    def hash(self, turns: Turns, codes: Numbers) -> tuple[np.uint64, np.uint64]:
        """Return the hash of the candidates after some turns: two 64-bit words.

        It is the Zobrist hash, or for a large set after two or three turns the hash of these turns.
        """
        if (
            not is_hashed_by_turns(self.rules.digits, self.turns_for_hash(turns))
            or len(codes) < self._game.answer_count
        ):
            key, check = self._game.keys[codes].sum(axis=0, dtype=np.uint64)
            return np.uint64(key), np.uint64(check)
        with self._lock:
            self.write_turns(self._scratch, turns)
            key, check = hash_turns(self._game, self._scratch, len(turns), self.absent)
        return np.uint64(key), np.uint64(check)

    def write_turns(self, work: Workspace, turns: Turns) -> None:
        """Write the first turns, at most HASHED_TURNS, to a workspace.

        Large sets may be hashed by these turns.
        """
        for i, turn in enumerate(turns[:HASHED_TURNS]):
            common = turn.hint.hits + turn.hint.blows
            work.turn_guess[i] = self.number(turn.guess)
            work.turn_answer[i] = common * (common + 1) // 2 + turn.hint.hits

    def elements(self, turns: Turns) -> SymmetryGroup:
        """Return the symmetry group after some turns: the symmetries of the start that map each turn to itself."""
        found = self._elements.get(turns)
        if found is None:
            before, guess = self.elements(turns[:-1]), self.number(turns[-1].guess)
            with self._lock:
                work = self._scratch
                before.write_to(work)
                refine_group(self._game, work, 0, guess, before.used)
                kept = work.group_size[1]
                orders, maps = work.group_order[1, :kept].copy(), work.group_map[1, :kept].copy()
            found = SymmetryGroup(orders, maps, before.used | int(symbol_mask(self._game, guess)))
            self._elements[turns] = found
        return found
