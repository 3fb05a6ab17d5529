"""The bounds of all guesses at once are those of one guess after the other."""

import numpy as np
import pytest
from numpy.typing import NDArray

from yomikiri.hitblow.codes import cell_sizes, hint_number
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.search.planes import Planes, build_planes
from yomikiri.hitblow.search.scan import equal, least, scan_large, scan_small
from yomikiri.hitblow.search.workspace import Workspace, new_workspace

GAMES = [(1, 5, "all"), (2, 9, "none"), (3, 7, "guess"), (4, 7, "none"), (4, 4, "all"), (5, 6, "none"), (6, 3, "all")]


def numbers(game: Planes, bounds: NDArray[np.uint64], base: int, bits: int) -> NDArray[np.int64]:
    """The bit-sliced numbers of all guesses, one after the other."""
    words = len(game.every)
    rows = bounds[: bits * words].reshape(bits, words).copy().view(np.uint8)
    values = np.unpackbits(rows, axis=1, bitorder="little").astype(np.int64)
    sums: NDArray[np.int64] = (values << np.arange(bits)[:, None]).sum(axis=0)
    return base + sums[: len(game.codes)]


def prepared(digits: int, symbols: int, repeats: str, size: int) -> tuple[Planes, Workspace, NDArray[np.int64], Rules]:
    rules = Rules(digits, "0123456789"[:symbols], repeats)  # type: ignore[arg-type]
    game = build_planes(rules)
    distinct = np.array([len(set(code)) == digits for code in game.codes.tolist()])
    secrets = np.flatnonzero(distinct) if repeats == "guess" else np.arange(len(game.codes))
    members = np.random.default_rng(size).permutation(secrets)[:size]
    work = new_workspace(game, 4096, 2)
    work.members[: len(members)] = members
    return game, work, members, rules


@pytest.mark.parametrize("size", [1, 2, 3, 9, 28, 70])
@pytest.mark.parametrize(("digits", "symbols", "repeats"), GAMES)
def test_small_sets_are_bounded_by_their_parts(digits: int, symbols: int, repeats: str, size: int) -> None:
    game, work, members, rules = prepared(digits, symbols, repeats, size)
    sizes = cell_sizes(game.codes, game.codes[members])
    parts = (sizes > 0).sum(axis=1)
    wins = sizes[:, hint_number(rules, rules.win)]
    for bonus in (0, 1):
        base, bits = scan_small(game, work.members, 0, len(members), bonus, work.marks, work.scan)
        wanted = 3 * len(members) - parts - bonus * wins
        assert (numbers(game, work.scan, base, bits) == wanted).all()


@pytest.mark.parametrize("size", [5, 40, 300])
@pytest.mark.parametrize(("digits", "symbols", "repeats"), GAMES)
def test_large_sets_are_bounded_by_ideal_trees_of_their_cells(
    digits: int, symbols: int, repeats: str, size: int
) -> None:
    game, work, members, rules = prepared(digits, symbols, repeats, size)
    sizes = cell_sizes(game.codes, game.codes[members])
    sizes[:, hint_number(rules, rules.win)] = 0
    wanted = len(members) + game.ideal[sizes].sum(axis=1)
    base, bits = scan_large(game, work.members, 0, len(members), work.marks, work.counters, work.scan)
    assert (numbers(game, work.scan, base, bits) == wanted).all()


def test_the_least_bound_and_the_guesses_that_have_it_are_found() -> None:
    game, work, members, _ = prepared(4, 7, "none", 50)
    base, bits = scan_small(game, work.members, 0, len(members), 1, work.marks, work.scan)
    values = numbers(game, work.scan, base, bits)
    words = len(game.every)
    value = least(work.scan, bits, words, game.every, work.chosen[0])
    assert base + value == values.min()
    for level in range(value, value + 3):
        equal(work.scan, bits, words, level, game.every, work.chosen[0])
        chosen = np.unpackbits(work.chosen[0].view(np.uint8), bitorder="little")[: len(values)].astype(bool)
        assert (chosen == (values == base + level)).all()
