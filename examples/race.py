"""The exact chance of winning for the first player: two digits of three to five symbols, with both boards public.

3 symbols 25/36 = 0.694
4 symbols 35/48 = 0.729
5 symbols 267/400 = 0.667
"""

from yomikiri.hitblow import Rules, Terms, race_value

for count in (3, 4, 5):
    value = race_value(Terms(Rules(2, "01234"[:count]))).lower
    print(f"{count} symbols {value} = {float(value):.3f}")
