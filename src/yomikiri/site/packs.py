"""The application with its compiled kernels, and NumPy, as two packs. A pack is a file that contains many files.

A browser runs the modules in Pyodide, a Python for browsers. While the site is built, Node.js runs the same Pyodide to
compile the modules to bytecode.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from yomikiri.common.errors import N_, InputError
from yomikiri.machine.library import PACKAGE, in_checkout
from yomikiri.site import own_list
from yomikiri.site.runtime import LIBRARY, Runtime, unpack_numpy
from yomikiri.web.own_game import OwnGame

BROWSER = Path(__file__).parent / "browser"
PACKS = ("app.pack", "numpy.pack")
DEPENDENCIES = ("starlette", "anyio", "jinja2", "markupsafe")
# The platform for which the kernels are compiled, the folder of the compiled library, and the packages needed to
# compile.
_TARGET = "wasm32"
_MADE = PACKAGE.parent.parent / "build" / _TARGET / "lib"
_NEEDED = ("numba", "llvmlite", "ziglang")
# Parts of the package that no page in a browser needs: other interfaces, the compiler, and its results.
_LEFT_OUT = (
    "api",
    "cli",
    "env",
    "saves.py",
    "hitblow/certificate",
    "hitblow/search/proof",
    "machine/compiler",
    "machine/lib",
    "machine/sources.txt",
    "site/browser",
    "tictactoe/checker.py",
    "tictactoe/flawed.py",
    "tictactoe/mistakes.py",
    "tictactoe/programs.py",
    "tictactoe/search/kernels/compiled.py",
    "tictactoe/search/kernels/two_words.py",
    "web/serve.py",
    "web/templates",
    "wording/tictactoe_check.py",
)
# Files of the dependencies that a browser does not need: machine code, types and tests.
_NOT_COPIED = [
    "__pycache__",
    "*.so",
    "*.c",
    "*.pyi",
    "*.typed",
    "_backends",
    "_speedups*",
    "tests",
    "testclient.py",
    "staticfiles.py",
    "pytest_plugin.py",
    "ext.py",
    "sandbox.py",
]


def make(runtime: Runtime, folder: Path, own: OwnGame | None = None) -> dict[str, str]:
    """Write the packs into a folder. Returns the texts of the licences of their contents, by name.

    `own` is the game with the user's own lists of codes, or None. The site lists this game before all others. Raises an
    `InputError` if Node.js or another part needed to compile is missing, or if the compilation fails.
    """
    node = shutil.which("node")
    if node is None:
        raise InputError(N_("compiling the pages for browsers needs Node.js: expected `node` on the path"))
    licences = {"NumPy": unpack_numpy(runtime.numpy, folder / "files" / "numpy")}
    app = folder / "files" / "app"
    _copy_package(app / "yomikiri")
    if own:
        (app / "yomikiri" / "site" / own_list.NAME).write_text(own_list.write_own(own), encoding="utf-8")
    _compile_kernels(app / "yomikiri" / "machine" / "lib")
    for name in DEPENDENCIES:
        _copy_dependency(name, app)
        licences[name] = licence_of(name)
    shutil.copy(runtime.folder / LIBRARY, folder / "library.zip")
    for name in ("pack.py", "pack.mjs"):
        shutil.copy(BROWSER / name, folder)
    command = [node, str(folder / "pack.mjs"), str(runtime.folder), str(folder)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        last = (made.stderr.strip().splitlines() or [""])[-1]
        raise InputError(N_("{given} could not compile the pages: {reason}"), given=node, reason=last)
    python = json.loads(made.stdout.splitlines()[-1])["python"]
    if python != runtime.python:
        raise InputError(
            N_("{given} runs Python {found}: expected {expected}, as in its lock file"),
            given=str(runtime.folder),
            found=python,
            expected=runtime.python,
        )
    return licences


def _compile_kernels(into: Path) -> None:
    """Compile the kernels that have changed, and copy their library into a new folder.

    Raises an `InputError` outside a checkout of the repository, or if a package for compiling is missing.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if not in_checkout() or missing:
        raise InputError(
            N_(
                "compiling the kernels for browsers needs {needed}: run pip install -e '.[dev,site]' in a checkout "
                "of the repository"
            ),
            needed=", ".join(_NEEDED),
        )
    compiler = PACKAGE / "machine" / "compiler" / "__main__.py"
    subprocess.run([sys.executable, str(compiler), _TARGET], check=True)
    shutil.copytree(_MADE, into)


def _copy_package(target: Path) -> None:
    """Copy the modules of this package that pages need. The templates are copied as Python modules."""
    from yomikiri.web.pages import COMPILED, TEMPLATES, templates

    left_out = {PACKAGE / name for name in _LEFT_OUT}

    def excluded(folder: str, names: list[str]) -> set[str]:
        ends = (".po", ".typed", ".tmp")
        return {
            each for each in names if each == "__pycache__" or each.endswith(ends) or Path(folder, each) in left_out
        }

    shutil.copytree(PACKAGE, target, ignore=excluded)
    compiled = target / COMPILED.relative_to(PACKAGE)
    templates().compile_templates(compiled, zip=None)
    (compiled / TEMPLATES).write_text("\n".join(templates().list_templates()), encoding="utf-8")


def _copy_dependency(name: str, target: Path) -> None:
    """Copy an installed package without its compiled parts, if it has any."""
    found = find_spec(name)
    assert found is not None
    assert found.origin is not None
    origin = Path(found.origin)
    if origin.name != "__init__.py":
        shutil.copy(origin, target)
        return
    ignore = shutil.ignore_patterns(*_NOT_COPIED)
    shutil.copytree(origin.parent, target / name, ignore=ignore)


def licence_of(name: str) -> str:
    """Return the text of the licence of an installed package. Raises an `InputError` if the package has none."""
    try:
        files = distribution(name).files or []
    except PackageNotFoundError:
        files = []
    texts = [str(file.read_text()) for file in files if "licenses/" in str(file)]
    if not texts:
        raise InputError(N_("{given} has no licence file: install the package from the package index"), given=name)
    return "\n\n".join(texts)
