"""The page that helps in a game with the user's own lists: in a browser, and as text.

Also tests `web/guess_cards.py`: its cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.reference.guessing import least_cost
from tests.web.browser import Browser
from tests.web.client import get
from tests.web.conftest import PHONE
from tests.web.own import MORE, WORDS, fitting, marks, own_app, serving
from tests.web.test_people import enlarged_is_too_wide
from tests.web.test_taps import double_tap

from yomikiri.guessing.answers import ANSWER_KINDS, HITS, HITS_BLOWS, MARKS, SUM, AnswerKind, all_answers
from yomikiri.guessing.game import Game
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.web import limits
from yomikiri.web.app import create_app
from yomikiri.web.guess_cards import certain_marks
from yomikiri.web.own_game import OwnGame

APP = own_app(more="\n".join(MORE))


@pytest.fixture(scope="module")
def own_server() -> Iterator[str]:
    """Return the address of a server with the game of the words."""
    with serving(APP) as address:
        yield address


@pytest.fixture
def own_browser(browser: Browser, own_server: str) -> Browser:
    return replace(browser, server=own_server)


def guessed(browser: Browser) -> str:
    """Return the guess on the tiles."""
    return "".join(str(tile.get_property("textContent")) for tile in browser.all(".places :checked + .tile"))


def tap_marks(browser: Browser, answer: str) -> None:
    """Tap each tile until it shows its mark."""
    for place, mark in enumerate(answer, start=1):
        for _tap in range(3):
            if browser.all(f".places [name=m{place}][value='{mark}']:checked"):
                break
            shown = int(str(browser.find(f".places [name=m{place}]:checked").get_property("value")))
            browser.find(f".places [name=m{place}][value='{(shown + 1) % 3}'] + .tile").find_element(
                "xpath", ".."
            ).click()
        assert browser.all(f".places [name=m{place}][value='{mark}']:checked")


@pytest.mark.parametrize("secret", ["flake", pytest.param("spice", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.exhaustive)])
def test_tapping_marks_finds_the_secret(own_browser: Browser, secret: str, language: str):
    own_browser.go(f"/guess?lang={language}")
    for _turn in range(6):
        guess = guessed(own_browser)
        if guess == secret:
            break
        tap_marks(own_browser, marks(guess, secret))
        own_browser.find(".marking .go").click()
        assert own_browser.waits_until(f"return location.search.includes('{guess}')")
    own_browser.find(".marking [name=answer]").click()
    assert own_browser.waits_until("return document.querySelector('.felt.won')")
    assert own_browser.address.endswith(f"turn={secret}:22222&lang={language}")


def test_another_guess_is_typed_and_wrong_ones_are_refused(own_browser: Browser):
    own_browser.go("/guess?turn=grape:02202&lang=en").tap("Another guess")
    own_browser.find("#guess").send_keys("zzzzz")
    own_browser.tap("Use this guess")
    assert "guess 'zzzzz': expected a code from the list of guesses" in own_browser.text
    own_browser.find("#guess").clear()
    own_browser.find("#guess").send_keys("Drake")
    own_browser.tap("Use this guess")
    assert guessed(own_browser) == "drake"
    assert "Back to crane" in own_browser.text
    own_browser.tap("Undo")
    assert own_browser.address == "/guess?v=1&lang=en"


@pytest.mark.parametrize("kind", [MARKS, HITS_BLOWS], ids=lambda kind: kind.NAME)
def test_codes_of_ten_symbols_fit_a_small_phone(scripted: Browser, kind: AnswerKind):
    codes = ("abcdefghij", "jihgfedcba", "abcdefgjih")
    turn = f"{codes[0]}:{kind.answer(codes[0], codes[2])}"
    with serving(create_app(own=OwnGame(Game(codes, answers=kind)))) as address:
        own = replace(scripted, server=address)
        for path in ("/guess", f"/guess?turn={turn}", f"/guess/play?seed=tea&me={codes[0]}"):
            own.resized(320, 740).go(path).unfold()
            assert own.too_wide() <= 0
            assert own.outside() == []
            assert own.smaller(24, 24)[1] == []
            assert enlarged_is_too_wide(own) <= 0


def test_double_tap_enters_one_answer(scripted: Browser, own_server: str):
    turns = "&turn=grape:02202" * 4  # from four turns on, the button stays in its place
    own = replace(scripted, server=own_server).go(f"/guess?v=1{turns}").at_its_own_pace()
    own.wait_until_settled()
    double_tap(own, own.find(".marking .go"))
    assert own.waits_until("return location.search.split('turn=').length > 5")
    own.wait_until_settled()
    assert own.address.count("turn=") == 5
    own.resized(*PHONE)


def test_keys_mark_one_tile_after_the_other(scripted: Browser, own_server: str):
    own = replace(scripted, server=own_server).go("/guess?guess=eerie&lang=en")
    own.driver.execute_script("document.querySelector('[name=m1]:checked').focus()")
    own.press("2by1G")
    own.press("\ue007")
    assert own.waits_until("return location.search.includes('turn=eerie:20112')")


def test_keyboard_alone_enters_an_answer(scripted: Browser, own_server: str):
    own = replace(scripted, server=own_server).go("/guess?guess=eerie&lang=en")
    own.driver.execute_script("document.querySelector('[name=m1]:checked').focus()")
    own.press("\ue014\ue014")  # right arrow: the next mark
    own.press("\ue007")
    assert own.waits_until("return location.search.includes('turn=eerie:20002')")


PAGES = (
    "/",
    "/guess",
    "/guess?turn=grape:02202&guess=eerie&answer=x",
    "/guess?edit=1&turn=grape:02202",
    "/guess?turn=grape:02202&turn=crane:00000",
    "/guess?turn=grape:22222",
    "/guess/play?seed=tea&me=grape&hint=2",
    "/guess/play?seed=tea&me=grape&give-up=1",
)


@pytest.mark.parametrize("path", PAGES)
def test_pages_fit_a_small_phone_and_have_no_barrier(scripted: Browser, own_server: str, path: str):
    own = replace(scripted, server=own_server)
    for theme, language in (("light", "en"), ("dark", "ja")):
        own.resized(320, 740).themed(theme).go(f"{path}{'&' if '?' in path else '?'}lang={language}").unfold()
        assert own.too_wide() <= 0
        assert own.barriers() == []
        assert own.outside() == []
        assert own.unstyled() == []
        assert own.smaller(24, 24)[1] == []
        assert enlarged_is_too_wide(own) <= 0
    own.themed("light")


@pytest.mark.parametrize("kind", [HITS_BLOWS, HITS, SUM], ids=lambda kind: kind.NAME)
def test_answer_links_lead_to_the_secret(kind: AnswerKind):
    app, path, secret = own_app(kind), "/guess?lang=en", "trace"
    for _turn in range(6):
        page = get(path, app)
        guess = "".join(page.text.partition("Guess this")[2].partition("Proven ")[2].split()[:5])
        answer = kind.answer(guess, secret)
        if guess == secret:
            break
        (path,) = [link for link in page.links() if f"turn={guess}:{answer}" in link]
    assert guess == secret
    assert "Found trace" in get(f"{path}&turn=trace:{kind.win(5)}", app).text


def test_page_states_candidates_and_proof():
    page = get("/guess?turn=grape:02202&lang=en", APP)
    left = fitting({"grape": "02202"})
    assert f"{len(left)} candidates {' '.join(left)}" in page.text
    assert "✓ Proven About 2.00 more guesses on average. crane is a candidate." in page.text
    assert least_cost(dict.fromkeys(left, 1), (*WORDS, *MORE), marks) == 2.00 * len(left)


def test_unproven_suggestion_is_marked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "SECONDS", 0.0)
    page = get("/guess?lang=en", own_app())
    assert "≈ good guess" in page.text
    assert "Not proven: no time to compare the guesses." in page.text


def test_contradiction_offers_the_turn_to_correct():
    page = get("/guess?turn=grape:02202&turn=crane:00000&lang=en", APP)
    assert "These answers cannot all be right" in page.text
    assert page.links("Correct crane (5 candidates without it)") == [
        "/guess?v=1&turn=grape:02202&turn=crane:00000&lang=en&edit=2"
    ]
    assert "Enter this answer" in get("/guess?turn=grape:02202&turn=crane:00000&edit=2&lang=en", APP).text


def test_typed_answer_is_read_in_every_form():
    path = "/guess?v=1&turn=grape:02202&guess=crane&answer="
    for typed in ("02202", "bggbg", "%E2%AC%9B%F0%9F%9F%A9%F0%9F%9F%A9%E2%AC%9B%F0%9F%9F%A9"):
        assert get(path + typed, APP).headers["location"] == "/guess?v=1&turn=grape:02202&turn=crane:02202"
    page = get(f"{path}1H1B&lang=en", APP)
    assert page.status == 400
    assert "answer '1H1B': 'H' is not a mark: expected 2 (right place)" in page.text
    assert 'aria-invalid="true"' in page.html


def test_last_guess_ends_the_game():
    app = own_app(rule=GuessRule.HARD, limit=2)
    page = get("/guess?turn=grape:02202&turn=crane:02202&lang=en", app)
    assert "Not found in 2 guesses." in page.text
    assert " ".join(fitting({"grape": "02202", "crane": "02202"})) in page.text
    assert page.links("New game") == ["/guess?v=1&lang=en"]
    assert "hard mode · 2 guesses" in page.text


def test_guess_rule_refuses_a_typed_guess():
    page = get("/guess?turn=grape:02202&guess=spice&lang=en", own_app(rule=GuessRule.HARD))
    assert page.status == 400
    assert "hard mode needs 'r' at place 2" in page.text


def test_long_list_is_cut_until_requested():
    words = [f"{number:03}" for number in range(100)]
    app = create_app(own=OwnGame(Game(words)))
    page = get("/guess?lang=en", app)
    assert "and 76 more" in page.text
    (link,) = page.links("Show all")
    assert "099" in get(link, app).text


def test_first_page_offers_the_own_list_first():
    page = get("/?lang=en", APP)
    assert page.links("Help me guess") == ["/guess?lang=en"]
    assert page.links("Play against the program") == ["/guess/play?lang=en"]
    assert "/hitblow" in " ".join(get("/?preset=hitblow&lang=en", APP).links("Help me guess"))
    assert "Your own list" not in get("/?lang=en").text


def test_server_without_a_list_says_how_to_start_with_one():
    page = get("/guess?lang=en")
    assert page.status == 404
    assert "this page needs your own list: start it with 'yomikiri web --secrets FILE'" in page.text
    assert page.links("New game") == ["/?lang=en"]


@pytest.mark.parametrize(
    "path", ["/guess?turn=zzzzz:00000", "/guess?v=9", "/guess?turn=crane", "/guess/play?seed=tea&me=x"]
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_bad_address_gets_a_page_with_a_reason_and_a_link(path: str, language: str):
    page = get(f"{path}&lang={language}", APP)
    assert page.status == 400
    assert page.links("New game" if language == "en" else "新しいゲーム")


@pytest.mark.parametrize(
    "kind", [kind for kind in ANSWER_KINDS.values() if kind is not MARKS], ids=lambda kind: kind.NAME
)
def test_all_answers_contains_every_answer(kind: AnswerKind):
    listed = [kind.parse(text, 5) for text in all_answers(kind, 5)]
    assert len(listed) == len({*listed})
    assert {kind.answer(guess, secret) for guess in (*WORDS, *MORE) for secret in (*WORDS, *MORE)} <= {*listed}


def test_certain_marks_are_those_of_all_candidates():
    assert certain_marks("crane", ["crate", "grape"]) == "02202"
    assert certain_marks("crane", []) == "00000"
