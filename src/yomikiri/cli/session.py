"""A game of Hit & Blow that goes on at a terminal or through pipes: what every game hears."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from yomikiri.budget import Budget, Stopped
from yomikiri.cli.hitblow_shared import cells_chart, probability_table, reading, review_table
from yomikiri.cli.saved_session import A, SavedSession
from yomikiri.cli.terminal import Dialogue, Spoken, interruptible, split_command
from yomikiri.enums import fold, number
from yomikiri.errors import N_, TurnError, YomikiriError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.items import ASKING, Item, Items
from yomikiri.hitblow.judgement import review
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import is_guess, parse_guess
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.repair import Repair
from yomikiri.hitblow.rules import Words
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording
from yomikiri.wording import items as items_wording

_LISTED = 60
_MOMENT = 0.3  # seconds after which a person sees a guess, proven or not


class Session(SavedSession[A]):
    """One sitting at a game. A subclass says what is shown and what a line means.

    `playable` are the items that such a game may have.
    """

    playable: Sequence[Item] = ASKING

    # --- what a game is -----------------------------------------------------------------------------------------------

    @abstractmethod
    def read(self, line: str) -> A:
        """The game after a line that is no command."""

    @abstractmethod
    def edited(self, number: int, line: str) -> A:
        """The game with another line `number`, as it was typed."""

    @abstractmethod
    def lines(self, assistant: A) -> Sequence[str]:
        """The lines of a game so far, each as it was understood."""

    @abstractmethod
    def listed(self) -> Iterator[str]:
        """The lines so far, and what is left."""

    @abstractmethod
    def board(self, side: str) -> Knowledge:
        """What is known on the board of that side."""

    def line_of(self, number: int) -> int:
        """The line of the game, from 1, in which stands fact `number`, from 1, of the person's board."""
        return number

    @abstractmethod
    def explain(self, guess: str) -> None:
        """Say why the proposed guess, or what `guess` would do if there is one."""

    def advice_lines(self, _assistant: A) -> Iterator[str]:
        """The advice of the game, if it has any, with what `sureness` says of it."""
        return iter(())

    def fresh(self) -> A:
        """Another game of the same kind."""
        return self.assistant.restart()

    def follow(self, before: A) -> None:
        """Say what a line did, before the state of the game is shown."""

    # --- what every game hears ----------------------------------------------------------------------------------------

    @property
    def commands(self) -> dict[str, Spoken]:
        example = wording.example(self.board("").rules)
        edit, named = _("correct the answer of turn N (edit N {example}: the guess too)"), (_("edit"), _("why"))
        answer = wording.example_answer(self.board("").rules, self.words)
        commands = {
            "undo": Spoken(self._undo, _("undo"), _("take back what you typed last")),
            "redo": Spoken(self._redo, _("redo"), _("do again what was taken back")),
            "edit": Spoken(self._edit, f"{named[0]} N {answer}", edit.format(example=f"{example} {answer}")),
            "fix": Spoken(self._fix, _("fix"), _("make the first of the possible corrections; 'fix 2' the second")),
            "list": Spoken(self._list, _("list"), _("the turns so far and the candidates")),
            "table": Spoken(self._table, _("table"), _("the chance of each symbol in each place")),
            "why": Spoken(self.explain, f"{named[1]} [{example}]", _("why this guess, or what another one would do")),
            "review": Spoken(self._review, _("review"), _("what each guess cost, and how lucky its answer was")),
            "new": Spoken(self._new, _("new"), _("start another game")),
        }
        if self.keeper:
            games = _("the saved games; 'games 2' goes on with the second")
            commands["games"] = Spoken(self._games, _("games"), games)
        if self.board("").rules.symbols.isdecimal():
            items = _("your items that are left; 'items high,slash' says which they are")
            commands["items"] = Spoken(self._items, _("items"), items)
        return commands

    @property
    def tolerance(self) -> dict[str, Spoken]:
        """The command that says how many answers may be wrong, for games in which a person tells them."""
        return {"slips": Spoken(self._slips, _("slips N"), _("how many answers may be wrong"))}

    # --- advice -------------------------------------------------------------------------------------------------------

    @property
    def advised(self) -> A:
        """The game with the advice that is shown: an answer alone is for its guess."""
        return self._advised or self.assistant

    def propose(self) -> None:
        """Show the advice. A person sees what is found in a moment, and the rest while nothing is typed."""
        if self.dialogue.watched:
            first: A = replace(self.assistant, budget=self.assistant.budget.at_most(_MOMENT))
            with suppress(Stopped):
                self._said = [*self.advice_lines(first)]
                self._advised = first
        if self._advised is None:
            self._said = [*self.advice_lines(self.assistant)]
        self.dialogue.say(*self._said)

    def sureness(self, assistant: A, sure: str | None) -> Iterator[str]:
        """How sure the advice is that has just been found; where its budget is spent, there may be better."""
        self._searching = self.dialogue.watched and assistant.budget.spent()
        if self._searching:
            yield wording.searching_on()
        elif sure:
            yield sure

    def listen(self) -> str | None:
        """The next line. Until the person types, the advice that is shown is replaced by the whole one if it comes."""
        if self._searching:
            with self.dialogue.until_typed(self.prompt()) as typed:
                whole: A = replace(self.assistant, budget=Budget(cancelled=typed))
                with suppress(Stopped):
                    lines = [*self.advice_lines(whole)]
                self._searching = typed()
            if not self._searching:
                self._replace(whole, lines)
        return super().listen()

    def settle(self) -> None:
        """Wait for the whole advice, if there may be better than what is shown."""
        if self._searching:
            self._replace(self.assistant, [*self.advice_lines(self.assistant)])

    def _replace(self, whole: A, lines: list[str]) -> None:
        """Say what the whole advice tells beyond that which is shown."""
        news = [line for line in lines if line not in self._said]
        self.dialogue.say(*(news or [_("The search has ended, and this guess stays.")]))
        self._advised, self._said = whole, lines

    @property
    def repairs(self) -> Sequence[Repair]:
        """How to correct a contradiction, the likeliest first; none where there is none."""
        return self.assistant.repairs

    @property
    def leaving(self) -> str:
        return _("quit; the game is saved")

    def prompt(self) -> str:
        return _("review, new or quit> ") if self.assistant.finished else super().prompt()

    def is_move(self, line: str) -> bool:
        """Whether a line is a whole code, turn or answer of this game, even if more than a code is expected; a question
        mark alone asks for help."""
        if self.assistant.finished or fold(line) == "?":
            return False
        try:
            self.read(line)
        except YomikiriError:
            return any(is_guess(line, self.board(side).rules) for side in ("", "they"))
        return True

    def _called(self, line: str) -> tuple[str, str]:
        if self.assistant.finished:
            line = {"r": "review", "n": "new"}.get(fold(line), line)
        return super()._called(line)

    def hear(self, line: str) -> None:
        if self.assistant.finished:
            self.dialogue.say(_("This game is over: type 'review', 'new' or 'quit'."))
        else:
            self.update(self.read(line))

    def update(self, assistant: A) -> None:
        """Go on with the game as an action leaves it."""
        self._done.append(self.assistant)
        self._undone.clear()
        self._go_to(assistant)

    def _go_to(self, assistant: A) -> None:
        """Go on with the game as it now is, and say what was understood."""
        before, self.assistant = self.assistant, assistant
        self._forget_advice()
        was, now = self.lines(before), self.lines(assistant)
        self._keep()
        if len(now) < len(was):
            gone = _(", ").join(line for line in was if line not in now)
            self.dialogue.say(_("Taken back: {turns}").format(turns=gone))
        else:
            self.dialogue.say(*(line for line in now if line not in was))
        self.follow(before)
        self.show()

    def _undo(self, _rest: str) -> None:
        """Take the last action back; before the first of this sitting, the last turn."""
        before = self._done[-1] if self._done else self.assistant.undo()
        del self._done[-1:]
        self._undone.append(self.assistant)
        self._go_to(before)

    def _redo(self, _rest: str) -> None:
        if not self._undone:
            raise TurnError(N_("nothing to redo: nothing was taken back"))
        self._done.append(self.assistant)
        self._go_to(self._undone.pop())

    def _edit(self, rest: str) -> None:
        self.update(self.edited(*split_edit(rest, wording.example_answer(self.board("").rules, self.words))))

    def _fix(self, rest: str) -> None:
        """Make a correction of a contradiction, by default the likeliest."""
        repairs, number = self.repairs, fold(rest) or "1"
        if not repairs:
            raise TurnError(N_("nothing to fix: no answers contradict each other"))
        if not (number.isdecimal() and 1 <= int(number) <= len(repairs)):
            raise TurnError(
                N_("there is no correction {given!r}: expected 1 to {count}"), given=rest, count=len(repairs)
            )
        repair, assistant = repairs[int(number) - 1], self.assistant
        for line, turn in zip(repair.lines, repair.turns, strict=True):
            assistant = assistant.put(line, turn)
        self.update(assistant)

    def _new(self, _rest: str) -> None:
        kept = self._kept and self.state.facts and not self.assistant.finished
        self._leave()
        self._begin(self.fresh())
        if kept:
            self.dialogue.say(_("The game so far is saved; 'games' lists it."))
        self.show()

    def _list(self, _rest: str) -> None:
        self.dialogue.say(*self.listed())

    def _table(self, rest: str) -> None:
        probability_table(self.board(rest))

    def _review(self, _rest: str) -> None:
        known = self.board("")
        if not known.turns:
            raise TurnError(N_("nothing to review: no guess has been made"))
        judge = Exact()
        assert isinstance(judge, Exact)
        with interruptible() as cancelled:
            judged = review(known, judge, replace(reading(), cancelled=cancelled))
        review_table(judged.numbered(self.line_of, len(self.assistant.facts)), self.words)

    def _items(self, rest: str) -> None:
        """Say which items are left, or what they are instead."""
        if rest:
            told = Items.parse(rest, self.board("").rules, self.assistant.items.takes_turn, self.playable)
            assistant = replace(self.assistant, items=replace(told, since=len(self.assistant.facts)))
            self.dialogue.say(items_wording.left(assistant.items_now))
            self.update(assistant)
        else:
            self.dialogue.say(items_wording.left(self.assistant.items_now))

    def _slips(self, rest: str) -> None:
        slips = replace(self.state.slips, most=number({"slips": rest}, "slips", 0))
        state = replace(self.state, slips=slips)
        self.dialogue.say(*wording.tolerance(state))
        self.update(self.resumed(state))


def split_edit(text: str, example: str = "1H1B") -> tuple[int, str]:
    """What follows `edit`, `2 345 1H1B`: the line number, and what is to stand there; raises a `TurnError`."""
    number, answer = split_command(text)
    if not re.fullmatch(r"[0-9]{1,4}", number) or not answer:
        raise TurnError(
            N_("'edit {given}' is incomplete: expected a turn number and its hint, such as 'edit 2 {example}'"),
            given=text,
            example=example,
        )
    return int(number), answer


def candidates_line(known: Knowledge, lead: str = "") -> str:
    """How many candidates there are, and the first of them."""
    left = wording.left(known)
    head = _(", ").join((lead, left)) if lead else left
    more = " …" if known.count > _LISTED else ""
    codes = " ".join(known.likeliest(_LISTED))
    return _("{left}: {codes}").format(left=head, codes=codes + more) if codes else head


def explain_guess(dialogue: Dialogue, assistant: Assistant, guess: str, words: Words) -> None:
    """Say why the assistant proposes its guess, or what `guess` would do, and show the cells to a person."""
    if guess:
        shown = assistant.compare(parse_guess(guess, assistant.known.rules))
        dialogue.say(wording.compared(shown, words))
    else:
        advice = assistant.compared
        shown = advice.proposed
        dialogue.say(wording.why(advice, words))
        dialogue.say(*wording.others(advice))
    cells_chart(shown, words)
