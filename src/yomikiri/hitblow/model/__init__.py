"""State of one code-guessing game: rules, codes, answers, facts, candidates with their weights, and their text forms.

Every other package of `hitblow` imports `model`. `model` imports only `common` and `settings`. Begin with `rules`, then
read `knowledge`.
"""
