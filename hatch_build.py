"""What is made when the package is built: the compiled message catalogues, and the text that stands for it elsewhere.

Every `locale/LANG/*.po` of a language goes into one `LC_MESSAGES/yomikiri.mo`, for wheels and for editable installs;
`python hatch_build.py` does that alone. The description of the package is the README without what leads into the
repository: no link or picture of it fails, wherever it is shown.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
LOCALE = ROOT / "src" / "yomikiri" / "locale"


def merged_catalogue(folder: Path) -> Catalog:
    """All messages of the language in `folder`, one catalogue; a message translated in two files is an error."""
    whole = Catalog(locale=folder.name, domain="yomikiri")
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


class CatalogueHook(BuildHookInterface[Any]):
    """The hook that hatchling looks for in this file."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are collected."""
        compile_catalogues()


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
