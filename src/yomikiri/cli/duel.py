"""A duel, a match of two players for one secret: `yomikiri hitblow match --shared` and `yomikiri guess match`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yomikiri.cli.guess_session import ListSession, answer_inputs, parse_typed_turn
from yomikiri.cli.session import TerminalSession
from yomikiri.cli.terminal import Dialogue
from yomikiri.guessing.duel import Duel, DuelAdvice, Rival
from yomikiri.guessing.duel_search import best_duel_guess
from yomikiri.guessing.game import Position
from yomikiri.wording import _
from yomikiri.wording import duel as wording
from yomikiri.wording import guessing as guessing_wording
from yomikiri.wording.screens import answer_prompt


def run_duel(duel: Duel, rival: Rival, seconds: float, seed: int) -> None:
    """Help the user in a duel: suggest a guess on each of the user's turns. The user types the turns of both players.

    `rival` is the assumed rule by which the opponent chooses guesses. `seconds` limits each search. If there are many
    candidates, the search uses a random sample of them, which `seed` determines.
    """
    dialogue = Dialogue()
    TerminalSession(dialogue, DuelGame(dialogue, rival, seconds, seed), AdvisedDuel(duel)).run_loop()


@dataclass(frozen=True, slots=True)
class AdvisedDuel:
    """A duel with the suggested guess; without one on the opponent's turn, and if Ctrl-C has stopped the search."""

    duel: Duel
    advice: DuelAdvice | None = None


class DuelGame(ListSession[AdvisedDuel]):
    """A duel that the user plays line by line at a terminal. The parameters are those of `run_duel`."""

    can_review = False  # a review compares guesses by how many more are needed, not by the chance of winning

    def __init__(self, dialogue: Dialogue, rival: Rival, seconds: float, seed: int) -> None:
        super().__init__(dialogue, _("Match for one secret"))
        self.rival, self.seconds, self.seed = rival, seconds, seed

    def position(self, state: AdvisedDuel) -> Position:
        return state.duel.position

    def is_over(self, state: AdvisedDuel) -> bool:
        return state.duel.is_over

    def input_forms(self, state: AdvisedDuel) -> Sequence[tuple[str, str]]:
        position = state.duel.position
        if state.advice:
            return answer_inputs(position, state.advice.guess)
        example = position.game.answers.example(position.game.places)
        return [(f"{position.candidates[0]} {example}", _("the guess and its answer"))]

    def opening(self, state: AdvisedDuel) -> Sequence[str]:
        return self.lines(state)

    def prompt_for_line(self, state: AdvisedDuel) -> str:
        return answer_prompt(state.advice.guess) if state.advice else "> "

    def apply_line(self, state: AdvisedDuel, line: str) -> AdvisedDuel:
        guess = state.advice.guess if state.advice else ""
        after = state.duel.after(parse_typed_turn(state.duel.position, guess, line))
        after.position.require_candidates()
        return AdvisedDuel(after)

    def undo(self, state: AdvisedDuel) -> AdvisedDuel:
        return AdvisedDuel(state.duel.undo())

    def new_game(self, state: AdvisedDuel) -> AdvisedDuel:
        return AdvisedDuel(state.duel.start)

    def show(self, state: AdvisedDuel) -> AdvisedDuel:
        duel, advice = state.duel, state.advice
        if duel.is_over:
            self.dialogue.say(wording.result(duel))
            return state
        if duel.to_move == 0:
            advice = advice or self.searched(
                lambda budget: best_duel_guess(duel, self.rival, budget, seconds=self.seconds, seed=self.seed)
            )
            self.dialogue.say(*wording.advice(advice, self.rival) if advice else [])
        else:
            self.dialogue.say(wording.their_turn(duel))
        self.dialogue.say(guessing_wording.candidates(duel.position))
        return AdvisedDuel(duel, advice)
