"""Measure how plain the prose of the project is.

    python scripts/prose.py [--worst N] [ROOM ...]

The prose is that of docstrings, comments, Markdown paragraphs and English messages. The script counts phrases that make
a reader stop. It prints their number per 1,000 words in each ROOM: a package of the source, another folder such as
`tests`, or `messages`. The exit status is 1 if a part is above its limit in `LIMITS`. `--worst N` also prints the N
texts with the most such phrases.

A low rate does not make a text good. It finds the habits that the project had in its first year, so that they do not
return; whether a stranger understands a text is for a stranger to say.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent

# Each habit with the pattern that finds it and a sentence that has it.
HABITS = {
    "a clause where a noun is meant": (
        r"^(?:What|Whatever|Who|Whose|Where|Whether|How|Why)\b(?!.*\?)",
        "What is left after the guess.",
    ),
    "a fragment that starts with a pronoun or 'of'": (
        r"^(?:Those|That of|The same|Such|Of (?:a|an|the|all|two|each)|One of|It|Its)\b",
        "Those of the other side.",
    ),
    "'in so many', 'so long as'": (
        r"(?:\b(?:in|of|to|for|at|within|by|after) so (?:many|few|much)\b|\bso long as\b)",
        "Stop after so many nodes.",
    ),
    "'such as there are', 'that there are'": (
        r"\b(?:such as there|that there (?:is|are|was|were)|where there (?:is|are))\b",
        "The rules that there are.",
    ),
    "'if that', 'but for', 'save for', 'just if'": (
        r"\b(?:but for|save for|just if|be it|nor is|nor are|nor does)\b",
        "All of them but for the last.",
    ),
    "'stands for', 'in the place of'": (
        r"\b(?:stands? (?:for|in|on|at|there|below|above|beside|behind|before)|in the place of|in its place)\b",
        "A word stands for each code.",
    ),
    "people as 'a person', 'who', 'one'": (
        r"\b(?:a person who|one's own|who(?:ever)? (?:asks|plays|waits|reads|calls|wants))\b",
        "A list of one's own.",
    ),
    "'told', 'heard', 'said' of programs": (
        r"\b(?:is|are|was|were|be|been) (?:told|heard|said)\b",
        "The rest is told at the end.",
    ),
    "'beside' and 'behind' for 'next to' and 'after'": (
        r"\b(?:beside (?:it|them|each|the|that)|behind (?:it|them))\b",
        "A count beside the code.",
    ),
    "'alike', 'anew', 'hence', 'thereof'": (
        r"\b(?:alike|anew|hence|thereof|thereby|whereof|wherein|therein|whichever)\b",
        "The screen is drawn anew.",
    ),
    "'as it was', 'as they are'": (
        r"\bas (?:it|they) (?:is|are|was|were|stands?|stood|comes?|came)\b",
        "The text as it was.",
    ),
    "'nothing of', 'none of which', 'no ... at all'": (
        r"\b(?:nothing (?:of|else|but)|none of (?:which|whom)|of which (?:one|none|each|all))\b",
        "It says nothing of the rest.",
    ),
}
_PATTERNS = {
    habit: re.compile(pattern, 0 if pattern.startswith("^") else re.IGNORECASE)
    for habit, (pattern, _) in HABITS.items()
}

# Largest number of hits per 1,000 words, by part of the project. Lower a limit after a rewrite, and never raise one.
LIMITS = {
    "src/yomikiri": 2.2,
    "tests": 2.0,
    "benchmarks": 2.5,
    "examples": 2.0,
    "scripts": 3.0,
    "docs": 1.0,
    "messages": 1.5,
}


def habits_in(text: str) -> Counter[str]:
    """Return how often a text has each habit."""
    return Counter({habit: found for habit, pattern in _PATTERNS.items() if (found := len(pattern.findall(text)))})


def texts_of(path: Path) -> Iterator[str]:
    """Yield the pieces of prose in a file: docstrings and comments, paragraphs, or messages."""
    if path.suffix == ".py":
        yield from _of_python(path.read_text(encoding="utf-8"))
    elif path.suffix == ".po":
        with path.open("rb") as file:
            for message in read_po(file):
                yield from [message.id] if isinstance(message.id, str) else message.id
    else:
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        yield from (part for part in re.split(r"\n\s*\n", text) if part and part[0] not in "|<#[")


def _of_python(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from re.split(r"\n\s*\n", node.value.value)
    block: list[str] = []  # whole lines of comment that follow each other
    last = -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            whole = token.line.lstrip().startswith("#")
            if not whole or token.start[0] != last + 1:
                yield " ".join(block)
                block = []
            block.append(token.string.lstrip("# "))
            last = token.start[0] if whole else -1
    yield " ".join(block)


def rooms() -> dict[str, list[Path]]:
    """Return the files of each part of the project. Each package of the source is a part."""
    found: dict[str, list[Path]] = {}
    for path in sorted((ROOT / "src/yomikiri").rglob("*.py")):
        parts = path.relative_to(ROOT / "src/yomikiri").parts
        depth = 2 if parts[0] == "hitblow" else 1
        found.setdefault("/".join(("src/yomikiri", *parts[:-1][:depth])), []).append(path)
    for folder in ("tests", "benchmarks", "examples", "scripts"):
        found[folder] = sorted((ROOT / folder).rglob("*.py"))
    found["docs"] = [path for path in sorted((ROOT / "docs").rglob("*.md")) if "ja" not in path.parts]
    found["docs"] += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    found["messages"] = sorted((ROOT / "src/yomikiri/locale/ja").glob("*.po"))
    return found


def limit_of(room: str) -> float:
    """Return the limit of hits per 1,000 words for a part of the project. All packages of the source share one."""
    return LIMITS["src/yomikiri" if room.startswith("src/") else room]


def rate(files: list[Path]) -> tuple[float, int]:
    """Return the number of hits per 1,000 words in some files, and the number of words."""
    texts = [text for path in files for text in texts_of(path)]
    words = sum(len(text.split()) for text in texts)
    return 1000 * sum(habits_in(text).total() for text in texts) / max(1, words), words


def main() -> int:
    """Print the rates, and the worst texts if asked for; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rooms", nargs="*", help="rooms to measure; all by default")
    parser.add_argument("--worst", type=int, default=0, help="number of texts to print")
    asked = parser.parse_args()
    above, measured = 0, {room: files for room, files in rooms().items() if not asked.rooms or room in asked.rooms}
    for room, files in measured.items():
        found, words = rate(files)
        above += found > limit_of(room)
        print(f"{room:<32} {words:>7,} words {found:>6.1f}  limit {limit_of(room):g}")
    texts = [(text, path) for files in measured.values() for path in files for text in texts_of(path)]
    for text, path in sorted(texts, key=lambda each: -habits_in(each[0]).total())[: asked.worst]:
        print(f"\n{path.relative_to(ROOT)}: {', '.join(habits_in(text))}\n{text.strip()}")
    return int(above > 0)


if __name__ == "__main__":
    sys.exit(main())
