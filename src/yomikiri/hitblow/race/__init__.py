"""Theory of a match before its first guess: the value of a race, and strategies that attain this value.

`match` and the interfaces import this package. Begin with `terms` and `value`. `public` solves the race in which both
players see both boards.
"""
