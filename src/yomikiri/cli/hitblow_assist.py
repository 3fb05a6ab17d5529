"""`yomikiri hitblow assist`: propose, read the hint, update, until all hit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import click

from yomikiri.cli.base import Idle, command, option
from yomikiri.cli.hitblow_shared import (
    ALTERNATIVES_IDLE,
    SECONDS_IDLE,
    SEED_IDLE,
    advice_options,
    items_of,
    names_told,
    reading,
)
from yomikiri.cli.session import Session, candidates_line, explain_guess
from yomikiri.cli.terminal import Dialogue, Spoken
from yomikiri.cli.text import bold
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.game import Game
from yomikiri.hitblow.items import ASKING
from yomikiri.hitblow.knowledge import Knowledge, shown_facts
from yomikiri.hitblow.notation import parse_line
from yomikiri.hitblow.policies import policy_named
from yomikiri.saves import Keeper
from yomikiri.wording import _, contradictions
from yomikiri.wording import hitblow as wording
from yomikiri.wording import items as items_wording


@command(
    help="Suggest a guess, read the answer, and repeat until the secret is found.\n\n"
    "Type the answer (1H1B, or 1 1), or GUESS and answer if you made another guess. 'help' lists the commands. "
    "TURNS already played may be given as GUESS:HINT.",
    idle=(SECONDS_IDLE, SEED_IDLE, ALTERNATIVES_IDLE, Idle(("resume",), beside="turns")),
)
@click.argument("turns", nargs=-1)
@advice_options
@option("--resume", is_flag=True, help="Resume the most recently saved game.")
def assist(
    game: Game,
    policy: str,
    seconds: float,
    seed: int,
    alternatives: int,
    items: str,
    item_takes_turn: bool,
    resume: bool,
) -> None:
    """The assistant."""
    known = game.known
    dialogue = Dialogue()
    chooser = policy_named(policy, seed, alternatives, seconds=seconds)
    mine = items_of(items, item_takes_turn, game.rules, len(known.facts), ASKING)
    session = GameSession(dialogue, Assistant(known, chooser, reading(), mine), game.words, Keeper(Knowledge))
    session.run(names_told(click.get_current_context()), resume)


class GameSession(Session[Assistant]):
    """One sitting at a game on a single board, in which the program proposes and the person tells the answers."""

    @property
    def state(self) -> Knowledge:
        return self.assistant.known

    def resumed(self, saved: Knowledge) -> Assistant:
        return replace(self.assistant, known=saved)

    def fresh(self) -> Assistant:
        """The same for another secret, of which no symbol is known to be absent."""
        again = self.assistant.restart()
        return replace(again, known=replace(again.known, absent=""))

    def opening(self) -> Iterator[str]:
        yield from wording.welcome(self.state.rules, self.state.absent, self.state.prior)
        yield from wording.tolerance(self.state)
        yield from items_wording.header(self.assistant.items, self.assistant.items_now)
        yield from wording.lines(self.state, self.words)

    def lines(self, assistant: Assistant) -> Sequence[str]:
        return [*wording.absent_symbols(assistant.known.absent), *wording.lines(assistant.known, self.words)]

    @property
    def heard(self) -> Sequence[tuple[str, str]]:
        code, answer = wording.example(self.state.rules), wording.example_answer(self.state.rules, self.words)
        return (
            (f"{answer}, 1 1, ...", _("the answer to the suggested guess")),
            (f"{code} {answer}", _("another guess that you made, and its answer")),
            *wording.facts_heard(shown_facts(self.state.rules)),
        )

    def read(self, line: str) -> Assistant:
        """The answer to the proposed guess, or to another one."""
        fact = parse_line(line, self.state.rules, self.words, lambda: self.advised.advice.proposed.guess)
        return self.assistant.learn(fact)

    def edited(self, number: int, line: str) -> Assistant:
        """Another answer, perhaps with another guess, or another fact."""
        fact = parse_line(line, self.state.rules, self.words, lambda: self.assistant.guess_in(number))
        return self.assistant.put(number, fact)

    def listed(self) -> Iterator[str]:
        yield from self.lines(self.assistant)
        yield candidates_line(self.state)

    def board(self, _side: str) -> Knowledge:
        return self.state

    @property
    def commands(self) -> dict[str, Spoken]:
        return super().commands | self.tolerance

    def explain(self, guess: str) -> None:
        if not guess:
            self.settle()
        explain_guess(self.dialogue, self.assistant, guess, self.words)

    def show(self) -> None:
        known, say = self.state, self.dialogue.say
        if self.assistant.contradictory:
            say(*contradictions.contradiction(known.facts, self.repairs, self.words))
            if self.repairs:
                say(contradictions.going_on(self.repairs[0]))
        elif self.assistant.finished:
            say(wording.found(known.turns))
        else:
            self.propose()

    def advice_lines(self, assistant: Assistant) -> Iterator[str]:
        known, items, advice = assistant.known, assistant.item_advice, assistant.advice
        if items:
            yield items_wording.advised(items, known.rules)
        guess = advice.proposed.guess
        yield wording.proposal(advice, len(known.facts) + 1).replace(guess, bold(guess), 1)
        yield from self.sureness(assistant, wording.outlook(advice))
        if advice.sampled:
            yield wording.sampled()
        if known.facts and known.slips.most:
            yield wording.left(known)
        if known.facts and known.count > 1:
            yield wording.likeliest(known)
