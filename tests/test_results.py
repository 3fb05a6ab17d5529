"""Stored results: validity of strategies, certificates and cells, and agreement with the documented totals."""

from __future__ import annotations

import re
from collections import Counter
from gzip import decompress
from pathlib import Path
from random import Random

import pytest

from yomikiri.hitblow import Rules, Task, read_strategy, solve, verify
from yomikiri.hitblow.certificate.checker import check, open_file
from yomikiri.hitblow.model.rules import Turn, hint
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.strategy.strategy import Objective

DOCS = Path(__file__).parent.parent / "docs"
KEPT = DOCS / "assets/results"
RULES = Rules(5, "0123456789")
SOLVED = 600  # greatest total of cells that the test solves again
COMPARED = 200  # the strategy is compared for cells above this total

Turns = tuple[Turn, ...]


def listed() -> dict[Turns, int]:
    """Return the totals of the proven cells of 5 of 10 by their turns."""
    lines = (KEPT / "5-of-10-cells.txt").read_text("utf-8").splitlines()
    return {tuple(map(Turn.parse, turns)): int(total) for *turns, total in map(str.split, lines)}


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json.gz")), ids=lambda path: path.name)
def test_stored_strategy_is_valid_and_has_the_documented_total(path: Path):
    strategy = read_strategy(decompress(path.read_bytes()))
    total, lower = verify(strategy).total_guesses, strategy.proof.lower_bound
    [line] = [
        line for line in (DOCS / "theory/results.md").read_text("utf-8").splitlines() if f"results/{path.name}" in line
    ]
    proven = total == lower
    assert f"| **{total:,}** |" in line if proven else f"| ≤ {total:,}, ≥ {lower:,} (not proven) |" in line


CERTIFICATES = sorted((KEPT / "certificates").glob("*.cert.gz"))
# Greatest sizes in bytes of certificates that are checked in every run, and in a thorough one.
SHORT, LONG = 4000, 40_000


def marks_of(path: Path) -> list[pytest.MarkDecorator]:
    size = path.stat().st_size
    return [pytest.mark.release] * (size > LONG) or [pytest.mark.exhaustive] * (size > SHORT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.name, marks=marks_of(path)) for path in CERTIFICATES],
)
def test_stored_certificate_is_accepted_with_the_documented_total(path: Path):
    with open_file(str(path)) as file:
        game = check(file)
    repeats = {"none": "", "guess": "-any-guess", "all": "-repeats"}[game.repeats]
    assert (path.name, game.turns, game.absent) == (f"{game.p}-of-{game.q}{repeats}.cert.gz", [], "-")
    [line] = [line for line in (DOCS / "theory/results.md").read_text("utf-8").splitlines() if f"/{path.name})" in line]
    assert f"| {game.p} of {game.q} | total | {len(game.own):,} | **{game.total:,}** | [checked]" in line


def test_totals_marked_as_checked_have_a_certificate():
    page = (DOCS / "theory/results.md").read_text("utf-8")
    assert page.count("[checked](") == len(CERTIFICATES) > 60


ROW = re.compile(
    r"\| 4 of (\d) \| total, (?:within (\d)|consistent guesses only) \| ([\d,]+) \| \*\*([\d,]+)\*\* \| proven "
    r"\| [\d.]+ \| \d \| ([\d ]+) \|.*"
)
MASTERMIND = (DOCS / "theory/results.md").read_text("utf-8").partition("(Mastermind)")[2].splitlines()
LIMITED = [found for line in MASTERMIND if (found := ROW.fullmatch(line))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row, id=f"4 of {row[1]}, {row[2] or 'consistent'}", marks=[pytest.mark.exhaustive] * (row[1] == "8")
        )
        for row in LIMITED
    ],
)
def test_limited_mastermind_has_the_documented_costs(row: re.Match[str]):
    symbols, within, secrets, total, histogram = row.groups()
    objective = Objective(within=int(within)) if within else Objective(consistent=True)
    strategy = solve(Task(Rules(4, "0123456789"[: int(symbols)], "all"), objective=objective)).strategy  # type: ignore[arg-type]
    assert strategy is not None
    cost = verify(strategy)
    assert (f"{cost.secrets:,}", f"{cost.total_guesses:,}") == (secrets, total)
    assert " ".join(map(str, cost.histogram)) == histogram


def test_limited_mastermind_rows_cover_each_size():
    rows = [(row[1], row[2]) for row in LIMITED]
    assert rows == [("4", None), ("5", None), ("6", "5"), ("6", None), ("7", None), ("8", "6"), ("8", None)]
    assert {row[4] for row in LIMITED} >= {"5,626", "20,473"}  # two published totals


def test_cells_of_the_first_guess_add_up_to_the_total():
    cells = listed()
    after = {turns: total for turns, total in cells.items() if len(turns) == 1}
    codes = 10 * 9 * 8 * 7 * 6
    assert {turns[0].guess for turns in after} == {"01234"}
    assert len(after) == len(RULES.hints) - 1  # all answers except the winning one
    assert cells[()] == codes + sum(after.values()) == 171_590


@pytest.mark.exhaustive
def test_strategy_agrees_with_the_listed_cells():
    strategy, cells = read_strategy(decompress((KEPT / "5-of-10.json.gz").read_bytes())), listed()
    takes: Counter[Turns] = Counter()
    for secret in Task(RULES).secrets():
        guesses = list(strategy.tree.guesses(secret))
        turns = tuple(Turn(guess, hint(guess, secret)) for guess in guesses)
        for made in range(min(4, len(guesses))):
            takes[turns[:made]] += len(guesses) - made
    large = {turns: total for turns, total in takes.items() if total > COMPARED}
    compared = [
        (total, cells[name])
        for turns, total in large.items()
        if (name := canonical_turns(Subproblem(RULES, turns=turns)).turns) in cells
    ]
    assert len(compared) > 100
    assert all(total == least for total, least in compared)


@pytest.mark.exhaustive
def test_small_listed_cells_agree_with_a_new_search():
    small = [(turns, total) for turns, total in listed().items() if total <= SOLVED]
    engine = SearchEngine(RULES, "", consistent=False, memory=1 << 26)
    for turns, total in Random(5).sample(small, 50):
        assert engine.run(Subproblem(RULES, turns=turns)) == total, turns
