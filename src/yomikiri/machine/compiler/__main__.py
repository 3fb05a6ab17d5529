"""Build the library of kernels, by default for this processor.

    python -m yomikiri.machine.compiler [--debug] [--lines] [TARGET ...]

The parts of the library are compiled in separate processes, at most one per processor core at a time. A file next to
the objects in `build/kernels` records the sources of each part, so that only changed parts are compiled again. The
library is built there, in `lib`, and copied into the package. `scripts/prepare.sh` checks that the copy is unchanged.

With `--debug`, the library stays in `build/debug/lib`, for use through YOMIKIRI_KERNELS. It checks every index; with
`--lines` it contains line numbers for debuggers. The library for browsers, with the single TARGET `wasm32`, stays in
`build/wasm32/lib`, where `yomikiri site` finds it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from argparse import SUPPRESS, ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

# The build runs this file by its path, possibly in an isolated environment without this checkout on the import path.
sys.path[:0] = [str(Path(__file__).parents[3])] if not __package__ else []

from yomikiri.machine.compiler import PARTS  # noqa: E402
from yomikiri.machine.library import BUILT, MANIFEST, PACKAGE, sources_digest  # noqa: E402

_BUILD = PACKAGE.parent.parent / "build"
DEBUG = _BUILD / "debug" / "lib"
_HERE = Path(__file__).parent
SOURCES = _HERE.parent / "sources.txt"
# Bitcode must depend neither on the machine that builds it nor on the order of Python sets.
ENVIRONMENT = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0", "PYTHONHASHSEED": "0"}


def build(names: list[str], *, debug: bool = False, lines: bool = False) -> None:
    """Build the libraries for these targets: `native`, `wasm32`, or names in `WHEELS`.

    Only the parts whose sources have changed are compiled.
    """
    from yomikiri.machine.compiler.objects import link

    targets = [_target(name) for name in names]
    objects = _objects(names, debug)
    objects.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        notes = list(threads.map(lambda part: _part(part, names, debug, lines), PARTS))
    sources = sorted({source for note in notes for source in note["sources"]})
    made = objects / "lib.new"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    libraries = {}
    for target in targets:
        output = made / f"kernels-{target.name}.so"
        link([objects / f"{part}-{target.name}.o" for part in PARTS], target, output, lines=lines)
        libraries[target.name] = {"sha256": sha256(output.read_bytes()).hexdigest(), "flags": target.needs()}
    # The library contains a few lines of numba's own code, for `min`, `max` and `int`, so its licence is included.
    licence = distribution("numba").read_text("licenses/LICENSE")
    (made / "LICENSE-numba.txt").write_text(str(licence), encoding="utf-8")
    manifest = {"digest": sources_digest(sources), "sources": sources, "libraries": libraries}
    (made / MANIFEST.name).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    if objects == _BUILD / "kernels":
        copied = objects / "lib.copy"
        shutil.rmtree(copied, ignore_errors=True)
        shutil.copytree(made, copied)
        put(copied, BUILT)
        # Keep the list with the sources, because scripts/prepare.sh reads it without starting Python.
        text = "".join(f"{source}\n" for source in sources)
        if not SOURCES.exists() or SOURCES.read_text(encoding="utf-8") != text:
            SOURCES.write_text(text, encoding="utf-8")
    put(made, objects / "lib")


def put(new: Path, folder: Path) -> None:
    """Replace the folder `folder` by the folder `new`.

    If both contain the same files, the old folder stays untouched, because other programs may be reading it.
    """
    if folder.is_dir() and _contents(folder) == _contents(new):
        shutil.rmtree(new)
        return
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _target(name: str) -> Any:
    from yomikiri.machine.compiler.objects import BROWSER, WHEELS, native

    return native() if name == "native" else {**WHEELS, BROWSER.name: BROWSER}[name]


def _objects(names: list[str], debug: bool) -> Path:
    return _BUILD / ("debug" if debug else "wasm32" if names == ["wasm32"] else "kernels")


def _part(part: str, names: list[str], debug: bool, lines: bool) -> dict[str, Any]:
    """Compile one part of the library if its object files are missing, or older than their sources.

    Returns what is recorded about the part: its source files, their digest, and the identity of the compiler.
    """
    noted = _objects(names, debug) / f"{part}.json"
    try:
        note: dict[str, Any] = json.loads(noted.read_bytes())
        same = note["by"] == _compiler(names, lines) and note["digest"] == sources_digest(note["sources"])
        if same and all((_objects(names, debug) / f"{part}-{name}.o").is_file() for name in names):
            return note
    except (OSError, ValueError, KeyError):
        pass
    command = [sys.executable, __file__, *(["--debug"] * debug), *(["--lines"] * lines), "--part", part, *names]
    subprocess.run(command, check=True, env={**os.environ, **ENVIRONMENT})
    made: dict[str, Any] = json.loads(noted.read_bytes())
    return made


def compile_part(part: str, names: list[str], *, debug: bool, lines: bool) -> None:
    """Compile a part for some targets in this process, whose environment must be `ENVIRONMENT`."""
    from yomikiri.machine.compiler.bitcode import Translation, entries_of
    from yomikiri.machine.compiler.objects import object_of

    translation, entries = Translation(debug=debug, lines=lines), entries_of(PARTS[part])
    bitcode = translation.module(entries)
    for name in names:
        (_objects(names, debug) / f"{part}-{name}.o").write_bytes(object_of(bitcode, _target(name)))
    sources = sorted(str(path.relative_to(PACKAGE)) for path in translation.sources() if PACKAGE in path.parents)
    note = {"by": _compiler(names, lines), "sources": sources, "digest": sources_digest(sources)}
    (_objects(names, debug) / f"{part}.json").write_text(json.dumps(note), encoding="utf-8")


def _compiler(names: list[str], lines: bool) -> str:
    """Return the identity of the compiler.

    It consists of the versions of numba and LLVM, a digest of the compiler's own source files, the targets and the
    options.
    """
    digest = sha256()
    for path in (*sorted(_HERE.glob("*.py")), _HERE.parent / "kernel.py", _HERE.parent / "signature.py"):
        digest.update(path.read_bytes())
    return " ".join([version("numba"), version("llvmlite"), digest.hexdigest(), *names, *(["lines"] * lines)])


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m yomikiri.machine.compiler", description="Build the library of kernels.")
    parser.add_argument("targets", nargs="*", default=["native"], metavar="TARGET")
    parser.add_argument("--debug", action="store_true", help=f"check every index; into {DEBUG}")
    parser.add_argument("--lines", action="store_true", help="with --debug: say of which line the machine code is")
    parser.add_argument("--part", choices=PARTS, help=SUPPRESS)
    options = parser.parse_args()
    if options.lines and not options.debug:
        parser.error("--lines is for a build with --debug")
    if options.part:
        compile_part(options.part, options.targets, debug=options.debug, lines=options.lines)
    else:
        build(options.targets, debug=options.debug, lines=options.lines)
