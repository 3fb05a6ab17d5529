import os
import subprocess
import sys

import numpy as np

from yomikiri.tictactoe.batch import winners
from yomikiri.tictactoe.generator import realisable_boards
from yomikiri.tictactoe.kernels import KERNELS, winners_kernel


def test_the_kernel_agrees_with_numpy_on_every_realisable_sign_vector():
    boards = realisable_boards()
    found = np.empty(len(boards), np.int8)
    assert winners_kernel(boards, np.int8(0), found) == (boards.max(), boards.min())
    assert (found == winners(boards)).all()


def test_a_change_of_the_sums_compiles_the_kernel_anew():
    assert {path.name for path in KERNELS.sources()} == {"kernels.py", "sums.py"}


def test_it_runs_as_plain_python_too():
    program = """
import numpy as np
from yomikiri.tictactoe import batch
boards = np.random.default_rng(1).integers(-3, 2, (200, 9))
expected = batch.winners(boards)
batch.compile_winners()
assert (batch.winners(boards) == expected).all()
print(sorted(set(expected.tolist())))
"""
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=plain)
    assert done.stdout == "[-1, 0, 1]\n"


def test_without_a_folder_to_keep_it_in_it_is_compiled_anew():
    program = """
from numba.core import caching
caching.CacheImpl._locator_classes = []
import numpy as np
from yomikiri.tictactoe import batch
batch.compile_winners()
print(batch.winners(np.zeros((1, 9), np.int64)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[0]\n"
