"""Every guess that is not listed is equivalent to a listed one."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest
from tests.reference.search import Reference

from yomikiri.hitblow.model.codes import all_guesses, decode
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.kernels.symmetry import hash_turns
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.search.workspaces import new_workspace


def listed(known: Knowledge) -> list[str]:
    engine = SearchEngine(known.rules, known.absent, consistent=False, memory=0)
    return [guess for _, guess in engine.guesses(Subproblem(known.rules, known.absent, known.played))]


@pytest.mark.parametrize(
    ("rules", "first"),
    [
        (Rules(), {"012"}),
        (Rules(4), {"0123"}),
        (Rules(3, repeats=Repeats.GUESS), {"000", "001", "012"}),
        (Rules(4, "012345", Repeats.ALL), {"0000", "0001", "0011", "0012", "0123"}),
    ],
)
def test_first_guesses_differ_in_their_repeats_only(rules: Rules, first: set[str]) -> None:
    assert set(listed(Knowledge(rules))) == first


def test_absent_symbols_are_interchangeable_among_themselves() -> None:
    assert set(listed(Knowledge(Rules(2, "0123456"), "56"))) == {"01", "05", "56"}


@pytest.mark.parametrize(
    "known",
    [
        Knowledge(Rules(3, "01234"), "", (Turn.parse("012:0H1B"),)),
        Knowledge(Rules(3, "01234"), "", (Turn.parse("201:1H0B"), Turn.parse("134:0H2B"))),
        Knowledge(Rules(2, "01234", Repeats.ALL), "3", (Turn.parse("00:0H0B"),)),
        Knowledge(Rules(2, "01234", Repeats.GUESS), "", (Turn.parse("11:1H0B"),)),
    ],
)
def test_omitted_guesses_cost_as_much_as_a_listed_one(known: Knowledge) -> None:
    engine = SearchEngine(known.rules, known.absent, consistent=False, memory=1 << 20)
    subproblem = Subproblem(known.rules, known.absent, known.played)

    def cost(guess: str) -> tuple[int, ...]:
        cells = engine.divided(subproblem, guess)
        return tuple(sorted(engine.run(cell) for cell in cells))

    tried = {cost(guess) for guess in listed(known)}
    for row in all_guesses(known.rules):
        assert cost(decode(known.rules, row)) in tried


def test_bounds_of_guesses_hold() -> None:
    known = Knowledge(Rules(3, "01234"), "", (Turn.parse("012:0H1B"),))
    slow = Reference(known.rules)
    codes = slow.numbers(known.codes())
    engine = SearchEngine(known.rules, "", consistent=False, memory=0)
    for bound, guess in engine.guesses(Subproblem(known.rules, turns=known.played)):
        cells = slow.cells(slow.guesses.index(guess), codes)
        if cells != [codes]:
            assert bound <= len(codes) + sum(slow.least(cell, len(cell))[0] for cell in cells)


def canonical(turns: Sequence[Turn], symbols: str, absent: str) -> tuple[object, ...]:
    """Return the least image of turns under permutations of places, symbols and turns. Absent symbols stay absent."""
    digits, found = len(turns[0].guess), []
    for order in permutations(range(digits)):
        for arranged in permutations(turns):
            names: dict[str, str] = {}
            for turn in arranged:
                for place in order:
                    symbol = turn.guess[place]
                    of_kind = sum((name in "xyz") == (symbol in absent) for name in names.values())
                    if symbol not in names:
                        names[symbol] = ("xyz" if symbol in absent else symbols)[of_kind]
            found.append(tuple((turn.hint, "".join(names[turn.guess[place]] for place in order)) for turn in arranged))
    return min(found)


@pytest.mark.parametrize(
    ("rules", "absent"), [(Rules(3, "01234"), ""), (Rules(3, "012345"), "45"), (Rules(3, "0123", Repeats.ALL), "3")]
)
def test_turn_hashes_are_equal_only_for_equivalent_turns(rules: Rules, absent: str) -> None:
    game, chance = build_planes(rules), Random(3)
    work = new_workspace(game, 64, 2)
    codes = ["".join(rules.symbols[symbol] for symbol in code) for code in game.codes]
    gone = sum(1 << rules.symbols.index(symbol) for symbol in absent)
    names: dict[tuple[int, int], tuple[object, ...]] = {}
    for _ in range(600):
        turns = [Turn(chance.choice(codes[:40]), chance.choice(rules.hints[:3])) for _ in range(chance.choice((2, 3)))]
        for i, turn in enumerate(turns):
            common = turn.hint.hits + turn.hint.blows
            work.turn_guess[i] = codes.index(turn.guess)
            work.turn_answer[i] = common * (common + 1) // 2 + turn.hint.hits
        key, check = hash_turns(game, work, len(turns), gone)
        wanted = canonical(turns, rules.symbols, absent)
        assert names.setdefault((int(key), int(check)), wanted) == wanted
    assert len(set(names.values())) == len(names) < 590
