"""Certificates of tasks: the first line of their file, and checking with several processes and a budget.

A *section* is a part of the file that one process can check without the rest. A *scan* compares all guesses with one
set of secrets; progress counts scans.
"""

from __future__ import annotations

import signal
from collections import deque
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult, Pool
from time import monotonic
from typing import Any

from yomikiri.common.budget import UNLIMITED, Budget, Progress
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.certificate.checker import CertificateGame, Rejected, check, need
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task

_MOST = 1 << 28  # limit on the size of a section in bytes
_WAITING = 4  # sections per worker that may wait for their result
_WAIT = 0.1  # seconds between two checks of the budget while waiting for a worker
_DIGITS = "0123456789abcdef"


def head(task: Task, total: int) -> str:
    """Return the first line of a certificate: the claim that every strategy for a task has at least this total.

    Symbols are written as their positions in the rules, because no total depends on their names. Raises an `InputError`
    for a task that certificates do not support (see `_refuse`).
    """
    _refuse(task)
    rules = task.rules
    absent = "".join(sorted(_DIGITS[rules.symbols.index(symbol)] for symbol in task.absent)) or "-"
    game = f"certificate 1 {rules.digits} {len(rules.symbols)} {rules.repeats.value} {absent} {total}"
    return " ".join([game, *(_turn(task, fact) for fact in task.facts if isinstance(fact, Turn))])


def _turn(task: Task, turn: Turn) -> str:
    return f"{''.join(_DIGITS[task.rules.symbols.index(symbol)] for symbol in turn.guess)}:{turn.hint}"


def _refuse(task: Task) -> None:
    """Raise an `InputError` for a task that the proof in `checker` does not cover.

    If only candidates may be guessed, a subset may cost more than the set. With unequal weights, bounds and renamings
    would have to preserve the weights. With a limit on guesses, and for other objectives, the least total is a minimum
    over fewer strategies. A symbol that may not begin a code cannot be exchanged with others. The file format describes
    the start by turns and absent symbols only, so it cannot express other facts.
    """
    why = None
    if task.prior:
        why = N_("weights")
    elif task.objective.within is not None:
        why = N_("--within")
    elif task.objective.consistent:
        why = N_("--consistent")
    elif task.objective.kind is not Criterion.EXPECTED:
        why = N_("an objective other than the average")
    elif task.rules.no_leading:
        why = N_("--no-leading")
    elif len(task.rules.symbols) < 2:
        why = N_("a single symbol")
    elif not all(isinstance(fact, Turn) for fact in task.facts):
        why = N_("facts other than turns and absent symbols")
    if why:
        raise InputError(
            N_("certificates do not support {why}: choose other rules or options"),
            why=why,
        )
    assert task.objective == Objective()


def check_certificate(
    file: Any, *, workers: int = 1, memory: float = 1 << 31, budget: Budget = UNLIMITED
) -> CertificateGame:
    """Check a certificate from an open file and return its game, with the claim and the numbers of lemmas and leaves.

    `workers` processes check the sections, each with its own table of answers of at most `memory` bytes. If the file
    has no sections, this process alone checks it. The budget counts scans as its states. Raises `checker.Rejected` for
    an invalid certificate, and `Stopped` if the budget ends first.
    """
    begun, elsewhere, lemmas = monotonic(), 0, 0

    def tell(sets: int) -> None:
        budget.check(sets + elsewhere)
        if sets % 64 == 0:
            report(sets)

    def report(sets: int) -> None:
        budget.report(Progress(states=sets + elsewhere, done=lemmas, seconds=monotonic() - begun))

    def done(found: tuple[int, int, int], game: CertificateGame) -> None:
        nonlocal elsewhere, lemmas
        elsewhere += found[0]
        lemmas += found[1]
        game.lemmas += found[1]
        game.leaves += found[2]
        tell(game.scans)

    settings: dict[str, Any] = {"memory": memory, "tell": tell}
    if workers == 1:
        return check(file, **settings)

    class Shared(CertificateGame):
        """A reader of the certificate that passes each section to a worker process instead of checking it."""

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
            # Use spawn, because a forked copy would wait forever for locks that threads of this process hold.
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

    def begin(first: str, **known: Any) -> CertificateGame:
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


_game: CertificateGame | None = None  # in a worker process: the game with its table of answers


def _begin(first: str, memory: float) -> None:
    """Initialise a worker process with its own table of answers.

    The worker ignores SIGINT, because the parent process receives it too and then ends the workers.
    """
    global _game
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _game = CertificateGame(first, memory)


def _check(s: Any, least: int, depth: int, text: list[str]) -> tuple[int, int, int]:
    """Check a section in a worker process; return the numbers of its scans, lemmas and leaves."""
    assert _game is not None
    before = _game.scans, _game.lemmas, _game.leaves
    _game.lines, _game.kept = iter(text), 0
    try:
        _game.section(s, least, depth)
    except ValueError as error:
        raise Rejected(f"it cannot be read: {error}") from None
    return _game.scans - before[0], _game.lemmas - before[1], _game.leaves - before[2]
