"""Build the library of kernels: python -m yomikiri.machine.compiler [TARGET ...], by default for this processor.

The parts are compiled by processes of their own, as many at once as there are processors. What a part was made from is
noted beside its objects in `build/kernels`, so that only what has changed is compiled again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

# Run by its path, as the build does: what isolates a build may take this checkout off the path.
sys.path[:0] = [str(Path(__file__).parents[3])] if not __package__ else []

from yomikiri.machine.entries import PARTS  # noqa: E402
from yomikiri.machine.library import FOLDER, MANIFEST, PACKAGE, sources_digest  # noqa: E402

_OBJECTS = PACKAGE.parent.parent / "build" / "kernels"
_HERE = Path(__file__).parent
SOURCES = _HERE.parent / "sources.txt"
# Bitcode must not depend on the machine that makes it, nor on the order in which Python lays out its sets.
ENVIRONMENT = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0", "PYTHONHASHSEED": "0"}


def build(names: list[str]) -> None:
    """Bring the libraries for these targets, `native` or names of wheels, up to date."""
    from yomikiri.machine.compiler.objects import WHEELS, link, native

    targets = [native() if name == "native" else WHEELS[name] for name in names]
    _OBJECTS.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        notes = list(threads.map(lambda part: _part(part, names), PARTS))
    sources = sorted({source for note in notes for source in note["sources"]})
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.iterdir():
        stale.unlink()
    libraries = {}
    for target in targets:
        output = FOLDER / f"kernels-{target.name}.so"
        link([_object(part, target.name) for part in PARTS], target, output)
        libraries[target.name] = {"sha256": sha256(output.read_bytes()).hexdigest(), "flags": target.needs()}
    # A few lines of numba's own are compiled along with the kernels that call them: `min`, `max` and `int`.
    licence = distribution("numba").read_text("licenses/LICENSE")
    (FOLDER / "LICENSE-numba.txt").write_text(str(licence), encoding="utf-8")
    manifest = {"digest": sources_digest(sources), "sources": sources, "libraries": libraries}
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    # Kept with the sources: scripts/prepare.sh looks at them without starting Python.
    SOURCES.write_text("".join(f"{source}\n" for source in sources), encoding="utf-8")


def _object(part: str, target: str) -> Path:
    return _OBJECTS / f"{part}-{target}.o"


def _part(part: str, names: list[str]) -> dict[str, Any]:
    """Compile a part if its objects are missing or of other sources; returns what it was made from."""
    noted = _OBJECTS / f"{part}.json"
    try:
        note: dict[str, Any] = json.loads(noted.read_bytes())
        same = note["by"] == _compiler(names) and note["digest"] == sources_digest(note["sources"])
        if same and all(_object(part, name).is_file() for name in names):
            return note
    except (OSError, ValueError, KeyError):
        pass
    command = [sys.executable, __file__, "--part", part, *names]
    subprocess.run(command, check=True, env={**os.environ, **ENVIRONMENT})
    made: dict[str, Any] = json.loads(noted.read_bytes())
    return made


def compile_part(part: str, names: list[str]) -> None:
    """Compile a part for some targets, in this process, whose environment must be `ENVIRONMENT`."""
    from yomikiri.machine.compiler.bitcode import Translation, entries_of
    from yomikiri.machine.compiler.objects import WHEELS, native, object_of

    translation, entries = Translation(), entries_of(PARTS[part])
    bitcode = translation.module(entries)
    for name in names:
        target = native() if name == "native" else WHEELS[name]
        _object(part, name).write_bytes(object_of(bitcode, target))
    sources = sorted(str(path.relative_to(PACKAGE)) for path in translation.sources() if PACKAGE in path.parents)
    note = {"by": _compiler(names), "sources": sources, "digest": sources_digest(sources)}
    (_OBJECTS / f"{part}.json").write_text(json.dumps(note), encoding="utf-8")


def _compiler(names: list[str]) -> str:
    """What compiles: numba, LLVM, these files and what they compile for."""
    digest = sha256()
    for path in (*sorted(_HERE.glob("*.py")), _HERE.parent / "kernel.py", _HERE.parent / "signature.py"):
        digest.update(path.read_bytes())
    return " ".join([version("numba"), version("llvmlite"), digest.hexdigest(), *names])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--part"]:
        compile_part(sys.argv[2], sys.argv[3:])
    else:
        build(sys.argv[1:] or ["native"])
