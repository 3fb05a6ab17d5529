"""A match in play: two boards, guesses in turns. Its theory, before the first guess, stands in `hitblow.race`."""
