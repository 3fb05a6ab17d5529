"""scripts/run and scripts/test: installation, renewal, failures and interrupts.

Real installations in a copy of the repository are exhaustive tests. The other tests use a `prepared` environment with
stub programs, or replace the slow steps of `Environment`.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests import outside

from yomikiri import __version__

ROOT = Path(__file__).parent.parent
VERSION = f"yomikiri {__version__}\n"
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.mo", "*.tmp", "dist", "build"
)


def start(*command: Path | str, path: str = os.environ["PATH"], cwd: Path | None = None, **changed: str) -> Any:
    return subprocess.Popen(
        list(map(str, command)), text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=cwd, env=outside.environment(PIP_NO_COMPILE="1", **changed, PATH=path), start_new_session=True,
    )  # fmt: skip


def run(*command: Path | str, **options: Any) -> tuple[int, str, str]:
    with start(*command, **options) as process:
        out, err = process.communicate()
        return process.returncode, out, err


def copy(folder: Path) -> Path:
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
    return folder


# Start through the shell like pip, because the first line of a script cannot contain a path with blanks.
PROGRAM = f"""#!/bin/sh
'''exec' '{sys.executable}' "$0" "$@"
' '''
import sys
from yomikiri.cli.main import main
sys.exit(main())
"""


def prepared(root: Path, *kinds: str) -> Path:
    """Copy the repository with a complete environment of stub programs, in which Python fails."""
    bin_folder = copy(root) / ".venv/bin"
    bin_folder.mkdir(parents=True)
    programs = {"yomikiri": PROGRAM, "python": "#!/bin/sh\nexit 1\n"}
    programs |= {name: f'#!/bin/sh\necho {name} "$@"\n' for name in ("ruff", "mypy", "pytest")}
    for name, program in programs.items():
        (bin_folder / name).write_text(program)
        (bin_folder / name).chmod(0o755)
    shutil.copytree(ROOT / "build/kernels/lib", root / "build/kernels/lib")
    _status, wanted, _err = run("sh", "-c", '. "$root/scripts/prepare.sh"; installed_from', root=str(root))
    for kind in kinds:
        (root / f".venv/stamp-{kind}").write_text(wanted)
    return root


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the repository to a path with blanks and start the program twice simultaneously."""
    root = copy(tmp_path_factory.mktemp("a path") / "with blanks")
    # Copy the compiled kernels, because compiling takes a minute; test_wheel.py covers compilation.
    shutil.copytree(ROOT / "build/kernels", root / "build/kernels")
    both = [start(root / "scripts/run", "--version") for _ in range(2)]
    ended = [(*process.communicate(), process.returncode) for process in both]
    assert [(out, status) for out, _err, status in ended] == [(VERSION, 0)] * 2
    assert sorted(err.count("installing") for _out, err, _status in ended) == [0, 1]
    # Only the process that installs prints a message.
    assert sorted(err.count("\n") for _out, err, _status in ended) == [0, 1]
    return root


@pytest.fixture(params=["prepared", pytest.param("installed", marks=pytest.mark.exhaustive)])
def checkout(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a copy of the repository after its first start."""
    if request.param == "prepared":
        return prepared(tmp_path / "with blanks", "run")
    root: Path = request.getfixturevalue("installed")
    return root


@pytest.mark.exhaustive
def test_simultaneous_first_starts_install_once(installed: Path):
    assert (installed / ".venv/stamp-run").exists()


def test_later_start_writes_no_files_and_uses_its_own_python(checkout: Path, tmp_path: Path):
    def files() -> set[tuple[Path, int]]:
        found = (path for path in checkout.rglob("*") if "__pycache__" not in path.parts)
        return {(path, path.lstat().st_mtime_ns) for path in found}

    fake = tmp_path / "python3.13"
    fake.write_text(f"#!/bin/sh\ntouch '{tmp_path}/called'\nexit 1\n")
    fake.chmod(0o755)
    before = files()
    answer = run(checkout / "scripts/run", "--version", path=f"{tmp_path}:{os.environ['PATH']}")
    assert answer == (0, VERSION, "")
    assert files() == before
    assert not (tmp_path / "called").exists()


def test_run_works_through_links_and_passes_arguments_and_status(checkout: Path, tmp_path: Path):
    (tmp_path / "beside").symlink_to(checkout / "scripts/run")
    (tmp_path / "link").symlink_to("beside")
    status, out, err = run("./link", "no such command", cwd=tmp_path, LANG="C")
    assert (status, out) == (2, "")
    assert "'no such command'" in err


def test_fresh_checkout_plays_both_games(checkout: Path):
    def shell(line: str) -> list[str]:
        return run("bash", "-c", line, cwd=checkout, LANG="C.UTF-8")[1].splitlines()

    # The secret is 246.
    game = shell("printf '%s\\n' '012 0H1B' '345 1H0B' '246 3H0B' | scripts/run")
    assert game[-1] == "Found: 246, in 3 guesses."
    assert shell("printf '%s\\n' '-1 1 0' '-4 -2 -5' '-4 -1 -5' | scripts/run tictactoe winner") == ["Aoki"]


def test_run_replaces_itself_with_the_program(checkout: Path):
    process = start(checkout / "scripts/run", "hitblow", "simulate", "--policy", "random", "--digits", "4")
    try:
        deadline = time.monotonic() + 300
        while "bin/yomikiri" not in (said := Path(f"/proc/{process.pid}/cmdline").read_text()):
            assert time.monotonic() < deadline, said
            time.sleep(0.01)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.exhaustive
def test_changed_catalogue_takes_effect_at_the_next_start(installed: Path):
    catalogue = installed / "src/yomikiri/locale/ja/cli.po"
    text = catalogue.read_text(encoding="utf-8")
    assert "エラー：{message}" in text
    catalogue.write_text(text.replace("エラー：{message}", "ちがいます：{message}"), encoding="utf-8")
    status, _out, err = run(installed / "scripts/run", "nothing", LANGUAGE="ja")
    assert status == 2
    assert "renewing" in err
    assert "ちがいます：" in err


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "constraints.txt", "hatch_build.py", "src/yomikiri/locale/ja/errors.po"]
)
def test_changed_sources_of_the_installation_are_detected(name: str, tmp_path: Path):
    root = prepared(tmp_path / "copy", "run")
    path = without_python(tmp_path / "bin")
    assert run(root / "scripts/run", "--version", path=path) == (0, VERSION, "")
    with (root / name).open("a") as file:
        file.write("#\n")
    assert run(root / "scripts/run", "--version", path=path) == (1, "", NO_PYTHON)


@pytest.mark.release
def test_one_environment_serves_run_and_test(installed: Path):
    status, out, err = run(installed / "scripts/test", "--version")
    assert status == 0, err
    assert out.startswith("pytest")
    assert run(installed / "scripts/run", "--version") == (0, VERSION, "")
    # An older environment without the build tools must be renewed too.
    assert run(installed / ".venv/bin/python", "-m", "pip", "uninstall", "-qqy", "editables", "hatchling")[0] == 0
    with (installed / "pyproject.toml").open("a") as file:
        file.write("# a change\n")
    status, out, err = run(installed / "scripts/run", "--version")
    assert (status, out) == (0, VERSION), err


CHECKS = [
    "ruff check .",
    "ruff format --check .",
    "mypy",
    "pytest --numprocesses=auto --dist=loadfile --no-loadscope-reorder --durations=20",
]


@pytest.mark.parametrize(
    ("arguments", "programs"),
    [
        ([], CHECKS),
        (["--thorough"], [*CHECKS[:-1], f"{CHECKS[-1]} --thorough"]),
        (["--all"], [*CHECKS[:-1], f"{CHECKS[-1]} --all"]),
        (["tests/common/test_budget.py", "-k", "a or b"], ["pytest tests/common/test_budget.py -k a or b"]),
    ],
)
def test_test_script_runs_all_checks_unless_tests_are_given(arguments: list[str], programs: list[str], tmp_path: Path):
    root = prepared(tmp_path / "copy", "dev")
    status, out, err = run(root / "scripts/test", *arguments)
    assert (status, out.splitlines(), err) == (0, programs, "")


@pytest.mark.skipif(not (ROOT / ".ci/run").exists(), reason="a source distribution has no file for this")
def test_continuous_integration_works_in_a_path_with_blanks(tmp_path: Path):
    root = prepared(tmp_path / "with a blank", "dev")
    path = without_python(tmp_path / "bin", "dirname")  # and without apt-get
    status, out, err = run(root / ".ci/run", path=path, cwd=tmp_path)
    assert (status, out.splitlines(), err) == (0, [*CHECKS[:-1], f"{CHECKS[-1]} --thorough"], "")


@pytest.mark.exhaustive
def test_failed_installation_is_reported_and_removed(tmp_path: Path):
    root = copy(tmp_path / "copy")
    nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    status, out, err = run(root / "scripts/run", "--version", **nowhere)
    assert (status, out) == (1, "")
    assert err.splitlines()[-1].startswith("error: the installation failed")
    assert not (root / ".venv").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "statuses"), [(signal.SIGINT, (130, -2)), (signal.SIGTERM, (143, -15))])
def test_interrupted_installation_is_removed(tmp_path: Path, number: signal.Signals, statuses: tuple[int, int]):
    root = copy(tmp_path / "copy")
    process = start(root / "scripts/run", "--version")
    deadline = time.monotonic() + 300
    while not (root / ".venv/bin").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, number)
    out, err = process.communicate()
    assert process.returncode in statuses
    assert out == ""
    assert "Traceback" not in err
    deadline = time.monotonic() + 300
    while (root / ".venv").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


NO_PYTHON = "error: no Python 3.11 or newer (with its venv module) was found on PATH\n"


def without_python(folder: Path, *tools: str) -> str:
    """Return a PATH with the tools of the scripts, but without a new enough Python."""
    folder.mkdir()
    for tool in ("cat", "cmp", "diff", "readlink", *tools):
        (folder / tool).symlink_to(shutil.which(tool) or tool)
    for name in ("python3.12", "python3"):
        (folder / name).write_text("#!/bin/sh\necho I am old >&2\nexit 1\n")
        (folder / name).chmod(0o755)
    return str(folder)


def test_missing_python_is_reported(tmp_path: Path):
    root = copy(tmp_path / "copy")
    assert run(root / "scripts/run", path=without_python(tmp_path / "bin")) == (1, "", NO_PYTHON)


# --- the states of an environment -------------------------------------------------------------------------------------

_spec = spec_from_file_location("install", ROOT / "scripts/install.py")
assert _spec
assert _spec.loader
install = module_from_spec(_spec)
_spec.loader.exec_module(install)


LIBRARIES = ("build/kernels/lib", "src/yomikiri/machine/lib")


class Fake(install.Environment):  # type: ignore[misc, name-defined]
    """An environment whose installation only creates a stub Python and ends with a given status or exception."""

    def __init__(self, root: Path, kind: str, content: str, ends: int | type[BaseException] = 0) -> None:
        super().__init__(root, kind, f"{root}\n{content}".encode())
        self.ends = ends
        self.installed: list[tuple[bool, str]] = []

    def _steps(self, renewing: bool, extra: str, lock: int) -> int:
        self.installed.append((renewing, extra))
        self.python.parent.mkdir(parents=True, exist_ok=True)
        self.python.symlink_to(sys.executable) if not renewing else None
        for folder in LIBRARIES:
            (self.root / folder).mkdir(parents=True, exist_ok=True)
            (self.root / folder / "kernels.json").write_text("{}")
        if isinstance(self.ends, int):
            return self.ends
        raise self.ends


def test_install_renews_only_after_a_change(tmp_path: Path):
    first = Fake(tmp_path, "run", "1")
    assert not first.up_to_date()
    assert first.install(0) == 0
    assert first.installed == [(False, "")]
    assert Fake(tmp_path, "run", "1").up_to_date()
    second = Fake(tmp_path, "run", "2")
    assert not second.up_to_date()
    assert second.install(0) == 0
    assert second.installed == [(True, "")]
    assert Fake(tmp_path, "run", "2").up_to_date()


@pytest.mark.parametrize("damage", ["altered", "removed", "one more", "the copy removed"])
def test_changed_library_is_built_again(damage: str, tmp_path: Path):
    """Both the shell script and the installer must detect the change."""
    root = prepared(tmp_path / "copy", "run")
    seen = "sh", "-c", '. "$root/scripts/prepare.sh"; up_to_date run'
    environment = install.Environment(root, "run", (root / ".venv/stamp-run").read_bytes())
    assert run(*seen, root=str(root))[0] == 0
    assert environment.up_to_date()
    built, used = (root / folder for folder in LIBRARIES)
    if damage == "altered":
        (used / "kernels.json").write_text("{}")
    elif damage == "removed":
        shutil.rmtree(used)
    elif damage == "one more":
        (used / "kernels-other.so").touch()
    else:
        shutil.rmtree(built)
    assert run(*seen, root=str(root))[0] != 0
    assert not environment.up_to_date()


def test_development_environment_also_serves_run(tmp_path: Path):
    Fake(tmp_path, "run", "1").install(0)
    assert not Fake(tmp_path, "dev", "1").up_to_date()
    Fake(tmp_path, "dev", "1").install(0)
    assert Fake(tmp_path, "run", "1").up_to_date()
    renewed = Fake(tmp_path, "run", "2")
    renewed.install(0)
    assert renewed.installed == [(True, "[dev]")]
    assert Fake(tmp_path, "dev", "2").up_to_date()


def test_failed_renewal_keeps_the_environment(tmp_path: Path):
    Fake(tmp_path, "run", "1").install(0)
    assert Fake(tmp_path, "run", "2", ends=7).install(0) == 7
    assert Fake(tmp_path, "run", "1").up_to_date()
    assert not Fake(tmp_path, "run", "2").up_to_date()


def test_failed_write_keeps_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(path: Path, *_: Any, **__: Any) -> None:
        raise PermissionError(path)

    Fake(tmp_path, "run", "1").install(0)
    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(PermissionError):
        Fake(tmp_path, "run", "2").install(0)
    assert Fake(tmp_path, "run", "1").up_to_date()


def test_failed_first_installation_is_removed(tmp_path: Path):
    assert Fake(tmp_path, "run", "1", ends=7).install(0) == 7
    assert not (tmp_path / ".venv").exists()


def installing(root: Path, kind: str, ends: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[list[str]]]:
    """Run the installer with steps that all have the exit status `ends`.

    Returns the status of the installer, and the commands of its steps.
    """
    steps: list[list[str]] = []

    def step(command: list[str], _lock: int) -> int:
        steps.append(command)
        return ends

    monkeypatch.setattr(install, "_run", step)
    monkeypatch.setattr(sys, "argv", ["install.py", str(root), kind])
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(f"{root}\n".encode())))
    return install.main(), steps


def test_install_creates_an_environment_with_pinned_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    status, (make, pip) = installing(tmp_path, "dev", 0, monkeypatch)
    assert status == 0
    assert make == [sys.executable, "-m", "venv", str(tmp_path / ".venv")]
    assert pip[:4] == [str(tmp_path / ".venv/bin/python"), "-m", "pip", "--disable-pip-version-check"]
    assert pip[-4:] == ["--constraint", str(tmp_path / "constraints.txt"), "--editable", f"{tmp_path}[dev]"]
    assert {path.name for path in (tmp_path / ".venv").iterdir()} == {"stamp-dev", "stamp-run"}


def test_renewed_development_environment_installs_build_tools_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    installing(tmp_path, "dev", 0, monkeypatch)
    (tmp_path / ".venv/bin").mkdir()
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    (tmp_path / "pyproject.toml").write_text('[build-system]\nrequires = ["a-builder>=1"]\n')
    (tmp_path / ".venv/stamp-dev").write_text(f"{tmp_path}\nolder")
    status, (builder, package) = installing(tmp_path, "dev", 0, monkeypatch)
    assert status == 0
    assert builder[-1] == "a-builder>=1"
    assert "--constraint" in builder
    assert package[-3:] == ["--no-build-isolation", "--editable", f"{tmp_path}[dev]"]


def test_lock_is_released_even_if_the_process_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    installing(tmp_path, "run", 0, monkeypatch)
    at_once = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(at_once, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(at_once)


def test_failed_installation_prints_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    status, steps = installing(tmp_path, "run", 7, monkeypatch)
    assert (status, len(steps)) == (7, 1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[-1].startswith("error: the installation failed")
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(("uid", "owner"), [(0, "root"), (54321, "user 54321")])
def test_environment_of_another_user_is_reported_with_a_remedy(
    uid: int, owner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/unfinished").touch()
    monkeypatch.setattr(install.shutil, "rmtree", lambda *_, **__: None)  # simulate a folder that cannot be removed
    stat, me = Path.stat, install._user(os.geteuid())

    def owned(path: Path, **options: Any) -> Any:
        found = list(stat(path, **options))
        found[4] = uid if path == tmp_path / ".venv" else found[4]
        return os.stat_result(found)

    monkeypatch.setattr(Path, "stat", owned)
    if uid == os.geteuid():
        monkeypatch.setattr(os, "geteuid", lambda: 65534)
        me = install._user(65534)
    assert installing(tmp_path, "run", 0, monkeypatch) == (1, [])
    [said] = capsys.readouterr().err.splitlines()[1:]
    assert said == (
        f"error: cannot install into {tmp_path}/.venv: {tmp_path}/.venv belongs to {owner}, and you are {me}. "
        f"Ask {owner} to run this command once, or use a copy of your own: git clone '{tmp_path}' FOLDER"
    )


def test_unwritable_own_folder_is_reported_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / ".venv").write_text("a file")
    monkeypatch.setattr(install.shutil, "rmtree", lambda *_, **__: None)
    assert installing(tmp_path, "run", 0, monkeypatch) == (1, [])
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.endswith(f": File exists. Make {tmp_path}/.venv writable, or remove it if it is in the way")


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root may become another user")
def test_other_users_see_the_owner_of_the_checkout():
    with TemporaryDirectory() as folder:  # other users cannot enter the folders of pytest
        Path(folder).chmod(0o755)
        root = prepared(Path(folder) / "copy", "run")
        (root / ".venv/unfinished").touch()
        nobody = "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"
        status, out, err = run(*nobody, root / "scripts/run", "--version")
        assert f"{root}/.venv belongs to root, and you are nobody. Ask root to run this command once" in err
        assert (status, out) == (1, "")


def test_interrupted_renewal_removes_the_environment(tmp_path: Path):
    Fake(tmp_path, "run", "1").install(0)
    with pytest.raises(KeyboardInterrupt):
        Fake(tmp_path, "run", "2", ends=KeyboardInterrupt).install(0)
    assert not (tmp_path / ".venv").exists()


def test_killed_installation_is_repeated(tmp_path: Path):
    Fake(tmp_path, "run", "1").install(0)
    (tmp_path / ".venv/unfinished").touch()
    (tmp_path / ".venv/debris").touch()
    again = Fake(tmp_path, "run", "1")
    assert not again.up_to_date()
    again.install(0)
    assert again.installed == [(False, "")]
    assert not (tmp_path / ".venv/debris").exists()


def test_moved_checkout_is_installed_again(tmp_path: Path):
    (tmp_path / "old").mkdir()
    Fake(tmp_path / "old", "run", "1").install(0)
    (tmp_path / "old").rename(tmp_path / "new")
    moved = Fake(tmp_path / "new", "run", "1")
    moved.install(0)
    assert moved.installed == [(False, "")]


def test_foreign_environment_is_used_and_not_removed(tmp_path: Path):
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    (tmp_path / ".venv/theirs").touch()
    ours = Fake(tmp_path, "run", "1")
    ours.install(0)
    assert ours.installed == [(True, "")]
    assert (tmp_path / ".venv/theirs").exists()
