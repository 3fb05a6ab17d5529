"""Commands and requests run without machine code. `python -m tests.bare FILES` also hides the functions of POSIX.

A `Job` either works without machine code (`PLAYS`), or prints one line that says that machine code is missing (`SAYS`).
"""

from __future__ import annotations

import builtins
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, NamedTuple

PLAYS, SAYS = 0, 2
MISSING = {"en": "machine code is missing for ", "ja": " 用の機械語がありません。"}


class Job(NamedTuple):
    """Command lines separated by `&&`, the input of the last one, and its exit status.

    In a command line, {name} is the file `files[name]`.
    """

    line: str
    typed: str = ""
    ends: int = PLAYS


BOARD = "--board=1,2,3/4,5,6/7,8,9"
JOBS = [
    Job("hitblow assist", "0H1B\n1H1B\nwhy\nreview\nquit\n"),
    Job("hitblow assist --resume", "quit\n"),
    Job("hitblow suggest 345:0H1B 012:0H1B --seconds 60"),
    Job("hitblow suggest --preset bulls --absent 9"),
    Job("hitblow suggest --digits 5 01234:0H1B"),
    Job("hitblow suggest --weights {weights} 130:0H2B"),
    Job("hitblow suggest --slips 1 012:0H1B 345:1H1B"),
    Job("hitblow suggest --policy minimax 012:0H1B"),
    Job("hitblow candidates 012:0H1B"),
    Job("hitblow review 012:0H1B 345:1H0B 604:0H2B"),
    Job("hitblow simulate"),
    Job("hitblow simulate --symbols 01234 --policy all"),
    Job("hitblow simulate --strategy {strategy}"),
    Job("hitblow simulate --policy exact --digits 4 --symbols 012345678", ends=SAYS),
    Job("hitblow simulate --policy exact --symbols 0123 --weights {weights}", ends=SAYS),
    Job("hitblow simulate --policy all --digits 4 --symbols 0123456"),
    Job("hitblow solve --symbols 0123", ends=SAYS),
    Job("hitblow solve --digits 5 --seconds 1", ends=SAYS),
    Job("hitblow solve --symbols 0123 --weights {weights}", ends=SAYS),
    Job("hitblow export --format text"),
    Job("hitblow export --format html --output {output}"),
    Job("hitblow export 012:0H1B", ends=SAYS),
    Job("hitblow book {folder}", ends=SAYS),
    Job("hitblow verify {strategy}"),
    Job("hitblow verify {strategy} --certificate {certificate}"),
    Job("hitblow check {certificate}"),
    Job("hitblow store {store}"),
    Job("hitblow store show {race} --format json"),
    Job("hitblow store merge {store} {store} --output {merged}"),
    Job("hitblow play --seed 1", "012\n345\ngive up\nquit\n"),
    Job("hitblow play --who both --seed 1", "7\n012\nquit\n"),
    Job("hitblow play --who program --symbols 01234", "0 1\nquit\n"),
    Job("hitblow play --keeper adversary", "012\nquit\n"),
    Job("hitblow practice --seed a", "hint\nanswer\nquit\n"),
    Job("tictactoe practice --seed a", "hint\nanswer\nquit\n"),
    Job("hitblow daily --day 2026-11-25", "012\nquit\n"),
    Job("hitblow match", "012 0H1B\n345 1H0B\nwhy\nquit\n"),
    Job("hitblow match --opponent optimal --secret 123 me=012:0H1B they=345:0H1B"),
    Job("hitblow match --preset bulls --opponent consistent"),
    Job("hitblow race --symbols 0123", ends=SAYS),
    Job("hitblow race --symbols 0123 --information unseen", ends=SAYS),
    Job("hitblow race --digits 2 --symbols 0123 --information private"),
    Job("hitblow opponents add me 012 345"),
    Job("hitblow opponents add me 012 && hitblow opponents list"),
    Job("hitblow opponents add me 012 && hitblow opponents export me"),
    Job("hitblow opponents add me 012 && hitblow opponents delete me"),
    Job("hitblow interact", "1 0\n0 1\n0 2\n3 0\n"),
    Job("guess suggest --secrets {words} crane:22202"),
    Job("guess candidates --secrets {words} crane:22202"),
    Job("guess review --secrets {words} crane:22202"),
    Job("guess solve --secrets {words}"),
    Job("guess simulate --secrets {words} --policy consistent"),
    Job("guess simulate --secrets {words} --policy entropy"),
    Job("guess export --secrets {words}"),
    Job("guess verify {tree} --secrets {words} --certificate {words_certificate}"),
    Job("guess check {words_certificate} --secrets {words}"),
    Job("guess practice --digits 3 --seed a", "hint\nanswer\nquit\n"),
    Job("guess match --secrets {words}", ends=SAYS),
    Job("guess match --secrets {words} --first opponent", "quit\n"),
    Job("guess interact --secrets {words}", "22222\n"),
    Job("guess assist --secrets {words}", "quit\n"),
    Job("guess play --secrets {words} --seed 1", "hint\ncrane\nreview\nquit\n"),
    Job("tictactoe winner {board}"),
    Job("tictactoe analyze " + BOARD),
    Job("tictactoe analyze --board=1,2,3,4/4,5,6,7/7,8,9,10/1,2,3,4"),
    Job("tictactoe play --seed 1", "b2\nquit\n"),
    Job("tictactoe generate --seed 3"),
    Job("tictactoe check --count 2 {python} {solution}"),
    Job("engine", '{"request": "hello"}\n'),
    Job("schema"),
]

STATUS = {PLAYS: 200, SAYS: 400}
PAGES = {
    "/": PLAYS,
    "/hitblow": PLAYS,
    "/hitblow?turn=345:0H1B&turn=012:0H1B": PLAYS,
    "/hitblow?preset=bulls&absent=9&guess=0123": PLAYS,
    "/match": PLAYS,
    "/match?me=345:0H1B&they=678:0H0B": PLAYS,
    "/play?seed=3&turn=012": PLAYS,
    "/offline?preset=hitblow": PLAYS,
    "/offline?digits=4&symbols=0123456&turn=0123:0H1B": SAYS,
    "/tictactoe?board=1,2,3/4,5,6/7,8,9": PLAYS,
    "/tictactoe?board=1,2,3,4/4,5,6,7/7,8,9,10/1,2,3,4": PLAYS,
    "/api/v1/hitblow/suggest?turn=345:0H1B": PLAYS,
    "/api/v1/hitblow/review?turn=345:0H1B": PLAYS,
    "/api/v1/hitblow/play?seed=3": PLAYS,
    "/api/v1/tictactoe/analyze?board=1,2,3/4,5,6/7,8,9": PLAYS,
    "/api/v1/openapi.json": PLAYS,
}

SMALL = {"digits": 2, "symbols": "0123"}
QUESTIONS: list[tuple[dict[str, Any], int]] = [
    ({"request": "hello"}, PLAYS),
    ({"request": "open-guess", "session": "words", "secrets": ["crane", "crate", "night"]}, PLAYS),
    ({"request": "guess-candidates", "session": "words", "turns": ["crane:22202"]}, PLAYS),
    ({"request": "guess-suggest", "session": "words"}, PLAYS),
    ({"request": "guess-review", "session": "words", "turns": ["crane:22202"]}, PLAYS),
    ({"request": "guess-simulate", "session": "words", "policy": "consistent"}, PLAYS),
    ({"request": "guess-solve", "session": "words"}, PLAYS),
    ({"request": "guess-match", "session": "words"}, SAYS),
    ({"request": "suggest", "turns": ["345:0H1B"]}, PLAYS),
    ({"request": "suggest", "preset": "bulls", "turns": ["0123:0H1B"], "seconds": 1}, PLAYS),
    ({"request": "candidates", "turns": ["012:0H1B"]}, PLAYS),
    ({"request": "review", "turns": ["012:1H0B", "034:3H0B"]}, PLAYS),
    ({"request": "simulate", **SMALL}, PLAYS),
    ({"request": "simulate", "digits": 4, "symbols": "012345678", "policy": "exact"}, SAYS),
    ({"request": "solve", **SMALL}, SAYS),
    ({"request": "race", **SMALL}, SAYS),
    ({"request": "race", **SMALL, "information": "unseen"}, SAYS),
    ({"request": "race", **SMALL, "information": "private"}, PLAYS),
    ({"request": "match", "turns": ["me=012:0H1B"]}, PLAYS),
    ({"request": "analyze", "board": "1,2,3/4,5,6/7,8,9"}, PLAYS),
    ({"request": "winner", "board": "1,2/3,4", "line": 2}, PLAYS),
    ({"request": "open", "session": "s"}, PLAYS),
    ({"request": "open-match", "session": "m", **SMALL}, PLAYS),
    ({"request": "open-board", "session": "b", "board": "1,2/3,4", "line": 2}, PLAYS),
    ({"request": "play", "session": "s", "turns": ["012:0H1B"]}, PLAYS),
    ({"request": "undo", "session": "s"}, PLAYS),
    ({"request": "close", "session": "s"}, PLAYS),
    ({"request": "verify", "strategy": {}}, PLAYS),
]


def words_of(line: str, files: dict[str, str]) -> list[str]:
    """Return the words of a command line. The path of a file may contain blanks."""
    return [word.format(**files) for word in line.split()]


def faults_of_job(job: Job, files: dict[str, str], language: str) -> Iterator[str]:
    """Yield the faults of a job."""
    from tests.cli.run import run

    *before, last = (words_of(line, files) for line in job.line.split(" && "))
    for words in before:
        run(*words)
    result = run("--lang", language, *last, given=job.typed)
    if result.exit_code != job.ends:
        yield f"{job.line}: ends with {result.exit_code}, not {job.ends}: {result.output[-300:]}"
    said = result.stderr.splitlines()
    if job.ends == SAYS and not (len(said) == 1 and MISSING[language] in said[0]):
        yield f"{job.line}: says {said}"
    if "Traceback" in result.output:
        yield f"{job.line}: {result.output}"


# --- what only POSIX has ----------------------------------------------------------------------------------------------

MODULES = ["fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"]
NAMES: dict[ModuleType, str] = {
    os: "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC WNOHANG chown chroot ctermid fchown fork forkpty "
    "getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority getsid getuid initgroups killpg lchown "
    "mkfifo mknod nice openpty pathconf posix_fadvise posix_spawn pread pwrite sched_getaffinity sched_yield sendfile "
    "setpgid setpriority setsid setuid statvfs sync sysconf ttyname uname wait wait3 wait4 waitid",
    signal: "SIGALRM SIGCHLD SIGCONT SIGHUP SIGIO SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGUSR1 "
    "SIGUSR2 SIGWINCH alarm getitimer pause pthread_kill pthread_sigmask set_wakeup_fd setitimer siginterrupt "
    "sigpending sigtimedwait sigwait sigwaitinfo",
    socket: "AF_UNIX SO_REUSEPORT",
    time: "CLOCK_MONOTONIC CLOCK_REALTIME clock_gettime pthread_getcpuclockid tzset",
}


def hide_posix_functions() -> None:
    """Hide the functions that only POSIX has from the modules of the package.

    Other libraries still see the real system.
    """
    real_import, real_open, without = builtins.__import__, builtins.open, dict[str, ModuleType]()
    for module, names in NAMES.items():
        without[module.__name__] = bare = ModuleType(module.__name__)
        vars(bare).update({name: value for name, value in vars(module).items() if name not in names.split()})
    bare_select = without["select"] = ModuleType("select")

    def only_sockets(*_: Any) -> None:
        raise OSError("an operation was attempted on something that is not a socket")

    vars(bare_select).update(select=only_sockets, error=OSError)

    def ours(names: Any) -> bool:
        return str((names or {}).get("__name__", "")).partition(".")[0] == "yomikiri"

    def bare_import(name: str, globals: Any = None, *rest: Any, **named: Any) -> Any:
        if ours(globals):
            if name in MODULES:
                raise ImportError(f"there is no {name} here")
            if name in without:
                return without[name]
        return real_import(name, globals, *rest, **named)

    def bare_open(file: Any, *rest: Any, **named: Any) -> Any:
        if ours(sys._getframe(1).f_globals) and str(file).startswith("/proc"):
            raise FileNotFoundError(file)
        return real_open(file, *rest, **named)

    assert not any(name.partition(".")[0] == "yomikiri" for name in sys.modules)
    builtins.__import__, builtins.open = bare_import, bare_open


def main() -> None:
    """Hide POSIX, import every module, run every job, and print the faults."""
    files: dict[str, str] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    hide_posix_functions()
    from tests.test_layers import COMPILING

    import yomikiri

    for module in walk_packages(yomikiri.__path__, "yomikiri."):
        if module.name != "yomikiri.__main__" and not module.name.startswith(COMPILING):
            import_module(module.name)
    found = [fault for job in JOBS for fault in faults_of_job(job, files, "en")]
    from tests.web.client import get

    found += [f"{page}: {said.text}" for page, ends in PAGES.items() if (said := get(page)).status != STATUS[ends]]
    print("\n".join(found) or "every job was done")


if __name__ == "__main__":
    main()
