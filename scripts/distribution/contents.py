"""Checks of the contents of wheels: files, requirements of the libraries, and instructions of the kernels."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from scripts.distribution.steps import KINDS, WORK, X86, expect, say, step, tools_installed

MOST = 3e6  # size limit of a wheel in bytes
GLIBC = (2, 17)
CALLED = {"memset", "memcpy", "log", "log2"}
"""The functions that a library imports from the system. All other code is in it."""
SCAN = (("occurring", "mark"), ("current_set", "mark_members"))
"""Kernels of the search that work on vectors of eight words, as module and function."""
WIDTHS = {"x86-64-v2": "xmm", "x86-64-v3": "ymm", "x86-64-v4": "zmm"}

# Prints each imported name of a file, with its version.
_IMPORTS = """
import json, sys
from elftools.elf.elffile import ELFFile
found = {}
for path in sys.argv[1:]:
    elf, found[path] = ELFFile(open(path, "rb")), {}
    needed, versions = elf.get_section_by_name(".gnu.version_r"), elf.get_section_by_name(".gnu.version")
    names = {of["vna_other"]: of.name for _, several in needed.iter_versions() for of in several} if needed else {}
    symbols = elf.get_section_by_name(".dynsym") or elf.get_section_by_name(".symtab")
    for i, symbol in enumerate(symbols.iter_symbols()):
        if symbol["st_shndx"] == "SHN_UNDEF" and symbol.name:
            found[path][symbol.name] = names.get(versions.get_symbol(i)["ndx"], "") if versions else ""
print(json.dumps(found))
"""


def libraries_of(kind: str) -> Path:
    """Return the folder with the unpacked libraries of a wheel."""
    return WORK / "unpacked" / kind / "yomikiri/machine/lib"


def check_contents(python: Path, made: dict[str, Path]) -> None:
    """Check all wheels, with the tools of an environment."""
    for kind, levels in KINDS.items():
        wheel, folder = made[kind], libraries_of(kind)
        expect(wheel.stat().st_size < MOST, f"{wheel.name} takes more than {MOST / 1e6:.0f} MB")
        expect(wheel.name.endswith(f"-py3-none-{kind}.whl"), f"{wheel.name} is not for {kind}")
        with zipfile.ZipFile(wheel) as file:
            file.extractall(WORK / "unpacked" / kind)
        held = {path.name for path in folder.iterdir()} if folder.exists() else set()
        beside = {"kernels.json", "LICENSE-numba.txt"} if levels else set()
        expect(held == beside | {f"kernels-{level}.so" for level in levels}, f"{wheel.name} holds {sorted(held)}")
        if levels:
            licence = (folder / "LICENSE-numba.txt").read_text(encoding="utf-8")
            expect("Redistributions in binary form" in licence, "there is no licence of numba")
            _check_links(python, wheel, kind)
    if tools_installed("objdump", what="looking at instructions"):
        _check_instructions()


def _check_links(python: Path, wheel: Path, kind: str) -> None:
    """Check that the libraries run with an old glibc and contain only objects of kernels."""
    report = " ".join(step([python, "-m", "auditwheel", "show", wheel]).split())
    expect(f'following platform tag: "{kind}"' in report, f"auditwheel does not find {kind}: {report}")
    objects = [path for path in WORK.glob("once/*/build/kernels/*.o") if path.stem.endswith(KINDS[kind])]
    libraries = sorted(libraries_of(kind).glob("*.so"))
    imports: dict[str, dict[str, str]] = json.loads(step([python, "-c", _IMPORTS, *objects, *libraries]))
    expect(objects, "there are no objects")
    for path in objects:
        expect(imports[str(path)].keys() <= CALLED, f"{path.name} imports {sorted(imports[str(path)])}")
    for path in libraries:
        # All code that is not in `CALLED` is linked statically, so only these names are still missing in the library.
        expect(imports[str(path)].keys() == CALLED, f"{path.name} imports {sorted(imports[str(path)])}")
        latest = max(tuple(map(int, each.removeprefix("GLIBC_").split("."))) for each in imports[str(path)].values())
        expect(latest <= GLIBC, f"{path.name} needs glibc {latest}")
        version = ".".join(map(str, latest))
        say(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, glibc {version}, {kind} to auditwheel")


def _check_instructions() -> None:
    """Check the registers that the libraries use.

    The kernels of `SCAN`, which work on vectors, use the full registers of each x86-64 level. No library uses wider
    registers than its level has.
    """
    for level, width in WIDTHS.items():
        library = libraries_of(X86) / f"kernels-{level}.so"
        whole = registers(step(["objdump", "-d", "--no-show-raw-insn", library]))
        expect(all(not whole[name] for name in whole if name > width), f"{library.name} has instructions with {whole}")
        [path] = WORK.glob(f"once/*/build/kernels/search-{level}.o")
        functions = step(["objdump", "-d", "--no-show-raw-insn", path]).split("\n\n")
        symbols = [f"{len(module)}{module}{len(name)}{name}" for module, name in SCAN]  # as LLVM names them
        scan = [text for text in functions if any(symbol in text.partition("\n")[0] for symbol in symbols)]
        expect(len(scan) == len(SCAN), f"{path.name} lacks one of the functions {SCAN}")
        of_scan = registers("\n".join(scan))
        expect(2 * of_scan[width] > sum(of_scan.values()), f"the scan of {path.name} uses the registers {of_scan}")
        say(f"kernels-{level}.so: instructions of the scan by registers {of_scan}, of all {whole}")


def registers(disassembly: str) -> dict[str, int]:
    """Count the instructions by their widest register."""
    found = dict.fromkeys(("xmm", "ymm", "zmm"), 0)
    for line in disassembly.splitlines():
        widths = [name for name in found if f"%{name}" in line]
        if widths:
            found[max(widths)] += 1
    return found
