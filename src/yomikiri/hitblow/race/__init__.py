"""The match: two boards of Hit & Blow, played in turns; its rules, the opponents, and the theory of the race."""
