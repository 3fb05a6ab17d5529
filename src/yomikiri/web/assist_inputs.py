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
    """A request for the page of a game or match: its address, and the typed texts, each with its error message.

    `guess` is the typed guess if it is complete and valid, otherwise empty. `fact` is one piece of knowledge about a
    secret, such as an answer or an absent symbol, as the player typed it. `secret` is the player's own code in a match.
    An error message is empty if its text is valid.
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
        """True if a typed text was rejected."""
        return bool(self.guess_error or self.fact_error or self.secret_error)


class AssistState(Named):
    """The state of a game that decides which cards its page has."""

    EDIT = "edit"  # the player edits a turn, or another fact about a secret
    CONTRADICTION = "contradiction"  # no code fits the answers
    UNFIT = "unfit"  # the code that the player reported as found contradicts the answers
    END = "end"
    REVIEW = "review"
    TRY = "try"  # the player looks for a better guess in a past position
    MINE = "mine"  # the player is to guess
    THEIRS = "theirs"  # the opponent is to guess


@dataclass(frozen=True, slots=True)
class SelectedGuess:
    """The guess that the page shows in large tiles: the suggested guess (`proposed`), or one of the player's own.

    Each of `figures` contains the effect of a guess, such as the number of candidates for each answer. The first is for
    this guess. The second, if any, is for the guess that it is compared with. In a match, `win` is the player's chance
    of winning with this guess, `hit` the chance that it finds the code, and `rival` the guess that it is compared with.
    """

    code: str
    proposed: str
    figures: tuple[Figures, ...]
    win: float = 0.0
    hit: float = 0.0
    rival: Prospect | None = None

    @property
    def is_own(self) -> bool:
        """True if the selected guess is not the suggested one."""
        return self.code != self.proposed


@dataclass(frozen=True, slots=True)
class AssistInputs:
    """One request: the query, the session, and the values that several cards need.

    `session` is the game with its advice. `known` is the player's knowledge about the opponent's code. `rows` are the
    player's turns and other facts as rows of a table, and `theirs` those of the opponent. `judged` is None unless the
    game is over. `selected` is None unless the player is to guess. `pegs` contains the symbols that the page draws in
    colour. It is empty in most games.
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
        """The parameter of the address for a fact, such as an answer to the player's guess or an absent symbol."""
        return "fact" if self.match is None else "me"

    @property
    def undo(self) -> str:
        """The address of the game without its last turn or other fact. It is empty if the game has none."""
        address = self.address
        return address.link_without_entry(len(address.entries)) if address.entries else ""


def select_guess(session: Assistant | MatchAssistant, known: Knowledge, guess: str) -> SelectedGuess:
    """Return the guess `guess`, or the suggested guess if `guess` is empty, with its effect on the candidates."""
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
