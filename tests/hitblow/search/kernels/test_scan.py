"""Scans of all guesses agree with the bounds of one guess after the other."""

import numpy as np
import pytest
from numpy.typing import NDArray

from yomikiri.guessing.kernels.partition import CodeSlice
from yomikiri.hitblow.model.codes import cell_sizes, hint_number
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.scan import SCORE_BITS, add_excess, equal, greatest_score, least, scan_scores
from yomikiri.hitblow.search.kernels.workspace import Workspace
from yomikiri.hitblow.search.workspaces import new_workspace

GAMES = [(1, 5, "all"), (2, 9, "none"), (3, 7, "guess"), (4, 7, "none"), (4, 4, "all"), (5, 6, "none"), (6, 3, "all")]


def numbers(game: Planes, bounds: NDArray[np.uint64], base: int, bits: int) -> NDArray[np.int64]:
    """Return the bit-sliced numbers of all guesses."""
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
def test_small_sets_are_bounded_by_scores(digits: int, symbols: int, repeats: str, size: int) -> None:
    game, work, members, rules = prepared(digits, symbols, repeats, size)
    sizes = cell_sizes(game.codes, game.codes[members])
    parts = (sizes > 0).sum(axis=1)
    wins = sizes[:, hint_number(rules, rules.win)]
    for bonus in (0, 1):
        scan_scores(
            game, CodeSlice(work.members, 0, len(members)), bonus, work.marks, work.inverted_scores[0], work.shared
        )
        assert (numbers(game, work.inverted_scores[0], 0, SCORE_BITS) == 31 - parts - bonus * wins).all()
    most = (parts + wins).max()
    for first in range(game.blocks):
        found, block = greatest_score(game, CodeSlice(work.members, 0, len(members)), work.marks, 99, first)
        assert found == most
        assert (parts + wins)[512 * block : 512 * block + 512].max() == most
        some, _ = greatest_score(game, CodeSlice(work.members, 0, len(members)), work.marks, 2, first)
        assert min(most, 2) <= some <= most


@pytest.mark.parametrize("size", [5, 40, 300])
@pytest.mark.parametrize(("digits", "symbols", "repeats"), GAMES)
def test_large_sets_are_bounded_by_ideal_trees_of_cells(digits: int, symbols: int, repeats: str, size: int) -> None:
    game, work, members, rules = prepared(digits, symbols, repeats, size)
    sizes = cell_sizes(game.codes, game.codes[members])
    parts = (sizes > 0).sum(axis=1) + sizes[:, hint_number(rules, rules.win)]
    sizes[:, hint_number(rules, rules.win)] = 0
    scan_scores(game, CodeSlice(work.members, 0, len(members)), 1, work.marks, work.inverted_scores[0], work.shared)
    for most in (game.answer_count, parts.max()):
        bits = add_excess(
            game,
            CodeSlice(work.members, 0, len(members)),
            most,
            work.inverted_scores[0],
            (work.marks, work.counters),
            work.bounds[0],
            work.shared,
        )
        found = numbers(game, work.bounds[0], 3 * len(members) - 31, bits)
        width, level = game.answer_count - 2, game.answer_count - 1
        wanted, threshold = 3 * len(members) - parts, min(level, most - 1)
        while width and threshold < len(members):
            wanted += np.maximum(sizes - threshold, 0).sum(axis=1)
            width *= game.answer_count - 2
            threshold = level = level + width
        assert (found == wanted).all() or digits == 1
        if most == game.answer_count:
            assert (found == len(members) + game.ideal[sizes].sum(axis=1)).all()


def test_least_and_equal_select_guesses_by_bound() -> None:
    game, work, members, _ = prepared(4, 7, "none", 50)
    scan_scores(game, CodeSlice(work.members, 0, len(members)), 1, work.marks, work.inverted_scores[0], work.shared)
    values = numbers(game, work.inverted_scores[0], 0, SCORE_BITS)
    words = len(game.every)
    value = least(work.inverted_scores[0], SCORE_BITS, words, game.every, work.with_bound[0])
    assert value == values.min()
    for level in range(value, value + 3):
        equal(work.inverted_scores[0], SCORE_BITS, words, level, game.every, work.with_bound[0])
        chosen = np.unpackbits(work.with_bound[0].view(np.uint8), bitorder="little")[: len(values)].astype(bool)
        assert (chosen == (values == level)).all()
