"""Values of races, and the strategies that attain them.

In a match, each of two players looks for the other's secret. A *race* is a match before its first guess, seen as a
mathematical game: its rules and conditions, without particular secrets. The *value* of a race is the first player's
chance of winning if both play perfectly, with a draw counted one half.

`match` and the interfaces import this package. Begin with the modules `terms` (rules and conditions of a race) and
`value`. `public` solves the race in which both players see both boards.
"""
