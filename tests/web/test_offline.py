"""The offline page: followed like a person does, it finds every secret as fast as the strategy."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from tests.cli.run import run
from tests.reference.hitblow import every_code, plain_hint
from tests.web.browser import Browser
from tests.web.client import get

from yomikiri.hitblow.advice.suggestion import suggest
from yomikiri.web.hitblow_address import read

SECRETS = every_code("0123456789", 3, repeats=False)


@dataclass
class Step:
    """A node of the page: its guess, and the node below each answer; None after a win."""

    guess: str = ""
    answers: dict[str, Step | None] = field(default_factory=dict)


class Reader(HTMLParser):
    """A parser of the nested lists of a page; closing tags of items may be missing."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.trees: list[Step] = []
        self._path: list[Step] = []
        self._answer = self._inside = ""
        self.feed(re.sub("</?u[^>]*>", "", page))  # the colours of pegs

    def handle_starttag(self, tag, attributes):
        if ("class", "tree") in attributes:
            self.trees.append(Step())
            self._path = [self.trees[-1]]
        elif self._path:
            self._inside = tag
            if tag == "details":
                self._path.append(Step())
            elif tag == "li":
                self._answer = ""

    def handle_endtag(self, tag):
        if tag == "details" and self._path:
            self._path.pop()
        elif tag == "div":
            self._path = []

    def handle_data(self, data):
        if not self._path or not data.strip():
            return
        if self._inside == "b" and self._answer:
            self._path[-1].answers[self._answer] = Step(data.strip())
            self._answer = ""
        elif self._inside == "b":
            self._path[-1].guess = data.strip()
        elif self._inside == "summary":
            self._path[-2].answers[data.strip()] = self._path[-1]
        elif self._inside == "li":
            self._answer = data.strip()
        elif self._inside == "i" and self._answer:
            self._path[-1].answers[self._answer] = None
            self._answer = ""
        self._inside = ""


def guesses(tree: Step, secret: str) -> int:
    """Return the number of guesses with which the page finds a secret."""
    step: Step | None = tree
    for number in range(1, 20):
        assert step is not None
        hits, blows = plain_hint(step.guess, secret)
        if hits == len(secret):
            assert not step.answers or step.answers[f"{hits}H0B"] is None
            return number
        step = step.answers[f"{hits}H{blows}B"]
    raise AssertionError(secret)


@pytest.fixture(scope="module", params=["en", pytest.param("ja", marks=pytest.mark.exhaustive)])
def page(request) -> str:
    return run("hitblow", "export", "--format", "html", "--lang", request.param).stdout


def test_file_finds_every_secret_within_the_proven_guesses(page):
    plain, handicap = Reader(page).trees
    assert sum(guesses(plain, secret) for secret in SECRETS) == 3575
    assert max(guesses(plain, secret) for secret in SECRETS) == 7
    assert sum(guesses(handicap, secret) for secret in SECRETS if "9" not in secret) == 2337


def test_file_is_small_and_self_contained(page):
    assert len(page.encode()) < 120_000
    for address in ("http", "//", "url(", "src=", "@import", "<link", "<img"):
        assert address not in page.split("<script>")[0], address
    assert "http" not in page


def test_starts_name_their_knowledge(page):
    assert "Nothing is known" not in page


def test_file_works_for_any_symbols_and_start():
    shown = run("hitblow", "export", "--format", "html", "--digits", "2", "--symbols", "<&>\"'", "--absent", "&").stdout
    (tree,) = Reader(shown).trees
    codes = every_code("<>\"'", 2, repeats=False)
    assert max(guesses(tree, code) for code in codes) <= 4
    turns = Reader(run("hitblow", "export", "--format", "html", "012:0H1B").stdout).trees
    assert sum(guesses(turns[0], code) for code in SECRETS if plain_hint("012", code) == (0, 1)) == 1066


def test_answers_use_the_words_of_the_game():
    shown = run("hitblow", "export", "--format", "html", "--preset", "numeron").stdout
    assert "0E1B" in Reader(shown).trees[0].answers


def test_too_many_secrets_are_rejected_before_any_work():
    result = run("hitblow", "export", "--format", "html", "--digits", "6", "--symbols", "0123456789ABCDEF")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(
        "error: 5765760 candidates are too many for one page: add turns until 6000 or fewer"
    )


@pytest.mark.parametrize("preset", ["hitblow", "bulls", "mastermind"])
def test_files_of_standard_games_need_no_search(preset: str):
    (link,) = get(f"/hitblow?preset={preset}&lang=en").links("Keep offline")
    answer = get(link)
    assert answer.headers["content-disposition"] == f'attachment; filename="yomikiri-{preset}.html"'
    assert len(answer.body) < 700_000
    assert f"<title>Guess {Reader(answer.html).trees[0].guess} " in get(f"/hitblow?preset={preset}&lang=en").html
    assert not get("/hitblow?digits=4&symbols=0123456&repeats=all&lang=en").links("Keep offline")


@pytest.mark.parametrize(
    "game",
    ["turn=012:0H1B", "turn=538:0H1B&turn=301:1H0B", "preset=bulls&turn=0123:1B1C&turn=0245:1B0C",
     "absent=7&turn=012:0H1B", "turn=345:0H1B&turn=012:1H0B&fact=has%3D5", "preset=mastermind&turn=1122:1B1W"],
)  # fmt: skip
def test_file_continues_from_the_current_position(game: str):
    page = get(f"/hitblow?v=1&{game}&lang=en")
    (link,) = page.links("Keep offline")
    file = re.sub("</?u[^>]*>", "", get(link).html)
    known = read(parse_qsl(game)).board()
    (tree,) = Reader(re.sub("([0-9])B([0-9])[CW]", r"\1H\2B", file)).trees
    best = suggest(known, compare=False).proposed.outlook
    assert best
    assert sum(guesses(tree, secret) for secret in known.codes()) == best.total_guesses
    for turn in known.played:
        assert f'<b>{turn.guess}</b> <span class="a{turn.hint.hits}{turn.hint.blows}">' in file


def test_file_of_a_match_covers_my_board():
    match = "/match?v=1&absent=7&secret=314&me=012:0H1B&they=345:1H0B&me=134:1H0B&they=361:1H1B&lang=en"
    (link,) = get(match).links("Keep offline")
    assert link == "/offline?v=1&absent=7&turn=012:0H1B&turn=134:1H0B&lang=en"
    (tree,) = Reader(get(link).html).trees
    known = read(parse_qsl("absent=7&turn=012:0H1B&turn=134:1H0B")).board()
    best = suggest(known, compare=False).proposed.outlook
    assert best
    assert sum(guesses(tree, secret) for secret in known.codes()) == best.total_guesses
    assert not get("/match?digits=4&symbols=012345678&lang=en").links("Keep offline")


def test_positions_without_a_file_offer_none():
    far = "digits=4&symbols=012345678&turn=0123:0H1B"
    assert not get(f"/hitblow?{far}").links("Keep offline")
    refused = get(f"/offline?{far}", accept_language="en")
    assert refused.status == 400
    assert "no proven strategy for this position yet" in refused.text


def test_doubtful_answers_prevent_a_file():
    """Answers may be wrong, so no file is offered, although all candidates are equally likely.

    Each candidate contradicts one turn.
    """
    turns = "turn=01:0H1B&turn=01:0H1B&turn=01:1H0B&turn=02:1H0B"
    page = get(f"/hitblow?digits=2&symbols=012&repeats=guess&slips=1&{turns}&lang=en")
    assert page.status == 200
    assert not page.links("Keep offline")


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["en", pytest.param("ja", marks=pytest.mark.exhaustive)])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("offline") / "page.html"
    run("hitblow", "export", "--format", "html", "--lang", request.param, "--output", str(path))
    return path


def opened(browser: Browser, file: Path) -> Browser:
    browser.driver.get(file.as_uri())
    return browser


def last_step(browser: Browser) -> WebElement:
    """Return the part of the page with the last guess and its answers."""
    return browser.all("section > details[open] :is(.tree, details[open])")[-1]


def shown_guess(browser: Browser) -> str:
    """Return the next guess."""
    shown = last_step(browser).find_element(By.XPATH, "./p/b")
    assert shown.is_displayed()
    return shown.text


def play(browser: Browser, secret: str) -> int:
    """Find a secret by tapping answers. Return the number of guesses."""
    for number in range(1, 20):
        hits, blows = plain_hint(shown_guess(browser), secret)
        if hits == len(secret):
            return number
        rows = last_step(browser).find_elements(By.XPATH, "./ul/li")
        (row,) = (row for row in rows if row.text.startswith(f"{hits}H{blows}B"))
        if not (summaries := row.find_elements(By.TAG_NAME, "summary")):
            assert row.find_element(By.TAG_NAME, "b").text == secret
            return number + 1
        summaries[0].click()
    raise AssertionError(secret)


def test_tapping_plays_and_restarts_a_game(browser, file):
    opened(browser, file)
    plain = Reader(file.read_text(encoding="utf-8")).trees[0]
    for secret in ("765", "012", "398"):
        assert play(browser, secret) == guesses(plain, secret)
        browser.find("main > p > a").click()
    assert shown_guess(browser) == plain.guess


def test_second_tap_undoes_an_answer(browser, file):
    opened(browser, file)
    before = shown_guess(browser)
    browser.tap("0H1B").tap("0H1B")
    assert shown_guess(browser) == before


@pytest.mark.exhaustive
def test_script_exchanges_the_absent_digit(scripted, file):
    opened(scripted, file)
    handicap = Reader(file.read_text(encoding="utf-8")).trees[1]
    scripted.all("section > details > summary")[1].click()
    for absent, secret in (("0", "931"), ("5", "942"), ("9", "038")):
        scripted.find(f"fieldset input[value='{absent}']").click()
        as_written = secret.translate(str.maketrans(f"{absent}9", f"9{absent}"))
        assert play(scripted, secret) == guesses(handicap, as_written)
        scripted.find("main > p > a").click()


def test_file_without_scripts_names_the_absent_digit(start_browser, file):
    browser = opened(start_browser(False).resized(360, 740), file)
    browser.all("section > details > summary")[1].click()
    assert "9" in browser.find("[data-absent]").text
    assert play(browser, "038") == guesses(Reader(file.read_text(encoding="utf-8")).trees[1], "038")


@pytest.mark.exhaustive
def test_pegs_keep_their_colours_after_an_exchange(scripted, tmp_path):
    file = tmp_path / "pegs.html"
    run("hitblow", "export", "--format", "html", "--preset", "mastermind", "--output", str(file))
    assert file.stat().st_size < 700_000
    ground = "background-color"
    colours: dict[str, str] = {}
    for path in (
        f"{scripted.server}/hitblow?preset=mastermind&guess=1",
        f"{scripted.server}/hitblow?preset=mastermind",
    ):
        scripted.driver.get(path)
        pegs = scripted.all(".proposal .tile, .typing .key")
        colours |= {peg.get_property("textContent").strip(): peg.value_of_css_property(ground) for peg in pegs}
    opened(scripted, file).all("section > details > summary")[1].click()
    scripted.find("fieldset input[value='1']").click()
    assert scripted.waits_until("return document.querySelectorAll('.tree')[1].querySelector('u').textContent !== '1'")
    for peg in scripted.all(".tree p u"):
        if peg.is_displayed():
            assert peg.text != "1"
            assert peg.value_of_css_property(ground) == colours[peg.text]


@pytest.mark.parametrize("file", ["ja"], indirect=True)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.exhaustive
def test_file_has_no_accessibility_barriers(scripted, file, theme):
    opened(scripted.resized(320, 640).themed(theme), file).tap("0H1B").tap("1H0B")
    assert scripted.barriers() == []
    scripted.all("section > details > summary")[1].click()
    scripted.find("footer summary").click()
    assert scripted.barriers() == []
    assert scripted.too_wide() <= 0
