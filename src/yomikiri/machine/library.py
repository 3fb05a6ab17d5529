"""The library of compiled kernels: finding the one for this processor, checking it and loading it.

    lib/kernels.json            what was built, and from which sources
    lib/kernels-native.so       from an installation from source: for the processor that built it
    lib/kernels-x86-64-v3.so    from a wheel: for processors of that kind

A file is loaded only if it is whole, byte for byte as it was built. In a checkout it must also be of the sources that
stand there. YOMIKIRI_KERNELS names another folder: that of a debug build.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

from yomikiri.common.errors import N_, InputError, MachineCodeError

PACKAGE = Path(__file__).parent.parent
BUILT = PACKAGE / "machine" / "lib"
FOLDER = Path(os.environ.get("YOMIKIRI_KERNELS") or BUILT)
MANIFEST = FOLDER / "kernels.json"

# What /proc/cpuinfo calls the instructions that each kind of processor adds to the one before; the last that fits is
# used (x86-64 psABI, "micro-architecture levels").
_LEVELS = {
    "x86-64-v2": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3",
    "x86-64-v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave",
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
}


def flags() -> frozenset[str]:
    """The instructions of this processor, as the system names them; none where it does not tell."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = file.read(1 << 14).splitlines()
    except OSError:
        return frozenset()
    told = [line.partition(":")[2] for line in lines if line.startswith(("flags", "Features"))]
    return frozenset(told[0].split() if told else ())


def levels(own: frozenset[str]) -> list[str]:
    """The names of libraries that a processor of these instructions can run, the best one first."""
    machine, found = platform.machine().lower(), []
    if machine in ("x86_64", "amd64"):
        for name, needed in _LEVELS.items():
            if not own.issuperset(needed.split()):
                break
            found.append(name)
    elif machine in ("aarch64", "arm64"):
        found.append("aarch64")
    elif machine == "wasm32":
        return ["wasm32"]
    return ["native", *reversed(found)]


def sources_digest(names: list[str]) -> str:
    """A digest of the sources of these names; they lie in the folder of the package, or are missing."""
    digest = sha256()
    for name in names:
        path = PACKAGE / name
        text = path.read_bytes() if path.is_file() else b""
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return digest.hexdigest()


@cache
def library() -> ctypes.CDLL:
    """The library for this processor, loaded; raises an `InputError` that says what is wrong if there is none."""
    path = _chosen()
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise _unusable(path, error) from None


def available() -> bool:
    """Whether there is a library for this processor; raises an `InputError` where that of a checkout has to be built
    again, so that nothing falls back on slower ways there unseen."""
    try:
        library()
    except MachineCodeError:
        return False
    return True


def require() -> None:
    """Raise the `InputError` that says what is missing, where there is no library."""
    library()


def _missing() -> MachineCodeError:
    return MachineCodeError(
        N_(
            "this takes machine code, and there is none for {given}: expected Linux on x86_64 or aarch64, or an "
            "installation from source"
        ),
        given=f"{platform.system()} {platform.machine()}",
    )


def _unusable(path: Path, reason: OSError | None = None) -> InputError:
    if in_checkout():
        return InputError(
            N_("{given} is missing, damaged or for another processor: build it again with scripts/run --version"),
            given=str(path),
        )
    if reason:
        return MachineCodeError(
            N_("{given} cannot be used ({reason}): install the package again"), given=str(path), reason=str(reason)
        )
    return MachineCodeError(N_("{given} is damaged: install the package again"), given=str(path))


def in_checkout() -> bool:
    """Whether this is the package of a checkout, whose library is built where it is used: then it must be there, or
    the manifest must say that none was to be built."""
    return (PACKAGE.parent.parent / "pyproject.toml").exists()


def _chosen() -> Path:
    try:
        manifest = json.loads(MANIFEST.read_bytes())
        built = {
            str(name): (str(each["sha256"]), frozenset(each["flags"])) for name, each in manifest["libraries"].items()
        }
        sources, digest = list(map(str, manifest["sources"])), str(manifest["digest"])
    except FileNotFoundError:
        raise _unusable(MANIFEST) if in_checkout() else _missing() from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise _unusable(MANIFEST) from None
    if in_checkout() and digest != sources_digest(sources):
        raise InputError(
            N_("{given} was not built from the sources that are there: build it again with scripts/run --version"),
            given=str(FOLDER),
        )
    own = flags()
    for name in levels(own):
        if name in built and own.issuperset(built[name][1]):
            path = FOLDER / f"kernels-{name}.so"
            if path.is_file() and sha256(path.read_bytes()).hexdigest() == built[name][0]:
                return path
            raise _unusable(path)
    raise _unusable(FOLDER) if built and in_checkout() else _missing()


def function_of(symbol: str) -> Callable[..., int]:
    """An entry of the library: it takes two blocks of words, what is given and room for what it gives."""
    return in_library(library(), symbol)


def in_library(loaded: ctypes.CDLL, symbol: str) -> Callable[..., int]:
    """The same, of any library."""
    function = loaded[symbol]
    function.argtypes = (ctypes.c_char_p, ctypes.c_char_p)
    function.restype = ctypes.c_int32
    return function
