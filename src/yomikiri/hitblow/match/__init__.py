"""A match in play: two boards, guesses in turns. Its theory, before the first guess, is in `hitblow.race`."""
