"""Suggest the guess that wins a match most often, from the turns of both boards.

my turn: 378 wins 66.7% of the time
"""

from yomikiri.hitblow import Match, MatchAssistant

match = MatchAssistant(Match(secret="138", shown="7"))
for turn in ("me=012:0H1B", "they=925", "me=134:1H1B", "they=863", "me=156:1H0B", "they=631"):
    side, told = turn.split("=")
    match = match.take(side, told)
guess = match.advice.proposed
print(f"my turn: {guess.guess} wins {float(guess.win):.1%} of the time")
