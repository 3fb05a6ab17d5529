"""Advice on one board: the suggested guess, items, a game in progress, the review of a finished game."""
