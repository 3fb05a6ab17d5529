"""Create or update `.venv` for scripts/run and scripts/test: python install.py ROOT run|dev, with the stamp on stdin.

    .venv/stamp-run, stamp-dev   the inputs of the installation, written last (see prepare.sh)
    .venv/unfinished             exists during an installation, and after one that was killed

If an installation is interrupted, the next start finds no environment, or one marked as unfinished, and creates it
again. Concurrent starts take turns. The lock is on the folder of the checkout itself, so it needs no file and ends with
its process. The script uses the standard library only.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


class Environment:
    """The environment in `root`, for running the program or, with `dev`, for developing it."""

    def __init__(self, root: Path, kind: str, wanted: bytes) -> None:
        self.root = root
        self.kind = kind
        self.wanted = wanted
        self.folder = root / ".venv"
        self.python = self.folder / "bin" / "python"
        self.unfinished = self.folder / "unfinished"

    def stamp(self, kind: str) -> Path:
        """Return the path of the file with the inputs of an installation of `kind`."""
        return self.folder / f"stamp-{kind}"

    def up_to_date(self) -> bool:
        """Return True if the installation is up to date."""
        stamp = self.stamp(self.kind)
        return self.usable() and stamp.is_file() and stamp.read_bytes() == self.wanted and self.library_as_built()

    def library_as_built(self) -> bool:
        """Return True if the library of kernels exists and equals the copy that the compiler left."""
        made, used = (_contents(self.root / folder) for folder in ("build/kernels/lib", "src/yomikiri/machine/lib"))
        return bool(made) and made == used

    def usable(self) -> bool:
        """Return True if the environment can be updated: it is complete, has its Python, and was not moved."""
        if self.unfinished.exists() or not os.access(self.python, os.X_OK):
            return False
        stamps = [path.read_bytes() for path in self.folder.glob("stamp-*")]
        return all(stamp.startswith(bytes(self.root) + b"\n") for stamp in stamps)

    def install(self, lock: int) -> int:
        """Install, and return the exit status. After a failure the environment is unchanged or deleted."""
        renewing = self.usable()
        # An environment created for development stays one.
        kinds = ["run", "dev"] if self.kind == "dev" or self.stamp("dev").exists() else ["run"]
        if renewing:
            print(f"yomikiri: renewing {self.folder} (a minute for each part of the machine code that changed) ...",
                  file=sys.stderr)  # fmt: skip
        else:
            print(f"yomikiri: first start, installing into {self.folder} and compiling machine code (some minutes) ...",
                  file=sys.stderr)  # fmt: skip
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir()
        self.unfinished.touch()
        try:
            status = self._steps(renewing, "[dev]" if "dev" in kinds else "", lock)
        except BaseException:
            # An interrupted installation may have left any mixture of files.
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        if status == 0:
            for kind in kinds:
                self.stamp(kind).write_bytes(self.wanted)
            self.unfinished.unlink()
        elif renewing:
            # pip undoes an installation that fails, so the environment and its stamps are unchanged.
            self.unfinished.unlink()
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        return status

    def _steps(self, renewing: bool, extra: str, lock: int) -> int:
        install = [str(self.python), "-m", "pip", "--disable-pip-version-check", "install", "-qq",
                   "--constraint", str(self.root / "constraints.txt")]  # fmt: skip
        editable = ["--editable", f"{self.root}{extra}"]
        if not renewing:
            steps = [[sys.executable, "-m", "venv", str(self.folder)], [*install, *editable]]
        elif self.stamp("dev").exists():
            # An environment for development also contains the build requirements, so that they are not installed again
            # for
            # each build. It comes from an older pyproject.toml, which may have had fewer requirements.
            with (self.root / "pyproject.toml").open("rb") as file:
                builds = tomllib.load(file)["build-system"]["requires"]
            steps = [[*install, *builds], [*install, "--no-build-isolation", *editable]]
        else:
            steps = [[*install, *editable]]
        for step in steps:
            if status := _run(step, lock):
                return status
        return 0


def _contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name; empty if it does not exist."""
    return {path.name: path.read_bytes() for path in folder.glob("*") if path.is_file()}


def _run(step: list[str], lock: int) -> int:
    """Run a command and return its exit status; if this process is stopped, stop the command and its children."""
    # Standard output belongs to the program that starts afterwards. The command inherits the lock, so that no other
    # installation begins before it ends, even if this process is killed. A new session keeps Ctrl-C from the command.
    with subprocess.Popen(
        step, stdin=subprocess.DEVNULL, stdout=sys.stderr, pass_fds=[lock], start_new_session=True
    ) as process:
        try:
            return process.wait()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """Wait until no other process installs into the folder; yield the open file that holds its lock."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock
    finally:
        os.close(lock)


def main() -> int:
    """Install if necessary; return 0 if the environment is complete."""
    root, kind = Path(sys.argv[1]), sys.argv[2]
    environment = Environment(root, kind, sys.stdin.buffer.read())
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGHUP, _stop)
    try:
        with _locked(root) as lock:
            # The previous holder of the lock may have finished the installation.
            status = 0 if environment.up_to_date() else environment.install(lock)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"error: cannot install into {environment.folder}: {_reason(environment, error)}", file=sys.stderr)
        return 1
    if status:
        print("error: the installation failed (see above); the next start tries again", file=sys.stderr)
    return status


def _reason(environment: Environment, error: OSError) -> str:
    """Return why the installation is impossible, and what to do about it."""
    there = environment.folder if environment.folder.exists() else environment.root
    owner = there.stat().st_uid
    if owner != os.geteuid():
        name = _user(owner)
        return (
            f"{there} belongs to {name}, and you are {_user(os.geteuid())}. Ask {name} to run this command once, "
            f"or use a copy of your own: git clone '{environment.root}' FOLDER"
        )
    return f"{error.strerror or error}. Make {there} writable, or remove it if it is in the way"


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def _stop(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
