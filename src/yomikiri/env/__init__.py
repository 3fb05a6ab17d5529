"""The games as environments for learning programs: Gymnasium for one board, PettingZoo for two players.

    import gymnasium
    env = gymnasium.make("yomikiri.env:yomikiri/HitBlow-v0")

    from yomikiri.env import hitblow_match_v0, weighted_tictactoe_v0
    env = hitblow_match_v0.env()

They need the extra `env`: `pip install yomikiri[env]`. docs/reference/environments.md describes observations, actions
and rewards.
"""

from gymnasium.envs.registration import register

from yomikiri.env import hitblow_match_v0, weighted_tictactoe_v0

__all__ = ["hitblow_match_v0", "weighted_tictactoe_v0"]

register(id="yomikiri/HitBlow-v0", entry_point="yomikiri.env.hitblow:HitBlow", max_episode_steps=None)
