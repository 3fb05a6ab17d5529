"""The wheel, installed in a clean environment: what is most easily lost on the way is used from there."""

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
    """What was built, and a clean environment with the wheel in it."""

    wheel: Path
    sdist: Path
    venv: Path

    def names(self) -> set[str]:
        with zipfile.ZipFile(self.wheel) as wheel:
            return set(wheel.namelist())

    def metadata(self) -> Message:
        with zipfile.ZipFile(self.wheel) as wheel:
            text = wheel.read(f"yomikiri-{__version__}.dist-info/METADATA").decode("utf-8")
        return Parser().parsestr(text)

    def run(self, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, far from the checkout."""
        return subprocess.run(
            [str(self.venv / "bin" / command[0]), *command[1:]], input=given, capture_output=True, text=True,
            cwd=self.venv, env=outside.environment(), check=False,
        )  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    """The sdist, the wheel made from it, and the wheel installed with the pinned versions."""
    folder = tmp_path_factory.mktemp("dist")

    def step(*command: str | Path) -> None:
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, env=outside.environment(), check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    step(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    step(sys.executable, "-m", "venv", folder / "venv")
    step(folder / "venv/bin/python", "-m", "pip", "install", "-qq", "--constraint", ROOT / "constraints.txt", wheel)
    return Distribution(wheel, sdist, folder / "venv")


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
    assert built.run("yomikiri", "--version").stdout == version
    assert built.run("python", "-m", "yomikiri", "--version").stdout == version


def test_it_speaks_japanese(built: Distribution):
    done = built.run("yomikiri", "--lang", "ja", "nonsense")
    assert done.returncode == 2
    assert done.stderr.startswith("エラー: 'nonsense' というコマンドはありません。")


def test_it_plays_both_games(built: Distribution):
    assert "2. Guess " in built.run("yomikiri", given="0H1B\n").stdout
    assert built.run("yomikiri", "tictactoe", "winner", given="-1 1 0\n-4 -2 -5\n-4 -1 -5\n").stdout == "Aoki\n"


def test_its_types_are_seen_by_those_who_use_it(built: Distribution):
    program = "from yomikiri.hitblow import Rules\nreveal_type(Rules(3, '0123456789').digits)\n"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", built.venv / "bin/python", "-c", program],
        capture_output=True, text=True, cwd=built.venv, env=outside.environment(), check=False,
    )  # fmt: skip
    assert 'Revealed type is "int"' in done.stdout
