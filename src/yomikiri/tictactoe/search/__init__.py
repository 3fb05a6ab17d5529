"""Exact search on any board: the winner, the margin, how soon a line can be forced, and best play.

The modules of `tictactoe` import this package. Begin with `margins`. `solver` runs the search for one yes-or-no
question, in Python or in machine code. `layout` converts a position into the form of the search, and `rules` lists the
pruning rules with their reasons. docs/theory/tictactoe-search.md proves these rules.
"""
