"""A store, the file with the bounds of a proof, stays valid if its process is killed. An altered store is refused.

Also tests `hitblow/search/proof/bound_table.py`: recorded bounds.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.errors import CheckError, InputError
from yomikiri.common.stores import StoreFile
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search import solve as solving
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof import forecast, incumbent, parts, tree
from yomikiri.hitblow.search.proof.bound_table import BoundKey, CostBounds, Effort
from yomikiri.hitblow.search.proof.store import KIND, ProofStore, StoredBounds, game_text, read_store
from yomikiri.hitblow.search.proof.summary import summary_of
from yomikiri.hitblow.search.proof.worker_pool import Workers
from yomikiri.hitblow.search.solution import Solution
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.strategy.strategy import Evidence, Proof, Task
from yomikiri.hitblow.strategy.verify import verify

GAME = Task(Rules(3, "01234567"))
TEXT = game_text(GAME)
PLACE = BoundKey(Count.TOTAL, None, (Turn.parse("012:0H1B"),))
KNOWN, EFFORT = CostBounds(100, 120, "034", True), Effort(1.5, 20, "a machine")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "proof.store"


@pytest.fixture
def filled(path: Path) -> Path:
    """Return a store with a few records."""
    with ProofStore(path, TEXT) as store:
        store.learn(PLACE, KNOWN, EFFORT)
        store.learn(PLACE._replace(guess="034", cost=Count.LAST, limit=6), CostBounds(7), EFFORT)
    return path


def test_stored_bounds_are_read_again(filled: Path) -> None:
    with ProofStore(filled, TEXT) as store:
        assert store.known(PLACE) == KNOWN
        assert store.spent(Count.TOTAL) == 1.5
        store.learn(PLACE, CostBounds(110))
    assert read_store(filled).records[0] == StoredBounds(PLACE, KNOWN, EFFORT)
    with ProofStore(filled, TEXT) as store:
        assert store.known(PLACE) == CostBounds(110, 120, "034", True)
    assert sorted(each.name for each in filled.parent.iterdir()) == ["proof.store"], "nothing is left beside it"


def test_results_are_stored_atomically(filled: Path, tmp_path: Path) -> None:
    """A killed process leaves the file with its log, which this test copies during a run."""
    with ProofStore(filled, TEXT) as store:
        store.learn(PLACE, CostBounds(111), EFFORT)
        store.save()
        store.learn(PLACE, CostBounds(112), EFFORT)
        copy = tmp_path / "copy.store"
        for suffix in ("", "-wal"):
            shutil.copy(f"{filled}{suffix}", f"{copy}{suffix}")
        log = Path(f"{copy}-wal")
    with ProofStore(copy, TEXT) as store:
        assert store.known(PLACE).lower == 111
    shutil.copy(filled, copy)
    log.write_bytes(b"torn" * 100)
    with ProofStore(copy, TEXT) as store:
        assert store.known(PLACE).lower >= 100


def test_two_runs_on_one_store_are_locked_out(filled: Path) -> None:
    with ProofStore(filled, TEXT), pytest.raises(InputError, match="in use"):
        ProofStore(filled, TEXT)
    ProofStore(filled, TEXT).__exit__(None, None, None)


def altered(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as file:
        file.execute(statement, values)
    file.close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update answers set lower = 101 where id = 1", "damaged"),
        ("update answers set worker = 'another' where id = 2", "damaged"),
        ("update answers set turns = '012:0H2B' where id = 1", "damaged"),
        ("update answers set cost = 'average' where id = 1", "damaged"),
        ("update head set value = '3' where name = 'format'", "newer"),
        ("update head set value = 'x' where name = 'game'", "damaged"),
        ("update head set value = 'other' where name = 'kind'", "not a store of this command"),
        ("drop table answers", "damaged"),
        ("drop table head", "not a store of this command"),
    ],
)
def test_altered_store_is_refused_and_not_written(filled: Path, statement: str, said: str) -> None:
    altered(filled, statement)
    with pytest.raises(InputError, match=said):
        ProofStore(filled, TEXT)
    with pytest.raises(InputError, match=said):
        read_store(filled)


def test_store_of_format_1_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    StoreFile(path, replace(KIND, format=1), TEXT).close()
    for use in (lambda: ProofStore(path, TEXT), lambda: read_store(path)):
        with pytest.raises(InputError, match=r"has format 1, expected 2: .* wrong lower bounds"):
            use()


def test_other_files_are_refused(filled: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="another game"):
        ProofStore(filled, game_text(Task(Rules(3, "0123456"))))
    text = tmp_path / "text"
    text.write_text("not a store")
    for refused in (text, tmp_path):
        with pytest.raises(InputError, match=r"not a store of this command|cannot be used as a store"):
            ProofStore(refused, TEXT)
    assert text.read_text() == "not a store"
    torn = tmp_path / "torn"
    torn.write_bytes(filled.read_bytes()[:5000])
    with pytest.raises(InputError, match="damaged"):
        ProofStore(torn, TEXT)
    with pytest.raises(InputError, match="is not an existing folder; create it"):
        ProofStore(tmp_path / "nowhere" / "proof.store", TEXT)


def test_records_that_contradict_each_other_are_refused(filled: Path) -> None:
    with ProofStore(filled, TEXT) as store, pytest.raises(CheckError):
        store.learn(PLACE, CostBounds(130))
    with pytest.raises(CheckError):
        ProofStore(filled, TEXT)


def test_a_full_disk_ends_the_run_and_loses_nothing(filled: Path) -> None:
    def fill(store: ProofStore) -> None:
        for lower in range(101, 119):
            store.learn(PLACE._replace(turns=(Turn.parse(f"{lower}:0H1B"),)), CostBounds(lower, best="x" * 500), EFFORT)
            store.save()

    with ProofStore(filled, TEXT) as store:
        file = store._file._file
        file.execute(f"pragma max_page_count = {file.execute('pragma page_count').fetchone()[0]}")
        with pytest.raises(InputError, match="cannot write"):
            fill(store)
    with ProofStore(filled, TEXT) as store:
        assert store.known(PLACE) == KNOWN


def killed_over_and_over(
    task: Task, folder: Path, kills: int, most: float, seed: int, longest: float = 0.05
) -> list[Solution]:
    """Return the solutions of proofs that are killed `kills` times in total.

    Each run is a child process of at most `most` seconds with one or two workers and subproblems of `longest` seconds.
    After a complete proof, the next run starts with a new store.
    """
    chance, solutions = Random(seed), []
    path = folder / "0.store"
    while kills:
        workers = chance.choice([Workers(longest=longest), Workers(2, alone=0.0, longest=longest)])
        child = os.fork()
        if not child:
            try:
                os._exit(0 if solve(task, store=path, workers=workers).strategy else 1)
            finally:
                os._exit(2)
        end = time.monotonic() + most * chance.random()
        while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < end:
            time.sleep(0.005)
        if ended[0]:
            assert ended[1] == 0, "it failed by itself"
            solutions.append(solve(task, store=path))
            path = folder / f"{len(solutions)}.store"
        else:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            kills -= 1
    solutions.append(solve(task, store=path))
    return solutions


def check(solutions: list[Solution], total: int, most: int, last: int) -> None:
    """Check that every solution has the cost of an undisturbed run.

    The cost is a total, the greatest number of guesses (`most`), and the number of secrets that need it (`last`).
    """
    for solution in solutions:
        assert solution.strategy
        cost = verify(solution.strategy)
        assert solution.strategy.proof == Proof(Evidence.OPTIMAL, total)
        assert (cost.total_guesses, cost.max_guesses, cost.histogram[-1]) == (total, most, last)


def test_killed_proof_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "SPLIT", 40)
    monkeypatch.setattr(parts, "WHOLE", 10)
    check(killed_over_and_over(GAME, tmp_path, 5, 0.1, seed=1), 1449, 6, 3)


@pytest.mark.exhaustive
def test_proof_of_5_of_7_killed_fifty_times_has_the_same_cost(tmp_path: Path) -> None:
    check(killed_over_and_over(Task(Rules(5, "0123456")), tmp_path, 50, 0.6, seed=2), 12305, 6, 465)


@pytest.mark.release
def test_proof_of_5_of_8_killed_25_times_has_the_same_cost(tmp_path: Path) -> None:
    task = Task(Rules(5, "01234567"))
    check(killed_over_and_over(task, tmp_path, 25, 0.7, seed=3, longest=0.15), 34444, 7, 55)


def solved(path: Path, budget: Budget) -> Solution | None:
    try:
        return solve(GAME, budget=budget, store=path, workers=Workers(longest=0.0))
    except Stopped:
        return None


@pytest.mark.slow
def test_repeated_stops_do_not_change_the_cost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "SPLIT", 30)
    monkeypatch.setattr(parts, "WHOLE", 10)
    whole = solve(GAME)
    assert whole.strategy
    runs = 1
    while (solution := solved(path, Budget(states=60 * runs))) is None:
        runs += 1
        assert runs < 100
    assert runs > 2
    assert solution.strategy
    assert solution.strategy.cost == verify(solution.strategy)
    assert solution.strategy.proof == whole.strategy.proof
    assert solution.strategy.cost.max_guesses == whole.strategy.cost.max_guesses
    assert solution.strategy.cost.histogram[-1] == whole.strategy.cost.histogram[-1]
    root = BoundKey(Count.TOTAL, None, ())
    kept = [record.known for record in read_store(path).records if record.key == root]
    assert (kept[-1].lower, kept[-1].upper) == (1449, 1449)
    assert all(known.lower <= 1449 <= known.upper for known in kept)


@pytest.mark.slow
@pytest.mark.parametrize("reports", [4, pytest.param(12, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("workers", [Workers(1, longest=0.2), Workers(2, alone=0.3)], ids=["alone", "threads"])
def test_progress_agrees_with_the_store(
    path: Path, workers: Workers, reports: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecast, "_SECONDS_BETWEEN_ESTIMATES", 0.0)
    monkeypatch.setattr(forecast, "_KNOWN", 0.01)
    game, seen = Task(Rules(5, "01234567")), list[Progress]()

    def agrees(progress: Progress) -> None:
        stored = summary_of(read_store(path))
        assert progress.lower is not None
        assert (stored.share, stored.upper) == (progress.share, progress.upper)
        assert stored.lower == max(progress.lower, 2 * 6720 - 1)
        assert (progress.left is None) == (stored.left is None)
        seen.append(progress)

    shares = []
    for _run in range(3):
        seen.clear()
        budget = Budget(cancelled=lambda: len(seen) >= reports, progress=agrees)
        with pytest.raises(Stopped):
            solve(game, budget=budget, workers=workers, store=path, ties=False)
        shares += [progress.share or 0.0 for progress in seen]
    assert shares == sorted(shares)
    assert workers.count == 1 or reports < 12 or shares[-1] > 0


def test_share_of_another_proof_is_not_used(filled: Path) -> None:
    with ProofStore(filled, TEXT) as store:
        store.save(0.5)
    for kinds, shares in (([Count.TOTAL], [None]), ([Count.LAST, Count.LAST], [0.5, None])):
        with ProofStore(filled, TEXT) as store:
            assert [store.begin(kind) for kind in kinds] == shares


@pytest.mark.slow
@pytest.mark.parametrize("guesses", [True, False], ids=["with guesses", "without"])
def test_stopped_proof_builds_the_strategy_of_the_stored_total(
    path: Path, monkeypatch: pytest.MonkeyPatch, guesses: bool
) -> None:
    game = Task(Rules(3, "0123456789"))
    monkeypatch.setattr(incumbent, "_SEARCHED", 90)
    for module in (solving, incumbent):
        monkeypatch.setattr(module, "QUICK", 6)
    searcher = SearchEngine(game.rules, "", consistent=False, memory=1 << 24)
    whole = solve(game).strategy
    assert whole

    def keep(store: ProofStore, cell: Subproblem, lower: int, upper: int, guess: str) -> None:
        name = canonical_turns(cell)
        best = name.permutation.of(guess) if guess else ""
        store.learn(BoundKey(Count.TOTAL, None, name.turns), CostBounds(lower, upper, best))

    def large(cell: Subproblem, guess: str) -> list[Subproblem]:
        return [part for part in searcher.divided(cell, guess) if searcher.count(part) > 6]

    start, poor = Subproblem(game.rules), 0
    with ProofStore(path, game_text(game)) as store:
        keep(store, start, 0, whole.cost.total_guesses, whole.tree.guess)
        for cell in large(start, whole.tree.guess):
            cost = searcher.run(cell)
            best = searcher.best_guess(cell, cost)
            keep(store, cell, cost, cost, best if guesses else "")
            for part in large(cell, best):
                guess = searcher.guesses(part)[-1][1]  # the guess with the highest bound, so a poor one
                upper = searcher.count(part) + sum(map(searcher.run, searcher.divided(part, guess)))
                poor += upper - searcher.run(part)
                keep(store, part, 0, upper, guess)
    assert poor > 0
    # the second run has no time to improve, but reads the bounds stored by the first
    for seconds in solving._IMPROVING, 0.0:
        monkeypatch.setattr(solving, "_IMPROVING", seconds)
        with pytest.raises(Stopped) as stopped:
            solve(game, budget=Budget(states=0), store=path)
        best_so_far = stopped.value.best
        assert isinstance(best_so_far, Solution)
        assert best_so_far.strategy
        assert best_so_far.strategy.cost == verify(best_so_far.strategy)
        assert best_so_far.strategy.cost.total_guesses == whole.cost.total_guesses
