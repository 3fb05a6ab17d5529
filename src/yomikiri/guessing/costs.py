"""Units of the costs of strategies.

A cost is an integer. Each secret costs its weight times the number of guesses that the strategy takes to find it. The
cost of a strategy is the sum over all secrets.
"""

from __future__ import annotations

IMPOSSIBLE = 1 << 43  # the cost of a candidate set if no strategy finds all its secrets
# the limit of a search rises first by (weight of the candidate set) / RISES, and then by twice as much each time
RISES = 12
