"""One state of a code-guessing game: rules, codes, answers, facts, candidates with their weights, and their text."""
