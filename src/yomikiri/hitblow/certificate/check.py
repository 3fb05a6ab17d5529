"""Certificates that a task needs some number of guesses: their first line, and checking by several processes.

A *task* consists of the rules of a game, the knowledge before the first guess, and the objective. A *certificate* is a
file that proves that every strategy for a task needs at least some number of guesses, added up over all secrets. A
*section* is a part of the file that one process can check without the rest. A *scan* splits one set of secrets by each
guess in turn, into secrets with equal answers. Progress reports contain the number of scans, and a budget can limit
this number.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import N_
from yomikiri.guessing.certificate.pool import CertificatePool, CheckProgress
from yomikiri.guessing.certificate.support import require_support
from yomikiri.hitblow.certificate.checker import CertificateGame, Rejected, check, need
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Task

_MOST = 1 << 28  # limit on the size of a section (a part of a certificate that one process checks), in bytes
_DIGITS = "0123456789abcdef"


def head(task: Task, total: int) -> str:
    """Return the first line of a certificate: the claim that every strategy for a task needs at least `total` guesses.

    `total` is the number of guesses added up over all secrets. The line contains no names of symbols, because no total
    depends on them. It writes each symbol as a hexadecimal digit, the index of the symbol in `rules.symbols`. Raises an
    `InputError` for a task that certificates do not support (see `_refuse`).
    """
    _refuse(task)
    rules = task.rules
    absent = "".join(sorted(_DIGITS[rules.symbols.index(symbol)] for symbol in task.absent)) or "-"
    game = f"certificate 1 {rules.digits} {len(rules.symbols)} {rules.repeats.value} {absent} {total}"
    return " ".join([game, *(_turn(task, fact) for fact in task.facts if isinstance(fact, Turn))])


def _turn(task: Task, turn: Turn) -> str:
    return f"{''.join(_DIGITS[task.rules.symbols.index(symbol)] for symbol in turn.guess)}:{turn.hint}"


def _refuse(task: Task) -> None:
    """Raise an `InputError` if a certificate cannot prove the least total of this task.

    A certificate assumes that:

    - all codes may be guessed. Otherwise a subset of a candidate set may need more guesses than the whole set.
    - all secrets have equal weights. The lower bounds count secrets, and a renaming of symbols could map a secret to
      one of another weight.
    - the objective is the least total, without a limit on the number of guesses.
    - every symbol may begin a code. Otherwise the symbols cannot be exchanged.
    - there are at least two symbols, as the file format requires.
    - the known facts are turns and absent symbols. The file format cannot express other facts.
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
    require_support(why)
    assert task.objective == Objective()


def check_certificate(
    file: Any, *, workers: int = 1, memory: float = 1 << 31, budget: Budget = UNLIMITED
) -> CertificateGame:
    """Check the certificate in an open file, and return the game that it is about.

    `total` of the returned game is the proven lower bound: the number of guesses added up over all secrets. `lemmas`
    and `leaves` count two kinds of bounds in the proof. A *lemma* is a bound for a set of secrets that is proven guess
    by guess. A *leaf* is a bound that one scan proves. A *scan* splits one set of secrets by each guess in turn.
    `budget.states` limits the number of scans.

    A *section* is a part of the file that can be checked without the rest. The sections are checked by `workers`
    processes. Each process has its own table of answers of at most `memory` bytes. If the file has no sections, or if
    `workers` is 1, this process alone checks the file. Raises `checker.Rejected` for an invalid certificate, and
    `Stopped` if the budget ends first.
    """
    progress = CheckProgress(budget, monotonic())
    if workers == 1:
        return check(file, memory=memory, tell=progress.count)
    games: list[_ParallelGame] = []

    def begin(first_line: str) -> CertificateGame:
        games.append(_ParallelGame(first_line, memory, workers, progress))
        return games[0]

    try:
        game = check(file, begin)
        games[0].pool.wait_for_all()
        return game
    finally:
        for each in games:
            each.pool.close()


class _ParallelGame(CertificateGame):
    """A checker of a certificate that passes each section to a worker process.

    A *section* is a part of the certificate that can be checked without the rest. `first_line` is the first line of the
    certificate. `memory` limits the table of answers of each process, in bytes.
    """

    def __init__(self, first_line: str, memory: float, workers: int, progress: CheckProgress) -> None:
        super().__init__(first_line, memory, progress.count)
        self._progress = progress
        self.pool = CertificatePool[tuple[int, int, int]](
            workers, _begin, (first_line, memory), self._add, lambda: progress.poll(self.scans)
        )

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
        self.pool.submit(_check, s, least, depth, text)

    def _add(self, counts: tuple[int, int, int]) -> None:
        """Add the numbers of scans, lemmas and leaves of a section that a worker has checked.

        A *scan* splits one set of secrets by each guess in turn. A *lemma* is a bound that is proven guess by guess,
        and a *leaf* is a bound that one scan proves.
        """
        scans, lemmas, leaves = counts
        self._progress.worker_scans += scans
        self._progress.worker_lemmas += lemmas
        self.lemmas += lemmas
        self.leaves += leaves
        self._progress.count(self.scans)


_game: CertificateGame | None = None  # game of the certificate in a worker process, with a table of all answers


def _begin(first_line: str, memory: float) -> None:
    """Initialise a worker process with its own table of answers.

    `first_line` is the first line of the certificate. `memory` limits the table, in bytes.
    """
    global _game
    _game = CertificateGame(first_line, memory)


def _check(s: Any, least: int, depth: int, text: list[str]) -> tuple[int, int, int]:
    """Check a section in a worker process, and return its numbers of scans, lemmas and leaves.

    `text` contains the lines of the section. They must prove that the set of secrets `s` costs at least `least` guesses
    in total. `s` contains row numbers of the table of answers. `depth` is the number of lemmas whose proofs contain
    this section. A *scan* splits one set of secrets by each guess in turn. A *lemma* is a bound that is proven guess by
    guess, and a *leaf* is a bound that one scan proves.
    """
    assert _game is not None
    before = _game.scans, _game.lemmas, _game.leaves
    _game.lines, _game.kept = iter(text), 0
    try:
        _game.section(s, least, depth)
    except ValueError as error:
        raise Rejected(f"it cannot be read: {error}") from None
    return _game.scans - before[0], _game.lemmas - before[1], _game.leaves - before[2]
