"""Games against the program, and practice: lessons, puzzles, a secret for each day, and the record of the results.

Only interfaces import this package. Begin with `play`.
"""
