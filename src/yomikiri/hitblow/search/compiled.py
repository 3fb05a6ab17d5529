"""Where the kernels of Hit & Blow are kept, and the part of them that the search needs (see `machine.compiled`)."""

from __future__ import annotations

from pathlib import Path

from yomikiri.machine.compiled import Kernels, Part

KERNELS = Kernels(
    Path(__file__).parent.parent,
    files=("search/*.py", "race/**/*kernels.py", "race/**/kernels/*.py"),
    above=frozenset({"__init__.py", "compiled.py", "engine.py", "grow.py", "moves.py", "solve.py", "split.py"}),
)
ENGINE = Part(KERNELS, "yomikiri.hitblow.search.engine")
