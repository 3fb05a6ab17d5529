"""Make the sdist and the wheels, look at them, and try each: scripts/wheels [FOLDER], by default `dist`.

    yomikiri-VERSION.tar.gz
    yomikiri-VERSION-py3-none-manylinux_2_17_x86_64.whl     a library for each of x86-64-v2, -v3 and -v4
    yomikiri-VERSION-py3-none-manylinux_2_17_aarch64.whl
    yomikiri-VERSION-py3-none-any.whl                       without machine code

All of them are made twice and must be equal (`making`), run on old systems and hold nothing but what is expected
(`looking`), and answer as the checkout does wherever they are installed (`trying`). Other processors are qemu's
(Debian: `apt-get install qemu-user-static mmdebstrap binutils`); what is not tried without it is told at the end. It
takes ten to fifteen minutes of CPU and leaves what it works on in `build/wheels`.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

from scripts.distribution.looking import look
from scripts.distribution.making import make
from scripts.distribution.steps import ROOT, WORK, environment, expect, left_out, say
from scripts.distribution.trying import try_all


def main() -> None:
    """Do it all, or end with the first thing that does not hold."""
    expect(len(sys.argv) < 3, f"{' '.join(sys.argv[2:])!r} given, expected one folder")
    into = Path(*sys.argv[1:] or ["dist"]).absolute()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    python = environment("tools", *requires, "auditwheel", "build", "ziglang")
    made = make(python, ROOT, into)
    look(python, made)
    try_all(made)
    for text in left_out:
        say(f"not tried: {text}")


if __name__ == "__main__":
    main()
