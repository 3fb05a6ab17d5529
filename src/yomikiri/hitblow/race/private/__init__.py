"""The race between players who know their own secrets: the true game. `value` is the way in.

All hints are seen by both, but each knows one secret more than the hints tell, and so foresees how the opponent's
guesses will be answered. What a player does may depend on the own secret, and tell of it: a game of incomplete
information. `tree` holds the public histories and the guesses that are needed, `value` finds both players' strategies,
and `replies` bounds the value by the exact best reply to each.
"""
