"""Theory of a match before its first guess: the value of a race, and strategies that attain it.

`match` and interfaces import this package. Begin with `terms` and `value`. `public` solves the race in which both
players see both boards.
"""
