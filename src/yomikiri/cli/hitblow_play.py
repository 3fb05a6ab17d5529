"""`yomikiri hitblow play`: guess against the program, let it guess, or both in turns with the handicap."""

from __future__ import annotations

import random
from dataclasses import dataclass

import click

from yomikiri.cli.base import Command, Option, language_option
from yomikiri.cli.dialogue import Dialogue
from yomikiri.cli.hitblow_assist import Session
from yomikiri.cli.hitblow_options import Game, rule_options
from yomikiri.cli.hitblow_views import policy_at_hand, policy_option
from yomikiri.errors import NotOneSymbol, YomikiriError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.codes import decode
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import parse_code, parse_edit, parse_guess, parse_hint, split_command, write_hint
from yomikiri.hitblow.rules import Rules, Turn, hint
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording


@click.command(
    cls=Command,
    help="Play: you guess the program's secret, it guesses yours, or both in turns.\n\n"
    "In turns, the first player shows a symbol that its own secret does not use, and the first to hit all wins.",
)
@rule_options
@click.option("--who", cls=Option, type=click.Choice(["me", "program", "both"]), default="me", show_default=True,
              help="Who guesses.")  # fmt: skip
@click.option("--first", cls=Option, type=click.Choice(["me", "opponent"]), default="me", show_default=True,
              help="Who begins when both guess.")  # fmt: skip
@click.option("--handicap/--no-handicap", cls=Option, default=True, show_default=True,
              help="Whether the first player shows a symbol that its secret does not use.")  # fmt: skip
@policy_option
@click.option("--seed", cls=Option, type=click.IntRange(min=0), help="Draw the same secret each time.")
@language_option
def play(game: Game, who: str, first: str, handicap: bool, policy: str, seed: int | None) -> None:
    """Play a game."""
    dialogue, chance = Dialogue(), random.Random(seed)
    dialogue.say(wording.welcome(game.rules))
    guesser = Assistant(Knowledge(game.rules, game.absent), policy_at_hand(policy, seed or 0))
    if who == "program":
        dialogue.say(_("Think of a secret. I guess, you answer."))
        Session(game, dialogue, guesser).talk()
    elif who == "me":
        Board(game, dialogue, guesser.known, _drawn(guesser.known, chance)).guess_alone()
    else:
        known = Knowledge(game.rules)
        board = Board(game, dialogue, known, _drawn(known, chance))
        Turns(board, guesser, chance).run(person_first=first == "me", handicap=handicap)


def _drawn(known: Knowledge, chance: random.Random) -> str:
    """A secret that fits what is known."""
    return decode(known.rules, known.candidates[chance.randrange(known.count)])


def _one_symbol(text: str, rules: Rules) -> str:
    symbol = parse_code(text, rules)
    if len(symbol) != 1:
        raise NotOneSymbol(text, rules.symbols)
    return symbol


@dataclass
class Board:
    """The program's secret, and what the person knows of it."""

    game: Game
    dialogue: Dialogue
    known: Knowledge
    secret: str

    @property
    def found(self) -> bool:
        """Whether the person has hit everything."""
        return self.known.solved

    def guess_alone(self) -> None:
        """The person guesses until the secret is found or the input ends."""
        self.dialogue.say(_("I have a secret. Guess it."))
        while not self.found and self.turn():
            pass
        if self.found:
            self.dialogue.say(wording.found(self.known))
        else:
            self.tell()

    def tell(self) -> None:
        """Name the secret, to one who leaves."""
        self.dialogue.say(_("The secret was {secret}.").format(secret=self.secret))

    def turn(self) -> bool:
        """One guess of the person, asked for until it can be read; False when they leave."""
        while (line := self.dialogue.ask(_("your guess> "))) is not None:
            match line.casefold():
                case "quit":
                    break
                case "list":
                    for text in wording.lines(self.known, self.game.words):
                        self.dialogue.say(text)
                case "help":
                    self._help()
                case _:
                    if self._played(line):
                        return True
        return False

    def _played(self, line: str) -> bool:
        try:
            guess = parse_guess(line, self.game.rules)
        except YomikiriError as error:
            self.dialogue.complain(error)
            return False
        answer = hint(guess, self.secret)
        self.known = self.known.after(Turn(guess, answer))
        self.dialogue.say(_("{guess}: {hint}").format(guess=guess, hint=write_hint(answer, self.game.words)))
        return True

    def _help(self) -> None:
        self.dialogue.say(_("Type a guess, such as {code}; 'list' shows the lines so far, 'quit' leaves.").format(
            code=Knowledge(self.game.rules).codes(1)[0]
        ))  # fmt: skip


@dataclass
class Turns:
    """Both guess in turns, as in the seeds: the first to hit everything wins at once."""

    board: Board
    guesser: Assistant
    chance: random.Random

    def run(self, *, person_first: bool, handicap: bool) -> None:
        """Play until somebody has won or the person leaves."""
        if handicap and not self._reveal(person_first):
            return
        person_to_move = person_first
        while self._step(person_to_move):
            person_to_move = not person_to_move
        if self.board.found:
            self.board.dialogue.say(_("You win in {count}.").format(count=len(self.board.known.turns)))
        elif self.guesser.finished:
            message = _("I win in {count}. The secret was {secret}.")
            self.board.dialogue.say(message.format(count=len(self.guesser.known.turns), secret=self.board.secret))
        else:
            self.board.tell()

    def _step(self, person: bool) -> bool:
        """One turn; False when the match is over."""
        if person:
            return self.board.turn() and not self.board.found
        return self._program_guesses() and not self.guesser.solved

    def _reveal(self, person_first: bool) -> bool:
        """The first player shows a symbol that its secret does not use; False when the person leaves."""
        rules, dialogue = self.board.game.rules, self.board.dialogue
        if not person_first:
            unused = [symbol for symbol in rules.symbols if symbol not in self.board.secret]
            if unused:
                shown = self.chance.choice(unused)
                self.board.known = Knowledge(rules, shown)
                dialogue.say(_("I begin. My secret does not use {symbol}.").format(symbol=shown))
            return True
        if len(rules.symbols) == 1 or self.guesser.known.absent:
            return True
        while (line := self._heard(_("a symbol that your secret does not use> "))) is not None:
            try:
                known = Knowledge(rules, _one_symbol(line, rules))
            except YomikiriError as error:
                dialogue.complain(error)
                continue
            self.guesser = Assistant(known, self.guesser.policy)
            return True
        return False

    def _program_guesses(self) -> bool:
        """One guess of the program, answered by the person and mended until it fits; False when they leave."""
        answered = len(self.guesser.known.turns) + 1
        explained = None
        while self.guesser.contradictory or len(self.guesser.known.turns) < answered:
            if self.guesser.contradictory and self.guesser != explained:
                explained = self._explained()
            try:
                if not self._answered():
                    return False
            except YomikiriError as error:
                self.board.dialogue.complain(error)
        return True

    def _answered(self) -> bool:
        """One line of the person: the answer, or `undo` and `edit`, which alone help after a contradiction."""
        game, prompt = self.board.game, "> "
        if not self.guesser.contradictory:
            guess = self.guesser.advice.proposed.guess
            self.board.dialogue.say(_("I guess {guess}.").format(guess=guess))
            prompt = _("your answer> ")
        line = self._heard(prompt)
        if line is None:
            return False
        name, rest = split_command(line)
        if name == "undo":
            self.guesser = self.guesser.undo()
        elif name == "edit" or self.guesser.contradictory:
            number, answer = parse_edit(rest if name == "edit" else line, game.rules, game.words)
            self.guesser = self.guesser.edit(number, answer.hint, answer.guess)
        else:
            self.guesser = self.guesser.answer(parse_hint(line, game.words), guess)
        return True

    def _explained(self) -> Assistant:
        for text in wording.contradiction(self.guesser.known.turns, self.guesser.repairs, self.board.game.words):
            self.board.dialogue.say(text)
        return self.guesser

    def _heard(self, prompt: str) -> str | None:
        """A line of the person; None when they leave."""
        line = self.board.dialogue.ask(prompt)
        return None if line is None or line.casefold() == "quit" else line
