"""Operations on sets of two words in machine code, compared with Python integers."""

from random import Random

import numpy as np
from tests.machine.made import compiled

from yomikiri.tictactoe.search.kernels.machine_code import Numbers, Words, words_of
from yomikiri.tictactoe.search.kernels.two_words import Pair, first, high, low, paired, pairs, popcount

ZERO, THREE = Pair(0), Pair(3)
MOST = (1 << 128) - 1


def operations(given: Words, made: Words, numbers: Numbers) -> None:
    sets, found = pairs(given), pairs(made)
    a, b = sets[0], sets[1]
    found[0] = a & b
    found[1] = a | b
    found[2] = a ^ b
    found[3] = ZERO - a
    found[4] = ~a
    found[5] = a >> THREE
    found[6] = popcount(a)
    found[7] = paired(low(a))
    found[8] = paired(high(a))
    a &= b
    found[9] = a
    numbers[0], numbers[1], numbers[2], numbers[3] = sets[0] == b, sets[0] != b, sets[0] > b, first(sets[0])
    numbers[4] = len(sets)


def test_pair_operations_match_python_integers():
    random = Random(1)
    operate = compiled(operations)
    sets = [0, 1, 1 << 63, 1 << 64, MOST, *(random.getrandbits(128) & random.getrandbits(128) for _ in range(20))]
    for a in sets[1:]:
        for b in sets:
            made, numbers = np.zeros(20, np.uint64), np.zeros(5, np.int64)
            operate(words_of([a, b]), made, numbers)
            low_half, high_half = a & (1 << 64) - 1, a >> 64
            expected = [a & b, a | b, a ^ b, -a & MOST, ~a & MOST, a >> 3, a.bit_count(), low_half, high_half, a & b]
            assert made.tolist() == words_of(expected).tolist()
            assert numbers.tolist() == [a == b, a != b, a > b, (a & -a).bit_length() - 1, 2]


def test_words_of_stores_the_lower_word_first():
    assert words_of([5, 1 << 64]).tolist() == [5, 0, 0, 1]
