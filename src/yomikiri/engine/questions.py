"""What can be asked of the engine. A question is a struct: its fields are the keys of its line, and it answers itself.

Options that a command has are keys here, with `_` for `-`, and the answers are the documents that commands write with
`--json`. A question about a game names its rules and turns, or a `session` that holds them, or a session and what is
different or comes after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, get_args

from msgspec import UNSET, Meta, Raw, UnsetType, field

from yomikiri import __version__
from yomikiri.budget import Budget, Stopped
from yomikiri.documents import SCHEMA_VERSION, Count, Part, hitblow, tictactoe
from yomikiri.documents import match as matches
from yomikiri.enums import choice
from yomikiri.errors import N_, InputError, StrategyFault
from yomikiri.hitblow.advice import suggest
from yomikiri.hitblow.judgement import review
from yomikiri.hitblow.knowledge import Knowledge, repairs
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import SIDES, match_of, match_pairs, split_pair
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, OPPONENTS, opponent_named
from yomikiri.hitblow.notation import Pairs, game_of, rules_of, words_of
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, Policy, exact, policy_named
from yomikiri.hitblow.policies.base import simulate
from yomikiri.hitblow.policies.exact import SECONDS, Exact
from yomikiri.hitblow.race.terms import Reveals, Terms
from yomikiri.hitblow.race.value import Information, race_value
from yomikiri.hitblow.strategy.file import read_strategy
from yomikiri.hitblow.strategy.strategy import Kind, Objective, Task
from yomikiri.hitblow.strategy.verify import verify
from yomikiri.tictactoe.advice import PartialAdvice, analyze
from yomikiri.tictactoe.notation import CONTEST_NAMES, board_of
from yomikiri.tictactoe.position import Position, Tie
from yomikiri.tictactoe.search.margins import winner
from yomikiri.wording import sentence
from yomikiri.wording.hitblow import contradiction_error
from yomikiri.wording.tictactoe import so_far

Id = int | str | None
PolicyName = Annotated[str, Meta(extra_json_schema={"enum": list(POLICIES)})]
Seconds = Annotated[float, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class Session:
    """A game that the engine keeps under a name: of which kind, and the names and values that tell it."""

    kind: type[Game]
    pairs: tuple[tuple[str, str], ...]


class Question(Part, kw_only=True, tag_field="request"):
    """A line that is asked. `id` comes back with the answer; with `progress` the engine says how far it has come."""

    id: Id = None
    progress: bool = False

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The document that answers; raises a `YomikiriError`, and `Stopped` where the budget is spent before that."""
        raise NotImplementedError


# --- the engine itself ------------------------------------------------------------------------------------------------


class Engine(Part):
    """Who answers: the version of the program and of its documents, and what can be asked."""

    name: Literal["yomikiri"]
    version: str
    schema_version: int
    requests: list[str]


class Hello(Question, tag="hello"):
    """Who is there, and what can be asked."""

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The version and the requests."""
        return Engine("yomikiri", __version__, SCHEMA_VERSION, list(QUESTIONS))


# --- games ------------------------------------------------------------------------------------------------------------


class Opened(Part):
    """A session: what its game is, and the turns or moves so far; `count` candidates are left, the opponent's board
    included in a match."""

    session: str
    game: Literal["hitblow", "match", "tictactoe"]
    turns: list[str]
    count: Count | UnsetType = UNSET
    their_count: Count | UnsetType = UNSET
    finished: bool = False


class Game(Question, kw_only=True):
    """A question about a game: one that it tells, or one of a session, or both."""

    session: str | UnsetType = UNSET
    terms: ClassVar[tuple[str, ...]] = ()
    played: ClassVar[str] = "turns"

    def told(self, sessions: dict[str, Session]) -> list[tuple[str, str]]:
        """The names and values that tell the game, those of the session first."""
        kept: tuple[tuple[str, str], ...] = ()
        if isinstance(self.session, str):
            found = session_named(self.session, sessions)
            if not isinstance(self, found.kind):
                raise InputError(
                    N_("the session {given!r} holds another game: ask what its game knows, or open another"),
                    given=self.session,
                )
            kept = found.pairs
        return [*kept, *self._pairs(), *self.steps(getattr(self, self.played))]

    def _pairs(self) -> Iterator[tuple[str, str]]:
        for name in self.terms:
            value = getattr(self, name)
            if value is not UNSET:
                yield name.replace("_", "-"), _text(value)

    @classmethod
    def steps(cls, turns: list[str]) -> list[tuple[str, str]]:
        """Turns or moves as names and values."""
        raise NotImplementedError

    @classmethod
    def state(cls, name: str, pairs: Pairs) -> Opened:
        """The game that names and values tell, as a session of that name; raises a `YomikiriError`."""
        raise NotImplementedError


def missing(key: str) -> InputError:
    """The error for a line that lacks a key."""
    return InputError(N_("{given!r} is missing: add it"), given=key)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list):
        return "/".join(",".join(map(str, row)) for row in value)
    return str(value)


def session_named(name: str, sessions: dict[str, Session]) -> Session:
    """The session of that name; raises an `InputError`."""
    if name not in sessions:
        raise InputError(N_("there is no session {given!r}: open it first"), given=name)
    return sessions[name]


class OneBoard(Game, kw_only=True):
    """A game of Hit & Blow on one board, as the command's options tell it."""

    preset: str | UnsetType = UNSET
    digits: int | UnsetType = UNSET
    symbols: str | UnsetType = UNSET
    repeats: str | UnsetType = UNSET
    words: str | UnsetType = UNSET
    absent: str | UnsetType = UNSET
    turns: Annotated[list[str], Meta(examples=[["012:0H1B"]])] = field(default_factory=list)
    terms: ClassVar[tuple[str, ...]] = ("preset", "digits", "symbols", "repeats", "words", "absent")

    @classmethod
    def steps(cls, turns: list[str]) -> list[tuple[str, str]]:
        """Each as a `fact`, which a turn is."""
        return [("fact", turn) for turn in turns]

    @classmethod
    def state(cls, name: str, pairs: Pairs) -> Opened:
        """The turns, and how many candidates are left."""
        known = _knowledge(pairs)
        return Opened(name, "hitblow", list(map(str, known.facts)), known.count, finished=known.solved)

    def known(self, sessions: dict[str, Session]) -> Knowledge:
        """What is known of the secret; raises a `ContradictionError` with the likeliest slip where no code fits."""
        pairs = self.told(sessions)
        known = _knowledge(pairs)
        if not known.count:
            raise contradiction_error(known.facts, known.facts, repairs(known), words_of(dict(pairs)))
        return known


def _knowledge(pairs: Pairs) -> Knowledge:
    return game_of(pairs).known


def _policy(name: str, seconds: float | None, seed: int) -> Policy:
    return Exact(seconds) if name == exact.NAME else policy_named(name, seed)


class Suggest(OneBoard, kw_only=True, tag="suggest"):
    """The next guess."""

    policy: PolicyName = DEFAULT_POLICY
    seconds: Seconds = SECONDS
    seed: int = 0
    compare: Annotated[bool, Meta(description="Tell the next best guesses even where that takes longer")] = False

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """A suggestion."""
        policy = _policy(self.policy, self.seconds, self.seed)
        return hitblow.suggestion(suggest(self.known(sessions), policy, compare=self.compare, budget=budget))


class Candidates(OneBoard, kw_only=True, tag="candidates"):
    """The codes that fit, and the chance of each symbol in each place."""

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The candidates."""
        return hitblow.candidates(self.known(sessions))


class Review(OneBoard, kw_only=True, tag="review"):
    """A game judged turn by turn."""

    seconds: Seconds = SECONDS

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The review."""
        return hitblow.review(review(self.known(sessions), Exact(self.seconds), budget))


class Simulate(OneBoard, kw_only=True, tag="simulate"):
    """A policy against every secret."""

    policy: PolicyName = DEFAULT_POLICY
    seed: int = 0

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """What the policy costs."""
        return hitblow.cost(simulate(_policy(self.policy, None, self.seed), self.known(sessions), budget))


class Solve(OneBoard, kw_only=True, tag="solve"):
    """An optimal strategy, proven; after `seconds` the best so far."""

    objective: Kind = Kind.EXPECTED
    within: Annotated[int, Meta(ge=1, le=99)] | None = None
    consistent: bool = False
    memory: Annotated[int, Meta(ge=1, le=1 << 20, description="MiB of the transposition table")] = 256
    seconds: Seconds | None = None

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """What was proven."""
        from yomikiri.hitblow.search.solve import Solution, solve

        known = self.known(sessions)
        task = Task(known.rules, known.absent, known.facts, Objective(self.objective, self.within, self.consistent))
        try:
            return hitblow.solved(solve(task, memory=self.memory << 20, budget=budget.at_most(self.seconds)))
        except Stopped as stopped:
            if isinstance(stopped.best, Solution):
                return hitblow.solved(stopped.best)
            raise


class Race(OneBoard, kw_only=True, tag="race"):
    """What a race is worth before its first guess; after `seconds` the bounds so far."""

    secret_digits: int | UnsetType = UNSET
    secret_symbols: str | UnsetType = UNSET
    secret_repeats: str | UnsetType = UNSET
    information: Information = Information.PUBLIC
    reveals: Reveals = Reveals.NONE
    revealed: Annotated[int, Meta(ge=1, le=15)] = 1
    equal_turns: bool = False
    seconds: Seconds | None = None
    terms: ClassVar[tuple[str, ...]] = (*OneBoard.terms, "secret_digits", "secret_symbols", "secret_repeats")

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The value."""
        pairs = self.told(sessions)
        game = game_of(pairs)
        own = rules_of(dict(pairs), "secret-", game.rules)
        terms = Terms(game.rules, game.absent, self.reveals, self.revealed, self.equal_turns, own)
        try:
            found = race_value(terms, self.information, budget=budget.at_most(self.seconds))
        except Stopped as stopped:
            if stopped.best is None:
                raise
            found = stopped.best
        return matches.race(terms, self.information, found)


class TwoBoards(Game, kw_only=True):
    """A match, as the command's options tell it."""

    preset: str | UnsetType = UNSET
    digits: int | UnsetType = UNSET
    symbols: str | UnsetType = UNSET
    repeats: str | UnsetType = UNSET
    words: str | UnsetType = UNSET
    secret_digits: int | UnsetType = UNSET
    secret_symbols: str | UnsetType = UNSET
    secret_repeats: str | UnsetType = UNSET
    first: str | UnsetType = UNSET
    absent: str | UnsetType = UNSET
    shown: str | UnsetType = UNSET
    secret: str | UnsetType = UNSET
    equal_turns: bool | UnsetType = UNSET
    turns: Annotated[list[str], Meta(examples=[["me=012:0H1B", "they=345:0H0B"]])] = field(default_factory=list)
    terms: ClassVar[tuple[str, ...]] = (
        *("preset", "digits", "symbols", "repeats", "words", "secret_digits", "secret_symbols", "secret_repeats"),
        *("first", "absent", "shown", "secret", "equal_turns"),
    )

    @classmethod
    def steps(cls, turns: list[str]) -> list[tuple[str, str]]:
        """Each by its side."""
        return [split_pair(turn) for turn in turns]

    @classmethod
    def state(cls, name: str, pairs: Pairs) -> Opened:
        """The turns, and how many candidates are left on either board."""
        assistant = MatchAssistant(match_of(pairs))
        match = assistant.match
        turns = [f"{side}={turn}" for side, turn in match_pairs(match) if side in SIDES]
        mine, theirs = (match.known(side).count for side in Side)
        return Opened(name, "match", turns, mine, theirs, assistant.finished)


class Match(TwoBoards, kw_only=True, tag="match"):
    """The state of a match, and the guess that wins most often."""

    opponent: Annotated[str, Meta(extra_json_schema={"enum": list(OPPONENTS)})] = DEFAULT_OPPONENT
    finishes: str = ""
    seconds: Seconds = SECONDS
    seed: int = 0

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The match."""
        pairs = self.told(sessions)
        match, plain = match_of(pairs), Exact()
        opponent = choice({"opponent": self.opponent}, "opponent", OPPONENTS, DEFAULT_OPPONENT)
        advisor = Advisor(opponent_named(opponent, plain, self.finishes, self.seed), plain, self.seconds, True)
        assistant = MatchAssistant(match, advisor, budget)
        if assistant.contradictory:
            given = (match.facts[line] for line in match.lines(assistant.contradictory[0]))
            raise contradiction_error(given, match.facts, assistant.repairs, words_of(dict(pairs)))
        return matches.match(assistant)


class Cells(Game, kw_only=True):
    """A position of weighted tic-tac-toe: a board, row by row, and the moves made on it."""

    board: Annotated[list[list[int]] | str | UnsetType, Meta(examples=["-2,0,-1/-1,-1,0/-1,-1,-2"])] = UNSET
    line: int | UnsetType = UNSET
    moves: Annotated[list[str], Meta(examples=[["b2", "a1"]])] = field(default_factory=list)
    terms: ClassVar[tuple[str, ...]] = ("board", "line")
    played: ClassVar[str] = "moves"

    @classmethod
    def steps(cls, turns: list[str]) -> list[tuple[str, str]]:
        """Each as a `move`."""
        return [("move", move) for move in turns]

    @classmethod
    def state(cls, name: str, pairs: Pairs) -> Opened:
        """The moves so far."""
        position = _position(pairs)
        moves = [value for key, value in pairs if key == "move"]
        return Opened(name, "tictactoe", moves, finished=position.outcome is not None)

    def position(self, sessions: dict[str, Session]) -> Position:
        """The position that the question tells."""
        return _position(self.told(sessions))


def _position(pairs: Pairs) -> Position:
    told = dict(pairs)
    if "board" not in told:
        raise missing("board")
    board, moves = board_of({**told, "moves": " ".join(value for name, value in pairs if name == "move")})
    return Position.after(board, moves)


class Analyze(Cells, kw_only=True, tag="analyze"):
    """Where every move leads, best play, and why."""

    seconds: Seconds | None = None

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The analysis."""
        try:
            return tictactoe.analysis(analyze(self.position(sessions), budget.at_most(self.seconds)))
        except Stopped as stopped:
            if isinstance(stopped.best, PartialAdvice):
                stopped.add_note(so_far(stopped.best))
            raise


class Winner(Cells, kw_only=True, tag="winner"):
    """Who wins a position under best play."""

    tie: Tie = Tie.DRAW
    seconds: Seconds | None = None

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The winner."""
        won = winner(self.position(sessions), self.tie, budget.at_most(self.seconds))
        return tictactoe.Won(CONTEST_NAMES[won or 0])


# --- sessions ---------------------------------------------------------------------------------------------------------


class _Open(Game, kw_only=True):
    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The session; one of the same name is another game from now on."""
        if not isinstance(self.session, str):
            raise missing("session")
        kind = next(kind for kind in (OneBoard, TwoBoards, Cells) if isinstance(self, kind))
        pairs = (*self._pairs(), *self.steps(getattr(self, self.played)))
        opened = kind.state(self.session, pairs)
        sessions[self.session] = Session(kind, pairs)
        return opened


class Open(_Open, OneBoard, kw_only=True, tag="open"):
    """A session for a game on one board."""


class OpenMatch(_Open, TwoBoards, kw_only=True, tag="open-match"):
    """A session for a match."""


class OpenBoard(_Open, Cells, kw_only=True, tag="open-board"):
    """A session for a game of weighted tic-tac-toe."""


class Play(Question, kw_only=True, tag="play"):
    """Turns, or moves of tic-tac-toe, that come next in a session; all of them, or none where one is refused."""

    session: str
    turns: list[str]

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The session."""
        kept = session_named(self.session, sessions)
        pairs = (*kept.pairs, *kept.kind.steps(self.turns))
        opened = kept.kind.state(self.session, pairs)
        sessions[self.session] = Session(kept.kind, pairs)
        return opened


class Undo(Question, kw_only=True, tag="undo"):
    """The last turns, or moves, taken back."""

    session: str
    turns: Annotated[int, Meta(ge=1)] = 1

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The session."""
        kept = session_named(self.session, sessions)
        played = len(kept.kind.state(self.session, kept.pairs).turns)
        if played < self.turns:
            raise InputError(N_("{given} turns cannot be undone: there are {count}"), given=self.turns, count=played)
        pairs = kept.pairs[: len(kept.pairs) - self.turns]
        opened = kept.kind.state(self.session, pairs)
        sessions[self.session] = Session(kept.kind, pairs)
        return opened


class Close(Question, kw_only=True, tag="close"):
    """A session that is not needed any more."""

    session: str

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The session as it was."""
        kept = session_named(self.session, sessions)
        opened = kept.kind.state(self.session, kept.pairs)
        del sessions[self.session]
        return opened


# --- strategies -------------------------------------------------------------------------------------------------------


class Verify(Question, kw_only=True, tag="verify"):
    """A strategy, as it stands in its file, replayed against every secret."""

    strategy: Raw

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """What holds, or what is wrong and where."""
        try:
            strategy = read_strategy(bytes(self.strategy))
            return hitblow.verified(strategy, verify(strategy))
        except StrategyFault as fault:
            return hitblow.Unverified(False, sentence(fault))


Asked = (
    Hello | Suggest | Candidates | Review | Simulate | Solve | Race | Match | Analyze | Winner
    | Open | OpenMatch | OpenBoard | Play | Undo | Close | Verify
)  # fmt: skip
"""Every question, told apart by its `request`."""

QUESTIONS: dict[str, type[Question]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Asked)}
"""The questions by their names."""
