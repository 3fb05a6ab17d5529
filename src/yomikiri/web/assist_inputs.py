"""The request for the page of a game or a match, and the values that its cards are built from."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.common.enums import Named
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.suggestion import Figures, figures
from yomikiri.hitblow.match.advice import Prospect
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Words
from yomikiri.web.hitblow_address import AssistAddress
from yomikiri.web.hitblow_cards import TurnRow
from yomikiri.web.review_cards import JudgedGame


@dataclass(frozen=True, slots=True)
class AssistQuery:
    """A request for the page of a game or match: its address, and the texts typed on the page, each with its error.

    `guess` is a complete and valid guess, or empty. `fact` is a fact in words, `secret` my own code in a match.
    """

    address: AssistAddress
    guess: str = ""
    guess_error: str = ""
    fact: str = ""
    fact_error: str = ""
    secret: str = ""
    secret_error: str = ""

    @property
    def is_refused(self) -> bool:
        """True if some text cannot be used."""
        return bool(self.guess_error or self.fact_error or self.secret_error)


class AssistState(Named):
    """The state of a game that decides which cards its page has."""

    EDIT = "edit"  # one line is edited
    CONTRADICTION = "contradiction"  # no code fits the answers
    UNFIT = "unfit"  # the code reported as found contradicts the answers
    END = "end"
    REVIEW = "review"
    TRY = "try"  # a past position, to find a better guess
    MINE = "mine"  # my next guess
    THEIRS = "theirs"  # the opponent's next guess


@dataclass(frozen=True, slots=True)
class SelectedGuess:
    """The guess in large letters: the `proposed` one, or my own.

    `figures` are those of it and of the guess that it is compared with, if any. In a match, `win` and `hit` are my
    chances with it, and `rival` the guess that it is compared with.
    """

    code: str
    proposed: str
    figures: tuple[Figures, ...]
    win: float = 0.0
    hit: float = 0.0
    rival: Prospect | None = None

    @property
    def is_own(self) -> bool:
        """True if it is not the proposed guess."""
        return self.code != self.proposed


@dataclass(frozen=True, slots=True)
class AssistInputs:
    """One request: the query, the session, and the values that several cards need.

    `known` is my knowledge about the opponent's code. `rows` and `theirs` are the lines of both sides.
    """

    query: AssistQuery
    session: Assistant | MatchAssistant
    known: Knowledge
    state: AssistState
    judged: JudgedGame | None
    rows: tuple[TurnRow, ...]
    theirs: tuple[TurnRow, ...]
    pegs: str
    selected: SelectedGuess | None

    @property
    def address(self) -> AssistAddress:
        """The address of the page."""
        return self.query.address

    @property
    def words(self) -> Words:
        """The words for hits and blows."""
        return self.address.words

    @property
    def match(self) -> Match | None:
        """The match, or None for a game on one board."""
        return None if isinstance(self.session, Assistant) else self.session.match

    @property
    def fact_name(self) -> str:
        """The parameter of the address that holds a fact of mine."""
        return "fact" if self.match is None else "me"

    @property
    def undo(self) -> str:
        """The game without its last line, or an empty string at the start."""
        address = self.address
        return address.without(len(address.turns)) if address.turns else ""


def select_guess(session: Assistant | MatchAssistant, known: Knowledge, guess: str) -> SelectedGuess:
    """Return the selected guess, by default the proposed one, with its figures."""
    proposed = session.advice.proposed.guess
    code, is_own = guess or proposed, bool(guess) and guess != proposed
    if isinstance(session, Assistant):
        advice = session.advice
        if is_own:
            return SelectedGuess(code, proposed, (session.compare(code), advice.proposed))
        return SelectedGuess(code, proposed, (advice.proposed, *([advice.gain.rival] if advice.gain else [])))
    held = session.compare(code) if is_own else session.advice.proposed
    rival = session.advice.proposed if is_own else session.advice.reason.rival
    compared = (code, rival.guess) if rival else (code,)
    shown = tuple(figures(known, each) for each in compared)
    return SelectedGuess(code, proposed, shown, float(held.win), float(held.hit), rival)
