"""Exact search of any board: who wins, by how much, how soon a line can be forced, and best play.

`layout` puts a position into the search's own form, `rules` names what the search may leave out and why, `sets`,
`pairing` and `alphabeta` are the search, for Python's integers and for machine code, `compiled` makes that, with
`two_words` for boards of many lines, `solver` runs the one or the other on one yes-or-no question, and `margins` asks
enough of them: who wins, what moves are worth, and best play.
"""
