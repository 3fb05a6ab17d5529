"""The engine: it reads one JSON request per line, answers the requests one at a time, and can cancel them.

    {"id": 1, "request": "suggest", "turns": ["012:0H1B"]}     {"id":1,"answer":{"schema_version":1,"guess":"134",...}}
    {"cancel": 1}                                               {"id":1,"error":"cancelled","hint":null,"status":130}

Every request gets one answer, in order of arrival. An error is an answer too, with the exit status of the command. A
cancellation takes effect at once. It has no answer of its own, but the request that it cancels has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import IO, Any

import msgspec

from yomikiri.api.lines import REQUESTS, AnyLine, Id, Line, Sessions
from yomikiri.api.results import Document, ProblemJson, versioned
from yomikiri.api.unreadable_json import json_fault
from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.enums import choice
from yomikiri.common.errors import N_, Choices, InputError, YomikiriError
from yomikiri.settings import missing
from yomikiri.wording import _, sentence

MOST_IN_LINE = 1_000_000
"""The maximum length of a line in bytes. The program skips the rest of a longer line, and answers with an error."""

_SECONDS_BETWEEN_EVENTS = 0.1
_INTERNAL, _STOPPED = 1, 130


class Cancel(Document):
    """A line that cancels the requests whose id is `cancel`."""

    cancel: Id


@dataclass(eq=False)
class Waiting:
    """A request that the engine has not answered yet. If `cancelled`, the engine stops working on it."""

    line: Line
    cancelled: bool = False


class LineEngine:
    """An engine that answers requests in a thread of its own, and passes each line of output to `write`."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._writing = Lock()
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # The requests not answered yet, in order of arrival. The engine is answering the first one.
        self._waiting: list[Waiting] = []
        self._sessions: Sessions = {}
        self._unread = False  # True after an error in writing: the reader of the output has gone
        # Run in a copy of this context, because it contains the current language.
        self._worker = Thread(target=copy_context().run, args=(self._work,), name="engine", daemon=True)
        self._worker.start()

    def submit(self, line: bytes) -> None:
        """Queue the request in a line, or cancel another request at once.

        An empty line is ignored. If the line contains neither a request nor a cancellation, its answer is an error.
        """
        if not line.strip():
            return
        given: Any = None
        try:
            if len(line) > MOST_IN_LINE:
                raise InputError(N_("a line of more than {limit} bytes: expected a shorter one"), limit=MOST_IN_LINE)
            given = _decode(line, Any)
            if isinstance(given, dict) and "cancel" in given:
                self._cancel(_decode(line, Cancel).cancel)
            else:
                self._enqueue(_request(line, given))
        except InputError as error:
            found = given.get("id") if isinstance(given, dict) else None
            self._queue.put(partial(self._refuse, found if isinstance(found, int | str) else None, error))

    def close(self, *, cancel: bool = False) -> None:
        """End the thread after it has answered all queued requests. With `cancel`, cancel these requests first."""
        if cancel:
            self._cancel_all()
        self._queue.put(None)
        self._worker.join()

    def _enqueue(self, line: Line) -> None:
        if line.id is not None and any(waiting.line.id == line.id for waiting in list(self._waiting)):
            raise InputError(N_("a request with id {given} is still open: choose another id"), given=line.id)
        waiting = Waiting(line)
        self._waiting.append(waiting)
        self._queue.put(partial(self._answer, waiting))

    def _cancel(self, given: Id) -> None:
        for waiting in list(self._waiting):
            waiting.cancelled |= waiting.line.id == given

    def _cancel_all(self) -> None:
        for waiting in list(self._waiting):
            waiting.cancelled = True

    # --- in the engine's thread ---------------------------------------------------------------------------------------

    def _work(self) -> None:
        while task := self._queue.get():
            task()

    def _answer(self, waiting: Waiting) -> None:
        line = waiting.line
        budget = Budget(cancelled=lambda: waiting.cancelled)
        if line.progress:
            budget = replace(budget, progress=_Events(partial(self._send, line.id)))
        try:
            budget.check()
            self._send(line.id, answer=versioned(line.answer(self._sessions, budget)))
        except Stopped as stopped:
            message = _("cancelled") if waiting.cancelled else _("the time limit ended before an answer was found")
            self._fail(line.id, message, stopped.hint, _STOPPED)
        except YomikiriError as error:
            self._refuse(line.id, error)
        # An error in one request must not end the engine, because other requests are waiting.
        except Exception as error:
            self._fail(line.id, f"{type(error).__name__}: {error}", None, _INTERNAL)
        finally:
            self._waiting.remove(waiting)

    def _refuse(self, given: Id, error: YomikiriError) -> None:
        self._fail(given, sentence(error), error.hint, error.status)

    def _fail(self, given: Id, error: str, hint: str | None, status: int) -> None:
        self._send(given, **msgspec.to_builtins(ProblemJson(error, hint)), status=status)

    def _send(self, given: Id, **content: Any) -> None:
        line = msgspec.json.encode({"id": given, **content}) + b"\n"
        with self._writing:
            if self._unread:
                return
            try:
                self._write(line)
            except OSError:
                self._unread = True
                self._cancel_all()


class _Events:
    """A callback that sends the progress of a search to the client, at most about ten times a second."""

    def __init__(self, send: Callable[..., None]) -> None:
        self._send = send
        self._last = monotonic()

    def __call__(self, progress: Progress) -> None:
        now = monotonic()
        if now - self._last < _SECONDS_BETWEEN_EVENTS:
            return
        self._last = now
        lower, upper = (None if bound is None else float(bound) for bound in (progress.lower, progress.upper))
        self._send(progress={"lower": lower, "upper": upper, "states": progress.states, "seconds": progress.seconds,
                             "done": progress.done, "of": progress.of})  # fmt: skip


def _decode(line: bytes, kind: Any) -> Any:
    """Decode a line of JSON as a value of the type `kind`. Raises an `InputError` if this is not possible."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(N_("not a request: {reason}"), reason=json_fault(error)) from None


def _request(line: bytes, given: Any) -> Line:
    """Decode a request. `line` is its text, and `given` is the JSON value of this text.

    Raises an `InputError` if the request is invalid. If the name of the request is unknown, the error lists the known
    names. If a key is unknown, the error lists the keys of the request.
    """
    if isinstance(given, dict):
        if "request" not in given:
            raise missing("request")
        kind = REQUESTS[choice({"request": str(given["request"])}, "request", REQUESTS, "")]
        for key in given:
            if key not in kind.__struct_fields__ and key != "request":
                known = Choices(", ".join(kind.__struct_fields__))
                raise InputError(N_("unknown key {given!r}: expected one of {known}"), given=key, known=known)
    request = _decode(line, AnyLine)
    assert isinstance(request, Line)
    return request


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer the requests of a stream, one per line, until the stream ends.

    Any exception, such as `KeyboardInterrupt`, cancels all open requests and is raised again.
    """

    def write(line: bytes) -> None:
        answers.write(line)
        answers.flush()

    engine = LineEngine(write)
    try:
        for line in _lines(requests):
            engine.submit(line)
        engine.close()
    except BaseException:
        engine.close(cancel=True)
        raise


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream. A line that is too long is cut off just above the limit, so that it is rejected."""
    while line := stream.readline(MOST_IN_LINE + 1):
        yield line
        while len(line) > MOST_IN_LINE and not line.endswith(b"\n"):
            line = stream.readline(MOST_IN_LINE + 1)
