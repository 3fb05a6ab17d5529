"""A referee lets two engines race at Hit & Blow: it keeps both secrets, asks in turn and answers.

    python examples/referee.py [GAMES]

Each player is a separate process, `yomikiri engine`, and knows only what the referee sends. Any program with the same
protocol can take part: see docs/reference/engine.md.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from typing import Any

from yomikiri.hitblow import Rules, hint


class Player:
    """An engine that plays one side of a match."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "yomikiri", "engine"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request: str, **keys: Any) -> dict[str, Any]:
        """Return the result of a request; raise a `ValueError` if the engine reports an error."""
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps({"request": request, "session": "game", **keys}), file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        found: dict[str, Any] = answer["answer"]
        return found

    def close(self) -> None:
        """End the engine."""
        self._process.communicate(timeout=60)


def play(players: list[Player], secrets: list[str]) -> int:
    """Play one match and return the number of the winner. The first to find the other's secret wins."""
    for seat, player in enumerate(players):
        player.ask("open-match", secret=secrets[seat], first="me" if seat == 0 else "opponent")
    mover = 0
    while True:
        other = 1 - mover
        guess = players[mover].ask("match")["guess"]
        answer = hint(guess, secrets[other])
        players[mover].ask("play", turns=[f"me={guess}:{answer}"])
        players[other].ask("play", turns=[f"they={guess}:{answer}"])
        if answer == Rules().win:
            return mover
        mover = other


def main(games: int, seed: int = 1) -> None:
    """Play some games with random secrets, and count the wins."""
    draw = random.Random(seed)
    players = [Player(), Player()]
    won = Counter(
        play(players, ["".join(draw.sample("0123456789", 3)) for _player in players]) for _game in range(games)
    )
    for player in players:
        player.close()
    print(f"first player {won[0]}, second player {won[1]}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
