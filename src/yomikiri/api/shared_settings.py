"""Settings that queries about different games share."""

from __future__ import annotations

from yomikiri.common.errors import N_
from yomikiri.settings import Kind, Setting

SECONDS_IN_ALL = Setting("seconds", N_("Stop after this many seconds with the best result so far."), Kind.NUMBER,
                         shown=N_("SECONDS"))  # fmt: skip
SEED = Setting("seed", N_("Random seed."), Kind.INTEGER, default=0)
CONSISTENT = Setting("consistent", N_("Guess only candidates."), Kind.FLAG, default=False)
