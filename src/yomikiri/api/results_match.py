"""The documents of two boards of Hit & Blow: a match in play, and what a race is worth before its first guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from yomikiri.api.results import UNSET, Count, Part, UnsetType, filled
from yomikiri.api.results_hitblow import GameRules, ItemUse, game_rules, item_use
from yomikiri.hitblow.match.advice import Basis, Motive, Unsolved
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import write_match
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.practice.play import Level
from yomikiri.hitblow.race.terms import Reveals

if TYPE_CHECKING:
    from yomikiri.hitblow.match import advice
    from yomikiri.hitblow.match.assistant import MatchAssistant
    from yomikiri.hitblow.practice import play as plays
    from yomikiri.hitblow.race.public import store
    from yomikiri.hitblow.race.public.race import PublicValue
    from yomikiri.hitblow.race.terms import Terms, Value
    from yomikiri.hitblow.race.unseen import Equilibrium, Picked

# --- a match in play --------------------------------------------------------------------------------------------------


class Prospect(Part):
    """A guess, how likely it hits, and how likely it wins."""

    guess: str
    hit: float
    win: float


class Grounds(Part):
    """Why a guess is proposed: what it was preferred to, and how likely both find the secret within some guesses."""

    motive: Motive
    rival: Prospect | UnsetType = UNSET
    guesses: Count | UnsetType = UNSET
    ours: float | UnsetType = UNSET
    theirs: float | UnsetType = UNSET


class Match(Part):
    """The state of a match: who is to move, or how it ended."""

    match: str
    to_move: Side | None
    outcome: Literal["me", "opponent", "draw"] | None
    count: Count
    their_count: Count


class Playing(Match):
    """A match that goes on: the chance that the opponent finds my secret within 1, 2, ... guesses.

    `they_find_error` is the standard error of these chances, 0 if they are exact; the first one is always exact.
    """

    opponent: str
    they_find_within: list[float]
    they_find_error: float
    pace_of: str


class TheirTurn(Playing):
    """A match in which the opponent is to move, and how likely I win."""

    win: float
    win_error: float


class MyTurn(Playing):
    """A match in which I am to move, and the suggested guess."""

    guess: str
    hit: float
    win: float
    win_error: float
    reason: Grounds
    basis: Basis
    unread: Unsolved | UnsetType = UNSET
    item: ItemUse | UnsetType = UNSET
    by_slips: list[Count] | UnsetType = UNSET


def match(assistant: MatchAssistant) -> Match:
    """The state of a match, and the suggested guess if it is my turn."""
    state, outcome, to_move = assistant.match, assistant.outcome, assistant.to_move
    ended: Any = None if outcome is None else outcome.winner or "draw"
    stands = write_match(state), to_move, ended, state.known(Side.ME).count, state.known(Side.OPPONENT).count
    if outcome:
        return Match(*stands)
    pace, opponent = assistant.pace, assistant.advisor.opponent
    finds = [pace.within(guesses) for guesses in range(1, len(pace.finish.counts) + 1)]
    playing = *stands, opponent.name, finds, pace.error, opponent.stand_in.name
    if to_move is not Side.ME:
        return TheirTurn(*playing, float(assistant.standing.win), assistant.standing.error)
    told = assistant.advice
    shown = told.proposed
    return MyTurn(
        *playing, shown.guess, float(shown.hit), float(shown.win), told.error, _grounds(told.reason), told.basis,
        told.unsolved or UNSET, item_use(assistant.item_advice),
        list(state.known(Side.ME).by_slips) if state.slips.most else UNSET,
    )  # fmt: skip


def _grounds(reason: advice.Preference) -> Grounds:
    rival = Prospect(reason.rival.guess, float(reason.rival.hit), float(reason.rival.win)) if reason.rival else UNSET
    if not reason.guesses:
        return Grounds(reason.motive, rival)
    return Grounds(reason.motive, rival, reason.guesses, float(reason.ours), float(reason.theirs))


# --- a game against the program ---------------------------------------------------------------------------------------


class PlayedTurn(Part):
    """A guess of one side, and its hint."""

    side: Side
    guess: str
    hint: str


class Play(Part):
    """A game against the program: its terms, all turns, and the program's secret once it is over."""

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


def play(game: plays.Play) -> Play:
    """A game against the program."""
    turns: list[tuple[Side, Turn]] = [(Side.ME, turn) for turn in game.board.played]
    if game.race:
        lines = enumerate(game.match.facts)
        turns = [(game.match.mover(line), turn) for line, turn in lines if isinstance(turn, Turn)]
    winner = (Side.ME if game.won else Side.OPPONENT) if game.over else None
    return filled(
        Play,
        game,
        rules=game_rules(game.rules),
        turns=[PlayedTurn(side, turn.guess, str(turn.hint)) for side, turn in turns],
        winner=winner,
        secret=game.program_secret if game.over else None,
    )


# --- a race before its first guess ------------------------------------------------------------------------------------


class MixedStrategy(Part):
    """A strategy that a player picks with some chance, by its first guess and the secrets found at each guess."""

    chance: str
    guess: str
    histogram: list[Count]


class Race(Part):
    """What a race is worth to the first player, a draw counted one half, and what it took to find out."""

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


class StoredGame(Part):
    """What the store of a race holds of one game: sets of candidates, their forms, and those whose options are listed.

    The symbols are called 0, 1, 2, ... whatever they were.
    """

    rules: GameRules
    sets: Count
    forms: Count
    listed: Count


class StoredRace(Part):
    """What the store of a race holds: of one game, or of both where the two secrets have different rules."""

    games: list[StoredGame]


def stored_race(games: Iterable[store.StoredGame]) -> StoredRace:
    """What the store of a race holds."""
    return StoredRace([filled(StoredGame, game, rules=game_rules(game.rules)) for game in games])


def race(terms: Terms, information: str, found: Value) -> Race:
    """The value of a race, with both players' strategies or the effort where they are known."""
    document = filled(
        Race,
        terms,
        rules=game_rules(terms.first.rules),
        secret_rules=game_rules(terms.second.rules),
        information=information,
        revealed=len(terms.shown),
        value=float((found.lower + found.upper) / 2),
        lower=float(found.lower),
        upper=float(found.upper),
        exact=str(found.lower) if found.lower == found.upper else None,
        draw=None if found.draw is None else float(found.draw),
    )
    match information:
        case "unseen":
            mixed = cast("Equilibrium", found)
            document.first, document.second = _strategies(mixed.first), _strategies(mixed.second)
        case "public":
            effort = cast("PublicValue", found).effort
            document.sets, document.forms, document.pairs = effort.sets, effort.forms, effort.pairs
    return document


def _strategies(choices: Sequence[Picked]) -> list[MixedStrategy]:
    return [MixedStrategy(str(each.chance), each.tree.guess, list(each.finish.counts)) for each in choices]
