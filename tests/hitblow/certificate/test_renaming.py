"""Canonical forms of sets under renaming, and the symmetries of a set."""

from __future__ import annotations

import numpy as np
import pytest

from yomikiri.hitblow.certificate.checker import CertificateGame
from yomikiri.hitblow.certificate.renaming import Renaming, form_of


def renaming(rng: np.random.Generator, places: int, symbols: int) -> Renaming:
    return Renaming(tuple(rng.permutation(places).tolist()), tuple(rng.permutation(symbols).tolist()))


@pytest.mark.parametrize(("places", "symbols", "repeats"), [(3, 6, "none"), (4, 7, "none"), (4, 5, "all")])
def test_renamed_sets_have_one_form_and_valid_renamings(places: int, symbols: int, repeats: str):
    game, rng = CertificateGame(f"certificate 1 {places} {symbols} {repeats} - 9"), np.random.default_rng(7)
    same = 0
    for _ in range(60):
        # Use sets after a few turns, because random sets rarely have symmetries.
        rows = np.arange(len(game.codes))
        for guess in rng.choice(len(game.codes), 2):
            answers = game.hints[rows, guess]
            rows = rows[answers == rng.choice(answers)]
        codes = game.codes[rows]
        turned = renaming(rng, places, symbols)
        one, other = form_of(codes, symbols), form_of(turned.of(codes), symbols)
        same += one.name == other.name
        if one.name == other.name:
            there = other.renaming.back().after(one.renaming)
            assert sorted(map(tuple, there.of(codes))) == sorted(map(tuple, turned.of(codes)))
        for symmetry in one.symmetries:
            assert sorted(map(tuple, symmetry.of(codes))) == sorted(map(tuple, codes))
    assert same > 50


def test_renaming_is_invertible_and_agrees_with_the_checker():
    game, rng = CertificateGame("certificate 1 4 6 none - 9"), np.random.default_rng(3)
    for _ in range(20):
        one, other = renaming(rng, 4, 6), renaming(rng, 4, 6)
        codes = game.codes[rng.choice(len(game.codes), 5)]
        assert (one.back().of(one.of(codes)) == codes).all()
        assert (one.after(other).of(codes) == one.of(other.of(codes))).all()
        every = np.arange(len(game.codes))
        assert (game.codes[game.renamed(str(one), every)] == one.of(game.codes)).all()


def test_symmetries_exchange_unused_symbols():
    form = form_of(np.array([[0, 1, 2], [2, 0, 1]], dtype=np.uint8), 6)
    assert {str(symmetry) for symmetry in form.symmetries} >= {"012/012435", "012/012354"}
