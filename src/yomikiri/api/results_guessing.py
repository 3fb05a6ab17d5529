"""JSON documents of games with lists of codes: suggestions, candidates, reviews, solutions and simulations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal, Self

from msgspec import Meta, field

from yomikiri.api.results import Count, Document, Share
from yomikiri.guessing.guess_rules import GuessRule

if TYPE_CHECKING:
    from yomikiri.guessing.certificate.checker import ListGame
    from yomikiri.guessing.duel import Duel, DuelAdvice
    from yomikiri.guessing.game import Position
    from yomikiri.guessing.results import GuessAdvice, JudgedTurn, SimulatedGame, SolvedGame
    from yomikiri.guessing.strategy import DecisionNode


class GuessAdviceJson(Document):
    """The suggested guess.

    `parts` is the number of different answers that the candidates give, and `largest_part` the probability of the
    likeliest answer. `expected_guesses` is null if the search stopped before it was known. `finds_all` is false if no
    strategy finds every candidate within the limit of guesses.
    """

    guess: str
    candidates: Count
    chance: Share
    parts: Count
    largest_part: Share
    expected_guesses: Share | None
    is_proven: bool
    finds_all: bool

    @classmethod
    def of(cls, source: GuessAdvice) -> Self:
        return cls.filled(source, largest_part=source.largest, expected_guesses=source.expected)


class DuelJson(Document):
    """The best guess of the side to move if both sides guess the same secret, and the chances of this side.

    `is_exact` is false if there were too many guesses for an exact search. The chances are then those of a match in
    which both sides guess only candidates. `sampled` is the number of candidates drawn at random for that calculation,
    or 0 if it used all candidates.
    """

    to_move: Literal["me", "opponent"]
    guess: str
    win: Share
    lose: Share
    draw: Share
    candidates: Count
    is_exact: bool
    sampled: Count

    @classmethod
    def of(cls, source: tuple[Duel, DuelAdvice]) -> Self:
        duel, advice = source
        return cls.filled(advice, to_move="opponent" if duel.to_move else "me", draw=advice.draw)


class SecretsJson(Document):
    """The candidates, in the order of the list, with their weights."""

    count: Count
    candidates: dict[str, Count]

    @classmethod
    def of(cls, source: Position) -> Self:
        weighted = dict(zip(source.candidates, source.weights, strict=True))
        return cls(count=len(weighted), candidates=weighted)


class JudgedTurnJson(Document):
    """The review of one turn.

    `before` and `after` are the numbers of candidates before and after the turn. `chance` is the probability of the
    answer. `cost` is the number of guesses lost on average against the best guess, null if it is not known. `finds_all`
    is false if after the guess no strategy finds every candidate within the limit of guesses. It is null if that is not
    known.
    """

    guess: str
    answer: str
    before: Count
    after: Count
    best: str
    cost: Share | None
    is_proven: bool
    chance: Share
    finds_all: bool | None

    @classmethod
    def of(cls, source: JudgedTurn) -> Self:
        return cls.filled(source, guess=source.turn.guess, answer=source.turn.answer)


class GuessReviewJson(Document):
    """The review of a game."""

    turns: list[JudgedTurnJson]

    @classmethod
    def of(cls, source: list[JudgedTurn]) -> Self:
        return cls(turns=[JudgedTurnJson.of(turn) for turn in source])


class DecisionNodeJson(Document):
    """A strategy: a guess, and the rest of the strategy for each answer except the winning one."""

    guess: str
    on: dict[str, DecisionNodeJson] = field(default_factory=dict)

    @classmethod
    def of(cls, source: DecisionNode) -> Self:
        return cls(guess=source.guess, on={answer: cls.of(node) for answer, node in source.branches})


class SolvedGameJson(Document):
    """A strategy, its total number of guesses over all secrets, and a lower bound of this total for any strategy."""

    first: str
    total: Count
    average: Share
    bound: Count
    is_proven: bool
    histogram: list[Count]
    strategy: DecisionNodeJson

    @classmethod
    def of(cls, source: SolvedGame) -> Self:
        return cls.filled(source, strategy=DecisionNodeJson.of(source.strategy))


class SimulatedGameJson(Document):
    """The numbers of guesses of a policy that was played against secrets.

    `missed` is the total weight of the secrets that were not found within the limit of guesses. Except for `secrets`,
    the other figures are about the secrets found. `average` is null if no secret was found.
    """

    secrets: Count
    total: Count
    average: Share | None
    most: Count
    missed: Count
    histogram: list[Count]


class SimulatedGamesJson(Document):
    """The results of several policies, by name."""

    policies: dict[str, SimulatedGameJson]

    @classmethod
    def of(cls, source: Mapping[str, SimulatedGame]) -> Self:
        return cls({name: SimulatedGameJson.of(game) for name, game in source.items()})


class ListJson(Document):
    """A list of codes: their number, and the SHA-256 of the lines `CODE,WEIGHT` in alphabetical order."""

    count: Count
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class ListStrategyFile(Document):
    """A strategy file for lists of codes. Its description is in docs/reference/strategy-files.md.

    `secrets` and `guesses` identify the list of the secrets and the list of the allowed guesses. The hash in `guesses`
    is computed with the weight 0 for each code. `tree` is the strategy after `turns`.
    """

    format: Literal["yomikiri-list-strategy"]
    version: Literal[1]
    answers: Literal["hits-blows", "marks", "hits", "sum"]
    guess_rule: GuessRule
    within: Annotated[int, Meta(ge=1)] | None
    secrets: ListJson
    guesses: ListJson
    turns: list[str]
    total: Count
    bound: Count
    histogram: list[Count]
    tree: DecisionNodeJson


class VerifiedListStrategy(Document):
    """A strategy file for lists of codes after a successful check.

    `bound` is only stated by the file. `proof_checked` is true if a certificate of the total was accepted.
    """

    valid: Literal[True]
    first: str
    total: Count
    average: Share
    bound: Count
    histogram: list[Count]
    proof_checked: bool

    @classmethod
    def of(cls, source: SolvedGame, *, checked: bool = False) -> Self:
        """Build the document of a verified strategy. `checked` is True if a certificate of its total was accepted."""
        return cls.filled(source, valid=True, proof_checked=checked)


class AcceptedList(Document):
    """An accepted certificate for lists of codes: no strategy has a smaller total of guesses.

    If `first` is not null, this is proven only for the strategies that begin with that guess. `lemmas` is the number of
    bounds that the certificate states for sets of secrets. `leaves` is the number of bounds with a short proof: for one
    set of secrets, the checker computes how each guess splits this set.
    """

    accepted: Literal[True]
    answers: str
    turns: list[str]
    first: str | None
    secrets: Count
    guesses: Count
    total: Count
    lemmas: Count
    leaves: Count

    @classmethod
    def of(cls, source: ListGame) -> Self:
        return cls.filled(
            source,
            accepted=True,
            answers=source.kind,
            first=source.codes[source.first] if source.first >= 0 else None,
            secrets=len(source.own),
            guesses=len(source.codes),
        )
