"""Corrections of contradictory answers: the smallest sets of turns that can be wrong, and the turns probably meant.

- An *entry* is a turn or another fact, numbered from 1 in the order of the game.
- A *history* is a possible sequence of secrets: one secret for each period between changes of the secret. If the
  secret was never changed, a history contains one secret.
- A *correction* replaces each wrong turn by the turn that the player may have meant.
- The *points* of a mistake say how probable it is: a mistake with twice as many points is twice as probable
  (`wrong_answers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import Codes, answers_to, decode_all, encode, hint_number, numbered_hint, numbers
from yomikiri.hitblow.model.facts import SecretChange
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Fact, Rules, Turn
from yomikiri.hitblow.model.space import fits
from yomikiri.hitblow.model.wrong_answers import guesses_for, hint_points

_MOST = 1 << 17
"""Maximum number of histories: possible sequences of secrets, with one secret for each period between changes."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A correction of contradictory answers: turns that replace wrong ones, and its probability.

    `lines` are the numbers of the wrong turns among all turns and other facts of the game, counted from 1. `turns` are
    the turns that replace them, in the same order. `count` is the number of codes that fit after the correction.
    `share` is the probability that this correction is the right one among all corrections found.
    """

    lines: tuple[int, ...]
    turns: tuple[Turn, ...]
    count: int
    share: float


def repairs(known: Knowledge | Rules | str) -> tuple[Repair, ...]:
    """Return every smallest set of corrected turns that removes the contradiction, the likeliest first.

    The result is empty if the facts do not contradict each other, or if no correction of turns removes the
    contradiction. If a code is the secret, the wrong turns are exactly those that it contradicts. So the search counts
    these turns for each code, and tries the codes with the smallest count first.

    The probability of a correction follows from two things: the relative probabilities of the mistakes that it corrects
    (`wrong_answers`), and the weights of the codes that then fit. A game ends at the guess that finds the secret, so no
    turn before the last is corrected to a win. Only turns with complete answers are corrected. All other facts are
    taken to be right. If the secret was changed, each turn is compared with the secret at that time.

    `known` may also be rules, the name of a preset, or facts as text. Raises an `InputError` for other values.

    >>> repairs("012:0H1B 012:1H1B")[0].turns
    (Turn(guess='012', hint=Hint(hits=0, blows=1)),)
    """
    known = Knowledge.read(known, "known")
    rules = known.rules
    placed, eras, weights = _histories(known)
    turns, numbered = [turn for _line, turn, _era in placed], [line for line, _turn, _era in placed]
    if not turns or not len(weights):
        return ()
    codes = [eras[era] for _line, _turn, era in placed]
    given = np.array([hint_number(rules, turn.hint) for turn in turns])
    answers = np.stack([answers_to(rules, turn.guess, then) for turn, then in zip(turns, codes, strict=True)])
    wrong = answers != given[:, None]
    if not wrong.any(axis=0).all():
        return ()
    won = hint_number(rules, rules.win)
    # Exclude a secret that was guessed before the last turn, because the game would have ended with that guess.
    weights = np.where(((answers == won) & ~wrong)[:-1].any(axis=0), 0, weights)
    for fewest in range(1, len(turns) + 1):
        near = np.flatnonzero((wrong.sum(axis=0) == fewest) & (weights > 0))
        found = []
        # Use `set` and not `np.unique`, because that function imports NumPy's masked arrays, which is slow.
        for lines in np.array(sorted(set(map(tuple, wrong[:, near].T.tolist())))):
            members = near[(wrong[:, near] == lines[:, None]).all(axis=0)]
            ways = [_ways(rules, turns[i], codes[i][members], last=i == len(turns) - 1) for i in np.flatnonzero(lines)]
            found += [(lines, each) for each in _joined(ways, weights[members], numbers(eras[-1][members]))]
        if found:
            break
    total = sum(weight for _lines, (_turns, _count, weight) in found)
    every = (
        Repair(tuple(number for number, one in zip(numbered, lines, strict=True) if one), fixed, count, weight / total)
        for lines, (fixed, count, weight) in found
    )
    return tuple(sorted(every, key=lambda each: (-each.share, -each.count, each.lines, [*map(str, each.turns)])))


def _histories(known: Knowledge) -> tuple[list[tuple[int, Turn, int]], list[Codes], NDArray[np.float64]]:
    """Return the turns, all possible histories of the secret, and the probabilities of these histories.

    A *period* is the part of the game between two changes of the secret, and a *history* contains one possible secret
    for each period.

    Each turn comes with two numbers: its number among all facts of the game, from 1, and its period, from 0. There is
    one array of secrets per period, and row i of every array belongs to history i. Histories satisfy all facts other
    than turns. If there are more than `_MOST` histories, all answers before the last change of the secret are assumed
    to be right. The result then contains only the turns and the secrets after that change.
    """
    first = Knowledge(known.rules, known.absent, prior=known.prior)
    changes = [line for line, fact in enumerate(known.facts, start=1) if isinstance(fact, SecretChange)]
    found = _followed(first, enumerate(known.facts, start=1))
    if found is None:
        later = enumerate(known.facts[changes[-1] :], start=changes[-1] + 1)
        found = _followed(known.start, (each for each in later if isinstance(each[1], Turn)))
    assert found, "without a change there are no more than at first"
    return found


def _followed(
    first: Knowledge, facts: Iterable[tuple[int, Fact]]
) -> tuple[list[tuple[int, Turn, int]], list[Codes], NDArray[np.float64]] | None:
    """Build the possible histories of the secret: one secret for each period between two changes of the secret.

    The first secret of a history is a candidate of `first`, and the later ones follow from the changes in `facts`.
    Returns the turns, one array of secrets for each period, and the probabilities of the histories. Returns None if
    there are more than `_MOST` histories.
    """
    rules, eras, turns = first.rules, [first.candidates], []
    weights = first.chances()
    for line, fact in facts:
        if isinstance(fact, Turn):
            turns.append((line, fact, len(eras) - 1))
            continue
        if isinstance(fact, SecretChange):
            became = [fact.secrets(code, rules) for code in decode_all(rules, eras[-1])]
            times = np.array([len(each) for each in became], dtype=np.int64)
            if times.sum() > _MOST:
                return None
            now = [encode(rules, code) for each in became for code in each]
            kept = np.repeat(np.arange(len(times)), times)
            eras = [codes[kept] for codes in eras] + [np.array(now, dtype=np.uint8).reshape(len(now), rules.digits)]
            weights = weights[kept] / times[kept]
        else:
            fitting = fits(rules, eras[-1], fact)
            eras, weights = [codes[fitting] for codes in eras], weights[fitting]
    return turns, eras, weights


def _ways(rules: Rules, entered: Turn, codes: Codes, *, last: bool) -> Iterator[tuple[Turn, NDArray[np.float64]]]:
    """Yield every turn that a player may have meant when entering a wrong turn, with its relative probabilities.

    Requires that the wrong turn, `entered`, contradicts all `codes`. The yielded turn has another answer or another
    guess. Its relative probabilities have shape (n,): one for each code, if this code is the secret. The probability is
    0 if the yielded turn also contradicts the code. `last` is True for the last turn of the game, the only one that can
    win.
    """
    answers = answers_to(rules, entered.guess, codes)
    for number in np.flatnonzero(np.bincount(answers)).tolist():
        real = numbered_hint(rules, number)
        if last or real != rules.win:
            yield replace(entered, hint=real), (answers == number) * float(hint_points(rules, real, entered.hint))
    if last or entered.hint != rules.win:
        for guess, points in guesses_for(rules, entered.guess):
            turn = replace(entered, guess=guess)
            yield turn, np.where(fits(rules, codes, turn), float(points), 0.0)


def _joined(
    ways: Sequence[Iterable[tuple[Turn, NDArray[np.float64]]]],
    weights: NDArray[np.float64],
    now: NDArray[np.int64],
) -> Iterator[tuple[tuple[Turn, ...], int, float]]:
    """Yield every correction of several wrong turns. A correction replaces each of these turns by a right one.

    The owner may have changed the secret during the game. A *history* is a possible sequence of secrets, one for each
    period between changes. A correction is possible if the replacing turns fit the secrets of at least one history. Its
    relative probability is a sum over all histories that these turns fit.

    Each result has three parts: the replacing turns, the number of different codes that can be the secret now, and the
    relative probability of the correction. `ways` lists the replacements of each wrong turn, each with its relative
    probability in every history. `weights` contains the probabilities of the histories, and `now` the secret at the end
    of each history, packed into an integer.
    """
    if not ways:
        yield (), len(set(now[weights > 0].tolist())), float(weights.sum())
        return
    others = [*map(list, ways[1:])]
    for turn, points in ways[0]:
        if (left := weights * points).any():
            for turns, count, weight in _joined(others, left, now):
                yield (turn, *turns), count, weight
