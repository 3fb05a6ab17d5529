"""Exact search: the least cost of any strategy for given knowledge, with a proof and a strategy that attains it.

Policies, certificates and the race import this package. `solve` is the entry for whole games, `position` for a state in
the middle of a game, and `engine` runs the kernels in `kernels`. `plain` is the same search without machine code, and
`weighted` the search for codes of different weights. docs/theory/hitblow-search.md proves the bounds.
"""
