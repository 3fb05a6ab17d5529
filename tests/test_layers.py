"""Imports of every module, compared with the layers in docs/reference/concepts.md."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.sources import SOURCE, trees

CONCEPTS = Path(__file__).parent.parent / "docs/reference/concepts.md"
GAMES = ("yomikiri.hitblow", "yomikiri.tictactoe")
HEAVY = {"numpy", "numba", "llvmlite", "highspy", "msgspec", "rich", "filelock", "psutil"}
# Modules that compile the kernels. Wheels do not contain them, and other modules do not import them.
COMPILING = (
    "yomikiri.machine.compiler",
    "yomikiri.tictactoe.search.kernels.compiled",
    "yomikiri.tictactoe.search.kernels.two_words",
)


def layers() -> dict[str, list[str]]:
    """Return the layers of each package in the order of docs/reference/concepts.md, uppermost first."""
    block = re.search(r"```layers\n(.*?)```", CONCEPTS.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    found: dict[str, list[str]] = {}
    for part in block[1].strip().split("\n\n"):
        package, *lines = part.splitlines()
        found[package] = [line.split()[0] for line in lines]
    return found


LAYERS = layers()


def imports(module: str) -> Iterator[str]:
    """Yield all modules that `module` imports, including imports inside functions."""
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute here"
            assert node.module
            for alias in node.names:
                # `from package import module` names a module, `from module import name` does not.
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in trees() else node.module


def inside(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def layer(module: str, package: str) -> str | None:
    """Return the layer of `module` in `package`, or None for the package itself and for modules outside it."""
    return module.removeprefix(package + ".").partition(".")[0] if module.startswith(package + ".") else None


def modules(*packages: str) -> list[str]:
    return [module for module in trees() if any(inside(module, package) for package in packages)]


@pytest.mark.parametrize("package", LAYERS)
def test_modules_import_only_from_allowed_layers(package: str):
    order = LAYERS[package]
    for module in modules(package):
        own = layer(module, package)
        if own in (None, "__main__"):
            # The package itself only exports public names.
            continue
        assert own in order, f"{module} is missing from docs/reference/concepts.md"
        for imported in imports(module):
            other = layer(imported, package)
            assert other is None or order.index(other) <= order.index(own), f"{module} imports {imported}"
            assert imported != package or package == "yomikiri", f"{module} imports its own package"


def test_imports_have_no_cycle():
    """Imports inside functions and imports for type checking count."""
    graph = {module: {imported for imported in imports(module) if imported in trees()} - {module} for module in trees()}
    while free := {module for module, imported in graph.items() if not imported & graph.keys()}:
        graph = {module: imported for module, imported in graph.items() if module not in free}
    assert graph == {}


def test_kernels_import_no_ordinary_python():
    """Kernels use numbers and arrays, and from other modules only constants."""
    shared = {
        "yomikiri.guessing.costs",
        "yomikiri.hitblow.model.rules",
        "yomikiri.tictactoe.search.rules",
        "yomikiri.tictactoe.search.layout",
    }
    for module in (module for module in trees() if ".kernels." in module):
        inside = {imported for imported in imports(module) if imported.startswith("yomikiri.")}
        assert not {name for name in inside - shared if ".kernels." not in name and ".machine." not in name}, module


def test_only_the_build_imports_a_compiler():
    """Modules that need a compiler are imported by the build only, because wheels do not contain them."""
    for module in trees():
        if not any(inside(module, part) for part in COMPILING):
            for imported in imports(module):
                assert imported.partition(".")[0] not in ("numba", "llvmlite"), f"{module} imports {imported}"
                assert not any(inside(imported, part) for part in COMPILING), f"{module} imports {imported}"


@pytest.mark.parametrize(("game", "other"), [GAMES, GAMES[::-1]])
def test_games_never_import_each_other(game: str, other: str):
    for module in modules(game):
        assert not [imported for imported in imports(module) if inside(imported, other)], module


def test_verifier_imports_only_rules_and_strategies():
    """This includes indirect imports. The module of SVG pictures is allowed, because it imports only libraries."""
    strategy = "yomikiri.hitblow.strategy"
    plain = {"yomikiri.common.enums", "yomikiri.common.errors", "yomikiri.common.svg", f"{strategy}.strategy"}
    plain |= {f"yomikiri.hitblow.model.{name}" for name in ("rules", "partial_answers", "facts", "prior")}
    for module in (f"{strategy}.verify", *plain):
        for imported in imports(module):
            assert imported in plain or imported.partition(".")[0] in sys.stdlib_module_names, f"{module}: {imported}"


def test_wording_imports_only_types_and_writers_of_the_games():
    """Types, constants and writers of notation are allowed, because wording computes no results."""
    writers = {"write_hint", "write_answer", "write_moves", "no_code_fits"}
    for module in modules("yomikiri.wording"):
        for node in ast.walk(trees()[module]):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(GAMES):
                for alias in node.names:
                    taken = getattr(import_module(node.module), alias.name)
                    assert isinstance(taken, type) or alias.name in writers, f"{module}: {alias.name}"


SEARCHES = ("search", "position_search", "kernels", "policies", "machine", "certificate", "solver", "valuation")


def test_wording_loads_no_search():
    """Sentences need values only. Imports for type checking load nothing."""
    names = ", ".join(modules("yomikiri.wording"))
    program = f"import sys, {names}; print(*(name for name in sys.modules if name.startswith('yomikiri')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "yomikiri.wording.hitblow" in loaded
    assert [name for name in loaded if set(name.split(".")) & set(SEARCHES)] == []
    race = [name for name in loaded if name.startswith("yomikiri.hitblow.race.")]
    assert race == ["yomikiri.hitblow.race.terms"]


def test_base_of_policies_imports_no_policy():
    assert not [imported for imported in imports("yomikiri.hitblow.policies.base") if ".policies" in imported]


CHECKERS = {"yomikiri.hitblow.certificate.checker", "yomikiri.guessing.certificate.checker"}


@pytest.mark.parametrize("checker", sorted(CHECKERS))
def test_certificate_checker_imports_no_module_of_the_package(checker: str):
    """The checkers are separate programs that need only numpy."""
    known = {*sys.stdlib_module_names, "numpy"}
    assert {imported.partition(".")[0] for imported in imports(checker)} <= known


def test_games_do_no_input_or_output():
    for module in set(modules(*GAMES)) - CHECKERS:
        assert not {imported.partition(".")[0] for imported in imports(module)} & {"click", "rich", "logging"}, module
        for node in ast.walk(trees()[module]):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "input", "open", "breakpoint"), f"{module}:{node.lineno}"
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("stdin", "stdout", "stderr"), f"{module}:{node.lineno}"


LOADED = """
import sys
try:
    {statement}
except SystemExit:
    pass
print(*sorted({{name.partition(".")[0] for name in sys.modules}} & {heavy}), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("statement", "typed", "allowed"),
    [
        ("import yomikiri.cli.main", "", set()),
        ("import yomikiri.hitblow", "", set()),
        ("import yomikiri.tictactoe", "", set()),
        ("from yomikiri.hitblow import Rules, Knowledge, Assistant, suggest", "", set()),
        ("from yomikiri.cli.main import cli; cli.main(['hitblow', 'assist'])", "", set()),
        ("from yomikiri.cli.main import cli; cli.main(['hitblow', 'assist'])", "0H1B\n", {"numpy", "filelock"}),
        ("from yomikiri.cli.main import cli; cli.main(['tictactoe', 'winner'])", "1 2 3\n4 5 6\n7 8 9\n", set()),
    ],
)
def test_heavy_packages_are_loaded_on_demand(statement: str, typed: str, allowed: set[str]):
    program = LOADED.format(statement=statement, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", program], input=typed, capture_output=True, text=True, check=True)
    *errors, loaded = done.stderr.splitlines()
    assert errors == []
    assert set(loaded.split()) <= allowed


PROGRAM = """
import sys
from yomikiri.cli.main import main
sys.argv = ["yomikiri", *{arguments}]
try:
    main()
except SystemExit:
    pass
print(*sorted({asked} & {{*sys.modules}}), file=sys.stderr)
"""
# Packages and modules that are slow to load; each fast command below lists those that it needs.
SLOW = HEAVY | {
    "asyncio", "email", "http", "multiprocessing", "numpy.random", "sqlite3", "starlette", "yomikiri.cli.terminal",
    "yomikiri.api.results", "yomikiri.hitblow.model.knowledge", "yomikiri.hitblow.race.depth_weighted",
    "yomikiri.hitblow.race.public.race", "yomikiri.hitblow.search.engine", "yomikiri.hitblow.search.solve",
    "yomikiri.hitblow.search.weighted_codes", "yomikiri.tictactoe.search.solver", "yomikiri.web",
    "yomikiri.wording.tictactoe",
}  # fmt: skip
GAME = {"numpy", "yomikiri.hitblow.model.knowledge"}
SEARCHED = GAME | {"yomikiri.hitblow.search.engine"}


@pytest.mark.parametrize(
    ("arguments", "typed", "needed"),
    [
        ("--version", "", set()),
        ("-h", "", {"yomikiri.hitblow.model.knowledge"}),
        ("hitblow suggest -h", "", {"yomikiri.hitblow.model.knowledge"}),
        ("hitblow candidates 012:0H1B", "", GAME),
        ("hitblow suggest 012:0H1B 034:1H0B", "", SEARCHED),
        ("hitblow match", "", GAME | {"yomikiri.cli.terminal", "yomikiri.hitblow.race.depth_weighted"}),
        ("tictactoe winner", "1 2 3\n4 5 6\n7 8 9\n", {"yomikiri.cli.terminal"}),
        (
            "tictactoe analyze --board=1,2,3/4,5,6/7,8,9",
            "",
            {"yomikiri.cli.terminal", "yomikiri.tictactoe.search.solver", "yomikiri.wording.tictactoe"},
        ),
    ],
)
def test_commands_load_only_the_modules_they_need(arguments: str, typed: str, needed: set[str]):
    program = PROGRAM.format(arguments=arguments.split(), asked=SLOW)
    done = subprocess.run([sys.executable, "-c", program], input=typed, capture_output=True, text=True, check=True)
    *errors, loaded = done.stderr.splitlines()
    assert errors == []
    assert set(loaded.split()) == needed


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not list the threads of a process")
def test_short_commands_start_no_threads():
    """NumPy would start a thread for each further core."""
    program = "import os; from yomikiri.cli.main import main; from atexit import register; import sys\n"
    program += "register(lambda: print(*os.listdir('/proc/self/task'), file=sys.stderr))\n"
    program += "sys.argv = ['yomikiri', 'hitblow', 'candidates', '012:0H1B']; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert len(done.stderr.split()) == 1


def test_processes_are_spawned_not_forked():
    """A forked process can wait forever for a lock of a thread that does not exist in it."""
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "os.fork" not in text, path
        if re.search(r"\bPool\(|ProcessPoolExecutor\(", text):
            assert 'get_context("spawn")' in text, path
