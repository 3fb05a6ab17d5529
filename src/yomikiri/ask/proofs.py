"""The question for the best strategy of a game of Hit & Blow, proven."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from yomikiri.ask.board import CERTAIN_GAME, SECONDS_IN_ALL, game_told
from yomikiri.ask.question import Question
from yomikiri.budget import UNLIMITED, Budget, Stopped
from yomikiri.errors import N_
from yomikiri.hitblow.game import Pairs
from yomikiri.hitblow.rules import Words
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task
from yomikiri.settings import Idle, Kind, Setting

if TYPE_CHECKING:
    # numpy comes with them: only what really solves may load it.
    from yomikiri.documents import Part
    from yomikiri.hitblow.search.proof.crew import Workers
    from yomikiri.hitblow.search.solution import Outcome, Solution

_MEBIBYTE = 1 << 20
_MEMORY = 256  # MiB

OBJECTIVE = Setting(
    "objective",
    N_(
        "What to minimise: the average number of guesses; the worst case and then the average; or the worst "
        "case, then the number of secrets that take so many guesses, then the average."
    ),
    Kind.WORD,
    default=str(Criterion.EXPECTED),
    words=tuple(Criterion),
)
WITHIN = Setting("within", N_("Maximum number of guesses for any secret."), Kind.INTEGER, least=1, most=99)
CONSISTENT = Setting("consistent", N_("Guess only candidates."), Kind.FLAG, default=False)
MEMORY = Setting("memory", N_("Size limit of the transposition table, in MiB; does not affect the result."),
                 Kind.INTEGER, default=_MEMORY, least=1, most=1 << 20)  # fmt: skip
NO_TIES = Setting("no-ties", N_("Prove the total only; of the strategies that attain it take any."), Kind.FLAG,
                  default=False)  # fmt: skip
WORKERS = Setting(
    "workers",
    N_(
        "Number of threads that search, with a table of --memory for each that they share; all processor cores by "
        "default. They start once a proof has taken ten seconds."
    ),
    Kind.INTEGER,
    least=1,
    most=1024,
)


class Solved(NamedTuple):
    """What was found, and whether the budget was spent before all of it was."""

    solution: Solution
    stopped: bool


@dataclass(frozen=True, slots=True)
class Solve(Question[Solved]):
    """An optimal strategy, proven; after `seconds` the best so far."""

    task: Task
    words: Words = Words.HIT
    memory: int = _MEMORY
    no_ties: bool = False
    seconds: float | None = None
    workers: int | None = None

    NAME: ClassVar[str] = "solve"
    TELLING: ClassVar[tuple[Setting, ...]] = CERTAIN_GAME
    OWN: ClassVar[tuple[Setting, ...]] = (OBJECTIVE, WITHIN, CONSISTENT, MEMORY, NO_TIES, SECONDS_IN_ALL, WORKERS)
    PLAYED: ClassVar[tuple[str, ...]] = ("turn", "fact")
    IDLE: ClassVar[tuple[Idle, ...]] = (
        Idle(("no-ties",), unless={"objective": (Criterion.EXPECTED, Criterion.WORST)}),
        Idle(("no-ties", "workers"), beside="weights"),
    )

    @classmethod
    def _told(cls, game: Pairs, **own: Any) -> Self:
        told = game_told(game)
        known = told.known
        aim = Objective(Criterion(own.pop("objective")), own.pop("within"), own.pop("consistent"))
        return cls(Task(known.rules, known.absent, known.facts, aim, known.prior), told.words, **own)

    def answer(
        self,
        budget: Budget = UNLIMITED,
        *,
        crew: Workers | None = None,
        store: Path | None = None,
        stopped: Callable[[Outcome], None] = lambda _outcome: None,
    ) -> Solved:
        """The strategy; raises `Stopped` where none is known when the budget is spent.

        `crew` works on it, by default so many threads as are asked for. See `search.solve.solve` for the others.
        """
        from yomikiri.hitblow.search.proof.crew import Workers, usable_cores
        from yomikiri.hitblow.search.solution import Solution
        from yomikiri.hitblow.search.solve import solve

        try:
            found = solve(
                self.task,
                memory=self.memory * _MEBIBYTE,
                budget=budget.at_most(self.seconds),
                ties=not self.no_ties,
                workers=crew or Workers(self.workers or usable_cores()),
                store=store,
                stopped=stopped,
            )
            return Solved(found, stopped=False)
        except Stopped as spent:
            if isinstance(spent.best, Solution):
                return Solved(spent.best, stopped=True)
            raise

    def document(self, answer: Solved) -> Part:
        from yomikiri.documents import strategies as documents

        return documents.solved(answer.solution)
