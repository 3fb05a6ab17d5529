"""Compare a learner with proven play, and with random, consistent and exact play, in the environment.

    python examples/learner.py [EPISODES]

The learner is tabular Q-learning. It knows only what the environment shows, and comes close to the optimum for two
digits of four symbols. The output gives the remaining difference.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.policies import Policy, policy_named

NAME = "yomikiri.env:yomikiri/HitBlow-v0"
GAME: dict[str, Any] = {"digits": 2, "symbols": "0123"}
State = tuple[tuple[int, ...], ...]
Choose = Callable[[Any, NDArray[np.int8], dict[str, Any]], int]


def policy(chooser: Policy) -> Choose:
    """Return an agent that plays a policy of the package."""
    return lambda env, _seen, _info: int(env.actions.number(chooser.choose(env.known).guess))


def consistent(seed: int) -> Choose:
    """Return an agent that plays a random code consistent with all answers."""
    random = np.random.default_rng(seed)
    return lambda env, _seen, _info: int(env.actions.number(str(random.choice(env.known.codes()))))


def anything(seed: int) -> Choose:
    """Return an agent that plays a random guess not made before."""
    random = np.random.default_rng(seed)
    return lambda _env, _seen, info: int(random.choice(np.flatnonzero(info["action_mask"])))


class Learner:
    """Q-learning: learn the value of each guess after each set of turns by playing."""

    def __init__(self, guesses: int, seed: int = 0) -> None:
        # An untried guess starts with a value below all others.
        self.values: defaultdict[State, NDArray[np.float64]] = defaultdict(lambda: np.full(guesses, -20.0))
        self.random = np.random.default_rng(seed)

    def __call__(self, _env: Any, seen: NDArray[np.int8], info: dict[str, Any]) -> int:
        """Return the guess with the highest value."""
        return int(np.argmax(np.where(info["action_mask"], self.values[_state(seen)], -np.inf)))

    def train(self, env: Any, episodes: int) -> None:
        """Play and learn from every guess. The exploration rate and the learning rate fall over time."""
        for episode in range(episodes):
            left = 1 - episode / episodes
            seen, info = env.reset(seed=episode)
            over = cut = False
            while not (over or cut):
                values, action = self.values[_state(seen)], self(env, seen, info)
                if self.random.random() < 0.5 * left:
                    action = int(self.random.choice(np.flatnonzero(info["action_mask"])))
                seen, reward, over, cut, info = env.step(action)
                later = 0.0 if over else float(self.values[_state(seen)].max())
                values[action] += max(0.02, 0.5 * left) * (float(reward) + later - values[action])


def _state(seen: NDArray[np.int8]) -> State:
    """Return the turns in sorted order, because their order carries no information."""
    return tuple(sorted(map(tuple, seen[seen[:, 0] >= 0].tolist())))


def mean(env: Any, choose: Choose, games: int = 1) -> float:
    """Return the average number of guesses over all secrets, each played `games` times."""
    returned = []
    for secret in env.start.codes() * games:
        seen, info = env.reset(options={"secret": secret})
        over = cut = False
        guesses = 0
        while not (over or cut):
            seen, _reward, over, cut, info = env.step(choose(env, seen, info))
            guesses += 1
        returned.append(guesses)
    return float(np.mean(returned))


def main(episodes: int) -> None:
    """Train, and print one line per agent."""
    env: Any = gymnasium.make(NAME, **GAME).unwrapped
    learner = Learner(int(env.action_space.n))
    learner.train(env, episodes)
    rows = {
        "random": mean(env, anything(0), 100),
        "consistent": mean(env, consistent(0), 100),
        f"learner after {episodes:,} games": mean(env, learner),
        "exact (proven)": mean(env, policy(policy_named("exact"))),
    }
    for name, guesses in rows.items():
        print(f"{name:<28}{guesses:7.3f}{guesses / rows['exact (proven)'] - 1:+9.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000)
