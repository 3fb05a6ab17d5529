"""Screens of each game at 40 and 80 columns in both languages, with regression tests."""

from __future__ import annotations

import pytest
from tests.cli.run import run, session
from tests.terminal import Terminal

from yomikiri.cli.text import width

SIZES = [(80, 24), (120, 40), (40, 20)]
ASSISTANT = """\
Hit & Blow  3 digits of 0-9, all different                      help  undo  quit
────────────────────────────────────────────────────────────────────────────────
 #   guess   answer   left
 1   012     0H1B        252
 2   134     1H0B         45
 3   156  <- your guess      proven best: 3.18 more on average, 4 at most
 candidates   156 157 158 159 165 167 168 169 +37   2.2% each
answer to 156 >"""
CONTRADICTION = """\
Hit & Blow  3 digits of 0-9, all different                      help  undo  quit
────────────────────────────────────────────────────────────────────────────────
 #   guess   answer   left
 1   012     1H2B          3
 2   021     1H0B          0
     no code fits these answers. Most likely mistakes:
  1  turn 1  012  1H2B -> 0H1B    65%   84 candidates
  2  turn 1  012  1H2B -> 1H0B    33%   42 candidates
  3  turn 2  021  1H0B -> 0H3B   1.6%   2 candidates
  4  turn 2  021  1H0B -> 3H0B   0.8%   1 candidate
Could the answer to 012 be 0H1B? [y/n, fix 1-4] >"""


@pytest.mark.parametrize("line", ["why", "review", "table", "4H0B"])
def test_commands_that_need_consistent_answers_name_the_fix(line: str):
    said = session("hitblow", "assist", given=f"012 1H2B\n021 1H0B\n{line}\n")
    assert said.count("error: no code fits the answers: type 'fix', 'edit N ANSWER' or 'undo' first\n") == 1
    assert "0.0000" not in said


def test_assistant_fits_one_screen():
    with Terminal(columns=80, rows=24) as terminal:
        terminal.see("answer to 012 >")
        terminal.type("0H1B\n1H0B\n")
        terminal.see("answer to 156 >")
        assert terminal.screen == ASSISTANT


def test_contradiction_is_a_table_with_corrections():
    with Terminal(columns=80, rows=24) as terminal:
        terminal.see("answer to 012 >")
        terminal.type("012 1H2B\n021 1H0B\n")
        terminal.see("Could the answer to 012 be 0H1B? [y/n, fix 1-4] >")
        assert terminal.screen == CONTRADICTION
        terminal.type("4H0B\n")
        terminal.see("error: ")
        terminal.type("1H0B\n")
        assert "type 'fix', 'edit N ANSWER' or 'undo' first" in terminal.see("error: no code fits the answers")
        for question in ("012 be 1H0B?", "021 be 0H3B?", "021 be 3H0B?"):
            terminal.type("n\n")
            terminal.see(f"Could the answer to {question} [y/n, fix 1-4] >")
        terminal.type("n\n")
        terminal.see("fix 1-4, edit N ANSWER or undo >")
        terminal.type("fix 2\n")
        terminal.see(" 1   012     1H0B", "answer to")


CONTRADICTED = {
    ("assist",): "345 0H0B\n012 0H0B\n678 0H0B\n",
    ("play", "--who", "program"): "0H0B\n0H0B\n0H0B\n",
    ("play", "--who", "both", "--no-handicap", "--seed", "5"): "012\n0H0B\n034\n0H0B\n056\n0H0B\n",
    ("match",): "345 0H0B\n012 0H0B\n012 0H0B\n345 0H0B\n678 0H0B\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "yes", "term"),
    [
        pytest.param(game, yes, term, marks=[pytest.mark.exhaustive] * (number % 2 != place))
        for number, game in enumerate(CONTRADICTED)
        for place, (yes, term) in enumerate([("y", "xterm"), ("はい", "dumb")])
    ],
)
def test_yes_applies_the_likeliest_correction(game: tuple[str, ...], yes: str, term: str):
    with Terminal("hitblow", *game, columns=80, rows=40, TERM=term) as terminal:
        terminal.see(">")
        terminal.type(CONTRADICTED[game])
        terminal.see("Could the answer to ", " be ")
        terminal.type(f"{yes}\nlist\nquit\n")
        assert terminal.wait() == 0
        assert "error" not in terminal.shown
        assert "[y/n" not in terminal.screen.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_secret_that_disproves_an_answer_offers_a_correction(term: str):
    with Terminal("hitblow", "match", columns=80, rows=30, TERM=term) as terminal:
        terminal.see(">")
        terminal.type("012 0H1B\n345 1H1B\nsecret 678\n")
        terminal.see("Your secret 678 gives 345 0H0B (not 1H1B).", "Correct that? [y/n] >")
        terminal.type("n\n")
        terminal.type("secret 341\n")
        terminal.see("Your secret 341 gives 345 2H0B (not 1H1B).", "Correct that? [y/n] >")
        terminal.type("y\nlist\n")
        terminal.see("345 ", "2H0B", "your secret, 21 candidates: ")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    ("columns", "rows"), [pytest.param(*size, marks=[pytest.mark.exhaustive] if size[0] > 40 else []) for size in SIZES]
)
def test_no_line_is_wider_than_the_window(columns: int, rows: int, lang: str):
    with Terminal("--lang", lang, "hitblow", "match", "--secret", "314", columns=columns, rows=rows) as terminal:
        for line, prompt in (("0H1B", 2), ("925", 3), ("1H1B", 4), ("review", 4), ("list", 4)):
            terminal.see(">")
            terminal.type(f"{line}\n")
            del prompt
        terminal.type("\x04")
        terminal.wait()
        drawn = [line for line in terminal.shown.split("\x1b[H\x1b[J")[-1].split("\r\n") if ">" not in line]
    assert max(map(width, drawn)) <= columns


def test_match_shows_and_reviews_both_boards_in_winning_chances():
    with Terminal("hitblow", "match", "--secret", "314", "--absent", "7", columns=80, rows=40) as terminal:
        terminal.see("answer to")
        terminal.type("0H1B\n925\n1H1B\n314\n")
        terminal.see("They win in 2 guesses.", "review, new or quit >")
        terminal.type("review\n")
        shown = terminal.see("%", "they ", "Bad luck cost")
    assert " 1   012     0H1B        180      2   925     0H0B        210" in shown
    assert "Guess " not in shown, "a match that is over has no next guess"
    assert "best play takes" not in shown, "chances are counted, not guesses"


MATCH = """\
Match  3 digits of 0-9, all different                           help  undo  quit
────────────────────────────────────────────────────────────────────────────────
You go first. Your secret is 138. You revealed 7. Opponent: random candidates.
you guess, they answer   left    they guess, you answer   left
 1   012     0H1B        252      2   925     0H0B        120
 3   134     1H1B         18      4   863     0H2B         27
 5   156     1H0B          6      6   631     1H1B          5
 7   378  <- your guess
  you 67% ███████████████████████████░░░░░░░░░░░░░ they 33%
 you find it: with the next guess 0%; 147 wins only 57% ('why' explains)
 they find it: with the next guess 20%, within 2 guesses 100%
 candidates   147 148 149 173 183 193   17% each
answer to 378 >"""


def test_match_fits_one_screen_and_names_the_opponent_once():
    turns = ["me=012:0H1B", "they=925", "me=134:1H1B", "they=863", "me=156:1H0B", "they=631"]
    with Terminal("hitblow", "match", "--secret", "138", "--shown", "7", *turns, columns=80, rows=24) as terminal:
        terminal.see("answer to 378 >")
        assert terminal.screen == MATCH


def test_secret_given_later_is_shown_once_in_the_heading():
    with Terminal("hitblow", "match", columns=80, rows=30) as terminal:
        terminal.see("answer to 012 >")
        terminal.type("secret 138\n")
        shown = terminal.see("Your secret is 138.")
        assert shown.count("Your secret is 138.") == 1
        assert shown.index("Your secret is 138.") < shown.index("<- your guess")
        assert shown.count("<- your guess") == 1


def test_why_in_their_turn_shows_the_winning_chance_only():
    said = session("hitblow", "match", "--secret", "314", given="0H1B\nwhy\n")
    assert said.rstrip().endswith(".")
    assert "Your chance of winning is" in said.splitlines()[-1]
    assert "wins most often" not in said


def test_review_of_a_game_of_both_sides_names_no_next_guess():
    said = session("hitblow", "play", "--who", "both", "--no-handicap", "--seed", "tea", given="012\nreview\n")
    assert "% win" in said
    assert not [line for line in said.splitlines() if line.startswith(("2. Guess", "3. Guess"))]


def test_adversary_shows_a_code_that_fits_all_answers():
    said = session("hitblow", "play", "--keeper", "adversary", given="quit\n")
    assert "I had fixed no secret; 012 fits every answer." in said


def test_game_of_both_sides_starts_with_its_rules():
    said = session("hitblow", "play", "--who", "both", "--first", "opponent", given="")
    for line in ("I go first.", "Write down a secret of 3 digits", "The first to find the other's secret wins."):
        assert line in said


def test_edit_reports_the_replaced_line():
    said = session("hitblow", "assist", given="absent 7\n345 1H1B\nedit 1 absent 8\n")
    assert "Undone: 1. 345 1H1B\nNot in the secret: 78\n" in said


def test_why_explains_the_guess_that_awaits_an_answer():
    said = session("hitblow", "play", "--who", "both", "--no-handicap", "--seed", "tea", given="345\nwhy\n")
    assert said.splitlines()[-2].startswith("012 can be the secret. It splits 720 candidates")


def test_unknown_word_is_quoted_whole():
    said = session("hitblow", "play", "--seed", "tea", given="surrender\n")
    assert "error: 'surrender' is neither a command nor a guess: expected a guess such as 345\n" in said


@pytest.mark.parametrize("columns", [40, 80])
def test_candidates_take_one_line(columns: int):
    with Terminal("hitblow", "assist", "--preset", "bulls", columns=columns, rows=24) as terminal:
        shown = terminal.see("answer to 0123 >").splitlines()
    assert shown[-2].startswith(" candidates   0123 ")
    assert shown[-2].endswith("0.02% each")


def test_table_of_a_match_accepts_a_side_only():
    said = session("hitblow", "match", "--secret", "314", given="table 5\n")
    assert "error: 'table 5': expected 'table' or 'table they'\n" in said


def test_weighted_suggestion_explains_the_missing_proof():
    run("hitblow", "opponents", "add", "Taro", "371", "731")
    said = run("hitblow", "suggest", "--secrets-of", "Taro").stdout
    assert "Not proven optimal: too many weighted codes for the exact search.\n" in said


def test_found_secret_is_not_suggested_again():
    assert run("hitblow", "suggest", "012:3H0B").stdout == "Found: 012, in 1 guess.\n"


def test_generate_refuses_impossible_properties():
    result = run("tictactoe", "generate", "--opening", "edge", "--unique")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: no board can have all these properties")


@pytest.mark.parametrize("last", ["\n", ""])
@pytest.mark.parametrize("command", ["winner", "analyze"])
def test_board_typed_at_a_terminal_ends_with_one_ctrl_d(command: str, last: str):
    with Terminal("tictactoe", command) as terminal:
        terminal.see("Type the board, then press Ctrl-D.")
        terminal.type("0 0 0\n0 1 0\n0 0 0" + last)
        terminal.see("0 1 0\n0 0 0")
        terminal.type("\x04")
        assert terminal.wait() == 0
        assert [line for line in terminal.screen.splitlines() if line.startswith("Takahashi")]


@pytest.mark.parametrize("columns", [80, 40])
def test_table_has_bars_only_in_a_wide_window(columns: int):
    with Terminal("hitblow", "assist", "--preset", "bulls", "0123:1H0B", columns=columns, rows=40) as terminal:
        terminal.see("answer to")
        terminal.type("table\n")
        shown = terminal.see("└───┴").splitlines()
    assert not any("…" in line for line in shown if "│" in line)
    assert sum("25%" in line for line in shown) == 4
    assert ("█" in "".join(line for line in shown if "│" in line)) is (columns == 80)


def test_impossible_facts_are_reported_as_typed():
    said = session("hitblow", "assist", given="at 9@9\nhigh LLX\n")
    assert "error: there is no place 9 in this game: expected 1 to 3\n" in said
    assert "error: HIGH&LOW is 'LLX': expected L or H for each of the 3 places, or the number of high digits\n" in said
    assert run("hitblow", "suggest", "--slips", "x").stderr.startswith("error: slips 'x': expected a number, such as 1")


def test_progress_leaves_columns_for_the_echoed_ctrl_c():
    """Otherwise the line wraps, and its first half remains on the screen."""
    rows = "/".join(",".join(str((3 * row + 5 * column) % 19 - 9) for column in range(7)) for row in range(7))
    with Terminal("tictactoe", "analyze", f"--board={rows}", "--line", "5", columns=30, rows=12) as terminal:
        terminal.see("positions.")
        terminal.type("\x03")
        terminal.see("Interrupted.")
        assert terminal.wait() == 130
        assert "…" not in terminal.screen


def test_large_board_fits_a_narrow_window():
    board = "12,-34,5,6,7/1,2,3,4,5/6,7,8,9,10/11,12,13,14,15/16,17,18,19,20"
    with Terminal("tictactoe", "play", "--board", board, "--line", "5", "--side", "first", columns=30) as terminal:
        shown = terminal.see("Takahashi (X) to move.", "5   16").splitlines()
        terminal.type("\x04")
        assert terminal.wait() == 0
    assert "1   12 -34   5   6   7" in shown
    assert "     .   .   .   .   ." in shown


def test_dumb_terminal_gets_plain_lines_and_the_same_keys():
    with Terminal(TERM="dumb") as terminal:
        terminal.read_until("1. Guess 012 (720 candidates).")
        terminal.read_until("> ")
        terminal.type("\x03")
        terminal.read_until("Press Ctrl-C again to quit.")
        terminal.type("0H1B\n")
        terminal.read_until("2. Guess 134")
        assert "\x1b[H" not in terminal.shown
        terminal.type("quit\n")
        assert terminal.wait() == 0
