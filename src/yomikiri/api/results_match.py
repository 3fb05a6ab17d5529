"""JSON documents of two boards of Hit & Blow: a match, a game against the program, and the value of a race."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

from yomikiri.api.results import UNSET, Count, Document, UnsetType
from yomikiri.api.results_hitblow import GameRules, ItemUse
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import write_match
from yomikiri.hitblow.model.labels import Basis, Level, Motive, Unsolved
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.race.terms import Reveals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yomikiri.hitblow.match.advice import Preference
    from yomikiri.hitblow.match.assistant import MatchAssistant
    from yomikiri.hitblow.practice.play import Play
    from yomikiri.hitblow.race.public.store import StoredGame
    from yomikiri.hitblow.race.terms import Terms, Value
    from yomikiri.hitblow.race.unseen import Picked

# --- a match in play --------------------------------------------------------------------------------------------------


class ProspectJson(Document):
    """A guess, the probability that it is the secret, and the probability of winning the match with it."""

    guess: str
    hit: float
    win: float


class Grounds(Document):
    """The reason for a suggested guess.

    `rival` is another guess, chosen only to need few guesses on average. It is missing if the reason does not compare
    the suggested guess with such a guess. `ours` and `theirs` are probabilities of finding the secret within `guesses`
    guesses: `ours` after the suggested guess, `theirs` after the rival.
    """

    motive: Motive
    rival: ProspectJson | UnsetType = UNSET
    guesses: Count | UnsetType = UNSET
    ours: float | UnsetType = UNSET
    theirs: float | UnsetType = UNSET

    @classmethod
    def of(cls, source: Preference) -> Self:
        if source.guesses:
            return cls.filled(source)
        return cls.filled(source, guesses=None, ours=None, theirs=None)


class MatchJson(Document):
    """The state of a match: the side to move, or the outcome."""

    match: str
    to_move: Side | None
    outcome: Literal["me", "opponent", "draw"] | None
    count: Count
    their_count: Count

    @classmethod
    def of(cls, source: MatchAssistant) -> MatchJson:
        """Build the document of a match: a `MyTurn` or `TheirTurn` until the match is over."""
        match, outcome = source.match, source.outcome
        values: dict[str, Any] = {
            "match": write_match(match),
            "outcome": outcome and (outcome.winner or "draw"),
            "count": match.known(Side.ME).count,
            "their_count": match.known(Side.OPPONENT).count,
        }
        if outcome:
            return MatchJson.filled(source, **values)
        pace, opponent = source.pace, source.advisor.opponent
        values |= {
            "opponent": opponent.name,
            "they_find_within": [pace.within(guesses) for guesses in range(1, len(pace.finish.counts) + 1)],
            "they_find_error": pace.error,
            "pace_of": opponent.stand_in.name,
        }
        if source.to_move is not Side.ME:
            return TheirTurn.filled(source, **values, win=source.standing.win, win_error=source.standing.error)
        advice, proposed = source.advice, source.advice.proposed
        values |= {"guess": proposed.guess, "hit": proposed.hit, "win": proposed.win, "win_error": advice.error}
        values |= {"to_move": source.to_move, "unread": advice.unsolved, "item": source.item_advice}
        if match.slips.most:
            values["by_slips"] = match.known(Side.ME).by_slips
        return MyTurn.filled(advice, **values)


class Playing(MatchJson):
    """A match that is not over, with the probabilities that the opponent finds my secret within 1, 2, ... guesses.

    `they_find_error` is the standard error of these probabilities, 0 if they are exact. The first one is always exact.
    `pace_of` is the name of the model of the opponent for which they were computed.
    """

    opponent: str
    they_find_within: list[float]
    they_find_error: float
    pace_of: str


class TheirTurn(Playing):
    """A match in which the opponent is to move, and my chance of winning.

    `win_error` is the standard error of this chance, 0 if no games were sampled.
    """

    win: float
    win_error: float


class MyTurn(Playing):
    """A match in which I am to move, and the suggested guess.

    `hit` is the probability that the guess is the secret, and `win` my chance of winning with it. `basis` is the method
    that computed `win`. `win_error` is the standard error of `win`, 0 if no games were sampled. `unread` is the reason
    why the match was not solved.
    """

    guess: str
    hit: float
    win: float
    win_error: float
    reason: Grounds
    basis: Basis
    unread: Unsolved | UnsetType = UNSET
    item: ItemUse | UnsetType = UNSET
    by_slips: list[Count] | UnsetType = UNSET


# --- a game against the program ---------------------------------------------------------------------------------------


class PlayedTurn(Document):
    """A guess of one side, and its answer."""

    side: Side
    guess: str
    hint: str


class PlayJson(Document):
    """A game against the program: its rules and settings, all turns, and the program's secret once the game is over.

    `race` is true if the program guesses, too. `waits_for` is the person's input that is missing before the first
    guess: the secret, or the symbol to reveal (`shown`). It is empty during the game.
    """

    rules: GameRules
    seed: str
    race: bool
    level: Level
    first: Side
    absent: str
    shown: str
    waits_for: Literal["", "secret", "shown"]
    turns: list[PlayedTurn]
    to_move: Side | None
    winner: Side | None
    secret: str | None

    @classmethod
    def of(cls, source: Play) -> Self:
        match = source.match
        turns: list[tuple[Side, Turn]] = [(Side.ME, turn) for turn in source.board.played]
        if source.race:
            turns = [(match.mover(line), turn) for line, turn in enumerate(match.facts) if isinstance(turn, Turn)]
        return cls.filled(
            source,
            turns=[PlayedTurn(side, turn.guess, str(turn.hint)) for side, turn in turns],
            winner=(Side.ME if source.won else Side.OPPONENT) if source.over else None,
            secret=source.program_secret if source.over else None,
        )


# --- a race before its first guess ------------------------------------------------------------------------------------


class MixedStrategy(Document):
    """One strategy of a mixed strategy: its probability, and its first guess.

    `histogram` contains the number of secrets found at guess 1, 2, 3, ...
    """

    chance: str
    guess: str
    histogram: list[Count]


class RaceJson(Document):
    """The value of a race (a match before its first guess) for the first player, and the effort of computing it.

    A draw counts as one half. `value` is the middle of the bounds `lower` and `upper`. `exact` is the value as a
    fraction if both bounds are equal. `draw` is the probability of a draw, or null if the search ended early. `first`
    and `second` are the strategies among which the players choose at random. `sets` and `pairs` are the numbers of
    candidate sets and positions searched. `forms` is the number of canonical forms in the table, some of which were
    there before the search: sets that are interchangeable in the race have the same form.
    """

    rules: GameRules
    secret_rules: GameRules
    absent: str
    information: str
    reveals: Reveals
    revealed: Count
    equal_turns: bool
    value: float
    lower: float
    upper: float
    exact: str | None
    draw: float | None
    first: list[MixedStrategy] | UnsetType = UNSET
    second: list[MixedStrategy] | UnsetType = UNSET
    sets: Count | UnsetType = UNSET
    forms: Count | UnsetType = UNSET
    pairs: Count | UnsetType = UNSET

    @classmethod
    def of(cls, source: tuple[Terms, str, Value, bool]) -> Self:
        terms, information, value, _stopped = source
        effort = getattr(value, "effort", None)
        return cls.filled(
            effort,
            **{name: getattr(terms, name) for name in ("absent", "reveals", "equal_turns")},
            **{name: getattr(value, name) for name in ("lower", "upper", "draw")},
            rules=terms.first.rules,
            secret_rules=terms.second.rules,
            information=information,
            revealed=len(terms.shown),
            value=(value.lower + value.upper) / 2,
            exact=str(value.lower) if value.lower == value.upper else None,
            first=_strategies(getattr(value, "first", ())),
            second=_strategies(getattr(value, "second", ())),
        )


def _strategies(choices: Sequence[Picked]) -> tuple[MixedStrategy, ...]:
    return tuple(MixedStrategy(str(each.chance), each.tree.guess, list(each.finish.counts)) for each in choices)


class StoredGameJson(Document):
    """The contents of one part of a store, the file with the progress of a race (a match before its first guess).

    `sets` is the number of candidate sets. `forms` is the number of their canonical forms: sets that are
    interchangeable in the race have the same form. `listed` is the number of forms for which the effects of all guesses
    are stored, not only of the first guess tried.

    If the two secrets of a race have different rules, the store has a part for each secret. In `rules`, the symbols are
    renamed 0, 1, 2, ...
    """

    rules: GameRules
    sets: Count
    forms: Count
    listed: Count


class StoredRace(Document):
    """The contents of a store, the file with the progress of a race (a match before its first guess).

    `games` has two elements if the two secrets have different rules.
    """

    games: list[StoredGameJson]

    @classmethod
    def of(cls, source: Sequence[StoredGame]) -> Self:
        return cls(list(map(StoredGameJson.of, source)))
