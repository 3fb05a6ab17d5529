"""Cheap bounds, the guesses that a lemma must list, and the total of a lemma."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.hitblow.certificate.forged import SOURCE, Liar
from tests.hitblow.certificate.made import as_file

from yomikiri.hitblow.certificate import checker


@cache
def liar(*game: str) -> Liar:
    return Liar(*game)


SMALL, THREE = liar("2 4 none -"), liar("3 4 none -")


def sets(of: Liar, most: int, seed: int) -> list[Any]:
    """Return sets of up to `most` secrets: cells after one and two guesses, and random sets."""
    rng, found = np.random.default_rng(seed), [of.all]
    for guess in rng.choice(len(of.names), min(6, len(of.names)), replace=False).tolist():
        found += [cell for _answer, cell in of.cells(of.all, guess)]
    for s in found[1:]:
        guess = int(rng.integers(len(of.names)))
        found += [cell for _answer, cell in of.cells(s, guess) if len(cell) < len(s)]
    for size in range(1, most + 1):
        found += [np.sort(rng.choice(of.all, size, replace=False)) for _ in range(3) if size <= len(of.all)]
    return [s for s in found if 0 < len(s) <= most]


BOUNDED = [
    ("2 4 none -",), ("2 6 none -",), ("3 4 none -",), ("3 5 none -", "012:0H1B"), ("2 3 all -",), ("2 4 all -",),
    ("3 3 all -",), ("3 4 guess -",), ("4 5 none -", "0123:1H2B"), ("1 5 none -",), ("2 2 all -",), ("3 5 none 4",),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("game", BOUNDED, ids=" ".join)
def test_cheap_bounds_hold_and_leave_a_best_guess_open(game: tuple[str, ...]):
    of = liar(*game)
    for seed, s in enumerate(sets(of, 12, 1)):
        total = of.least(s)
        left, cheap, most = of.game.open(s, total + 1)
        if len(s) > 1:
            assert left, "a guess of least cost is open for more"
        costs = {guess: of.cost(s, guess) for guess in left}
        assert all(bound <= min(costs[guess], total) for guess, bound in left.items())
        assert min(costs.values(), default=total) == total
        closed = of.game.open(s, total)[0]
        assert all(of.cost(s, guess) >= total for guess in closed)
        rng = np.random.default_rng(seed)
        for _ in range(4):
            part = np.sort(rng.choice(s, int(rng.integers(1, len(s) + 1)), replace=False))
            more = int(3 <= len(part) <= most and of.game.inseparable(part[None])[0])
            assert cheap[len(part)] + more <= of.least(part)


@pytest.mark.parametrize("game", [("2 4 none -",), ("3 4 none -",), ("2 4 all -",), ("3 3 all -",)], ids=" ".join)
def test_open_drops_only_costly_and_duplicate_guesses(game: tuple[str, ...]):
    of = liar(*game)
    for s in sets(of, 10, 2):
        least = of.least(s) + 2
        left, _, _ = of.game.open(s, least)
        kept = {tuple(map(tuple, sorted(cell.tolist() for _a, cell in _cells_with_win(of, s, g)))) for g in left}
        for guess in range(len(of.names)):
            cells = [cell.tolist() for _answer, cell in _cells_with_win(of, s, guess)]
            if of.cost(s, guess) < least and len(cells) > 1:
                assert tuple(map(tuple, sorted(cells))) in kept


def _cells_with_win(of: Liar, s: Any, guess: int) -> list[tuple[str, Any]]:
    hit = s[of.game.own[s] == guess]
    return [*of.cells(s, guess), *([("win", hit)] if len(hit) else [])]


def test_ideal_is_the_total_of_a_full_tree():
    for text in ("1 9 none -", "2 9 none -", "3 9 none -", "4 7 none -"):
        game = checker.CertificateGame(f"certificate 1 {text} 0")
        total, depth, room = 0, 1, 1
        for n in range(len(game.own) + 1):
            assert game.ideal[n] == total
            if not room:
                depth += 1
                room = (game.r - 1) ** (depth - 1)
            total, room = total + depth, room - 1


def test_inseparable_is_true_if_no_member_separates_all_others():
    of, rng = THREE, np.random.default_rng(5)
    for size in range(2, 7):
        chosen = np.stack([np.sort(rng.choice(of.all, size, replace=False)) for _ in range(40)])
        for s, inseparable in zip(chosen, of.game.inseparable(chosen).tolist(), strict=True):
            separable = any(len(set(of.game.hints[s, of.game.own[row]].tolist())) == size for row in s.tolist())
            assert inseparable is not separable


def test_number_of_answers_excludes_the_impossible_one():
    for places in range(1, 6):
        game = checker.CertificateGame(f"certificate 1 {places} 5 none - 0 {'01234'[:places]}:{places}H0B")
        assert game.r == (places + 1) * (places + 2) // 2 - 1


def test_guesses_of_a_large_set_are_scanned_in_parts():
    game = checker.CertificateGame("certificate 1 4 8 none - 7817")
    s, even = np.arange(len(game.own)), np.arange(len(game.codes)) % 2 == 0
    assert len(s) * len(game.codes) >= 1 << 21, "more than one part"
    left = game.open(s, 7817)[0]
    assert left == game.open(s, 7817, even)[0] | game.open(s, 7817, ~even)[0]


def test_open_prefers_a_member_among_guesses_with_equal_cells():
    """Two guesses cut this set into the same cells. The one that is not in the set costs one guess more."""
    of = liar("2 6 none -")
    codes = ["03", "10", "15", "21", "23", "24", "25", "30", "31", "40", "43", "50", "52", "53", "54"]
    s = np.sort([of.game.row[of.names.index(code)] for code in codes])
    total = of.least(s)
    assert min(of.cost(s, guess) for guess in of.game.open(s, total + 1)[0]) == total


CHANGED = {
    "cells of three": ("more = 3 <= len(cell) <= most", "more = 4 <= len(cell) <= most", "3 4 none -"),
    "largest cells": ("more = 3 <= len(cell) <= most", "more = 3 <= len(cell) < most", "3 4 none -"),
    "larger cells": ("{*range(3, most + 1)}", "{*range(3, most + 2)}", "2 4 all -"),
}


@pytest.mark.parametrize("name", CHANGED)
def test_extra_guess_of_a_cell_counts_once(name: str):
    """A checker that adds the extra guess of an inseparable cell once too often accepts a false certificate."""
    old, new, game = CHANGED[name]
    of = liar(game)
    cheap_ones = of.guesses_to_list(of.all, of.total + 1)[0]
    lines = of.false([of.guess(of.all, guess) for guess in cheap_ones])
    with pytest.raises(checker.Rejected, match="too little"):
        checker.check(as_file(lines))
    assert SOURCE.count(old) == 1
    names: dict[str, Any] = {"__name__": "changed"}
    exec(compile(SOURCE.replace(old, new), "changed", "exec"), names)
    names["check"](as_file(lines))


def test_claim_below_a_cheap_bound_counts_as_that_bound():
    head, first, *rest = THREE.true()
    words = first.split(" ")
    assert any(
        _accepted([head, " ".join([*words[:at], f"{word[:2]}=1", *words[at + 1 :]]), *rest])
        for at, word in enumerate(words)
        if "=" in word and not word.endswith("+")
    )


def _accepted(lines: list[str]) -> bool:
    try:
        checker.check(as_file(lines))
    except checker.Rejected:
        return False
    return True


@pytest.mark.parametrize("of", [SMALL, THREE], ids=["2 of 4", "3 of 4"])
def test_lemmas_leaves_and_scans_are_counted(of: Liar):
    scans: list[int] = []
    lines = of.true()
    game = checker.check(as_file(lines), tell=scans.append)
    leaves = sum("=" in word and not word.endswith("+") for line in lines[1:] for word in line.split(" "))
    assert (game.lemmas, game.leaves) == (len(lines) - 1, leaves)
    assert scans == list(range(1, game.lemmas + game.leaves + 1))


def test_part_without_open_guesses_does_not_end_the_scan(monkeypatch: pytest.MonkeyPatch):
    """The checker scans large sets in parts; here each guess is a separate part."""
    game = checker.CertificateGame("certificate 1 3 5 none - 9")
    members = np.arange(0, len(game.own), 2)
    whole = [game.open(members, least) for least in range(80, 95)]
    monkeypatch.setattr(np, "array_split", lambda guesses, _count: [guesses[i : i + 1] for i in range(len(guesses))])
    for least, (guesses, *_rest) in zip(range(80, 95), whole, strict=True):
        assert sorted(game.open(members, least)[0]) == sorted(guesses)
    assert len({len(guesses) for guesses, *_rest in whole}) > 1


def test_sixteen_symbols_are_supported():
    game = checker.CertificateGame("certificate 1 2 16 none f 9")
    assert 15 not in game.codes[game.own]
    every = np.arange(len(game.codes))
    assert np.array_equal(game.renamed("01/0123456789abcdef", every), every)
