"""Base classes of the Hit & Blow games in a session."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from yomikiri.cli import hitblow_screens as screens
from yomikiri.cli.commands import NO, YES, SessionCommand, game_is_over, nothing_to_review, split_command
from yomikiri.cli.hitblow_shared import cells_chart, probability_table, review_table
from yomikiri.cli.proposing import A, Proposing
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.session import SessionGame
from yomikiri.cli.terminal import Dialogue, interruptible
from yomikiri.common.enums import fold, number
from yomikiri.common.errors import N_, TurnError, YomikiriError
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.items import ASKING, Items
from yomikiri.hitblow.model.corrections import Repair
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.notation import is_guess, parse_guess
from yomikiri.hitblow.model.rules import Rules, Words
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.wording import _, contradictions, use_words
from yomikiri.wording import hitblow as wording
from yomikiri.wording import items as items_wording
from yomikiri.wording import screens as screen_wording

if TYPE_CHECKING:
    from yomikiri.common.budget import Budget
    from yomikiri.hitblow.practice.lessons import Report

_LISTED = 60


class Correction(NamedTuple, Generic[A]):
    """A suggested correction, and the game after it.

    `text` is the question to the user, and `choices` are the possible replies.
    """

    text: str
    corrected: A
    choices: str = "y/n"
    declined: tuple[Repair, ...] = ()
    """The corrections that are not suggested again if the user says no."""


class BoardGame(SessionGame[A]):
    """A game of Hit & Blow in a session.

    The state of the game is an assistant, an object that computes advice from the known facts. `playable` contains the
    items that the user may have. An item is a special action of the game Numer0n, such as SLASH.
    """

    can_restart = True
    playable: Sequence[Item] = ASKING

    def __init__(self, dialogue: Dialogue, words: Words) -> None:
        self.dialogue, self.words = dialogue, words
        # The correction that a command suggested to the user, and the state that it corrects.
        self.offer: tuple[A, Correction[A]] | None = None
        self._declined: tuple[Repair, ...] = ()

    @property
    def words(self) -> Words:
        """The words for hits and blows. Setting them also sets the words in error messages."""
        return self._words

    @words.setter
    def words(self, words: Words) -> None:
        self._words = words
        use_words(words)

    # --- defined by each game -----------------------------------------------------------------------------------------

    @abstractmethod
    def saved_form(self, state: A) -> Any:
        """Return the part of the state that is saved in a file: a `Knowledge` for one board, or a `Match`."""

    @abstractmethod
    def resumed(self, state: A, saved: Any) -> A:
        """Return the state with its knowledge or match replaced by `saved`, which comes from a file."""

    @abstractmethod
    def apply_line(self, state: A, line: str) -> A:
        """Return the state after a line that is not a command. Called only before the end of the game."""

    @abstractmethod
    def edited(self, state: A, number: int, line: str) -> A:
        """Return the state in which `line`, the user's input, replaces entry `number` of the game, counted from 1."""

    @abstractmethod
    def listed(self, state: A) -> Iterator[str]:
        """Yield the turns so far and the candidates."""

    @abstractmethod
    def board(self, state: A, side: str = "") -> Knowledge:
        """Return the knowledge of a secret of the game.

        `side` names one of the two secrets of a match. "" means the secret that the user guesses.
        """

    @abstractmethod
    def explain(self, state: A, guess: str) -> None:
        """Print the reason for the suggestion, or the effect of `guess` if given."""

    def line_of(self, _state: A, number: int) -> int:
        """Convert the number of a fact on the user's board to its number in the whole game.

        The facts on the user's board are the turns and other facts about the secret that the user looks for. Both
        numbers count from 1. They differ in a match, which also contains the turns of the opponent.
        """
        return number

    def corrections(self, state: A) -> Sequence[Repair]:
        """Return the corrections of contradictory answers, the most probable first; empty if there are none."""
        return state.repairs

    # --- common to all games ------------------------------------------------------------------------------------------

    def commands(self, state: A) -> dict[str, SessionCommand[A]]:
        """Return the commands common to all games."""
        rules = self.board(state).rules
        example, answer = wording.example(rules), wording.example_answer(rules, self.words)
        edit, named = _("correct the answer of turn N (edit N {example}: the guess too)"), (_("edit"), _("why"))
        if_consistent = self.if_consistent
        commands: dict[str, SessionCommand[A]] = {
            "edit": SessionCommand(
                self._edit, f"{named[0]} N {answer}", edit.format(example=f"{example} {answer}"), has_argument=True
            ),
            "fix": SessionCommand(
                self._fix,
                _("fix"),
                _("apply the first possible correction; 'fix 2' the second"),
                has_argument=True,
            ),
            "list": SessionCommand(self._list, _("list"), _("the turns so far and the candidates")),
            "table": SessionCommand(
                if_consistent(self._table), _("table"), _("the chance of each symbol in each place")
            ),
            "why": SessionCommand(
                if_consistent(self.explain),
                f"{named[1]} [{example}]",
                _("the reason for this guess, or the effect of another one"),
                has_argument=True,
            ),
            "review": SessionCommand(
                if_consistent(self._review), _("review"), _("what each guess cost, and how lucky its answer was")
            ),
        }
        if rules.symbols.isdecimal():
            items = _("your unused items; 'items high,slash' sets them")
            commands["items"] = SessionCommand(self._items, _("items"), items, has_argument=True)
        return commands

    def if_consistent(self, run: Callable[[A, str], A | None]) -> Callable[[A, str], A | None]:
        """Wrap a command so that it raises an error while no code fits the answers."""

        def checked(state: A, rest: str) -> A | None:
            if state.contradicting:
                raise contradiction_error()
            return run(state, rest)

        return checked

    @property
    def quit_help(self) -> str:
        return _("quit; your game is saved")

    @property
    def short_help(self) -> Collection[str]:
        return ("undo", "edit", "why", "list")

    def question(self, state: A) -> Correction[A] | None:
        """Return the correction to suggest at a terminal, or None.

        A correction that a command suggested comes first. Otherwise, if the answers contradict each other, it is the
        most probable correction that the user has not declined.
        """
        if not self.dialogue.interactive:
            return None
        if self.offer and self.offer[0] is state:
            return self.offer[1]
        if not state.contradicting:
            return None
        repairs = self.corrections(state)[: screens.MOST_CORRECTIONS]
        open_repairs = (each for each in repairs if each not in self._declined)
        if (repair := next(open_repairs, None)) is None:
            return None
        text = contradictions.question(state.facts, repair, self.words)
        choices = f"y/n, fix 1-{len(repairs)}" if len(repairs) > 1 else "y/n"
        return Correction(text, _corrected(state, repair), choices, (*self._declined, repair))

    def prompt(self, state: A) -> str:
        if state.finished:
            return _("review, new or quit > ")
        if question := self.question(state):
            return f"{question.text} [{question.choices}] > "
        if self.dialogue.draws and state.contradicting:
            return screen_wording.correction_prompt(min(screens.MOST_CORRECTIONS, len(self.corrections(state))))
        return "> "

    def abbreviations(self, state: A) -> Mapping[str, str]:
        return {"r": "review", "n": "new"} if state.finished else {}

    def is_move(self, state: A, line: str) -> bool:
        """Return True if the game accepts the line, or if the line is a complete code under the rules of either board.

        A lone question mark is a command, because it asks for help.
        """
        if state.finished or fold(line) == "?":
            return False
        try:
            self.apply_line(state, line)
        except YomikiriError:
            return any(is_guess(line, self.board(state, side).rules) for side in ("", "they"))
        return True

    def read(self, state: A, line: str) -> A | None:
        if state.finished:
            raise game_is_over()
        question, self.offer = self.question(state), None
        if question and fold(line) in YES:
            return question.corrected
        if question and fold(line) in NO:
            self._declined = question.declined
            return None
        return self.apply_line(state, line)

    def undo(self, state: A) -> A:
        return state.undo()

    def new_game(self, state: A) -> A:
        return state.restart()

    def say_why(self, assistant: Assistant, guess: str) -> None:
        """Print why the assistant suggests its guess, or the effect of `guess`, with a chart of the partition."""
        if guess:
            shown = assistant.compare(parse_guess(guess, assistant.known.rules))
            self.dialogue.say(wording.compared(shown, self.words))
        else:
            advice = assistant.compared
            shown = advice.proposed
            self.dialogue.say(wording.why(advice, self.words), *wording.others(advice))
        cells_chart(shown, self.words)

    def _edit(self, state: A, rest: str) -> A:
        return self.edited(state, *split_edit(rest, wording.example_answer(self.board(state).rules, self.words)))

    def _fix(self, state: A, rest: str) -> A:
        """Return the state after a correction that resolves a contradiction.

        `rest` is the number of the correction, from 1. By default, the most probable correction is made.
        """
        repairs, number = self.corrections(state), fold(rest) or "1"
        if not repairs:
            raise TurnError(N_("nothing to fix: the answers do not contradict each other"))
        if not (number.isdecimal() and 1 <= int(number) <= len(repairs)):
            raise TurnError(
                N_("there is no correction {given!r}: expected 1 to {count}"), given=rest, count=len(repairs)
            )
        return _corrected(state, repairs[int(number) - 1])

    def _list(self, state: A, _rest: str) -> None:
        self.dialogue.say(*self.listed(state))

    def _table(self, state: A, side: str) -> None:
        probability_table(self.board(state, side))

    def _review(self, state: A, _rest: str) -> None:
        known = self.board(state)
        if not known.turns:
            raise nothing_to_review()
        with interruptible() as cancelled:
            reports = self.reports(state, replace(search_budget(), cancelled=cancelled))
        # Imported here because most games end without a review.
        from yomikiri.cli.hitblow_reviewed import legend, review_lines, review_rows
        from yomikiri.wording import learning

        for name, found in reports:
            if found.review and not self.dialogue.is_terminal:
                judged = found.review.numbered(lambda number: self.line_of(state, number), len(state.facts))
                review_table(judged, self.words)
                continue
            self.dialogue.say(*(review_lines if self.dialogue.is_terminal else review_rows)(found, self.words, name))
            self.dialogue.say(*([] if name else learning.summary(found, self.words)))
        if self.dialogue.is_terminal:
            self.dialogue.say(legend(*(found for _name, found in reports)))

    def reports(self, state: A, budget: Budget) -> Sequence[tuple[str, Report]]:
        """Return the reviews of a game as (name, report) pairs.

        The review of the user's guesses has the name "". A match may have a second review, of the opponent's guesses.
        """
        from yomikiri.hitblow.practice.lessons import report

        return [("", report(self.board(state), Exact(), budget, lambda number: self.line_of(state, number)))]

    def _items(self, state: A, rest: str) -> A | None:
        """Print the user's unused items (special actions of the game Numer0n).

        If `rest` names items, these become the unused items, and the new state is returned. Otherwise the result is
        None.
        """
        if not rest:
            self.dialogue.say(items_wording.unused_items(state.items_now))
            return None
        items = Items.parse(rest, self.board(state).rules, state.items.takes_turn, self.playable)
        state = replace(state, items=replace(items, since=len(state.facts)))
        self.dialogue.say(items_wording.unused_items(state.items_now))
        return state


class ProposingGame(BoardGame[A]):
    """A game in which the program suggests the user's guesses and the user types the answers."""

    def __init__(self, dialogue: Dialogue, words: Words) -> None:
        super().__init__(dialogue, words)
        self.proposing: Proposing[A] = Proposing(dialogue, self.advice_lines, search_budget())

    @abstractmethod
    def is_proposed(self, state: A) -> bool:
        """Return True if the program suggests a guess now, and waits for its answer."""

    @abstractmethod
    def advice_lines(self, state: A, remark: str) -> Iterator[str]:
        """Yield the lines of the advice. `remark`, unless empty, replaces the remark on whether the guess is proven."""

    def slips_command(self) -> dict[str, SessionCommand[A]]:
        """Return the command that sets how many answers may be wrong, by its name."""
        return {
            "slips": SessionCommand(self._slips, _("slips N"), _("how many answers may be wrong"), has_argument=True)
        }

    def read(self, state: A, line: str) -> A | None:
        """Return the state after a line that is not a command. None means that the state stays the same.

        If the screen is redrawn in place, a guess without an answer only replaces the suggestion in the prompt. The
        result is then None.
        """
        if self.is_proposed(state) and self.proposing.accept_guess(line, self.board(state).rules):
            self.offer = None
            return None
        return BoardGame.read(self, state, line)

    def guess_to_answer(self, state: A) -> str:
        """Return the guess to which a typed answer belongs if the user types no guess with it.

        Raises a `TurnError` while no code fits the answers so far.
        """
        if state.contradictory:
            raise contradiction_error()
        return self.proposing.guess(state)

    def wait(self, state: A) -> A:
        return self.proposing.wait(state, self.prompt(state))

    def stop_search(self) -> None:
        self.proposing.keep_suggestion()

    def prompt(self, state: A) -> str:
        if self.dialogue.draws and self.is_proposed(state) and not self.question(state):
            return screen_wording.answer_prompt(self.proposing.guess(state))
        return BoardGame.prompt(self, state)

    def say_corrections(self, state: A) -> None:
        """Print which turns may be wrong, and how to continue. Called while no code fits the answers."""
        if self.dialogue.draws:
            self.dialogue.say(*screens.corrections(state.facts, state.repairs, self.words))
            return
        self.dialogue.say(*contradictions.contradiction(state.facts, state.repairs, self.words))
        if state.repairs:
            self.dialogue.say(contradictions.slips_hint(state.repairs[0]))

    def _slips(self, state: A, rest: str) -> A:
        saved = self.saved_form(state)
        if not fold(rest).isdecimal():
            raise TurnError(N_("'slips {given}': expected a number, such as 'slips 1'"), given=rest)
        saved = replace(saved, slips=replace(saved.slips, most=number({"slips": rest}, "slips", 0)))
        self.dialogue.say(*wording.tolerance(saved))
        return self.resumed(state, saved)


def _corrected(state: A, repair: Repair) -> A:
    """Return the state after a correction."""
    for line, turn in zip(repair.lines, repair.turns, strict=True):
        state = state.put(line, turn)
    return state


def typed_guess(line: str, rules: Rules) -> str:
    """Return the guess that a line contains.

    Raises a `CodeError`, or a `TurnError` for a word without any symbol of the game.
    """
    if line.isalpha() and not set(fold(line)).intersection(fold(rules.symbols)):
        raise TurnError(
            N_("'{given}' is neither a command nor a guess: expected a guess such as {example}"),
            given=line,
            example=wording.example(rules),
        )
    return parse_guess(line, rules)


def contradiction_error() -> TurnError:
    """Return the error for input that is not possible while no code fits the answers."""
    return TurnError(N_("no code fits the answers: type 'fix', 'edit N ANSWER' or 'undo' first"))


def split_edit(text: str, example: str = "1H1B") -> tuple[int, str]:
    """Split the argument of `edit`, such as `2 345 1H1B`, into the number of an entry and a text.

    Raises a `TurnError` if it has another form. `example` is an answer for the message.
    """
    number, answer = split_command(text)
    if not re.fullmatch(r"[0-9]{1,4}", number) or not answer:
        raise TurnError(
            N_("'{given}' is incomplete: expected a turn number and its answer, such as 'edit 2 {example}'"),
            given=f"edit {text}".rstrip(),
            example=example,
        )
    return int(number), answer


def candidates_line(known: Knowledge, label: str = "") -> str:
    """Return a line with the number of candidates and up to 60 of the candidates, the likeliest first.

    `label` is the text in front of the number.
    """
    left = wording.candidate_counts(known)
    head = _(", ").join((label, left)) if label else left
    more = " …" if known.count > _LISTED else ""
    codes = " ".join(known.likeliest(_LISTED))
    return _("{left}: {codes}").format(left=head, codes=codes + more) if codes else head
