"""A game of Hit & Blow that goes on at a terminal or through pipes: what every game hears, and how it is saved.

A saved game is kept after every line that changes it. A person is offered the last one of the same rules, a program
takes it up with `--resume` only, and leaves none of its own behind.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import click

from yomikiri.cli.hitblow_shared import cells_chart, probability_table
from yomikiri.cli.terminal import Conversation, Dialogue, Spoken, split_command
from yomikiri.errors import N_, TurnError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.notation import parse_guess
from yomikiri.hitblow.rules import Fact, Rules, Words
from yomikiri.saves import Keeper
from yomikiri.wording import _, ngettext
from yomikiri.wording import hitblow as wording

A = TypeVar("A", Assistant, MatchAssistant)
_LISTED = 60


class Session(Conversation, Generic[A]):
    """One sitting at a game; `assistant` is the game as it stands. A subclass says what is shown and what a line means.

    `keeper` saves the game; without one it is not saved.
    """

    assistant: A

    def __init__(self, dialogue: Dialogue, assistant: A, words: Words, keeper: Keeper[Any] | None = None) -> None:
        self.dialogue, self.words, self.keeper = dialogue, words, keeper
        self.assistant = assistant
        self._refused = False  # whether the disk has refused to keep the game

    # --- what a game is -----------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def state(self) -> Knowledge | Match:
        """The game, as it is saved."""

    @abstractmethod
    def resumed(self, saved: Any) -> A:
        """The assistant of a saved game."""

    @abstractmethod
    def read(self, line: str) -> A:
        """The game after a line that is no command."""

    @abstractmethod
    def mended(self, number: int, line: str) -> A:
        """The game with another line `number`, as it was typed."""

    @abstractmethod
    def listed(self) -> Iterator[str]:
        """The lines so far, and what is left."""

    @abstractmethod
    def board(self, side: str) -> Knowledge:
        """What is known on the board of that side."""

    @abstractmethod
    def explain(self, guess: str) -> None:
        """Say why the proposed guess, or what `guess` would do if there is one."""

    def fresh(self) -> A:
        """Another game of the same kind."""
        return self.assistant.restart()

    def follow(self, before: A) -> None:
        """Say what a line brought about, before it is said where the game stands."""

    # --- what every game hears ----------------------------------------------------------------------------------------

    @property
    def commands(self) -> dict[str, Spoken]:
        """The commands that every game has."""
        edit = _("correct the answer of turn N (edit N 345 1H1B: the guess too)")
        return {
            "undo": Spoken(self._undo, "undo", _("take back the last turn")),
            "edit": Spoken(self._edit, "edit N 1H1B", edit),
            "list": Spoken(self._list, "list", _("the turns so far and the candidates")),
            "table": Spoken(self._table, "table", _("the chance of each symbol in each place")),
            "why": Spoken(self.explain, "why [345]", _("why this guess, or what another one would do")),
            "new": Spoken(self._new, "new", _("start another game")),
        }

    @property
    def leaving(self) -> str:
        """Leaving, which saves."""
        return _("quit; the game is saved")

    def hear(self, line: str) -> None:
        """Take a line of the game, unless it is over."""
        if self.assistant.finished:
            self.dialogue.say(_("This game is over; 'new' starts another."))
        else:
            self.update(self.read(line))

    def update(self, assistant: A) -> None:
        """Go on with the game as it now is."""
        before, self.assistant = self.assistant, assistant
        self._keep()
        self.follow(before)
        self.show()

    def _undo(self, _rest: str) -> None:
        self.update(self.assistant.undo())

    def _edit(self, rest: str) -> None:
        self.update(self.mended(*split_edit(rest)))

    def _new(self, _rest: str) -> None:
        if self.keeper:  # what comes is another game: this one keeps its file if it is not over
            self.keeper.drop() if self.assistant.finished else self.keeper.release()
        self.assistant = self.fresh()
        self.show()

    def _list(self, _rest: str) -> None:
        self.dialogue.say(*self.listed())

    def _table(self, rest: str) -> None:
        probability_table(self.board(rest))

    # --- saving and resuming ------------------------------------------------------------------------------------------

    def run(self, rules: Rules, resume: bool) -> None:
        """Take up the saved game of those rules if that is wanted, then talk; at the end leave it to others."""
        try:
            if not self.state.facts and (resume or self.dialogue.interactive):
                self._offer_saved(rules, resume)
            self.talk()
        finally:
            if self.keeper:
                self.keeper.release()

    def talk(self) -> None:
        """Talk, and say in the end that the game is saved if it is."""
        super().talk()
        if self._kept and self.state.facts and not self.assistant.finished:
            self.dialogue.say(_("Game saved. Use --resume to continue."))

    def _keep(self) -> None:
        """Save the game; a finished one needs no file. A disk that refuses is said once and stops nothing."""
        if not self._kept:
            return
        assert self.keeper
        try:
            if self.assistant.finished:
                self.keeper.drop()
            else:
                self.keeper.keep(self.state)
        except OSError as error:
            self._refused = True
            click.echo(_("The game cannot be saved: {reason}").format(reason=error.strerror or error), err=True)

    @property
    def _kept(self) -> bool:
        """Whether the game is saved: a person's is, a program's only where it has taken up a saved one."""
        if self.keeper is None or self._refused:
            return False
        return self.dialogue.interactive or self.keeper.path is not None

    def _offer_saved(self, rules: Rules, resume: bool) -> None:
        """Take up the saved game if asked to, or if the person at the terminal wants to."""
        assert self.keeper
        for path in self.keeper.newer():
            self.dialogue.say(_("{file} was saved by a newer version and is left as it is.").format(file=path))
        saved = self.keeper.latest(rules)
        if saved is None:
            if resume and self.keeper.played_elsewhere(rules):
                self.dialogue.say(_("The saved game is open in another terminal."))
            elif resume:
                self.dialogue.say(_("There is no saved game with these rules."))
            return
        if not resume:
            choice = self._wanted(saved.game.facts)
            if choice == "d":
                saved.path.unlink(missing_ok=True)
            if choice != "y":
                return
        if self.keeper.take_up(saved):
            self.assistant = self.resumed(saved.game)
        else:
            self.dialogue.say(_("The saved game is open in another terminal."))

    def _wanted(self, facts: tuple[Fact, ...]) -> str:
        count = len(facts)
        question = ngettext(
            "A game of {count} turn is saved ({turns}). Resume it? [y]es / [n]o / [d]elete",
            "A game of {count} turns is saved ({turns}). Resume it? [y]es / [n]o / [d]elete",
            count,
        )
        return self.dialogue.confirm(question.format(count=count, turns=" ".join(map(str, facts))), "ynd")


def split_edit(text: str) -> tuple[int, str]:
    """What follows `edit`, `2 345 1H1B`: the line number, and what is to stand there; raises a `TurnError`."""
    number, answer = split_command(text)
    if not re.fullmatch(r"[0-9]{1,4}", number) or not answer:
        raise TurnError(
            N_("'edit {given}' is incomplete: expected a turn number and its hint, such as 'edit 2 1H1B'"), given=text
        )
    return int(number), answer


def candidates_line(known: Knowledge, lead: str = "") -> str:
    """How many candidates there are, and the first of them."""
    left = wording.candidates_left(known.count)
    head = _(", ").join((lead, left)) if lead else left
    more = " …" if known.count > _LISTED else ""
    return f"{head}: {' '.join(known.codes(_LISTED))}{more}".rstrip(": ")


def explain_guess(dialogue: Dialogue, assistant: Assistant, guess: str, words: Words) -> None:
    """Say why the assistant proposes its guess, or what `guess` would do, and show the cells to a person."""
    if guess:
        shown = assistant.compare(parse_guess(guess, assistant.known.rules))
        dialogue.say(wording.compared(shown, words))
    else:
        advice = assistant.compared
        shown = advice.proposed
        dialogue.say(wording.why(advice, words))
        if others := wording.next_best(advice):
            dialogue.say(others)
    cells_chart(shown, words)
