"""What can be asked of the engine. A question is a struct: its fields are the keys of its line, and it answers itself.

Options that a command has are keys here, with `_` for `-`, and the answers are the documents that commands write with
`--json`. How a line tells a game stands in `games`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar, Literal, get_args

from msgspec import UNSET, Meta, Raw, UnsetType

from yomikiri import __version__
from yomikiri.budget import Budget, Stopped
from yomikiri.documents import SCHEMA_VERSION, Count, Part, hitblow, strategies, tictactoe
from yomikiri.documents import match as matches
from yomikiri.engine.games import (
    Cells,
    Game,
    OneBoard,
    Opened,
    Question,
    Session,
    TwoBoards,
    game_told,
    match_told,
    missing,
    session_named,
)
from yomikiri.errors import N_, InputError, StrategyFault
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.game import rules_of, words_of
from yomikiri.hitblow.items import ASKING, Items
from yomikiri.hitblow.judgement import review
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, OPPONENTS, opponent_named
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, policy_named
from yomikiri.hitblow.policies.base import simulate
from yomikiri.hitblow.policies.exact import SECONDS, Exact
from yomikiri.hitblow.race.terms import Reveals, Terms
from yomikiri.hitblow.race.value import Information, race_value
from yomikiri.hitblow.strategy.file import read_strategy
from yomikiri.hitblow.strategy.strategy import Kind, Objective, Task
from yomikiri.hitblow.strategy.verify import verify
from yomikiri.tictactoe.advice import PartialAdvice, analyze
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.search.margins import winner
from yomikiri.wording import sentence
from yomikiri.wording.contradictions import require_consistent
from yomikiri.wording.tictactoe import so_far

PolicyName = Annotated[str, Meta(extra_json_schema={"enum": list(POLICIES)})]
Seconds = Annotated[float, Meta(ge=0)]


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
        return Engine("yomikiri", __version__, SCHEMA_VERSION, list(QUESTIONS))


# --- games ------------------------------------------------------------------------------------------------------------


class Suggest(OneBoard, kw_only=True, tag="suggest"):
    """The next guess, and which of my items that are left comes first."""

    policy: PolicyName = DEFAULT_POLICY
    seconds: Seconds = SECONDS
    seed: Count = 0
    compare: Annotated[bool, Meta(description="Tell the next best guesses even where that takes longer")] = False
    items: Annotated[str, Meta(examples=["high,slash,target"])] = ""
    item_takes_turn: bool = False

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        policy = policy_named(self.policy, self.seed, seconds=self.seconds)
        known = self.known(sessions)
        mine = Items.told(self.items, self.item_takes_turn, known.rules, len(known.facts), ASKING)
        game = Assistant(known, policy, budget, mine)
        return hitblow.suggestion(game.compared if self.compare else game.advice, game.item_advice)


class Candidates(OneBoard, kw_only=True, tag="candidates"):
    """The codes that fit, and the chance of each symbol in each place."""

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        return hitblow.candidates(self.known(sessions))


class Review(OneBoard, kw_only=True, tag="review"):
    """A game judged turn by turn."""

    seconds: Seconds = SECONDS

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        return hitblow.review(review(self.known(sessions), Exact(self.seconds), budget))


class Simulate(OneBoard, kw_only=True, tag="simulate"):
    """A policy against every secret."""

    policy: PolicyName = DEFAULT_POLICY
    seed: Count = 0

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        return strategies.cost(
            simulate(policy_named(self.policy, self.seed, seconds=None), self.known(sessions), budget)
        )


class Solve(OneBoard, kw_only=True, tag="solve"):
    """An optimal strategy, proven; after `seconds` the best so far."""

    objective: Kind = Kind.EXPECTED
    within: Annotated[int, Meta(ge=1, le=99)] | None = None
    consistent: bool = False
    memory: Annotated[int, Meta(ge=1, le=1 << 20, description="MiB of the transposition table")] = 256
    seconds: Seconds | None = None

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        from yomikiri.hitblow.search.solution import Solution
        from yomikiri.hitblow.search.solve import solve

        known = self.certain(sessions)
        objective = Objective(self.objective, self.within, self.consistent)
        task = Task(known.rules, known.absent, known.facts, objective, known.prior)
        try:
            return strategies.solved(solve(task, memory=self.memory << 20, budget=budget.at_most(self.seconds)))
        except Stopped as stopped:
            if isinstance(stopped.best, Solution):
                return strategies.solved(stopped.best)
            raise


class Race(OneBoard, kw_only=True, tag="race"):
    """What a race is worth before its first guess; after `seconds` the bounds so far."""

    secret_digits: int | UnsetType = UNSET
    secret_symbols: str | UnsetType = UNSET
    secret_repeats: str | UnsetType = UNSET
    secret_no_leading: str | UnsetType = UNSET
    information: Information = Information.PUBLIC
    reveals: Reveals = Reveals.NONE
    revealed: Annotated[int, Meta(ge=1, le=15)] = 1
    equal_turns: bool = False
    seconds: Seconds | None = None
    terms: ClassVar[tuple[str, ...]] = (
        *(*OneBoard.terms, "secret_digits", "secret_symbols", "secret_repeats", "secret_no_leading"),
    )

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        pairs = self.told(sessions)
        game = game_told(pairs)
        game.known.require_certain()
        if game.facts:
            raise InputError(N_("a race is solved before its first turn: leave out {given}"), given=str(game.facts[0]))
        own = rules_of(dict(pairs), "secret-", game.rules)
        terms = Terms(game.rules, game.absent, self.reveals, self.revealed, self.equal_turns, own, game.prior)
        try:
            found = race_value(terms, self.information, budget=budget.at_most(self.seconds))
        except Stopped as stopped:
            if stopped.best is None:
                raise
            found = stopped.best
        return matches.race(terms, self.information, found)


class Match(TwoBoards, kw_only=True, tag="match"):
    """The state of a match, and the guess that wins most often."""

    opponent: Annotated[str, Meta(extra_json_schema={"enum": list(OPPONENTS)})] = DEFAULT_OPPONENT
    finishes: str = ""
    seconds: Seconds = SECONDS
    seed: Count = 0
    items: Annotated[str, Meta(examples=["high,slash,double"])] = ""
    item_takes_turn: bool = False

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        pairs = self.told(sessions)
        match, plain = match_told(pairs), Exact()
        advisor = Advisor(opponent_named(self.opponent, plain, self.finishes, self.seed), plain, self.seconds)
        mine = Items.told(self.items, self.item_takes_turn, match.rules, len(match.facts))
        assistant = MatchAssistant(match, advisor, budget, mine)
        require_consistent(assistant, words_of(dict(pairs)))
        return matches.match(assistant)


class Analyze(Cells, kw_only=True, tag="analyze"):
    """Where every move leads, best play, and why."""

    seconds: Seconds | None = None

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
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
        won = winner(self.position(sessions), self.tie, budget.at_most(self.seconds))
        return tictactoe.Won(CONTEST_NAMES[won or 0])


# --- sessions ---------------------------------------------------------------------------------------------------------


def kept_as(name: str, session: Session, sessions: dict[str, Session]) -> Opened:
    """Keep a game under a name, from now on; raises a `YomikiriError`, and keeps what was, for one that cannot be."""
    opened = session.kind.state(name, session.pairs)
    sessions[name] = session
    return opened


class _Open(Game, kw_only=True):
    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The session; one of the same name is another game from now on."""
        if not isinstance(self.session, str):
            raise missing("session")
        kind = next(kind for kind in (OneBoard, TwoBoards, Cells) if isinstance(self, kind))
        return kept_as(self.session, Session(kind, tuple(self.named()), tuple(self.own_steps())), sessions)


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
        kept = session_named(self.session, sessions)
        return kept_as(self.session, replace(kept, steps=(*kept.steps, *kept.kind.steps(self.turns))), sessions)


class Undo(Question, kw_only=True, tag="undo"):
    """The last turns, or moves, taken back."""

    session: str
    turns: Annotated[int, Meta(ge=1)] = 1

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        kept = session_named(self.session, sessions)
        left = len(kept.steps) - self.turns
        if left < 0:
            raise InputError(
                N_("{given} turns cannot be undone: there are {count}"), given=self.turns, count=len(kept.steps)
            )
        return kept_as(self.session, replace(kept, steps=kept.steps[:left]), sessions)


class Close(Question, kw_only=True, tag="close"):
    """A session that is not needed any more."""

    session: str

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        kept = session_named(self.session, sessions)
        opened = kept.kind.state(self.session, kept.pairs)
        del sessions[self.session]
        return opened


# --- strategies -------------------------------------------------------------------------------------------------------


class Verify(Question, kw_only=True, tag="verify"):
    """A strategy, as it stands in its file, replayed against every secret."""

    strategy: Raw

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        try:
            strategy = read_strategy(bytes(self.strategy))
            return strategies.verified(strategy, verify(strategy))
        except StrategyFault as fault:
            return strategies.Unverified(False, sentence(fault))


Asked = (
    Hello | Suggest | Candidates | Review | Simulate | Solve | Race | Match | Analyze | Winner
    | Open | OpenMatch | OpenBoard | Play | Undo | Close | Verify
)  # fmt: skip
"""Every question, told apart by its `request`."""

QUESTIONS: dict[str, type[Question]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Asked)}
"""The questions by their names."""
