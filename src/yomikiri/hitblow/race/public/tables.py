"""Tables of the race: functions that build, fill, enlarge and check the arrays of the kernels.

The module `kernels.tables` declares these arrays. The *canonical form* of a candidate set is everything about the set
that can affect the race. Variables call it `form`. A set is *separable* if one of its codes, guessed first, separates
all others. An *option* is a guess at a set, given by its effect: whether the guess can be the secret, and the canonical
forms of its cells without the cell of the hit.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.codes import all_guesses, hint_places, hint_table
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.kernels.tables import (
    CELLS,
    CODES,
    DEPTHS,
    FORMS,
    HASTE,
    OPTIONS,
    SETS,
    RaceGame,
    RaceTables,
    RaceWorkspace,
    number,
)
from yomikiri.hitblow.search.weighted_table import blocks
from yomikiri.machine.arrays import allocated


def game_of(rules: Rules, budget: Budget = UNLIMITED) -> RaceGame:
    """Return the code space of a game as arrays, cached.

    The *code space* contains all codes and guesses, and the answer to each guess for each code. The g² answers take
    most of the memory, where g is the number of guesses. They are stored twice:

    - as indices of answers, in g² bytes,
    - as bit masks, in g² bytes for each plane of eight answers. The number of planes is that of different answers
      divided by eight, rounded up.

    This is 76 MB for 4 digits of 10 symbols, where g is 5040 and there are 14 different answers. Raises `Stopped` if
    the time of the budget is over. A limit of the budget on the number of states has no effect.
    """
    return _game_of(rules, replace(budget, states=None))


# All objects of the class Budget compare equal, so the cache does not distinguish calls with different budgets.
@lru_cache(maxsize=4)
def _game_of(rules: Rules, budget: Budget) -> RaceGame:
    codes = all_guesses(rules)
    symbols, digits = len(rules.symbols), rules.digits
    radix = symbols ** np.arange(digits - 1, -1, -1, dtype=np.int64)
    values = (codes @ radix).astype(np.int32)
    number = np.full(symbols**digits, -1, dtype=np.int32)
    number[values] = np.arange(len(codes), dtype=np.int32)
    place = hint_places(rules)
    answers = np.empty((len(codes), len(codes)), dtype=np.uint8)
    for rows in blocks(*answers.shape):
        budget.check()
        answers[rows] = place[hint_table(codes[rows], codes)]
    return RaceGame(
        digits=digits,
        symbols=symbols,
        hints=len(rules.hints),
        codes=codes,
        values=values,
        number=number,
        answers=answers,
        signs=_signs(answers, len(rules.hints), budget),
        names=_words(2 * symbols**digits).reshape(-1, 2),
        radix=radix,
    )


def _signs(answers: NDArray[np.uint8], hints: int, budget: Budget) -> NDArray[np.uint64]:
    """Return the answer of each code to each guess as a bit mask in which one bit is set.

    The answers are divided into planes of eight answer indices. Each plane has one byte per guess, and a word of 64
    bits contains the bytes of eight guesses. Bit b of the byte in plane p is set if the answer has the index 8 p + b.
    If the number of guesses is not divisible by eight, the remaining bytes of the last word are set as if the answer
    were a win.
    """
    guesses, planes = len(answers), -(-hints // 8)
    signs = np.empty((guesses, planes, -(-guesses // 8)), dtype=np.uint64)
    for rows in blocks(guesses, guesses * planes):
        budget.check()
        wide = np.pad(answers[rows], ((0, 0), (0, -guesses % 8)), constant_values=hints - 1)
        for plane in range(planes):
            bits = np.where(wide // 8 == plane, np.uint8(1) << wide % 8, np.uint8(0))
            signs[rows, plane] = bits.view(np.uint64)
    return signs


def _words(count: int) -> NDArray[np.uint64]:
    """Return pseudorandom words that are the same on every machine (splitmix64; Steele, Lea and Flood 2014)."""
    words = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = words ^ (words >> np.uint64(31))
    return mixed


def new_workspace(game: RaceGame, members: int, options: int, depths: int = DEPTHS) -> RaceWorkspace:
    """Allocate the workspace of a search along a path of candidate sets, each of which is a cell of the one before.

    The path has at most `depths` sets, with at most `members` codes together. At most `options` guesses are kept for
    all sets on the path together.
    """
    _, planes, words = game.signs.shape
    sizes = {"guesses": len(game.codes), "hints": game.hints, "digits": game.digits, "symbols": game.symbols}
    sizes |= {"planes": planes, "words": words}
    return allocated(RaceWorkspace, members=members, options=options, depths=depths, **sizes)


# number of hashes entered into a hash table between two checks of the budget; entering this number takes milliseconds
_AT_A_TIME = 1 << 16


# For each array that is saved to files, by name: the constant k for which `used[k]` is the number of its rows in use.
KEPT = {
    "set_name": SETS,
    "set_form": SETS,
    "form_name": FORMS,
    "size": FORMS,
    "first": FORMS,
    "listed": FORMS,
    "sketched": FORMS,
    "within": FORMS,
    "pace": FORMS,
    "worth": FORMS,
    "alone": FORMS,
    "hit": OPTIONS,
    "begin": OPTIONS,
    "cell": CELLS,
    "code": CODES,
}


def new_tables(game: RaceGame, work: tuple[int, int, int, int, int]) -> RaceTables:
    """Allocate tables that contain only separable sets: one of the codes, guessed first, separates all others.

    `work` contains five capacities: how many candidate sets, canonical forms, guesses at sets, cells, and codes the
    tables can contain. The first two are powers of two.
    """
    sets, forms, options, cells, codes = work
    tables = allocated(
        RaceTables, max_separable=game.hints, sets=sets, forms=forms, options=options, cells=cells, codes=codes
    )
    tables.set_at[:] = tables.form_at[:] = -1
    tables.listed[:] = 1
    tables.used[FORMS] = game.hints + 1
    haste = np.array(HASTE, dtype=np.float64)
    for n in range(1, game.hints + 1):
        tables.size[n] = n
        tables.within[n, 1] = 1
        tables.within[n, 2:] = n
        tables.pace[n, :, 1] = 1
        tables.pace[n, :, 2] = n - 1
        tables.worth[n, 0] = -(2 * n - 1)
        tables.worth[n, 1:] = haste + (n - 1) * haste**2
        tables.alone[n] = n + 1
    return tables


def small_tables(game: RaceGame) -> RaceTables:
    """Allocate tables of the smallest useful size, enough for all guesses at a few candidate sets."""
    return new_tables(game, (1 << 10, 1 << 9, *_least_capacity(game)))


def _least_capacity(game: RaceGame) -> tuple[int, int, int]:
    """Return the smallest useful capacities of three tables: guesses at candidate sets, cells of guesses, and codes."""
    guesses = len(game.codes)
    return 4 * guesses, 4 * guesses * game.hints, 4 * guesses


def filled(game: RaceGame, arrays: dict[str, NDArray[Any]]) -> RaceTables:
    """Build tables from stored arrays, with as much free space as used space.

    `arrays` maps names of arrays to their rows, as `kept` returns them. Arrays that are missing keep their initial
    values, which describe separable sets only: sets of which one code, guessed first, separates all others. Raises
    `ValueError` if an array has too many or too few rows. Does not check the contents of the arrays (see `check`).
    """
    used = [len(arrays.get(name, ())) for name in ("set_form", "size", "hit", "cell", "code")]
    if used[FORMS] <= game.hints:
        raise ValueError(f"{used[FORMS]} forms")
    sets, forms = (2 << count.bit_length() for count in used[:2])
    options, cells, codes = (2 * count + least for count, least in zip(used[2:], _least_capacity(game), strict=True))
    tables = new_tables(game, (sets, forms, options, cells, codes))
    for name, rows in arrays.items():
        if len(rows) != used[KEPT[name]] + _ends(name):
            raise ValueError(f"{name}: {len(rows)} rows")
        getattr(tables, name)[: len(rows)] = rows
    tables.used[:] = used
    _enter_names(tables)
    return tables


def kept(tables: RaceTables) -> dict[str, NDArray[Any]]:
    """Return the arrays of the tables that are saved to files, by name: views of the rows that are in use.

    The constant KEPT contains the names. `filled` builds equal tables from these rows.
    """
    return {name: getattr(tables, name)[: tables.used[kind] + _ends(name)] for name, kind in KEPT.items()}


def _ends(name: str) -> int:
    """Return how many more rows an array has than elements in use: 1 for the array `begin`, 0 for all other arrays.

    The array `begin` contains the index at which the cells of each guess begin. Its additional row contains the index
    at which the cells of the last guess end.
    """
    return 1 if name == "begin" else 0


def check(game: RaceGame, tables: RaceTables) -> None:
    """Raise `ValueError` if the tables are damaged, for example if an index is out of range.

    The kernels check nothing themselves. An index out of range would make them read memory outside the tables. The
    function also checks these conditions for each candidate set:

    - The sizes of a guess's cells, plus 1 if the guess can hit, add up to the size of the set.
    - The bounds in `within`, on how many codes any strategy finds within k guesses, do not decrease with k. The
      last bound is the size of the set.
    - `pace` contains how many codes of the set each fixed strategy finds with guess 1, 2, 3, and so on. For
      each strategy, these numbers add up to the size of the set. A *fixed strategy* ignores the opponent (see
      `kernels.tables`).
    """
    _sets, forms, options, cells, codes = tables.used.tolist()
    of = kept(tables)
    size, first, listed, sketched = (of[name].astype(np.int64) for name in ("size", "first", "listed", "sketched"))
    begin, cell, hit = (of[name].astype(np.int64) for name in ("begin", "cell", "hit"))
    small = np.arange(game.hints + 1)

    def hold(what: str, *facts: Any) -> None:
        if not all(np.all(fact) for fact in facts):
            raise ValueError(f"the tables are damaged: {what}")

    hold("forms", forms > game.hints, size[: len(small)] == small, size[1:] > 0, size <= len(game.codes))
    hold("sets", of["set_form"] > 0, of["set_form"] < forms)
    hold("options", first >= 0, first[:, 0] <= first[:, 1], first <= options, (hit == 0) | (hit == 1))
    hold("cells", begin[0] == 0, np.diff(begin) >= 0, begin[-1] == cells, cell > 0, cell < forms)
    sketches = listed == 0
    hold("sketches", listed <= 1, sketched >= 0, (sketched + size)[sketches] <= codes)
    hold("codes", of["code"] >= 0, of["code"] < len(game.codes))
    # The sizes of a guess's cells, plus 1 if the guess can hit, must add up to the size of its set.
    # A stored guess must have at least two possible answers, because guesses without information are never stored.
    counts = first[:, 1] - first[:, 0]
    hold("guesses", counts[len(small) :] > 0)
    owner = np.repeat(np.arange(forms), counts)
    option = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first[:, 0], counts)
    sums = np.append(0, np.cumsum(size[cell]))
    hold("parts", (hit + sums[begin[1:]] - sums[begin[:-1]])[option] == size[owner])
    hold("parts", (hit + np.diff(begin))[option] > 1)
    within, pace = of["within"], of["pace"]
    hold("reach", within >= 0, np.diff(within, axis=1) >= 0, within[:, -1] == size)
    hold("paces", pace >= 0, pace.sum(axis=2) == size[:, None], np.isfinite(of["worth"]), of["alone"] >= 0)


def widened(game: RaceGame, tables: RaceTables, budget: Budget = UNLIMITED) -> RaceTables:
    """Copy tables to larger ones: each capacity of which more than half is used becomes twice as large.

    Raises `Stopped` if the time of the budget is over. The given tables stay unchanged.
    """
    parts = (tables.set_form, tables.size, tables.hit, tables.cell, tables.code)
    work = np.array([len(part) for part in parts], dtype=np.int64)
    sets, forms, options, cells, codes = np.where(2 * tables.used > work, 2 * work, work).tolist()
    wider = new_tables(game, (sets, forms, options, cells, codes))
    for name in KEPT:
        old, new = getattr(tables, name), getattr(wider, name)
        for rows in blocks(len(old), old[:1].size):
            budget.check()
            new[rows] = old[rows]
    wider.used[:] = tables.used
    _enter_names(wider, budget)
    return wider


def _enter_names(tables: RaceTables, budget: Budget = UNLIMITED) -> None:
    """Enter all stored candidate sets and canonical forms into the hash tables, by their hashes."""
    sets, forms = tables.used[[SETS, FORMS]].tolist()
    for begin in range(0, max(sets, forms), _AT_A_TIME):
        budget.check()
        number(tables, begin, min(begin + _AT_A_TIME, sets), min(begin + _AT_A_TIME, forms))
