"""What the pages of Hit & Blow show, as one value for their template: what those of a game and of a match have in
common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

from yomikiri.common.budget import Budget
from yomikiri.common.errors import CodeError
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.items import ASKING, Item, ItemAdvice, Use
from yomikiri.hitblow.advice.items import answer as item_answer
from yomikiri.hitblow.advice.suggestion import Advice, Figures
from yomikiri.hitblow.match.advice import MatchAdvice
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.model.knowledge import Knowledge, example_facts
from yomikiri.hitblow.model.rules import Rules, Turn, Words
from yomikiri.hitblow.practice.lessons import Report
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import Address
from yomikiri.web.offline import can_keep
from yomikiri.web.practise import Judged, judged
from yomikiri.wording import hitblow as wording
from yomikiri.wording import joined, sentence


class _Address(Protocol):
    @property
    def words(self) -> Words: ...

    def opening(self, **opened: Any) -> Self: ...


@dataclass(frozen=True)
class Played(view.Ruled):
    """The page of a game by its address: what is wrong with the guess in hand, and what it may still search."""

    address: _Address
    wrong: CodeError | None
    budget: Budget

    @property
    def words(self) -> Words:
        """What hits and blows are called."""
        return self.address.words

    @property
    def typed_wrongly(self) -> str:
        """What is wrong with the guess in hand."""
        return sentence(self.wrong) if self.wrong else ""

    @property
    def reviewed(self) -> _Address:
        """The page with the review."""
        return self.address.opening(review=True)

    def puzzle(self, number: int) -> _Address:
        """The page that has the position before a guess of mine as a puzzle."""
        return self.address.opening(puzzle=number)


@dataclass(frozen=True)
class AssistPage(Played):
    """What the page of a game and that of a match show: the game, a guess in hand, and what was typed in words with
    what is wrong with that."""

    template: ClassVar[str] = "assist.html"

    address: Address
    game: Assistant | MatchAssistant
    guess: str
    said: str
    said_wrongly: str

    match: ClassVar[Match | None] = None

    @property
    def here(self) -> str:
        """The path that forms ask for."""
        return self.address.path

    @property
    def refused(self) -> bool:
        """Whether something that was typed cannot be."""
        return bool(self.wrong or self.said_wrongly)

    @property
    def known(self) -> Knowledge:
        """What is known of the number that I seek."""
        return self.address.known

    @property
    def rules(self) -> Rules:
        """The rules of the number that I seek."""
        return self.known.rules

    @cached_property
    def rows(self) -> list[view.Row]:
        """My guesses, and what else I learned."""
        return view.rows(self.address, self.game)

    @property
    def number(self) -> int:
        """The number of my next guess; what else was learned is no guess."""
        return len(self.known.turns) + 1

    @property
    def last(self) -> view.Row | None:
        """The line that was told last."""
        return self.rows[-1] if self.rows else None

    @property
    def state(self) -> str:
        """Which page this is: to `edit` a line, correct a `contradiction`, look at the `end`, its `review` or a code
        that does not fit (`unfit`), `try` a position again, enter `theirs` or `mine`, the next guess of either."""
        if self.address.opened.edit:
            return "edit"
        if self.game.contradictory:
            return "contradiction"
        if self.game.finished:
            return "unfit" if self.judged.unfit else "review" if self.address.opened.review else "end"
        return "try" if self.address.opened.attempt else "mine"

    @cached_property
    def editor(self) -> view.Editor | None:
        """The line that is being edited."""
        return view.editor(self.address, self.guess)

    @property
    def pad(self) -> view.Pad:
        """The keys for a guess."""
        return view.pad(self.address.guessed_rules, self.address.opened.guess)

    @cached_property
    def repairs(self) -> list[view.RepairRow]:
        """What mends a contradiction."""
        return view.repairs(self.address, self.game)

    @cached_property
    def keys(self) -> list[view.Key]:
        """What is known of every symbol."""
        return view.keys(self.address, self.known)

    @property
    def forms(self) -> list[tuple[str, str]]:
        """What else can be typed of the number, by example, each with what it means."""
        return [(fact.as_typed(wording.name_typed(fact)), wording.fact_text(fact, self.words))
                for fact in example_facts(self.rules, self.match is not None)]  # fmt: skip

    @property
    def tolerance(self) -> list[str]:
        """How many answers may be wrong, if any, and what is left then."""
        return [joined(line, wording.left(self.known)) for line in wording.tolerance(self.known)]

    @cached_property
    def doubted(self) -> list[tuple[int, float]]:
        """The turns that are most likely wrong, with how likely that is, the likeliest first."""
        known = self.known
        if not known.slips.most or not known.count:
            return []
        doubts = [
            (number, 1 - known.cells(fact.guess).get(fact.hint, 0) / known.total)
            for number, fact in enumerate(known.facts, start=1)
            if fact in known.played and isinstance(fact, Turn)
        ]
        return sorted((each for each in doubts if each[1] >= _DOUBTED), key=lambda each: (-each[1], each[0]))[:3]

    @property
    def listed(self) -> list[tuple[str, str]]:
        """The codes that are left, each with the page that has it in hand, or nothing where there are too many."""
        linked = self.known.count <= _LINKED
        return [
            (code, str(self.address.closed.with_guess(code)) if linked else "") for code in self.known.codes(_LISTED)
        ]

    @property
    def table(self) -> list[tuple[str, list[float]]]:
        """The chance of each symbol that is left in each place."""
        rows = zip(self.rules.symbols, self.known.table().tolist(), strict=True)
        return [(symbol, row) for symbol, row in rows if any(row)]

    @property
    def file(self) -> str | None:
        """Where the file for my board from here is, if there is one."""
        address = self.address.restarted if self.game.finished else self.address
        return address.offline if can_keep(address.known) else None

    @cached_property
    def judged(self) -> Judged:
        """The game in review, once it is over."""
        return judged(self.known, self.words, self._report)

    def _report(self) -> Report:
        raise NotImplementedError

    # --- my guess -----------------------------------------------------------------------------------------------------

    @property
    def advice(self) -> Advice | MatchAdvice:
        """The proposed guess."""
        return self.game.advice

    @property
    def hurried(self) -> bool:
        """Whether more would have been found in more time."""
        raise NotImplementedError

    @property
    def proposed(self) -> str:
        """The proposed guess as a code."""
        return self.advice.proposed.guess

    @property
    def in_hand(self) -> str:
        """The guess that is looked at: the proposed one, or another."""
        return self.guess or self.proposed

    @property
    def other(self) -> bool:
        """Whether it is not the proposed one."""
        return self.in_hand != self.proposed

    @cached_property
    def hand(self) -> view.HintChoices:
        """What it can be answered."""
        return view.hints(self.address, self.in_hand)

    @cached_property
    def splits(self) -> list[view.Split]:
        """What the guess in hand does to what is left, and what the one does that it is compared with."""
        return view.splits(self._compared, self.words)

    @property
    def _compared(self) -> Sequence[Figures]:
        raise NotImplementedError

    # --- items --------------------------------------------------------------------------------------------------------

    @property
    def items(self) -> tuple[Item, ...]:
        """The items that I had at the start."""
        return self.address.items.left

    @property
    def may_have(self) -> tuple[Item, ...]:
        """The items that there are in this game."""
        return () if not self.rules.symbols.isdecimal() else tuple(Item) if self.match is not None else ASKING

    @property
    def items_left(self) -> tuple[Item, ...]:
        """Those that are not used."""
        return self.game.items_now.left

    @cached_property
    def item_advice(self) -> ItemAdvice | None:
        """Which to play before the guess."""
        return self.game.item_advice if self.items_left else None

    def answers(self, item: Item) -> list[tuple[str, str]]:
        """What an item can be answered, each as it is written in an address and in words; TARGET where it is best."""
        use = Use(item)
        if item is Item.TARGET:
            advised = self.item_advice
            uses = [advised.use, *(each for each, _value in advised.others)] if advised else []
            use = next((each for each in uses if each and each.item is item), Use(item, self.rules.symbols[0]))
        facts = dict.fromkeys(item_answer(use, code) for code in self.known.codes(_ASKED)) if item in ASKING else {}
        return sorted((str(fact), wording.fact_text(fact, self.words)) for fact in facts)


_DOUBTED = 0.1  # how likely a turn is wrong that is worth naming
_ASKED = 720  # codes that are looked at for what an item may be answered
# So many codes are listed at most, and so many with a link to what guessing them would do.
_LISTED, _LINKED = 400, 40
