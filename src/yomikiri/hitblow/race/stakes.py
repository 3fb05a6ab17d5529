"""What it is worth to find the secret with the next guess or a later one, given how soon the other side does.

The worth is the chance of winning, a draw counted half, in units of 2 · total: it never rises from guess to guess. If
the opponent finishes with their 1st, 2nd, 3rd guess from now in 1, 2, 1 of 4 cases and I am to move, finding with my
1st, 2nd, 3rd, 4th guess is worth 8, 6, 2 and 0 eighths: my k-th guess comes before their k-th.
"""

from __future__ import annotations

from yomikiri.hitblow.race.match import Match, Side
from yomikiri.hitblow.race.opponents import Pace


def stakes(match: Match, theirs: Pace) -> tuple[int, ...]:
    """The worth of finding the secret with my first guess from now, my second and so on, up to the last above 0.

    In units of which `2 * theirs.total` is a certain win. `theirs` counts their guesses from now; where they have found
    my secret and I still complete the turn, it is not asked. Whoever's turn it is, the match must not be over.
    """
    if match.last_chance and match.to_move is Side.ME:
        return (theirs.total,)  # a draw
    if match.last_chance:
        raise ValueError("I have found the secret: only the opponent still moves")
    # Before my k-th guess they make k - 1 guesses, or k if it is their turn; if I am the first player and they complete
    # the turn, one more counts.
    earlier = 0 if match.to_move is Side.ME else 1
    answered = match.equal_turns and match.first is Side.ME
    worth = []
    for before in range(earlier, len(theirs.counts) + 1):
        met = before + 1 if answered else before  # the guess of theirs with which it would be a draw
        later = sum(theirs.counts[met:])
        drawn = theirs.counts[met - 1] if match.equal_turns and 0 < met <= len(theirs.counts) else 0
        worth.append(2 * later + drawn)
    while worth and not worth[-1]:
        worth.pop()
    return tuple(worth)
