from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yomikiri.numba_support import kernel_cache
from yomikiri.numba_support.jit import kernel_of
from yomikiri.numba_support.kernel_cache import Kernels


def square(x: Any) -> Any:
    """Called by another kernel."""
    return x * x


def sum_of_squares(numbers: Any) -> Any:
    """Called from Python."""
    total = 0
    for number in numbers:
        total += square(number)
    return total


def countdown(n: Any, last: Any) -> Any:
    """Calls itself, with a constant too."""
    return last if n == 0 else 1 + countdown(n - 1, 1)


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernels]:
    (tmp_path / "kernel.py").write_text("one")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    yield Kernels(tmp_path)
    kernel_cache._digest_of.cache_clear()


def compiled(kernels: Kernels, monkeypatch: pytest.MonkeyPatch, function: Any = sum_of_squares) -> Any:
    """A function as a kernel that this process has not met."""
    kernel = kernel_of(kernels)
    monkeypatch.setitem(globals(), "square", kernel(getattr(square, "__wrapped__", square)))
    return kernel(function)


def was_kept(kernel: Any) -> bool:
    """Whether the code of a kernel that was called came from the disk."""
    return bool(kernel._enter.stats.cache_hits)


def test_a_kernel_calls_others_and_is_compiled_once(kernels: Kernels, monkeypatch: pytest.MonkeyPatch):
    numbers = np.arange(5)
    first = compiled(kernels, monkeypatch)
    assert first(numbers) == 30
    assert not was_kept(first)
    assert len(list(kernels.cache_folder().iterdir())) == 1  # the one that is called from Python
    second = compiled(kernels, monkeypatch)
    assert second(numbers) == 30
    assert was_kept(second)
    assert second(numbers.astype(np.int32)) == 30
    assert len(list(kernels.cache_folder().iterdir())) == 2  # for other types anew


def test_a_kernel_may_call_itself(kernels: Kernels, monkeypatch: pytest.MonkeyPatch):
    kernel = kernel_of(kernels)(countdown)
    monkeypatch.setitem(globals(), "countdown", kernel)
    assert kernel(9, 0) == 10


@pytest.mark.parametrize("damaged", [b"", b"x" * 40, None], ids=["empty", "nonsense", "truncated"])
def test_damaged_code_is_compiled_anew_and_kept(
    kernels: Kernels, monkeypatch: pytest.MonkeyPatch, damaged: bytes | None
):
    compiled(kernels, monkeypatch)(np.arange(5))
    (file,) = kernels.cache_folder().iterdir()
    file.write_bytes(file.read_bytes()[:-1] if damaged is None else damaged)
    again = compiled(kernels, monkeypatch)
    assert again(np.arange(5)) == 30
    assert not was_kept(again)
    repaired = compiled(kernels, monkeypatch)
    assert repaired(np.arange(5)) == 30
    assert was_kept(repaired)


def test_kernels_run_where_nothing_can_be_kept(kernels: Kernels, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kernels.folder / "kernel.py"))
    assert compiled(kernels, monkeypatch)(np.arange(5)) == 30


def test_code_of_changed_kernels_is_not_used(kernels: Kernels, monkeypatch: pytest.MonkeyPatch):
    compiled(kernels, monkeypatch)(np.arange(5))
    kernel_cache._digest_of.cache_clear()
    (kernels.folder / "kernel.py").write_text("two")
    again = compiled(kernels, monkeypatch)
    assert again(np.arange(5)) == 30
    assert not was_kept(again)
