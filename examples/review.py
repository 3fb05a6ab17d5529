"""Review a finished game: the cost of each guess, and how lucky its answer was.

345 1H0B best 345 loss 0.00 luck +0.04
123 0H2B best 012 loss 0.07 luck +0.11
371 3H0B best 062 loss 0.06 luck +1.94
"""

from yomikiri.hitblow import Knowledge, review

for turn in review(Knowledge.parse("345:1H0B 123:0H2B 371:3H0B")).turns:
    guess, _, answer = str(turn.turn).partition(":")
    loss, luck = float(turn.loss or 0), float(turn.luck or 0)
    print(f"{guess} {answer} best {turn.best.guess} loss {loss:.2f} luck {luck:+.2f}")
