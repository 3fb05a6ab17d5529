"""A duel, a match of two players for one secret: `yomikiri hitblow match --shared` and `yomikiri guess match`."""

from __future__ import annotations

from collections.abc import Sequence

from yomikiri.cli.guess_session import Advised, AdvisedSession
from yomikiri.cli.session import TerminalSession
from yomikiri.cli.terminal import Dialogue
from yomikiri.guessing.duel import Duel, DuelAdvice, Rival
from yomikiri.guessing.duel_search import best_duel_guess
from yomikiri.guessing.game import Position
from yomikiri.wording import _
from yomikiri.wording import duel as wording
from yomikiri.wording import guessing as guessing_wording


def run_duel(duel: Duel, rival: Rival, seconds: float, seed: int) -> None:
    """Help the user in a duel: suggest a guess on each of the user's turns. The user types the turns of both players.

    `rival` is the assumed rule by which the opponent chooses guesses. `seconds` limits each search. If there are many
    candidates, the search uses a random sample of them, which `seed` determines.
    """
    dialogue = Dialogue()
    start: Advised[Duel, DuelAdvice] = Advised(duel)
    TerminalSession(dialogue, DuelGame(dialogue, rival, seconds, seed), start).run_loop()


class DuelGame(AdvisedSession[Duel, DuelAdvice]):
    """A duel that the user plays line by line at a terminal. The parameters are those of `run_duel`."""

    can_review = False  # a review compares guesses by how many more are needed, not by the chance of winning

    def __init__(self, dialogue: Dialogue, rival: Rival, seconds: float, seed: int) -> None:
        super().__init__(dialogue, _("Match for one secret"), seconds)
        self.rival, self.seed = rival, seed

    def position(self, state: Advised[Duel, DuelAdvice]) -> Position:
        return state.game.position

    def is_over(self, state: Advised[Duel, DuelAdvice]) -> bool:
        return state.game.is_over

    def opening(self, state: Advised[Duel, DuelAdvice]) -> Sequence[str]:
        return self.lines(state)

    def show(self, state: Advised[Duel, DuelAdvice]) -> Advised[Duel, DuelAdvice]:
        duel, advice = state.game, state.advice
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
        return Advised(duel, advice)
