"""`yomikiri hitblow play`: guess against the program, let it guess, or both in turns with the handicap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import click

from yomikiri.cli.base import Idle, command, option
from yomikiri.cli.hitblow_assist import GameSession
from yomikiri.cli.hitblow_match import just_guessed, mended
from yomikiri.cli.hitblow_shared import game_options, policy_at_hand, policy_option, reading
from yomikiri.cli.session import Session, explain_guess
from yomikiri.cli.terminal import Dialogue, Spoken
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.codes import decode
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.notation import Game, parse_code, parse_guess, parse_hint
from yomikiri.hitblow.play import not_one_symbol
from yomikiri.hitblow.policies import Policy
from yomikiri.hitblow.policies.base import require_candidates
from yomikiri.hitblow.rules import Words, hint
from yomikiri.saves import game_keeper
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording
from yomikiri.wording import match as match_wording


@command(
    help="Play a game: you guess the program's secret, it guesses yours, or both take turns.\n\n"
    "When both guess, the first player reveals a symbol that is not in their secret, and the first to find the "
    "other's secret wins.",
    idle=(
        Idle(("first", "handicap"), unless={"who": ("both",)}),
        Idle(("seed",), unless={"who": ("me", "both"), "policy": ("random",)}),
    ),
)
@game_options
@option("--who", type=click.Choice(["me", "program", "both"]), default="me", show_default=True,
        help="Who guesses.")  # fmt: skip
@option("--first", type=click.Choice(["me", "opponent"]), default="me", show_default=True,
        help="Who goes first when both guess.")  # fmt: skip
@option("--handicap/--no-handicap", default=True, show_default=True,
        help="Whether the first player reveals a symbol that is not in their secret.")  # fmt: skip
@policy_option
@option("--seed", type=click.IntRange(min=0), help="Random seed; the same seed gives the same secret.")
def play(game: Game, who: str, first: str, handicap: bool, policy: str, seed: int | None) -> None:
    """Play a game."""
    dialogue, chance = Dialogue(), Random(seed)
    chooser = policy_at_hand(policy, seed or 0, waits=not dialogue.interactive)
    dialogue.say(wording.welcome(game.rules))
    if who == "both":
        # The program is the one that is advised, so the person is its opponent.
        begins = Side.OPPONENT if first == "me" else Side.ME
        match = Match(game.rules, game.rules, begins, game.absent)
        BothGuess(dialogue, match, chooser, game.words, chance, handicap).talk()
        return
    assistant = Assistant(Knowledge(game.rules, game.absent), chooser, reading())
    if who == "program":
        dialogue.say(_("Think of a secret. I guess, you answer."))
        GameSession(dialogue, assistant, game.words, game_keeper()).run(game.rules, resume=False)
    else:
        PersonGuesses(dialogue, assistant, game.words, chance).talk()


def _drawn(known: Knowledge, chance: Random) -> str:
    """A secret that fits what is known."""
    return decode(known.rules, known.candidates[chance.randrange(known.count)])


class PersonGuesses(GameSession):
    """The program keeps a secret, and the person guesses."""

    def __init__(self, dialogue: Dialogue, assistant: Assistant, words: Words, chance: Random) -> None:
        super().__init__(dialogue, assistant, words)
        self.chance, self.secret = chance, _drawn(assistant.known, chance)

    @property
    def heard(self) -> Sequence[tuple[str, str]]:
        """Guesses."""
        return ((self.state.rules.symbols[: self.state.rules.digits], _("your guess")),)

    @property
    def commands(self) -> dict[str, Spoken]:
        """Those of every game; the person's lines are guesses alone."""
        return _for_guesses(super().commands)

    @property
    def leaving(self) -> str:
        """Leaving, which tells the secret."""
        return _("quit; the secret is shown")

    def prompt(self) -> str:
        """Asks for a guess."""
        return "> " if self.assistant.finished else _("your guess> ")

    def read(self, line: str) -> Assistant:
        """A guess, which the secret answers."""
        guess = parse_guess(line, self.state.rules)
        return self.assistant.answer(hint(guess, self.secret), guess)

    def mended(self, number: int, line: str) -> Assistant:
        """Another guess."""
        guess = parse_guess(line, self.state.rules)
        return self.assistant.edit(number, hint(guess, self.secret), guess)

    def fresh(self) -> Assistant:
        """A game for another secret."""
        again = self.assistant.restart()
        self.secret = _drawn(again.known, self.chance)
        return again

    def listed(self) -> Iterator[str]:
        """The lines; the candidates are for the person to find."""
        return wording.lines(self.state, self.words)

    def show(self) -> None:
        """The answer to the last guess."""
        if not self.state.turns:
            self.dialogue.say(_("I have a secret. Guess it."))
            return
        turn = self.state.turns[-1]
        self.dialogue.say(wording.answered(turn, self.words))
        if self.assistant.finished:
            self.dialogue.say(wording.found(self.state.turns))

    def talk(self) -> None:
        """Talk, and name the secret to one who leaves before it is found."""
        super().talk()
        if not self.assistant.finished:
            self.dialogue.say(_("The secret was {secret}.").format(secret=self.secret))


class BothGuess(Session[MatchAssistant]):
    """Both keep a secret and guess in turns: a match in which the program is advised and the person its opponent.

    The program guesses by a policy, which looks at its own board alone.
    """

    def __init__(
        self, dialogue: Dialogue, match: Match, policy: Policy, words: Words, chance: Random, handicap: bool
    ) -> None:
        super().__init__(dialogue, MatchAssistant(match, Advisor(plain=policy), reading()), words)
        self.start, self.chance, self.handicap = match, chance, handicap
        self.assistant = self.fresh()

    @property
    def state(self) -> Match:
        """The match."""
        return self.assistant.match

    def resumed(self, saved: Match) -> MatchAssistant:
        """The same with another match."""
        return replace(self.assistant, match=saved)

    def fresh(self) -> MatchAssistant:
        """A match for another secret; where the program begins it shows a symbol that its secret does not use."""
        secret = _drawn(Knowledge(self.start.own_rules), self.chance)
        unused = [symbol for symbol in self.start.own_rules.symbols if symbol not in secret]
        shows = self.handicap and self.start.first is Side.ME and unused
        shown = self.chance.choice(unused) if shows else ""
        return self.resumed(replace(self.start, secret=secret, shown=shown))

    @property
    def _person_shows(self) -> bool:
        """Whether the person is still to show a symbol that their secret does not use."""
        match = self.state
        due = self.handicap and match.first is Side.OPPONENT and not match.turns and not match.absent
        return due and len(match.rules.symbols) > 1

    @property
    def _board(self) -> Assistant:
        """The person's board, on which they are helped."""
        return Assistant(self.state.known(Side.OPPONENT), self.assistant.advisor.plain, self.assistant.budget)

    # --- what is heard ------------------------------------------------------------------------------------------------

    @property
    def heard(self) -> Sequence[tuple[str, str]]:
        """Guesses on the person's turn, answers on the program's."""
        return (
            (self.state.rules.symbols[: self.state.rules.digits], _("your guess")),
            (_("1H1B, 1 1, ..."), _("your answer to my guess")),
        )

    @property
    def commands(self) -> dict[str, Spoken]:
        """Those of every game; the terms stay as they are."""
        return _for_guesses(super().commands)

    @property
    def leaving(self) -> str:
        """Leaving, which tells the secret."""
        return _("quit; the secret is shown")

    def prompt(self) -> str:
        """Asks for what is to come."""
        if self._person_shows:
            return _("a symbol that is not in your secret> ")
        return {
            Side.OPPONENT: _("your guess> "),
            Side.ME: _("your answer> "),
            None: "> ",
        }[self.assistant.to_move]

    def read(self, line: str) -> MatchAssistant:
        """The symbol that the person shows, their answer to the program's guess, or their own guess."""
        rules = self.state.rules
        if self._person_shows:
            symbol = parse_code(line, rules)
            if len(symbol) != 1:
                raise not_one_symbol(line, rules)
            return self.assistant.change("absent", symbol)
        if self.assistant.contradictory:  # an answer is to be mended before anybody guesses
            require_candidates(self.state.known(Side.ME))
        if self.state.to_move is Side.ME:
            return self.assistant.answer(parse_hint(line, self.words), self.assistant.plain_guess)
        return self.assistant.hear(parse_guess(line, self.state.own_rules))

    def mended(self, number: int, line: str) -> MatchAssistant:
        """Another guess of the person, or another answer to one of the program's."""
        return mended(self.assistant, number, line, self.words)

    # --- what is said -------------------------------------------------------------------------------------------------

    def listed(self) -> Iterator[str]:
        """The lines; the candidates are for the person to find."""
        return match_wording.lines(self.state, self.words, {Side.ME: _("I"), Side.OPPONENT: _("you")})

    def board(self, _side: str) -> Knowledge:
        """The person's."""
        return self._board.known

    def explain(self, guess: str) -> None:
        """What the program would guess in the person's place, or what `guess` would do."""
        explain_guess(self.dialogue, self._board, guess, self.words)

    def follow(self, before: MatchAssistant) -> None:
        """The answer to the person's guess."""
        if turn := just_guessed(before.match, self.state):
            self.dialogue.say(wording.answered(turn, self.words))

    def show(self) -> None:
        """The program's guess, the contradiction on its board, or who has won."""
        match, say = self.state, self.dialogue.say
        if match.shown and not match.turns:
            say(_("I go first. My secret does not use {symbol}.").format(symbol=match.shown))
        if self.assistant.contradictory:
            say(*wording.contradiction(match.turns, self.assistant.repairs, self.words))
        elif outcome := self.assistant.outcome:
            assert outcome.winner, "nobody guesses after a win"
            count = len(match.lines(outcome.winner))
            won = outcome.winner is Side.OPPONENT
            say(match_wording.won(count) if won else wording.program_won(count, match.secret))
        elif self.assistant.to_move is Side.ME:
            say(_("I guess {guess}.").format(guess=self.assistant.plain_guess))

    def talk(self) -> None:
        """Talk, and name the secret to one who leaves before somebody has won."""
        super().talk()
        if not self.assistant.finished:
            self.dialogue.say(_("The secret was {secret}.").format(secret=self.state.secret))


def _for_guesses(commands: dict[str, Spoken]) -> dict[str, Spoken]:
    """The commands as a person who guesses is told of them."""
    return {
        **commands,
        "edit": commands["edit"]._replace(meaning=_("correct turn N: your guess, or your answer to mine")),
        "list": commands["list"]._replace(meaning=_("the turns so far")),
        "why": commands["why"]._replace(meaning=_("what I would guess in your place, or what another guess would do")),
    }
