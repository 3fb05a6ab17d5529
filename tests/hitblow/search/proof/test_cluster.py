"""Proofs on a Dask cluster, including a restart of its scheduler."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.run import run

from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.search.proof.cluster import Cluster
from yomikiri.hitblow.search.proof.task import ProofTask
from yomikiri.hitblow.search.proof.worker_pool import Workers
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Task


def a_free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def running(port: int, log: Path) -> Iterator[None]:
    """Yield a scheduler with one worker."""
    address = f"tcp://127.0.0.1:{port}"
    quiet = ("--no-dashboard",)
    commands = (
        ("scheduler", "--host", "127.0.0.1", "--port", str(port), *quiet),
        ("worker", address, "--nthreads", "1", "--no-nanny", *quiet),
    )
    with log.open("ab") as said:
        processes = [
            subprocess.Popen([sys.executable, "-m", "dask", *command], stdout=said, stderr=said) for command in commands
        ]
        try:
            yield
        finally:
            for process in processes:
                process.kill()
                process.wait()


def connected(port: int) -> Cluster:
    """Return the cluster as soon as it responds."""
    from yomikiri.common.errors import InputError

    for _ in range(600):
        try:
            return Cluster(f"tcp://127.0.0.1:{port}")
        except InputError:
            time.sleep(0.5)
    raise AssertionError("the scheduler does not come up")


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:1", "", "tcp://127.0.0.1:99999"])
def test_unreachable_address_is_an_input_error(address: str) -> None:
    result = run("hitblow", "solve", "--cluster", address)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "no Dask scheduler with workers answers" in result.stderr


@pytest.mark.exhaustive
def test_proof_survives_a_scheduler_restart(tmp_path: Path) -> None:
    port, log = a_free_port(), tmp_path / "log"
    asked: list[ProofTask] = []

    class Restarted(Cluster):
        def submit(self, fn, /, *args, **kwargs):
            asked.extend(args)
            if len(asked) == 5:
                first.__exit__(None, None, None)
                second.__enter__()
            return super().submit(fn, *args, **kwargs)

    first, second = running(port, log), running(port, log)
    first.__enter__()
    try:
        connected(port).shutdown()
        with Restarted(f"tcp://127.0.0.1:{port}") as cluster:
            assert cluster.count == 1
            solution = solve(
                Task(Rules(5, "0123456")), ties=False, workers=Workers(1, cluster, longest=0.05, patience=5)
            )
    finally:
        second.__exit__(None, None, None)
    assert solution.strategy
    assert solution.strategy.proof.lower_bound == solution.strategy.cost.total_guesses == 12305
    assert len(asked) > 5
