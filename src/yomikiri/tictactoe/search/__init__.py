"""Exact search of any board: who wins, by how much, how soon a line can be forced, and best play.

`layout` puts a position into the search's own form, `counts` keeps how long each line still is, `pairing` bounds what a
side can get, `rules` names what the search may leave out and why, `table` remembers, `solver` answers one yes-or-no
question, `proof` answers the long ones in machine code, `questions` asks enough of them, `forced` finds the shortest
line, and `values` what moves are worth, and best play.
"""
