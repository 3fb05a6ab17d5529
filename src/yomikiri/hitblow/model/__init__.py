"""State of one code-guessing game: rules, codes, answers, facts, candidates with their weights, and their text forms.

Every other package of the game imports this one, and this one imports only `common` and `settings`. Begin with `rules`,
then read `knowledge`.
"""
