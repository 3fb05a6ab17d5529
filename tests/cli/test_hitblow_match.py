"""`yomikiri hitblow match`: input and output of a session in a match against an opponent.

Also tests `wording/match.py`: sentences of a match.
"""

import json
import re
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import keep, run, session
from tests.examples import examples
from tests.hitblow.match.random_match import random_match

from yomikiri.cli.text import width
from yomikiri.hitblow.advice.items import Items
from yomikiri.hitblow.match.advice import Prospect
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import read_match, write_match
from yomikiri.hitblow.model.facts import FACT_KINDS
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.rules import Hint, Rules, Turn, Words, hint
from yomikiri.saves import GameStorage
from yomikiri.wording import match as wording
from yomikiri.wording import use_language


def match(*arguments: str, given: str = "") -> str:
    return session("hitblow", "match", *arguments, given=given)


def played_out(first: Side) -> tuple[Match, list[str]]:
    """Return a finished match and its input: I play the suggestions, the opponent plays the first candidate."""
    secrets = {Side.ME: "314", Side.OPPONENT: "908"}
    assistant = MatchAssistant(Match(first=first, secret=secrets[Side.ME], shown="7", absent="5"))
    typed = []
    while side := assistant.to_move:
        if side is Side.ME:
            answer = hint(assistant.advice.proposed.guess, secrets[Side.OPPONENT])
            assistant = assistant.answer(answer)
            typed.append(str(answer))
        else:
            typed.append(assistant.match.known(Side.OPPONENT).codes(1)[0])
            assistant = assistant.hear(typed[-1])
    return assistant.match, typed


@pytest.mark.parametrize("first", Side)
def test_whole_match_is_played_in_both_languages(first):
    played, typed = played_out(first)
    assert played.outcome
    ends = {
        "en": ("You win in {} guesses.", "They win in {} guesses."),
        "ja": ("あなたの勝ちです（{} 手）", "相手の勝ちです（{} 手）"),
    }
    for language, (won, lost) in ends.items():
        terms = ("--lang", language, "--first", str(first), "--secret", "314", "--shown", "7", "--absent", "5")
        shown = match(*terms, given="\n".join(typed))
        guesses = re.findall(r"(?:Guess |予想は )(\d{3})", shown)
        assert guesses == [played.turns[line].guess for line in played.lines(Side.ME)]
        answers = re.findall(r"(?:Answer (\dH\dB)|答え：(\dH\dB))", shown)
        assert ["".join(answer) for answer in answers] == [
            str(played.turns[line]).partition(":")[2] for line in played.lines(Side.OPPONENT)
        ]
        end = won if played.outcome.winner is Side.ME else lost
        assert end.format(len(played.lines(played.outcome.winner or Side.ME))) in shown.splitlines()[-1]


def test_match_shows_the_answer_to_give_and_the_chances_of_the_opponent():
    shown = match("--secret", "314", "--shown", "7", given="0H1B\n345\n")
    assert (
        "2. Their turn: type their guess.\n2. they 345 1H1B\nAnswer 1H1B.\n"
        "They have 36 candidates for your secret. Chance that they find it:\n  with the next guess    2.8%\n"
    ) in shown


def test_answer_is_typed_if_the_secret_is_not_given():
    shown = match("--first", "opponent", given="345\n345 1H1B\n0 0\n")
    assert "error: '345' has no answer" in shown
    assert "Answer" not in shown
    assert "2. Guess 012 (720 candidates)." in shown


def test_other_guess_undo_and_edit_work_on_both_boards():
    given = "345 0H0B\n012\nundo\nundo\n678 1H0B\nedit 1 0H0B\n012\nedit 2 013\nedit 1 678 0H3B\nlist\n"
    shown = match("--secret", "314", given=given)
    assert "1. you 678 0H3B\n2. they 013 1H1B\n" in shown
    assert "2 candidates: 786 867" in shown
    assert "error" not in shown


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("foo", "'foo' is not an answer"),
        ("2H1B", "2H1B is impossible"),
        ("they=345", "'they=345' is out of turn: your guess comes next ('me')"),
        ("335 1H1B", "'3' is in '335' more than once"),
        ("undo", "no turn to undo"),
        ("edit 1 0H0B", "no turn to edit"),
        ("secret 317", "secret '317': you revealed '7'"),
        ("secret 3", "'3' is not a code"),
        ("shown 345", "secret '314': you revealed '3'"),
        ("first they", "first=they: expected one of me, opponent"),
        ("absent x", "'x' in 'x' is not a symbol"),
    ],
)
def test_invalid_lines_are_reported_and_the_match_continues(line, complaint):
    shown = match("--secret", "314", "--shown", "7", given=f"{line}\n0H0B\n345\n")
    assert [text for text in shown.splitlines() if text.startswith("error: ")] == [
        next(text for text in shown.splitlines() if complaint in text)
    ]
    assert "Answer 1H1B." in shown


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("1H1B", "'1H1B' is an answer: expected a guess"),
        ("34", "'34' is not a code"),
        ("345 0H0B", "'345:0H0B' does not fit your secret 314: expected 1H1B"),
        ("me=345:0H0B", "out of turn: their guess comes next ('they')"),
        ("edit 3 1H", "there is no entry 3"),
    ],
)
def test_invalid_guesses_of_the_opponent_are_reported(line, complaint):
    shown = match("--secret", "314", given=f"0H0B\n{line}\n345\n")
    assert sum(text.startswith("error: ") for text in shown.splitlines()) == 1
    assert complaint in shown
    assert "Answer 1H1B." in shown


def test_guess_with_a_revealed_symbol_is_accepted_with_a_note():
    shown = match("--secret", "314", "--shown", "7", given="0H0B\n374\n")
    assert (
        "Answer 2H0B.\nNote: 374 uses 7, which you revealed as not in your secret. If you misheard, undo this turn."
        in shown
    )


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("me", "Their answers contradict each other."),
        ("opponent", "Your answers contradict each other."),
    ],
)
def test_contradiction_on_either_board_names_turns_of_the_match(first, said):
    given = "012 0 0\n012 0 0\n678 0 0\n678 0 0\n345 0 0\n1 1\n345\nlist\nedit 5 0 2\n"
    shown = match("--first", first, given=given)
    assert said in shown
    assert "turn 5 (345 0H0B) was 0H2B" in shown
    assert shown.count("error: ") == 2
    assert "6. " in shown.split("Correct an answer")[-1]


def test_match_is_saved_and_resumed_until_it_is_finished():
    keep(GameStorage(Match), read_match("secret=314 shown=7 me=012:0H1B"))
    match("--resume", given="345\n")
    saved = GameStorage(Match).latest(Rules())
    assert saved is not None
    assert saved.game == read_match("secret=314 shown=7 me=012:0H1B they=345")
    shown = match("--resume", given="list\n3H0B\n")
    assert "Your secret is 314. You revealed 7." in shown
    assert shown.count("You go first.") == 1, "the terms of the saved match, not those of a new one as well"
    assert "1. you 012 0H1B\n2. they 345 1H1B\n" in shown
    assert "You win in 2 guesses." in shown
    assert GameStorage(Match).latest(Rules()) is None


def test_items_are_saved_with_the_match_and_used_by_input():
    keep(
        GameStorage(Match),
        read_match("digits=2 symbols=013578 secret=35 they=has=3"),
        Items((Item.HIGH, Item.SLASH), takes_turn=True),
    )
    shown = match("--resume", given="high LH\npass\nitems\n")
    assert "Unused items: HIGH&LOW, SLASH\nUsing an item costs the guess of that turn.\n" in shown
    assert "2. you HIGH&LOW: LH\n3. you pass: no guess in this turn\n4. Their turn" in shown
    assert "4. they pass: no guess in this turn\n" in shown
    assert "Unused items: SLASH\nSaved." in shown
    again = match("--resume", given="undo\nundo\nundo\nitems\n")
    assert "Unused items: SLASH\n" in again, "what was used before is known to be"
    assert "Unused items: HIGH&LOW, SLASH\nSaved." in again
    assert "Unused items: DOUBLE\n" in match("--resume", "--items", "double"), "the option given now takes effect"


def test_match_accepts_wrong_answers():
    turns = ("me=01:0H1B", "they=25:1H0B")
    small = ("--digits", "2", "--symbols", "012345", "--seconds", "60")
    said = match("--slips", "1", *small, *turns)
    assert "You go first.\n1 answer may be wrong.\n" in said
    assert "codes fit every answer, " in said
    assert "(The match was not solved: answers may be wrong." in said
    typed = match(*small, given="01 0 1\n25 1H0B\nslips 1\n01 1H0B\nundo\nundo\nslips 0\n")
    assert typed.count("1 answer may be wrong.") == 1
    document = json.loads(match("--slips", "1", *small, *turns, "--json"))
    assert (document["unread"], sum(document["by_slips"]), document["match"].split()[2]) == (
        "slips",
        document["count"],
        "slips=1",
    )
    twice = ("me=01:0H0B", "they=25:0H1B", "me=23:0H0B", "they=25:0H1B", "me=45:0H0B", "they=25:0H1B") * 2
    far = run("hitblow", "match", "--slips", "1", *small, *twice, "--json")
    assert (far.exit_code, far.stdout) == (3, "")
    wrong = match(*small, given="01 0H0B\n25 1H0B\n23 0H0B\n25 1H0B\n45 0H0B\nslips 1\n")
    assert "To continue without a correction, type 'slips 1'" in wrong
    assert "no code fits" not in wrong.split("1 answer may be wrong.")[-1]


@pytest.mark.slow
@examples(150)
@given(seed=st.integers(0, 1 << 32))
def test_no_match_ends_in_an_error(seed: int):
    random = Random(seed)
    state, secret = random_match(random)
    codes = [*state.rules.secrets()]
    options = ["--seconds", "0.3", "--opponent", random.choice(["optimal", "entropy", "consistent", "perfect"])]
    if random.random() < 0.5:
        items = ["high", "slash", "shuffle", "change", "double"]
        options += ["--items", ",".join(random.sample(items, random.randint(1, 5)))]
        options += ["--item-takes-turn"] * random.randint(0, 1)
    with TemporaryDirectory() as folder:
        if random.random() < 0.2:
            likely = sorted({secret, *random.sample(codes, 9)})
            Path(folder, "w.csv").write_text("".join(f"{code},{random.randint(1, 9)}\n" for code in likely))
            options += ["--weights", str(Path(folder, "w.csv"))]
        elif random.random() < 0.2:
            options += ["--slips", "1"]
        result = run("hitblow", "match", *options, "--json", *write_match(state).split())
        assert result.exit_code == 0, (write_match(state), options, result.output)
        said = run("hitblow", "match", *options, *write_match(state).split(), given="why\nlist\ntable they\n")
    assert "error" not in said.output, (write_match(state), options, said.output)


def test_board_lists_facts_and_turns_of_one_side():
    state = read_match("secret=345 me=high=LHH me=pass they=has=3 they=678:0H0B")
    lines = [line for side in Side for line in wording.board(state, side, Words.HIT)]
    assert lines[1:3] == ["1. HIGH&LOW: LHH", "2. pass: no guess in this turn"]
    assert lines[4:] == ["3. in the secret: 3", "4. 678 0H0B"]


def test_saved_games_and_saved_matches_are_separate():
    keep(GameStorage(Knowledge), Knowledge().after(Turn("012", Hint(0, 1))))
    assert "You have no saved game" in match("--resume")
    keep(GameStorage(Match), read_match("me=012:0H1B"))
    assert "2. Guess 134" in run("hitblow", "assist", "--resume").stdout


def test_turns_in_arguments_are_played():
    shown = match("--secret", "314", "me=012:0H1B", "they=345")
    assert "3. Guess " in shown
    result = run("hitblow", "match", "me=012:0H1B", "me=345:0H0B")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "out of turn" in result.stderr


def test_json_contains_turn_outcome_counts_and_chances():
    document = json.loads(match("--secret", "314", "--shown", "7", "me=012:0H1B", "they=345", "--json"))
    assert document["match"] == "shown=7 secret=314 me=012:0H1B they=345:1H1B"
    assert (document["to_move"], document["outcome"], document["count"], document["their_count"]) == (
        "me",
        None,
        252,
        36,
    )
    assert len(document["guess"]) == 3
    assert 0 < document["hit"] < document["win"] < 1
    assert document["they_find_within"] == sorted(document["they_find_within"])
    assert document["they_find_within"][-1] == 1
    document = json.loads(match("me=012:0H1B", "--json"))
    assert document["to_move"] == "opponent"
    assert 0 < document["win"] < 1
    assert json.loads(match("me=012:3H0B", "--json"))["outcome"] == "me"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "These are the chances of an opponent guessing"), ("ja", "ランダムに選ぶ相手の確率")],
)
def test_estimates_of_a_perfect_opponent_name_the_substitute(language, said):
    turns = ("--lang", language, "--secret", "314", "--seconds", "0", "me=012:0H1B", "they=345")
    assert said in match(*turns, "--opponent", "perfect")
    assert said not in match(*turns)
    for opponent, paced in (("perfect", "consistent"), ("entropy", "entropy")):
        document = json.loads(match(*turns, "--opponent", opponent, "--json"))
        assert (document["opponent"], document["pace_of"]) == (opponent, paced)


def test_sampled_chances_are_marked_as_approximate():
    sampled = ("--secret-digits", "5", "me=012:0H1B", "they=34567:0H1B")
    for language, win, soon in (
        ("en", r"345: .* about \d\d% of winning", r"within 3 guesses +about [\d.]+%"),
        ("ja", r"345：.*勝率 約 \d\d%。", r"3 手以内に +約 [\d.]+%"),
    ):
        shown = match("--lang", language, *sampled, given="why 345\n")
        assert re.search(win, shown)
        assert re.search(soon, shown)
    use_language("en")
    document = json.loads(match(*sampled, "--json"))
    assert document["they_find_error"] > 0
    assert document["win_error"] > 0
    assert document["they_find_within"][0] == pytest.approx(1 / document["their_count"], abs=0)


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_chances_of_the_opponent_do_not_depend_on_the_seed(seed):
    turns = ("--first", "opponent", "--absent", "7", "--shown", "4", "they=012:0H1B", "me=134:1H1B", "they=987:0H1B")
    document = json.loads(match("--json", *turns, "--seed", seed))
    assert document["their_count"] == 72
    assert document["they_find_within"][0] == 1 / 72
    assert document["they_find_error"] == 0


def test_exact_chances_have_two_decimals_when_compared():
    exact = Prospect("345", Fraction(0), Fraction(3, 5))
    assert wording.prospect(exact) == "345: 0% chance of being right, 60.00% of winning."


def test_contradictions_on_both_boards_are_corrected_in_turn():
    turns = ("me=012:0H0B", "they=012:0H0B", "me=012:1H0B", "they=012:1H0B")
    said = match(*turns, given="fix\nfix\n")
    _terms, first, second = re.split(r"Theirs come first, then yours\.|Your answers contradict each other\.", said)
    assert re.search(r"^  1\. turn [13] ", first, re.M)
    assert re.search(r"^  1\. turn [24] ", second, re.M)
    assert "5. Guess " in second


def test_json_of_a_contradiction_exits_3_with_a_correction():
    result = run("hitblow", "match", "me=012:0H0B", "they=012:0H0B", "me=012:1H0B", "--json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "no code fits 012:0H0B 012:1H0B" in result.stderr
    assert "Maybe turn " in result.stderr


def test_help_is_aligned_in_every_language():
    for language in ("en", "ja"):
        shown = match("--lang", language, given="help all\n")
        lines = [line for line in shown.splitlines() if line.startswith("  ")]
        assert len(lines) > len(FACT_KINDS)
        begins = {width(line) - width(re.split(r" {2,}", line, maxsplit=2)[2]) for line in lines}
        assert len(begins) == 1, lines


def test_custom_finishes_are_parsed_or_refused():
    assert "against an opponent with the given finish times" in match(
        "--opponent", "custom", "--finishes", "0,0,0,0,0,1"
    )
    result = run("hitblow", "match", "--opponent", "custom", "--finishes", "often")
    assert result.exit_code == 2
    assert "finishes 'often': expected" in result.stderr


def test_turns_accept_the_names_of_the_sides():
    typed = "you 012 1H1B\nthey 345 0H0B\n自分 ハイロー LLL\nあなた 034 0H1B\n相手 345 0H1B\n"
    said = session("hitblow", "match", "--secret", "671", given=typed)
    assert "error: '345:0H1B' does not fit your secret 671: expected 0H0B" in said
    assert re.findall(r"^\d\. (?:you|they) .*", said, re.M) == [
        "1. you 012 1H1B", "2. they 345 0H0B", "3. you HIGH&LOW: LLL", "4. you 034 0H1B"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "found", "about_to_find"),
    [
        ("en", "They have found your secret: find theirs now to draw.", "find it with their next guess"),
        ("ja", "あなたの数字は当てられました。ここで当てれば引き分けです。", "次の手で当てられます"),
    ],
)
def test_opponent_that_has_found_the_secret_is_not_warned_of_again(language: str, found: str, about_to_find: str):
    start = ("hitblow", "match", "--lang", language, "--first", "opponent", "--equal-turns", "--symbols", "01234")
    alone = ("they=120:0H3B", "me=012:0H3B", "they=210:1H2B", "me=120:0H3B", "they=201:3H0B")
    for played in (("they=201:3H0B",), alone):
        shown = run(*start, *played).stdout
        assert shown.count(found) == 1
        assert about_to_find not in shown


def test_why_shows_partition_best_guesses_and_best_candidate():
    shown = match("me=012:0H1B", "they=345:0H1B", "me=345:0H1B", "they=678:0H0B", given="why\nwhy 136\n")
    assert "056 cannot be the secret. It splits 96 candidates into 8 parts" in shown
    assert re.search(
        r"Best guesses, with your chance of winning: 056 \d\d\.\d\d%, (\d{3} \d\d\.\d\d%(, )?){4}\n", shown
    )
    assert "The best candidate is 136: 1.0% chance of being right" in shown
    assert "136 can be the secret. It splits 96 candidates into" in shown
