"""An immutable object with all input of a match so far, and advice on it. Each step returns a new object.

In a match, two players guess each other's secrets. The command line and the web page use `MatchAssistant` for matches.
For a game of one player they use `advice.assistant`. An *entry* is one element of `Match.facts`: a turn or another fact
of either side. Methods that take the number of an entry count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import not_such
from yomikiri.common.errors import N_, InputError, TurnError
from yomikiri.common.lazy import lazy_property
from yomikiri.hitblow.advice.items import ItemAdvice, Items, item_of
from yomikiri.hitblow.match.advice import Advisor, MatchAdvice, Prospect, Ranking, Standing
from yomikiri.hitblow.match.items import advise as advise_item
from yomikiri.hitblow.match.items import played_by_me, player
from yomikiri.hitblow.match.match import Learned, Match, MatchOutcome, Side, is_own_change
from yomikiri.hitblow.match.notation import match_of, match_pairs, play_pair, read_match
from yomikiri.hitblow.model.corrections import Repair, repairs
from yomikiri.hitblow.model.facts import Pass
from yomikiri.hitblow.model.knowledge import guess_of
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.notation import guess_alone
from yomikiri.hitblow.model.rules import Answered, Fact, Hint, Turn, Words
from yomikiri.hitblow.race.finish import Pace


@dataclass(frozen=True)
class MatchAssistant:
    """A match in progress together with an advisor, as an interface shows it to a player.

    `match` may be text, and `advisor` may be the name of a model of the opponent. `budget` limits all requests for
    advice together (see `Advisor`). `items` are the player's items, special actions of the game Numer0n. Raises an
    `InputError` for other values.

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

    # --- state --------------------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> Side | None:
        """The side whose turn it is; None if the match is over, or if a side has received contradictory answers."""
        return None if self.contradictory else self.match.to_move

    @property
    def outcome(self) -> MatchOutcome | None:
        """The result of the match.

        It is None if the match is in progress, or if a side has received contradictory answers.
        """
        return None if self.contradictory else self.match.outcome

    @property
    def finished(self) -> bool:
        """True if one side has won or the match is drawn."""
        return self.outcome is not None

    @lazy_property
    def contradictory(self) -> tuple[Side, ...]:
        """The sides that have received contradictory answers or other facts, so that no code fits."""
        return tuple(side for side in Side if not self.match.known(side).count)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The turns and other facts of both sides, in the order of the match."""
        return self.match.facts

    @property
    def contradicting(self) -> tuple[Fact, ...]:
        """The turns and facts of the side that has received contradictory answers; empty if there is no contradiction.

        If both sides have received contradictory answers, these are the player's turns and facts.
        """
        return tuple(self.facts[line] for side in self.contradictory[:1] for line in self.match.lines(side))

    @lazy_property
    def repairs(self) -> tuple[Repair, ...]:
        """The smallest sets of corrected turns that remove a contradiction; empty if there is no contradiction.

        If both sides have received contradictory answers, the player's turns are corrected.
        """
        if not self.contradictory:
            return ()
        side = self.contradictory[0]
        return tuple(
            replace(repair, lines=tuple(self.match.line_of(side, line) for line in repair.lines))
            for repair in repairs(self.match.known(side))
        )

    @property
    def wrong(self) -> tuple[int, ...]:
        """The numbers (from 1) of the wrong turns.

        A turn is certainly wrong if a later guess found the secret, and if this secret contradicts the turn.
        """
        boards = ((side, self.match.known(side)) for side in Side)
        return tuple(self.match.line_of(side, line) for side, known in boards for line in known.wrong)

    @lazy_property
    def advice(self) -> MatchAdvice:
        """The suggested guess with its chances and its reason, on the player's turn.

        Raises `ContradictionError` if no code fits the answers on a board.
        """
        return self.advisor.advise(self.match, self.budget)

    @lazy_property
    def item_advice(self) -> ItemAdvice | None:
        """Advice on the Numer0n item to play next on the player's turn.

        It is None if there is no item to play, or if only one candidate is left. Raises `ContradictionError`.
        """
        return advise_item(self.match, self.advisor, self.items_now, self.budget)

    @property
    def items_now(self) -> Items:
        """The items that the player has not used yet: special actions of the game Numer0n, such as SLASH."""
        return self.items.now(played_by_me(self.match))

    @lazy_property
    def plain_guess(self) -> str:
        """The guess that needs the fewest guesses on average, regardless of the opponent's board.

        Raises `ContradictionError` if no code fits the player's answers.
        """
        return self.advisor.plain.choose(self.match.known(Side.ME), self.budget).guess

    @lazy_property
    def standing(self) -> Standing:
        """The player's chance of winning, whether the player or the opponent is to move.

        Raises `ContradictionError`.
        """
        # On the player's turn, take the chance from the advice, which is cached and usually needed anyway.
        if self.to_move is Side.ME:
            return Standing(self.advice.proposed.win, self.advice.error, self.advice.unsolved)
        return self.advisor.standing(self.match, self.budget)

    @lazy_property
    def pace(self) -> Pace:
        """The distribution of the opponent's number of guesses, from now until they find the player's secret.

        Raises `ContradictionError`.
        """
        return self.advisor.pace(self.match, self.budget)

    @lazy_property
    def ranking(self) -> Ranking:
        """The best guesses with their chances of winning, on the player's turn.

        Raises `ContradictionError` if no code fits the answers on a board.
        """
        return self.advisor.rank(self.match, self.advice.proposed.guess, budget=self.budget)

    def compare(self, guess: str) -> Prospect:
        """Return the chances of finding the secret and of winning after a guess of the player.

        Raises a `CodeError` for an invalid guess, and a `ContradictionError` if no code fits.
        """
        return self.advisor.prospect(self.match, guess, self.budget)

    def wasted(self, guess: str) -> str:
        """Return the symbols of an opponent's guess that the player has revealed as absent.

        Guessing such a symbol is useless, so the guess may be a typing error.
        """
        return "".join(symbol for symbol in self.match.shown if symbol in guess)

    # --- steps --------------------------------------------------------------------------------------------------------

    def answer(self, hint: Hint, guess: str | None = None) -> MatchAssistant:
        """Return the match after a guess of the player and its answer `hint`.

        If `guess` is None, the player has made the suggested guess. Raises the errors of `Match.play`, and
        `ContradictionError` if a suggestion is needed and no code fits.
        """
        played = self.advice.proposed.guess if guess is None else guess
        return self._later(self.match.play(Turn(played, hint)))

    def hear(self, guess: str, hint: Hint | None = None) -> MatchAssistant:
        """Return the match after a guess of the opponent and its answer `hint`.

        If `hint` is None, the answer is computed from the player's secret. Raises the errors of `Match.play`, and a
        `TurnError` if neither the answer nor the secret is known.
        """
        return self._later(self.match.play(self._opponent_turn(guess, hint, self.match.secret)))

    def take(self, name: str, value: str, words: Words = Words.HIT, typed: str = "") -> MatchAssistant:
        """Return the match after a turn or another fact in text form, such as `me=GUESS:ANSWER` or `they=GUESS:ANSWER`.

        `name` is the text before the equals sign, and `value` the text after it. `words` selects the letters for hits
        and blows in the answer. Raises the errors of `notation.play_pair`, which quote `typed`, the text that the user
        entered, unless it is empty.
        """
        return self._later(play_pair(self.match, name, value, words, typed))

    def undo(self) -> MatchAssistant:
        """Return the match without its last turn or other fact. Raises a `TurnError` if there is none."""
        return self._with(self.match.undo())

    def edit(self, line: int, hint: Hint | None = None, guess: str | None = None) -> MatchAssistant:
        """Return the match with another answer, and optionally another guess, in one turn.

        `line` is the number of the turn among all turns and other facts of the match, counted from 1.

        For a guess of the opponent, the answer `hint` may be left out if the player's secret is known. Raises the
        errors of `Match.edit`, and a `TurnError` if the answer is missing.
        """
        played = self.guess_in(line) if guess is None else guess
        if self.match.mover(line - 1) is Side.OPPONENT:
            turn = self._opponent_turn(played, hint, self.match.secret_at(line - 1))
        elif hint is None:
            raise guess_alone(played)
        else:
            turn = Turn(played, hint)
        return self.put(line, turn)

    def guess_in(self, line: int) -> str:
        """Return the guess in turn or fact number `line` (from 1). Raises a `TurnError` for a fact without a guess."""
        return guess_of(self.match.facts, line)

    def put(self, line: int, fact: Fact) -> MatchAssistant:
        """Return the match with `fact` in the place of turn or fact number `line`, counted from 1.

        The new fact belongs to the same side as the old one. Raises the errors of `Match.edit`, and a `TurnError` if a
        turn would replace a fact that is not a turn, or the reverse.
        """
        before = self.match.line(line)
        if isinstance(before, Learned) == isinstance(fact, Answered):
            raise TurnError(
                N_("{given!r} cannot replace {before!r}: replace a turn by a turn, a fact by a fact"),
                given=fact,
                before=before,
            )
        return self._with(self.match.edit(line, replace(before, fact=fact) if isinstance(before, Learned) else fact))

    def learn(self, fact: Fact, side: Side = Side.ME) -> MatchAssistant:
        """Return the match after a side has learned a fact.

        A turn always belongs to the side to move, so `side` matters only for other facts. An *item* is a special action
        of Numer0n. If the rules say that an item takes the place of a guess, an item ends the turn of the side to move.
        Raises an `InputError`.
        """
        return self._later(self.match.play(fact) if isinstance(fact, Answered) else self.match.learn(side, fact))

    def change(self, name: str, value: str) -> MatchAssistant:
        """Return the match with a new value for one of its terms: `secret`, `shown`, `absent`, `first` and so on.

        `name` is the name of the term. An empty value of `secret` means that the player's secret is unknown. Raises the
        errors of `notation.match_of`.
        """
        changed = match_of([*match_pairs(self.match), (name, value)])
        return self._with(replace(changed, prior=self.match.prior))

    def corrected_by(self, secret: str) -> MatchAssistant | None:
        """Return the match with `secret` as the player's secret, and with corrected answers to the opponent's guesses.

        The answers become those of this secret. Returns None if another fact contradicts the secret. Raises the errors
        of `notation.match_of`.
        """
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
        """Return True if the player's secret has not changed at fact number `line` (from 0) of the match, or later."""
        return not any(is_own_change(fact) for fact in self.match.facts[line:])

    def restart(self) -> MatchAssistant:
        """Return a new match with the same rules and without any turns or facts, in which no item has been used.

        The secret and the revealed symbols are removed too, because the new match has others.
        """
        again = replace(self.match, secret="", shown="", absent="", facts=())
        return replace(self._with(again), items=self.items.fresh())

    def _opponent_turn(self, guess: str, hint: Hint | None, secret: str) -> Turn:
        if hint is None and not secret:
            raise guess_alone(guess)
        return Turn(guess, self.match.answer(guess, secret) if hint is None else hint)

    def _later(self, match: Match) -> MatchAssistant:
        """Return the assistant for a later state of the match, which has one more turn or other fact.

        An *item* is a special action of Numer0n. If an item takes the place of a guess, and the side to move has just
        used one, a pass is added, which ends the turn of this side. No pass is added for DOUBLE, which gives more
        guesses.

        The item TARGET asks if the secret contains a digit, and where. The player can learn such a fact without this
        item, too, for example from a digit that the opponent reveals. So such a fact ends the player's turn only if the
        player still has TARGET.
        """
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
