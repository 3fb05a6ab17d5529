"""A finished game of Hit & Blow as the page shows it, each turn judged; and a position to try again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from yomikiri.budget import Budget
from yomikiri.errors import ContradictionError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.judgement import Judgement, Review, expected, review
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Words
from yomikiri.hitblow.slips import MOST
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import Address, Opened
from yomikiri.web.limits import POLICY
from yomikiri.wording import review as wording


@dataclass(frozen=True, slots=True)
class Card:
    """A turn judged: its number, the position before it, what both guesses did where another was better, and the
    position with the better guess hidden."""

    number: int
    judged: Judgement
    text: str
    told: str
    splits: tuple[view.Split, ...]
    before: str
    again: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A game in review. `unfit` is a code that was found and cannot be the secret, with how many more answers have to
    be wrong for it, 0 where none can be; then there is no review."""

    unfit: str = ""
    slips: int = 0
    review: Review | None = None
    cards: tuple[Card, ...] = ()
    summary: tuple[str, ...] = ()


def judged(
    known: Knowledge, words: Words, lang: str | None, budget: Budget, line_of: Callable[[int], int] = int
) -> Judged:
    """A game that is over, its lines by the number that `line_of` gives each."""
    try:
        result = review(known, POLICY, budget)
    except ContradictionError:
        wrong = len(known.wrong)
        return Judged(known.found, wrong if known.slips.most < wrong <= MOST else 0)
    summary = wording.summary(result.numbered(line_of, result.lines), words, names=False)
    cards = tuple(_card(known, turn, line_of(turn.line), words, lang) for turn in result.turns)
    return Judged(review=result, cards=cards, summary=tuple(summary))


def _card(known: Knowledge, judged: Judgement, number: int, words: Words, lang: str | None) -> Card:
    before = Address(replace(known, facts=known.facts[: judged.line - 1]), words, lang)
    turn = judged.turn
    better = judged.loss != 0 and judged.best.guess != turn.guess
    return Card(
        number,
        judged,
        view.shown(turn, words)[2],
        wording.told(judged, words),
        tuple(view.splits([judged.played, judged.best], words)) if better else (),
        str(before.with_guess(turn.guess)),
        str(replace(before, opened=Opened(attempt=turn.guess))) if better else "",
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
