"""Exact payoffs of options against forms, and draw probabilities compared with brute force.

Also tests `hitblow/race/public/forms.py`: payoffs are those of its forms.
"""

from __future__ import annotations

import pytest
from tests.reference.public_race import BruteRace

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.codes import Codes, all_secrets, decode_all, without_symbols
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.race.kernels.pairs import CLOSING, DEPTH_LIMIT, OPENING, SUDDEN
from yomikiri.hitblow.race.kernels.tables import CELLS, FORMS, OPTIONS
from yomikiri.hitblow.race.public.forms import Forms, GuessOption
from yomikiri.hitblow.race.public.payoffs import Payoffs
from yomikiri.hitblow.race.public.race import PublicRace
from yomikiri.hitblow.race.public.tables import check, new_tables

RULES = Rules(3, "012345")


AFTER = {SUDDEN: SUDDEN, OPENING: CLOSING, CLOSING: OPENING}


@pytest.mark.parametrize("kind", [SUDDEN, OPENING, CLOSING])
def test_attains_is_true_up_to_the_exact_payoff(kind: int):
    forms = Forms(RULES)
    other = forms.form(forms.numbers(all_secrets(RULES)))
    known, size = Payoffs(forms, forms), forms.size

    def worth(option: GuessOption) -> int:
        hit = option.hit * (2 * size(other) - (kind == OPENING))
        cells = option.cells.tolist()
        return hit + sum(2 * size(other) * size(cell) - known.payoff(AFTER[kind], other, cell) for cell in cells)

    asked = 0
    for form in range(other):
        for option in forms.options_of(form):
            right = worth(option)
            for need in (right - 1, right, right + 1):
                fresh = Payoffs(forms, forms)
                low, high = fresh._bounds(kind, option, other)
                assert fresh.attains(kind, option, other, need) == (need <= right)
                asked += low < need <= high
    assert asked > 20


def forms_of_single_hits(longest: int) -> Forms:
    """Return artificial forms of up to `longest` codes, where a guess can only hit one code and leaves all others.

    Their bounds are very weak.
    """
    forms = Forms(RULES)
    game, perfect = forms.game, forms.game.hints
    sizes = range(perfect + 1, longest + 1)
    tables = forms.tables = new_tables(game, (16, 256, 256, 256, 16))
    for option, n in enumerate(sizes):
        tables.size[n], tables.first[n], tables.alone[n] = n, (option, option + 1), n + 1
        tables.hit[option], tables.cell[option], tables.begin[option + 1] = 1, n - 1, option + 1
        tables.within[n, 1:], tables.pace[n, :, -1] = n, n
    tables.used[[FORMS, OPTIONS, CELLS]] = longest + 1, len(sizes), len(sizes)
    check(game, tables)
    return forms


def test_play_up_to_the_depth_limit_is_solved_and_longer_refused():
    """Both players can remove single codes until a separable set remains."""
    forms = forms_of_single_hits(100)
    perfect = forms.game.hints
    longest = perfect + DEPTH_LIMIT // 2
    for n in (perfect + 1, perfect + 9, longest - 1):
        # Each side finds one code per guess until `perfect` codes are left, and then needs at most two guesses.
        found = [*range(1, n - perfect + 2), *[n - perfect + 2] * (perfect - 1)]
        right = sum(2 for mine in found for other in found if mine <= other)
        assert Payoffs(forms, forms).payoff(SUDDEN, n, n) == right
    with pytest.raises(InputError, match=f"more than {DEPTH_LIMIT} guesses"):
        Payoffs(forms, forms).payoff(SUDDEN, 100, 100)


def codes(rules: Rules, absent: int = 0) -> Codes:
    """Return all codes without the last `absent` symbols."""
    return without_symbols(all_secrets(rules), range(len(rules.symbols) - absent, len(rules.symbols)))


def after(rules: Rules, turns: str, absent: str = "") -> Codes:
    """Return the candidates after some turns."""
    return Knowledge(rules, absent, tuple(map(Turn.parse, turns.split()))).candidates


def text(rows: Codes, rules: Rules) -> frozenset[str]:
    return frozenset(decode_all(rules, rows))


@pytest.mark.slow
def test_draw_probability_is_possible_under_best_play():
    for rules in (Rules(2, "012"), Rules(2, "0123"), Rules(2, "012", Repeats.ALL)):
        race, brute = PublicRace(rules, equal_turns=True), BruteRace(rules, equal=True)
        for mine in (codes(rules), after(rules, "01:0H1B")):
            for closing in (False, True):
                least, most = brute.draws(text(mine, rules), text(codes(rules), rules), closing)
                assert least <= race.draw(mine, codes(rules), closing=closing) <= most


def test_draw_probability_is_zero_if_the_first_hit_wins():
    rules = Rules(2, "0123")
    assert PublicRace(rules).draw(codes(rules), codes(rules)) == 0
