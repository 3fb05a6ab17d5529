"""The examples at the end of each command's help."""

from __future__ import annotations

_BOARD = "--board=1,2,3/4,5,6/7,8,9"

EXAMPLES = {
    "": ("", "hitblow match --secret 314", f"tictactoe analyze {_BOARD}"),
    "engine": ("engine", "engine < requests.jsonl > answers.jsonl"),
    "schema": ("schema", "schema suggestion"),
    "web": ("web", "web --lan", "web --secrets words.txt --hard --within 6"),
    "site": (
        "site page --runtime pyodide",
        "site page --runtime pyodide --serve",
        "site page --runtime pyodide --secrets words.txt",
    ),
    "hitblow": ("hitblow assist", "hitblow suggest 012:0H1B", "hitblow play"),
    "hitblow assist": ("hitblow assist", "hitblow assist --preset mastermind", "hitblow assist 012:0H1B --absent 7"),
    "hitblow suggest": (
        "hitblow suggest 012:0H1B 134:1H0B",
        "hitblow suggest --preset bulls 0123:1B1C --alternatives 5",
        "hitblow suggest 012:0H1B --json",
    ),
    "hitblow candidates": (
        "hitblow candidates 012:0H1B 345:1H1B",
        "hitblow candidates 012:0H1B --table",
        "hitblow candidates 012:0H1B --json",
    ),
    "hitblow review": ("hitblow review 012:0H1B 134:1H0B 156:3H0B", "hitblow review 012:0H1B 371:3H0B --json"),
    "hitblow simulate": (
        "hitblow simulate --policy entropy",
        "hitblow simulate --policy all",
        "hitblow simulate --strategy strategy.json",
    ),
    "hitblow solve": (
        "hitblow solve",
        "hitblow solve --objective worst",
        "hitblow solve --preset bulls --store bulls.store",
    ),
    "hitblow export": (
        "hitblow export --output strategy.json",
        "hitblow export --format html --output page.html",
        "hitblow export 012:0H1B --format text",
    ),
    "hitblow book": ("hitblow book new-book", "hitblow book /tmp/book"),
    "hitblow verify": ("hitblow verify strategy.json", "hitblow export | yomikiri hitblow verify -"),
    "hitblow store": ("hitblow store bulls.store", "hitblow store merge one.store two.store --output both.store"),
    "hitblow store show": ("hitblow store show bulls.store", "hitblow store show bulls.store --format json"),
    "hitblow store merge": (
        "hitblow store merge one.store two.store --output both.store",
        "hitblow store merge mine.store theirs.store --output all.store",
    ),
    "hitblow check": ("hitblow check certificate.json", "hitblow check certificate.json.gz --workers 4"),
    "hitblow play": (
        "hitblow play",
        "hitblow play --who program",
        "hitblow play --who both --first opponent",
    ),
    "hitblow practice": ("hitblow practice", "hitblow practice --difficulty hard --seed tea"),
    "hitblow daily": ("hitblow daily", "hitblow daily --day 2026-11-22"),
    "hitblow match": (
        "hitblow match --secret 314 --shown 7",
        "hitblow match --first opponent --preset numeron they=345:1H1B me=012:0H1B",
        "hitblow match --shared --digits 4 me=0123:1H1B",
    ),
    "hitblow race": ("hitblow race --digits 2 --symbols 0123", "hitblow race --information public --digits 2"),
    "hitblow opponents": ("hitblow opponents add ann 371 731", "hitblow opponents list ann"),
    "hitblow opponents add": (
        "hitblow opponents add ann 371 731",
        "hitblow opponents add ann 0123 --digits 4",
    ),
    "hitblow opponents list": ("hitblow opponents list", "hitblow opponents list ann"),
    "hitblow opponents export": (
        "hitblow opponents export ann > weights.csv",
        "hitblow opponents export ann --digits 4",
    ),
    "hitblow opponents delete": ("hitblow opponents delete ann 371", "hitblow opponents delete ann"),
    "hitblow interact": ("hitblow interact", "hitblow interact --preset bulls"),
    "guess": (
        "guess assist --secrets words.txt",
        "guess suggest --secrets words.txt crane:01002",
        "guess play --secrets words.txt",
    ),
    "guess suggest": (
        "guess suggest --secrets passwords.txt --answers hits terms:2",
        "guess suggest --secrets words.txt --hard --within 6 crane:01002",
        "guess suggest --digits 4 --symbols abcdef abcd:1H2B",
    ),
    "guess candidates": (
        "guess candidates --secrets words.txt crane:01002",
        "guess candidates --secrets words.txt crane:01002 --json",
    ),
    "guess review": (
        "guess review --secrets words.txt crane:01001 grate:22222",
        "guess review --secrets words.txt crane:01001 --json",
    ),
    "guess solve": (
        "guess solve --secrets words.txt --first crane --json",
        "guess solve --secrets words.txt --store proof.db",
        "guess solve --secrets words.txt --certificate proof.cert.gz",
    ),
    "guess simulate": (
        "guess simulate --secrets words.txt --policy entropy",
        "guess simulate --secrets words.txt --policy all --within 6",
        "guess simulate --secrets words.txt --sample 100 --seed 3 --json",
    ),
    "guess export": (
        "guess export --secrets words.txt --output strategy.json",
        "guess export --secrets words.txt --hard --within 6 --output strategy.json.gz",
    ),
    "guess verify": (
        "guess verify strategy.json --secrets words.txt",
        "guess verify strategy.json --secrets words.txt --guesses allowed.txt --json",
    ),
    "guess check": (
        "guess check proof.cert.gz --secrets words.txt",
        "guess check proof.cert.gz --secrets words.txt --guesses allowed.txt --json",
    ),
    "guess assist": ("guess assist --secrets words.txt", "guess assist --secrets words.txt --answers sum"),
    "guess match": (
        "guess match --secrets words.txt",
        "guess match --secrets words.txt --first opponent --opponent entropy crane:01002",
        "guess match --secrets words.txt --hard --opponent optimal --within 6 --json",
    ),
    "guess interact": (
        "guess interact --secrets words.txt",
        "guess interact --digits 10 --no-leading 0 --seconds 0.05",
    ),
    "guess practice": (
        "guess practice --secrets words.txt",
        "guess practice --digits 4 --symbols abcdef --difficulty hard --seed tea",
    ),
    "guess play": ("guess play --secrets words.txt", "guess play --secrets words.txt --hard --within 6"),
    "tictactoe": ("tictactoe winner boards.txt", f"tictactoe analyze {_BOARD}", "tictactoe play"),
    "tictactoe winner": ("tictactoe winner boards.txt", "tictactoe generate | yomikiri tictactoe winner"),
    "tictactoe analyze": (f"tictactoe analyze {_BOARD}", "tictactoe analyze board.txt --json"),
    "tictactoe play": ("tictactoe play", f"tictactoe play {_BOARD} --side second"),
    "tictactoe practice": ("tictactoe practice", "tictactoe practice --difficulty hard --seed tea"),
    "tictactoe generate": ("tictactoe generate", "tictactoe generate --count 5 --winner second --seed 3"),
    "tictactoe check": ("tictactoe check ./solution", "tictactoe check --count 1000 python3 solution.py"),
}
"""Example command lines by the path of the command: two or three for each command, without the program name."""


def examples_of(command_path: str) -> list[str]:
    """Return the example command lines of a command."""
    program, _blank, path = command_path.partition(" ")
    return [f"{program} {example}".rstrip() for example in EXAMPLES[path]]
