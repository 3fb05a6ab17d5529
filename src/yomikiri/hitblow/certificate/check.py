"""What a certificate claims, of a task and a total; and its check within a budget, its sections side by side."""

from __future__ import annotations

import signal
from collections import deque
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult, Pool
from time import monotonic
from typing import Any

from yomikiri.common.budget import UNLIMITED, Budget, Progress
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.certificate.checker import Game, Rejected, check, need
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task

_MOST = 1 << 28  # bytes of a section that is handed on
_WAITING = 4  # sections of each worker that are read ahead
_WAIT = 0.1  # seconds between two looks at the budget
_DIGITS = "0123456789abcdef"


def head(task: Task, total: int) -> str:
    """The first line of a certificate that no strategy for a task takes less than so many guesses in total.

    Symbols are written by their places among those of the rules, since no total depends on their names. Raises an
    `InputError` for tasks that the argument of the checker does not hold for.
    """
    _refuse(task)
    rules = task.rules
    absent = "".join(sorted(_DIGITS[rules.symbols.index(symbol)] for symbol in task.absent)) or "-"
    game = f"certificate 1 {rules.digits} {len(rules.symbols)} {rules.repeats.value} {absent} {total}"
    return " ".join([game, *(_turn(task, fact) for fact in task.facts if isinstance(fact, Turn))])


def _turn(task: Task, turn: Turn) -> str:
    return f"{''.join(_DIGITS[task.rules.symbols.index(symbol)] for symbol in turn.guess)}:{turn.hint}"


def _refuse(task: Task) -> None:
    """Refuse what would need another argument.

    Where only candidates are guessed, a part of a set may cost more than the set; where some secrets are likelier,
    bounds and renamings have to keep the weights; within a limit a bound holds for fewer guesses, never for more, and
    of other objectives the least total is one among some strategies only. A symbol that may not lead is not exchanged
    for another, and other facts are not of the codes that fit some turns.
    """
    why = None
    if task.prior:
        why = N_("weights")
    elif task.objective.within is not None:
        why = N_("--within")
    elif task.objective.consistent:
        why = N_("--consistent")
    elif task.objective.kind is not Criterion.EXPECTED:
        why = N_("another objective than the average")
    elif task.rules.no_leading:
        why = N_("--no-leading")
    elif len(task.rules.symbols) < 2:
        why = N_("a single symbol")
    elif not all(isinstance(fact, Turn) for fact in task.facts):
        why = N_("facts other than turns and absent symbols")
    if why:
        raise InputError(
            N_("there are no certificates with {why}: expected the least total with any guess, from a start or turns"),
            why=why,
        )
    assert task.objective == Objective()


def check_certificate(file: Any, *, workers: int = 1, memory: float = 1 << 31, budget: Budget = UNLIMITED) -> Game:
    """Read a certificate from an open file: the game, with what is claimed and was shown.

    Sections are checked by so many processes, each with its own table of answers, of `memory` bytes at most; a file
    without sections is read by one. The states of the budget are sets that were scanned. Raises `checker.Rejected`
    unless it is right, and `Stopped` where the budget is spent before that is decided.
    """
    begun, elsewhere, lemmas = monotonic(), 0, 0

    def tell(sets: int) -> None:
        budget.check(sets + elsewhere)
        if sets % 64 == 0:
            report(sets)

    def report(sets: int) -> None:
        budget.report(Progress(states=sets + elsewhere, done=lemmas, seconds=monotonic() - begun))

    def done(found: tuple[int, int, int], game: Game) -> None:
        nonlocal elsewhere, lemmas
        elsewhere += found[0]
        lemmas += found[1]
        game.lemmas += found[1]
        game.leaves += found[2]
        tell(game.scans)

    settings: dict[str, Any] = {"memory": memory, "tell": tell}
    if workers == 1:
        return check(file, **settings)

    class Shared(Game):
        """A game whose sections others check."""

        def __init__(self, first: str, **known: Any) -> None:
            super().__init__(first, **known)
            self.pool: Pool | None = None
            self.first, self.asked = first, deque[AsyncResult[Any]]()

        def section(self, s: Any, least: int, depth: int) -> None:
            text, size, open_ = list[str](), 0, 1
            while open_:
                line = next(self.lines, None)
                need(line is not None, "a section without an end")
                assert line is not None
                size += len(line) + 64
                need(size < _MOST, "a section is too long")
                open_ += line.count("^") - (line == "end")
                text.append(line)
            # Not by fork: this process may have threads, whose locks a copy of it would wait for without end.
            self.pool = self.pool or get_context("spawn").Pool(workers, _begin, (self.first, memory))
            self.asked.append(self.pool.apply_async(_check, (s, least, depth, text)))
            while len(self.asked) > _WAITING * workers:
                self.wait()

        def wait(self) -> None:
            answer = self.asked.popleft()
            while not answer.ready():
                answer.wait(_WAIT)
                budget.check(self.scans + elsewhere)
                report(self.scans)
            done(answer.get(), self)

    games: list[Shared] = []

    def begin(first: str, **known: Any) -> Game:
        games.append(Shared(first, **known))
        return games[0]

    try:
        game = check(file, begin, **settings)
        while games[0].asked:
            games[0].wait()
        return game
    finally:
        for each in games:
            if each.pool:
                each.pool.terminate()


_game: Game | None = None  # of a worker


def _begin(first: str, memory: float) -> None:
    """A worker makes its table of answers. An interrupt is for the process that waits for it, which then ends it."""
    global _game
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _game = Game(first, memory)


def _check(s: Any, least: int, depth: int, text: list[str]) -> tuple[int, int, int]:
    """Check a section: how many sets were scanned, and how many lemmas and leaves it has."""
    assert _game is not None
    before = _game.scans, _game.lemmas, _game.leaves
    _game.lines, _game.kept = iter(text), 0
    try:
        _game.section(s, least, depth)
    except ValueError as error:
        raise Rejected(f"it cannot be read: {error}") from None
    return _game.scans - before[0], _game.lemmas - before[1], _game.leaves - before[2]
