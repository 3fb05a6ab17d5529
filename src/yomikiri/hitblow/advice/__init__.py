"""Advice on one board: the suggested guess, the use of Numer0n items, and the review of a game.

Matches, practice and all interfaces import this package. It imports the model, the policies and the search. Begin with
`suggestion`.
"""
