"""The engine: runs subproblems of one game in one thread, and keeps what it learns of any set for the later ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from yomikiri.budget import UNLIMITED, Budget, Progress, Slice, Stopped
from yomikiri.hitblow.codes import decode, encode
from yomikiri.hitblow.kernels_ahead import ENGINE
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Fact, Hint, Rules, Turn
from yomikiri.hitblow.search.alike import alike_in
from yomikiri.hitblow.search.bounds import FREE, named
from yomikiri.hitblow.search.memo import GrowingMemo, find, move, new_memo
from yomikiri.hitblow.search.planes import build_planes
from yomikiri.hitblow.search.recursion import OUT_OF_ROOM, search
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem, nothing_else
from yomikiri.hitblow.search.symmetry import history_key, is_named, refine
from yomikiri.hitblow.search.workspace import (
    ALL_GUESSES,
    BEST,
    BEST_GIVEN,
    BEST_GUESSES,
    BUDGET,
    ENOUGH,
    KEPT,
    LEAST,
    LISTED,
    MOST,
    NAMED_TURNS,
    NODES,
    NOTHING,
    STOPPED,
    USED,
    WANTED,
    WORK,
    Goal,
    answers,
    new_workspace,
    symbols_of,
)

Numbers = NDArray[np.int32]  # codes by their number among the guesses

MEMORY = 1 << 28  # bytes of memo, where nothing else is asked for
_DEPTHS = 20
_MOST_SETS = 1 << 15  # kept by their turns: tens of MiB, however long somebody goes on asking
# Work of the first slice, about a tenth of a second, and the least: see `workspace`. A slice has some nodes in any
# case, so that it gets on from where the last one was cut off.
_FIRST_SLICE, _LEAST_SLICE, _LEAST_NODES = 1 << 24, 1 << 20, 20
_NO_BUDGET = 1 << 62

_NOBODY: Numbers = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Elements:
    """The renamings that leave some turns as they are, e of them: see `symmetry`."""

    orders: NDArray[np.int16]  # (e,): permutations of places
    maps: NDArray[np.uint8]  # (e, 16): where each symbol goes
    used: int  # the symbols of the turns, and those set apart before them, a bit each


@dataclass(frozen=True, slots=True)
class Tried:
    """What is known after some first guesses were tried: each costs `cost` or more, but for those that are `left`, the
    one that was being tried first; if `guess` is one of them it costs just that, which is below what was asked for."""

    cost: int
    guess: str = ""
    left: tuple[str, ...] = ()


class Engine:
    """Runs subproblems that have these rules, absent symbols, facts before the first turn, and kind of guesses.

    `memory` bounds the memo, in bytes: with less of it the search takes longer, and finds the same. Or it is the memo
    that engines of one game share, each in its own thread. What takes a budget counts the nodes of this engine, from
    its beginning, as states; it raises `Stopped`, and nothing learned is lost.
    """

    def __init__(
        self,
        rules: Rules,
        absent: str,
        facts: tuple[Fact, ...] = (),
        *,
        consistent: bool,
        memory: int | GrowingMemo,
    ) -> None:
        self.about = (rules, absent, facts, consistent)
        start = Knowledge(rules, absent, facts)
        exchanged = alike_in(start)
        self.rules = rules
        self.consistent = consistent
        self._game = build_planes(rules)
        self._absent = exchanged.gone
        self._named = exchanged.whole  # whether sets may be named by their turns, however these are renamed
        self._slice = Slice(_LEAST_SLICE, _FIRST_SLICE)
        self.memo = GrowingMemo(memory) if isinstance(memory, int) else memory
        self._radix = len(rules.symbols) ** np.arange(rules.digits - 1, -1, -1, dtype=np.int64)
        self._values = self._game.codes @ self._radix
        self._hints = [Hint(hits, common - hits) for common in range(rules.digits + 1) for hits in range(common + 1)]
        self._sets: dict[tuple[Turn, ...], Numbers] = {
            (): np.searchsorted(self._values, start.candidates @ self._radix).astype(np.int32)
        }
        every = list(map(tuple, self._game.orders.tolist()))
        orders = np.array([every.index(order) for order in exchanged.orders], dtype=np.int16)
        same = np.tile(np.arange(16, dtype=np.uint8), (len(orders), 1))
        apart = (1 << len(rules.symbols)) - 1 & ~exchanged.fresh
        self._elements: dict[tuple[Turn, ...], Elements] = {(): Elements(orders, same, apart)}
        self._numbers: dict[str, int] = {}
        self._work = new_workspace(self._game, 4 * start.count + 4096, _DEPTHS)

    @property
    def nodes(self) -> int:
        """The nodes entered so far."""
        return int(self._work.state[NODES])

    def codes(self, turns: tuple[Turn, ...]) -> Numbers:
        """The candidates after some turns, in order."""
        if turns not in self._sets:
            self._sets[turns] = self.cells(turns[:-1], turns[-1].guess).get(turns[-1].hint, _NOBODY)
        return self._sets[turns]

    def cells(self, turns: tuple[Turn, ...], guess: str) -> dict[Hint, Numbers]:
        """The candidates after some turns, by their answer to a guess; in the order of hints."""
        codes = self.codes(turns)
        slots = np.empty(len(codes), dtype=np.int64)
        answers(self._game, self._number(guess), codes, slots)
        cells = {self._hints[slot]: codes[slots == slot] for slot in np.flatnonzero(np.bincount(slots))}
        for answer, cell in cells.items():
            self._sets[*turns, Turn(guess, answer)] = cell
        return dict(sorted(cells.items()))

    def divided(self, subproblem: Subproblem, guess: str) -> list[Subproblem]:
        """The subproblems that a guess leaves, small ones first."""
        cells = self.cells(subproblem.turns, guess)
        cells.pop(self.rules.win, None)
        return [subproblem.after(Turn(guess, answer)) for answer in sorted(cells, key=lambda each: len(cells[each]))]

    def sizes(self, subproblem: Subproblem, guess: str) -> NDArray[np.intp]:
        """How many codes each hint leaves after a guess, by hits and blows together and then by hits; the win last."""
        codes = self.codes(subproblem.turns)
        slots = np.empty(len(codes), dtype=np.int64)
        answers(self._game, self._number(guess), codes, slots)
        return np.bincount(slots, minlength=len(self._hints))

    @property
    def slots(self) -> int:
        """How many hints a guess may get."""
        return len(self._hints) - 1

    def count(self, subproblem: Subproblem) -> int:
        """How many codes a subproblem has."""
        return len(self.codes(subproblem.turns))

    def code(self, number: int) -> str:
        """The text of a code."""
        return decode(self.rules, self._game.codes[number])

    def ideal(self, count: int) -> int:
        """The least total that any so many codes can cost."""
        return int(self._game.ideal[count])

    def run(self, subproblem: Subproblem, budget: Budget = UNLIMITED) -> int:
        """The least cost of a subproblem if it is below its upper bound, else a lower bound that is not."""
        if len(self._sets) > _MOST_SETS:
            self._forget()
        if subproblem.limit is not None and subproblem.limit < 1:
            return IMPOSSIBLE
        return self._search(subproblem, subproblem.upper, budget)

    def least_of(
        self,
        subproblem: Subproblem,
        guesses: Sequence[str],
        budget: Budget = UNLIMITED,
        attained: Callable[[], int] = nothing_else,
    ) -> Tried:
        """The least cost of a subproblem of two codes or more if one of these guesses comes first, as `run` says it.

        It is what was tried when the budget is spent: this raises nothing. `attained` tells what other guesses are
        known to cost by now; of a total only less is looked for from then on.
        """
        target = subproblem.upper

        def lowered() -> int:
            nonlocal target
            target = min(target, attained())
            return target

        numbers = np.array([self._number(guess) for guess in guesses])
        given = np.zeros(len(self._work.given), dtype=np.uint64)
        np.bitwise_or.at(given, numbers >> 6, np.uint64(1) << (numbers & 63).astype(np.uint64))
        left: tuple[str, ...] = ()
        try:
            falls = lowered if subproblem.count is Count.TOTAL else None
            cost = self._search(subproblem, subproblem.upper, budget, BEST_GIVEN, given, falls)
        except Stopped:
            cost = target
            waiting = self._work.given[numbers >> 6] >> (numbers & 63).astype(np.uint64) & np.uint64(1)
            left = tuple(guess for guess, waits in zip(guesses, waiting, strict=True) if waits)
            if self._work.state[KEPT]:
                [[word]] = np.argwhere(self._work.chosen[0])[:1]
                bits = int(self._work.chosen[0, word])
                begun = self.code(64 * word + (bits & -bits).bit_length() - 1)
                left = begun, *(guess for guess in left if guess != begun)
        guess, own = self.attained(subproblem)
        return Tried(own if guess else cost, guess, left)

    def attained(self, subproblem: Subproblem) -> tuple[str, int]:
        """The guess by which the last `run` or `least_of`, of this subproblem, found the cost it knows, and that cost;
        none if that was known before."""
        if not self._work.state[LISTED]:
            return "", IMPOSSIBLE
        guess, cost = self._work.listed[0].tolist()
        free = _limit(subproblem) > self.count(subproblem)  # then it is a total that was searched for
        return self.code(guess), cost * (subproblem.count.guess if free else 1)

    @property
    def untried(self) -> int:
        """How many of the guesses given to `least_of` are not tried to the end."""
        return int(np.bitwise_count(self._work.given).sum())

    def best_guess(self, subproblem: Subproblem, cost: int, budget: Budget = UNLIMITED) -> str:
        """The first of `best_guesses`."""
        return self.best_guesses(subproblem, cost, 1, budget)[0]

    def best_guesses(self, subproblem: Subproblem, cost: int, most: int, budget: Budget = UNLIMITED) -> list[str]:
        """The first guesses, by bound and in code order, of strategies that attain the least cost of a subproblem."""
        codes = self.codes(subproblem.turns)
        if len(codes) <= 2:
            return [self.code(codes[0])]
        self._work.state[MOST] = most
        self._search(subproblem, cost + 1, budget, wanted=BEST_GUESSES)
        return [self.code(guess) for guess in self._work.listed[: self._work.state[LISTED], 0]]

    def guesses(self, subproblem: Subproblem, most: int | None = None) -> list[tuple[int, str]]:
        """The guesses that a subproblem need try, none the mirror image of another, with lower bounds of their totals.

        Those whose bound is below `upper`, a total here; by bound, and then in code order. Only so many if `most` says.
        """
        wanted = replace(subproblem, count=Count.TOTAL, limit=None)
        self._search(wanted, subproblem.upper, UNLIMITED, wanted=ALL_GUESSES)
        return [(int(total), self.code(guess)) for guess, total in self._work.listed[: self._work.state[LISTED]][:most]]

    def known(self, subproblem: Subproblem) -> tuple[int, int]:
        """The bounds of the least cost of a subproblem that the memo has, (0, IMPOSSIBLE) if none."""
        key, check = self._name(subproblem.turns)
        lower, upper = find(self.memo.table, np.uint64(named(key, _limit(subproblem), self._goal(subproblem))), check)
        return int(lower), int(upper)

    def _goal(self, subproblem: Subproblem) -> Goal:
        return Goal(subproblem.count.guess, subproblem.count.last, self.consistent)

    def _search(
        self,
        subproblem: Subproblem,
        upper: int,
        budget: Budget,
        wanted: int = NOTHING,
        given: NDArray[np.uint64] | None = None,
        falls: Callable[[], int] | None = None,
    ) -> int:
        self._work.state[KEPT] = 0
        while True:
            state = self._work.state
            if not state[KEPT]:
                state[LISTED] = 0
                if given is not None:
                    self._work.given[:] = given
            budget.check(self.nodes)
            n, used, key, check = self._enter(subproblem.turns)
            state[STOPPED], state[WANTED] = 0, wanted
            state[BUDGET] = _NO_BUDGET if budget.states is None else budget.states
            state[ENOUGH], state[LEAST] = state[WORK] + self._slice.begin(budget), self.nodes + _LEAST_NODES
            cost = search(
                self._game,
                self.memo.table,
                self._work,
                self._goal(subproblem),
                0,
                0,
                n,
                n,
                upper,
                _limit(subproblem),
                self._turns_named(subproblem.turns),
                used,
                self._absent,
                key,
                check,
            )
            self.memo.took(int(state[USED]))
            state[USED] = 0
            if not state[STOPPED]:
                return int(cost)
            if state[STOPPED] == OUT_OF_ROOM:
                self._widen_work()
            self._slice.end()
            budget.report(Progress(states=self.nodes))
            if falls is not None and state[KEPT] and (target := falls()) < self._work.line[0, BEST]:
                # Every guess tried so far costs `line[0, BEST]` or more, so none of them is below the lower target.
                # The others are asked for anew: a search that goes on must find its registers as it left them, since
                # the guess in hand may already have passed the lower target. What it learned of cells is in the memo.
                state[KEPT], upper, given = 0, target, self._work.given.copy()

    def _enter(self, turns: tuple[Turn, ...]) -> tuple[int, int, np.uint64, np.uint64]:
        """Lay the candidates and their symmetry at depth 0: (count, symbols used, and the name of the set)."""
        codes, work = self.codes(turns), self._work
        work.members[: len(codes)] = codes
        elements = self._elements_after(turns)
        self._lay(elements)
        return len(codes), elements.used, *self._name(turns)

    def _name(self, turns: tuple[Turn, ...]) -> tuple[np.uint64, np.uint64]:
        """The name of the set that some turns leave, in the memo."""
        game, work, codes = self._game, self._work, self.codes(turns)
        for i, turn in enumerate(turns[:NAMED_TURNS]):
            common = turn.hint.hits + turn.hint.blows
            work.turn_guess[i] = self._number(turn.guess)
            work.turn_slot[i] = common * (common + 1) // 2 + turn.hint.hits
        key, check = game.keys[codes].sum(axis=0, dtype=np.uint64)
        if is_named(self.rules.digits, self._turns_named(turns)) and len(codes) >= game.slots:
            key, check = history_key(game, work, len(turns), self._absent)
        return np.uint64(key), np.uint64(check)

    def _turns_named(self, turns: tuple[Turn, ...]) -> int:
        """The number of turns; too many to name sets by them where not every renaming leaves the start as it is."""
        return len(turns) if self._named else len(turns) + NAMED_TURNS + 1

    def _lay(self, elements: Elements) -> None:
        count = len(elements.orders)
        self._work.group_size[0] = count
        self._work.group_order[0, :count] = elements.orders
        self._work.group_map[0, :count] = elements.maps

    def _elements_after(self, turns: tuple[Turn, ...]) -> Elements:
        found = self._elements.get(turns)
        if found is None:
            before = self._elements_after(turns[:-1])
            guess = self._number(turns[-1].guess)
            self._lay(before)
            refine(self._game, self._work, 0, guess, before.used)
            kept = self._work.group_size[1]
            found = self._elements[turns] = Elements(
                self._work.group_order[1, :kept].copy(),
                self._work.group_map[1, :kept].copy(),
                before.used | int(symbols_of(self._game, guess)),
            )
        return found

    def _number(self, guess: str) -> int:
        if guess not in self._numbers:
            self._numbers[guess] = int(np.searchsorted(self._values, encode(self.rules, guess) @ self._radix))
        return self._numbers[guess]

    def _forget(self) -> None:
        """Forget all sets but the first; each is made again where it is asked for."""
        self._sets, self._elements = {(): self._sets[()]}, {(): self._elements[()]}
        self._numbers.clear()

    def _widen_work(self) -> None:
        wider = new_workspace(self._game, 2 * len(self._work.members), 2 * len(self._work.size))
        wider.state[:] = self._work.state
        wider.state[KEPT] = 0
        self._work = wider


def _limit(subproblem: Subproblem) -> int:
    return FREE if subproblem.limit is None else subproblem.limit


@cache
def compile_kernels() -> None:
    """Compile the kernels, or load them from their cache, by using each once."""
    with ENGINE.compiling():
        engine = Engine(Rules(digits=2, symbols="0123"), "", consistent=False, memory=0)
        turn = Turn("01", Hint(0, 1))
        engine.known(Subproblem(engine.rules, turns=(turn,)))
        engine.run(Subproblem(engine.rules))
        history_key(engine._game, engine._work, 1, 0)
        move(new_memo(4), new_memo(4))
