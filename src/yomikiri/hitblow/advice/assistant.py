"""A game in progress on one board, as an immutable object with all input so far. Each step returns a new object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.entries import all_but_last, with_entry
from yomikiri.common.enums import not_such
from yomikiri.common.lazy import lazy_property
from yomikiri.hitblow.advice.items import ItemAdvice, Items
from yomikiri.hitblow.advice.items import advise as advise_item
from yomikiri.hitblow.advice.suggestion import Figures, Suggestion, figures, suggest
from yomikiri.hitblow.model.corrections import Repair, repairs
from yomikiri.hitblow.model.knowledge import Knowledge, guess_of
from yomikiri.hitblow.model.rules import Fact, Hint, Rules, Turn
from yomikiri.hitblow.policies import DEFAULT_POLICY, Policy, policy_named
from yomikiri.hitblow.policies.base import Function, require_candidates
from yomikiri.hitblow.policies.given import read_policy


@dataclass(frozen=True)
class Assistant:
    """A game in progress: the knowledge, and the policy that suggests guesses. All interfaces use it.

    `budget` limits the time and work for all results together. If the budget ends before a result is proven, the result
    is marked as unproven. `items` are the player's items: special actions in Numer0n.

    >>> Assistant().answer(Hint(0, 1)).advice.proposed.guess
    '134'
    """

    known: Knowledge = Knowledge()
    policy: Policy = field(default_factory=lambda: policy_named(DEFAULT_POLICY))
    budget: Budget = UNLIMITED
    items: Items = Items()

    if TYPE_CHECKING:

        def __init__(
            self,
            known: Knowledge | Rules | str = ...,
            policy: Policy | Callable[[Knowledge], str] | str = ...,
            budget: Budget = ...,
            items: Items = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", Knowledge.read(self.known, "known"))
        object.__setattr__(self, "policy", read_policy(self.policy, "policy"))
        Budget.read(self.budget, "budget")
        if not isinstance(self.items, Items):
            raise not_such("items", self.items, "Items()")

    @lazy_property
    def advice(self) -> Suggestion:
        """The suggested guess with its reasons. Raises `ContradictionError` if no code fits the answers."""
        return self._suggested(compare=False)

    @lazy_property
    def item_advice(self) -> ItemAdvice | None:
        """Advice on the next item (a special action in Numer0n); None if the player has no choice.

        Raises `ContradictionError`.
        """
        return advise_item(self.known, self.items_now, self.budget)

    @property
    def items_now(self) -> Items:
        """The items that are still unused: special actions in Numer0n, such as SLASH."""
        return self.items.now(self.known.facts)

    @lazy_property
    def compared(self) -> Suggestion:
        """The suggested guess with the next best guesses, which may take longer to find."""
        return self._suggested(compare=True)

    def _suggested(self, compare: bool) -> Suggestion:
        advice = suggest(self.known, self.policy, compare=compare, budget=self.budget)
        items = self.item_advice
        if items is None or items.use or items.guess in ("", advice.proposed.guess):
            return advice
        # The search for the best use of Numer0n items considers that items may still be used in later turns. So its
        # best guess may differ from the guess of the policy. In that case, suggest the guess of the search.
        with_items = Function(lambda _known: items.guess, self.policy.name)
        return suggest(self.known, with_items, budget=self.budget)

    def compare(self, guess: str) -> Figures:
        """Return the figures of any guess: the sizes of the cells into which its answers divide the candidates.

        Raises a `ContradictionError` if no code fits the answers, and a `CodeError` for a guess that the rules do not
        allow.
        """
        self.known.rules.check_guess(guess)
        require_candidates(self.known)
        return figures(self.known, guess, self.policy.outlook(self.known, guess, self.budget))

    @property
    def solved(self) -> bool:
        """True if the last turn found the secret."""
        return self.known.solved

    @property
    def contradictory(self) -> bool:
        """True if no code fits the answers."""
        return not self.known.count

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The turns and other facts of the game, in order. Their numbers in this order are called entry numbers."""
        return self.known.facts

    @property
    def contradicting(self) -> tuple[Fact, ...]:
        """The turns and other facts of the game if they contradict each other, otherwise an empty tuple."""
        return self.facts if self.contradictory else ()

    @property
    def finished(self) -> bool:
        """True if a guess has hit the secret and no other turn contradicts it."""
        return self.solved and not self.contradictory

    @property
    def wrong(self) -> tuple[int, ...]:
        """The numbers of the turns that contradict the found secret, counted from 1 among all turns and other facts."""
        return self.known.wrong

    @lazy_property
    def repairs(self) -> tuple[Repair, ...]:
        """The smallest corrections of wrong turns, the likeliest first; empty unless answers contradict each other."""
        return repairs(self.known) if self.contradictory else ()

    def answer(self, hint: Hint, guess: str | None = None) -> Assistant:
        """Return the game after `guess`, by default the suggested one, was answered with `hint`.

        Raises `HintError`, `CodeError`, or `ContradictionError` if a suggestion is needed and no code fits.
        """
        played = self.advice.proposed.guess if guess is None else guess
        return self.learn(Turn(played, hint))

    def undo(self) -> Assistant:
        """Return the game without its last turn or other fact. Raises a `TurnError` for an empty game."""
        return self._with(all_but_last(self.known.facts))

    def learn(self, fact: Fact) -> Assistant:
        """Return the game after one more fact. Raises an `InputError` for an invalid fact.

        A fact is, for example, a turn or the answer to a Numer0n item.
        """
        known = self.known.after(fact)
        # An absent symbol before all other facts goes into `known.absent`, and not into `known.facts`, which then stays
        # empty. It may be the answer to a Numer0n item. Record the use of this item here, because `items_now` reads
        # only `known.facts`.
        items = self.items if known.facts else self.items.without_line(fact)
        return replace(self, known=known, items=items)

    def guess_in(self, line: int) -> str:
        """Return the guess of turn or fact number `line` (from 1). Raises a `TurnError` if this fact has no guess."""
        return guess_of(self.known.facts, line)

    def edit(self, line: int, hint: Hint, guess: str | None = None) -> Assistant:
        """Return the game with another answer, and optionally another guess, in turn number `line`.

        Turns and other facts of the game are counted together, from 1.
        """
        return self.put(line, Turn(self.guess_in(line) if guess is None else guess, hint))

    def put(self, line: int, fact: Fact) -> Assistant:
        """Return the game with `fact` in the place of turn or fact number `line` (from 1).

        Raises a `TurnError` if there is no turn or fact with this number.
        """
        return self._with(with_entry(self.known.facts, line, fact))

    def restart(self) -> Assistant:
        """Return the game before its first turn or other fact, with all Numer0n items unused."""
        return replace(self._with(()), items=self.items.fresh())

    def _with(self, facts: tuple[Fact, ...]) -> Assistant:
        items = replace(self.items, since=min(self.items.since, len(facts)))
        return replace(self, known=replace(self.known, facts=facts), items=items)
