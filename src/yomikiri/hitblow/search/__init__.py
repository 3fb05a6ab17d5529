"""Exact search: the least cost of any strategy for given knowledge, with a proof and a strategy that attains it.

Three other packages import this one: `policies` (rules for choosing a guess), `certificate` (lower bounds as files),
and `race` (the chances of winning in a match of two players). `solve` is the entry for whole games, `position` for a
state in the middle of a game, and `engine` runs the kernels in `kernels`. `plain` is the same search without machine
code, and `weighted` the search for codes of different weights. docs/theory/hitblow-search.md proves the bounds.
"""
