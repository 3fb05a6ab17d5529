"""Build hooks: compile the kernels and the message catalogues, and write the description of the package.

The kernels become a shared library for this processor, or for those in YOMIKIRI_TARGETS: levels of one architecture
(`x86-64-v2 x86-64-v3 x86-64-v4`, or `aarch64`), or `none` for a wheel without machine code. The library does not depend
on the version of Python.

All `locale/LANG/*.po` of a language become one `LC_MESSAGES/yomikiri.mo`, for wheels and editable installs;
`python hatch_build.py` does only that. The description is the README without relative links and pictures, which would
be broken outside the repository.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
LOCALE = ROOT / "src" / "yomikiri" / "locale"
LIBRARY = ROOT / "src" / "yomikiri" / "machine" / "lib"
# A linker that can target old systems; pinned, because its output is part of the wheel.
ZIG = "ziglang==0.17.1"
LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")


def merged_catalogue(folder: Path) -> Catalog:
    """Return the catalogue of all messages in `folder`.

    Raises a `ValueError` if two files translate the same message.
    """
    # A fixed date, so that equal sources give equal catalogues.
    whole = Catalog(locale=folder.name, domain="yomikiri", creation_date=datetime.fromtimestamp(0, UTC))
    for path in sorted(folder.glob("*.po")):
        with path.open("rb") as file:
            part = read_po(file, locale=folder.name, abort_invalid=True)
        for message in part:
            if not message.id:
                continue
            if message.id in whole:
                raise ValueError(f"{path}: {message.id!r} is already translated in another file")
            whole[message.id] = message
    return whole


def compile_catalogues() -> None:
    """Write the `.mo` file of every language."""
    for folder in sorted(path for path in LOCALE.iterdir() if path.is_dir()):
        target = folder / "LC_MESSAGES" / "yomikiri.mo"
        target.parent.mkdir(exist_ok=True)
        beside = target.with_suffix(".tmp")
        with beside.open("wb") as file:
            write_mo(file, merged_catalogue(folder))
        beside.replace(target)


def targets() -> list[str]:
    """Return the targets of the library; raise a `ValueError` if YOMIKIRI_TARGETS is none of the supported values."""
    names = os.environ.get("YOMIKIRI_TARGETS", "native").split()
    if names not in (["native"], ["none"], ["aarch64"]) and (not names or not set(LEVELS).issuperset(names)):
        raise ValueError(
            f"YOMIKIRI_TARGETS={' '.join(names)}: expected native, none, aarch64, or of {' '.join(LEVELS)}"
        )
    return names


def linkers(names: list[str]) -> list[str]:
    """Return the requirement for a linker; for this processor an installed `cc` is enough."""
    here = names == ["native"] and shutil.which("cc")
    return [] if names == ["none"] or here else [ZIG]


def compile_kernels(names: list[str]) -> None:
    """Bring the library of kernels up to date; for `none`, write only a manifest without libraries."""
    if names == ["none"]:
        made = ROOT / "build" / "kernels" / "lib"
        for folder in (made, LIBRARY):
            shutil.rmtree(folder, ignore_errors=True)
        made.mkdir(parents=True)
        manifest = {"digest": sha256().hexdigest(), "sources": [], "libraries": {}}
        (made / "kernels.json").write_text(json.dumps(manifest) + "\n", encoding="utf-8")
        shutil.copytree(made, LIBRARY)
        return
    compiler = ROOT / "src" / "yomikiri" / "machine" / "compiler" / "__main__.py"
    subprocess.run([sys.executable, str(compiler), *names], check=True)


def tag(names: list[str]) -> str:
    """Return the platform tag of a wheel with libraries for these targets."""
    if names == ["none"]:
        return "py3-none-any"
    if names == ["native"]:
        return f"py3-none-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    return f"py3-none-manylinux_2_17_{'aarch64' if names == ['aarch64'] else 'x86_64'}"


class MachineCodeHook(BuildHookInterface[Any]):
    """The build hook that hatchling finds in this file."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return the build requirements in addition to those in pyproject.toml."""
        return [] if self.target_name == "sdist" else linkers(targets())

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are collected; a source distribution contains no machine code."""
        compile_catalogues()
        if self.target_name == "sdist":
            return
        compile_kernels(targets())
        build_data["pure_python"] = targets() == ["none"]
        build_data["tag"] = tag(targets())


def description(readme: str) -> str:
    """Return the README without relative links and pictures."""
    text = re.sub(r"\[([^]]*)\]\((?!https?:|#)[^)]*\)", r"\1", readme)
    return re.sub(r"^(?:<img src=\"(?!https?:)[^>]*> ?)+\n\n", "", text, flags=re.MULTILINE)


class DescriptionHook(MetadataHookInterface):
    """The metadata hook that sets the description."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description."""
        text = description((ROOT / "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


if __name__ == "__main__":
    compile_catalogues()
