"""Where no code fits: the fewest turns that may be wrong, what each may have been, and how likely that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from yomikiri.arrays import NDArray, np
from yomikiri.hitblow.codes import Codes, encode, hint_number, hint_table, numbered_hint
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Rules, Turn
from yomikiri.hitblow.slips import guesses_for, hint_points


@dataclass(frozen=True, slots=True)
class Repair:
    """Turns in place of those in `lines` (from 1): how many codes then fit, and how likely this is of all repairs."""

    lines: tuple[int, ...]
    turns: tuple[Turn, ...]
    count: int
    share: float


def repairs(known: Knowledge) -> tuple[Repair, ...]:
    """Return every smallest set of turns that restores consistency, the likeliest first; empty if the facts agree.

    A code disagrees with some turns; a slip in each of them makes it a candidate, so that the fewest turns to change
    are the fewest that any code disagrees with. How likely a repair is follows from the points of its slips
    (`hitblow.slips`) and the weights of the codes that then fit. The game would have ended at a guess that was the
    secret: no repair says that of a turn before the last. Facts that are no turns hold, and so does what was known
    before the secret was changed.

    >>> repairs(Knowledge.parse("012:0H1B 012:1H1B"))[0].turns
    (Turn(guess='012', hint=Hint(hits=0, blows=1)),)
    """
    codes, turns, rules = known.start.candidates, known.played, known.rules
    if not turns or not len(codes):
        return ()
    guesses = np.array([encode(rules, turn.guess) for turn in turns])
    given = np.array([hint_number(rules, turn.hint) for turn in turns])
    answers = hint_table(guesses, codes)
    wrong = answers != given[:, None]
    if not wrong.any(axis=0).all():
        return ()
    won = hint_number(rules, rules.win)
    weights = np.ones(len(codes), dtype=np.int64) if known.start.weights is None else known.start.weights
    weights = np.where(((answers == won) & ~wrong)[:-1].any(axis=0), 0, weights)  # the game would have ended there
    for fewest in range(1, len(turns) + 1):
        near = np.flatnonzero((wrong.sum(axis=0) == fewest) & (weights > 0))
        found = []
        for lines in np.unique(wrong[:, near], axis=1).T:
            members = near[(wrong[:, near] == lines[:, None]).all(axis=0)]
            ways = [_ways(rules, turns[i], codes[members], last=i == len(turns) - 1) for i in np.flatnonzero(lines)]
            found += [(lines, each) for each in _joined(ways, weights[members].astype(np.float64))]
        if found:
            break
    numbers = [line for line, fact in enumerate(known.facts, start=1) if isinstance(fact, Turn)][-len(turns) :]
    total = sum(weight for _lines, (_turns, _count, weight) in found)
    every = (
        Repair(tuple(number for number, one in zip(numbers, lines, strict=True) if one), told, count, weight / total)
        for lines, (told, count, weight) in found
    )
    return tuple(sorted(every, key=lambda each: (-each.share, -each.count, each.lines, [*map(str, each.turns)])))


def _ways(rules: Rules, told: Turn, codes: Codes, *, last: bool) -> Iterator[tuple[Turn, NDArray[np.float64]]]:
    """What may have been told as a turn with which all of the codes disagree, with its points for each code as the
    secret: shape (n,), 0 where it was not this."""
    answers = hint_table(encode(rules, told.guess)[None, :], codes)[0]
    for number in np.unique(answers).tolist():
        real = numbered_hint(rules, number)
        if last or real != rules.win:
            yield replace(told, hint=real), (answers == number) * float(hint_points(rules, real, told.hint))
    if last or told.hint != rules.win:
        for guess, points in guesses_for(rules, told.guess):
            fitting = hint_table(encode(rules, guess)[None, :], codes)[0] == hint_number(rules, told.hint)
            yield replace(told, guess=guess), fitting * float(points)


def _joined(
    ways: Sequence[Iterable[tuple[Turn, NDArray[np.float64]]]], weights: NDArray[np.float64]
) -> Iterator[tuple[tuple[Turn, ...], int, float]]:
    """One way for each line, together: the turns, how many codes then fit, and the weight of these with the points."""
    if not ways:
        yield (), int(np.count_nonzero(weights)), float(weights.sum())
        return
    others = [*map(list, ways[1:])]
    for turn, points in ways[0]:
        if (left := weights * points).any():
            for turns, count, weight in _joined(others, left):
                yield (turn, *turns), count, weight
