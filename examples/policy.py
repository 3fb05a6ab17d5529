"""A custom policy is a plain function, here the candidate in the middle of the list. Play it against every secret.

middle:  3765 guesses for 720 secrets, 8 at most
minimax: 3713 guesses for 720 secrets, 6 at most
"""

from yomikiri.hitblow import Knowledge, policy_named, simulate


def middle(known: Knowledge) -> str:
    """Return the candidate in the middle."""
    codes = known.codes()
    return codes[len(codes) // 2]


for name, policy in (("middle", middle), ("minimax", policy_named("minimax"))):
    cost = simulate(policy)
    print(f"{name + ':':<8} {cost.total_guesses} guesses for {cost.secrets} secrets, {cost.max_guesses} at most")
