"""A finished game of Hit & Blow as the page shows it: skill and luck, a card for each turn, how the candidates fell;
and a position to try again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from yomikiri.budget import Budget
from yomikiri.errors import ContradictionError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.judgement import Judgement, expected, review
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import write_answer
from yomikiri.hitblow.rules import Hint, Turn, Words
from yomikiri.hitblow.slips import MOST
from yomikiri.web.hitblow_address import Address
from yomikiri.web.limits import POLICY
from yomikiri.wording import review as wording
from yomikiri.wording import web as web_wording


@dataclass(frozen=True, slots=True)
class Card:
    """A turn judged: what was played and answered, and told where that is another hint, what was better, what that
    cost and the luck, the position before it, and the same position with the best guess hidden where there was a better
    one."""

    number: int
    guess: str
    hint: Hint | None
    text: str
    told: str
    fell: str
    better: str
    cost: str
    luck: str
    href: str
    again: str


def judged(
    known: Knowledge, words: Words, lang: str | None, budget: Budget, line_of: Callable[[int], int] = int
) -> dict[str, Any]:
    """What a game that is over shows of itself, its lines by the number that `line_of` gives each."""
    try:
        result = review(known, POLICY, budget)
    except ContradictionError:
        return unfit(known)
    return {
        "unfit": "",
        "scores": wording.scores(result),
        "cards": [card(known, turn, line_of(turn.line), words, lang) for turn in result.turns],
        "counts": result.counts,
        "summary": list(wording.summary(result.numbered(line_of, result.lines), words, names=False)),
        "legend": wording.legend(),
    }


def unfit(known: Knowledge) -> dict[str, Any]:
    """A code that was found and cannot be the secret, with how many turns have to be wrong for it, if they can be."""
    wrong = len(known.wrong)
    more = wrong if known.slips.most < wrong <= MOST else 0
    return {"unfit": web_wording.unfit(known.found, more), "slips": more, "cards": []}


def card(known: Knowledge, judged: Judgement, number: int, words: Words, lang: str | None) -> Card:
    """One turn judged, under that number."""
    _number, _played, fell, best, cost, luck, chance = wording.row(judged, words)
    better = "" if judged.loss == 0 else best
    turn = judged.turn
    before = Address(replace(known, facts=known.facts[: judged.line - 1]), words, lang)
    return Card(
        number,
        turn.guess,
        turn.hint if isinstance(turn, Turn) else None,
        write_answer(turn, words),
        wording.told(judged, words),
        f"{fell} ({chance})",
        better,
        wording.cost(judged) if better else "",
        luck,
        str(before.with_guess(turn.guess)),
        str(replace(before, attempt=turn.guess)) if better and cost else "",
    )


def attempted(game: Assistant, attempt: str, guess: str) -> str | None:
    """What there is to say of another guess for the one that was played, without naming the best; None before it."""
    if not guess:
        return None
    before, now, best = game.compare(attempt), game.compare(guess), game.advice.proposed
    needed = [expected(each) for each in (before, now, best)]
    if None in needed:
        return wording.tried(guess, now.bits < before.bits, best=now.bits <= best.bits, saved=None)
    played, tried, least = (each for each in needed if each is not None)
    return wording.tried(guess, tried < played, best=tried == least, saved=played - tried)
