"""Exact search of any board: who wins, by how much, how soon a line can be forced, and best play.

The modules above it import this package. `margins` is the entry; `solver` runs the search on one yes-or-no question,
in Python or in machine code. `layout` puts a position into the form of the search, and `rules` lists what the search
may leave out and why. docs/theory/tictactoe-search.md proves these rules.
"""
