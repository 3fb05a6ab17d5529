"""The parts of the kernels that the race needs (see `machine.compiled`)."""

from __future__ import annotations

from yomikiri.hitblow.search.compiled import KERNELS
from yomikiri.machine.compiled import Part

RACE = Part(KERNELS, "yomikiri.hitblow.race.public.race")
WEIGHING = Part(KERNELS, "yomikiri.hitblow.race.weighted")
