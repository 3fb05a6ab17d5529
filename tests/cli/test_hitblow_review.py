"""`yomikiri hitblow review`: table, summary, JSON and invalid input.

Also tests `wording/review.py`: sentences of a review.
Also tests `cli/hitblow_reviewed.py`: the table at a terminal.
"""

from __future__ import annotations

import json

import pytest
from tests.cli.run import run
from tests.terminal import Terminal

from yomikiri.hitblow.advice.review import review
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Turn, Words
from yomikiri.wording.review import scores, summary


@pytest.fixture(autouse=True, scope="module")
def compiled_kernels():
    """Compile the kernels first, because reviews are exact only with a compiled search."""


GAME = ("345:1H0B", "123:0H2B", "012:0H1B", "371:3H0B")


def test_piped_review_has_tab_separated_columns_and_a_summary():
    shown = run("hitblow", "review", *GAME).stdout.splitlines()
    assert shown[0].split("\t") == ["turn", "played", "candidates", "best", "loss", "luck", "chance"]
    assert shown[3].split("\t") == ["3", "012 0H1B", "17 → 4", "062", "0.24", "average −0.13", "53%"]
    assert shown[5:] == [
        "Found 371 in 4 guesses; best play takes 4.97 on average.",
        "Your choices cost 0.31 guesses; turn 3 cost the most: 062 would have saved 0.24 compared with 012.",
        "371 risked 0.25 guesses, and the risk paid off.",
        "Luck saved 1.52 guesses.",
    ]


def test_unfinished_game_lists_mistakes_before_luck():
    fault = ("012:0H2B", "013:0H1B", "014:0H1B", "015:0H1B", "016:0H1B", "017:0H1B")
    game = review(Knowledge(facts=tuple(map(Turn.parse, fault))))
    assert list(summary(game, Words.HIT, names=False)) == [
        "Your choices cost 2.43 guesses; turn 3 cost the most.",
        "Bad luck cost 0.86 guesses.",
    ]
    assert scores(game) == [("Skill", 67), ("Luck", 23)]


SEEN = """\
     #  you       left           better  cost    luck
 ✓   1  345 1H0B    720 -> 126   -       -       average +0.04
 ✓   2  123 0H2B    126 -> 17    012     0.07    average +0.11
 ?!  3  012 0H1B     17 -> 4     062     0.24    average −0.13
 !   4  371 3H0B      4 -> 1     067     0.25    very lucky +1.50
Found 371 in 4 guesses; best play takes 4.97 on average.
Your choices cost 0.31 guesses; turn 3 cost the most: 062 would have saved 0.24
compared with 012.
371 risked 0.25 guesses, and the risk paid off.
Luck saved 1.52 guesses.
✓ Best, Good   ! Risky, paid off   ?! Inaccuracy"""


def test_terminal_review_is_a_table():
    with Terminal("hitblow", "review", *GAME, columns=80, rows=24) as terminal:
        assert terminal.wait() == 0
        assert terminal.screen == SEEN


def test_narrow_window_drops_whole_columns():
    with Terminal("hitblow", "review", *GAME, columns=40, rows=24) as terminal:
        assert terminal.wait() == 0
        shown = terminal.screen.splitlines()
    assert shown[0] == "     #  you       better  cost"
    assert shown[3] == " ?!  3  012 0H1B  062     0.24"


def test_luck_word_matches_its_number():
    judged = run("hitblow", "review", "012:0H1B", "134:0H1B", "156:0H0B", "374:0H2B", "237:1H0B", "407:3H0B").stdout
    luck = [line.split("\t")[5] for line in judged.splitlines()[1:7]]
    assert luck == ["unlucky −0.26", "unlucky −0.26", "unlucky −0.24", "lucky +0.29", "average 0", "certain 0"]


def test_review_json_contains_losses_and_luck():
    document = json.loads(run("hitblow", "review", *GAME, "--json").stdout)
    assert document["schema_version"] == 1
    assert (document["found"], document["later_turns"], document["next"]) == (True, [], None)
    last = document["turns"][3]
    assert (last["turn"], last["count"], last["left"], last["chance"]) == ("371:3H0B", 4, 1, 0.25)
    assert (last["loss"], last["luck"], last["proof"]) == (0.25, 1.5, "optimal")
    assert (last["best"]["guess"], last["best"]["expected_guesses"]) == ("067", 2.25)
    losses, lucks = ([turn[key] for turn in document["turns"]] for key in ("loss", "luck"))
    assert document["start_expected_guesses"] + sum(losses) - sum(lucks) == pytest.approx(4)


def test_review_accepts_words_absent_symbols_and_later_turns():
    shown = run("hitblow", "review", "--words", "bull", "--absent", "9", "012:1B1C", "012:1B1C").stdout
    assert "012 1B1C\t504 → 36\t" in shown
    assert shown.splitlines()[-2].startswith("3. Guess ")
    later = run("hitblow", "review", "012:3H0B", "345:0H0B").stdout
    assert later.endswith("1 turn after the end is not reviewed.\n")


def test_review_reports_unproven_turns_in_one_line():
    game = ("--digits", "4", "--symbols", "01234567", "--seconds", "0", "0123:0H1B", "4567:1H2B")
    shown = run("hitblow", "review", *game).stdout.splitlines()
    assert shown[2].split("\t")[4:6] == ["not proven", "average"]
    assert shown[3].startswith("Turns 1, 2: Not proven optimal")


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        ([], 2, "missing argument 'TURNS...'"),
        (["012:0H0B", "345:0H0B", "678:0H0B"], 3, "no code fits 012:0H0B 345:0H0B 678:0H0B"),
        (["012:2H1B"], 2, "2H1B is impossible for 012"),
        (["--absent", "01234567", "012:0H0B"], 2, "leaves too few symbols"),
        (["012"], 2, "'012' is not a turn"),
    ],
)
def test_invalid_input_is_one_line_with_its_status(arguments, status, complaint):
    result = run("hitblow", "review", *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert complaint in result.stderr.splitlines()[0]
