"""The checker of certificates: it accepts true claims and rejects all other files."""

from __future__ import annotations

import gzip
import lzma
import random
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.hitblow.certificate.made import Exact, Logged, as_file, certificate, checked
from tests.sources import lines_of_code

from yomikiri.hitblow.certificate import checker
from yomikiri.hitblow.model.rules import hint

# (digits, symbols, repeats, least total) of the documented games up to 4 of 8.
GAMES = [
    (1, 2, "none", 3), (2, 2, "none", 3), (2, 3, "none", 13), (2, 4, "none", 30), (2, 6, "none", 103),
    (2, 10, "none", 451), (3, 3, "none", 15), (3, 4, "none", 72), (3, 5, "none", 196), (3, 6, "none", 436),
    (3, 7, "none", 836), (3, 8, "none", 1449), (3, 9, "none", 2337), (3, 10, "none", 3575), (4, 4, "none", 86),
    (4, 5, "none", 462), (4, 6, "none", 1446), (4, 7, "none", 3639), (4, 8, "none", 7817), (3, 3, "guess", 15),
    (3, 4, "guess", 69), (3, 6, "guess", 436), (4, 4, "guess", 79), (4, 5, "guess", 430), (4, 6, "guess", 1435),
    (2, 2, "all", 8), (2, 6, "all", 132), (2, 10, "all", 517), (3, 2, "all", 18), (3, 3, "all", 73), (3, 4, "all", 206),
    (3, 5, "all", 451), (3, 6, "all", 854), (4, 2, "all", 44), (4, 3, "all", 246), (4, 4, "all", 905),
    (4, 5, "all", 2463),
]  # fmt: skip
SMALL = [(3, 6, "none", 436), (4, 6, "none", 1446), (4, 5, "none", 462), (3, 5, "all", 451), (4, 5, "guess", 430)]


LONG = {(4, 8, "none", 7817), (3, 10, "none", 3575)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("digits", "symbols", "repeats", "total"),
    [pytest.param(*game, marks=[pytest.mark.exhaustive] if game in LONG else []) for game in GAMES],
)
def test_written_certificate_is_accepted_with_its_claim(digits: int, symbols: int, repeats: str, total: int):
    game = checked(certificate(digits, symbols, repeats, total))
    assert not isinstance(game, str), game
    assert (game.p, game.q, game.repeats, game.absent, game.turns) == (digits, symbols, repeats, "-", [])
    assert game.total == total


def test_checker_is_short():
    """The code has fewer than 200 lines without its docstrings."""
    assert lines_of_code(Path(checker.__file__)) < 200


@pytest.mark.parametrize(
    ("digits", "symbols", "repeats"), [(2, 3, "none"), (3, 4, "all"), (3, 5, "guess"), (4, 5, "none"), (5, 5, "none")]
)
def test_table_of_answers_agrees_with_the_rules(digits: int, symbols: int, repeats: str):
    game = checker.CertificateGame(f"certificate 1 {digits} {symbols} {repeats} - 9")
    names = ["".join(map(str, code)) for code in game.codes.tolist()]
    for row, secret in enumerate(game.own.tolist()):
        for column, guess in enumerate(names):
            answer = hint(guess, names[secret])
            assert game.hints[row, column] == game.answer_index[answer.hits * (digits + 1) + answer.blows]
            assert game.bits[row, column] == 1 << int(game.hints[row, column])


@pytest.mark.parametrize(("digits", "symbols", "repeats", "total"), SMALL)
def test_small_claims_agree_with_a_plain_recursion(digits: int, symbols: int, repeats: str, total: int):
    game = checked(certificate(digits, symbols, repeats, total), Logged)
    claims = [(codes, least) for (_name, least), codes in game.claims.items() if len(codes) <= 10]
    exact = exact_of(game)
    for codes, least in claims[:150]:
        assert exact.least(tuple(codes.tolist())) >= least


def exact_of(game: Any) -> Exact:
    names = ["".join(f"{symbol:x}" for symbol in code) for code in game.codes.tolist()]
    answers = [[hint(guess, names[secret]) for secret in game.own.tolist()] for guess in names]
    return Exact([[(each.hits, each.blows) for each in row] for row in answers], game.p)


# --- mutations --------------------------------------------------------------------------------------------------------


def raised(line: str, by: int) -> str:
    return re.sub(r"(\d+)((?: [^ ]*)*)$", lambda found: f"{int(found[1]) + by}{found[2]}", line, count=1)


def liar(lines: list[str], rng: random.Random) -> list[str]:
    """Raise the total by 1, and with it one cell of each guess, so that only the leaves are wrong."""
    source, out = iter(lines[1:]), [raised(lines[0], 1)]

    def walk(more: bool) -> None:
        line = next(source)
        at = len(out)
        out.append(line)
        if line.startswith("@") or not line:
            return
        groups: list[list[str]] = [[]]
        for word in line.split(" "):
            if "=" not in word and not word.startswith("*"):
                groups.append([])
            groups[-1].append(word)
        for group in groups[1:]:
            chosen = rng.randrange(1, len(group)) if more and len(group) > 1 else 0
            if chosen:
                group[chosen] = re.sub(r"=(\d+)", lambda found: f"={int(found[1]) + 1}", group[chosen])
            for place, word in enumerate(group):
                if word.endswith("+"):
                    walk(place == chosen)
        out[at] = " ".join(word for group in groups for word in group)

    walk(True)
    return out


def mutated(lines: list[str], rng: random.Random) -> tuple[str, list[str]] | None:
    kind = rng.choice(KINDS)
    lines = list(lines)
    i = rng.randrange(1, len(lines))
    words = lines[i].split(" ")
    items = [k for k, word in enumerate(words) if "=" in word]
    guesses = [k for k, word in enumerate(words) if re.fullmatch("[0-9]+", word)]
    match kind:
        case "total + 1":
            lines[0] = raised(lines[0], 1)
            return kind, lines
        case "liar":
            return kind, liar(lines, rng)
        case "a line dropped":
            del lines[i]
            return kind, lines
        case "a line repeated":
            lines.insert(i, lines[i])
            return kind, lines
        case "lines swapped":
            j = rng.randrange(1, len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            return kind, lines
        case "bound + 1" | "bound - 1" if items:
            k, by = rng.choice(items), 1 if kind.endswith("+ 1") else -1
            words[k] = re.sub(r"=(\d+)", lambda found: f"={int(found[1]) + by}", words[k])
        case "an item dropped" if items:
            del words[rng.choice(items)]
        case "a guess dropped" if guesses:
            k = rng.choice(guesses)
            end = next((e for e in range(k + 1, len(words)) if "=" not in words[e]), len(words))
            del words[k:end]
        case "another digit" if guesses:
            k = rng.choice(guesses)
            place = rng.randrange(len(words[k]))
            words[k] = words[k][:place] + rng.choice("0123456789") + words[k][place + 1 :]
        case "another answer" if items:
            k = rng.choice(items)
            words[k] = f"{rng.choice('01234')}{rng.choice('01234')}{words[k][2:]}"
        case "answers swapped" if len(items) > 1:
            k, m = rng.sample(items, 2)
            words[k], words[m] = words[m][:2] + words[k][2:], words[k][:2] + words[m][2:]
        case "a leaf for a lemma" if items:
            k = rng.choice(items)
            words[k] = words[k].rstrip("+") if words[k].endswith("+") else words[k] + "+"
        case "another renaming" if "/" in lines[i]:
            k = rng.choice([k for k, word in enumerate(words) if "/" in word])
            place, other = rng.sample([p for p, letter in enumerate(words[k]) if letter.isdigit()], 2)
            letters = list(words[k])
            letters[place], letters[other] = letters[other], letters[place]
            words[k] = "".join(letters)
        case "another reference" if lines[i].startswith("@"):
            words[0] = re.sub(r"@\d+", f"@{rng.randrange(len(lines))}", words[0])
        case _:
            return None
    lines[i] = " ".join(words)
    return kind, lines


KINDS = [
    "total + 1", "liar", "a line dropped", "a line repeated", "lines swapped", "bound + 1", "bound - 1",
    "an item dropped", "a guess dropped", "another digit", "another answer", "answers swapped", "a leaf for a lemma",
    "another renaming", "another reference",
]  # fmt: skip
MUTATED = [(3, 7, "none", 836), (3, 5, "all", 451), (4, 6, "none", 1446), (4, 7, "none", 3639), (4, 5, "all", 2463)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("digits", "symbols", "repeats", "total"),
    [*MUTATED[:3], *(pytest.param(*game, marks=pytest.mark.exhaustive) for game in MUTATED[3:])],
)
def test_no_accepted_mutant_has_a_false_claim(digits: int, symbols: int, repeats: str, total: int):
    lines = list(certificate(digits, symbols, repeats, total))
    whole = checked(lines, Logged)
    exact, rng, tried, accepted = exact_of(whole), random.Random(total), 0, 0
    while tried < 60:
        found = mutated(lines, rng)
        if found is None or found[1] == lines:
            continue
        tried += 1
        kind, changed = found
        game = checked(changed, Logged)
        if isinstance(game, str):
            continue
        accepted += 1
        assert game.total <= total, kind
        assert kind not in ("a line repeated", "a guess dropped", "liar"), changed
        for (name, least), codes in game.claims.items():
            if (name, least) not in whole.claims and len(codes) <= 12:
                assert exact.least(tuple(codes.tolist())) >= least, kind
    assert accepted < tried / 3


def test_claims_above_the_least_total_are_rejected():
    for digits, symbols, repeats, total in MUTATED:
        lines = list(certificate(digits, symbols, repeats, total))
        assert isinstance(checked([raised(lines[0], 1), *lines[1:]]), str)
        for seed in range(5):
            assert isinstance(checked(liar(lines, random.Random(seed))), str)


# --- hostile files ----------------------------------------------------------------------------------------------------

HEAD = "certificate 1 3 4 none - 72"
HOSTILE: dict[str, list[str]] = {
    "nothing": [],
    "an empty line": [""],
    "a short head": ["certificate 1 3 4 none"],
    "a head of another version": ["certificate 2 3 4 none - 72"],
    "a total in another form": ["certificate 1 3 4 none - 1e5"],
    "a total with a mark": ["certificate 1 3 4 none - 1_0"],
    "a negative total": ["certificate 1 3 4 none - -1"],
    "digits of another script": ["certificate 1 3 4 none - ٧٢"],
    "a game that would ask for 900 GiB": ["certificate 1 6 10 all - 1000000"],
    "one with more symbols yet": ["certificate 1 6 16 all - 1000000"],
    "too few symbols": ["certificate 1 4 3 none - 9"],
    "no places": ["certificate 1 0 4 none - 9"],
    "a turn that is none": ["certificate 1 3 4 none - 9 012:9H0B"],
    "a turn that cannot be": ["certificate 1 3 4 none - 9 012:2H1B"],
    "turns that nothing fits": ["certificate 1 3 4 none - 9 012:3H0B 013:3H0B"],
    "an absent symbol that is none": ["certificate 1 3 4 none 9 9", ""],
    "too many absent symbols": ["certificate 1 3 4 none 012 9", ""],
    "no lemma": [HEAD],
    "a reference at once": [HEAD, "@0/012/0123"],
    "a reference to itself": [HEAD, "012 01=9+", "@0/012/0123"],
    "a reference to a negative lemma": [HEAD, "@-1/012/0123"],
    "a reference that is not a number": [HEAD, "@1e5/012/0123"],
    "no renaming": [HEAD, "*012/0122"],
    "a renaming of another length": [HEAD, "*0123/0123"],
    "an item without a guess": [HEAD, "01=5"],
    "an answer twice": [HEAD, "012 02=40 02=40"],
    "an answer of no code": [HEAD, "012 00=5"],
    "the winning answer": [HEAD, "012 30=60"],
    "an answer that cannot be": [HEAD, "012 21=60"],
    "a guess that is no code": [HEAD, "011"],
    "a guess of other symbols": [HEAD, "019"],
    "a bound that is not a number": [HEAD, "012 02=١٢"],
    "lines after the end": ["certificate 1 1 2 none - 3", "", ""],
    "a section without an end": [HEAD, "012 02=5^", ""],
    "lemmas inside each other without end": [HEAD, *["012 02=5+"] * 300],
}  # fmt: skip


@pytest.mark.parametrize("lines", HOSTILE.values(), ids=list(HOSTILE))
def test_malformed_certificates_are_rejected_with_a_reason(lines: list[str]):
    assert isinstance(checked(lines), str)


def test_endless_line_is_rejected_early():
    class Endless:
        read = 0

        def readline(self, most: int) -> bytes:
            self.read += most
            return b"0" * most

    endless = Endless()
    with pytest.raises(checker.Rejected):
        checker.check(endless)
    assert endless.read <= 1 << 22


def test_random_bytes_and_truncated_files_are_rejected():
    rng, whole = random.Random(5), as_file(certificate(3, 7, "none", 836)).getvalue()
    for _ in range(40):
        part = bytearray(whole[: rng.randrange(len(whole))])
        for _ in range(rng.randrange(3)):
            if part:
                part[rng.randrange(len(part))] = rng.randrange(256)
        with pytest.raises(checker.Rejected):
            checker.check(BytesIO(bytes(part)))


@pytest.mark.slow
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_checker_runs_alone_and_reads_compressed_files(tmp_path: Path, pack: Any):
    file = tmp_path / "any-name"
    file.write_bytes(pack(as_file(certificate(3, 6, "none", 436)).getvalue()))
    done = run_alone(tmp_path, file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 places, 6 symbols, repeats none, from the start, absent symbols: -" in done.stdout
    assert "no strategy finds all 120 secrets in fewer than 436 guesses" in done.stdout
    cut = tmp_path / "cut"
    cut.write_bytes(file.read_bytes()[:-9])
    assert run_alone(tmp_path, cut).returncode == 4
    assert run_alone(tmp_path, tmp_path / "missing").returncode == 2
    assert run_alone(tmp_path, tmp_path).returncode == 2


def test_compression_bomb_is_rejected(tmp_path: Path):
    file = tmp_path / "bomb"
    file.write_bytes(gzip.compress(bytes(1 << 26)))
    assert run_alone(tmp_path, file).returncode == 4


def run_alone(folder: Path, file: Path) -> subprocess.CompletedProcess[str]:
    """Run a copy of the checker in another folder, without the package."""
    program = folder / "copied.py"
    program.write_bytes(Path(checker.__file__).read_bytes())
    return subprocess.run(
        [sys.executable, program, file], capture_output=True, text=True, cwd=folder, check=False, timeout=60
    )


def test_check_can_be_stopped_at_any_scan():
    def stop(sets: int) -> None:
        if sets > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checker.check(as_file(certificate(4, 6, "none", 1446)), tell=stop)


def test_only_references_to_subsets_are_accepted():
    """The argument for subsets is valid for arbitrary guesses only, not for consistent ones."""
    game = checker.CertificateGame("certificate 1 3 5 none - 9")
    s = np.arange(len(game.own))
    game.proven = [(s[:4], 8)]
    game.lines = iter(["@0/012/01234"])
    game.lemma(s[:6], 8)
    for bound, codes in ((9, s[:6]), (8, s[1:6])):
        game.lines = iter(["@0/012/01234"])
        with pytest.raises(checker.Rejected):
            game.lemma(codes, bound)
