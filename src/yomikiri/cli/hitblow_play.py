"""`yomikiri hitblow play`: guess the program's secret, let it guess yours, or both in turns.

If both guess, the first player has a handicap: this player reveals a symbol that is not in their secret. The handicap
can be switched off.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from yomikiri.api.queries_hitblow import POLICY
from yomikiri.cli import hitblow_screens as screens
from yomikiri.cli.asking import with_settings
from yomikiri.cli.base import command
from yomikiri.cli.commands import SessionCommand
from yomikiri.cli.hitblow_assist import AssistGame, OneBoard
from yomikiri.cli.hitblow_match import TwoBoards, both_reports
from yomikiri.cli.hitblow_session import BoardGame, typed_guess
from yomikiri.cli.hitblow_shared import with_game
from yomikiri.cli.proposing import A
from yomikiri.cli.saved_games import run_session
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.session import TerminalSession, seeds
from yomikiri.cli.terminal import Dialogue
from yomikiri.common.budget import Budget
from yomikiri.common.entries import entry_in
from yomikiri.common.errors import N_
from yomikiri.common.seeds import check_seed, chosen
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.suggestion import Suggestion
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import FIRST
from yomikiri.hitblow.match.opponents import PolicyPlayer
from yomikiri.hitblow.model.answers import parse_hint
from yomikiri.hitblow.model.corrections import Repair
from yomikiri.hitblow.model.game import HitBlowGame
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import parse_code
from yomikiri.hitblow.model.rules import Words, hint, preset_of
from yomikiri.hitblow.policies import policy_named
from yomikiri.hitblow.policies.base import require_candidates
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice.play import hardest_answer, not_one_symbol, secret_of, shown_of
from yomikiri.settings import Conflict, Kind, Setting
from yomikiri.wording import _, contradictions
from yomikiri.wording import hitblow as wording
from yomikiri.wording import match as match_wording
from yomikiri.wording import screens as screen_wording

if TYPE_CHECKING:
    from yomikiri.hitblow.practice.lessons import Report

WHO = Setting(
    "who",
    N_("Guessing side: you (me), the program, or both in turn."),
    Kind.WORD,
    default="me",
    words=("me", "program", "both"),
)
HANDICAP = Setting("handicap", N_("Let the first player reveal a symbol that is not in their secret."), Kind.FLAG,
                   default=True)  # fmt: skip
KEEPER = Setting(
    "keeper",
    N_(
        "Opponent: a secret chosen at random, or an adversary that fixes no secret and always gives the answer "
        "that leaves you the most work."
    ),
    Kind.WORD,
    default="secret",
    words=("secret", "adversary"),
)
PLAY_SEED = Setting(
    "seed", N_("Random seed, letters and digits; the same seed gives the same secret, on the page too.")
)

# Time limit in seconds for choosing the hardest answer to a guess, if the program has no fixed secret.
_SECONDS_TO_ANSWER = 1.0


@command(
    conflicts=(
        Conflict(("first", "handicap"), unless={"who": ("both",)}),
        Conflict(("keeper",), unless={"who": ("me",)}),
        Conflict(("slips", "slip-rate"), unless={"who": ("program",)}),  # answers of the program are always correct
        Conflict(("weights", "secrets-of"), unless={"keeper": ("secret",)}),
        Conflict(("seed",), unless={"keeper": ("secret",), "policy": ("random",)}),
        Conflict(("seed",), unless={"who": ("me", "both"), "policy": ("random",)}),
    ),
)
@with_game
@with_settings(WHO, FIRST, HANDICAP, KEEPER, POLICY, PLAY_SEED)
def play(game: HitBlowGame, who: str, first: str, handicap: bool, keeper: str, policy: str, seed: str | None) -> None:
    """Play a game: you guess the program's secret, it guesses yours, or both take turns.

    When both guess, the first player reveals a symbol that is not in their secret, and the first to find the other's
    secret wins. --absent names symbols that the secret you guess does not contain. With --who program,
    this is the secret that the program guesses.
    """
    dialogue, games = Dialogue(), seeds(seed, check_seed)
    chooser = policy_named(policy, _number(seed))
    assistant = Assistant(game.known, chooser, search_budget())
    if who == "program":
        run_session(ProgramGuesses(dialogue, game.words), assistant, who=who)
    elif who == "both":
        # The session advises the player ME, here the program. So the user is the opponent in this match.
        begins = Side.OPPONENT if first == "me" else Side.ME
        match = Match(game.rules, game.rules, begins, prior=game.prior)
        both = BothGuess(dialogue, game.words, games, handicap, game.absent)
        TerminalSession(
            dialogue, both, both.new_game(MatchAssistant(match, Advisor(plain=chooser), search_budget()))
        ).run_loop()
    else:
        # If `secrets` is empty, the program fixes no secret and gives the hardest answer to each guess.
        secrets = (secret_of(game.known, each) for each in games) if keeper == "secret" else iter(())
        TerminalSession(dialogue, PersonGuesses(dialogue, game.words, secrets), assistant).run_loop()


class ProgramGuesses(AssistGame):
    """The user keeps a secret, and the program guesses."""

    def opening(self, state: Assistant) -> Sequence[str]:
        return [*super().opening(state), *self._invitation(state)]

    def frame(self, state: Assistant) -> Sequence[str]:
        return [*super().frame(state), *self._invitation(state)]

    def input_forms(self, state: Assistant) -> Sequence[tuple[str, str]]:
        """Return the form of an answer as the only input, because the program makes the guesses itself."""
        (answer, _meaning), *_rest = super().input_forms(state)
        return ((answer, _("your answer to my guess")),)

    def guess_label(self) -> str:
        return _("my guess")

    def proposal(self, advice: Suggestion, number: int) -> str:
        return screen_wording.program_guess(advice, number)

    def _invitation(self, state: Assistant) -> Sequence[str]:
        return [] if state.known.turns else [_("Think of a secret. I guess, you answer.")]


def _number(seed: str | None) -> int:
    """Convert a seed to a number, for a policy that guesses at random."""
    if seed is None:
        return 0
    return int(seed) if seed.isdecimal() else chosen(check_seed(seed), "policy", 1 << 32)


class Guessing(BoardGame[A]):
    """A game in which the user guesses."""

    @abstractmethod
    def secret_in(self, state: A) -> str:
        """Return the secret. It is printed if the user quits before the end."""

    @abstractmethod
    def helper(self, state: A) -> Assistant:
        """Return the assistant that gives hints to the user."""

    def board(self, state: A, _side: str = "") -> Knowledge:
        return self.helper(state).known

    def commands(self, state: A) -> dict[str, SessionCommand[A]]:
        """Return the commands of the base class with changes for a game in which the user guesses.

        There is no command `items`, but a command `hint`. Some commands have other help texts.
        """
        commands = BoardGame.commands(self, state)
        commands.pop("items", None)
        changed = {
            "edit": _("correct turn N: your guess, or your answer to mine"),
            "list": _("the turns so far"),
            "why": _("what I would guess, or the effect of another guess"),
        }
        hint = SessionCommand(self._hint, _("hint"), _("the number of candidates, and a good guess"))
        return {
            **commands,
            **{name: commands[name]._replace(meaning=meaning) for name, meaning in changed.items()},
            "hint": hint,
        }

    def _hint(self, state: A, _rest: str) -> None:
        advice = self.helper(state).advice
        left = wording.candidate_count(advice.count)
        self.dialogue.say(_("{left}; try {guess}.").format(left=left, guess=advice.proposed.guess))

    @property
    def quit_help(self) -> str:
        return _("quit and show the secret")

    def listed(self, state: A) -> Iterator[str]:
        return iter(self.lines(state))

    def explain(self, state: A, guess: str) -> None:
        """Print which guess the program would make for the user, and why. If `guess` is given, print its effect."""
        self.say_why(self.helper(state), guess)

    def on_quit(self, state: A) -> None:
        """Show the secret to a user who quits before the end."""
        if not state.finished:
            self.dialogue.say(_("The secret was {secret}.").format(secret=self.secret_in(state)))


class PersonGuesses(Guessing[Assistant], OneBoard):
    """The user guesses the program's secret. Each game takes the next secret from `secrets`.

    If there is no further secret, the program fixes none and gives the hardest answer to each guess.
    """

    offered = "help", "undo", "quit"
    """The commands in the head of the screen."""

    def __init__(self, dialogue: Dialogue, words: Words, secrets: Iterator[str]) -> None:
        super().__init__(dialogue, words)
        self.secrets = secrets
        self.secret = next(secrets, "")

    def secret_in(self, state: Assistant) -> str:
        return self.secret or state.known.codes(1)[0]

    def helper(self, state: Assistant) -> Assistant:
        return state

    def frame(self, state: Assistant) -> Sequence[str]:
        """Return the head of the screen and the turns, without the number of candidates."""
        turns = screens.turns(state.known, self.words, counted=False)
        return [*screens.title(self.named(state.known), state.known, self.offered), *turns]

    def on_quit(self, state: Assistant) -> None:
        if self.secret or state.finished:
            super().on_quit(state)
        else:
            fitting = self.secret_in(state)
            self.dialogue.say(_("I had fixed no secret; {code} fits every answer.").format(code=fitting))

    def input_forms(self, state: Assistant) -> Sequence[tuple[str, str]]:
        rules = state.known.rules
        return ((rules.symbols[: rules.digits], _("your guess")),)

    def commands(self, state: Assistant) -> dict[str, SessionCommand[Assistant]]:
        """Return the commands without `fix`, because the program's answers need no correction."""
        commands = super().commands(state)
        commands.pop("fix")
        usage = f"{_('edit')} N {wording.example(state.known.rules)}"
        return commands | {"edit": commands["edit"]._replace(usage=usage, meaning=_("replace the guess of turn N"))}

    def prompt(self, state: Assistant) -> str:
        return super().prompt(state) if state.finished else _("your guess > ")

    def apply_line(self, state: Assistant, line: str) -> Assistant:
        return self._guessed(state, typed_guess(line, state.known.rules))

    def _guessed(self, state: Assistant, guess: str) -> Assistant:
        if self.secret:
            return state.answer(hint(guess, self.secret), guess)
        return state.answer(hardest_answer(state.known, guess, Budget.within(_SECONDS_TO_ANSWER)), guess)

    def edited(self, state: Assistant, number: int, line: str) -> Assistant:
        """Return the state in which the guess in `line`, the user's input, replaces that of turn `number`.

        The program answers every guess again.
        """
        guesses = [turn.guess for turn in state.known.turns]
        guess = typed_guess(line, state.known.rules)
        entry_in(guesses, number)
        guesses[number - 1] = guess
        return reduce(self._guessed, guesses, state.restart())

    def new_game(self, state: Assistant) -> Assistant:
        self.secret = next(self.secrets, "")
        return state.restart()

    def show(self, state: Assistant) -> Assistant:
        if state.finished:
            self.dialogue.say(wording.found(state.known.turns))
        elif not state.known.turns and self.secret:
            self.dialogue.say(_("I have a secret. Guess it."))
        elif not state.known.turns:
            self.dialogue.say(_("I fix no secret: each of my answers leaves you the most work. Guess."))
        return state


class BothGuess(Guessing[MatchAssistant], TwoBoards):
    """Both players keep a secret and guess in turns: a match in which the advice is for the program.

    The program chooses its guesses by a policy that uses only the answers to them. Its secret does not contain the
    symbols `absent`, and the user knows that.

    The user types the answers to the program's guesses and may correct them. A `Match` allows corrections only for the
    side that gets the advice, so the program is this side. On the web page, the program knows the user's secret and
    computes these answers itself (see `Play`).
    """

    person = Side.OPPONENT

    def __init__(self, dialogue: Dialogue, words: Words, seeds: Iterator[str], handicap: bool, absent: str) -> None:
        super().__init__(dialogue, words)
        self.seeds, self.handicap, self.absent = seeds, handicap, absent

    def new_game(self, state: MatchAssistant) -> MatchAssistant:
        """Return a match with the next secret.

        If the program goes first with the handicap, it reveals a symbol that its secret does not contain.
        """
        match, seed = state.restart().match, next(self.seeds)
        secret = secret_of(Knowledge(match.own_rules, self.absent), seed)
        begins = self.handicap and match.first is Side.ME
        shown = shown_of(match.own_rules, secret, seed, self.absent) if begins else ""
        return self.resumed(state, replace(match, secret=secret, shown=self.absent + shown))

    def _person_shows(self, match: Match) -> bool:
        """Return True if the user must now reveal a symbol that is not in their secret.

        This is the handicap of the first player.
        """
        due = self.handicap and match.first is Side.OPPONENT and not match.turns and not match.absent
        # If a secret can contain all symbols, there may be no symbol to reveal, so the match has no handicap.
        return due and match.rules.digits < len(match.rules.symbols)

    def secret_in(self, state: MatchAssistant) -> str:
        return state.match.secret

    def helper(self, state: MatchAssistant) -> Assistant:
        return Assistant(state.match.known(Side.OPPONENT), state.advisor.plain, state.budget)

    # --- input --------------------------------------------------------------------------------------------------------

    def input_forms(self, state: MatchAssistant) -> Sequence[tuple[str, str]]:
        return (
            (state.match.rules.symbols[: state.match.rules.digits], _("your guess")),
            (_("1H1B, 1 1, ..."), _("your answer to my guess")),
        )

    def opening(self, state: MatchAssistant) -> Sequence[str]:
        rules = state.match.rules
        return [*wording.welcome(preset_of(rules, self.words), rules, self.absent), *self._begins(state.match)]

    def frame(self, state: MatchAssistant) -> Sequence[str]:
        match = state.match
        sought = Knowledge(match.own_rules, self.absent)
        heads = _("you guess"), _("I guess")
        boards = screens.boards(match, self.words, Side.OPPONENT, heads, counted=False)
        return [*screens.title(_("You and the program"), sought), *self._begins(match), *boards]

    def _begins(self, match: Match) -> Iterator[str]:
        """Yield lines about the start of the match, before the first turn only."""
        if not match.turns:
            yield from screen_wording.begins(match.first is Side.ME, match.rules.digits)

    def reports(self, state: MatchAssistant, budget: Budget) -> Sequence[tuple[str, Report]]:
        seen = state.match.exchanged()
        assert seen, "no secret is changed in this game"
        advisor = Advisor(PolicyPlayer("optimal", state.advisor.plain), Exact())
        return both_reports(seen, advisor, budget, _("I"))

    def lines(self, state: MatchAssistant) -> Sequence[str]:
        return [*match_wording.lines(state.match, self.words, {Side.ME: _("I"), Side.OPPONENT: _("you")})]

    def prompt(self, state: MatchAssistant) -> str:
        if self._person_shows(state.match):
            return _("a symbol that is not in your secret > ")
        if state.to_move is None:
            return super().prompt(state)
        if state.to_move is Side.OPPONENT:
            return _("your guess > ")
        return screen_wording.answer_prompt(state.plain_guess)

    def apply_line(self, state: MatchAssistant, line: str) -> MatchAssistant:
        """Return the match after the user's input: the symbol that they reveal, an answer or a guess."""
        rules = state.match.rules
        if self._person_shows(state.match):
            symbol = parse_code(line, rules)
            if len(symbol) != 1:
                raise not_one_symbol(line, rules)
            return state.change("absent", symbol)
        if state.contradictory:  # an answer must be corrected first
            require_candidates(state.match.known(Side.ME))
        if state.match.to_move is Side.ME:
            return state.answer(parse_hint(line, self.words), state.plain_guess)
        return state.hear(typed_guess(line, state.match.own_rules))

    def corrections(self, state: MatchAssistant) -> Sequence[Repair]:
        """Return the corrections that change answers only, because the program knows its own guesses."""
        guess_in = state.guess_in
        return [
            repair
            for repair in state.repairs
            if all(guess_in(line) == turn.guess for line, turn in zip(repair.lines, repair.turns, strict=True))
        ]

    # --- output -------------------------------------------------------------------------------------------------------

    def explain(self, state: MatchAssistant, guess: str) -> None:
        """Print the reason for the program's guess while it waits for the answer. Otherwise do as the base class."""
        if guess or state.to_move is not Side.ME:
            super().explain(state, guess)
        else:
            self.say_why(Assistant(state.match.known(Side.ME), state.advisor.plain, state.budget), guess)

    def show(self, state: MatchAssistant) -> MatchAssistant:
        match, say = state.match, self.dialogue.say
        shown = match.shown.translate(dict.fromkeys(map(ord, self.absent)))
        if shown and not match.turns:
            say(_("My secret does not use {symbol}.").format(symbol=shown))
        if state.contradictory:
            say(*contradictions.contradiction(match.facts, self.corrections(state), self.words))
        elif outcome := state.outcome:
            assert outcome.winner, "nobody guesses after a win"
            count = len(match.known(outcome.winner).turns)
            won = outcome.winner is Side.OPPONENT
            say(match_wording.won(count) if won else wording.program_won(count, match.secret))
        elif state.to_move is Side.ME:
            say(_("I guess {guess}.").format(guess=state.plain_guess))
        return state
