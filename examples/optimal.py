"""Prove an optimal strategy from scratch, write it as a file and verify it.

2 of 5: 60 guesses for 20 secrets, proven
the file is whole: True
"""

from yomikiri.hitblow import Rules, read_strategy, solve, verify, write_strategy

strategy = solve(Rules(2, "01234")).strategy
assert strategy is not None
print(f"2 of 5: {strategy.cost.total_guesses} guesses for {strategy.cost.secrets} secrets, proven")
again = read_strategy(write_strategy(strategy).encode())
print("the file is whole:", verify(again) == strategy.cost)
