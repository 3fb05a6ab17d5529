"""A match in progress: two boards, and two players who take turns to guess.

Interfaces and `practice` import this package. Begin with `match`, which contains the rules, and `advice`, which
suggests the guess. The package `race` computes the players' chances of winning before the first guess of a match.
"""
