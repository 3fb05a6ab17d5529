"""A duel for one secret, line by line: `yomikiri hitblow match --shared`."""

from __future__ import annotations

from yomikiri.cli.guess_play import TypedLines, parse_turn
from yomikiri.cli.hitblow_shared import reading
from yomikiri.cli.text import say
from yomikiri.common.errors import N_, TurnError, YomikiriError
from yomikiri.guessing.duel import Duel, DuelAdvice, Rival
from yomikiri.guessing.duel_search import best_duel_guess
from yomikiri.wording import _
from yomikiri.wording import duel as wording
from yomikiri.wording import guessing as guessing_wording


def follow(duel: Duel, rival: Rival, seconds: float, seed: int) -> int:
    """Suggest a guess on the user's turns and read all turns, until the duel is over. Returns the exit status."""
    typed, earlier = TypedLines(), list[Duel]()
    while not duel.is_over:
        advice = None
        if duel.to_move == 0:
            advice = best_duel_guess(duel, rival, reading(), seconds=seconds, seed=seed)
            say(*wording.advice(advice, rival))
        say(guessing_wording.candidates(duel.position))
        after = _next(duel, advice, earlier, typed)
        if after is None:
            return typed.status
        duel = after
        say(*guessing_wording.turns(duel.position))
    say(wording.result(duel))
    return typed.status


def _next(duel: Duel, advice: DuelAdvice | None, earlier: list[Duel], typed: TypedLines) -> Duel | None:
    """Return the duel after the next line, None at the end of the input. Wrong lines change nothing."""
    prompt = _("Answer to {guess}: ").format(guess=advice.guess) if advice else _("Their guess and its answer: ")
    for line in typed.lines(prompt):
        if line == "undo":
            return earlier.pop() if earlier else duel
        if line in ("list", "help"):
            say("\n".join(duel.position.candidates) if line == "list" else wording.help_text(advice))
            continue
        try:
            turn = parse_turn(duel.position, advice.guess if advice else "", line)
            if not turn.guess:
                raise TurnError(N_("{given!r}: needs their guess and its answer, such as {example}"), given=line,
                                example=_example(duel))  # fmt: skip
            after = duel.after(turn)
            after.position.require_candidates()
        except YomikiriError as error:
            typed.refuse(error)
            continue
        earlier.append(duel)
        return after
    return None


def _example(duel: Duel) -> str:
    game = duel.position.game
    return f"{duel.position.candidates[0]} {game.answers.example(game.places)}"
