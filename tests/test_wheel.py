"""The wheel: what it holds, and what is most easily lost on the way is used from there.

Exhaustive: made from the sdist and installed in a clean environment, as by those who use it. Otherwise made from the
checkout and unpacked.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from tests import outside

from yomikiri import __version__

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Distribution:
    """What was built, and how to run Python with the wheel, far from the checkout."""

    wheel: Path
    sdist: Path
    python: Path
    folder: Path
    unpacked: str = ""

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
        return subprocess.run(
            [str(self.python), "-m", "yomikiri", *arguments], input=given, capture_output=True, text=True,
            cwd=self.folder, env=outside.environment(PYTHONPATH=self.unpacked), check=False,
        )  # fmt: skip


def step(*command: str | Path, cwd: Path = ROOT) -> None:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd=cwd, env=outside.environment(), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def unpacked(folder: Path) -> Distribution:
    """Made by the build backend of this environment."""
    step(sys.executable, "-m", "hatchling", "build", "--directory", folder)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "unpacked")
    return Distribution(wheel, sdist, Path(sys.executable), folder, str(folder / "unpacked"))


def installed(folder: Path) -> Distribution:
    """Made in isolation, the wheel from the sdist, and installed with the pinned versions."""
    step(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    python = folder / "venv/bin/python"
    step(sys.executable, "-m", "venv", folder / "venv")
    step(python, "-m", "pip", "install", "-qq", "--constraint", ROOT / "constraints.txt", wheel)
    return Distribution(wheel, sdist, python, folder)


@pytest.fixture(scope="module", params=[unpacked, pytest.param(installed, marks=pytest.mark.exhaustive)])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    """The sdist and the wheel, ready to be used."""
    made: Distribution = request.param(tmp_path_factory.mktemp("dist"))
    return made


def test_the_wheel_holds_the_whole_package_and_nothing_else(built: Distribution):
    source = (path.relative_to(ROOT / "src") for path in (ROOT / "src/yomikiri").rglob("*") if path.is_file())
    wanted = {path.as_posix() for path in source if "__pycache__" not in path.parts}
    packed = {name for name in built.names() if not name.startswith(f"yomikiri-{__version__}.dist-info/")}
    assert packed == wanted
    assert "yomikiri/locale/ja/LC_MESSAGES/yomikiri.mo" in packed
    assert "yomikiri/py.typed" in packed


def test_the_metadata_names_version_licence_and_page(built: Distribution):
    metadata = built.metadata()
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert "読み切り" in str(metadata.get_payload())
    assert f"yomikiri-{__version__}.dist-info/licenses/LICENSE" in built.names()


def test_the_sdist_holds_what_building_and_testing_need(built: Distribution):
    with tarfile.open(built.sdist) as sdist:
        packed = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"pyproject.toml", "hatch_build.py", "constraints.txt", "README.md", "README.ja.md"} <= packed
    assert {"scripts/test", "scripts/install.py", "tests/conftest.py", "docs/concepts.md", "LICENSE"} <= packed
    assert not {name for name in packed if name.startswith((".venv", ".git/", "dist"))}


def test_the_program_is_there_under_both_names(built: Distribution):
    version = f"yomikiri {__version__}\n"
    assert built.run("--version").stdout == version
    entry = (built.metadata_of("entry_points.txt")).splitlines()
    assert entry == ["[console_scripts]", "yomikiri = yomikiri.cli.main:main"]
    if not built.unpacked:
        step(built.python.with_name("yomikiri"), "--version", cwd=built.folder)


def test_it_speaks_japanese(built: Distribution):
    done = built.run("--lang", "ja", "nonsense")
    assert done.returncode == 2
    assert done.stderr.startswith("エラー：'nonsense' というコマンドはありません。")


def test_it_plays_both_games(built: Distribution):
    assert "2. Guess " in built.run(given="0H1B\n").stdout
    assert built.run("tictactoe", "winner", given="-1 1 0\n-4 -2 -5\n-4 -1 -5\n").stdout == "Aoki\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize("built", [installed], indirect=True)
def test_its_types_are_seen_by_those_who_use_it(built: Distribution):
    program = "from yomikiri.hitblow import Rules\nreveal_type(Rules(3, '0123456789').digits)\n"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", built.python, "-c", program],
        capture_output=True, text=True, cwd=built.folder, env=outside.environment(), check=False,
    )  # fmt: skip
    assert 'Revealed type is "int"' in done.stdout
