"""Write the files that the site offers for download: python scripts/downloads.py [FOLDER].

    PAGE-SECTION.csv   each table of the pages of results
    strategies.zip     the strategy file of each proven game of up to four digits, solved again from scratch

The default folder is docs/assets/downloads. It takes half a minute of CPU.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from yomikiri.hitblow import Objective, Repeats, Rules, Task, solve, write_strategy

DOCS = Path(__file__).parent.parent / "docs"
PAGES = ("results", "race-values", "tictactoe-results")
DIGITS = 4  # the largest number of digits of a game in strategies.zip
REPEATS = dict(zip(("any guess", "secrets and guesses", "Mastermind"), ("guess", "none", "all"), strict=True))

Table = list[list[str]]


def tables(page: str) -> Iterator[tuple[str, Table]]:
    """Yield each table of a page with a name for its file. Thousands separators are removed from the numbers."""
    text = (DOCS / "theory" / f"{page}.md").read_text(encoding="utf-8")
    seen: Counter[str] = Counter()
    for section in text.split("\n## ")[1:]:
        title = "-".join(re.findall("[a-z0-9]+", section.partition("\n")[0].lower()))
        for block in re.findall(r"^\|.*\n\| ---.*\n(?:\|.*\n)+", section, re.MULTILINE):
            seen[title] += 1
            rows = [line[1:-1].split("|") for line in block.splitlines() if not line.startswith("| ---")]
            name = f"{page}-{title}" + (f"-{seen[title]}" if seen[title] > 1 else "")
            yield name, [[_plain(cell) for cell in row] for row in rows]


def _plain(cell: str) -> str:
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell.strip().replace("**", ""))
    return re.sub(r"(?<=\d),(?=\d{3})", "", words)


def games() -> Iterator[tuple[str, Task, dict[str, str]]]:
    """Yield the games on the page of totals whose strategies are written: file name, task, and row of the table."""
    for title, (head, *rows) in tables("results"):
        repeats = next(kind for words, kind in REPEATS.items() if "-".join(words.lower().split()) in title)
        for row in rows:
            said = dict(zip(head, row, strict=True))
            digits, symbols = map(int, said["game"].split(" of "))
            if digits <= DIGITS and said["total"].isdigit():
                rules = Rules(digits, "0123456789"[:symbols], Repeats(repeats))
                yield _name(said, repeats), _task(rules, said["least"]), said


def _name(said: dict[str, str], repeats: str) -> str:
    least = said["least"].removeprefix("total").removesuffix(", then total").replace("maximum", ", least maximum")
    words = said["game"] + {"none": "", "guess": ", any guess", "all": ", repeats"}[repeats] + least
    return re.sub("[ ,]+", "-", words) + ".json"


def _task(rules: Rules, least: str) -> Task:
    within = re.search(r"within (\d)", least)
    return Task(
        rules,
        rules.symbols[-1] if "absent" in least else "",
        objective=Objective(
            "last" if "fewest" in least else "worst" if "maximum" in least else "expected",  # type: ignore[arg-type]
            int(within[1]) if within else None,
            "consistent" in least,
        ),
    )


def main() -> None:
    """Write all files."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DOCS / "assets/downloads")
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    for page in PAGES:
        for name, rows in tables(page):
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(rows)
            (folder / f"{name}.csv").write_text(text.getvalue(), encoding="utf-8")
    with ZipFile(folder / "strategies.zip", "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, task, _said in games():
            print(name, file=sys.stderr, flush=True)
            strategy = solve(task).strategy
            assert strategy is not None
            archive.writestr(ZipInfo(name), write_strategy(strategy), ZIP_DEFLATED, 9)


if __name__ == "__main__":
    main()
