"""The budget of the searches of a command, with a notice during a long search."""

from __future__ import annotations

from time import monotonic

from yomikiri.cli.text import show_notice
from yomikiri.common.budget import Budget, Progress
from yomikiri.wording import _


def search_budget() -> Budget:
    """Return a budget without limits that prints a notice at a terminal during a long search."""
    return Budget(progress=_SearchNotice())


_SECONDS_BETWEEN_SEARCHES = 2  # progress reports with a longer pause between them come from different searches


class _SearchNotice:
    """A progress callback that prints a notice on standard error after one second, at a terminal only."""

    def __init__(self) -> None:
        self._started_at = self._reported_at = 0.0

    def __call__(self, _progress: Progress) -> None:
        now = monotonic()
        if now - self._reported_at > _SECONDS_BETWEEN_SEARCHES:
            self._started_at = now
        elif now - self._started_at >= 1:
            show_notice(_("searching ... {seconds} s").format(seconds=int(now - self._started_at)))
        self._reported_at = now
