"""`yomikiri hitblow solve`: proven results, impossible objectives, and incumbents of stopped searches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.run import interrupted, run
from tests.terminal import Terminal

from yomikiri.common.budget import Budget, Progress


def test_solve_prints_proof_evidence_and_distribution():
    lines = run("hitblow", "solve").stdout.splitlines()
    assert lines[:-2] == [
        "Game: 3 digits of 0123456789, all different",
        "Objective: fewest guesses on average",
        "Proven optimal: no strategy does better.",
        "Evidence: proven by a search, without a certificate.",
        "3575 guesses for 720 secrets: mean 4.9653, at most 7",
    ]
    assert lines[-2].startswith("Found at guess 1, 2, 3, ...: 1 4 ")
    assert lines[-1].endswith(" s for the tie-break")


def test_solve_json_contains_the_documented_keys():
    document = json.loads(run("hitblow", "solve", "--absent", "7", "--objective", "worst", "--json").stdout)
    assert document["start"] == {"absent": "7", "turns": []}
    assert (document["secrets"], document["total_guesses"], document["max_guesses"]) == (504, 2337, 6)
    assert sum(document["histogram"]) == 504
    assert (document["proof"], document["lower_bound"]) == ("optimal", 2337)
    assert document["nodes"] > 0
    assert document["cpu_seconds"] >= 0
    assert document["tie_break_cpu_seconds"] >= 0


def test_impossible_objective_is_a_result():
    result = run("hitblow", "solve", "--within", "5", "--json")
    document = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (document["proof"], document["total_guesses"], document["max_guesses"]) == ("impossible", None, None)
    assert "Proven impossible" in run("hitblow", "solve", "--within", "5").stdout


def test_solve_starts_from_given_turns():
    document = json.loads(run("hitblow", "solve", "012:0H3B", "--json").stdout)
    assert (document["total_guesses"], document["histogram"]) == (3, [1, 1])


INTERRUPTED = "Interrupted, not proven optimal: no strategy for this objective takes fewer than "
BUILDING = "Building the best strategy found so far. Press Ctrl-C to skip this."


@pytest.mark.exhaustive
def test_interrupted_search_prints_incumbent_and_bound():
    with Terminal("hitblow", "solve", "--digits", "5", "--symbols", "01234567") as terminal:
        terminal.read_until("at least")
        terminal.type("\x03")
        shown = terminal.read_until(INTERRUPTED)
        assert "Objective: fewest guesses on average" in shown
        terminal.read_until(BUILDING)
        terminal.read_until("guesses for 6720 secrets")
        assert terminal.wait() == 130


def test_second_interrupt_stops_building_the_strategy():
    with Terminal("hitblow", "solve", "--digits", "5") as terminal:
        terminal.read_until("at least")
        terminal.type("\x03")
        assert "Game: 5 digits of 0123456789" in terminal.read_until(INTERRUPTED)
        terminal.read_until(BUILDING)
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown


@pytest.fixture
def interrupt_during_construction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate Ctrl-C while the strategy is being built."""

    def interrupt(*_of_incumbent: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("yomikiri.hitblow.search.proof.incumbent.Incumbent.finish", interrupt)


@pytest.mark.usefixtures("stopped", "interrupt_during_construction")
@pytest.mark.parametrize("as_json", [False, True])
def test_bounds_are_printed_before_the_strategy_is_built(as_json: bool, tmp_path: Path):
    output = tmp_path / "strategy.json"
    game = "--digits", "5", "--symbols", "01234567"
    result = run("hitblow", "solve", *game, "--output", str(output), *(["--json"] if as_json else []))
    assert result.exit_code == 130
    if as_json:
        said = result.stderr
        assert result.stdout == ""
    else:
        first, objective, said = result.stdout.split("\n", 2)
        assert first == "Game: 5 digits of 01234567, all different"
        assert objective == "Objective: fewest guesses on average"
    assert said.startswith(INTERRUPTED)
    assert "guesses for" not in said
    assert not output.exists()


# Much shorter than the time to build a strategy of such a game from scratch.
SOON = 8.0  # limit of the CPU seconds of all threads after the interrupt
SMALLER = "--digits", "5", "--symbols", "01234567"
LARGE = "--digits", "5", "--symbols", "0123456789", "--no-ties"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "secrets", "after"),
    [
        pytest.param(LARGE, 30240, 1.2, marks=pytest.mark.exhaustive),
        (SMALLER, 6720, 1.2),
        pytest.param((*SMALLER, "--repeats", "all"), 32768, 9, marks=pytest.mark.release),
        pytest.param((*LARGE, "--workers", "1"), 30240, 9, marks=pytest.mark.exhaustive),
        pytest.param((*LARGE, "--workers", "2"), 30240, 30, marks=pytest.mark.release),  # workers start after 10 s
    ],
    ids=["early", "smaller", "Mastermind", "later", "threads"],
)  # fmt: skip
def test_interrupt_with_json_soon_gives_a_complete_document(game: tuple[str, ...], secrets: int, after: float):
    ended = interrupted("hitblow", "solve", *game, "--json", after=after)
    document = json.loads(ended.shown)
    assert (ended.status, document["proof"], document["secrets"]) == (130, "heuristic", secrets)
    assert 0 < document["lower_bound"] < document["total_guesses"]
    assert document["nodes"] > 0
    assert ended.seconds < SOON


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "secrets", "after"),
    [(SMALLER, 6720, 1.5), pytest.param(LARGE, 30240, 2.5, marks=pytest.mark.exhaustive)],
    ids=["5 of 8", "5 of 10"],
)
def test_interrupt_soon_ends_a_proof_resumed_from_a_store(
    rules: tuple[str, ...], secrets: int, after: float, tmp_path: Path
):
    store, output = str(tmp_path / "proof.store"), tmp_path / "strategy.json"
    game = "hitblow", "solve", *rules, "--store", store, "--output", str(output)
    bounds = []
    for _run in range(2):
        ended = interrupted(*game, after=after)
        assert (ended.status, ended.seconds < SOON) == (130, True)
        bounds.append(int(re.findall(r"no strategy for this objective takes fewer than (\d+)", ended.shown)[0]))
        assert f"guesses for {secrets} secrets" in ended.shown
        assert "Correct: every secret was replayed" in run("hitblow", "verify", str(output)).stdout
    assert bounds[0] <= bounds[1]


@pytest.mark.slow
def test_interrupt_at_a_terminal_soon_shows_the_incumbent():
    with Terminal("hitblow", "solve", *SMALLER) as terminal:
        terminal.read_until("at least")
        terminal.type("\x03")
        terminal.read_until(INTERRUPTED)
        terminal.read_until("guesses for 6720 secrets")
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop every search at its third progress report."""

    @contextmanager
    def soon(*_line: object) -> Iterator[Budget]:
        reports: list[Progress] = []
        yield Budget(cancelled=lambda: len(reports) >= 3, progress=reports.append)

    monkeypatch.setattr("yomikiri.cli.hitblow_strategy.searching", soon)


@pytest.mark.usefixtures("stopped")
def test_interrupted_search_is_heuristic_with_a_lower_bound():
    result = run("hitblow", "solve", "--preset", "bulls", "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["proof"]) == (130, "heuristic")
    # The bounds are equal if only the tie-breaks were still unproven.
    assert document["lower_bound"] <= 26274 <= document["total_guesses"]


@pytest.mark.usefixtures("stopped")
def test_interrupt_without_incumbent_prints_the_bound():
    result = run("hitblow", "solve", "--preset", "bulls", "--within", "6", "--json")
    assert (result.exit_code, result.stdout) == (130, "")
    assert re.fullmatch(rf"{INTERRUPTED}2\d{{4}} guesses in total.\n", result.stderr)


def test_store_resumes_a_proof_and_invalid_stores_are_refused(tmp_path: Path):
    store, text = str(tmp_path / "proof.store"), tmp_path / "text"
    first, again = (run("hitblow", "solve", "--symbols", "01234567", "--store", store, "--json") for _ in range(2))
    figures = ("total_guesses", "max_guesses", "histogram", "proof")
    one, other = (json.loads(result.stdout) for result in (first, again))
    assert [one[figure] for figure in figures] == [other[figure] for figure in figures]
    text.write_text("nothing of the kind")
    for given, said in (
        (str(text), "not a store of this command"),
        (str(tmp_path), "cannot be used as a store"),
        (store, "another game"),
    ):
        result = run("hitblow", "solve", "--store", given)
        assert (result.exit_code, said in result.stderr) == (2, True), result.stderr
        assert result.stderr.count("\n") == 1


def test_no_ties_is_stated_in_the_output():
    result = run("hitblow", "solve", "--symbols", "012345", "--no-ties")
    assert "Proven: no strategy takes fewer guesses in total. Another with this total may have a smaller maximum." in (
        result.stdout.splitlines()
    )
    assert json.loads(run("hitblow", "solve", "--symbols", "012345", "--no-ties", "--json").stdout)["ties"] is False
    result = run("hitblow", "solve", "--symbols", "012345", "--no-ties", "--objective", "worst")
    assert (
        "Proven: no strategy with this maximum takes fewer guesses in total. "
        "Another may need the maximum for fewer secrets."
    ) in result.stdout.splitlines()
    refused = run("hitblow", "solve", "--no-ties", "--objective", "last")
    assert refused.exit_code == 2


def test_objective_last_minimizes_secrets_at_the_maximum_before_the_total():
    lines = run("hitblow", "solve", "--preset", "mastermind", "--objective", "last").stdout.splitlines()
    assert lines[1:6] == [
        "Objective: fewest guesses in the worst case, then fewest secrets with that worst case, then fewest on average",
        "Proven optimal: no strategy does better.",
        "Evidence: proven by a search, without a certificate.",
        "5627 guesses for 1296 secrets: mean 4.3418, at most 5",
        "Found at guess 1, 2, 3, ...: 1 8 77 671 539",
    ]


@pytest.mark.slow
def test_output_holds_proven_and_heuristic_strategies(tmp_path: Path):
    file = str(tmp_path / "strategy.json")
    for more, proof in (((), "optimal"), (("--preset", "bulls", "--seconds", "0", "--force"), "heuristic")):
        result = run("hitblow", "solve", "--output", file, *more, "--json")
        assert (result.exit_code, json.loads(result.stdout)["proof"]) == (0, proof)
        assert run("hitblow", "verify", file).exit_code == 0
