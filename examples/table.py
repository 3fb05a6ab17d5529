"""Facts about a secret besides turns, and the probability of each symbol in the first place.

16 candidates: 354 435 453 457 and 12 more
5 25% 4 50%
"""

from yomikiri.hitblow import Knowledge

known = Knowledge.parse("012:0H0B absent=6 has=45 off=4@2")
print(f"{known.count} candidates: {' '.join(known.codes(4))} and {known.count - 4} more")
first = known.table()[:, 0]
chances = sorted((chance, symbol) for symbol, chance in zip(known.rules.symbols, first, strict=True) if chance > 0.15)
print(*(f"{symbol} {chance:.0%}" for chance, symbol in chances))
