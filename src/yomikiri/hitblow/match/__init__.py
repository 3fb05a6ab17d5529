"""A match in play: two boards, guesses in turns. Its theory, before the first guess, is in `hitblow.race`.

Interfaces and `practice` import this package. Begin with `match` for the rules and `advice` for the suggested guess.
"""
