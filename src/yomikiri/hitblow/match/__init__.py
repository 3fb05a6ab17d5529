"""A match in progress: two boards, and two players who take turns to guess. `race` has the theory for the first guess.

Interfaces and `practice` import this package. Begin with `match`, which contains the rules, and `advice`, which
suggests the guess.
"""
