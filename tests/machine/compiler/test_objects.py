"""Generic bitcode, and the object files for different processors."""

from __future__ import annotations

import ctypes
import struct
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from numpy.typing import NDArray

from yomikiri.machine.compiler.bitcode import Translation
from yomikiri.machine.compiler.objects import WHEELS, Target, link, native, object_of
from yomikiri.machine.kernel import Entry, MachineCode
from yomikiri.machine.library import in_library
from yomikiri.machine.signature import signature_of
from yomikiri.machine.vectors import load, ones

_llvm: Any = llvm
MACHINES = {"x86_64": 62, "aarch64": 183}  # the field e_machine of ELF files


def bits(words: Annotated[NDArray[np.uint64], "words"]) -> int:
    """Return the number of set bits in eight words."""
    return ones(load(words, 0))


ENTRY = Entry(bits)


@pytest.fixture(scope="module")
def bitcode() -> bytes:
    return Translation().module([ENTRY])


def test_bitcode_names_no_processor(bitcode: bytes) -> None:
    text = str(_llvm.parse_bitcode(bitcode))
    assert ENTRY.symbol in text
    assert "target-cpu" not in text
    assert "target-features" not in text


@pytest.mark.parametrize("name", WHEELS)
def test_object_has_the_machine_type_of_its_target(name: str, bitcode: bytes) -> None:
    made = object_of(bitcode, WHEELS[name])
    assert made[:4] == b"\x7fELF"
    assert struct.unpack_from("<H", made, 18) == (MACHINES[WHEELS[name].triple.partition("-")[0]],)


def test_each_target_gets_different_code(bitcode: bytes) -> None:
    made = [object_of(bitcode, target) for target in WHEELS.values()]
    assert len(set(made)) == len(made)
    assert made == [object_of(bitcode, target) for target in WHEELS.values()]


@pytest.mark.skipif(find_spec("ziglang") is None, reason="ziglang is not installed: pip install ziglang")
def test_ziglang_links_a_working_library(bitcode: bytes, tmp_path: Path) -> None:
    here = native()
    target = Target(here.name, here.triple, here.processor, here.features, "native")
    path = tmp_path / "kernel.o"
    path.write_bytes(object_of(bitcode, target))
    link([path], target, tmp_path / "kernel.so")
    run = MachineCode(in_library(ctypes.CDLL(str(tmp_path / "kernel.so")), ENTRY.symbol), signature_of(bits))
    assert run((np.array([1, 3, 7, 15, 31, 63, 127, 255], np.uint64),)) == 36
