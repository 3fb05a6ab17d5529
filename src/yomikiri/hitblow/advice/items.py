"""Advice on the unused items (special actions) of Numer0n: whether to use one before the next guess, and which.

HIGH&LOW, SLASH and TARGET ask for information about the secret. A player uses at most one of the three before the guess
of a turn, and each at most once in a game. The answer to an item is a fact, so the value of an item follows from the
candidates that each answer leaves.

A small set of candidates is searched exactly if no turn can be wrong. The best choice has the smallest number of
guesses, summed over all candidates, where each candidate counts by its weight. For a set S of candidates and a set I of
unused items, `turn` is this sum at the start of a turn, and `guess` the sum if the player now guesses:

    turn(S, I)   = minimum of  guess(S, I)  and, for each item of I and each use of it,
                   the sum of guess(A, I - item) over the sets A of candidates with equal answers to the item
    guess(S, I)  = minimum over guesses of  the weight of S  plus  the sum of turn(C, I) over the sets C of candidates
                   with equal answers to the guess, without the win

The weight of S is the sum of the weights of its candidates. If an item replaces the guess of its turn, its use costs
the weight of S, like a guess, and the next turn follows: turn(A, I - item) replaces guess(A, I - item).

In all other cases, an item is valued by the entropy that remains after its answer and after the answer to the best
guess that follows in the same turn. The items that change the player's own secret, and DOUBLE, have a value in a match
only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, Choices, InputError, RulesError
from yomikiri.common.lazy import NDArray, np
from yomikiri.guessing.free_questions import FreeQuestion, QuestionSearch
from yomikiri.hitblow.model.codes import all_guesses, cell_sizes, decode, hint_places, hint_table
from yomikiri.hitblow.model.facts import HIGH, Absent, At, Changed, Double, High, NamedFact, Pass, Shuffle, Slash
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item, UseMeasure
from yomikiri.hitblow.model.notation import TARGET
from yomikiri.hitblow.model.rules import Answered, Fact, Repeats, Rules
from yomikiri.hitblow.model.space import or_ones, spreads
from yomikiri.hitblow.policies.base import require_candidates
from yomikiri.hitblow.search.symmetry.equivalent import start_symmetry

# largest number of candidates for the exact search of the best use of Numer0n items
_SEARCHED = 60
_COMPARED = 1 << 21  # limit on compared guesses, about 1 s; a limit on work gives the same result on every machine
_EVALUATED = 1 << 26  # largest number of scored (guess, candidate) pairs


ASKING = (Item.HIGH, Item.SLASH, Item.TARGET)
_FACTS_OF: dict[Item, tuple[type[NamedFact], ...]] = {
    Item.HIGH: (High,),
    Item.SLASH: (Slash,),
    Item.TARGET: (At, Absent),
    Item.SHUFFLE: (Shuffle,),
    Item.CHANGE: (Changed,),
    Item.DOUBLE: (Double,),
}


@dataclass(frozen=True, slots=True)
class Items:
    """The player's unused items, and the use of items in the current turn.

    An *item* is a special action in the game Numer0n, such as SLASH. An *entry* is a turn or another fact of the game.
    - `left`: the items unused after the first `since` entries of the game; `now` subtracts those used in later entries.
    - `takes_turn`: True if an item replaces the guess of its turn.
    - `played`: True if the player used an item in the current turn.
    - `used`: items that were used but whose answer is not an entry of the game.
    """

    left: tuple[Item, ...] = ()
    takes_turn: bool = False
    since: int = 0
    played: bool = False
    used: tuple[Item, ...] = ()

    @classmethod
    def parse(cls, text: str, rules: Rules, takes_turn: bool = False, known: Sequence[Item] = tuple(Item)) -> Items:
        """Parse the names of Numer0n items, separated by commas, such as `high,slash,target`.

        Only the items in `known` are accepted. Raises an `InputError` for other names.
        """
        left = []
        for name in re.split(r"[\s,、]+", fold(text).strip()):
            item = next((item for item in Item if name in (item, *(map(fold, _FACTS_OF[item][0].also)))), None)
            if name in TARGET:
                item = Item.TARGET
            if item not in known or item in left:
                listed = Choices(", ".join(known))
                raise InputError(
                    N_("items {given!r}: expected items from {known}, each at most once"), given=text, known=listed
                )
            left.append(item)
        if not rules.symbols.isdecimal():
            raise RulesError(N_("items need a game of digits: the symbols are {symbols}"), symbols=rules.symbols)
        if Item.TARGET in left and rules.repeats is Repeats.ALL:
            raise RulesError(N_("TARGET needs secrets of different digits: leave it out"))
        return cls(tuple(item for item in Item if item in left), takes_turn)

    @classmethod
    def from_options(
        cls, names: str, takes_turn: bool, rules: Rules, lines: int, known: Sequence[Item] = tuple(Item)
    ) -> Items:
        """Return the unused Numer0n items of a player, after `lines` turns and other facts.

        `names` are the names of these items, separated by commas, or an empty text for no items. `takes_turn` is True
        if the use of an item takes the place of a guess. `known` are the items that may be named. Raises an
        `InputError` for any other name.
        """
        items = cls.parse(names, rules, takes_turn, known) if names else cls(takes_turn=takes_turn)
        return replace(items, since=lines) if items != cls() else items

    def now(self, lines: Sequence[Fact | None]) -> Items:
        """Return the Numer0n items that remain after the turns and other facts of a game.

        `lines` contains the entries of the game. Each entry is a fact about the opponent's secret, a change of the
        player's own secret, a guess, a pass, or None. A guess or a pass ends a turn.

        An entry may be the answer or the effect of an item. If such an entry comes after the first `since` entries, its
        item is removed from `left`. For the first `since` entries, `left` is already up to date: it does not contain
        the items that they used. In both cases, `played` in the result is True if an item was used since the last guess
        or pass, but did not replace a guess.
        """
        left, played = [*self.left], self.played
        for line, fact in enumerate(lines):
            if isinstance(fact, Answered | Pass):
                played = False
                continue
            item = item_of(fact)
            if item and (item in left) == (line >= self.since):
                played = played or not self.takes_turn or item is Item.DOUBLE
                if item in left:
                    left.remove(item)
        return Items(tuple(left), self.takes_turn, len(lines), played, self.used)

    def without_line(self, fact: Fact) -> Items:
        """Return the items after `fact`, an absent symbol that is given before all other facts of the game.

        The game does not list such a symbol among its facts. It can be the answer to a Numer0n item, so `now` would not
        find this use of the item. Therefore the item is recorded in `used`.
        """
        now = self.now([fact])
        return replace(now, since=0, used=tuple(item for item in self.left if item not in now.left))

    def fresh(self) -> Items:
        """Return the Numer0n items as they are at the start of a game: all unused."""
        return Items(tuple(item for item in Item if item in self.left + self.used), self.takes_turn)

    @property
    def playable(self) -> tuple[Item, ...]:
        """The Numer0n items that the player may use now, before the next guess."""
        return () if self.played else self.left


NO_ITEMS = Items()


def item_of(fact: Fact | None) -> Item | None:
    """Return the item (a special action in Numer0n) whose answer or effect is `fact`, or None for any other fact."""
    return next((item for item in Item if isinstance(fact, _FACTS_OF[item])), None)


@dataclass(frozen=True, slots=True)
class Use:
    """A Numer0n item with its argument: a symbol for TARGET, a place for CHANGE."""

    item: Item
    symbol: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class ItemAdvice:
    """The advice to use a Numer0n item, or to use no item (`use` is None).

    - `measure`: the unit of the values, such as expected guesses.
    - `value`: the value of the turn with the item; `without`: its value without any item.
    - `guess`: the best guess without an item, if the search determined it. If it is empty, the guess that the policy
      suggests is used.
    - `others`: the other uses with their values, the best first.
    - `takes_turn`: True if the item replaces the guess of the turn.
    - `error`: the standard error of the values, 0 unless they were sampled.
    - `late`: True if the time ran out during the search for better values. The values then come from a quicker method,
      and are usually in bits. If that method is used only because the position is too large, `late` is False.
    """

    use: Use | None
    measure: UseMeasure
    value: float
    without: float
    guess: str = ""
    others: tuple[tuple[Use, float], ...] = ()
    takes_turn: bool = False
    error: float = 0.0
    late: bool = False


def answers(use: Use, rules: Rules, candidates: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return a number for the answer of each candidate to the use of an item: shape (n,).

    Candidates that give the same answer have the same number. An *item* is a special action in Numer0n, such as SLASH.
    """
    if use.item is Item.TARGET:
        there = candidates == rules.symbols.index(use.symbol)
        return np.where(there.any(axis=1), there.argmax(axis=1) + 1, 0)
    digits = np.array([int(symbol) for symbol in rules.symbols])[candidates]
    if use.item is Item.SLASH:
        return np.asarray(digits.max(axis=1) - digits.min(axis=1))
    return np.asarray((digits >= int(HIGH[0])) @ (1 << np.arange(rules.digits)))


def answer(use: Use, code: str) -> Fact:
    """Return the answer to the use of an item, such as SLASH, if `code` is the secret."""
    match use.item:
        case Item.TARGET:
            return At(use.symbol, code.index(use.symbol) + 1) if use.symbol in code else Absent(use.symbol)
        case Item.SLASH:
            return Slash.of(code)
    return High.of(code)


def informative_uses(known: Knowledge, items: tuple[Item, ...]) -> list[Use]:
    """Return the uses of items, such as SLASH, that ask about the secret and whose answer is not known yet.

    TARGET asks for a symbol, so it has a use for each symbol, in order.
    """
    uses = [Use(item) for item in items if item in (Item.HIGH, Item.SLASH)]
    if Item.TARGET in items:
        uses += [Use(Item.TARGET, symbol) for symbol in known.rules.symbols]
    return [use for use in uses if len(np.unique(answers(use, known.rules, known.candidates))) > 1]


def distinct_uses(known: Knowledge, uses: list[Use]) -> list[Use]:
    """Return the first use of each group of equivalent uses of Numer0n items, in the given order.

    Uses are equivalent if they differ only in symbols that are interchangeable so far.
    """
    used = {symbol for turn in known.played for symbol in turn.guess}
    interchangeable = start_symmetry(known.start).interchangeable
    unseen = {
        symbol for at, symbol in enumerate(known.rules.symbols) if interchangeable >> at & 1 and symbol not in used
    }
    first = next((use for use in uses if use.symbol in unseen and use.symbol), None)
    return [use for use in uses if not use.symbol or use.symbol not in unseen or use is first]


def advise(known: Knowledge, items: Items, budget: Budget = UNLIMITED) -> ItemAdvice | None:
    """Return the advice on the next Numer0n item. Returns None if the player has no choice.

    For a small set of candidates, an exact search computes the values in expected guesses. Each set of candidates that
    the search visits counts as one state of the budget. If the search does not finish, or is not possible, the values
    are in bits. If the reason is that the time of the budget is over, the advice is `late`.
    """
    require_candidates(known)
    late, uses = False, informative_uses(known, items.playable)
    if known.count <= 1 or not (uses or set(items.left) & set(ASKING)):
        return None
    if known.count <= _SEARCHED and not known.slips.most:
        try:
            return _searched(known, items, budget)
        except Stopped:
            late = budget.spent()
    found = _scored(known, items, uses)
    return replace(found, late=True) if found and late else found


def chosen(
    uses: list[tuple[float, Use]], without: float, measure: UseMeasure, guess: str = "", takes_turn: bool = False
) -> ItemAdvice:
    """Return the advice to take the best of some uses of Numer0n items, or to use no item.

    `uses` contains (value, use) pairs, and `without` is the value without an item. An item is advised only if it is
    better than no item. If several uses are equally good, the first of them is advised.
    """
    most = measure is UseMeasure.WIN
    uses = sorted(uses, key=lambda each: each[0], reverse=most)
    others = tuple((use, value) for value, use in uses)
    if uses and (uses[0][0] > without if most else uses[0][0] < without):
        takes_turn = takes_turn and others[0][0].item is not Item.DOUBLE
        return ItemAdvice(others[0][0], measure, others[0][1], without, guess, others[1:], takes_turn)
    return ItemAdvice(None, measure, without, without, guess, others, takes_turn)


def _scored(known: Knowledge, items: Items, uses: list[Use]) -> ItemAdvice | None:
    """Return the advice on a Numer0n item by the entropy that remains at the end of the turn.

    If an item does not replace the guess of the turn, this is the entropy after the answer to the best next guess. If
    there are too many guesses, only an evenly spaced selection is scored. Returns None if `uses` is empty, or if there
    are too many candidates.
    """
    uses = distinct_uses(known, uses)
    pairs = known.count * (1 + len(uses))
    if not uses or pairs > _EVALUATED:
        return None
    weights = or_ones(known.weights, known.count)
    guesses = all_guesses(known.rules)
    guesses = guesses[:: max(1, len(guesses) * pairs // _EVALUATED)]

    def bits(kept: NDArray[np.bool_], with_guess: bool) -> float:
        """Return the sum of c·log2(c) for the candidates that `kept` selects.

        Without a guess, the only c is the total weight of these candidates. With a guess, each c is the weight of the
        candidates with one answer, and the guess is the one with the smallest sum. The entropy in bits follows from
        these sums: the caller adds them, subtracts `known.spread` and divides by `known.total`.
        """
        if not with_guess:
            return _least_entropy(weights[kept].sum(keepdims=True)[None, :])
        return _least_entropy(cell_sizes(guesses, known.candidates[kept], weights[kept]))

    def after(use: Use) -> float:
        given = answers(use, known.rules, known.candidates)
        each = sum(bits(given == one, not items.takes_turn) for one in np.unique(given))
        return round((each - known.spread) / known.total, 9)

    everything = np.ones(known.count, dtype=bool)
    without = round((bits(everything, True) - known.spread) / known.total, 9)
    return chosen([(after(use), use) for use in uses], without, UseMeasure.BITS, "", items.takes_turn)


def _least_entropy(sizes: NDArray[np.int64]) -> float:
    """Return the minimum over the guesses, the rows of `sizes`, of the sum of c·log2(c).

    Each c is an element of the row: the weight of the candidates that give one answer to the guess.
    """
    return float(spreads(sizes).sum(axis=1).min())


def _searched(known: Knowledge, items: Items, budget: Budget) -> ItemAdvice:
    """Return the advice on a Numer0n item by an exact search.

    The search finds the smallest number of guesses, summed over all candidates, where each candidate counts by its
    weight. If several guesses divide the candidates in the same way, only one of them is searched.
    """
    weights = or_ones(known.weights, known.count)
    order = np.argsort(-weights, kind="stable")
    candidates = known.candidates[order]
    guesses, places = all_guesses(known.rules), hint_places(known.rules)
    answers_to_all = places[hint_table(guesses, candidates)]
    _rows, firsts = np.unique(answers_to_all, axis=0, return_index=True)
    firsts.sort()
    table = answers_to_all[firsts].T
    most = 1 + _COMPARED // len(firsts)
    uses = [(use, item) for item in items.left if item in ASKING for use in informative_uses(known, (item,))]
    search = QuestionSearch(
        table,
        table.argmax(axis=1),
        weights[order].tolist(),
        [FreeQuestion(tuple(answers(use, known.rules, candidates).tolist()), item) for use, item in uses],
        replace(budget, states=most if budget.states is None else min(most, budget.states)),
        takes_turn=items.takes_turn,
    )
    total, guess = search.best_guess()
    values = [(search.cost_after(k) / known.total, use) for k, (use, item) in enumerate(uses) if item in items.playable]
    best = decode(known.rules, guesses[firsts[guess]])
    return chosen(values, total / known.total, UseMeasure.GUESSES, best, items.takes_turn)
