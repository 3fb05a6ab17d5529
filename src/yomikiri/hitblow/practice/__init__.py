"""A game against the program, and practice: the lesson of a game, puzzles, the number of the day, the record.

Only interfaces import this package. Begin with `play`.
"""
