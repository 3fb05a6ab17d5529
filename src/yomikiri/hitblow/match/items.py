"""Items in a match: special actions of Numer0n, and the one that gives the greatest chance of winning.

The chance is computed against the *pace* of the opponent: the distribution of the number of guesses, from now on, until
they find the player's secret. A *use* is an item with the digit or the place that it concerns. HIGH&LOW, SLASH and
TARGET are the *asking* items: their answer splits the player's candidates. SHUFFLE and CHANGE slow down the opponent,
who knows less about the new secret. DOUBLE gives the player two guesses before the opponent's next one, and reveals one
digit of the player's secret to the opponent, at the place that is worst for the player. Each use is valued as if no
other item followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.hitblow.advice.items import (
    ASKING,
    ItemAdvice,
    Items,
    Use,
    answer,
    answers,
    chosen,
    distinct_uses,
    informative_uses,
    item_of,
)
from yomikiri.hitblow.advice.items import advise as advise_on_board
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Learned, Match, Side
from yomikiri.hitblow.match.valuation import BestResponse
from yomikiri.hitblow.model.codes import decode
from yomikiri.hitblow.model.facts import CLASSES, At, Changed, Double, Pass, SecretChange, Shuffle
from yomikiri.hitblow.model.labels import Item, UseMeasure
from yomikiri.hitblow.model.rules import Fact
from yomikiri.hitblow.race.finish import Pace

_WEIGHED = 1 << 19
"""Limit on the number of (candidate, guess) pairs up to which items are compared by the chance of winning after them.

Items are special actions of the game Numer0n, such as SLASH. Above the limit, a quicker measure compares them.
The standard game is below the limit, and takes a second with all items.
"""


def advise(match: Match, advisor: Advisor, items: Items, budget: Budget = UNLIMITED) -> ItemAdvice | None:
    """Return the advice on the item to play next in a match, or None if the player has no choice.

    *Items* are special actions of the game Numer0n besides guessing. A *use* of an item is the item with the digit or
    the place that it concerns. Normally the advice compares all uses of all items by the chance of winning after them.
    If that takes too much work or time, it only compares the items that ask about the opponent's secret, by the
    expected number of further guesses or by the entropy of the candidates that remain. The limit on work is a number of
    (candidate, guess) pairs, so that it has the same effect on every machine. If the budget ends before all uses are
    compared, the field `late` of the advice is True. Raises `ContradictionError`.
    """
    known = match.known(Side.ME)
    if not items.playable or known.count <= 1:
        return None
    late = False
    if known.count * known.rules.guess_count <= _WEIGHED and advisor.unweighed(match) is None:
        try:
            return _ItemEvaluator(advisor, items.takes_turn, budget).advice(match.resolved, items.playable)
        except Stopped:
            late = True
    asking = tuple(item for item in items.left if item in ASKING)
    found = advise_on_board(known, replace(items, left=asking), budget)
    return replace(found, late=True) if found and late else found


def played_by_me(match: Match) -> Sequence[Fact | None]:
    """Return the facts of a match for `Items.now`, which finds the items that the player has used.

    An *item* is a special action of the game Numer0n. The list has one element for each turn or other fact of the
    match:

    - the fact itself, if it is the answer to an item of the player, or the effect of such an item.
    - the fact itself, if it ends a turn of either side: a guess or a pass. `Items.now` uses it to find out if
      the player has used an item in the present turn.
    - None for any other fact, for example the answer to an item of the opponent. Another example is a digit
      that the opponent reveals for the item DOUBLE, which gives the opponent two guesses in one turn.
    """
    return [_played(match, line, fact) for line, fact in enumerate(match.facts)]


def _played(match: Match, line: int, fact: Fact) -> Fact | None:
    content = fact.fact if isinstance(fact, Learned) else fact
    if match.owner(line) is not match.owner(line + 1):
        return content
    if player(fact) is not Side.ME or (isinstance(content, At) and match.owner(line) is not Side.ME):
        return None  # Skip items of the opponent, and a digit that the opponent had to reveal for the item DOUBLE.
    return content


def player(line: Fact) -> Side | None:
    """Return the side that played a Numer0n item, or None if the fact `line` is not about one.

    For a change of a secret, this is the owner of the secret. For any other item, it is the side that learned the
    answer.
    """
    if not isinstance(line, Learned) or item_of(line.fact) is None:
        return None
    return line.side.other if isinstance(line.fact, SecretChange) else line.side


class _ItemEvaluator:
    """Evaluation of the player's items in a match, by the chance of winning after each possible use of an item.

    Items are special actions of the game Numer0n besides guessing, such as SHUFFLE.
    """

    def __init__(self, advisor: Advisor, takes_turn: bool, budget: Budget) -> None:
        self._advisor, self._takes_turn, self._budget = advisor, takes_turn, budget
        self._errors: set[float] = set()
        """The standard errors of all sampled finish distributions of the opponent. The advice states the greatest."""

    def advice(self, match: Match, items: tuple[Item, ...]) -> ItemAdvice:
        pace = self._advisor.pace(match, self._budget)
        values = [(float(win), use) for use, win in self._uses(match, items, pace)]
        found = chosen(values, float(self._win(match, pace)), UseMeasure.WIN, takes_turn=self._takes_turn)
        return replace(found, error=max(self._errors))

    def _uses(self, match: Match, items: tuple[Item, ...], pace: Pace) -> Iterator[tuple[Use, Fraction]]:
        """Yield each possible use of an item, and the chance of winning after it.

        An *item* is a special action of the game Numer0n. A use is the item alone, such as SHUFFLE, or with the digit
        that it asks for, or with the place of the digit that it changes.
        """
        if Item.DOUBLE in items:
            yield Use(Item.DOUBLE), self._doubled(match)
        if Item.SHUFFLE in items:
            yield Use(Item.SHUFFLE), self._changed(match, Shuffle())
        if Item.CHANGE in items:
            for place in range(1, match.own_rules.digits + 1):
                if (win := self._changed_at(match, place, pace)) is not None:
                    yield Use(Item.CHANGE, place=place), win
        known = match.known(Side.ME)
        for use in distinct_uses(known, informative_uses(known, items)):
            yield use, self._answered(match, use, pace)

    def _win(self, match: Match, pace: Pace) -> Fraction:
        self._errors.add(pace.error)
        return BestResponse(match, pace, self._budget).standing()

    def _answered(self, match: Match, use: Use, pace: Pace) -> Fraction:
        """Return the player's chance of winning after an action, such as SLASH, that asks about the opponent's secret.

        The chance is an average over the possible answers.
        """
        known = match.known(Side.ME)
        numbers = answers(use, known.rules, known.candidates)
        won = Fraction(0)
        for number in set(numbers.tolist()):
            first = decode(known.rules, known.candidates[(numbers == number).argmax()])
            later = self._played(match.learn(Side.ME, answer(use, first)))
            cases = known.cases(numbers == number)
            won += Fraction(cases, known.total) * self._win(later, pace)
        return won

    def _changed(self, match: Match, change: Fact) -> Fraction:
        """Return the player's chance of winning after the player's secret changes by SHUFFLE or CHANGE.

        `change` is the fact that the opponent learns. The new secret may be any code that fits the opponent's
        knowledge.
        """
        later = self._played(match.learn(Side.OPPONENT, change))
        return self._win(later, self._advisor.pace(later, self._budget))

    def _changed_at(self, match: Match, place: int, pace: Pace) -> Fraction | None:
        """Return the player's chance of winning after the action CHANGE, which replaces the secret's digit at `place`.

        If the player's secret is unknown, the chance is an average over the codes that it can be from the opponent's
        point of view. If CHANGE cannot replace this digit in a code, the code stays as it is. Returns None if CHANGE
        cannot replace this digit in any of the codes.
        """
        theirs, rules = match.known(Side.OPPONENT), match.own_rules
        codes = [match.secret] if match.secret else theirs.codes()
        able: dict[str, list[str]] = {}
        for code in codes:
            letters = next(name for name, digits in CLASSES.items() if code[place - 1] in digits)
            if Changed(letters, place).secrets(code, rules):
                able.setdefault(letters, []).append(code)
        if not able:
            return None
        whole, won = sum(map(theirs.weight, codes)), Fraction(0)
        left = whole
        for letters, able_codes in able.items():
            cases = sum(map(theirs.weight, able_codes))
            won += cases * self._changed(match, Changed(letters, place))
            left -= cases
        return (won + left * self._win(match, pace) if left else won) / whole

    def _played(self, match: Match) -> Match:
        """Return the match after the player has played an item, a special action of the game Numer0n.

        If the item is played instead of a guess, a pass is added, which ends the player's turn.
        """
        return match.learn(Side.ME, Pass()) if self._takes_turn else match

    def _doubled(self, match: Match) -> Fraction:
        """Return the player's chance of winning after the action DOUBLE, which gives two guesses in one turn.

        In return, one digit of the player's secret is revealed. The opponent chooses the place that is worst for the
        player.
        """
        later = match.learn(Side.ME, Double())
        return min(self._shown(later, place) for place in range(1, match.own_rules.digits + 1))

    def _shown(self, match: Match, place: int) -> Fraction:
        """Return the player's chance of winning after the player has revealed one digit of the player's own secret.

        `place` is the place of the digit, counted from 1. If the player's secret is unknown, the chance is an
        average over the possible digits.
        """
        theirs, won = match.known(Side.OPPONENT), Fraction(0)
        for symbol in match.secret[place - 1 : place] or match.own_rules.symbols:
            matching = theirs.candidates[:, place - 1] == match.own_rules.symbols.index(symbol)
            if matching.any():
                share = 1 if match.secret else Fraction(theirs.cases(matching), theirs.total)
                pace = self._advisor.opponent.pace(theirs.after(At(symbol, place)), match.secret, self._budget)
                won += share * self._win(match, pace)
        return won
