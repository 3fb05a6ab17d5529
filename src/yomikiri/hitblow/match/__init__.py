"""A match in progress: two boards, with guesses in turns. The theory of a match before the first guess is in `race`.

Interfaces and `practice` import this package. Begin with `match` for the rules and `advice` for the suggested guess.
"""
