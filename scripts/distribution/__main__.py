"""Build the sdist and the wheels, check their contents, and try each: scripts/wheels [FOLDER], by default `dist`.

    yomikiri-VERSION.tar.gz
    yomikiri-VERSION-py3-none-manylinux_2_17_x86_64.whl     a library for each of x86-64-v2, -v3 and -v4
    yomikiri-VERSION-py3-none-manylinux_2_17_aarch64.whl
    yomikiri-VERSION-py3-none-any.whl                       without machine code

Each is built twice and must be equal (`building`). It must have the expected contents only, and run on old systems
(`contents`). It must give the results of the checkout wherever it is installed (`running`). Other processors are
emulated by qemu (Debian: `apt-get install qemu-user-static mmdebstrap binutils`); the checks that need it are listed at
the end if it is missing. It takes ten to fifteen minutes of CPU and works in `build/wheels`.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

from scripts.distribution.building import make
from scripts.distribution.contents import check_contents
from scripts.distribution.running import try_all
from scripts.distribution.steps import ROOT, WORK, environment, expect, left_out, say


def main() -> None:
    """Build and check everything; stop at the first failure."""
    expect(len(sys.argv) < 3, f"{' '.join(sys.argv[2:])!r} given, expected one folder")
    into = Path(*sys.argv[1:] or ["dist"]).absolute()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    python = environment("tools", *requires, "auditwheel", "build", "ziglang")
    made = make(python, ROOT, into)
    check_contents(python, made)
    try_all(made)
    for text in left_out:
        say(f"not tried: {text}")


if __name__ == "__main__":
    main()
