"""Compilation of LLVM bitcode to a shared library: optimisation for a processor, object files, and linking."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from yomikiri.machine.library import flags

_llvm: Any = llvm
_llvm.initialize_all_targets()
_llvm.initialize_all_asmprinters()


@dataclass(frozen=True, slots=True)
class Target:
    """A platform for which a library is built: its name, its LLVM target, and its linker."""

    name: str
    triple: str
    processor: str
    features: str = ""
    linker: str = ""
    """The target of `zig cc`, or `native` for this machine. Empty for the system's compiler and for WebAssembly."""

    def needs(self) -> list[str]:
        """Return the instruction set extensions that a processor must have to load the library."""
        return sorted(flags()) if self.name == "native" else []


def native() -> Target:
    """Return the target for this processor. Its linker is the compiler `cc`, or `zig cc` if that is missing."""
    features = _llvm.get_host_cpu_features().flatten()
    linker = "" if shutil.which("cc") else "native"
    return Target("native", _llvm.get_process_triple(), _llvm.get_host_cpu_name(), features, linker)


# The glibc of 2012: every current system has this version or a newer one.
_X86, _ARM = "x86_64-linux-gnu.2.17", "aarch64-linux-gnu.2.17"
WHEELS = {
    each.name: each
    for each in (
        *(Target(f"x86-64-v{n}", "x86_64-unknown-linux-gnu", f"x86-64-v{n}", "", _X86) for n in (2, 3, 4)),
        Target("aarch64", "aarch64-unknown-linux-gnu", "generic", "", _ARM),
    )
}
"""The targets of libraries in wheels."""

# These instructions are supported by every browser that runs CPython.
_WASM = "+bulk-memory,+simd128,+sign-ext,+nontrapping-fptoint,+mutable-globals"
BROWSER = Target("wasm32", "wasm32-unknown-unknown", "generic", _WASM)
"""The target for `yomikiri site`: a side module of CPython as WebAssembly."""


def object_of(bitcode: bytes, target: Target) -> bytes:
    """Compile bitcode to an object file for a target, and return the contents of the file."""
    module = _llvm.parse_bitcode(bitcode)
    machine = _llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=3, reloc="pic", codemodel="default"
    )
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    tuning = _llvm.create_pipeline_tuning_options(speed_level=3)
    passes = _llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    emitted: bytes = machine.emit_object(module)
    return emitted


def link(objects: list[Path], target: Target, output: Path, *, lines: bool = False) -> None:
    """Link object files into a shared library. Raises `CalledProcessError` if the linker fails.

    Debug information is kept only with `lines`.
    """
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
    beside = output.with_suffix(".tmp")
    # The only external functions are memset, memcpy, the clock and two functions of libm.
    arguments = ["-shared", "-Wl,--build-id=none", "-o", str(beside), *map(str, objects), "-lm"]
    if target == BROWSER:
        # The program that loads the library provides these functions.
        command = [sys.executable, "-m", "ziglang", "wasm-ld", "--experimental-pic", "--shared", "--no-entry"]
        arguments = ["--allow-undefined", "-o", str(beside), *map(str, objects)]
    elif target.linker:
        at = [] if target.linker == "native" else ["-target", target.linker]
        command = [sys.executable, "-m", "ziglang", "cc", "-O2", *at]
        # zig caches 45 MB of its own libraries. Keep them here instead of in the user's cache folder.
        kept = str(objects[0].parent / "zig")
        environment |= {"ZIG_GLOBAL_CACHE_DIR": kept, "ZIG_LOCAL_CACHE_DIR": kept}
    else:
        command = ["cc"]
    subprocess.run([*command, *([] if lines else ["-s"]), *arguments], check=True, env=environment)
    beside.replace(output)
