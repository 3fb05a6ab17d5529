"""A game against the program, and practice: the lesson of a game, puzzles, the number of the day, the record."""
