"""How often a race is drawn, against brute force."""

from __future__ import annotations

from tests.reference.public_race import BruteRace

from yomikiri.hitblow.codes import Codes, all_secrets, decode_all, without_symbols
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.race.public.race import PublicRace
from yomikiri.hitblow.rules import Repeats, Rules, Turn


def codes(rules: Rules, absent: int = 0) -> Codes:
    """All codes without the last so many symbols."""
    return without_symbols(all_secrets(rules), range(len(rules.symbols) - absent, len(rules.symbols)))


def after(rules: Rules, turns: str, absent: str = "") -> Codes:
    """What is left after some turns."""
    return Knowledge(rules, absent, tuple(map(Turn.parse, turns.split()))).candidates


def text(rows: Codes, rules: Rules) -> frozenset[str]:
    return frozenset(decode_all(rules, rows))


def test_the_chance_of_a_draw_is_one_of_those_under_best_play():
    for rules in (Rules(2, "012"), Rules(2, "0123"), Rules(2, "012", Repeats.ALL)):
        race, brute = PublicRace(rules, equal_turns=True), BruteRace(rules, equal=True)
        for mine in (codes(rules), after(rules, "01:0H1B")):
            for closing in (False, True):
                least, most = brute.draws(text(mine, rules), text(codes(rules), rules), closing)
                assert least <= race.draw(mine, codes(rules), closing=closing) <= most


def test_nothing_is_drawn_where_the_first_hit_wins():
    rules = Rules(2, "0123")
    assert PublicRace(rules).draw(codes(rules), codes(rules)) == 0
