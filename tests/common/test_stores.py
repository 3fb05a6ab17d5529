"""Store files: one writer, digests, formats, and refusal of damaged or other files.

The tests of `proof/store` and `race/public/store` cover the kinds of stores.
"""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from yomikiri.common.errors import InputError
from yomikiri.common.stores import StoreFile, StoreKind, StoreReader, kind_of

KIND = StoreKind("yomikiri test", 2, {"numbers": ("name text not null", "value real", "data blob")})
ABOUT = '{"digits": 3, "absent": "", "facts": ["has=1", "off=1@2"], "consistent": true, "no_leading": false}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with StoreFile(tmp_path / "a.store", KIND, ABOUT) as file:
        file.add("numbers", "one", 1.5, b"\0\xff")
        file.add("numbers", "two", None, b"", number=7)
        file.save()
    return tmp_path / "a.store"


def rows(path: Path) -> list[tuple[object, ...]]:
    with StoreReader(path, KIND) as file, file.reporting_damage():
        return list(file.rows("numbers"))


def altered(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as file:
        file.execute(statement)
    file.close()


def test_saved_rows_are_read_back(path: Path):
    with StoreFile(path, KIND, ABOUT) as file:
        file.add("numbers", "three", 3.0, b"", number=7)
        file.save()
        file.add("numbers", "four", 4.0, b"")
    assert [each.name for each in path.parent.iterdir()] == [path.name], "nothing is left beside it"
    assert rows(path) == [("one", 1.5, b"\0\xff"), ("three", 3.0, b"")]


def test_store_has_one_writer_and_many_readers(path: Path):
    with StoreFile(path, KIND, ABOUT):
        assert len(rows(path)) == 2
        with pytest.raises(InputError, match="in use"):
            StoreFile(path, KIND, ABOUT)
    StoreFile(path, KIND, ABOUT).close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update numbers set value = 2 where id = 1", "damaged"),
        ("update numbers set data = x'00fe' where id = 1", "damaged"),
        ("update numbers set data = null where id = 1", "damaged"),
        ("drop table numbers", "damaged"),
        ("update head set value = 'another game' where name = 'game'", "damaged"),
        ("delete from head where name = 'format'", "damaged"),
        ("update head set value = '1' where name = 'format'", "damaged"),
        ("update head set value = '3' where name = 'format'", "newer"),
        ("update head set value = 'other' where name = 'kind'", "not a store of this command"),
        ("drop table head", "not a store of this command"),
    ],
)
def test_altered_store_is_refused(path: Path, statement: str, said: str):
    altered(path, statement)
    before = path.read_bytes()
    with pytest.raises(InputError, match=said):
        rows(path)
    with pytest.raises(InputError, match=said), StoreFile(path, KIND, ABOUT) as file, file.reporting_damage():
        list(file.rows("numbers"))
    assert path.read_bytes() == before


def test_older_format_is_refused_with_the_error_of_its_kind(tmp_path: Path):
    path = tmp_path / "a.store"
    StoreFile(path, replace(KIND, format=1), ABOUT).close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="has format 1 of an earlier version, expected 2: start a new file"):
        StoreReader(path, KIND)
    rounded = replace(KIND, older=lambda _given, number, expected: InputError(f"{expected} for {number}: rounded"))
    with pytest.raises(InputError, match="2 for 1: rounded"):
        StoreFile(path, rounded, ABOUT)
    assert path.read_bytes() == before


def test_kind_of_returns_the_kind_of_a_store(path: Path, tmp_path: Path):
    text, torn, other = tmp_path / "text", tmp_path / "torn", tmp_path / "other"
    text.write_text("not a store")
    torn.write_bytes(path.read_bytes()[:5000])
    altered(other, "create table head (number integer)")
    with StoreFile(path, KIND, ABOUT):
        assert kind_of(path) == KIND.name, "another run may be using it"
    for given in (text, torn, other, tmp_path, tmp_path / "none"):
        assert kind_of(given) == ""
    altered(path, "delete from head where name = 'kind'")
    assert kind_of(path) == ""


def test_other_files_are_refused(path: Path, tmp_path: Path):
    with pytest.raises(InputError, match="belongs to another game, digits 3, facts has=1 off=1@2, consistent: choose"):
        StoreFile(path, KIND, "{}")
    text, pipe, torn = tmp_path / "text", tmp_path / "pipe", tmp_path / "torn"
    text.write_text("not a store")
    os.mkfifo(pipe)
    torn.write_bytes(path.read_bytes()[:5000])
    for given, said in (
        (text, "not a store of this command"), (tmp_path, "cannot be used as a store"),
        (pipe, "cannot be used as a store"), (torn, "damaged"),
        (tmp_path / "nowhere" / "a.store", "nowhere is not an existing folder; create it"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=said):
            StoreFile(given, KIND, ABOUT)
    assert text.read_text() == "not a store"


def test_failed_save_keeps_no_partial_data(path: Path):
    with StoreFile(path, KIND, ABOUT) as file:
        pages = file._file.execute("pragma page_count").fetchone()[0]
        file._file.execute(f"pragma max_page_count = {pages}")
        file.add("numbers", "little", 0.0, b"")
        with pytest.raises(InputError, match="cannot write"):
            file.add("numbers", "much", 0.0, bytes(100_000))
        file.save()
    assert len(rows(path)) == 2
