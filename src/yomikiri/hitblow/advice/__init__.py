"""Advice on one board: the suggested guess, items, a game in progress, the review of a finished game.

Matches, practice and all interfaces build on this package, which imports the model, the policies and the search. Begin
with `suggestion`.
"""
