"""Test the tests by mutation: change one operator or number of a module at a time, and see whether its tests fail.

    pip install -e '.[mutation]'            once, into the environment of scripts/test
    .venv/bin/python scripts/mutants.py checker [--minutes N] [--seed S]

This is a tool for development that no test runs. It works on a copy of the checkout, at the lowest priority, and lists
the mutants that survived. tests/mutants.md explains those of the checkers.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
HITBLOW, TESTS = "src/yomikiri/hitblow", "tests/hitblow"
TARGETS = {
    "checker": (
        f"{HITBLOW}/certificate/checker.py",
        " ".join(f"{TESTS}/certificate/test_{name}.py" for name in ("bounds", "forged", "checker")),
    ),
    "list-checker": ("src/yomikiri/guessing/certificate/checker.py", "tests/guessing/certificate/test_checker.py"),
    "verify": (f"{HITBLOW}/strategy/verify.py", f"{TESTS}/strategy/test_verify.py"),
    "rules": (
        f"{HITBLOW}/model/rules.py",
        f"{TESTS}/model/test_rules.py {TESTS}/model/test_codes.py {TESTS}/model/test_facts.py",
    ),
    "codes": (f"{HITBLOW}/model/codes.py", f"{TESTS}/model/test_codes.py"),
    "knowledge": (f"{HITBLOW}/model/knowledge.py", f"{TESTS}/model/test_knowledge.py {TESTS}/model/test_facts.py"),
    "position": ("src/yomikiri/tictactoe/position.py", "tests/tictactoe/test_position.py tests/common/test_svg.py"),
}
# One or two replacements per operator are enough, because the same tests kill the others.
LEFT_OUT = [
    "core/ReplaceBinaryOperator_(?!Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_Mul|Pow_Mul|LShift_RShift|"
    "RShift_LShift|BitAnd_BitOr|BitOr_BitAnd|BitXor_BitAnd)",
    "core/ReplaceComparisonOperator_(?!Eq_NotEq|Eq_LtE|NotEq_Eq|Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE|GtE_Gt|"
    "GtE_Lt|Is_IsNot|IsNot_Is)",
    "core/ReplaceUnaryOperator_(?!Delete)",
    "core/ExceptionReplacer",
]
CONFIG = """[cosmic-ray]
module-path = {module}
timeout = {seconds}
excluded-modules = []
test-command = {command}
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = {left_out}
"""


def main() -> None:
    """Test one module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--minutes", type=float, help="stop after so many minutes, with the mutants tried by then")
    parser.add_argument("--seed", type=int, default=0, help="try the mutants in the order of this seed")
    given = parser.parse_args()
    module, tests = TARGETS[given.target]
    with TemporaryDirectory(prefix="yomikiri-mutants-") as folder:
        copy = Path(folder)
        _copy_checkout(copy, module)
        command = f"'{sys.executable}' -m pytest -x -q -p no:cacheprovider {tests}"
        start = monotonic()
        _run(copy, command, None, shell=True)  # the tests must pass without a change
        seconds = 20 + 5 * (monotonic() - start)  # a mutant that takes longer counts as killed
        (copy / "config.toml").write_text(
            CONFIG.format(
                module=json.dumps(module), seconds=seconds, command=json.dumps(command), left_out=json.dumps(LEFT_OUT)
            ),
            encoding="utf-8",
        )
        _run(copy, [_tool("cosmic-ray"), "init", "config.toml", "session.sqlite"], None)
        _run(copy, [_tool("cr-filter-operators"), "session.sqlite", "config.toml"], None)
        _shuffle(copy / "session.sqlite", given.seed)
        try:
            _run(copy, [_tool("cosmic-ray"), "exec", "config.toml", "session.sqlite"], given.minutes)
        except subprocess.TimeoutExpired:
            print(f"stopped after {given.minutes:g} minutes")
        _copy_checkout(copy, module)  # undo the mutant that was being tried when the time was up
        for line in _report(copy / "session.sqlite", (copy / module).read_text(encoding="utf-8").splitlines()):
            print(line)


def _copy_checkout(copy: Path, module: str) -> None:
    """Copy sources and tests, and compile all modules but the mutated one.

    Python never compares this bytecode with the sources again.
    """
    unwanted = shutil.ignore_patterns("__pycache__", ".venv")
    for name in ("src", "tests", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=unwanted, dirs_exist_ok=True)
    shutil.copy(ROOT / "pyproject.toml", copy)
    manifest = copy / "src/yomikiri/machine/lib/kernels.json"
    unpinned = json.loads(manifest.read_text(encoding="utf-8")) | {"sources": [], "digest": sha256().hexdigest()}
    manifest.write_text(json.dumps(unpinned), encoding="utf-8")  # else each mutant of a kernel's source fails all tests
    compile_all = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "src"]
    subprocess.run(compile_all, cwd=copy, check=True)
    for file in (copy / module).parent.glob(f"__pycache__/{Path(module).stem}.*"):
        file.unlink()


def _tool(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def _run(copy: Path, command: str | list[str], minutes: float | None, *, shell: bool = False) -> None:
    """Run a command at the lowest priority, with the modules of the copy. No process of it outlives the time limit."""
    os.nice(19)
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPYCACHEPREFIX", None)
    seconds = None if minutes is None else 60 * minutes
    with (copy / "output").open("w+", encoding="utf-8") as output:
        process = subprocess.Popen(
            command, cwd=copy, env=environment, shell=shell, stdout=output, stderr=output, start_new_session=True
        )
        try:
            failed = process.wait(seconds)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        if failed:
            output.seek(0)
            sys.exit(f"{command}:\n{output.read()}")


def _shuffle(session: Path, seed: int) -> None:
    """Put the mutants into an order by chance, so that a run that is stopped has tried a fair sample."""
    with sqlite3.connect(session) as file:
        rows = file.execute("select job_id from work_items").fetchall()
        random.Random(seed).shuffle(rows)
        file.execute("delete from work_items")
        file.executemany("insert into work_items values (?)", rows)


def _report(session: Path, source: list[str]) -> Iterator[str]:
    """Yield the lines of the report: the score, and the mutants that survived."""
    file = sqlite3.connect(session)
    found = file.execute(
        "select test_outcome, worker_outcome, operator_name, start_pos_row, start_pos_col, occurrence, diff "
        "from work_results join mutation_specs using (job_id) order by start_pos_row, start_pos_col"
    ).fetchall()
    tried = [row for row in found if "SKIPPED" not in row[1]]
    outcomes = Counter("killed" if "KILLED" in row[0] or "INCOMPETENT" in row[0] else "survived" for row in tried)
    waiting = file.execute("select count(*) from work_items").fetchone()[0] - len(found)
    score = 100 * outcomes["killed"] / max(1, len(tried))
    yield f"{len(tried)} mutants tried, {outcomes['killed']} killed: {score:.1f} %; {waiting} not tried"
    for outcome, _worker, operator, row, column, _occurrence, diff in tried:
        if "SURVIVED" in outcome:
            changed = [line[1:].strip() for line in diff.splitlines() if line[:1] == "+" and line[:3] != "+++"]
            yield f"{row}:{column} {operator.removeprefix('core/')}"
            yield f"    {source[row - 1].strip()}"
            yield f"    {' '.join(changed)}"


if __name__ == "__main__":
    main()
