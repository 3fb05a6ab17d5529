"""`yomikiri hitblow play`: guess against the program, let it guess, or both in turns with the handicap."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import count
from secrets import token_hex

import click

from yomikiri.budget import Budget
from yomikiri.cli.base import Idle, command, option
from yomikiri.cli.hitblow_assist import GameSession
from yomikiri.cli.hitblow_match import edited
from yomikiri.cli.hitblow_shared import (
    game_options,
    names_told,
    policy_option,
    reading,
    slips_options,
    weights_option,
    without,
)
from yomikiri.cli.saved_session import A
from yomikiri.cli.session import Session, explain_guess
from yomikiri.cli.terminal import Dialogue, Spoken
from yomikiri.hitblow.adversary import hardest_answer
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.game import Game
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.notation import parse_code, parse_guess, parse_hint
from yomikiri.hitblow.play import check_seed, chosen, not_one_symbol, secret_of, shown_of
from yomikiri.hitblow.policies import Policy, policy_named
from yomikiri.hitblow.policies.base import require_candidates
from yomikiri.hitblow.repair import Repair
from yomikiri.hitblow.rules import Hint, Words, hint, turn_in
from yomikiri.saves import Keeper
from yomikiri.wording import _, contradictions
from yomikiri.wording import hitblow as wording
from yomikiri.wording import match as match_wording

# How long the adversary may look for the answer that leaves the most work.
_SECONDS_TO_ANSWER = 1.0


@command(
    help="Play a game: you guess the program's secret, it guesses yours, or both take turns.\n\n"
    "When both guess, the first player reveals a symbol that is not in their secret, and the first to find the "
    "other's secret wins.",
    idle=(
        Idle(("first", "handicap"), unless={"who": ("both",)}),
        Idle(("keeper",), unless={"who": ("me",)}),
        Idle(("weights", "secrets_of"), unless={"keeper": ("secret",)}),
        Idle(("seed",), unless={"keeper": ("secret",), "policy": ("random",)}),
        Idle(("seed",), unless={"who": ("me", "both"), "policy": ("random",)}),
    ),
)
@game_options
@weights_option
@slips_options
@option("--who", type=click.Choice(["me", "program", "both"]), default="me", show_default=True,
        help="Who guesses.")  # fmt: skip
@option("--first", type=click.Choice(["me", "opponent"]), default="me", show_default=True,
        help="Who goes first when both guess.")  # fmt: skip
@option("--handicap/--no-handicap", default=True, show_default=True,
        help="Whether the first player reveals a symbol that is not in their secret.")  # fmt: skip
@option("--keeper", type=click.Choice(["secret", "adversary"]), default="secret", show_default=True,
        help="What answers you: a secret chosen at random, or an adversary who commits to none and always gives the "
             "answer that leaves you the most work.")  # fmt: skip
@policy_option
@option("--seed", help="Random seed, letters and digits; the same seed gives the same secret, on the page too.")
def play(game: Game, who: str, first: str, handicap: bool, keeper: str, policy: str, seed: str | None) -> None:
    """Play a game."""
    if who != "program" and game.slips.most:  # what the program answers is right
        raise without("--slips", "--who program")
    dialogue, seeds = Dialogue(), _seeds(seed)
    chooser = policy_named(policy, _number(seed))
    if who == "both":
        # The program is the one that is advised, so the person is its opponent.
        begins = Side.OPPONENT if first == "me" else Side.ME
        match = Match(game.rules, game.rules, begins, game.absent, prior=game.prior)
        BothGuess(dialogue, match, chooser, game.words, seeds, handicap).talk()
        return
    assistant = Assistant(game.known, chooser, reading())
    if who == "program":
        ProgramGuesses(dialogue, assistant, game.words, Keeper(Knowledge)).run(
            names_told(click.get_current_context()), resume=False
        )
    elif keeper == "adversary":
        AdversaryKeeps(dialogue, assistant, game.words).talk()
    else:
        PersonGuesses(dialogue, assistant, game.words, seeds).talk()


class ProgramGuesses(GameSession):
    """The person keeps a secret, and the program guesses."""

    def opening(self) -> Iterator[str]:
        yield from super().opening()
        if not self.state.turns:
            yield _("Think of a secret. I guess, you answer.")


def _seeds(seed: str | None) -> Iterator[str]:
    """The seeds of the games of a sitting: the one that is given, then others made of it, else fresh ones."""
    if seed is None:
        while True:
            yield token_hex(5)
    yield check_seed(seed)
    for number in count(2):
        yield f"{seed}-{number}"


def _number(seed: str | None) -> int:
    """A seed as a number, for a policy that guesses at random."""
    if seed is None:
        return 0
    return int(seed) if seed.isdecimal() else chosen(check_seed(seed), "policy", 1 << 32)


class Guessing(Session[A]):
    """What is told to a person who guesses."""

    @property
    @abstractmethod
    def secret(self) -> str:
        """What the person is to find, to tell when they leave before they have found it."""

    @property
    @abstractmethod
    def helper(self) -> Assistant:
        """What helps the person with their guesses."""

    @property
    def commands(self) -> dict[str, Spoken]:
        """Those of every game; the candidates are for the person to find."""
        commands = super().commands
        why = _("what I would guess in your place, or what another guess would do")
        changed = {
            "edit": _("correct turn N: your guess, or your answer to mine"),
            "list": _("the turns so far"),
            "why": why,
        }
        hint = Spoken(self._hint, _("hint"), _("how many codes are left, and a good guess"))
        commands |= {name: commands[name]._replace(meaning=meaning) for name, meaning in changed.items()}
        for other in ("slips", "items"):  # what the program answers is right, and all that is told
            commands.pop(other, None)
        return {**commands, "hint": hint}

    def _hint(self, _rest: str) -> None:
        advice = self.helper.advice
        left = wording.candidates_left(advice.count)
        self.dialogue.say(_("{left}; try {guess}.").format(left=left, guess=advice.proposed.guess))

    @property
    def leaving(self) -> str:
        return _("quit; the secret is shown")

    def listed(self) -> Iterator[str]:
        return iter(self.lines(self.assistant))

    def explain(self, guess: str) -> None:
        """What the program would guess in the person's place, or what `guess` would do."""
        explain_guess(self.dialogue, self.helper, guess, self.words)

    def talk(self) -> None:
        """Talk, and name the secret to one who leaves before somebody has won."""
        super().talk()
        if not self.assistant.finished:
            self.dialogue.say(_("The secret was {secret}.").format(secret=self.secret))


class PersonGuesses(Guessing[Assistant], GameSession):
    """The program keeps a secret, and the person guesses."""

    def __init__(self, dialogue: Dialogue, assistant: Assistant, words: Words, seeds: Iterator[str]) -> None:
        super().__init__(dialogue, assistant, words)
        self.seeds = seeds
        self._secret = secret_of(assistant.known, next(seeds))

    @property
    def secret(self) -> str:
        return self._secret

    @property
    def helper(self) -> Assistant:
        return self.assistant

    def answered(self, known: Knowledge, guess: str) -> Hint:
        """What a guess is answered after what is known."""
        return hint(guess, self.secret)

    @property
    def heard(self) -> Sequence[tuple[str, str]]:
        return ((self.state.rules.symbols[: self.state.rules.digits], _("your guess")),)

    @property
    def commands(self) -> dict[str, Spoken]:
        """Without what answers of a person would need."""
        commands = super().commands
        commands.pop("fix")
        usage = f"{_('edit')} N {wording.example(self.state.rules)}"
        return commands | {"edit": commands["edit"]._replace(usage=usage, meaning=_("another guess in turn N"))}

    def prompt(self) -> str:
        return super().prompt() if self.assistant.finished else _("your guess> ")

    def read(self, line: str) -> Assistant:
        return self._guessed(self.assistant, parse_guess(line, self.state.rules))

    def _guessed(self, before: Assistant, guess: str) -> Assistant:
        return before.answer(self.answered(before.known, guess), guess)

    def edited(self, number: int, line: str) -> Assistant:
        """Another guess; those that came after it are answered again."""
        guess, turns = parse_guess(line, self.state.rules), self.state.turns
        turn_in(turns, number)
        guesses = [turn.guess for turn in turns[: number - 1]], guess, [turn.guess for turn in turns[number:]]
        return reduce(self._guessed, [*guesses[0], guess, *guesses[2]], self.assistant.restart())

    def fresh(self) -> Assistant:
        again = self.assistant.restart()
        self._secret = secret_of(again.known, next(self.seeds))
        return again

    def show(self) -> None:
        if not self.state.turns:
            self.dialogue.say(_("I have a secret. Guess it."))
        elif self.assistant.finished:
            self.dialogue.say(wording.found(self.state.turns))


class AdversaryKeeps(PersonGuesses):
    """The program commits to no secret: it gives the answer that leaves the most work."""

    def __init__(self, dialogue: Dialogue, assistant: Assistant, words: Words) -> None:
        super().__init__(dialogue, assistant, words, _seeds("0"))

    @property
    def secret(self) -> str:
        """One that fits all answers: the first."""
        return self.state.codes(1)[0]

    def answered(self, known: Knowledge, guess: str) -> Hint:
        return hardest_answer(known, guess, Budget.within(_SECONDS_TO_ANSWER))

    def fresh(self) -> Assistant:
        return self.assistant.restart()

    def show(self) -> None:
        if not self.state.turns:
            self.dialogue.say(_("I commit to no secret: every answer leaves you as much work as it can. Guess."))
        else:
            super().show()


class BothGuess(Guessing[MatchAssistant]):
    """Both keep a secret and guess in turns: a match in which the program is advised and the person its opponent.

    The program guesses by a policy, which looks at its own board alone.
    """

    def __init__(
        self, dialogue: Dialogue, match: Match, policy: Policy, words: Words, seeds: Iterator[str], handicap: bool
    ) -> None:
        super().__init__(dialogue, MatchAssistant(match, Advisor(plain=policy), reading()), words)
        self.start, self.seeds, self.handicap = match, seeds, handicap
        self.assistant = self.fresh()

    @property
    def state(self) -> Match:
        return self.assistant.match

    def resumed(self, saved: Match) -> MatchAssistant:
        return replace(self.assistant, match=saved)

    def fresh(self) -> MatchAssistant:
        """A match for another secret; where the program begins it shows a symbol that its secret does not use."""
        rules, seed = self.start.own_rules, next(self.seeds)
        secret = secret_of(Knowledge(rules), seed)
        shown = shown_of(rules, secret, seed) if self.handicap and self.start.first is Side.ME else ""
        return self.resumed(replace(self.start, secret=secret, shown=shown))

    @property
    def _person_shows(self) -> bool:
        """Whether the person is still to show a symbol that their secret does not use."""
        match = self.state
        due = self.handicap and match.first is Side.OPPONENT and not match.turns and not match.absent
        # Nobody is asked for a symbol that some secrets do not leave: then the match begins without one.
        return due and match.rules.digits < len(match.rules.symbols)

    @property
    def secret(self) -> str:
        return self.state.secret

    @property
    def helper(self) -> Assistant:
        return Assistant(self.state.known(Side.OPPONENT), self.assistant.advisor.plain, self.assistant.budget)

    # --- what is heard ------------------------------------------------------------------------------------------------

    @property
    def heard(self) -> Sequence[tuple[str, str]]:
        return (
            (self.state.rules.symbols[: self.state.rules.digits], _("your guess")),
            (_("1H1B, 1 1, ..."), _("your answer to my guess")),
        )

    def opening(self) -> Iterator[str]:
        return wording.welcome(self.state.rules, self.state.absent)

    def lines(self, assistant: MatchAssistant) -> Sequence[str]:
        return [*match_wording.lines(assistant.match, self.words, {Side.ME: _("I"), Side.OPPONENT: _("you")})]

    def prompt(self) -> str:
        if self._person_shows:
            return _("a symbol that is not in your secret> ")
        return {
            Side.OPPONENT: _("your guess> "),
            Side.ME: _("your answer> "),
            None: super().prompt(),
        }[self.assistant.to_move]

    def read(self, line: str) -> MatchAssistant:
        """The symbol that the person shows, their answer to the program's guess, or their own guess."""
        rules = self.state.rules
        if self._person_shows:
            symbol = parse_code(line, rules)
            if len(symbol) != 1:
                raise not_one_symbol(line, rules)
            return self.assistant.change("absent", symbol)
        if self.assistant.contradictory:  # an answer is to be corrected before anybody guesses
            require_candidates(self.state.known(Side.ME))
        if self.state.to_move is Side.ME:
            return self.assistant.answer(parse_hint(line, self.words), self.assistant.plain_guess)
        return self.assistant.hear(parse_guess(line, self.state.own_rules))

    def edited(self, number: int, line: str) -> MatchAssistant:
        return edited(self.assistant, number, line, self.words)

    @property
    def repairs(self) -> Sequence[Repair]:
        """Other answers only: the guesses are the program's own."""
        guess_in = self.assistant.guess_in
        return [
            repair
            for repair in super().repairs
            if all(guess_in(line) == turn.guess for line, turn in zip(repair.lines, repair.turns, strict=True))
        ]

    # --- what is said -------------------------------------------------------------------------------------------------

    def board(self, _side: str) -> Knowledge:
        return self.helper.known

    def line_of(self, number: int) -> int:
        return self.state.line_of(Side.OPPONENT, number)

    def show(self) -> None:
        match, say = self.state, self.dialogue.say
        if match.shown and not match.turns:
            say(_("I go first. My secret does not use {symbol}.").format(symbol=match.shown))
        if self.assistant.contradictory:
            say(*contradictions.contradiction(match.facts, self.repairs, self.words))
        elif outcome := self.assistant.outcome:
            assert outcome.winner, "nobody guesses after a win"
            count = len(match.known(outcome.winner).turns)
            won = outcome.winner is Side.OPPONENT
            say(match_wording.won(count) if won else wording.program_won(count, match.secret))
        elif self.assistant.to_move is Side.ME:
            say(_("I guess {guess}.").format(guess=self.assistant.plain_guess))
