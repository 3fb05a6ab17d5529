"""What compiling costs: CPU seconds of each part on an empty cache, of loading it once it is kept, and the bytes kept.

    python benchmarks/compile.py                     all parts
    python benchmarks/compile.py search race         these: search, race, weighing, tictactoe
    python benchmarks/compile.py --runs 3            the least of so many runs

Every run is a process of its own; importing numba and the module is left out. `llvm` is the share of the time that is
spent in LLVM, the rest is numba's own work, in Python.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

MODULES = {
    "search": "yomikiri.hitblow.search.engine",
    "race": "yomikiri.hitblow.race.public.race",
    "weighing": "yomikiri.hitblow.race.depth_weighted",
    "tictactoe": "yomikiri.tictactoe.search.solver",
}


def one(module: str) -> dict[str, float]:
    """Compile or load a part in this process."""
    from llvmlite.binding import ffi

    llvm = 0.0
    call: Any = ffi._lib_fn_wrapper.__call__

    def timed(*given: Any) -> Any:
        nonlocal llvm
        begun = process_time()
        try:
            return call(*given)
        finally:
            llvm += process_time() - begun

    ffi._lib_fn_wrapper.__call__ = timed
    compile_kernels = importlib.import_module(module).compile_kernels
    begun = process_time()
    compile_kernels()
    return {"seconds": process_time() - begun, "llvm": llvm}


def run(module: str, folder: str) -> dict[str, float]:
    """Compile or load a part in a process of its own."""
    command = [sys.executable, __file__, "--one", module]
    environment = os.environ | {"NUMBA_CACHE_DIR": folder}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", default=list(MODULES))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--one", metavar="MODULE", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one(given.one)))
        return
    print("| part | compile | llvm | load | KiB |\n| --- | ---: | ---: | ---: | ---: |", flush=True)
    for part in given.parts:
        runs = []
        for _ in range(given.runs):
            with tempfile.TemporaryDirectory() as folder:
                first, again = run(MODULES[part], folder), run(MODULES[part], folder)
                kept = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
                runs.append((first["seconds"], first["llvm"], again["seconds"], kept >> 10))
        best = min(runs)
        print(f"| {part} | {best[0]:.1f} | {best[1]:.1f} | {best[2]:.2f} | {best[3]} |", flush=True)


if __name__ == "__main__":
    main()
