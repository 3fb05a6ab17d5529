"""The wheel: its contents, its metadata, and features whose data files are easily forgotten in a wheel.

In exhaustive tests the wheel is installed in a clean environment: built from the sdist, with the pinned versions, and
built from the checkout, with the lowest allowed versions. Otherwise it is unpacked.

No wheel is built in isolation and no kernel is compiled here, because both take minutes. The installation of a new
checkout does both with the same requirements, and `scripts/wheels` does both with the sdist.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass, replace
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from tests import outside
from tests.test_readme import LANGUAGES, elided, examples, fences, printed

from yomikiri import __version__

ROOT = Path(__file__).parent.parent
DEPENDENCIES: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "dependencies"
]


@dataclass(frozen=True)
class Distribution:
    """The built wheel and sdist, with Python to run the wheel outside the checkout."""

    wheel: Path
    sdist: Path
    python: Path
    folder: Path
    unpacked: str = ""
    readme: str = ""
    """The README whose examples the program runs."""

    def names(self) -> set[str]:
        with zipfile.ZipFile(self.wheel) as wheel:
            return set(wheel.namelist())

    def metadata_of(self, name: str) -> str:
        with zipfile.ZipFile(self.wheel) as wheel:
            return wheel.read(f"yomikiri-{__version__}.dist-info/{name}").decode("utf-8")

    def metadata(self) -> Message:
        return Parser().parsestr(self.metadata_of("METADATA"))

    def run(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run the program."""
        return self.python_with("-m", "yomikiri", *arguments, given=given)

    def python_with(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run Python in the folder with the wheel."""
        environment = outside.environment(PYTHONPATH=self.unpacked)
        return subprocess.run(
            [str(self.python), *arguments], input=given, capture_output=True, text=True, cwd=self.folder,
            env=environment, check=False,
        )  # fmt: skip


def step(*command: str | Path, cwd: Path = ROOT) -> None:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd=cwd, env=outside.environment(), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def in_new_environment(folder: Path, wheel: Path, constraints: Path) -> Path:
    """Install the wheel in an empty environment and return its Python."""
    python = folder / "venv/bin/python"
    step(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    pip(python, "install", "--no-compile", "--constraint", constraints, wheel)
    return python


def pip(python: Path, *arguments: str | Path) -> None:
    """Run the pip of this environment for another one."""
    step(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, *arguments)


@dataclass(frozen=True)
class Files:
    """The wheel and the sdist that the checkout gives."""

    wheel: Path
    sdist: Path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Build the wheel and the sdist with the backend of this environment.

    The build must not change the library, because other tests use it at the same time.
    """
    folder, before = tmp_path_factory.mktemp("made"), _library()
    step(sys.executable, "-m", "hatchling", "build", "--directory", folder)
    assert _library() == before, "a build that changes nothing writes nothing"
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Files(wheel, sdist)


def _library() -> dict[Path, int]:
    """Return the modification times of the files of the kernel library and of the list of its sources."""
    folders = ROOT / "build/kernels/lib", ROOT / "src/yomikiri/machine/lib"
    files = [*(path for folder in folders for path in folder.iterdir()), ROOT / "src/yomikiri/machine/sources.txt"]
    return {path: path.stat().st_mtime_ns for path in files}


def unpacked(made: Files, folder: Path) -> Distribution:
    """Unpack the wheel for the Python of this environment."""
    with zipfile.ZipFile(made.wheel) as file:
        file.extractall(folder / "unpacked")
    return Distribution(made.wheel, made.sdist, Path(sys.executable), folder, str(folder / "unpacked"))


def installed(made: Files, folder: Path) -> Distribution:
    """Build the wheel from the sdist, with the objects of the checkout, and install it with the pinned versions."""
    with tarfile.open(made.sdist) as sdist:
        sdist.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    # The objects are used only if their sources in the sdist are the same, byte for byte.
    shutil.copytree(ROOT / "build/kernels", source / "build/kernels")
    step(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=source)
    (wheel,) = folder.glob("*.whl")
    python = in_new_environment(folder, wheel, ROOT / "constraints.txt")
    return Distribution(wheel, made.sdist, python, folder, readme="README.ja.md")


def lowest(made: Files, folder: Path) -> Distribution:
    """Install with the lowest allowed versions."""
    constraints = folder / "lowest.txt"
    constraints.write_text("\n".join(DEPENDENCIES).replace(">=", "=="), encoding="utf-8")
    python = in_new_environment(folder, made.wheel, constraints)
    return Distribution(made.wheel, made.sdist, python, folder, readme="README.md")


@pytest.fixture(
    scope="module",
    params=[unpacked, *(pytest.param(each, marks=pytest.mark.exhaustive) for each in (installed, lowest))],
)
def built(request: pytest.FixtureRequest, made: Files, tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    """Return the sdist and the wheel of one kind of installation."""
    distribution: Distribution = request.param(made, tmp_path_factory.mktemp("dist"))
    return distribution


# Modules that only the build needs.
TO_BUILD = (
    "yomikiri/machine/compiler/",
    "yomikiri/machine/sources.txt",
    "yomikiri/tictactoe/search/kernels/compiled.py",
    "yomikiri/tictactoe/search/kernels/two_words.py",
)


def test_wheel_contains_exactly_the_package(built: Distribution):
    source = (path.relative_to(ROOT / "src") for path in (ROOT / "src/yomikiri").rglob("*") if path.is_file())
    wanted = {path.as_posix() for path in source if "__pycache__" not in path.parts and path.suffix != ".po"}
    wanted -= {name for name in wanted if name.startswith(TO_BUILD)}
    packed = {name for name in built.names() if not name.startswith(f"yomikiri-{__version__}.dist-info/")}
    assert packed == wanted
    assert "yomikiri/locale/ja/LC_MESSAGES/yomikiri.mo" in packed
    assert "yomikiri/machine/lib/LICENSE-numba.txt" in packed
    assert "yomikiri/py.typed" in packed


def test_metadata_contains_version_licence_and_description(built: Distribution):
    metadata = built.metadata()
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert "読み切り" in str(metadata.get_payload())
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert f"yomikiri-{__version__}.dist-info/licenses/LICENSE" in built.names()


def test_description_has_no_relative_links_or_pictures(built: Distribution):
    description = str(built.metadata().get_payload())
    assert re.findall(r"\]\((?!https?:)[^)]*\)|<img[^>]*>", description) == []
    assert "docs/guide/match.md has the rest." in description


def test_sdist_contains_files_for_building_and_testing(built: Distribution):
    with tarfile.open(built.sdist) as sdist:
        packed = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"pyproject.toml", "hatch_build.py", "constraints.txt", "README.md", "README.ja.md"} <= packed
    assert {
        "scripts/test",
        "scripts/install.py",
        "tests/conftest.py",
        "docs/reference/concepts.md",
        "LICENSE",
    } <= packed
    assert not {name for name in packed if name.startswith((".venv", ".git/", "dist"))}


def test_program_runs_as_module_and_script(built: Distribution):
    version = f"yomikiri {__version__}\n"
    assert built.run("--version").stdout == version
    entry = (built.metadata_of("entry_points.txt")).splitlines()
    assert entry == ["[console_scripts]", "yomikiri = yomikiri.cli.main:main"]
    if not built.unpacked:
        step(built.python.with_name("yomikiri"), "--version", cwd=built.folder)


def test_installed_program_speaks_japanese(built: Distribution):
    done = built.run("--lang", "ja", "nonsense")
    assert done.returncode == 2
    assert done.stderr.startswith("エラー：'nonsense' というコマンドはありません。")


def test_installed_program_plays_both_games(built: Distribution):
    assert "2. Guess " in built.run(given="0H1B\n").stdout
    assert built.run("tictactoe", "winner", given="-1 1 0\n-4 -2 -5\n-4 -1 -5\n").stdout == "Aoki\n"


def test_examples_of_the_readmes_need_no_checkout(built: Distribution):
    """One README is enough for each environment, because tests/test_readme.py covers all pages."""
    blocks = fences(built.readme) if built.readme else []
    for example in (each for kind, block in blocks if kind == "console" for each in examples(block)):
        in_environment = replace(example, command=example.command.replace("scripts/run", "yomikiri"))
        shown = printed(in_environment, LANGUAGES[built.readme], built.folder, str(built.python), PYTHONPATH="")
        assert elided(shown, example.printed) == example.printed, in_environment.command


# Use the dependencies that a start does not load: linear programs, machine code, tables, the page, QR codes.
USED = """
import threading, urllib.request
import numpy as np
from yomikiri.api.schema import DOCUMENTS, schema_of
from yomikiri.hitblow import Rules, Terms, race_value
from yomikiri.tictactoe import winners
from yomikiri.web.app import create_app
from yomikiri.web.serve import LOOPBACK, endpoint, listen, server

print(all(schema_of(name) for name in DOCUMENTS))
print(race_value(Terms(Rules(2, "012")), "private").lower)
print(winners(np.array([[[-1, 1, 0], [-4, -2, -5], [-4, -1, -5]]])).tolist())
listener, where = listen(endpoint(lan=False), 0), f"http://{LOOPBACK}"
page = server(create_app())
thread = threading.Thread(target=page.run, kwargs={"sockets": [listener]})
thread.start()
with urllib.request.urlopen(f"{where}:{listener.getsockname()[1]}/hitblow?v=1&turn=012:0H1B") as answer:
    print(answer.status, "134" in answer.read().decode())
page.should_exit = True
thread.join()
import segno, rich.progress, rich.table
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("built", [installed, lowest], indirect=True)
def test_each_dependency_works(built: Distribution):
    done = built.python_with("-c", USED)
    assert (done.stdout, done.stderr) == ("True\n25/36\n[-1]\n200 True\n", "")
    answer = built.run("hitblow", "simulate", "--policy", "likely", "--json")
    assert '"total_guesses":3792' in answer.stdout.replace(" ", ""), answer.stderr
    assert built.run("engine", given='{"id": 1, "request": "hello"}\n').stdout.startswith('{"id":1,"answer":')


@pytest.mark.exhaustive
@pytest.mark.parametrize("built", [installed], indirect=True)
def test_type_checkers_see_the_types_of_the_package(built: Distribution):
    program = "from yomikiri.hitblow import Rules\nreveal_type(Rules(3, '0123456789').digits)\n"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", built.python, "-c", program],
        capture_output=True, text=True, cwd=built.folder, env=outside.environment(), check=False,
    )  # fmt: skip
    assert 'Revealed type is "int"' in done.stdout


@pytest.mark.exhaustive
@pytest.mark.parametrize("built", [installed], indirect=True)
def test_uninstall_leaves_no_files(built: Distribution):
    assert built.run("hitblow", "suggest", "345:0H1B", "012:0H1B").returncode == 0
    (packages,) = (built.folder / "venv/lib").glob("python*/site-packages")
    assert (packages / "yomikiri").exists()
    pip(built.python, "uninstall", "--yes", "yomikiri")
    try:
        assert list((built.folder / "venv").rglob("*yomikiri*")) == []
    finally:
        pip(built.python, "install", "--no-deps", "--no-index", "--no-compile", built.wheel)
