"""A game against the program: its address contains all of it, and every path through it works.

Also tests `web/play_address.py`, `web/play_cards.py`: its address and its cards.
"""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.browser import Browser
from tests.web.client import Answer, get
from tests.web.test_hitblow_match import tap_digits, type_guess

from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.labels import Level
from yomikiri.hitblow.model.rules import PRESETS, hint
from yomikiri.hitblow.practice.play import Play
from yomikiri.web.play_address import PlayAddress, read

TEA = "/play?v=1&seed=tea"  # its secret is 307


def written(page: Answer) -> str:
    """Return the page with its attributes, without the digests of files, which could contain any number."""
    return re.sub(r"\?[0-9a-f]{12}", "", page.html)


def test_address_without_a_seed_redirects_to_a_new_seed():
    found = {get("/play?preset=bulls").headers["location"] for _ in range(3)}
    assert len(found) == 3
    assert all(re.fullmatch(r"/play\?preset=bulls&seed=[0-9a-f]{10}", link) for link in found)


@pytest.mark.parametrize("day", ["2026-11-22", "2026-01-01"])
def test_number_of_a_day_is_the_same_in_every_address(day: str):
    kept = Play(seed=f"day-{day}").program_secret
    for lang in ("en", "ja"):
        assert f" {' '.join(kept)} " in get(f"/play?v=1&day={day}&give-up=1&lang={lang}").text
        assert kept not in written(get(f"/play?v=1&day={day}&lang={lang}"))


@st.composite
def addresses(draw: st.DrawFn) -> PlayAddress:
    """Draw games in progress."""
    known = draw(st.sampled_from([PRESETS["hitblow"], PRESETS["numeron"], PRESETS["mastermind"]]))
    raced = draw(st.booleans())
    digits = known.rules.digits
    guesses = st.lists(st.sampled_from([known.rules.symbols[:digits], known.rules.symbols[1:][:digits]]), max_size=3)
    secret = draw(st.sampled_from(["", known.rules.symbols[: known.rules.digits]])) if raced else ""
    first = draw(st.sampled_from(Side)) if raced else Side.ME
    mine = tuple(draw(guesses))
    play = Play(
        known.rules,
        draw(st.sampled_from(["tea", "0-a"])),
        raced,
        draw(st.sampled_from([Level.RANDOM, Level.CONSISTENT])) if raced else Level.CONSISTENT,
        first,
        draw(st.booleans()) if raced else True,
        secret,
        draw(st.sampled_from(["", known.rules.symbols[5]])) if raced else "",
        mine,
        mine if raced else (),
    )
    return PlayAddress(play, known.words, "", tuple(draw(st.sets(st.integers(1, 5)))), draw(st.booleans()),
                   draw(st.sampled_from([None, "en", "ja"])))  # fmt: skip


@pytest.mark.slow
@given(addresses())
@settings(max_examples=40)
def test_address_contains_the_whole_game_and_gives_a_page(address: PlayAddress):
    again = read(parse_qsl(str(address).partition("?")[2]))
    assert again is not None
    assert str(again) == str(address)
    page = get(str(address))
    for _step in range(2):
        if page.status == 303:
            page = get(page.headers["location"])
    assert page.status == 200
    assert len(page.body) < 60_000


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("seed=a b", "seed 'a b': expected 1 to 40 letters"),
        ("seed=a&day=2026-11-22", "seed= and day= both choose the secret"),
        ("day=tomorrow", "day=tomorrow: expected a date such as 2026-11-22"),
        ("seed=a&me=0123", "'0123' is not a code"),
        ("seed=a&level=godlike", "level=godlike: expected one of random, consistent, fewest, perfect"),
        ("seed=a&preset=bulls&race=1&level=perfect", "level perfect plays games of at most 720 codes"),
        ("seed=a&digits=6", "too many for the page"),
        ("seed=a&race=1&secret=31", "'31' is not a code"),
        ("seed=a&race=1&secret=314&shown=3", "you revealed '3'"),
        ("seed=a" + "&me=012" * 31, "31 turns are too many"),
    ],
)
def test_invalid_games_are_rejected_with_a_reason(query: str, said: str):
    page = get(f"/play?{query}")
    assert page.status == 400
    assert said in page.text


def test_page_in_progress_reveals_neither_secret_nor_candidates():
    page = get(f"{TEA}&me=012&me=345")
    assert "307" not in written(page)
    assert "candidate" not in page.text


def test_hints_are_counted_in_address_and_result():
    page = get(f"{TEA}&me=012")
    (link,) = page.links("Hint 1 / 3")
    assert link == f"{TEA}&me=012&hint=2"
    (link,) = get(link).links("Hint 2 / 3")
    assert link == f"{TEA}&me=012&hint=2,2"
    assert "3 guesses, 1 hint" in get(f"{TEA}&me=012&me=345&me=307&hint=2").text
    assert "3 guesses, 3 hints" in get(f"{TEA}&me=012&me=345&me=307&hint=1,2,2").text


def test_hints_go_from_the_idea_to_the_guess_and_never_play_it(browser: Browser):
    browser.go(f"{TEA}&me=012&lang=en")
    for said, shown in (("Hint 1 / 3", "best guess"), ("Hint 2 / 3", "groups"), ("Hint 3 / 3", "Its digits: 1 3 4.")):
        browser.tap(said)
        assert shown in browser.find("#hints").text
        assert browser.find("#guess").get_property("value") == ""
    browser.tap("Show the guess")
    assert browser.find("#guess").get_property("value") == "134"
    assert "me=134" not in browser.address
    browser.tap("Guess", ".typing")
    assert browser.query["me"] == ["012", "134"]


def test_guess_with_a_hint_gets_no_grade():
    game = f"{TEA}&me=012&me=345&me=018&me=307&lang=en&review=1"
    assert "A lesson from this game" in get(game).text
    numbers = [int(each) for each in re.findall(r"Guess (\d): ", get(game).text)]
    hinted = get(f"{game}&hint={','.join(map(str, numbers))}")
    assert hinted.text.count("With a hint") == len(numbers)
    assert not re.search(rf"Guess {numbers[0]}: ", hinted.text)
    assert "skill of 100" not in hinted.text


def test_review_summarises_the_game_without_later_guesses():
    won = get(f"{TEA}&me=012&me=345&me=307&review=1&lang=en")
    assert "Found 307 in 3 guesses" in won.text
    lost = get(f"{TEA}&me=012&me=345&give-up=1&review=1&lang=en")
    assert re.search(r"All turns .*(luck|Luck)", lost.text)
    assert "3. Guess" not in lost.text


def test_result_is_text_without_digits_and_a_picture():
    page = get(f"{TEA}&me=012&me=345&me=307&lang=en")
    assert (
        "yomikiri · Hit & Blow · 3 guesses 🔶⬜⬜ 🟢⬜⬜ 🟢🟢🟢 http://127.0.0.1/play?v=1&seed=tea&beat=3" in page.text
    )
    assert 'role="img" aria-label="3 guesses: 0 hits, 1 blow; ' in page.html
    picture = get(page.links("Picture")[0])
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.html.count("<circle") == 9
    assert "127.0.0.1/play?v=1&amp;seed=tea&amp;beat=3" in picture.html
    assert "4 days in a row" in get(f"{page.links('Picture')[0]}&streak=4").html
    assert get(f"/play.svg{TEA.removeprefix('/play')}").status == 400


def test_challenge_compares_both_results():
    assert "Can you beat 3?" in get(f"{TEA}&beat=3&me=012&lang=en").text
    for guesses, said in (("012 307", "you win"), ("012 345 307", "too: a draw"), ("012 345 678 307", "3 and wins")):
        played = "".join(f"&me={guess}" for guess in guesses.split())
        assert said in get(f"{TEA}&beat=3{played}&lang=en").text
    again = get(f"{TEA}&beat=3&me=307&lang=en").links("Play again")[0]
    assert "beat" not in again


def test_challenge_of_a_friend_is_above_the_keys():
    challenge = "Can you beat 5? A friend found this number in 5 guesses."
    begun = get(f"{TEA}&beat=5&lang=en")
    assert begun.text.count(challenge) == 1
    assert challenge in begun.html.partition('class="typing"')[0]
    assert challenge in get(f"{TEA}&beat=5&me=012&lang=en").text


def test_result_of_a_match_says_whose_number_it_shows():
    race = f"{TEA}&race=1&level=random&secret=314&shown=7&lang=en"
    for end in ("&me=012&they=314", "&me=307", "&me=012&they=345&give-up=1"):
        result = re.search(r'class="felt .*?</section>', get(race + end).html, re.DOTALL)
        assert result
        shown = " ".join(re.sub(r"<[^>]*>", " ", result[0]).split())
        assert "Its number 3 0 7" in shown
        assert "Your number 3 1 4" in shown
    lost = get("/match?v=1&secret=314&me=012:0H1B&they=314:3H0B&lang=en").text
    assert lost.partition("They won")[2].count("Your number 3 1 4") == 1


def test_ends_of_games_differ():
    won = get(f"{TEA}&me=012&me=345&me=307&lang=en")
    assert 'class="felt won"' in won.html
    assert re.search(r"3 guesses Best play needs 5\.0 guesses on average\. You were very lucky\.", won.text)
    assert won.html.count('class="graded"') == 1
    given_up = get(f"{TEA}&me=012&give-up=1&lang=en")
    assert 'class="felt given-up"' in given_up.html
    assert "and 232 more" in given_up.text
    race = f"{TEA}&race=1&level=random&secret=314&shown=7&lang=en"
    lost = get(f"{race}&me=012&they=314")
    assert 'class="felt lost"' in lost.html
    assert lost.html.count('class="turns"') == 2
    (rematch,) = lost.links("Rematch, other side first")
    assert "first=opponent" in rematch
    assert "Level Easy: the program had" in get(f"{race}&me=012&they=345&me=307").text


def test_finished_game_does_not_ask_for_a_guess():
    for end in ("&me=307", "&me=012&give-up=1"):
        assert "Find it" not in get(f"{TEA}{end}&lang=en").text


def test_no_help_hides_chance_and_candidates():
    race = f"{TEA}&race=1&secret=314&shown=7&me=012&they=180&lang=en"
    shown, hidden = get(race).text, get(f"{race}&help=0").text
    assert "to win" in shown
    assert "candidates" in shown
    assert "to win" not in hidden
    assert "candidates" not in hidden


def test_api_and_page_play_the_same_game():
    document = json.loads(get("/api/v1/hitblow/play?seed=tea&race=1&secret=314&shown=7&me=012").body)
    assert [turn["side"] for turn in document["turns"]] == ["me", "opponent"]
    assert document["secret"] is None
    theirs = document["turns"][1]
    assert theirs["hint"] == str(hint(theirs["guess"], "314"))
    over = json.loads(get("/api/v1/hitblow/play?seed=tea&me=307").body)
    assert (over["winner"], over["secret"]) == ("me", "307")


# --- in a browser -----------------------------------------------------------------------------------------------------


def test_tapping_digits_finds_the_secret(browser: Browser):
    browser.go(f"{TEA}&lang=en")
    for guess in ("012", "345", "307"):
        type_guess(browser, guess)
    assert browser.address == f"{TEA}&lang=en&me=012&me=345&me=307"
    assert "You found it!" in browser.text
    browser.tap("Learn from this game")
    assert len(browser.all(".judged > li")) == 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", ["You", "The program"])
def test_race_against_the_program_has_a_result(browser: Browser, first: str):
    browser.go("/?preset=hitblow&lang=en").tap("Play against the program")
    assert "Choose your number" in browser.text
    browser.go(f"{TEA}&race=1&lang=en").tap("More settings")
    browser.find("[value=fewest]").click()
    browser.find(f"[name=first][value={'me' if first == 'You' else 'opponent'}]").click()
    type_guess(browser, "314")
    if first == "You":
        browser.tap("7", ".asked .keys")
        assert "shown=7" in browser.address
    else:
        assert "not" in browser.find("header .tiny").text
    for guess in ("012", "345", "678", "901", "234", "567", "890", "123"):
        if browser.all(".signs"):
            break
        type_guess(browser, guess)
        if not browser.all(".signs"):
            assert browser.all(".duo .turns")[1].text.count("\n") >= 2  # the program has guessed, too
    assert "The program won" in browser.text
    assert "Candidates at the end" in browser.text
    browser.driver.back()
    browser.driver.forward()
    assert "The program won" in browser.text


def test_level_comes_before_the_number_and_a_button_starts_the_match(browser: Browser):
    browser.go(f"{TEA}&race=1&lang=en")
    levels, keys = browser.boxes(".levels label"), browser.boxes(".typing .key")
    assert [box.text.split("\n")[0] for box in levels] == ["Easy", "Medium", "Hard", "Unbeatable"]
    assert max(box.bottom for box in levels) < min(box.top for box in keys)
    for digit in "31":
        browser.tap(digit, ".typing .keys")
    browser.find("[value=perfect]").click()
    browser.tap("4", ".typing .keys")
    assert "secret=" not in browser.address  # the third digit does not start the match
    assert browser.find("#guess").get_property("value") == "314"
    browser.tap("Start")
    assert browser.query["secret"] == ["314"]
    assert browser.query["level"] == ["perfect"]


def test_last_level_is_remembered(scripted: Browser):
    scripted.go(f"{TEA}&race=1&lang=en").find("[value=fewest]").click()
    scripted.go("/play?v=1&seed=green&race=1&lang=en")
    assert scripted.find("[value=fewest]").is_selected()
    assert scripted.go("/play?v=1&seed=green&race=1&level=random").find("[value=random]").is_selected()
    scripted.driver.execute_script("localStorage.clear()")


def test_third_digit_never_plays_a_guess(browser: Browser):
    browser.go(f"{TEA}&lang=en")
    tap_digits(browser, "012")
    assert "me=012" not in browser.address
    browser.go("/match?v=1&me=012:0H1B&secret=314&lang=en")
    tap_digits(browser, "345")
    assert "they=345" not in browser.address
    browser.tap("They guessed this")
    assert "they=345" in browser.address


def test_new_game_keeps_the_terms_with_a_new_seed(browser: Browser):
    browser.go("/play?v=1&preset=numeron&seed=tea&race=1&level=random&secret=314&shown=7&lang=en").menu()
    browser.tap("Start a new game")
    assert "Choose your number" in browser.text
    query = browser.query
    # The new seed is random, so it may contain any digits: compare parameters, not text.
    assert query.pop("seed") != ["tea"]
    assert query["level"] == ["random"]
    assert not any("314" in value for values in query.values() for value in values)


def test_race_shows_my_secret_the_legend_and_the_revealed_digit(browser: Browser):
    browser.go("/play?v=1&seed=tea&race=1&first=opponent&secret=314&they=012&lang=en")
    assert "Your number\n3 1 4\n3\n1\n4" in browser.text
    assert "right place" in browser.text
    assert "all digits different" in browser.text
    (struck,) = browser.all(".typing .key.out")
    assert f"{struck.text} is not in its number" in browser.text


def test_answer_without_a_match_is_a_word(browser: Browser):
    browser.go(f"{TEA}&me=456&lang=en")
    assert "none" in browser.find(".turn").text
    assert "right place" in browser.text


def test_repeated_digit_is_explained(scripted: Browser):
    scripted.go(f"{TEA}&lang=en").press("33")
    assert "3 is there already: the digits are all different." in scripted.text
    assert scripted.find("#guess").get_property("value") == "3"
    scripted.press("4")
    assert "is there already" not in scripted.text


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as a browser writes them, by WCAG."""

    def light(colour: str) -> float:
        parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
        linear = [each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
        return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_symbols_on_coloured_pegs_are_readable(scripted: Browser, theme: str):
    scripted.themed(theme).go("/play?v=1&preset=mastermind&seed=tea&me=1234&me=5612&lang=en")
    keys = scripted.all(".typing .key")
    assert [key.text for key in keys] == list("123456")
    assert len({key.value_of_css_property("background-color") for key in keys}) == 6
    for peg in [*keys, *scripted.all(".tile.peg")]:
        ground, ink = peg.value_of_css_property("background-color"), peg.value_of_css_property("color")
        assert contrast(ground, ink) >= 4.5, peg.text
    scripted.themed("light")


def test_typed_symbols_fill_slots_with_their_colours(scripted: Browser):
    for width in (320, 360):
        scripted.resized(width, 740).go("/play?v=1&preset=mastermind&seed=tea&lang=en")
        before = [key.value_of_css_property("background-color") for key in scripted.all(".typing .key")]
        for symbol in "112":
            scripted.tap(symbol, ".typing .keys")
        assert scripted.find("#guess").get_property("value") == "112"
        assert [tile.text for tile in scripted.all(".typed .tile")] == ["1", "1", "2", ""]
        colours = [tile.value_of_css_property("background-color") for tile in scripted.all(".typed .tile")]
        assert colours[:3] == [before[0], before[0], before[1]]


def test_first_result_of_a_day_counts_for_the_streak(scripted: Browser):
    scripted.go("/")
    scripted.driver.execute_script("""
        const d = new Date(); d.setDate(d.getDate() - 1);
        const day = `${d.getFullYear()}-${`${d.getMonth() + 1}`.padStart(2, 0)}-${`${d.getDate()}`.padStart(2, 0)}`;
        localStorage.clear();
        localStorage.setItem("record", JSON.stringify({days: {[day]: {guesses: 4, found: true}}}));
    """)
    today = scripted.driver.execute_script(
        "const d = new Date(); return [d.getFullYear(), d.getMonth() + 1, d.getDate()]"
    )
    day = "-".join(f"{part:02}" for part in today)
    kept = Play(seed=f"day-{day}").program_secret
    assert f"day={day}" in str(scripted.go("/?lang=en").find("[data-today] a").get_property("href"))
    scripted.go(f"/play?v=1&day={day}&lang=en")
    for digit in kept:
        scripted.tap(digit, ".typing .keys")
    scripted.tap("Guess", ".typing")
    assert "2 days in a row" in scripted.text
    assert [row.text for row in scripted.all(".histogram li")][3] == "4\n1"
    scripted.go(f"/play?v=1&day={day}&me=012&give-up=1&lang=en").go("/?lang=en")
    assert "2 days in a row" in scripted.text
    assert len(scripted.all(".week li")) == 7
    scripted.driver.execute_script("localStorage.clear()")
