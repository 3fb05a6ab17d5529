"""Where no code fits: the fewest turns that may be wrong, what each may have been, and how likely that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import Codes, answers_to, decode_all, encode, hint_number, numbered_hint, numbers
from yomikiri.hitblow.model.facts import Change
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Fact, Rules, Turn
from yomikiri.hitblow.model.space import fits
from yomikiri.hitblow.model.wrong_answers import guesses_for, hint_points

_MOST = 1 << 17  # ways in which the secret may have been changed


@dataclass(frozen=True, slots=True)
class Repair:
    """Turns in place of those in `lines` (from 1): how many codes then fit, and how likely this is of all repairs."""

    lines: tuple[int, ...]
    turns: tuple[Turn, ...]
    count: int
    share: float


def repairs(known: Knowledge | Rules | str) -> tuple[Repair, ...]:
    """Return every smallest set of turns that restores consistency, the likeliest first; empty if the facts agree.

    A code disagrees with some turns; a slip in each of them makes it a candidate, so that the fewest turns to change
    are the fewest that any code disagrees with. How likely a repair is follows from the points of its slips
    (`hitblow.slips`) and the weights of the codes that then fit. The game would have ended at a guess that was the
    secret: no repair says that of a turn before the last. Facts that are no turns hold. Where the secret was changed, a
    turn is compared with what it was then.

    `known` may also be rules, the name of a preset, or facts as text. Raises an `InputError`.

    >>> repairs("012:0H1B 012:1H1B")[0].turns
    (Turn(guess='012', hint=Hint(hits=0, blows=1)),)
    """
    known = Knowledge.read(known, "known")
    rules = known.rules
    told, eras, weights = _histories(known)
    turns, numbered = [turn for _line, turn, _era in told], [line for line, _turn, _era in told]
    if not turns or not len(weights):
        return ()
    codes = [eras[era] for _line, _turn, era in told]
    given = np.array([hint_number(rules, turn.hint) for turn in turns])
    answers = np.stack([answers_to(rules, turn.guess, then) for turn, then in zip(turns, codes, strict=True)])
    wrong = answers != given[:, None]
    if not wrong.any(axis=0).all():
        return ()
    won = hint_number(rules, rules.win)
    weights = np.where(((answers == won) & ~wrong)[:-1].any(axis=0), 0, weights)  # the game would have ended there
    for fewest in range(1, len(turns) + 1):
        near = np.flatnonzero((wrong.sum(axis=0) == fewest) & (weights > 0))
        found = []
        # Not `np.unique`, here and below: it loads the masked arrays of numpy.
        for lines in np.array(sorted(set(map(tuple, wrong[:, near].T.tolist())))):
            members = near[(wrong[:, near] == lines[:, None]).all(axis=0)]
            ways = [_ways(rules, turns[i], codes[i][members], last=i == len(turns) - 1) for i in np.flatnonzero(lines)]
            found += [(lines, each) for each in _joined(ways, weights[members], numbers(eras[-1][members]))]
        if found:
            break
    total = sum(weight for _lines, (_turns, _count, weight) in found)
    every = (
        Repair(tuple(number for number, one in zip(numbered, lines, strict=True) if one), told, count, weight / total)
        for lines, (told, count, weight) in found
    )
    return tuple(sorted(every, key=lambda each: (-each.share, -each.count, each.lines, [*map(str, each.turns)])))


def _histories(known: Knowledge) -> tuple[list[tuple[int, Turn, int]], list[Codes], NDArray[np.float64]]:
    """The turns, each with its line and with how many changes of the secret came before it; and what the secret may
    have been all along where every other fact holds: before the first change, after it and so on, and how likely.

    Where that would be too much, what came before the last change is taken to be true.
    """
    first = Knowledge(known.rules, known.absent, prior=known.prior)
    changes = [line for line, fact in enumerate(known.facts, start=1) if isinstance(fact, Change)]
    found = _followed(first, enumerate(known.facts, start=1))
    if found is None:
        later = enumerate(known.facts[changes[-1] :], start=changes[-1] + 1)
        found = _followed(known.start, (each for each in later if isinstance(each[1], Turn)))
    assert found, "without a change there are no more than at first"
    return found


def _followed(
    first: Knowledge, facts: Iterable[tuple[int, Fact]]
) -> tuple[list[tuple[int, Turn, int]], list[Codes], NDArray[np.float64]] | None:
    """The same from what is known at first; None where it would be too much."""
    rules, eras, turns = first.rules, [first.candidates], []
    weights = first.chances()
    for line, fact in facts:
        if isinstance(fact, Turn):
            turns.append((line, fact, len(eras) - 1))
            continue
        if isinstance(fact, Change):
            became = [fact.secrets(code, rules) for code in decode_all(rules, eras[-1])]
            times = np.array([len(each) for each in became], dtype=np.int64)
            if times.sum() > _MOST:
                return None
            now = [encode(rules, code) for each in became for code in each]
            kept = np.repeat(np.arange(len(times)), times)
            eras = [codes[kept] for codes in eras] + [np.array(now, dtype=np.uint8).reshape(len(now), rules.digits)]
            weights = weights[kept] / times[kept]
        else:
            held = fits(rules, eras[-1], fact)
            eras, weights = [codes[held] for codes in eras], weights[held]
    return turns, eras, weights


def _ways(rules: Rules, told: Turn, codes: Codes, *, last: bool) -> Iterator[tuple[Turn, NDArray[np.float64]]]:
    """What may have been told as a turn with which all of the codes disagree, with its points for each code as the
    secret: shape (n,), 0 where it was not this."""
    answers = answers_to(rules, told.guess, codes)
    for number in np.flatnonzero(np.bincount(answers)).tolist():
        real = numbered_hint(rules, number)
        if last or real != rules.win:
            yield replace(told, hint=real), (answers == number) * float(hint_points(rules, real, told.hint))
    if last or told.hint != rules.win:
        for guess, points in guesses_for(rules, told.guess):
            turn = replace(told, guess=guess)
            yield turn, np.where(fits(rules, codes, turn), float(points), 0.0)


def _joined(
    ways: Sequence[Iterable[tuple[Turn, NDArray[np.float64]]]],
    weights: NDArray[np.float64],
    now: NDArray[np.int64],
) -> Iterator[tuple[tuple[Turn, ...], int, float]]:
    """One way for each line, together: the turns, how many codes then fit, and the weight of these with the points.

    `now` are the codes that the secret may be in the end, by number.
    """
    if not ways:
        yield (), len(set(now[weights > 0].tolist())), float(weights.sum())
        return
    others = [*map(list, ways[1:])]
    for turn, points in ways[0]:
        if (left := weights * points).any():
            for turns, count, weight in _joined(others, left, now):
                yield (turn, *turns), count, weight
