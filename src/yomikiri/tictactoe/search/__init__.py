"""Exact search on any board: the winner, the margin, how soon a line can be forced, and best play.

The modules of `tictactoe` import this package. Begin with `margins`. `solver` answers a single yes-or-no question by
the search, which runs as Python or compiled. `layout` converts a position into the form that the search uses. `rules`
lists the pruning rules with their reasons, which docs/theory/tictactoe-search.md proves in detail.
"""
