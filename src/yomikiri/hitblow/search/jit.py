"""The decorator of every kernel of Hit & Blow."""

from __future__ import annotations

from yomikiri.hitblow.search.compiled import KERNELS
from yomikiri.machine.jit import kernel_of

kernel = kernel_of(KERNELS)
