"""The checker of certificates for lists: it accepts true claims and rejects all other files.

Also tests `guessing/certificate/writer.py`, `guessing/certificate/cells.py`, `guessing/certificate/check.py` and
`guessing/certificate/pool.py`: the certificates are theirs.
"""

from __future__ import annotations

import math
import random
import re
import subprocess
import sys
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.guessing.test_position_search import distinct, repeated
from tests.reference import guessing as reference
from tests.sources import lines_of_code

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import InputError
from yomikiri.guessing.answers import ANSWER_KINDS, HITS_BLOWS, MARKS
from yomikiri.guessing.certificate import checker
from yomikiri.guessing.certificate.check import check_certificate
from yomikiri.guessing.certificate.checker import ListGame, NotAProof
from yomikiri.guessing.certificate.writer import head, weights_of, write_certificate
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.position_search import PositionSearch


def written(position: Position, total: int, first: str | None = None, workers: int = 1) -> list[str]:
    lines = list[str]()
    write_certificate(position, total, lines.append, first=first, workers=workers)
    return lines


def checked(lines: list[str], game: Game, workers: int = 1) -> ListGame:
    file = BytesIO("".join(f"{line}\n" for line in lines).encode())
    return check_certificate(file, weights_of(game), game.guesses, workers=workers)


def is_accepted(lines: list[str], game: Game) -> bool:
    try:
        checked(lines, game)
    except NotAProof:
        return False
    return True


def random_game(seed: int) -> Game:
    """Return a game with up to 15 secrets and 25 guesses. In half of the games, the secrets have different weights."""
    chance = random.Random(seed)
    codes = repeated(chance.randint(2, 4), chance.randint(2, 4))
    chance.shuffle(codes)
    most = (1, 1, 1, 2, 5, 1000)[seed % 6]
    secrets = {code: chance.randint(1, most) for code in codes[: chance.randint(1, 15)]}
    return Game(secrets, codes[len(secrets) :][: chance.randint(0, 10)], chance.choice([*ANSWER_KINDS.values()]))


def least_total(position: Position, first: str | None = None) -> int:
    """Return the least total of a position by the oracle, which tries every guess."""
    game = position.game
    if first is None:
        weights = dict(zip(position.candidates, position.weights, strict=True))
        least = reference.least_cost(weights, game.guesses, game.answers.answer)
        assert least is not None
        return least
    cells = (cell for answer, cell in position.split(first).items() if answer != game.answers.win(game.places))
    return sum(position.weights) + sum(map(least_total, cells))


def check_random_games(seeds: range) -> None:
    for seed in seeds:
        game = random_game(seed)
        total = least_total(game.start)
        lines = written(game.start, total)
        accepted = checked(lines, game)
        assert (accepted.total, accepted.kind) == (total, game.answers.NAME), seed
        assert not is_accepted([lines[0].replace(f" {total}", f" {total + 1}"), *lines[1:]], game), seed
        # The writer tries to prove what is false. If a rule of the checker were wrong, it could succeed.
        with pytest.raises(AssertionError, match="the cells cost less"):
            written(game.start, total + 1)


@pytest.mark.slow
def test_certificates_of_random_games_claim_the_least_total():
    check_random_games(range(60))


@pytest.mark.exhaustive
def test_certificates_of_600_random_games_claim_the_least_total():
    check_random_games(range(60, 660))


@pytest.mark.parametrize("seed", range(12))
def test_claims_about_a_first_guess_and_after_a_turn_hold(seed: int):
    game = random_game(seed)
    chance = random.Random(seed)
    first = chance.choice(game.guesses)
    total = least_total(game.start, first)
    lines = written(game.start, total, first)
    assert checked(lines, game).first == sorted(game.guesses).index(first)
    assert not is_accepted([re.sub(rf" {total}( \d+)$", rf" {total + 1}\1", lines[0]), *lines[1:]], game)
    secret = chance.choice(game.secrets)
    later = game.start.after(f"{first}:{game.answers.answer(first, secret)}")
    if not later.is_solved:
        accepted = checked(written(later, least_total(later)), game)
        assert accepted.turns == [str(later.turns[0])]
        assert {accepted.codes[k] for k in accepted.own.tolist()} == {*later.candidates}


@pytest.mark.parametrize(
    ("codes", "total"),
    [
        (distinct(2, 4), 30), (distinct(3, 5), 196), (repeated(3, 3), 73), (distinct(2, 7), 161),
        pytest.param(distinct(3, 6), 436, marks=pytest.mark.exhaustive),
        pytest.param(repeated(3, 4), 206, marks=pytest.mark.exhaustive),
    ],
)  # fmt: skip
def test_known_totals_of_hit_and_blow_are_certified(codes: list[str], total: int):
    game = Game(codes, answers=HITS_BLOWS)
    lines = written(game.start, total)
    assert checked(lines, game).lemmas == lines[1:-1].count(".")
    assert not is_accepted([lines[0].replace(f" {total}", f" {total + 1}"), *lines[1:]], game)


def test_answers_of_every_kind_agree_with_the_rules():
    for seed in range(40):
        game = random_game(seed)
        table = ListGame(head(game.start, 0), weights_of(game), game.guesses)
        for row, secret in enumerate(table.own.tolist()):
            for column, guess in enumerate(table.codes):
                label = table.labels[table.answers[row, column]]
                assert (label == "win") == (guess == table.codes[secret])
                if label != "win":
                    assert label == game.answers.answer(guess, table.codes[secret])


def test_marks_of_long_codes_agree_with_the_rules():
    chance = random.Random(5)
    for places in (6, 8, 10):
        codes = list(dict.fromkeys("".join(chance.choices("abcdefghij", k=places)) for _ in range(30)))
        table = ListGame(head(Game(codes).start, 0), dict.fromkeys(codes, 1), codes)
        for row, secret in enumerate(table.codes):
            labels = [table.labels[answer] for answer in table.answers[row].tolist()]
            expected = ["win" if guess == secret else MARKS.answer(guess, secret) for guess in table.codes]
            assert labels == expected


def test_reach_is_the_number_of_answers_and_one_more_for_a_member():
    game = Game(repeated(3, 5), answers=MARKS)
    table = ListGame(head(game.start, 0), weights_of(game), game.guesses)
    for size in (1, 3, 20, 59, 60, 100):
        members = np.array(random.Random(size).sample(range(125), size))
        few = np.array([0, 7, 31, 120])
        expected = [
            len({*table.answers[members, guess].tolist()}) + (guess in table.own[members]) for guess in range(125)
        ]
        assert table.reach(members).tolist() == expected
        assert table.reach(members, few).tolist() == [expected[guess] for guess in few.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_no_leaf_claims_more_than_the_least_cost(weighted: bool):
    weights = {code: 1 + k % 3 if weighted else 1 for k, code in enumerate(distinct(2, 5))}
    game, chance = Game(weights, answers=HITS_BLOWS), random.Random(4)
    table = ListGame(head(game.start, 0), weights, game.guesses)
    shown = 0
    for _ in range(150):
        members = np.array(sorted(chance.sample(range(20), chance.randint(1, 9))))
        own = {table.codes[k]: weights[table.codes[k]] for k in table.own[members].tolist()}
        cost = reference.least_cost(own, game.guesses, game.answers.answer)
        assert cost is not None
        for above in (table.above, table.reach(members)):
            assert not table.leaf(members, cost + 1, above)
            shown += table.leaf(members, cost, above)
    assert shown > 150


def test_fact_4_raises_bounds_of_2n_minus_1_of_sets_that_no_member_separates():
    weights = {code: 2 + k % 3 for k, code in enumerate(distinct(2, 5))}
    game, chance = Game(weights, answers=HITS_BLOWS), random.Random(3)
    table, size = ListGame(head(game.start, 0), weights, game.guesses), np.arange(21)
    raised = 0
    for _ in range(200):
        members = np.array(sorted(chance.sample(range(20), chance.randint(1, 8))))
        own = table.own[members]
        separates = [len({*table.answers[members, code].tolist()}) == len(members) for code in own]
        expected = 0 if len(members) < 3 or any(separates) else int(table.weights[members].min())
        assert table.raised(members, 2 * size - 1) == expected
        assert table.raised(members, 2 * size) == 0
        raised += expected > 0
    assert 20 < raised < 180


def test_cheap_bounds_and_savings_are_those_of_the_facts():
    game = Game({code: 1 + k % 4 for k, code in enumerate(repeated(2, 4))}, answers=HITS_BLOWS)
    table, most = ListGame(head(game.start, 0), weights_of(game), game.guesses), 7
    levels = [level for level in range(1, 6) for _ in range(table.r ** (level - 1))]
    ideal = [sum(levels[:size]) for size in range(17)]
    assert table.cheap(16, most).tolist() == [max(ideal[size], 3 * size - most) for size in range(17)]
    heaviest = sorted(game.weights, reverse=True)
    assert table.saved(table.all).tolist() == [0, *(heaviest[0] + sum(heaviest[: k - 1]) for k in range(1, 18))]


# --- mutations --------------------------------------------------------------------------------------------------------


def mutated(lines: list[str], chance: random.Random) -> list[str]:
    """Return the lines with one change that may spoil the proof."""
    lines = list(lines)
    at = chance.randrange(1, len(lines))
    words = lines[at].split(" ")
    match chance.randrange(6):
        case 0:
            del lines[at]
            return lines
        case 1:
            other = chance.randrange(1, len(lines))
            lines[at], lines[other] = lines[other], lines[at]
            return lines
        case 2:
            words.pop(chance.randrange(len(words)))
        case 3 if len(words) > 1:
            item = chance.randrange(1, len(words))
            words[item] = re.sub(r"=(\d+)", lambda found: f"={int(found[1]) + chance.choice((1, -1))}", words[item])
        case 4 if len(words) > 1:
            item = chance.randrange(1, len(words))
            words[item] = words[item][:-1] if words[item].endswith("+") else words[item] + "+"
        case _:
            words[0] = str(chance.randrange(30))
    lines[at] = " ".join(words)
    return lines


class Logged(ListGame):
    """A game that keeps the claims that were accepted: sets of secrets, each with its bound."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.claims = list[tuple[tuple[str, ...], int]]()

    def leaf(self, s: Any, least: int, above: Any) -> bool:
        holds = super().leaf(s, least, above)
        if holds:
            self._keep(s, least)
        return holds

    def lemma(self, s: Any, least: int, depth: int) -> None:
        super().lemma(s, least, depth)
        self._keep(s, least)

    def _keep(self, s: Any, least: int) -> None:
        self.claims.append((tuple(self.codes[k] for k in self.own[s].tolist()), least))


@pytest.mark.slow
def test_no_accepted_mutant_has_a_false_claim():
    tried = accepted = claims = 0
    uneven = {code: 1 + k % 3 for k, code in enumerate(distinct(2, 6))}
    games = [Game(codes, answers=HITS_BLOWS) for codes in (distinct(2, 6), repeated(3, 3), distinct(3, 5), uneven)]
    for seed, game in enumerate(games):
        total, weights = PositionSearch(game.start).best().cost, weights_of(game)
        assert total is not None
        lines, chance = written(game.start, total), random.Random(seed)

        @cache
        def exact(members: tuple[str, ...], game: Game = game, weights: dict[str, int] = weights) -> int:
            own = {code: weights[code] for code in members}
            cost = PositionSearch(Game(own, game.guesses, game.answers).start).best().cost
            assert cost is not None
            return cost * math.gcd(*own.values())  # a game divides its weights by their greatest common divisor

        for _ in range(30):
            changed = mutated(lines, chance)
            logged = Logged(changed[0], weights_of(game), game.guesses)
            tried += 1
            try:
                logged.check(iter(changed[1:]))
            except NotAProof:
                continue
            accepted += 1
            for members, least in logged.claims:
                claims += 1
                assert least <= exact(members)
    assert accepted < tried / 2
    assert claims > 0


HOSTILE: dict[str, list[str]] = {
    "nothing": [],
    "no lemma": ["HEAD"],
    "no end": ["HEAD", *[f"{k}" for k in range(12)]],
    "an empty line": ["HEAD", "", "."],
    "an end too many": ["HEAD", ".", "."],
    "a guess that there is not": ["HEAD", "12", "."],
    "a negative guess": ["HEAD", "-1", "."],
    "an answer that there is not": ["HEAD", "0 3H0B=9", "."],
    "the win as a cell": ["HEAD", "0 win=9", "."],
    "a cell twice": ["HEAD", "0 0H1B=7 0H1B=7", "."],
    "a bound in another form": ["HEAD", "0 0H1B=1e3", "."],
    "a bound that no scan shows": ["HEAD", "0 0H1B=99", "."],
    "a lemma without an end": ["HEAD", "0 0H1B=9+", "."],
    "a tab in a turn": ["HEAD 0:0H\t1B", "."],
    "a turn with a negative guess": ["HEAD 0:0\t-1:0", "."],
    "too many turns": ["HEAD" + " 0:0H1B" * 101, "."],
    "digits of another script": ["HEAD", "٣", "."],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_other_files_are_rejected(name: str):
    game = Game(distinct(2, 4), answers=HITS_BLOWS)
    lines = [line.replace("HEAD", head(game.start, 30)) for line in HOSTILE[name]]
    with pytest.raises(NotAProof):
        checked(lines, game)


@pytest.mark.parametrize("workers", [1, 2])
def test_guess_that_appears_twice_is_rejected(workers: int):
    """A short file cannot keep the checker busy for long."""
    game = Game(distinct(2, 4), answers=HITS_BLOWS)
    assert checked([head(game.start, 5), "0", "1", "."], game, workers).total == 5
    with pytest.raises(NotAProof, match="appears twice"):
        checked([head(game.start, 5), "0", "0", "."], game, workers)


def test_lemmas_nested_too_deeply_are_rejected():
    game = Game(["aaa", "aab", "aba", "abb"] + [f"{a}cc" for a in "defg"], answers=MARKS)
    table = ListGame(head(game.start, 0), weights_of(game), game.guesses)
    table.lines = iter(["."] * 3)
    with pytest.raises(NotAProof, match="nested"):
        table.lemma(table.all, 0, checker.DEPTH)


def test_certificate_is_for_its_lists_only():
    game = Game(distinct(2, 4), answers=HITS_BLOWS)
    lines = written(game.start, 30)
    for other in (Game(distinct(2, 5), answers=HITS_BLOWS), Game(distinct(2, 4), ["44"], HITS_BLOWS)):
        with pytest.raises(NotAProof, match="another list"):
            checked(lines, other)
    with pytest.raises(NotAProof, match="expected certificate 2"):
        checked(["certificate 1 2 4 none - 30", *lines[1:]], game)
    with pytest.raises(NotAProof, match="no secrets"):
        check_certificate(BytesIO(lines[0].encode() + b"\n"), {}, [])
    with pytest.raises(NotAProof, match="too large"):
        ListGame(lines[0], weights_of(game), game.guesses, memory=100)


# --- processes and budgets --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_processes_write_and_check_the_same_certificate():
    game = Game(distinct(3, 5), answers=HITS_BLOWS)
    lines = written(game.start, 196)
    assert written(game.start, 196, workers=2) == lines
    alone, together = checked(lines, game), checked(lines, game, workers=2)
    assert (together.lemmas, together.leaves) == (alone.lemmas, alone.leaves)
    for spoilt in (lines[:-1], [*lines, "."], [lines[0].replace(" 196", " 197"), *lines[1:]]):
        with pytest.raises(NotAProof):
            checked(spoilt, game, workers=2)


def test_spent_budget_stops_the_writer_and_the_checker():
    game = Game(distinct(3, 5), answers=HITS_BLOWS)
    lines = written(game.start, 196)
    spent = Budget(cancelled=lambda: True)
    with pytest.raises(Stopped):
        write_certificate(game.start, 196, lines.append, budget=spent)
    with pytest.raises(Stopped):
        check_certificate(BytesIO("\n".join(lines).encode()), weights_of(game), game.guesses, budget=Budget(states=2))


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Game(distinct(2, 4), answers=HITS_BLOWS, guess_rule=GuessRule.CONSISTENT), "--consistent"),
        (Game(distinct(2, 4), answers=HITS_BLOWS, guess_limit=5), "--within"),
    ],
)
def test_games_that_certificates_do_not_support_are_refused(game: Game, message: str):
    with pytest.raises(InputError, match=message):
        head(game.start, 9)


def test_too_large_game_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("yomikiri.guessing.certificate.writer.TABLE_BYTES", 100)
    with pytest.raises(InputError, match="too large"):
        written(Game(distinct(2, 4), answers=HITS_BLOWS).start, 30)


# --- the program ------------------------------------------------------------------------------------------------------


def test_program_checks_a_file_with_the_lists(tmp_path: Path):
    secrets, guesses = distinct(2, 4), ["44", "45"]
    game = Game(secrets, guesses, HITS_BLOWS)
    (tmp_path / "secrets.txt").write_text("\n".join(secrets) + "\n")
    (tmp_path / "guesses.txt").write_text("44\n45\n")
    (tmp_path / "true.cert").write_text("\n".join(written(game.start, 30)) + "\n")
    (tmp_path / "false.cert").write_text("\n".join([head(game.start, 31), *written(game.start, 30)[1:]]) + "\n")

    def program(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, checker.__file__, *(str(tmp_path / name) for name in arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    accepted = program("true.cert", "secrets.txt", "guesses.txt")
    assert accepted.returncode == 0
    assert "no strategy finds all 12 secrets in fewer than 30 guesses" in accepted.stdout
    assert program("false.cert", "secrets.txt", "guesses.txt").returncode == 4
    assert program("true.cert", "secrets.txt").stdout.startswith("rejected: it is about another list")
    assert program("missing.cert", "secrets.txt").returncode == 2


def test_program_reads_the_weights_of_the_secrets(tmp_path: Path):
    weights = {code: 2 * (1 + k % 3) for k, code in enumerate(distinct(2, 4))}
    game = Game(weights, answers=HITS_BLOWS)
    (tmp_path / "secrets.csv").write_text("".join(f"{code},{weight}\n" for code, weight in weights.items()) + "44,0\n")
    total = least_total(game.start)
    (tmp_path / "true.cert").write_text("\n".join(written(game.start, total)) + "\n")

    def program(secrets: str) -> str:
        command = [sys.executable, checker.__file__, str(tmp_path / "true.cert"), str(tmp_path / secrets)]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    said = program("secrets.csv")
    assert f"no strategy finds all 12 secrets in fewer than {total} guesses altogether, each counted with the " in said
    (tmp_path / "other.csv").write_text("".join(f"{code},{weight + 2}\n" for code, weight in weights.items()))
    assert program("other.csv").startswith("rejected: it is about another list of secrets")


@pytest.mark.parametrize("weights", [{"01": -1, "10": 1}, {"01": 0, "10": 1}, {"01": 1 << 62, "10": 1 << 62}])
def test_weights_that_are_not_positive_or_too_large_are_rejected(weights: dict[str, int]):
    line = " ".join(
        ["certificate 2 hits-blows", checker.digest(weights), checker.digest(dict.fromkeys(weights, 0)), "0"]
    )
    with pytest.raises(NotAProof, match="a weight that is too small or too large"):
        ListGame(line, weights, weights)


@pytest.mark.parametrize("seed", range(6))
def test_cheap_bound_of_a_weighted_set_is_the_sum_over_its_layers(seed: int):
    game = random_game(6 * seed + 5)
    table = ListGame(head(game.start, 0), weights_of(game), game.guesses)
    cheap = table.cheap(len(table.all), int(table.above.max()))
    heaviest = int(table.weights[0])
    layers = [int((table.weights >= t).sum()) for t in range(1, heaviest + 1)]
    assert table.cost(table.all, cheap) == sum(int(cheap[size]) for size in layers)
    assert table.cost(table.all, cheap) <= least_total(game.start)


def test_checker_is_short():
    """The code has fewer than 240 lines without its docstrings."""
    assert lines_of_code(Path(checker.__file__)) < 240
