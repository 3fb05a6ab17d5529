"""Building of wheels, without running a compiler: tags, fetched linkers, and checks of their machine code.

`scripts/wheels` builds the wheels and tests them in clean environments.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from datetime import datetime
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from scripts.distribution import building, contents, steps

from yomikiri.machine import library
from yomikiri.machine.compiler import PARTS
from yomikiri.machine.compiler.objects import WHEELS

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def hook() -> Any:
    """Import hatch_build.py, which is outside any package."""
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("targets", "tag"),
    [
        ("x86-64-v2 x86-64-v3 x86-64-v4", "py3-none-manylinux_2_17_x86_64"),
        ("x86-64-v3", "py3-none-manylinux_2_17_x86_64"),
        ("aarch64", "py3-none-manylinux_2_17_aarch64"),
        ("none", "py3-none-any"),
        ("native", "py3-none-macosx_11_0_arm64"),
    ],
)
def test_wheel_tag_follows_from_its_targets(targets: str, tag: str, hook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sysconfig.get_platform", lambda: "macosx-11.0-arm64")
    monkeypatch.setenv("YOMIKIRI_TARGETS", targets)
    assert hook.tag(hook.targets()) == tag


@pytest.mark.parametrize("targets", ["", "x86-64-v9", "aarch64 x86-64-v3", "none native", "native x86-64-v2"])
def test_invalid_or_mixed_targets_are_refused(targets: str, hook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOMIKIRI_TARGETS", targets)
    with pytest.raises(ValueError, match=re.escape(f"YOMIKIRI_TARGETS={targets}: expected native, none, aarch64, or")):
        hook.targets()


@pytest.mark.parametrize(
    ("targets", "cc", "fetched"),
    [
        (["native"], "/usr/bin/cc", False),
        (["native"], None, True),
        (["x86-64-v2", "x86-64-v3"], "/usr/bin/cc", True),
        (["aarch64"], "/usr/bin/cc", True),
        (["none"], None, False),
    ],
)
def test_linkers_fetches_ziglang_for_wheels_or_without_cc(
    targets: list[str], cc: str | None, fetched: bool, hook: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", {"cc": cc}.get)
    assert hook.linkers(targets) == ([hook.ZIG] if fetched else [])


def test_fetched_versions_are_pinned_in_constraints(hook: Any) -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert {hook.ZIG, *(each for each in build if "==" in each)} <= set(pins)


def test_processor_levels_agree_everywhere(hook: Any) -> None:
    assert list(library._LEVELS) == list(hook.LEVELS) == list(steps.LEVELS) == list(contents.WIDTHS)
    assert {*steps.LEVELS, "aarch64"} == {name for levels in steps.KINDS.values() for name in levels} == set(WHEELS)


def test_library_contains_the_licence_of_numba() -> None:
    text = (library.FOLDER / "LICENSE-numba.txt").read_text(encoding="utf-8")
    assert text.startswith("Copyright")
    assert "Redistributions in binary form must reproduce" in text


def test_registers_counts_instructions_by_their_widest_register() -> None:
    disassembly = """
0000000000001000 <hitblow_search_symmetry_refine>:
  1000:\tvpand  %ymm1,%ymm2,%ymm3
  1004:\tvextracti64x4 $0x1,%zmm0,%ymm1
  100b:\tvmovdqu 0x20(%rdi),%xmm4
  1010:\tjl     1020 <hitblow_search_symmetry_refine+0x20>
"""
    assert contents.registers(disassembly) == {"xmm": 1, "ymm": 1, "zmm": 1}


def test_missing_tools_are_reported_with_the_skipped_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "left_out", [])
    monkeypatch.setattr(shutil, "which", {"objdump": "/usr/bin/objdump"}.get)
    assert steps.tools_installed("objdump", what="looking")
    assert not steps.tools_installed("objdump", "no-such-qemu", what="trying")
    assert steps.left_out == ["trying: no-such-qemu not found"]


class Clock(datetime):
    """A clock that always shows the same moment of a given year."""

    year_now = 0

    @classmethod
    def now(cls, tz: Any = None) -> Clock:
        return cls(cls.year_now, 5, 6, tzinfo=tz)


def test_compiled_catalogue_does_not_depend_on_the_time(hook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("babel.messages.catalog.datetime.datetime", Clock)
    made = []
    for year in (1999, 2001):
        monkeypatch.setattr(Clock, "year_now", year)
        made.append(BytesIO())
        hook.write_mo(made[-1], hook.merged_catalogue(hook.LOCALE / "ja"))
    assert made[0].getvalue() == made[1].getvalue()


def test_scripts_name_kernels_and_parts_that_exist() -> None:
    assert building.SMALLEST_PART in PARTS
    for module, name in contents.SCAN:
        assert callable(getattr(import_module(f"yomikiri.hitblow.search.kernels.{module}"), name))
