"""The kernels give the same results as plain Python and as machine code."""

import subprocess
import sys

UNCOMPILED = """
import warnings
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Objective, Task
warnings.filterwarnings("ignore", "overflow encountered")  # words of 64 bits wrap around, as they should
for task in (
    Task(Rules(2, "0123")),
    Task(Rules(2, "012", Repeats.ALL), objective=Objective(within=3)),
    Task(Rules(3, "0123"), facts=(Turn.parse("012:0H2B"),), objective=Objective(consistent=True)),
    Task(Rules(5, "01", Repeats.ALL), facts=(Turn.parse("00011:2H2B"),)),
):
    print(*solve(task).strategy.cost.histogram)
"""


AS_PYTHON = "from yomikiri.machine.kernel import Entry; Entry.uncompiled = True\n"


def printed(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_python_and_machine_code_agree() -> None:
    assert printed(AS_PYTHON + UNCOMPILED) == printed(UNCOMPILED) != []
