"""A match in progress, with its advice, as a frozen value: every step gives a new one, and nothing typed is ever lost.

The one seam that every surface uses for a match, as `hitblow.assistant` is for a single board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import not_such
from yomikiri.common.errors import N_, InputError, TurnError
from yomikiri.common.lazy import lazy_property
from yomikiri.hitblow.advice.items import Item, ItemAdvice, Items, item_of
from yomikiri.hitblow.match.advice import Advisor, MatchAdvice, Prospect, Ranking, Standing
from yomikiri.hitblow.match.items import advise as advise_item
from yomikiri.hitblow.match.items import played_by_me, player
from yomikiri.hitblow.match.match import Learned, Match, Outcome, Side, is_own_change
from yomikiri.hitblow.match.notation import match_of, match_pairs, play_pair, read_match
from yomikiri.hitblow.model.corrections import Repair, repairs
from yomikiri.hitblow.model.facts import Pass
from yomikiri.hitblow.model.notation import guess_alone
from yomikiri.hitblow.model.rules import Answered, Fact, Hint, Turn, Words, guess_of
from yomikiri.hitblow.race.finish import Pace


@dataclass(frozen=True)
class MatchAssistant:
    """A match, also as text, and its advisor, also by the name of the opponent.

    `budget` is what all answers together may spend; see `Advisor`. `items` are mine. Raises an `InputError`.

    >>> MatchAssistant(Match(first=Side.OPPONENT, secret="314")).hear("134").match.turns
    (Turn(guess='134', hint=Hint(hits=1, blows=2)),)
    """

    match: Match = Match()
    advisor: Advisor = Advisor()
    budget: Budget = UNLIMITED
    items: Items = Items()

    if TYPE_CHECKING:

        def __init__(
            self, match: Match | str = ..., advisor: Advisor | str = ..., budget: Budget = ..., items: Items = ...
        ) -> None: ...

    def __post_init__(self) -> None:
        if isinstance(self.match, str):
            object.__setattr__(self, "match", read_match(self.match))
        if not isinstance(self.match, Match):
            raise not_such("match", self.match, "Match() or 'secret=314 they=012:0H1B'")
        if not isinstance(self.advisor, Advisor):
            object.__setattr__(self, "advisor", Advisor(self.advisor))
        Budget.read(self.budget, "budget")
        if not isinstance(self.items, Items):
            raise not_such("items", self.items, "Items()")

    # --- what is told -------------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> Side | None:
        """The side whose turn it is; None once the match is over, or while hints contradict each other."""
        return None if self.contradictory else self.match.to_move

    @property
    def outcome(self) -> Outcome | None:
        """Who has won; None while the match is in progress, or while hints contradict each other."""
        return None if self.contradictory else self.match.outcome

    @property
    def finished(self) -> bool:
        """Whether one side has won, or the match is drawn."""
        return self.outcome is not None

    @lazy_property
    def contradictory(self) -> tuple[Side, ...]:
        """The sides whose boards have no candidates: no code fits the hints that the side was given."""
        return tuple(side for side in Side if not self.match.known(side).count)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The lines of both sides."""
        return self.match.facts

    @property
    def contradicting(self) -> tuple[Fact, ...]:
        """The lines of the first contradictory board, if there is one."""
        return tuple(self.facts[line] for side in self.contradictory[:1] for line in self.match.lines(side))

    @lazy_property
    def repairs(self) -> tuple[Repair, ...]:
        """The smallest corrections on the first contradictory board, if there is one."""
        if not self.contradictory:
            return ()
        side = self.contradictory[0]
        return tuple(
            replace(repair, lines=tuple(self.match.line_of(side, line) for line in repair.lines))
            for repair in repairs(self.match.known(side))
        )

    @property
    def wrong(self) -> tuple[int, ...]:
        """The lines, from 1, of turns that are wrong by a secret that was found."""
        boards = ((side, self.match.known(side)) for side in Side)
        return tuple(self.match.line_of(side, line) for side, known in boards for line in known.wrong)

    @lazy_property
    def advice(self) -> MatchAdvice:
        """The guess to make, with its reason. It must be my turn; raises `ContradictionError`."""
        return self.advisor.advise(self.match, self.budget)

    @lazy_property
    def item_advice(self) -> ItemAdvice | None:
        """Which of my items to play before my guess, if there are any. It must be my turn; raises
        `ContradictionError`."""
        return advise_item(self.match, self.advisor, self.items_now, self.budget)

    @property
    def items_now(self) -> Items:
        """My items that are left."""
        return self.items.now(played_by_me(self.match))

    @lazy_property
    def plain_guess(self) -> str:
        """The guess to make without regard to the opponent's board; raises `ContradictionError`."""
        return self.advisor.plain.choose(self.match.known(Side.ME), self.budget).guess

    @lazy_property
    def standing(self) -> Standing:
        """My chance of winning from here, on either side's turn; raises `ContradictionError`."""
        if self.to_move is Side.ME:  # the best guess has been sought already, or will be
            return Standing(self.advice.proposed.win, self.advice.error, self.advice.unsolved)
        return self.advisor.standing(self.match, self.budget)

    @lazy_property
    def pace(self) -> Pace:
        """Return when the opponent finds my secret, as a pace from now; raises `ContradictionError`."""
        return self.advisor.pace(self.match, self.budget)

    @lazy_property
    def ranking(self) -> Ranking:
        """The best guesses with their chances. It must be my turn; raises `ContradictionError`."""
        return self.advisor.rank(self.match, self.advice.proposed.guess, budget=self.budget)

    def compare(self, guess: str) -> Prospect:
        """Return the chances of any guess of mine; raises a `CodeError` and `ContradictionError`."""
        return self.advisor.prospect(self.match, guess, self.budget)

    def wasted(self, guess: str) -> str:
        """The symbols of an opponent's guess that I revealed as unused: perhaps they were misheard."""
        return "".join(symbol for symbol in self.match.shown if symbol in guess)

    # --- steps --------------------------------------------------------------------------------------------------------

    def answer(self, hint: Hint, guess: str | None = None) -> MatchAssistant:
        """Return the match after my guess, by default the suggested one, was answered with `hint`.

        Raises what `Match.play` does, and `ContradictionError` if a guess had to be proposed and cannot be.
        """
        played = self.advice.proposed.guess if guess is None else guess
        return self._later(self.match.play(Turn(played, hint)))

    def hear(self, guess: str, hint: Hint | None = None) -> MatchAssistant:
        """The match after a guess of the opponent, answered with `hint`, or as my secret answers if it is given.

        Raises what `Match.play` does, and a `TurnError` where neither is known.
        """
        return self._later(self.match.play(self._heard(guess, hint, self.match.secret)))

    def take(self, name: str, value: str, words: Words = Words.HIT, typed: str = "") -> MatchAssistant:
        """Return the match after the turn `me=GUESS:ANSWER` or `they=GUESS:ANSWER`.

        Raises what `notation.play_pair` does; errors quote `typed` if it is given.
        """
        return self._later(play_pair(self.match, name, value, words, typed))

    def undo(self) -> MatchAssistant:
        """Return the match without its last turn; raises a `TurnError`."""
        return self._with(self.match.undo())

    def edit(self, line: int, hint: Hint | None = None, guess: str | None = None) -> MatchAssistant:
        """Return the match with turn `line` (from 1) answered with `hint`, and with another guess if one is given.

        In a line of the opponent the guess is enough where my secret is given. Raises what `Match.edit` does, and
        a `TurnError` where the hint is not known.
        """
        played = self.guess_in(line) if guess is None else guess
        if self.match.mover(line - 1) is Side.OPPONENT:
            turn = self._heard(played, hint, self.match.secret_at(line - 1))
        elif hint is None:
            raise guess_alone(played)
        else:
            turn = Turn(played, hint)
        return self.put(line, turn)

    def guess_in(self, line: int) -> str:
        """Return the guess of turn `line` (from 1); raises a `TurnError` if there is none."""
        return guess_of(self.match.facts, line)

    def put(self, line: int, fact: Fact) -> MatchAssistant:
        """The match with another fact of the same side in line `line` (from 1); raises what `Match.edit` does."""
        before = self.match.line(line)
        if isinstance(before, Learned) == isinstance(fact, Answered):
            raise TurnError(N_("{given!r} cannot stand for {before!r}: turns stay turns"), given=fact, before=before)
        return self._with(self.match.edit(line, replace(before, fact=fact) if isinstance(before, Learned) else fact))

    def learn(self, fact: Fact, side: Side = Side.ME) -> MatchAssistant:
        """The match after a side has learned something; a turn is that of the side to move.

        Where items take the place of the guess, an item of the side to move ends its turn. Raises an `InputError`.
        """
        return self._later(self.match.play(fact) if isinstance(fact, Answered) else self.match.learn(side, fact))

    def change(self, name: str, value: str) -> MatchAssistant:
        """The match with another term, named as in its text: `secret`, `shown`, `absent`, `first`, ...

        An empty secret is one that is not told. Raises what `notation.match_of` does.
        """
        changed = match_of([*match_pairs(self.match), (name, value)])
        return self._with(replace(changed, prior=self.match.prior))

    def corrected_by(self, secret: str) -> MatchAssistant | None:
        """Return the match with a secret of mine, and my answers to the opponent corrected by it; None if a fact other
        than an answer contradicts the secret. Raises what `notation.match_of` does for the secret."""
        bare = replace(self.match, secret="", facts=())
        secret = match_of([*match_pairs(bare), ("secret", secret)]).secret
        facts = [
            Turn(fact.guess, self.match.answer(fact.guess, secret))
            if isinstance(fact, Turn) and self.match.mover(line) is Side.OPPONENT and self._is_of_now(line)
            else fact
            for line, fact in enumerate(self.match.facts)
        ]
        try:
            return self._with(replace(self.match, secret=secret, facts=tuple(facts)))
        except InputError:
            return None

    def _is_of_now(self, line: int) -> bool:
        """Return True if my secret was not changed from `line` on, counted from 0."""
        return not any(is_own_change(fact) for fact in self.match.facts[line:])

    def restart(self) -> MatchAssistant:
        """Return the same match from its start, without my secret and what was revealed: the next will be others."""
        again = replace(self.match, secret="", shown="", absent="", facts=())
        return replace(self._with(again), items=self.items.fresh())

    def _heard(self, guess: str, hint: Hint | None, secret: str) -> Turn:
        if hint is None and not secret:
            raise guess_alone(guess)
        return Turn(guess, self.match.answer(guess, secret) if hint is None else hint)

    def _later(self, match: Match) -> MatchAssistant:
        """The match with one more line; where items take the place of guesses, one ends the turn of who plays it."""
        line = match.facts[-1]
        side = player(line)
        if not self.items.takes_turn or side is None or side is not match.to_move:
            return self._with(match)
        assert isinstance(line, Learned)
        item = item_of(line.fact)
        mine = side is Side.OPPONENT or item is not Item.TARGET or item in self.items_now.left
        return self._with(match.learn(side, Pass()) if mine and item is not Item.DOUBLE else match)

    def _with(self, match: Match) -> MatchAssistant:
        items = replace(self.items, since=min(self.items.since, len(match.facts)))
        return replace(self, match=match, items=items)
