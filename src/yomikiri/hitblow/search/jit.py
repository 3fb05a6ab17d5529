"""The decorator of every kernel of Hit & Blow."""

from __future__ import annotations

from yomikiri.hitblow.search.kernels_ahead import KERNELS
from yomikiri.numba_support.jit import kernel_of

kernel = kernel_of(KERNELS)
