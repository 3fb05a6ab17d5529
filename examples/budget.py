"""Limit the time of a search: it stops with the best strategy so far and a proven bound.

stopped in time: a strategy with a bound
"""

from yomikiri import Budget, Stopped
from yomikiri.hitblow import Rules, solve

try:
    solve(Rules(5, "01234567"), budget=Budget.within(0.2))
except Stopped as stopped:
    found = stopped.best.strategy
    assert found.proof.lower_bound < found.cost.total_guesses
    print("stopped in time: a strategy with a bound")
