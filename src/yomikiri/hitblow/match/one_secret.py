"""A match for one secret that both players look for: the first to find it wins, and both see all answers."""

from __future__ import annotations

from yomikiri.common.errors import N_, Choices, InputError
from yomikiri.guessing.answers import HITS_BLOWS
from yomikiri.guessing.duel import Duel, Rival
from yomikiri.guessing.game import Game, Observation
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.model.codes import all_guesses, decode
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.model.space import or_ones


def duel_of(match: Match, turn_limit: int | None = None) -> Duel:
    """Convert a match to a *duel*, in which both players look for the same secret and see all answers.

    The rules, the weights of the codes, the first player and the turns are those of the match. The duel is a draw after
    `turn_limit` guesses of both players together, or never if the limit is None. Raises an `InputError` for a fact of
    the match that is not a turn, because such a fact is about the secret of one player.
    """
    start, rules = match.known(Side.ME).start, match.rules
    weights = or_ones(start.weights, start.count).tolist()
    secrets = dict(zip((decode(rules, code) for code in start.candidates), weights, strict=True))
    game = Game(secrets, dict.fromkeys(decode(rules, code) for code in all_guesses(rules)), HITS_BLOWS)
    duel = Duel(game.start, int(match.first is Side.OPPONENT), turn_limit)
    for fact in match.facts:
        if not isinstance(fact, Turn):
            raise InputError(N_("{given!r} with one secret for both: expected GUESS:ANSWER"), given=str(fact))
        duel = duel.after(Observation(game.code(fact.guess), f"{fact.hint.hits}H{fact.hint.blows}B"))
    return duel


def rival_named(name: str) -> Rival:
    """Return the model of the opponent for a duel by its name. Raises an `InputError` for an unknown name."""
    if name not in list(Rival):
        known = Choices(", ".join(Rival))
        raise InputError(
            N_("opponent {given!r} with one secret for both: expected one of {known}"), given=name, known=known
        )
    return Rival(name)
