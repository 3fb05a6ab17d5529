"""The parts of the kernels that the race needs (see `numba_support.kernel_cache`)."""

from __future__ import annotations

from yomikiri.hitblow.search.kernels_ahead import KERNELS
from yomikiri.numba_support.kernel_cache import Part

RACE = Part(KERNELS, "yomikiri.hitblow.race.public.race")
WEIGHING = Part(KERNELS, "yomikiri.hitblow.race.depth_weighted")
