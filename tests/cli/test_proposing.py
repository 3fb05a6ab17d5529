"""Immediate suggestions, which proven ones replace until the user types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from tests.terminal import Terminal

from yomikiri.cli.hitblow_assist import AssistGame
from yomikiri.cli.hitblow_match import MatchGame
from yomikiri.cli.session import TerminalSession
from yomikiri.cli.terminal import Dialogue
from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import read_match
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Unproven
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.policies.base import Choice, Outlook, Policy

GOES_ON = "Not proven yet: the search continues until you type."
PROVEN = "Proven optimal: 5.00 more guesses on average."


class Person(Dialogue):
    """A user at a terminal who types these lines; if `hasty`, the first one during a search."""

    def __init__(self, *lines: str, hasty: bool = False) -> None:
        self.interactive = self.is_terminal = True
        self.draws = False
        self.lines, self.hasty, self.said, self.waited = list(lines), hasty, list[str](), 0

    @contextmanager
    def hiding_keys(self) -> Iterator[None]:
        yield

    def ask(self, prompt: str, blank: bool = False) -> str | None:
        self.said.append(prompt)
        return self.lines.pop(0) if self.lines else None

    @contextmanager
    def until_typed(self, prompt: str) -> Iterator[Callable[[], bool]]:
        self.waited += 1
        yield lambda: self.hasty

    def say(self, *texts: str) -> None:
        self.said += texts


@dataclass(frozen=True)
class Late(Policy):
    """A policy that returns `soon` without time, and otherwise proves `best`."""

    soon: str
    best: str
    name: str = "exact"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        if budget.spent():
            return Choice(self.soon, unproven=Unproven.TIME)
        return Choice(self.best, outlooks={self.best: Outlook(5 * known.total, None, True)})


@pytest.fixture(autouse=True)
def _no_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yomikiri.cli.proposing._MOMENT", -1.0)


def session(person: Person, policy: Policy) -> list[str]:
    TerminalSession(person, AssistGame(person, Words.HIT), Assistant(Knowledge(), policy)).run_loop()
    return person.said


def test_proven_guess_replaces_the_first():
    said = session(Person("0H1B", "why"), Late("012", "345"))
    first, later = said.index("1. Guess 012 (720 candidates)."), said.index("1. Guess 345 (720 candidates).")
    assert said[first : later + 3] == [
        *("1. Guess 012 (720 candidates).", GOES_ON),
        *("1. Guess 345 (720 candidates).", PROVEN, "> "),
    ]
    assert "1. 345 0H1B" in said


def test_proven_first_guess_is_not_repeated():
    said = session(Person(), Late("012", "012"))
    assert said[-4:] == ["1. Guess 012 (720 candidates).", GOES_ON, PROVEN, "> "]


def test_answer_typed_during_the_search_is_for_the_shown_guess():
    said = session(Person("0H1B", hasty=True), Late("012", "345"))
    assert "1. 012 0H1B" in said
    assert PROVEN not in said
    assert not any("Guess 345" in line for line in said)


def test_why_waits_for_the_complete_advice():
    person = Person("why", "0H1B", hasty=True)
    said = session(person, Late("012", "345"))
    assert any(line.startswith("345 can be the secret.") for line in said)
    assert PROVEN in said
    assert "1. 345 0H1B" in said


def test_search_without_improvement_is_reported():
    class Lost(Late):
        def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
            return Choice(self.soon)

    assert "The search is over. The suggestion stays the same." in session(Person(), Lost("012", "012"))


def test_pipe_gets_only_the_complete_advice():
    person = Person()
    person.is_terminal = False
    said = session(person, Late("012", "345"))
    assert (GOES_ON in said, PROVEN in said, person.waited) == (False, True, 0)


def test_match_continues_the_search_too():
    person = Person("0H1B")
    advisor = Advisor(plain=Late("012", "345"))
    TerminalSession(person, MatchGame(person, Words.HIT), MatchAssistant(Match(secret="314"), advisor)).run_loop()
    assert person.said.index(GOES_ON) < person.said.index("1. you 345 0H1B")
    assert person.waited == 1


def test_improved_advice_of_a_match_is_shown_with_its_heading():
    person, match = Person(), read_match("secret=314 me=012:0H1B they=345:1H1B me=134:0H1B they=567:0H0B")
    TerminalSession(person, MatchGame(person, Words.HIT), MatchAssistant(match, Advisor())).run_loop()
    news = person.said[person.said.index(GOES_ON) + 1 :]
    assert sum(line.startswith("They have ") for line in news) <= 1
    assert not news[0].startswith(" ")


@pytest.mark.slow
def test_keys_pressed_during_a_search_are_not_lost():
    with Terminal("hitblow", "assist", "--digits", "5", "01234:1H1B", "--seconds", "100") as terminal:
        guess = terminal.see("<- your guess", GOES_ON).partition(" 2   ")[2][:5]
        terminal.type("1h")
        terminal.see("> 1h")
        terminal.type("1b\n")
        terminal.see(f" 2   {guess}   1H1B")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.shown
