"""`yomikiri hitblow assist`: input, output and saved games of a session.

Also tests `wording/items.py`: advice on items in a session.
Also tests `wording/contradictions.py`, `wording/hitblow.py`: sentences of a session.
"""

import json
import re
from pathlib import Path

import pytest
from tests.cli.run import keep, run, session
from tests.terminal import Terminal

from yomikiri.cli.text import width
from yomikiri.hitblow.advice.items import ItemAdvice, Use
from yomikiri.hitblow.model.facts import FACT_KINDS
from yomikiri.hitblow.model.knowledge import Knowledge, example_facts
from yomikiri.hitblow.model.labels import Item, UseMeasure
from yomikiri.hitblow.model.notation import parse_words
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.model.wrong_answers import Slips
from yomikiri.saves import GameStorage
from yomikiri.wording.items import advised

GAME = """\
Hit & Blow: 3 digits of 0123456789, all different. 'help' lists the commands.
1. Guess 012 (720 candidates).
Proven optimal: 4.97 more guesses on average, 7 at most.
1. 012 0H1B
2. Guess 134 (252 candidates).
Proven optimal: 4.23 more guesses on average, 6 at most.
Candidates, 0.4% each: 134 135 136 137 138 139 and 246 more
"""


def saved_games() -> list[Path]:
    return sorted(GameStorage(Knowledge).folder.glob("*.json"))


def test_piped_game_suggests_a_guess_after_each_answer():
    result = run(given="0H1B\n1H0B\n1H1B\n")
    lines = result.stdout.splitlines()
    assert lines[: len(GAME.splitlines())] == GAME.splitlines()
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("lang", "preset", "name"),
    [
        ("en", "hitblow", "Hit & Blow"),
        ("en", "numeron", "Numer0n"),
        ("en", "bulls", "Bulls & Cows"),
        ("en", "mastermind", "Mastermind"),
        ("ja", "mastermind", "マスターマインド"),
    ],
)
def test_session_names_the_game_of_the_preset(lang: str, preset: str, name: str):
    assert run("hitblow", "assist", "--preset", preset, "--lang", lang, given="quit\n").stdout.startswith(name)


def test_whole_game_ends_with_all_hits():
    secret, given, shown = "314", list[str](), ""
    while "Found" not in shown:
        shown = session("hitblow", "assist", given="".join(given))
        guess = shown.split("Guess ")[-1][:3]
        given.append(f"{hint(guess, secret)}\n")
        assert len(given) <= 8
    assert f"Found: 314, in {len(given) - 1} guesses." in shown


def test_program_without_command_is_the_standard_assistant():
    assert session(given="quit\n") == session("hitblow", "assist", given="quit\n")


def test_quit_and_end_of_input_exit_0():
    assert run(given="quit\nnonsense\n").exit_code == 0
    assert run(given="").exit_code == 0
    assert "nonsense" not in run(given="quit\nnonsense\n").output


def test_other_guess_undo_edit_and_new_change_the_candidates():
    result = run(given="345 0 0\nundo\n678 1H0B\nedit 1 0H0B\nedit 1 345 0H3B\nnew\n")
    left = [line for line in result.stdout.splitlines() if "Guess" in line]
    assert [line.split("(")[-1] for line in left] == [
        "720 candidates).", "210 candidates).", "720 candidates).", "126 candidates).", "210 candidates).",
        "2 candidates).", "720 candidates).",
    ]  # fmt: skip


def test_list_and_table_show_turns_candidates_and_probabilities():
    result = run(given="012 0H3B\nlist\ntable\n")
    assert "1. 012 0H3B\n2 candidates: 120 201\n" in result.stdout
    assert "\tplace 1\tplace 2\tplace 3\n" in result.stdout
    assert "1\t0.5000\t0.0000\t0.5000\n" in result.stdout


def test_why_explains_the_suggestion_or_a_given_guess():
    result = run("hitblow", "assist", "--policy", "entropy", given="0H1B\n1H0B\nwhy\nwhy 156\n")
    assert (
        "245 cannot be the secret, but splits the candidates into 8 parts, against 7 for 156. It splits 45 candidates "
        "into 8 parts. On average 9.9 remain, at most 16 (0H0B)."
    ) in result.stdout
    assert "156 can be the secret. It splits 45 candidates into 7 parts" in result.stdout


def test_contradiction_names_likely_corrections_and_keeps_all_turns():
    said = session(given="012 0 0\n345 0 0\n678 0 0\n1 1\nlist\nedit 3 0 2\n")
    assert "no code fits them all." in said
    assert "  1. turn 1 (012 0H0B) was 0H2B (13%, 9 candidates)\n" in said
    assert "3. 678 0H0B\n" in said
    assert "error: no code fits the answers: type 'fix'" in said
    assert "4. Guess " in said


def test_fix_applies_a_correction_and_undo_reverts_it():
    given = "012 0 1\n012 1 1\n"
    assert "2. 012 0H1B\n" in session(given=given + "fix\n").rpartition("Possible corrections")[2]
    assert "1. 012 1H1B\n" in session(given=given + "fix 2\n").rpartition("Possible corrections")[2]
    assert session(given=given + "直す\nundo\n").count("Possible corrections") == 2
    for wrong in ("fix 9", "fix 0", "fix x"):
        assert "error: there is no correction" in session(given=given + f"{wrong}\n")
    assert "error: nothing to fix" in session(given="fix\n")


def test_contradicting_facts_have_no_correction():
    said = session(given="has 3\nabsent 3\nfix\nundo\n")
    assert "No code fits all of this." in said
    assert "error: nothing to fix" in said
    assert "Undone" in said


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("foo", "'foo' is not an answer"),
        ("345", "'345' has no answer"),
        ("2H1B", "2H1B is impossible for 012"),
        ("9 9", "9H9B is impossible for 012"),
        ("335 1H1B", "'3' is in '335' more than once"),
        ("34 1H1B", "'34' is not a code"),
        ("34x 1H1B", "'x' in '34x' is not a symbol"),
        ("undo", "no turn to undo"),
        ("edit 4 1H", "no turn to edit"),
        ("edit", "'edit' is incomplete: expected a turn number"),
        ("why 11", "'11' is not a code"),
        ("\x00\x1b[2J", "is not an answer"),
    ],
)
def test_invalid_lines_are_reported_and_the_game_continues(line, complaint):
    said = session(given=f"{line}\n0H0B\n")
    assert sum(text.startswith("error: ") for text in said.splitlines()) == 1
    assert complaint in said
    assert "2. Guess" in said


def test_edit_of_a_missing_turn_reports_the_valid_range():
    assert "there is no entry 4: expected 1 to 1" in session(given="0H0B\nedit 4 1H\n")


def test_commands_accept_full_width_characters():
    narrow = session(given="0H1B\nedit 1 345 1H0B\nwhy 012\nundo\n")
    assert session(given="０Ｈ１Ｂ\nｅｄｉｔ　１　３４５　１Ｈ０Ｂ\nＷＨＹ　０１２\nｕｎｄｏ\n") == narrow
    assert "error" not in narrow


def test_contradicting_game_with_all_hits_is_not_over():
    shown = session(given="012 0 0\n012 3 0\n")
    assert "Found" not in shown
    assert "no code fits them all." in shown


def test_help_is_aligned_in_every_language():
    for language in ("en", "ja"):
        shown = session("--lang", language, given="help all\n")
        lines = [line for line in shown.splitlines() if line.startswith("  ")]
        assert len(lines) > len(FACT_KINDS)
        begins = {width(line) - width(re.split(r" {2,}", line, maxsplit=2)[2]) for line in lines}
        assert len(begins) == 1, lines


def test_invalid_utf_8_is_one_invalid_line():
    said = session(given=b"\xff\xfe\n0H0B\n")
    assert said.count("error: ") == 1
    assert "2. Guess" in said


def test_answers_use_the_words_of_the_option_or_preset():
    assert "(0B0C)" in session("--words", "bull", given="1C\nwhy\n")
    assert "(0B0W)" in session("--words", "black", given="1W\nwhy\n")
    assert "126 candidates" in session("--words", "black", given="1B\n")
    assert "252 candidates" in session("hitblow", "assist", "--words", "eat", given="1B\n")
    assert "126 candidates" in session("hitblow", "--words", "bull", "assist", given="1B\n")
    assert "1E1B" in session("hitblow", "assist", "--preset", "numeron", given="1イート1バイト\nlist\n")


def test_turns_in_arguments_are_played_before_the_session():
    assert "2. Guess 134 (252 candidates)." in run("hitblow", "assist", "012:0H1B").stdout


def test_absent_symbol_leaves_504_candidates():
    assert "(504 candidates)" in run("hitblow", "assist", "--absent", "7").stdout


def test_piped_session_ignores_saved_games_and_saves_none():
    keep(GameStorage(Knowledge), Knowledge().after(Turn("345", Hint(1, 1))))
    (before,) = saved_games()
    content = before.read_text()
    assert "1. Guess 012 (720 candidates)." in session(given="0H1B\n")
    assert before.read_text() == content
    assert saved_games() == [before]
    assert "saved" not in session("hitblow", "play", "--who", "program", given="0H1B\nquit\n")
    assert saved_games() == [before]


def test_resume_continues_the_saved_game_and_saves_it():
    keep(GameStorage(Knowledge), Knowledge().after(Turn("012", Hint(0, 1))))
    result = run("hitblow", "assist", "--resume", given="1H0B\n")
    assert "1. 012 0H1B\n2. Guess 134" in result.stdout
    assert result.stdout.endswith("Saved. Start the program again to continue.\n")
    assert len(saved_games()) == 1
    assert json.loads(saved_games()[0].read_text())["game"].endswith("turn=012:0H1B turn=134:1H0B")
    shown = session("hitblow", "assist", "--resume", given="new\n0H1B\n")
    assert "The game so far is saved; 'games' lists it." in shown
    assert "Saved." not in shown, "the game after it is the program's own"
    assert json.loads(saved_games()[0].read_text())["game"].endswith("turn=012:0H1B turn=134:1H0B")
    assert "no saved game" in run("hitblow", "assist", "--resume", "--preset", "bulls").stdout


def test_failure_to_save_is_reported_once_and_the_game_continues(tmp_path):
    (tmp_path / "file").write_text("")
    with Terminal(XDG_DATA_HOME=str(tmp_path / "file")) as terminal:
        terminal.type("0H1B\n1H0B\nquit\n")
        assert terminal.wait() == 0
    assert terminal.shown.count("cannot be saved") == 1
    assert "Saved." not in terminal.shown


def test_new_game_keeps_the_unfinished_one_and_finished_games_are_not_saved():
    with Terminal() as terminal:
        for line, answer in (("012 0 0", " 2   "), ("012 3 0", "no code fits"), ("new", " 1   012  <-"),
                             ("3H0B", "Found: 012"), ("new", " 1   012  <-"), ("0H1B", " 2   134  <-")):  # fmt: skip
            terminal.type(f"{line}\n")
            terminal.see(answer)
        terminal.type("quit\n")
        terminal.see("Saved. Start the program again to continue.")
        assert terminal.wait() == 0
    kept = sorted(json.loads(path.read_text())["game"] for path in saved_games())
    assert kept == ["turn=012:0H0B turn=012:3H0B", "turn=012:0H1B"]


def test_japanese_session_has_only_japanese_lines():
    result = run("--lang", "ja", given="0H1B\n2H1B\nwhy\n345 0 0\n012 0 0\nlist\nhelp all\n")
    for line in result.stdout.splitlines():
        assert any(ord(letter) > 0x3000 for letter in line) or line[0].isdigit(), line


@pytest.mark.slow
def test_terminal_session_prompts_and_offers_saved_games():
    with Terminal() as terminal:
        terminal.see("answer to 012 >")
        terminal.type("0H1B\n")
        terminal.see("answer to 134 >")
        terminal.type("\x04")
        assert terminal.wait() == 0
    with Terminal() as terminal:
        terminal.see("012 0H1B", "a or n [a] >")
        terminal.type("ａ\n")
        terminal.see("answer to 134 >")
        terminal.type("table\n")
        terminal.see("█")
        terminal.type("quit\n")
        assert terminal.wait() == 0
    with Terminal("--lang", "ja") as terminal:
        terminal.see("保存したゲーム：")
        terminal.type("delete a\n")
        terminal.see("012 への答え >")
        terminal.type("quit\n")
        assert terminal.wait() == 0
    assert saved_games() == []


@pytest.mark.parametrize("columns", [40, 60])
def test_table_and_chart_fit_a_narrow_terminal(columns):
    with Terminal(columns=columns, rows=40) as terminal:
        terminal.see("answer to 012 >")
        terminal.type("table\n")
        table = [line for line in terminal.see("│ 9").splitlines() if "│" in line]
        terminal.type("why\n")
        table += [line for line in terminal.see("B █", "(29%)").splitlines() if "B █" in line]
        terminal.type("quit\n")
        assert terminal.wait() == 0
    assert len(table) == 10 + 9, table
    assert max(map(width, table)) <= columns
    assert not any("…" in line for line in table)


def test_bold_is_used_unless_no_color_is_set():
    for asked, bold in (("", True), ("1", False)):
        with Terminal(NO_COLOR=asked) as terminal:
            terminal.see("answer to 012 >")
            terminal.type("quit\n")
            assert terminal.wait() == 0
            assert ("\x1b[1m012" in terminal.shown) is bold


def test_interrupt_at_the_prompt_exits_130_and_saves_the_game():
    with Terminal() as terminal:
        terminal.see("answer to 012 >")
        terminal.type("0H1B\n")
        terminal.see("answer to 134 >")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.shown
    assert GameStorage(Knowledge).latest(Rules()) is not None


def test_items_are_advised_once_per_turn_and_used_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("yomikiri.hitblow.advice.items._SEARCHED", 10)
    said = session(
        "hitblow", "assist", "--items", "high,target", given="high LHH\n012 0H1B\nat 2 5\nitems\nundo\nitems\n"
    )
    first, rest = said.split("HIGH&LOW: LHH", 1)
    assert "Use HIGH&LOW first: about 17 candidates after this turn, about" in first
    turn, rest = rest.split("012 0H1B", 1)
    assert "Play " not in turn, "one item a turn"
    assert "Use TARGET 5 first" in rest
    assert "You have used all items." in rest
    assert rest.rstrip().endswith("Unused items: TARGET")


def test_item_advice_names_the_item_rejected_by_score():
    others = ((Use(Item.SLASH), 2.5), (Use(Item.TARGET, "0"), 2.6), (Use(Item.TARGET, "1"), 2.6))
    sentence = advised(ItemAdvice(None, UseMeasure.BITS, 2.5, 2.5, others=others), Rules())
    assert sentence == "Use no item now. SLASH, TARGET would narrow down the secret no further than the guess alone."


def test_item_advice_shows_input_forms_of_the_current_rules():
    def advice_on(item: Item, rules: Rules, own: Rules) -> str:
        return advised(ItemAdvice(Use(item, "0"), UseMeasure.WIN, 0.5, 0.4), rules, own)

    four, low = Rules(4), Rules(3, "01234")
    assert "'high LHHH'" in advice_on(Item.HIGH, four, low)
    assert "'secret 234'" in advice_on(Item.SHUFFLE, four, low)
    assert "'they at 2 4'" in advice_on(Item.DOUBLE, four, low)
    assert "'at 1 0' if the digit is at place 1" in advice_on(Item.TARGET, Rules(1), low)


def test_absent_symbols_typed_first_can_be_undone():
    said = session("hitblow", "assist", "--items", "target", given="absent 6\nlist\nundo\n")
    assert said.count("\nNot in the secret: 6\n") == 2
    assert "Undone: Not in the secret: 6" in said
    said = session("hitblow", "assist", "--items", "target", given="absent 6\n012 0H1B\nnew\n")
    assert "(504 candidates)" in said
    assert said.endswith("(720 candidates).\nProven optimal: 4.97 more guesses on average, 7 at most.\n")
    assert "Use TARGET" in said.rpartition("012 0H1B")[2]


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(4), Rules(3, "abcde"), Rules(2, "012"), Rules(4, "123456", Repeats.ALL), Rules(1, "12")]
)
def test_example_facts_parse_under_the_rules(rules: Rules):
    shown = [*example_facts(rules)]
    assert {fact.name for fact in shown} >= {"absent", "has", "at", "off", "times"}
    assert ("shuffle" in {fact.name for fact in shown}) == rules.symbols.isdecimal()
    for fact in shown:
        assert [parse_words(fact.as_typed(name), rules) for name in (fact.name, *fact.also)] == [fact] * (
            1 + len(fact.also)
        )


def test_help_names_facts_in_both_languages():
    said = session("--lang", "ja", "hitblow", "assist", "--digits", "4", given="help all\n")
    assert "  high / ハイロー LHHH" in said
    assert "  has / ある 3 " in said
    assert "double" not in said
    assert "  double " in session("hitblow", "match", given="help all\n")


def test_items_command_keeps_the_items_on_invalid_input():
    said = session("hitblow", "assist", "--items", "high", given="items slash\nitems double\nitems\n")
    assert said.count("Unused items: SLASH") == 2
    assert "items 'double': expected items from high, slash, target, each at most once" in said


def test_items_command_needs_a_game_of_digits():
    said = session("hitblow", "assist", given="items high,slash\nundo\nitems\n")
    assert re.search("Unused items: HIGH&LOW, SLASH\nUse SLASH first: .*You have used all items.", said, re.DOTALL)
    said = session("hitblow", "assist", "--symbols", "abcdef", given="items high\nhelp all\n")
    assert "error: 'items high' is not an answer" in said
    assert "  items" not in said


def test_slips_continue_a_contradicting_game_and_are_saved():
    given = "012 0H1B\n134 0H2B\n345 2H0B\n340 0H0B\nslips 1\n"
    said = session("hitblow", "assist", given=given)
    assert "To continue without a correction, type 'slips 1'" in said
    assert "0 codes fit every answer, " in said.rpartition("goes on")[2]
    assert "Not proven optimal: answers may be wrong." in said
    assert session("hitblow", "assist", given=given + "undo\n").count("Possible corrections") == 2
    assert "error: 'slips x': expected a number" in session("hitblow", "assist", given="slips x\n")
    assert session("hitblow", "assist", "--slips", "2", given="").splitlines()[1] == "2 answers may be wrong."
    keeper = GameStorage(Knowledge)
    keeper.keep(Knowledge(facts=(Turn.parse("012:0H1B"),), slips=Slips(1)))
    keeper.release()
    assert "1 answer may be wrong." in session("hitblow", "assist", "--resume", given="")
    shown = session("hitblow", "assist", "--resume", "--slips", "2", given="")
    assert "ignores --slips" in shown
