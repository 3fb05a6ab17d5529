"""One state of a code-guessing game: rules, codes, answers, facts, candidates with their weights, and their text.

Every other package of the game imports this one, which imports none of them. Begin with `rules`, then `knowledge`.
"""
