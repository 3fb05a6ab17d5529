"""A file of tables is read as it was written, or not at all."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest

from yomikiri.hitblow.race.public.stored_tables import Arrays, chunks, read

ARRAYS: Arrays = {
    "names": np.arange(12, dtype=np.uint64).reshape(6, 2) * 2**60,
    "sizes": np.arange(5, dtype=np.int32),
    "nothing": np.empty((0, 3), dtype=np.uint8),
}
FILE = b"".join(map(bytes, chunks("3 10 none", ARRAYS)))


def test_what_was_written_is_read():
    found = read(BytesIO(FILE), "3 10 none", ARRAYS)
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert np.array_equal(found[name], array)


def test_no_byte_can_be_another_one():
    for place in range(len(FILE)):
        for bit in (1, 128):
            damaged = bytearray(FILE)
            damaged[place] ^= bit
            with pytest.raises(ValueError):  # noqa: PT011
                read(BytesIO(bytes(damaged)), "3 10 none", ARRAYS)


@pytest.mark.parametrize("length", [0, 1, 50, len(FILE) // 2, len(FILE) - 1])
def test_a_file_that_ends_early_is_refused(length: int):
    with pytest.raises(ValueError):  # noqa: PT011
        read(BytesIO(FILE[:length]), "3 10 none", ARRAYS)


@pytest.mark.parametrize(
    ("about", "like"),
    [
        ("3 9 none", ARRAYS),
        ("3 10 none", {**ARRAYS, "sizes": ARRAYS["sizes"].astype(np.int64)}),
        ("3 10 none", {**ARRAYS, "names": ARRAYS["names"][:, :1]}),
        ("3 10 none", {name: ARRAYS[name] for name in ("names", "sizes")}),
        ("3 10 none", {name: ARRAYS[name] for name in ("sizes", "names", "nothing")}),
    ],
)
def test_other_tables_are_refused(about: str, like: Arrays):
    with pytest.raises(ValueError):  # noqa: PT011
        read(BytesIO(FILE), about, like)


def test_nothing_stands_after_the_tables():
    with pytest.raises(ValueError, match="more than the tables"):
        read(BytesIO(FILE + b"x"), "3 10 none", ARRAYS)
