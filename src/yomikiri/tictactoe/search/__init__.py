"""Exact search on any board: the winner, the margin, how soon a line can be forced, and best play.

To read the code, begin with `margins`, which computes these results. For each result, it asks `solver` a few questions
with the answer yes or no. `solver` runs the search, as Python or compiled. `layout` converts a position into the form
that the search uses. `rules` lists the pruning rules with their reasons, which docs/theory/tictactoe-search.md proves
in detail.
"""
