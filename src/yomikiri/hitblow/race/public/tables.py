"""What forms are worked out with: the code space of a game, a workspace, and the tables of what is known.

Hints are numbered from 0 in the order of `Rules.hints`, so the win, all hits, is the last: for three digits

    0H0B 0   0H1B 1   0H2B 2   0H3B 3   1H0B 4   1H1B 5   1H2B 6   2H0B 7   3H0B 8

Tables only grow, so that what is named stays named.

A *form* is what a set of candidates lets its holder do, and nothing else: its size and its options. An *option* is what
a guess does: whether it can hit, and the forms of its other cells. Forms are numbered from 1; the first ones, up to the
number of hints, are the *perfect* sets of that size (docs/race-public.md). Options and cells stand one after another:

    form f      options first[f, 0] to first[f, 1]
    option o    hit[o], cells begin[o] to begin[o + 1], by size and then number

A *sketch* is a form of one large set by itself whose options are not worked out: it has its codes, and as its only
option that of one guess, its *lead*, which makes a fixed strategy of it. When its options are asked for they are
*listed* in place of the lead.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.codes import all_guesses, hint_number, hint_table
from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.rules import Rules
from yomikiri.numba_support.bits import ONE, Int


class Game(NamedTuple):
    """The code space of one game, read-only to the kernels: g guesses, d digits, s symbols."""

    digits: int
    symbols: int
    hints: int  # how many there are; the last is the win
    codes: NDArray[np.uint8]  # (g, d): the symbol at each place
    values: NDArray[np.int32]  # (g,): the code read as a number in base s
    number: NDArray[np.int32]  # (s ** d,): the guess of that value, -1 if it is none
    answers: NDArray[np.uint8]  # (g, g): the hint of a guess (row) against a code (column)
    names: NDArray[np.uint64]  # (s ** d, 2): a random word pair for each value; their sums name sets of codes
    radix: NDArray[np.int64]  # (d,): what a symbol at each place adds to a value


@lru_cache(maxsize=4)
def game_of(rules: Rules) -> Game:
    """The arrays of a game: g² bytes and a little, 25 MB for 4 of 10."""
    codes = all_guesses(rules)
    symbols, digits = len(rules.symbols), rules.digits
    radix = symbols ** np.arange(digits - 1, -1, -1, dtype=np.int64)
    values = (codes @ radix).astype(np.int32)
    number = np.full(symbols**digits, -1, dtype=np.int32)
    number[values] = np.arange(len(codes), dtype=np.int32)
    rank = np.zeros((digits + 1) ** 2, dtype=np.uint8)
    for place, hint in enumerate(rules.hints):
        rank[hint_number(rules, hint)] = place
    return Game(
        digits=digits,
        symbols=symbols,
        hints=len(rules.hints),
        codes=codes,
        values=values,
        number=number,
        answers=rank[hint_table(codes, codes)],
        names=_words(2 * symbols**digits).reshape(-1, 2),
        radix=radix,
    )


def _words(count: int) -> NDArray[np.uint64]:
    """So many words that look random, the same everywhere (splitmix64; Steele, Lea and Flood 2014)."""
    words = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = words ^ (words >> np.uint64(31))
    return mixed


DEPTHS = 40
SEEN = 1 << 11  # partitions of a set kept to recognise the same one again
NEAR = 1 << 15  # sets kept under their own codes, so that one met again needs no renaming

# Places in `state`: SERIAL counts the sets worked out; STOPPED says why the work stopped before its end;
# LISTING asks for the options of the set at depth 0; larger sets than AT_ONCE are sketched.
BUDGET, STOPPED, SERIAL, LISTING, AT_ONCE = range(5)
OUT_OF_BUDGET, OUT_OF_ROOM, OUT_OF_TABLES = 1, 2, 3


class Workspace(NamedTuple):
    """h hints, d digits, s symbols."""

    state: NDArray[np.int64]
    members: NDArray[np.int32]  # the sets along the line, one after another
    local: NDArray[np.uint32]  # of each member of a cell, its number in the set that was divided
    answers: NDArray[np.uint8]  # (g,): those of the set that is being divided
    start: NDArray[np.int64]  # (DEPTHS, h): where the cells of the guess in hand begin in `members`
    size: NDArray[np.int64]  # (DEPTHS, h)
    cells: NDArray[np.int64]  # (DEPTHS, h): those that are not empty, small ones first; the hit is not among them
    form: NDArray[np.int32]  # (DEPTHS, h): their forms
    alike: NDArray[np.int64]  # (DEPTHS, s): the symbol before each among those that may be exchanged, or -1
    sums: NDArray[np.uint64]  # (h,): of the names of the codes in each cell
    seen: NDArray[np.uint64]  # (DEPTHS, SEEN): partitions, by hash
    near_name: NDArray[np.uint64]  # (NEAR, 2)
    near_form: NDArray[np.int32]  # (NEAR,)
    stamp: NDArray[np.int64]  # (g,): the last set that a code was looked for in
    # The options of the sets along the line, one after another, and the cells of each.
    option_guess: NDArray[np.int32]
    option_hit: NDArray[np.uint8]
    option_name: NDArray[np.uint64]  # (., 2)
    option_kept: NDArray[np.uint8]
    option_begin: NDArray[np.int32]
    cell: NDArray[np.int32]
    cell_size: NDArray[np.int32]
    later: NDArray[np.int32]  # guesses of the sets along the line that are still to be looked at
    sizes: NDArray[np.int16]  # (g, h): the sizes of the cells of every guess
    # Scratch of the names.
    counted: NDArray[np.int64]  # (d, s)
    weights: NDArray[np.uint64]  # (4, max(d, s))
    order: NDArray[np.int64]  # (d,)
    rank: NDArray[np.int64]  # (s,)


def new_room(game: Game, members: int, options: int) -> Workspace:
    """Workspace for so many members and options along a line."""
    return Workspace(
        state=np.zeros(5, dtype=np.int64),
        members=np.zeros(members, dtype=np.int32),
        local=np.zeros(members, dtype=np.uint32),
        answers=np.zeros(len(game.codes), dtype=np.uint8),
        start=np.zeros((DEPTHS, game.hints), dtype=np.int64),
        size=np.zeros((DEPTHS, game.hints), dtype=np.int64),
        cells=np.zeros((DEPTHS, game.hints), dtype=np.int64),
        form=np.zeros((DEPTHS, game.hints), dtype=np.int32),
        alike=np.zeros((DEPTHS, game.symbols), dtype=np.int64),
        sums=np.zeros(game.hints, dtype=np.uint64),
        seen=np.zeros((DEPTHS, SEEN), dtype=np.uint64),
        near_name=np.zeros((NEAR, 2), dtype=np.uint64),
        near_form=np.zeros(NEAR, dtype=np.int32),
        stamp=np.zeros(len(game.codes), dtype=np.int64),
        option_guess=np.zeros(options, dtype=np.int32),
        option_hit=np.zeros(options, dtype=np.uint8),
        option_name=np.zeros((options, 2), dtype=np.uint64),
        option_kept=np.zeros(options, dtype=np.uint8),
        option_begin=np.zeros(options + 1, dtype=np.int32),
        cell=np.zeros(options * 8, dtype=np.int32),
        cell_size=np.zeros(options * 8, dtype=np.int32),
        later=np.zeros(options, dtype=np.int32),
        sizes=np.zeros((len(game.codes), game.hints), dtype=np.int16),
        counted=np.zeros((game.digits, game.symbols), dtype=np.int64),
        weights=np.zeros((4, max(game.digits, game.symbols)), dtype=np.uint64),
        order=np.zeros(game.digits, dtype=np.int64),
        rank=np.zeros(game.symbols, dtype=np.int64),
    )


GUESSES = 16  # finishing chances are kept for so many guesses; the last three stand for any number
# Each form keeps the finishing counts of a few fixed strategies: that of the least total, and those that make the sum
# of these powers as large as possible, a secret found at guess k counting the k-th power.
HASTE = (0.25, 0.5, 0.75)
PACES = 1 + len(HASTE)

# Places in `used`.
SETS, FORMS, OPTIONS, CELLS, CODES = range(5)
# What has a row for each of them; the rest tells where they stand.
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


class Tables(NamedTuple):
    """Workspace for S named sets, F forms, O options, C cells and N codes of sketches, K = GUESSES."""

    perfect: int  # forms up to this number are perfect
    used: NDArray[np.int64]  # how much of each is taken
    set_name: NDArray[np.uint64]  # (S, 2)
    set_form: NDArray[np.int32]  # (S,)
    set_at: NDArray[np.int32]  # (2 S,): set numbers by name, open addressing, -1 for an empty place
    form_name: NDArray[np.uint64]  # (F, 2); 0 for perfect forms and sketches
    form_at: NDArray[np.int32]  # (2 F,): form numbers by name
    size: NDArray[np.int32]  # (F,): codes
    first: NDArray[np.int32]  # (F, 2)
    listed: NDArray[np.uint8]  # (F,): whether the options are all that matter
    sketched: NDArray[np.int64]  # (F,): where the codes of a sketch begin in `code`
    code: NDArray[np.int16]  # (N,)
    hit: NDArray[np.uint8]  # (O,)
    begin: NDArray[np.int32]  # (O + 1,)
    cell: NDArray[np.int32]  # (C,): forms
    within: NDArray[np.int32]  # (F, K): no strategy finds more codes within so many guesses
    pace: NDArray[np.int32]  # (F, PACES, K): codes that a fixed strategy finds at each guess
    worth: NDArray[np.float64]  # (F, PACES): what each of them makes largest
    alone: NDArray[np.int32]  # (F,): the most of 2 x hit + cells, over the options


class FormTables(NamedTuple):
    """The tables that the worth of pairs of forms is worked out from; the others would only take time to compile."""

    perfect: int
    size: NDArray[np.int32]
    first: NDArray[np.int32]
    listed: NDArray[np.uint8]
    hit: NDArray[np.uint8]
    begin: NDArray[np.int32]
    cell: NDArray[np.int32]
    within: NDArray[np.int32]
    pace: NDArray[np.int32]
    alone: NDArray[np.int32]


def form_tables(tables: Tables) -> FormTables:
    """What pairs of forms read of all tables: the same arrays."""
    return FormTables(*(getattr(tables, name) for name in FormTables._fields))


def new_tables(game: Game, room: tuple[int, int, int, int, int]) -> Tables:
    """Tables that know the perfect forms only, with room for so many SETS, FORMS, OPTIONS, CELLS and CODES.

    The first two are powers of two.
    """
    sets, forms, options, cells, codes = room
    tables = Tables(
        perfect=game.hints,
        used=np.zeros(5, dtype=np.int64),
        set_name=np.zeros((sets, 2), dtype=np.uint64),
        set_form=np.zeros(sets, dtype=np.int32),
        set_at=np.full(2 * sets, -1, dtype=np.int32),
        form_name=np.zeros((forms, 2), dtype=np.uint64),
        form_at=np.full(2 * forms, -1, dtype=np.int32),
        size=np.zeros(forms, dtype=np.int32),
        first=np.zeros((forms, 2), dtype=np.int32),
        listed=np.ones(forms, dtype=np.uint8),
        sketched=np.zeros(forms, dtype=np.int64),
        code=np.zeros(codes, dtype=np.int16),
        hit=np.zeros(options, dtype=np.uint8),
        begin=np.zeros(options + 1, dtype=np.int32),
        cell=np.zeros(cells, dtype=np.int32),
        within=np.zeros((forms, GUESSES), dtype=np.int32),
        pace=np.zeros((forms, PACES, GUESSES), dtype=np.int32),
        worth=np.zeros((forms, PACES), dtype=np.float64),
        alone=np.zeros(forms, dtype=np.int32),
    )
    tables.used[FORMS] = game.hints + 1
    haste = np.array(HASTE)
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


def small_tables(game: Game) -> Tables:
    """Tables to begin with: the options of a few sets fit whatever they are."""
    guesses = len(game.codes)
    return new_tables(game, (1 << 10, 1 << 9, 4 * guesses, 4 * guesses * game.hints, 4 * guesses))


def filled(game: Game, arrays: dict[str, NDArray[Any]]) -> Tables:
    """Tables that hold these rows of KEPT, with room for as much again; what is not among them is as in new tables.

    Raises `ValueError` unless the arrays have as many rows as belong together; `check` looks at what is in them.
    """
    used = [len(arrays.get(name, ())) for name in ("set_form", "size", "hit", "cell", "code")]
    sets, forms = (2 << count.bit_length() for count in used[:2])
    tables = new_tables(game, (sets, forms, 2 * used[OPTIONS], 2 * used[CELLS], 2 * used[CODES] + len(game.codes)))
    for name, rows in arrays.items():
        if len(rows) != used[KEPT[name]] + _ends(name):
            raise ValueError(f"{name}: {len(rows)} rows")
        getattr(tables, name)[: len(rows)] = rows
    tables.used[:] = used
    number(tables)
    return tables


def kept(tables: Tables) -> dict[str, NDArray[Any]]:
    """The rows of KEPT that are taken: views, from which `filled` makes the same tables."""
    return {name: getattr(tables, name)[: tables.used[kind] + _ends(name)] for name, kind in KEPT.items()}


def _ends(name: str) -> int:
    """How many rows more than it counts an array has: `begin` has the end of the last option too."""
    return 1 if name == "begin" else 0


def check(game: Game, tables: Tables) -> None:
    """Raise `ValueError` unless every number in the tables points to something, and codes are neither lost nor doubled.

    The kernels look nothing of this up: a number out of range would have them read what stands beside the tables.
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
    # The options of each form: each finds or leaves every code once, and tells something, so cells are smaller.
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


def widened(game: Game, tables: Tables) -> Tables:
    """The same tables, with twice the room of whatever is more than half full."""
    room = np.array([len(tables.set_form), len(tables.size), len(tables.hit), len(tables.cell), len(tables.code)])
    sets, forms, options, cells, codes = np.where(2 * tables.used > room, 2 * room, room).tolist()
    wider = new_tables(game, (sets, forms, options, cells, codes))
    for name in KEPT:
        old = getattr(tables, name)
        getattr(wider, name)[: len(old)] = old
    wider.used[:] = tables.used
    number(wider)
    return wider


@kernel
def find(names: NDArray[np.uint64], places: NDArray[np.int32], key: np.uint64, check: np.uint64) -> Int:
    """Where the number of what has that name stands in `places`, or belongs if there is none (-1 stands there)."""
    mask = np.uint64(len(places) - 1)
    i = key & mask
    while places[i] >= 0 and (names[places[i], 0] != key or names[places[i], 1] != check):
        i = (i + ONE) & mask
    return np.int64(i)


@kernel
def number(tables: Tables) -> None:
    """Enter all sets and forms by their names."""
    for i in range(tables.used[SETS]):
        name = tables.set_name[i]
        tables.set_at[find(tables.set_name, tables.set_at, name[0], name[1])] = i
    for i in range(tables.used[FORMS]):
        name = tables.form_name[i]
        if name[0]:
            tables.form_at[find(tables.form_name, tables.form_at, name[0], name[1])] = i
