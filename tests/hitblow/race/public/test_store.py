import os
import signal
import sqlite3
from contextlib import closing
from fractions import Fraction
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.codes import all_secrets, without_symbols
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.kernels.entries import measure_pace, measure_reach
from yomikiri.hitblow.race.kernels.tables import FORMS, SETS, RaceTables
from yomikiri.hitblow.race.public.race import PublicRace, public_value
from yomikiri.hitblow.race.public.shipped_tables import FILE, STANDARD, shipped
from yomikiri.hitblow.race.public.store import RaceStore
from yomikiri.hitblow.race.public.tables import check, game_of, kept
from yomikiri.hitblow.race.terms import Terms
from yomikiri.hitblow.search.proof import store as proofs
from yomikiri.hitblow.shipped import packed, read_shipped
from yomikiri.hitblow.strategy.strategy import Task
from yomikiri.machine.running import Runner

RULES = Rules(3, "0123456")
SMALL = Rules(2, "0123")
SAMPLE = Path(__file__).parent / "sample.store"


def kept_tables(path: Path, rules: Rules) -> RaceTables:
    """Return the tables of a store and close it."""
    store = RaceStore(path, rules)
    try:
        return store.load()[0]
    finally:
        store.close()


def test_stored_work_is_not_repeated(tmp_path: Path):
    first = public_value(Terms(RULES), store=tmp_path / "work")
    with PublicRace(RULES, store=tmp_path / "work") as again:
        assert again.effort.sets == first.effort.sets
        assert again.win(all_secrets(RULES), all_secrets(RULES)) == Fraction(30881, 44100)
        assert again.effort.sets == first.effort.sets
    assert [path.name for path in tmp_path.iterdir()] == ["work"], "nothing is left beside it"


def test_store_keeps_both_sides_for_different_rules(tmp_path: Path):
    other = Rules(2, "0123", Repeats.ALL)
    first = public_value(Terms(RULES, second_rules=other), store=tmp_path / "work")
    with PublicRace(RULES, other, store=tmp_path / "work") as again:
        assert again.effort.sets == first.effort.sets == sum(forms.counts[0] for forms in again._forms)
        assert again._forms[0].counts[0] > again._forms[1].counts[0] > 0
        assert again.win(all_secrets(RULES), all_secrets(other)) == first.lower
        assert again.effort.sets == first.effort.sets
    with pytest.raises(InputError, match="belongs to another game"):
        PublicRace(other, RULES, store=tmp_path / "work")


def test_run_resumes_from_the_last_save(tmp_path: Path):
    codes = all_secrets(RULES)
    with PublicRace(RULES, store=tmp_path / "work") as stopped:
        stopped.win(without_symbols(codes, [0]), without_symbols(codes, [0]))
        stopped.save()
        stopped.save()
    with PublicRace(RULES, store=tmp_path / "work") as after:
        assert after.effort.sets == stopped.effort.sets > 0
        assert after.win(codes, codes) == Fraction(30881, 44100)
    with PublicRace(RULES, store=tmp_path / "work") as whole:
        assert whole.effort.sets == after.effort.sets
        for name, rows in kept(after._forms[0].tables).items():
            assert np.array_equal(kept(whole._forms[0].tables)[name], rows), name
        assert whole.win(codes, without_symbols(codes, [6])) == Fraction(14545, 25200)


def test_run_resumes_from_an_empty_store(tmp_path: Path):
    with PublicRace(RULES, store=tmp_path / "work"):
        pass
    assert public_value(Terms(RULES), store=tmp_path / "work").lower == Fraction(30881, 44100)


def test_store_in_use_is_refused(tmp_path: Path):
    with PublicRace(RULES, store=tmp_path / "work"), pytest.raises(InputError, match="in use"):
        public_value(Terms(RULES), store=tmp_path / "work")
    public_value(Terms(RULES), store=tmp_path / "work")


def _die_after(saves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    save = PublicRace.save

    def saved(race: PublicRace) -> None:
        nonlocal saves
        save(race)
        saves -= 1
        if not saves:
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(PublicRace, "save", saved)


def test_killed_race_resumes_from_its_last_save(tmp_path: Path, monkeypatch):
    """Each run is killed after a number of saves, and the next run resumes. Every kernel run counts as one second."""
    now, run = [0.0], Runner.run

    def runs(*given: Any) -> Any:
        now[0] += 1
        return run(*given)

    monkeypatch.setattr(Runner, "run", runs)
    monkeypatch.setattr("yomikiri.hitblow.race.public.race.monotonic", lambda: now[0])
    monkeypatch.setattr("yomikiri.hitblow.race.public.race._SECONDS_BETWEEN_SAVES", 6.0)
    monkeypatch.setattr("yomikiri.hitblow.race.public.race._SHARE_OF_SAVES", inf)
    path = tmp_path / "work"
    sets = [0]
    for saves in (1, 2, 1, 2):
        child = os.fork()
        if not child:
            _die_after(saves, monkeypatch)
            try:
                public_value(Terms(RULES), store=path)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        with PublicRace(RULES, store=path) as after:
            sets.append(after.effort.sets)
    assert sets == sorted(set(sets)), "every run adds to what there was"
    value = public_value(Terms(RULES), store=path)
    assert value.lower == value.upper == Fraction(30881, 44100)
    assert value.effort.sets > sets[-1]


def test_store_does_not_depend_on_symbols(tmp_path: Path):
    public_value(Terms(Rules(2, "0123")), store=tmp_path / "work")
    again = public_value(Terms(Rules(2, "0123"), second_rules=Rules(2, "abcd")), store=tmp_path / "work")
    assert again.lower == Fraction(35, 48)


def test_save_is_atomic(tmp_path: Path):
    with PublicRace(RULES, store=tmp_path / "work") as race:
        assert race._store
        race.win(all_secrets(RULES), all_secrets(RULES))
        race.save()
        before = race.effort.sets
        race.win(all_secrets(RULES), without_symbols(all_secrets(RULES), [0]))
        file = race._store._file._file
        file.execute(f"pragma max_page_count = {file.execute('pragma page_count').fetchone()[0]}")
        with pytest.raises(InputError, match="cannot write"):
            race.save()
        (tmp_path / "copy").write_bytes((tmp_path / "work").read_bytes())
        (tmp_path / "copy-wal").write_bytes((tmp_path / "work-wal").read_bytes())
        file.execute(f"pragma max_page_count = {10**6}")
    with PublicRace(RULES, store=tmp_path / "copy") as copied:
        assert copied.effort.sets == before
    with PublicRace(RULES, store=tmp_path / "work") as whole:
        assert whole.effort.sets == race.effort.sets > before


# --- the format -------------------------------------------------------------------------------------------------------


def test_store_of_an_earlier_version_is_still_valid(tmp_path: Path):
    """If a record has a new meaning, raise the format of `KIND` and create the sample again.

    The sample is the store of `yomikiri hitblow race --symbols 012345`.
    """
    path = tmp_path / "sample"
    path.write_bytes(SAMPLE.read_bytes())
    rules = Rules(3, "012345")
    every = all_secrets(rules)
    sample, fresh = PublicRace(rules, store=path), PublicRace(rules)
    sets = sample.effort.sets
    fewer = without_symbols(every, [0])
    for mine, theirs in ((every, every), (every, fewer), (fewer, every)):
        assert sample.moves(mine, theirs) == fresh.moves(mine, theirs)
    assert sample.effort.sets == fresh.effort.sets
    sample.close()
    assert public_value(Terms(rules), store=path).lower == Fraction(1301, 1800)
    # The value of the sample needs no new sets, because the hashes of its sets are unchanged.
    path.write_bytes(SAMPLE.read_bytes())
    with PublicRace(rules, store=path) as again:
        again.win(every, every)
        assert again.effort.sets == sets


def test_stored_bounds_equal_recomputed_bounds(tmp_path: Path):
    """The test uses forms with separable cells only.

    The bounds of other forms depend on the forms that were known when the bounds were computed.
    """
    (tmp_path / "sample").write_bytes(SAMPLE.read_bytes())
    tables = kept_tables(tmp_path / "sample", Rules(3, "012345"))
    before = {name: rows.copy() for name, rows in kept(tables).items()}
    measured = 0
    for form in range(tables.max_separable + 1, tables.used[FORMS]):
        options = tables.begin[tables.first[form, 0]], tables.begin[tables.first[form, 1]]
        if tables.listed[form] and (tables.cell[slice(*options)] <= tables.max_separable).all():
            measure_reach(tables, form)
            measure_pace(tables, form)
            measured += 1
    assert measured > 10
    for name in ("within", "pace", "worth", "alone"):
        assert np.array_equal(kept(tables)[name], before[name]), name


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "update tables set data = zeroblob(length(data)) where part = 'code'",
        "update tables set first = first + 1 where id = 2",
        "update tables set part = 'size' where part = 'alone'",
        "update tables set game = 1",
        "update head set value = replace(value, '4', '5') where name = 'game'",
        "drop table tables",
    ],
)
def test_altered_store_is_refused_and_not_changed(statement: str, tmp_path: Path):
    path = tmp_path / "work"
    public_value(Terms(SMALL), store=path)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(statement)
    before = path.read_bytes()
    with pytest.raises(InputError, match="damaged"):
        PublicRace(SMALL, store=path)
    assert path.read_bytes() == before
    assert [other.name for other in tmp_path.iterdir()] == [path.name]


def test_store_with_missing_rows_is_refused(tmp_path: Path):
    """Digests cannot detect that whole records are missing."""
    path = tmp_path / "work"
    public_value(Terms(SMALL), store=path)
    for part in ("size", "cell"):
        with closing(sqlite3.connect(path)) as file, file:
            file.execute("delete from tables where part = ? and first = 0", (part,))
        with pytest.raises(InputError, match="damaged"):
            PublicRace(SMALL, store=path)


def test_other_files_are_refused_and_not_changed(tmp_path: Path):
    path = tmp_path / "work"
    public_value(Terms(SMALL), store=path)
    with pytest.raises(InputError, match="belongs to another game"):
        RaceStore(path, RULES)
    for written in (b"yomikiri race tables, format 1\n4 10 none\n", read_shipped(FILE)):
        path.write_bytes(written)
        with pytest.raises(InputError, match="not a store of this command"):
            RaceStore(path, SMALL)
        assert path.read_bytes() == written
    path.unlink()
    with proofs.ProofStore(path, proofs.game_text(Task(SMALL))):
        pass
    with pytest.raises(InputError, match="not a store of this command"):
        RaceStore(path, SMALL)


def test_empty_file_is_used_as_a_new_store(tmp_path: Path):
    (tmp_path / "work").touch()
    assert public_value(Terms(SMALL), store=tmp_path / "work").lower == Fraction(35, 48)
    assert kept_tables(tmp_path / "work", SMALL).used[SETS] > 0


@pytest.mark.parametrize(
    ("part", "bad"),
    [
        ("set_form", 10**6), ("set_form", 0), ("size", 10**6), ("size", 0), ("first", -1), ("first", 10**6),
        ("listed", 2), ("sketched", 10**6), ("code", -1), ("code", 2000), ("hit", 2), ("begin", 10**6), ("begin", -1),
        ("cell", 10**6), ("cell", 0), ("within", -1), ("pace", 10**6), ("worth", float("nan")), ("alone", -1),
    ],
)  # fmt: skip
def test_out_of_range_numbers_with_valid_digests_are_refused(part: str, bad: float, tmp_path: Path):
    rules = Rules(3, "012345")
    game, path = game_of(rules), tmp_path / "work"
    path.write_bytes(SAMPLE.read_bytes())
    tables = kept_tables(path, rules)
    check(game, tables)
    last = kept(tables)[part].reshape(-1)[-1:]
    last[:] = bad
    if part == "sketched":
        tables.listed[tables.used[FORMS] - 1] = 0
    path.unlink()
    store = RaceStore(path, rules)
    store.save([tables])
    store.close()
    with pytest.raises(InputError, match="damaged"):
        kept_tables(path, rules)


def test_damaged_shipped_forms_are_refused(tmp_path: Path, monkeypatch):
    whole = files("yomikiri.hitblow").joinpath("data", FILE).read_bytes()
    like = read_shipped(FILE)
    check(game_of(STANDARD), shipped(game_of(STANDARD)))
    monkeypatch.setattr("yomikiri.hitblow.shipped._DATA", tmp_path)
    refused = 0
    for at in [*range(20), *range(20, len(whole), 9973), len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[at] ^= 16
        (tmp_path / FILE).write_bytes(damaged)
        try:
            assert read_shipped(FILE) == like
        except InputError:
            refused += 1
    assert refused > 50
    (tmp_path / FILE).write_bytes(packed(like[:-1]))
    with pytest.raises(InputError, match="is damaged or missing"):
        shipped(game_of(STANDARD))
    (tmp_path / FILE).unlink()
    with pytest.raises(InputError, match="damaged or missing"):
        shipped(game_of(STANDARD))
