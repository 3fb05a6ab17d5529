"""Writing of certificates: starting positions, absent symbols, sections and budgets."""

from __future__ import annotations

from typing import Any

import pytest
from tests.hitblow.certificate.made import certificate, checked
from tests.reference.search import Reference

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import InputError
from yomikiri.hitblow.certificate import writer
from yomikiri.hitblow.certificate.writer import write_certificate
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.strategy.strategy import Task

STARTS = [
    (Rules(3, "01234"), "", "012:0H1B"),
    (Rules(3, "01234"), "4", ""),
    (Rules(3, "012345"), "5", "012:0H2B"),
    (Rules(3, "abcd", "all"), "", "aab:1H1B abc:0H1B"),  # type: ignore[arg-type]
    (Rules(3, "01234", "guess"), "0", ""),  # type: ignore[arg-type]
    (Rules(4, "012345"), "", "0123:1H1B"),
]


@pytest.mark.parametrize(("rules", "absent", "turns"), STARTS)
def test_certificate_of_any_start_proves_exactly_the_least_total(rules: Rules, absent: str, turns: str):
    facts = tuple(map(Turn.parse, turns.split()))
    task = Task(rules, absent, facts)
    total = solve(task).strategy.cost.total_guesses  # type: ignore[union-attr]
    if rules.digits < 4:
        reference = Reference(rules)
        codes = reference.numbers(list(task.secrets()))
        assert reference.least(codes, len(codes))[0] == total
    lines: list[str] = []
    write_certificate(task, total, lines.append)
    game = checked(lines)
    assert not isinstance(game, str), game
    assert len(game.own) == Knowledge(rules, absent, facts).count
    assert isinstance(checked([lines[0].replace(f" {total}", f" {total + 1}", 1), *lines[1:]]), str)


def test_head_writes_symbols_as_numbers():
    task = Task(Rules(3, "abcde"), "e", (Turn.parse("acb:0H2B"),))
    lines: list[str] = []
    write_certificate(task, solve(task).strategy.cost.total_guesses, lines.append)  # type: ignore[union-attr]
    assert lines[0].startswith("certificate 1 3 5 none 4 ")
    assert lines[0].endswith(" 021:0H2B")


def test_lemma_proves_bounds_that_only_the_engine_finds(monkeypatch: pytest.MonkeyPatch):
    """A patched engine finds the exact cost of each cell in one scan."""
    plain = SearchEngine.cell_bounds

    def sharper(engine: SearchEngine, part: Subproblem, guesses: Any, *more: Any) -> Any:
        lowers = plain(engine, part, guesses, *more)
        for k, guess in enumerate(guesses.tolist()):
            for slot in lowers[k].nonzero()[0].tolist():
                turn = Turn(engine.code(guess), engine.hints[slot])
                lowers[k, slot] = engine.run(part.after(turn))
        return lowers

    monkeypatch.setattr(SearchEngine, "cell_bounds", sharper)
    lines: list[str] = []
    write_certificate(Task(Rules(4, "012345")), 1446, lines.append)
    game = checked(lines)
    assert not isinstance(game, str), game


def test_spent_budget_stops_the_writer():
    with pytest.raises(Stopped):
        write_certificate(Task(Rules(4, "01234567")), 7817, lambda _line: None, budget=Budget.within(0.0))


def test_game_with_too_large_a_table_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writer, "TABLE_BYTES", 1000)
    with pytest.raises(InputError, match="too large"):
        write_certificate(Task(Rules(3, "01234")), 196, lambda _line: None)


def test_references_point_to_earlier_lines():
    lines = certificate(3, 10, "none", 3575)
    read = 0
    for line in lines[1:]:
        if line.startswith("@"):
            assert int(line[1:].partition("/")[0]) < read
        else:
            read += 1


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("digits", "symbols", "repeats", "total"),
    [
        (5, 6, "none", 3434),
        (4, 6, "all", 5625),
        *(
            pytest.param(*game, marks=pytest.mark.release)
            for game in ((4, 9, "none", 14914), (4, 7, "all", 11228), (5, 7, "none", 12305))
        ),
    ],
)
def test_large_games_are_written_and_accepted(digits: int, symbols: int, repeats: str, total: int):
    assert not isinstance(checked(certificate(digits, symbols, repeats, total)), str)
