"""Sentences of duels for one secret, in the current language."""

from __future__ import annotations

from collections.abc import Iterator

from yomikiri.common.errors import N_
from yomikiri.guessing.duel import Duel, DuelAdvice, Rival
from yomikiri.wording import _, joined, ngettext
from yomikiri.wording.hitblow import percent

_RIVALS = {
    Rival.PERFECT: N_("Against a perfect opponent you win {win} of the time, and lose {lose}."),
    Rival.CONSISTENT: N_(
        "Against an opponent who guesses random candidates you win {win} of the time, and lose {lose}."
    ),
    Rival.ENTROPY: N_("Against an opponent who narrows down the most you win {win} of the time, and lose {lose}."),
    Rival.OPTIMAL: N_(
        "Against an opponent with the fewest guesses on average you win {win} of the time, and lose {lose}."
    ),
}


def advice(advice: DuelAdvice, rival: Rival) -> Iterator[str]:
    """Yield the suggested guess, and the chances of winning, losing and a draw with it."""
    count = advice.candidates
    text = ngettext("Guess {guess} ({count} candidate).", "Guess {guess} ({count} candidates).", count)
    yield text.format(guess=advice.guess, count=count)
    chances = _(_RIVALS[rival]).format(win=percent(advice.win), lose=percent(advice.lose))
    if advice.draw:
        chances = joined(chances, _("The chance of a draw is {draw}.").format(draw=percent(advice.draw)))
    yield chances
    if advice.sampled:
        text = _("Estimated: as if both guess candidates only, from a sample of {sampled} candidates.")
        yield text.format(sampled=advice.sampled)
    elif not advice.is_exact:
        yield _("Estimated: as if both guess candidates only.")


def their_turn(duel: Duel) -> str:
    """Return the prompt for the opponent's guess and its answer."""
    count = len(duel.position.candidates)
    text = ngettext("Their turn ({count} candidate): type their guess and its answer.",
                    "Their turn ({count} candidates): type their guess and its answer.", count)  # fmt: skip
    return text.format(count=count)


def result(duel: Duel) -> str:
    """Return the sentence on the result of a duel: who has won, or that it is a draw."""
    if duel.winner is None:
        return _("Nobody found the secret: a draw.")
    code = duel.position.turns[-1].guess
    text = _("You found {code}: you win.") if duel.winner == 0 else _("They found {code}: you lose.")
    return text.format(code=code)
