"""The program without machine code: commands, pages and requests work or report it, and none needs POSIX."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from tests.bare import JOBS, MISSING, PAGES, PLAYS, QUESTIONS, SAYS, STATUS, Job, faults_of_job, words_of
from tests.cli.run import run
from tests.cli.test_main import COMMANDS
from tests.conftest import write_empty_manifest
from tests.web.client import APP, get

from yomikiri.api.engine import serve
from yomikiri.api.lines import REQUESTS as KINDS
from yomikiri.env import hitblow_match_v0, weighted_tictactoe_v0
from yomikiri.wording import use_language

ROOT = Path(__file__).parent.parent
# `web` runs until an interrupt; other tests request its pages. `site` needs a runtime that the tests lack.
ELSEWHERE = {("web",), ("site",)}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Create the input files of the jobs. This process still has machine code."""
    folder = tmp_path_factory.mktemp("files")
    made = {name: str(folder / name) for name in ("board", "output", "folder", "merged", "weights", "words", "tree")}
    made |= {
        name: str(folder / f"{name}.file") for name in ("strategy", "store", "race", "certificate", "words_certificate")
    }
    made |= {"python": sys.executable, "solution": str(ROOT / "tests/tictactoe/wrong/solution.py")}
    Path(made["board"]).write_text("1 2 3\n4 5 6\n7 8 9\n", encoding="utf-8")
    Path(made["words"]).write_text("crane\ncrate\nnight\n", encoding="utf-8")
    Path(made["weights"]).write_text("012,5\n013,2\n120,4\n", encoding="utf-8")
    for line in (
        "solve --symbols 01234 --output {strategy} --store {store} --certificate {certificate}",
        "race --digits 2 --symbols 0123 --store {race}",
    ):
        assert run("hitblow", *words_of(line, made)).exit_code == 0
    words = ("--secrets", made["words"])
    assert run("guess", "export", *words, "--output", made["tree"]).exit_code == 0
    assert run("guess", "solve", *words, "--certificate", made["words_certificate"]).exit_code == 0
    return made


def test_every_command_has_a_job():
    walked = {tuple(job.line.split(" && ")[-1].split()) for job in JOBS}
    for path in {*COMMANDS} - ELSEWHERE:
        below = any(other[: len(path)] == path and other != path for other in COMMANDS)
        assert below or any(words[: len(path)] == path for words in walked), path


def test_every_request_of_the_engine_is_tested():
    assert {question["request"] for question, _ends in QUESTIONS} == KINDS.keys()


def test_every_page_is_tested():
    asked = {page.partition("?")[0] for page in PAGES}
    routes = {route.path for route in APP.routes} if hasattr(APP, "routes") else set()
    assert routes - asked <= {"/qr.svg", "/play.svg", "/static/{name}"}, "they need nothing"


@pytest.mark.slow
@pytest.mark.usefixtures("no_machine_code")
@pytest.mark.parametrize(
    "job",
    [pytest.param(job, id=job.line, marks=[pytest.mark.exhaustive] * ("--policy all" in job.line)) for job in JOBS],
)
def test_command_works_or_reports_missing_machine_code(job: Job, files: dict[str, str]):
    for name in ("output", "merged"):
        Path(files[name]).unlink(missing_ok=True)
    assert not list(faults_of_job(job, files, "en"))
    if job.ends == SAYS:
        assert not list(faults_of_job(job, files, "ja"))


@pytest.mark.slow
@pytest.mark.usefixtures("no_machine_code")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_page_works_or_reports_missing_machine_code(page: str, language: str):
    answer = get(f"{page}{'&' if '?' in page else '?'}lang={language}")
    assert answer.status == STATUS[PAGES[page]], answer.text
    assert "Traceback" not in answer.html


@pytest.mark.usefixtures("no_machine_code")
@pytest.mark.parametrize("language", ["en", "ja"])
def test_engine_works_or_reports_missing_machine_code(language: str):
    use_language(language)
    output = io.BytesIO()
    serve(io.BytesIO(b"".join(json.dumps(question).encode() + b"\n" for question, _ends in QUESTIONS)), output)
    answers: list[dict[str, Any]] = [json.loads(line) for line in output.getvalue().splitlines()]
    for (question, ends), answer in zip(QUESTIONS, answers, strict=True):
        assert ("answer" in answer) is (ends == PLAYS), (question, answer)
        if ends == SAYS:
            assert answer["status"] == 2
            assert MISSING[language] in answer["error"]


@pytest.mark.usefixtures("no_machine_code")
def test_environments_need_no_machine_code():
    game = gymnasium.make("yomikiri/HitBlow-v0", digits=2, symbols="0123")
    game.reset(seed=1)
    over = False
    for guess in range(game.action_space.n):  # type: ignore[attr-defined]
        if not over:
            _seen, _reward, over, *_ = game.step(guess)
    assert over
    for two in (hitblow_match_v0.env(digits=2, symbols="0123"), weighted_tictactoe_v0.env()):
        two.reset(seed=1)
        two.step(0)


@pytest.mark.exhaustive
def test_package_works_without_posix_functions(files: dict[str, str], tmp_path: Path):
    """The package runs in a process without machine code and without the functions of POSIX."""
    for name in ("output", "merged"):
        Path(files[name]).unlink(missing_ok=True)
    write_empty_manifest(tmp_path)
    (tmp_path / "files").write_text(json.dumps(files))
    done = subprocess.run(
        [sys.executable, "-m", "tests.bare", str(tmp_path / "files")], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "YOMIKIRI_KERNELS": str(tmp_path)}, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "every job was done\n", "")
