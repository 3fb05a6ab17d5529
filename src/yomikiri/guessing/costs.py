"""Units of the costs of strategies.

A cost is an integer: the sum over all secrets of the number of guesses that a strategy takes to find them, each
multiplied by the weight of the secret.
"""

from __future__ import annotations

IMPOSSIBLE = 1 << 43  # the cost of secrets that no strategy finds
STEPS = 12  # a search begins with the limit: lower bound + total weight / STEPS
