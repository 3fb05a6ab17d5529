"""`yomikiri hitblow assist`: propose, read the hint, update, until all hit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import click

from yomikiri.cli.base import Command, Option, language_option, seed_option
from yomikiri.cli.dialogue import Dialogue
from yomikiri.cli.hitblow_options import Game, rule_options
from yomikiri.cli.hitblow_views import cells_chart, policy_at_hand, policy_option, probability_table, seconds_option
from yomikiri.cli.session import Sitting
from yomikiri.cli.terminal import bold
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import parse_answer, parse_edit, parse_guess
from yomikiri.saves import Keeper, game_keeper
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording

LIKELIEST = 6


@click.command(
    cls=Command,
    help="Propose a guess, read the answer, narrow down, until all hit.\n\n"
    "Type the answer (1H1B, or 1 1), or GUESS and answer if you played another guess. 'help' lists the commands. "
    "TURNS already played may be given as GUESS:HINT.",
)
@click.argument("turns", nargs=-1)
@rule_options
@policy_option
@seconds_option
@seed_option
@click.option("--resume", cls=Option, is_flag=True, help="Take up the game that was saved last.")
@language_option
def assist(game: Game, turns: tuple[str, ...], policy: str, seconds: float, seed: int, resume: bool) -> None:
    """The assistant."""
    known = Knowledge(game.rules, game.absent, game.turns(turns))
    session = Session(game, Dialogue(), Assistant(known, policy_at_hand(policy, seed, seconds)))
    session.dialogue.say(wording.welcome(game.rules))
    session.run(game.rules, resume)


@dataclass
class Session(Sitting[Knowledge]):
    """One sitting at the assistant."""

    game: Game
    dialogue: Dialogue
    assistant: Assistant
    keeper: Keeper[Knowledge] = field(default_factory=game_keeper)

    @property
    def saved(self) -> Knowledge:
        """What is known."""
        return self.assistant.known

    @property
    def finished(self) -> bool:
        """Whether the secret is found."""
        return self.assistant.finished

    # --- commands -----------------------------------------------------------------------------------------------------

    @property
    def commands(self) -> Mapping[str, Callable[[str], None]]:
        """The commands of the assistant."""
        return {
            "undo": self._undo,
            "edit": self._edit,
            "list": self._list,
            "table": self._table,
            "why": self._why,
            "new": self._new,
            "help": self._help,
        }

    def heard(self, line: str) -> None:
        """Take the answer to the proposed guess, or to another one."""
        answer = parse_answer(line, self.game.rules, self.game.words)
        if self.assistant.finished:
            self.dialogue.say(_("This game is over; 'new' starts another."))
            return
        self._update(self.assistant.answer(answer.hint, answer.guess))

    def _undo(self, _rest: str) -> None:
        self._update(self.assistant.undo())

    def _edit(self, rest: str) -> None:
        line, answer = parse_edit(rest, self.game.rules, self.game.words)
        self._update(self.assistant.edit(line, answer.hint, answer.guess))

    def _new(self, _rest: str) -> None:
        self.new_game()
        self.assistant = self.assistant.restart()
        self.show()

    def _list(self, _rest: str) -> None:
        known = self.assistant.known
        for line in wording.lines(known, self.game.words):
            self.dialogue.say(line)
        self.list_candidates(wording.candidates_left(known.count), known)

    def _table(self, _rest: str) -> None:
        probability_table(self.assistant.known)

    def _why(self, rest: str) -> None:
        words = self.game.words
        if rest:
            shown = self.assistant.compare(parse_guess(rest, self.game.rules))
            self.dialogue.say(wording.compared(shown, words))
        else:
            advice = self.assistant.compared
            shown = advice.proposed
            self.dialogue.say(wording.why(advice, words))
            if others := wording.next_best(advice):
                self.dialogue.say(others)
        cells_chart(shown, words)

    def _help(self, _rest: str) -> None:
        self.explain(
            (_("1H1B, 1 1, ..."), _("the answer to the proposed guess")),
            (_("345 1H1B"), _("another guess you played, and its answer")),
            ("undo", _("take the last line back")),
            ("edit N 1H1B", _("change the answer of line N (edit N 345 1H1B: the guess as well)")),
            ("list", _("the lines so far and the candidates")),
            ("table", _("how likely each symbol stands at each place")),
            ("why [345]", _("why this guess, or what another would do")),
            ("new", _("start another game")),
            ("quit", _("leave; the game is saved")),
        )

    # --- the state ----------------------------------------------------------------------------------------------------

    def _update(self, assistant: Assistant) -> None:
        self.assistant = assistant
        self.keep()
        self.show()

    def show(self) -> None:
        """The proposal, or what stands in its way."""
        assistant, say = self.assistant, self.dialogue.say
        known, words = assistant.known, self.game.words
        if assistant.contradictory:
            for line in wording.contradiction(known.turns, assistant.repairs, words):
                say(line)
        elif assistant.finished:
            say(wording.found(known))
        else:
            advice = assistant.advice
            guess = advice.proposed.guess
            say(wording.proposal(advice, len(known.turns) + 1).replace(guess, bold(guess), 1))
            if sure := wording.outlook(advice):
                say(sure)
            if advice.sampled:
                say(wording.sampled())
            if known.turns and known.count > 1:
                say(wording.likeliest(known, LIKELIEST))

    def resume(self, saved: Knowledge) -> None:
        """Go on with a saved game, whose lines are shown."""
        self.assistant = Assistant(saved, self.assistant.policy)
        for line in wording.lines(saved, self.game.words):
            self.dialogue.say(line)
