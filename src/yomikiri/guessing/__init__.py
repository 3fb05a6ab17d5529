"""The core of every code-guessing game: secrets, questions and answers, and the exact search on their table.

It imports no particular game; `hitblow` builds on it.
"""
