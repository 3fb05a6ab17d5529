"""The library of compiled kernels: selection for this processor, verification and loading.

    lib/kernels.json            the libraries built, and their sources
    lib/kernels-native.so       from an installation from source: for the processor that built it
    lib/kernels-x86-64-v3.so    from a wheel: for processors of this level

A file is loaded only if it equals the file that was built, byte for byte. In a checkout, it must also match the present
sources. YOMIKIRI_KERNELS selects another folder, such as that of a debug build.
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

# The instruction set extensions that each level adds to the level before it, as named in /proc/cpuinfo (x86-64 psABI,
# "micro-architecture levels"). The highest supported level is used.
_LEVELS = {
    "x86-64-v2": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3",
    "x86-64-v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave",
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
}


def flags() -> frozenset[str]:
    """Return the instruction set extensions of this processor, as the system names them; empty if unknown."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = file.read(1 << 14).splitlines()
    except OSError:
        return frozenset()
    feature_lines = [line.partition(":")[2] for line in lines if line.startswith(("flags", "Features"))]
    return frozenset(feature_lines[0].split() if feature_lines else ())


def levels(own: frozenset[str]) -> list[str]:
    """Return the names of the libraries that a processor with these extensions can run, the best first."""
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
    """Return a digest of the sources with these names, relative to the package; missing ones count as empty."""
    digest = sha256()
    for name in names:
        path = PACKAGE / name
        text = path.read_bytes() if path.is_file() else b""
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return digest.hexdigest()


@cache
def library() -> ctypes.CDLL:
    """Return the library for this processor, loaded on the first call.

    Raises an `InputError` if there is no such library, or if it is unusable.
    """
    path = _chosen()
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise _unusable(path, error) from None


def available() -> bool:
    """Return True if there is a library for this processor.

    Raises an `InputError` in a checkout whose library is missing, damaged or outdated, so that slower code is never
    used unnoticed.
    """
    try:
        library()
    except MachineCodeError:
        return False
    return True


def require() -> None:
    """Raise an `InputError` if there is no library for this processor, or if the library is unusable."""
    library()


def _missing() -> MachineCodeError:
    return MachineCodeError(
        N_("machine code is missing for {given}: use Linux on x86_64 or aarch64, or install from source"),
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
    """Return True if this is the package of a checkout, whose library is built in place.

    The library must then exist, unless its manifest lists no libraries at all.
    """
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
    """Return an entry of the library. It takes two blocks of words: the arguments, and space for the results."""
    return in_library(library(), symbol)


def in_library(loaded: ctypes.CDLL, symbol: str) -> Callable[..., int]:
    """Return the function `symbol` of a compiled library, with its argument types set.

    It takes two blocks of words: the arguments, and space for the results. It returns a status.
    """
    function = loaded[symbol]
    function.argtypes = (ctypes.c_char_p, ctypes.c_char_p)
    function.restype = ctypes.c_int32
    return function
