"""The parts of the kernels that the race needs (see `numba_support.kernel_cache`)."""

from __future__ import annotations

from yomikiri.errors import N_
from yomikiri.hitblow.search.kernels_ahead import KERNELS
from yomikiri.numba_support.kernel_cache import Part

RACE = Part(KERNELS, "yomikiri.hitblow.race.public.race", N_("the search of the race"), 20)
WEIGHING = Part(KERNELS, "yomikiri.hitblow.race.depth_weighted", N_("the search of a match"), 5)
