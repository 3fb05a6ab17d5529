"""LLVM bitcode to a shared library: optimised for a processor, made position-independent, and linked."""

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
    """What a library is made for: a name for it, what LLVM and the linker call it."""

    name: str
    triple: str
    processor: str
    features: str = ""
    linker: str = ""
    """What `zig cc -target` calls it; empty for the compiler of this system, and for WebAssembly, which has its own."""

    def needs(self) -> list[str]:
        """The instructions, as the system names them, without which the library must not be loaded."""
        return sorted(flags()) if self.name == "native" else []


def native() -> Target:
    """This processor, linked by what is here."""
    features = _llvm.get_host_cpu_features().flatten()
    linker = "" if shutil.which("cc") else "native"
    return Target("native", _llvm.get_process_triple(), _llvm.get_host_cpu_name(), features, linker)


# glibc of 2012: every system of today has it or a newer one.
_X86, _ARM = "x86_64-linux-gnu.2.17", "aarch64-linux-gnu.2.17"
WHEELS = {
    each.name: each
    for each in (
        *(Target(f"x86-64-v{n}", "x86_64-unknown-linux-gnu", f"x86-64-v{n}", "", _X86) for n in (2, 3, 4)),
        Target("aarch64", "aarch64-unknown-linux-gnu", "generic", "", _ARM),
    )
}
"""What wheels have libraries for."""

# Its instructions are those of every browser in which CPython runs.
_WASM = "+bulk-memory,+simd128,+sign-ext,+nontrapping-fptoint,+mutable-globals"
BROWSER = Target("wasm32", "wasm32-unknown-unknown", "generic", _WASM)
"""What the library of `yomikiri site` is for: CPython as WebAssembly, which loads it as a side module."""


def object_of(bitcode: bytes, target: Target) -> bytes:
    """The object file of some bitcode."""
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
    """Link object files into a shared library; raises `CalledProcessError` with what the linker said. Only with
    `lines` it keeps what tells a debugger where code comes from."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
    beside = output.with_suffix(".tmp")
    # What is called from outside of the objects is memset, memcpy, the clock and two functions of libm.
    arguments = ["-shared", "-Wl,--build-id=none", "-o", str(beside), *map(str, objects), "-lm"]
    if target == BROWSER:
        # What it calls, the program has that loads it.
        command = [sys.executable, "-m", "ziglang", "wasm-ld", "--experimental-pic", "--shared", "--no-entry"]
        arguments = ["--allow-undefined", "-o", str(beside), *map(str, objects)]
    elif target.linker:
        at = [] if target.linker == "native" else ["-target", target.linker]
        command = [sys.executable, "-m", "ziglang", "cc", "-O2", *at]
        # It keeps 45 MB of what it makes of its own libraries: here, not where the user's caches are.
        kept = str(objects[0].parent / "zig")
        environment |= {"ZIG_GLOBAL_CACHE_DIR": kept, "ZIG_LOCAL_CACHE_DIR": kept}
    else:
        command = ["cc"]
    subprocess.run([*command, *([] if lines else ["-s"]), *arguments], check=True, env=environment)
    beside.replace(output)
