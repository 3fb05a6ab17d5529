"""Games against the program, and practice: lessons, puzzles, the number of the day, and the record.

Only interfaces import this package. Begin with `play`.
"""
