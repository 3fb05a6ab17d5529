"""What is made when the package is built: machine code, message catalogues, and the text that stands for it elsewhere.

The kernels are compiled into a shared library, for this processor, or for those that YOMIKIRI_TARGETS names: kinds of
processors that a wheel is for (`x86-64-v2 x86-64-v3 x86-64-v4`, or `aarch64`), or `none` for a wheel without machine
code. Nothing of it depends on the version of Python.

Every `locale/LANG/*.po` of a language goes into one `LC_MESSAGES/yomikiri.mo`, for wheels and for editable installs;
`python hatch_build.py` does that alone. The description of the package is the README without what leads into the
repository: no link or picture of it fails, wherever it is shown.
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
# A linker that knows the libraries of old systems; it is pinned, since what it makes is part of a wheel.
ZIG = "ziglang==0.17.1"
LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")


def merged_catalogue(folder: Path) -> Catalog:
    """All messages of the language in `folder`, one catalogue; a message translated in two files is an error."""
    # A catalogue tells when it was made. Two that are made of the same are the same.
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
    """What the library is built for; raises `ValueError` for what no wheel can be for."""
    names = os.environ.get("YOMIKIRI_TARGETS", "native").split()
    if names not in (["native"], ["none"], ["aarch64"]) and (not names or not set(LEVELS).issuperset(names)):
        raise ValueError(
            f"YOMIKIRI_TARGETS={' '.join(names)}: expected native, none, aarch64, or of {' '.join(LEVELS)}"
        )
    return names


def linkers(names: list[str]) -> list[str]:
    """What is fetched to link a library for these targets: for this processor `cc` will do."""
    here = names == ["native"] and shutil.which("cc")
    return [] if names == ["none"] or here else [ZIG]


def compile_kernels(names: list[str]) -> None:
    """Bring the library of kernels up to date; for `none` only its manifest is made, which says that there is none."""
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
    """What a wheel with libraries for these targets says of where it runs."""
    if names == ["none"]:
        return "py3-none-any"
    if names == ["native"]:
        return f"py3-none-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    return f"py3-none-manylinux_2_17_{'aarch64' if names == ['aarch64'] else 'x86_64'}"


class MachineCodeHook(BuildHookInterface[Any]):
    """The hook that hatchling looks for in this file."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What hatchling installs before it builds, beside what pyproject.toml names."""
        return [] if self.target_name == "sdist" else linkers(targets())

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are collected; a source distribution takes no machine code along."""
        compile_catalogues()
        if self.target_name == "sdist":
            return
        compile_kernels(targets())
        build_data["pure_python"] = targets() == ["none"]
        build_data["tag"] = tag(targets())


def description(readme: str) -> str:
    """The README with links into the repository as plain text, and without the pictures there."""
    text = re.sub(r"\[([^]]*)\]\((?!https?:|#)[^)]*\)", r"\1", readme)
    return re.sub(r"^(?:<img src=\"(?!https?:)[^>]*> ?)+\n\n", "", text, flags=re.MULTILINE)


class DescriptionHook(MetadataHookInterface):
    """The hook for what pyproject.toml leaves open."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Tell the description."""
        text = description((ROOT / "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


if __name__ == "__main__":
    compile_catalogues()
