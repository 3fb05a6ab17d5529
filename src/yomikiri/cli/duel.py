"""A duel, a match of two players for one secret: `yomikiri hitblow match --shared` and `yomikiri guess match`."""

from __future__ import annotations

from yomikiri.cli.guess_play import COMMANDS, TypedLines, answer_inputs, parse_typed_turn
from yomikiri.cli.hitblow_shared import search_budget
from yomikiri.cli.text import say
from yomikiri.common.errors import N_, TurnError, YomikiriError
from yomikiri.guessing.duel import Duel, DuelAdvice, Rival
from yomikiri.guessing.duel_search import best_duel_guess
from yomikiri.guessing.game import Observation
from yomikiri.hitblow.model.entries import all_but_last
from yomikiri.wording import _
from yomikiri.wording import duel as wording
from yomikiri.wording import guessing as guessing_wording


def follow(duel: Duel, rival: Rival, seconds: float, seed: int) -> int:
    """Help the user in a duel, and return the exit status.

    On each of the user's turns, print a suggested guess. The user types the turns of both players. `rival` is the
    assumed rule by which the opponent chooses guesses. The function ends when the duel is over, at `quit`, and at the
    end of the input.
    """
    typed, earlier = TypedLines(duel.position.game, COMMANDS), list[Duel]()
    while not duel.is_over:
        advice = None
        if duel.to_move == 0:
            advice = best_duel_guess(duel, rival, search_budget(), seconds=seconds, seed=seed)
            say(*wording.advice(advice, rival))
        else:
            say(wording.their_turn(duel))
        say(guessing_wording.candidates(duel.position))
        after = _next(duel, advice, earlier, typed)
        if after is None:
            return typed.status
        duel = after
        say(*guessing_wording.turns(duel.position))
    say(wording.result(duel))
    return typed.status


def _next(duel: Duel, advice: DuelAdvice | None, earlier: list[Duel], typed: TypedLines) -> Duel | None:
    """Return the duel after the next turn or `undo`; None at `quit` and at the end of the input.

    Invalid lines are reported and skipped. `earlier` contains the duels that `undo` returns to, the latest last.
    """
    prompt = _("Answer to {guess}: ").format(guess=advice.guess) if advice else _("Their guess and its answer: ")
    inputs = [(_example(duel), _("their guess and its answer"))]
    if advice:
        inputs = answer_inputs(duel.position, advice.guess)
    while entry := typed.read(prompt, inputs):
        name, line = entry
        try:
            if name == "undo":
                earlier[:], last = all_but_last(tuple(earlier)), earlier[-1:]
                return last[0]
            if name == "list":
                say("\n".join(duel.position.candidates))
                continue
            after = duel.after(_turn(duel, advice, line))
            after.position.require_candidates()
        except YomikiriError as error:
            typed.refuse(error)
            continue
        earlier.append(duel)
        return after
    return None


def _turn(duel: Duel, advice: DuelAdvice | None, line: str) -> Observation:
    """Return the turn that a line means: an answer to the guess of `advice`, or a guess with its answer.

    Raises an `InputError`.
    """
    turn = parse_typed_turn(duel.position, advice.guess if advice else "", line)
    if not turn.guess:
        raise TurnError(N_("{given!r}: needs their guess and its answer, such as {example}"), given=line,
                        example=_example(duel))  # fmt: skip
    return turn


def _example(duel: Duel) -> str:
    game = duel.position.game
    return f"{duel.position.candidates[0]} {game.answers.example(game.places)}"
