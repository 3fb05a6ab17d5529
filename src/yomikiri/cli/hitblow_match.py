"""`yomikiri hitblow match`: both boards of a race, the guess that wins most often, and the answers to the opponent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import click

from yomikiri.cli.base import Command, Option, echo_json, json_option, language_option
from yomikiri.cli.dialogue import Dialogue
from yomikiri.cli.hitblow_match_options import Play, match_options
from yomikiri.cli.hitblow_match_views import document, win_bar
from yomikiri.cli.hitblow_views import probability_table
from yomikiri.cli.session import Sitting
from yomikiri.cli.terminal import bold
from yomikiri.errors import ContradictionError
from yomikiri.hitblow.match.advice import Motive
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import split_pair
from yomikiri.hitblow.notation import Words, parse_answer, parse_guess, parse_heard, split_edit
from yomikiri.saves import Keeper, match_keeper
from yomikiri.wording import _
from yomikiri.wording import hitblow as board_wording
from yomikiri.wording import match as wording

TERMS = ("secret", "shown", "absent", "first")


@click.command(
    cls=Command,
    help="Win a match: both guess in turns, and the first to hit all wins.\n\n"
    "On your turn it proposes the guess that wins most often, and you type the answer. On theirs you type what they "
    "guess, and it tells you what to answer. 'help' lists the commands. TURNS already played may be given in order, "
    "as me=GUESS:HINT and they=GUESS:HINT.",
)
@match_options
@click.option("--resume", cls=Option, is_flag=True, help="Take up the match that was saved last.")
@json_option
@language_option
def match(play: Play, resume: bool, as_json: bool) -> None:
    """A match."""
    if as_json:
        if play.assistant.contradictory:
            _refuse(play)
        echo_json(document(play.assistant))
        return
    session = MatchSession(Dialogue(), play.assistant, play.words)
    session.dialogue.say(wording.welcome(play.assistant.match.rules))
    session.run(play.assistant.match.rules, resume)


def _refuse(play: Play) -> None:
    """Raise the contradiction with the likeliest slip as its note."""
    assistant = play.assistant
    turns = assistant.match.turns
    lines = assistant.match.lines(assistant.contradictory[0])
    error = ContradictionError(" ".join(str(turns[line]) for line in lines))
    error.add_note(board_wording.likeliest_repair(turns, assistant.repairs, play.words))
    raise error


@dataclass
class MatchSession(Sitting[Match]):
    """One sitting at a match."""

    dialogue: Dialogue
    assistant: MatchAssistant
    words: Words
    keeper: Keeper[Match] = field(default_factory=match_keeper)

    @property
    def saved(self) -> Match:
        """The match."""
        return self.assistant.match

    @property
    def finished(self) -> bool:
        """Whether somebody has won."""
        return self.assistant.outcome is not None

    # --- commands -----------------------------------------------------------------------------------------------------

    @property
    def commands(self) -> Mapping[str, Callable[[str], None]]:
        """The commands of a match."""
        return {
            "undo": self._undo,
            "edit": self._edit,
            "list": self._list,
            "table": self._table,
            "why": self._why,
            "new": self._new,
            "help": self._help,
            **{name: partial(self._change, name) for name in TERMS},
        }

    def heard(self, line: str) -> None:
        """Take the answer to my guess, or the opponent's guess; or a turn with its side, as in an address."""
        if self.finished:
            self.dialogue.say(_("This match is over; 'new' starts another."))
        elif line.partition("=")[0].strip().casefold() in ("me", "they"):
            self._update(self.assistant.take(*split_pair(line), self.words))
        elif self.assistant.to_move is Side.ME:
            answer = parse_answer(line, self.saved.rules, self.words)
            self._update(self.assistant.answer(answer.hint, answer.guess))
        else:
            heard = parse_heard(line, self.saved.own_rules, self.words)
            self._update(self.assistant.hear(heard.guess, heard.hint))

    def _undo(self, _rest: str) -> None:
        self._update(self.assistant.undo())

    def _edit(self, rest: str) -> None:
        line, typed = split_edit(rest)
        self.saved.turn(line)
        theirs = self.saved.mover(line - 1) is Side.OPPONENT
        if theirs and self.saved.secret:
            heard = parse_heard(typed, self.saved.own_rules, self.words)
            self._update(self.assistant.edit(line, heard.hint, heard.guess))
        else:
            answer = parse_answer(typed, self.saved.own_rules if theirs else self.saved.rules, self.words)
            self._update(self.assistant.edit(line, answer.hint, answer.guess))

    def _change(self, name: str, rest: str) -> None:
        self._update(self.assistant.change(name, rest))
        for line in wording.terms(self.saved):
            self.dialogue.say(line)

    def _new(self, _rest: str) -> None:
        self.new_game()
        self.assistant = self.assistant.restart()
        self.show()

    def _list(self, _rest: str) -> None:
        for line in wording.lines(self.saved, self.words):
            self.dialogue.say(line)
        for side, lead in ((Side.ME, _("yours to find")), (Side.OPPONENT, _("theirs to find"))):
            known = self.saved.known(side)
            self.list_candidates(_(", ").join((lead, board_wording.candidates_left(known.count))), known)

    def _table(self, rest: str) -> None:
        probability_table(self.saved.known(Side.OPPONENT if rest else Side.ME))

    def _why(self, rest: str) -> None:
        if rest:
            shown = self.assistant.compare(parse_guess(rest, self.saved.rules))
            self.dialogue.say(wording.prospect(shown))
        else:
            self.dialogue.say(wording.why(self.assistant.advice))

    def _help(self, _rest: str) -> None:
        self.explain(
            (_("1H1B, 1 1, ..."), _("on your turn: the answer to the proposed guess")),
            (_("345 1H1B"), _("another guess you played, and its answer")),
            ("345", _("on their turn: what they guess; with the answer if your secret is not told")),
            ("undo", _("take the last line back")),
            ("edit N 1H1B", _("change the answer of line N (edit N 345 1H1B: the guess as well)")),
            ("list", _("the lines so far and the candidates of both")),
            ("table [they]", _("how likely each symbol stands at each place, for you or for them")),
            ("why [345]", _("why this guess, or what another promises")),
            ("secret 314", _("tell your secret; 'secret' alone forgets it")),
            ("shown 7", _("the symbols that you showed")),
            ("absent 5", _("the symbols that they showed")),
            ("first me", _("who moves first: me or opponent")),
            ("new", _("start another match")),
            ("quit", _("leave; the match is saved")),
        )

    # --- the state ----------------------------------------------------------------------------------------------------

    def _update(self, assistant: MatchAssistant) -> None:
        before, self.assistant = self.assistant, assistant
        self.keep()
        self._tell_answer(before.match)
        self.show()

    def _tell_answer(self, before: Match) -> None:
        """What to answer the opponent, where they have just guessed."""
        line = len(before.turns)
        if len(self.saved.turns) != line + 1 or self.saved.mover(line) is Side.ME:
            return
        turn = self.saved.turns[line]
        if self.saved.secret:
            self.dialogue.say(bold(wording.answer(turn.hint, self.words)))
        if symbols := self.assistant.wasted(turn.guess):
            self.dialogue.say(wording.wasted(turn.guess, symbols))

    def show(self) -> None:
        """The proposal or the opponent's turn, or what stands in the way."""
        assistant, say = self.assistant, self.dialogue.say
        if assistant.contradictory:
            say(wording.contradicted(assistant.contradictory[0]))
            for line in board_wording.contradiction(self.saved.turns, assistant.repairs, self.words):
                say(line)
        elif assistant.outcome:
            say(wording.result(self.saved, assistant.outcome))
        elif assistant.to_move is Side.ME:
            self._propose()
        else:
            say(wording.their_turn(self.saved))

    def _propose(self) -> None:
        advice, say = self.assistant.advice, self.dialogue.say
        if self.saved.known(Side.OPPONENT).turns:
            say(wording.danger(self.saved, self.assistant.pace))
            if said := wording.stand_in(self.assistant.advisor.opponent):
                say(said)
        guess = advice.proposed.guess
        say(wording.proposal(advice, len(self.saved.turns) + 1).replace(guess, bold(guess), 1))
        say(wording.promise(advice))
        win_bar(advice.proposed.win)
        if advice.reason.rival or advice.reason.motive is Motive.LAST_CHANCE:
            say(wording.why(advice))
        if unsure := wording.unread(advice):
            say(unsure)

    def resume(self, saved: Match) -> None:
        """Go on with a saved match."""
        self.assistant = replace(self.assistant, match=saved)

    def talk(self) -> None:
        """Say the terms and the lines so far, of a saved match if one was taken up; then show and listen."""
        for line in (*wording.terms(self.saved), *wording.lines(self.saved, self.words)):
            self.dialogue.say(line)
        super().talk()
