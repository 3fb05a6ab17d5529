"""`scripts/fuzz`: fuzz with new seeds until the time is over, and print failures."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from secrets import randbits
from unittest.mock import patch

from tests.fuzz.engine import failures, fault_of, smallest
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run the fuzzer; return 0 if no case fails."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description="Throw input at every door of the program.")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long (default: 1)")
    parser.add_argument("--seed", type=int, help="what to draw from (default: a fresh one, which is printed)")
    parser.add_argument("--only", choices=[target.name for target in TARGETS], help="one door")
    parser.add_argument("--again", nargs=2, metavar=("DOOR", "CASE"), help="try a case that was printed once more")
    asked = parser.parse_args()
    # Protect the saved games of the user.
    with tempfile.TemporaryDirectory() as folder, patch.dict("os.environ", XDG_DATA_HOME=str(Path(folder, "data"))):
        if asked.again:
            name, case = asked.again
            target = next(target for target in TARGETS if target.name == name)
            fault = fault_of(target, json.loads(case))
            print(smallest(target, json.loads(case), fault) if fault else "nothing is wrong with it")
            return 1 if fault else 0
        seed = randbits(32) if asked.seed is None else asked.seed
        return _go_on(seed, asked.minutes * 60, asked.only)


def _go_on(seed: int, seconds: float, only: str | None) -> int:
    targets = [target for target in TARGETS if only in (None, target.name)]
    end, cases, found = time.monotonic() + seconds, 0, 0

    def goes_on(number: int) -> bool:
        nonlocal cases
        cases = number
        return time.monotonic() < end

    print(f"seed {seed}, {', '.join(target.name for target in targets)}", file=sys.stderr)
    for failure in failures(targets, seed, goes_on):
        found += 1
        print(failure, flush=True)
    print(f"{cases} cases, {found} failures", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
