"""`yomikiri guess`: suggestions, candidates, reviews, solutions and games with lists of codes.

Also tests `cli/guess_play.py` and `wording/guessing.py`: their only users are these commands.
"""

import json
from itertools import permutations
from pathlib import Path

import pytest
from tests.cli.run import WORDS, interrupted, run
from tests.terminal import Terminal


def test_suggest_names_the_guess_and_what_is_proven(lists: tuple[str, ...]):
    shown = run("guess", "suggest", *lists, "trace:02202").stdout.splitlines()
    assert shown[0].startswith("2. Guess ")
    assert shown[1].startswith("Proven optimal: ")
    assert shown[-1].startswith("Candidates: ")


def test_suggest_writes_a_document(lists: tuple[str, ...]):
    document = json.loads(run("guess", "suggest", *lists, "--json").stdout)
    assert document["candidates"] == 10
    assert document["is_proven"] is True
    assert document["expected_guesses"] > 1


def test_suggest_after_the_end_says_that_the_secret_is_found(lists: tuple[str, ...]):
    assert run("guess", "suggest", *lists, "crane:22222").stdout == "Found: crane, in 1 guess.\n"


def test_candidates_are_listed_in_the_order_of_the_list(lists: tuple[str, ...]):
    assert run("guess", "candidates", *lists, "trace:02202").stdout == "brake\ndrake\ngrade\ngrape\n"
    document = json.loads(run("guess", "candidates", *lists, "trace:02202", "--json").stdout)
    assert document["candidates"] == {"brake": 1, "drake": 1, "grade": 1, "grape": 1}


def test_weights_follow_the_codes(tmp_path: Path):
    words = tmp_path / "words.csv"
    words.write_text("brake,3\ndrake\n")
    document = json.loads(run("guess", "candidates", "--secrets", str(words), "--json").stdout)
    assert document["candidates"] == {"brake": 3, "drake": 1}


def test_review_names_the_best_guess_of_each_turn(lists: tuple[str, ...]):
    table = run("guess", "review", *lists, "trace:02202", "grape:22222").stdout.splitlines()
    assert table[0].split("\t") == ["played", "candidates", "chance", "best", "cost", "proof"]
    assert len(table) == 3
    document = json.loads(run("guess", "review", *lists, "lumpy:00000", "--json").stdout)
    assert document["turns"][0]["guess"] == "lumpy"
    assert document["turns"][0]["cost"] > 0


def test_review_shows_a_guess_after_which_the_limit_is_too_small(lists: tuple[str, ...]):
    turns = ("lumpy:00000", "crate:22222")
    for limit, said in (("9", "sure"), ("3", "not sure"), ("2", "not sure")):
        head, first, last = run("guess", "review", *lists, "--within", limit, *turns).stdout.splitlines()
        assert head.split("\t")[-1] == "in time"
        assert first.split("\t")[-1] == said
        assert last.split("\t")[-1] == ("sure" if limit == "9" else "not sure")
        document = json.loads(run("guess", "review", *lists, "--within", limit, *turns, "--json").stdout)
        assert document["turns"][0]["finds_all"] is (said == "sure")
    assert "in time" not in run("guess", "review", *lists, *turns).stdout


def test_solve_writes_a_strategy_that_finds_every_secret(lists: tuple[str, ...]):
    assert "Proven: no strategy of this kind has a smaller total." in run("guess", "solve", *lists).stdout
    document = json.loads(run("guess", "solve", *lists, "--first", "night", "--json").stdout)
    assert document["first"] == document["strategy"]["guess"] == "night"
    assert document["total"] == sum(n * count for n, count in enumerate(document["histogram"], start=1))
    assert sum(document["histogram"]) == 10


def test_solve_saves_its_proof_and_continues_it(lists: tuple[str, ...], tmp_path: Path):
    store = ("--store", str(tmp_path / "proof.db"), "--workers", "2")
    alone = run("guess", "solve", *lists).stdout
    assert run("guess", "solve", *lists, *store).stdout == alone
    assert run("guess", "solve", *lists, *store).stdout == alone
    other = run("guess", "solve", *lists[:2], *store)
    assert other.exit_code == 2
    assert "proof.db is for another list of guesses: give that list, or a new file" in other.stderr
    for options, said in (
        (("--answers", "hits"), "is for the answers marks, not hits: give those, or a new file"),
        (("--hard",), "is for the guess rule any, not hard: give that rule, or a new file"),
        (("--within", "5"), "is for a game without a limit of guesses: give no limit, or a new file"),
        (("trace:02202",), "is for a game after other turns: give those turns, or a new file"),
    ):
        assert said in run("guess", "solve", *lists, *store, *options).stderr
    limited = ("--store", str(tmp_path / "limited.db"), "--within", "5")
    assert run("guess", "solve", *lists, *limited).exit_code == 0
    without = run("guess", "solve", *lists, *limited[:2])
    assert "limited.db is for the limit of guesses 5: give that limit, or a new file" in without.stderr
    in_japanese = run("--lang", "ja", "guess", "solve", *lists, *store, "--within", "5")
    assert "proof.db は、予想の回数に制限のないゲームのファイルです" in in_japanese.stderr


@pytest.mark.parametrize(
    "command",
    [("guess", "solve"), ("guess", "export"), ("hitblow", "solve"), ("hitblow", "race", "--information", "public")],
    ids=" ".join,
)
def test_empty_file_is_no_store(lists: tuple[str, ...], tmp_path: Path, command: tuple[str, ...]):
    (tmp_path / "empty.db").touch()
    own = lists if command[0] == "guess" else ("--digits", "2", "--symbols", "0123")
    refused = run(*command, *own, "--store", str(tmp_path / "empty.db"))
    assert refused.exit_code == 2
    assert "empty.db is empty: expected the name of a new file, or a store of this command" in refused.stderr


def test_missing_folder_of_a_store_is_named(lists: tuple[str, ...], tmp_path: Path):
    missing = run("guess", "solve", *lists, "--store", str(tmp_path / "none" / "a.db"))
    assert "none is not an existing folder; create it" in missing.stderr


@pytest.mark.parametrize("answers", ["hits", "hits-blows", "sum"])
def test_other_kinds_of_answers_are_chosen_by_name(lists: tuple[str, ...], answers: str):
    assert "Proven" in run("guess", "solve", *lists, "--answers", answers).stdout


def test_assist_reads_answers_and_other_guesses(lists: tuple[str, ...]):
    result = run("guess", "assist", *lists, given="night 00000\nundo\nlist\ncrane:🟩🟩🟩🟩🟩\n")
    assert result.exit_code == 0
    assert "1. night ⬛⬛⬛⬛⬛" in result.stdout
    assert WORDS in result.stdout
    assert result.stdout.endswith("Found: crane, in 1 guess.\n")


def test_assist_refuses_a_wrong_line_and_goes_on(lists: tuple[str, ...]):
    result = run("guess", "assist", *lists, given="what\ngrape\nhelp\nnight 22222\ncrane 22222\n")
    assert result.exit_code == 2
    assert "answer 'what': 'w' is not a mark: expected 2 (right place)" in result.stderr
    assert "'grape' is a guess: add its answer, such as grape 20001" in result.stderr
    assert "no secret fits night:22222" in result.stderr
    assert "another guess that you made, and its answer" in result.stdout
    assert result.stdout.endswith("Found: crane, in 1 guess.\n")


def test_play_answers_guesses_until_the_secret_is_found(lists: tuple[str, ...]):
    result = run("guess", "play", *lists, "--seed", "3", given=WORDS)
    assert "Found: " in result.stdout
    assert "error: the game is over: type 'review', 'new' or 'quit'" in result.stderr


def test_play_draws_a_random_secret_only_without_a_seed(lists: tuple[str, ...]):
    def secret(*seed: str) -> str:
        return run("guess", "play", *lists, *seed, given="quit\n").stdout.splitlines()[-1]

    assert len({secret("--seed", "0") for _ in range(6)}) == 1
    assert len({secret() for _ in range(40)}) > 1
    assert (
        "default" not in run("guess", "play", "--help").stdout.partition("--seed INTEGER")[2].partition("--secrets")[0]
    )


def test_play_gives_hints_and_reveals_the_secret_at_the_end(lists: tuple[str, ...]):
    result = run("guess", "play", *lists, "--seed", "3", given="hint\nnight\nxxxxx\nquit\n")
    assert result.exit_code == 2
    assert "1. Guess " in result.stdout
    assert "guess 'xxxxx': expected a code from the list of guesses" in result.stderr
    assert result.stdout.splitlines()[-1].startswith("The secret was ")


def test_play_in_hard_mode_refuses_a_guess_and_ends_at_the_limit(lists: tuple[str, ...]):
    shown = run("guess", "play", *lists, "--hard", "--within", "2", "--seed", "1", given="drake\nlumpy\ndrake\n")
    assert shown.exit_code == 2
    assert "error: guess 'lumpy': hard mode needs" in shown.stderr
    assert shown.stdout.splitlines()[-2:] == ["Not found in 2 guesses.", "The secret was crane."]


def test_assist_ends_at_the_limit(lists: tuple[str, ...]):
    shown = run("guess", "assist", *lists, "--within", "1", given="night 00000\n")
    assert shown.exit_code == 0
    assert "No strategy is sure to find the secret with the guesses left." in shown.stdout
    assert "Not found in 1 guess." in shown.stdout


def test_consistent_and_hard_exclude_each_other(lists: tuple[str, ...]):
    for command in ("suggest", "play"):
        shown = run("guess", command, *lists, "--hard", "--consistent")
        assert shown.exit_code == 2
        assert "--hard has no effect with --consistent" in shown.stderr


def test_missing_list_is_named(lists: tuple[str, ...]):
    for arguments in (("guess", "suggest"), ("guess", "suggest", *lists[2:]), ("guess", "verify", "strategy.json")):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "no secrets: needs a list, --secrets FILE, or all codes of some symbols" in result.stderr


def test_assist_names_an_unknown_guess(lists: tuple[str, ...]):
    refused = run("guess", "assist", *lists, given="zzzzz 00000\nquit\n")
    assert "guess 'zzzzz': expected a code from the list of guesses" in refused.stderr


def test_play_has_the_commands_of_assist(lists: tuple[str, ...]):
    play = ("guess", "play", *lists, "--seed", "3")
    shown = run(*play, given="help\nundo\nnight\nlist\nundo\n一覧\nhint\nquit\n")
    assert shown.exit_code == 2
    assert shown.stderr.startswith("error: no turn to undo yet: enter one first\n")
    lines = shown.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:8]] == ["brake", "undo", "list", "review", "help", "quit", "1."]
    [undone] = [line for line in lines if line.startswith("Undone: 1. night ")]
    after = lines[8 : lines.index(undone)]
    assert 0 < len(after) < 10
    assert WORDS in shown.stdout
    assert "1. Guess crate (10 candidates)." in lines
    assert lines[-1].startswith("The secret was ")


def test_codes_named_like_commands_may_be_guessed(tmp_path: Path):
    words = tmp_path / "words.txt"
    words.write_text("list\nhint\nhelp\nundo\nquit\n")
    for word in ("list", "hint", "help", "undo", "quit"):
        assert f"1. {word} " in run("guess", "play", "--secrets", str(words), "--seed", "1", given=f"{word}\n").stdout
    shown = run("guess", "play", "--secrets", str(words), "--seed", "1", given="/list\n/quit\nlist\n").stdout
    assert "list\nhint\nhelp\nundo\nquit\nThe secret was " in shown


@pytest.fixture
def codes(tmp_path: Path) -> tuple[str, ...]:
    """Options with a list whose first guess takes longer than a test."""
    secrets = tmp_path / "codes.txt"
    secrets.write_text("\n".join("".join(code) for code in permutations("0123456789", 4)))
    return ("--secrets", str(secrets), "--answers", "hits-blows", "--seconds", "60")


@pytest.mark.slow
def test_interrupted_search_prints_nothing_without_a_terminal(codes: tuple[str, ...]):
    ended = interrupted("guess", "suggest", *codes, after=2)
    assert ended[:3] == (130, "", "")


@pytest.mark.slow
def test_interrupt_erases_the_notice_of_the_search(codes: tuple[str, ...]):
    with Terminal("guess", "suggest", *codes) as terminal:
        terminal.see("searching ... ")
        assert terminal.interrupt() == 130
        assert terminal.screen.split() == ["Interrupted."]


@pytest.mark.slow
def test_suggestion_replaces_the_notice_of_the_search(codes: tuple[str, ...]):
    with Terminal("guess", "suggest", *codes[:-1], "8", columns=80) as terminal:
        terminal.read_until("searching ... ")
        assert terminal.wait() == 0
        assert terminal.screen.lstrip().startswith("1. Guess ")
        assert "searching" not in terminal.screen
