"""Properties that are computed once, without a lock."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from yomikiri.common.lazy import lazy_property


@dataclass(frozen=True)
class Slow:
    """An object with a property that blocks until the test releases it."""

    released: threading.Event
    times: list[int] = field(default_factory=list)

    @lazy_property
    def answer(self) -> int:
        """The answer."""
        self.times.append(1)
        assert self.released.wait(20)
        return len(self.times)


def test_property_is_computed_once():
    free = threading.Event()
    free.set()
    slow = Slow(free)
    assert (slow.answer, slow.answer, slow.times) == (1, 1, [1])
    assert Slow.answer.__doc__ == "The answer."


def test_slow_property_does_not_block_other_instances():
    held, free = threading.Event(), threading.Event()
    free.set()
    first = Slow(held)
    waiting = threading.Thread(target=lambda: first.answer)
    waiting.start()
    assert Slow(free).answer == 1  # with a lock of the class this would block forever
    held.set()
    waiting.join(20)
    assert not waiting.is_alive()
