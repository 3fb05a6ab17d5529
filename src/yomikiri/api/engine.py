"""The engine at work: it reads questions, a line each, answers one at a time, and gives up what is cancelled.

    {"id": 1, "request": "suggest", "turns": ["012:0H1B"]}     {"id":1,"answer":{"schema_version":1,"guess":"134",...}}
    {"cancel": 1}                                               {"id":1,"error":"cancelled","hint":null,"status":130}

Whatever a line holds, it is answered: errors are answers, with the exit status that the command would have. Questions
are answered in the order in which they came; a line that asks to cancel is heard at once and not answered itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import IO, Any

import msgspec

from yomikiri.api.lines import REQUESTS, AnyLine, Id, Line, Sessions
from yomikiri.api.results import Document, ProblemJson, versioned
from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.enums import choice
from yomikiri.common.errors import N_, Choices, InputError, YomikiriError
from yomikiri.settings import missing
from yomikiri.wording import _, sentence

MOST_IN_LINE = 1_000_000
"""Bytes of a line; a longer one is refused and passed over."""

_SECONDS_BETWEEN_EVENTS = 0.1
_INTERNAL, _STOPPED = 1, 130


class Cancel(Document):
    """A line that gives up a question."""

    cancel: Id


class _Waiting:
    """A question that is not answered yet."""

    def __init__(self, question: Line) -> None:
        self.question = question
        self.cancelled = False


class LineEngine:
    """Answers questions on a thread of its own; `write` takes each line of what it says."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._writing = Lock()
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._open: list[_Waiting] = []  # in the order in which they came; also what is worked on
        self._sessions: Sessions = {}
        self._deaf = False  # whoever read what it says has gone
        # The language in use is that of the context.
        self._worker = Thread(target=copy_context().run, args=(self._work,), name="engine", daemon=True)
        self._worker.start()

    def hear(self, line: bytes) -> None:
        """Take a line: a question waits for its turn, a cancellation acts at once, anything else is refused."""
        if not line.strip():
            return
        given: Any = None
        try:
            if len(line) > MOST_IN_LINE:
                raise InputError(N_("a line of more than {limit} bytes: expected a shorter one"), limit=MOST_IN_LINE)
            given = _read(line, Any)
            if isinstance(given, dict) and "cancel" in given:
                self._cancel(_read(line, Cancel).cancel)
            else:
                self._ask(_question(line, given))
        except InputError as error:
            self._queue.put(partial(self._refuse, _id_of(given), error))

    def close(self, *, cancel: bool = False) -> None:
        """Answer what was asked, or with `cancel` nothing more, and end."""
        if cancel:
            self._give_up()
        self._queue.put(None)
        self._worker.join()

    def _ask(self, question: Line) -> None:
        if question.id is not None and any(waiting.question.id == question.id for waiting in list(self._open)):
            raise InputError(N_("the id {given} waits for its answer already: choose another"), given=question.id)
        waiting = _Waiting(question)
        self._open.append(waiting)
        self._queue.put(partial(self._answer, waiting))

    def _cancel(self, given: Id) -> None:
        for waiting in list(self._open):
            if waiting.question.id == given:
                waiting.cancelled = True

    def _give_up(self) -> None:
        for waiting in list(self._open):
            waiting.cancelled = True

    # --- on the engine's thread ---------------------------------------------------------------------------------------

    def _work(self) -> None:
        while task := self._queue.get():
            task()

    def _answer(self, waiting: _Waiting) -> None:
        question = waiting.question
        budget = Budget(cancelled=lambda: waiting.cancelled)
        if question.progress:
            budget = replace(budget, progress=_Events(self._say, question.id))
        try:
            budget.check()
            self._say({"id": question.id, "answer": versioned(question.answer(self._sessions, budget))})
        except Stopped as stopped:
            said = _("cancelled") if waiting.cancelled else _("the time was over before there was an answer")
            self._say(_failed(question.id, said, stopped.hint, _STOPPED))
        except YomikiriError as error:
            self._refuse(question.id, error)
        except Exception as error:  # one question must not end the engine: whoever is connected has others
            self._say(_failed(question.id, f"{type(error).__name__}: {error}", None, _INTERNAL))
        finally:
            self._open.remove(waiting)

    def _refuse(self, given: Id, error: YomikiriError) -> None:
        self._say(_failed(given, sentence(error), error.hint, error.status))

    def _say(self, told: dict[str, Any]) -> None:
        line = msgspec.json.encode(told) + b"\n"
        with self._writing:
            if self._deaf:
                return
            try:
                self._write(line)
            except OSError:
                self._deaf = True
                self._give_up()


class _Events:
    """Tells how far a search has come, some ten times a second at most."""

    def __init__(self, say: Callable[[dict[str, Any]], None], given: Id) -> None:
        self._say, self._id = say, given
        self._last = monotonic()

    def __call__(self, progress: Progress) -> None:
        now = monotonic()
        if now - self._last < _SECONDS_BETWEEN_EVENTS:
            return
        self._last = now
        bounds = [None if bound is None else float(bound) for bound in (progress.lower, progress.upper)]
        told = {"lower": bounds[0], "upper": bounds[1], "states": progress.states, "seconds": progress.seconds,
                "done": progress.done, "of": progress.of}  # fmt: skip
        self._say({"id": self._id, "progress": told})


def _read(line: bytes, kind: Any) -> Any:
    """A line as a value of that kind; raises an `InputError`."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(N_("not a request: {reason}"), reason=str(error)) from None


def _question(line: bytes, given: Any) -> Line:
    """The question in a line; raises an `InputError` that names what can be asked, or which keys it has."""
    if isinstance(given, dict):
        if "request" not in given:
            raise missing("request")
        kind = REQUESTS[choice({"request": str(given["request"])}, "request", REQUESTS, "")]
        for key in given:
            if key not in kind.__struct_fields__ and key != "request":
                known = Choices(", ".join(kind.__struct_fields__))
                raise InputError(N_("unknown key {given!r}: expected one of {known}"), given=key, known=known)
    question = _read(line, AnyLine)
    assert isinstance(question, Line)
    return question


def _id_of(given: Any) -> Id:
    found = given.get("id") if isinstance(given, dict) else None
    return found if isinstance(found, int | str) else None


def _failed(given: Id, error: str, hint: str | None, status: int) -> dict[str, Any]:
    return {"id": given, **msgspec.to_builtins(ProblemJson(error, hint)), "status": status}


def serve(heard: IO[bytes], told: IO[bytes]) -> None:
    """Answer what is heard until it ends; raises a `KeyboardInterrupt` with all searches given up."""

    def write(line: bytes) -> None:
        told.write(line)
        told.flush()

    engine = LineEngine(write)
    try:
        for line in _lines(heard):
            engine.hear(line)
        engine.close()
    except BaseException:
        engine.close(cancel=True)
        raise


def _lines(heard: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long as much as shows it."""
    while line := heard.readline(MOST_IN_LINE + 1):
        yield line
        while len(line) > MOST_IN_LINE and not line.endswith(b"\n"):
            line = heard.readline(MOST_IN_LINE + 1)
