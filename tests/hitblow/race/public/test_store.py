import sqlite3
from contextlib import closing
from errno import ENOSPC
from fractions import Fraction
from importlib.resources import files
from math import inf
from os import mkfifo
from pathlib import Path
from random import Random

import numpy as np
import pytest

from yomikiri.errors import InputError
from yomikiri.hitblow.codes import all_secrets, without_symbols
from yomikiri.hitblow.race.public.entries import measure_pace, measure_reach
from yomikiri.hitblow.race.public.race import PublicRace, public_value
from yomikiri.hitblow.race.public.stored_tables import FILE, STANDARD, Store, shipped
from yomikiri.hitblow.race.public.tables import FORMS, SETS, check, game_of, kept
from yomikiri.hitblow.race.terms import Terms
from yomikiri.hitblow.rules import Repeats, Rules
from yomikiri.hitblow.shipped import packed, read_shipped

RULES = Rules(3, "0123456")
SMALL = Rules(2, "0123")
SAMPLE = Path(__file__).parent / "sample.store"


def test_work_that_was_kept_is_not_done_again(tmp_path: Path):
    first = public_value(Terms(RULES), store=tmp_path / "work")
    again = PublicRace(RULES, store=tmp_path / "work")
    assert again.effort.sets == first.effort.sets
    assert again.win(all_secrets(RULES), all_secrets(RULES)) == Fraction(30881, 44100)
    assert again.effort.sets == first.effort.sets


def test_the_work_of_both_sides_is_kept_where_their_rules_differ(tmp_path: Path):
    other = Rules(2, "0123", Repeats.ALL)
    first = public_value(Terms(RULES, second_rules=other), store=tmp_path / "work")
    again = PublicRace(RULES, other, store=tmp_path / "work")
    assert again.effort.sets == first.effort.sets == sum(forms.counts[0] for forms in again._forms)
    assert again._forms[0].counts[0] > again._forms[1].counts[0] > 0
    assert again.win(all_secrets(RULES), all_secrets(other)) == first.lower
    assert again.effort.sets == first.effort.sets
    with pytest.raises(InputError, match="cannot store this work"):
        PublicRace(other, RULES, store=tmp_path / "work")


def test_a_run_goes_on_from_whatever_was_saved_last(tmp_path: Path):
    """Saved half-way and not closed, as a run that was killed leaves it."""
    codes = all_secrets(RULES)
    killed = PublicRace(RULES, store=tmp_path / "work")
    killed.win(without_symbols(codes, [0]), without_symbols(codes, [0]))
    killed.save()
    killed.save()
    after = PublicRace(RULES, store=tmp_path / "work")
    assert after.effort.sets == killed.effort.sets > 0
    assert after.win(codes, codes) == Fraction(30881, 44100)
    after.save()
    whole = PublicRace(RULES, store=tmp_path / "work")
    assert whole.effort.sets == after.effort.sets
    assert whole.win(codes, without_symbols(codes, [6])) == Fraction(14545, 25200)


def test_work_is_saved_while_it_goes_on(tmp_path: Path, monkeypatch):
    """A kill leaves what was found until then, though nobody asked for it to be saved."""
    monkeypatch.setattr("yomikiri.hitblow.race.public.race._SECONDS_BETWEEN_SAVES", 0.0)
    monkeypatch.setattr("yomikiri.hitblow.race.public.race._SHARE_OF_SAVES", inf)
    race = PublicRace(RULES, store=tmp_path / "work")
    race.win(all_secrets(RULES), all_secrets(RULES))
    assert PublicRace(RULES, store=tmp_path / "work").effort.sets > 0


def test_work_does_not_depend_on_what_the_symbols_are_called(tmp_path: Path):
    public_value(Terms(Rules(2, "0123")), store=tmp_path / "work")
    again = public_value(Terms(Rules(2, "0123"), second_rules=Rules(2, "abcd")), store=tmp_path / "work")
    assert again.lower == Fraction(35, 48)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_save_is_whole_or_nothing(failing: str, tmp_path: Path, monkeypatch):
    race = PublicRace(RULES, store=tmp_path / "work")
    race.win(all_secrets(RULES), all_secrets(RULES))
    race.save()
    before = (tmp_path / "work").read_bytes()
    race.win(all_secrets(RULES), without_symbols(all_secrets(RULES), [0]))

    def full(*_given: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(f"os.{failing}", full)
    with pytest.raises(InputError, match="cannot store this work"):
        race.save()
    assert (tmp_path / "work").read_bytes() == before
    monkeypatch.undo()
    race.save()
    assert [path.name for path in tmp_path.iterdir()] == ["work"]
    assert PublicRace(RULES, store=tmp_path / "work").effort.sets == race.effort.sets


# --- the format -------------------------------------------------------------------------------------------------------


def test_work_that_an_earlier_version_kept_means_the_same_today(tmp_path: Path):
    """If this fails because a record has another meaning now, raise `tables_file.FORMAT` and make the sample again.

    It is the store of `yomikiri hitblow race --symbols 012345`.
    """
    path = tmp_path / "sample"
    path.write_bytes(SAMPLE.read_bytes())
    rules = Rules(3, "012345")
    every = all_secrets(rules)
    kept, fresh = PublicRace(rules, store=path), PublicRace(rules)
    sets = kept.effort.sets
    fewer = without_symbols(every, [0])
    for mine, theirs in ((every, every), (every, fewer), (fewer, every)):
        assert kept.moves(mine, theirs) == fresh.moves(mine, theirs)
    assert kept.effort.sets == fresh.effort.sets
    assert public_value(Terms(rules), store=path).lower == Fraction(1301, 1800)
    # Nothing was worked out again for the value that the sample was made for: its sets have the names of today.
    again = PublicRace(rules, store=SAMPLE)
    again.win(every, every)
    assert again.effort.sets == sets


def test_what_follows_from_the_options_is_as_this_version_works_it_out():
    """Of forms with perfect cells only: of others it is as good as what was known of their cells at the time."""
    tables = Store(SAMPLE, Rules(3, "012345")).load()[0]
    before = {name: rows.copy() for name, rows in kept(tables).items()}
    measured = 0
    for form in range(tables.perfect + 1, tables.used[FORMS]):
        options = tables.begin[tables.first[form, 0]], tables.begin[tables.first[form, 1]]
        if tables.listed[form] and (tables.cell[slice(*options)] <= tables.perfect).all():
            measure_reach(tables, form)
            measure_pace(tables, form)
            measured += 1
    assert measured > 10
    for name in ("within", "pace", "worth", "alone"):
        assert np.array_equal(kept(tables)[name], before[name]), name


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("small") / "work"
    public_value(Terms(SMALL), store=path)
    return path.read_bytes()


def _refused(path: Path, data: bytes) -> bool:
    """Whether a file is refused, and left as it is."""
    path.write_bytes(data)
    with pytest.raises(InputError, match="cannot store this work"):
        Store(path, SMALL).load()
    assert [other.name for other in path.parent.iterdir()] == [path.name]
    return path.read_bytes() == data


def test_a_store_with_any_byte_changed_is_refused(small: bytes, tmp_path: Path):
    rng = Random(1)
    for at in range(0, len(small), 5):
        damaged = bytearray(small)
        damaged[at] ^= 1 << rng.randrange(8)
        assert _refused(tmp_path / "work", bytes(damaged)), at


def test_a_store_that_was_cut_off_or_goes_on_is_refused(small: bytes, tmp_path: Path):
    for length in range(1, len(small), 61):
        assert _refused(tmp_path / "work", small[:length]), length
    assert _refused(tmp_path / "work", small + b"\n")
    assert _refused(tmp_path / "work", small.replace(b"format 1", b"format 2", 1))


def test_a_file_of_other_work_or_of_another_program_is_refused_and_left_as_it_is(small: bytes, tmp_path: Path):
    path = tmp_path / "work"
    path.write_bytes(small)
    with pytest.raises(InputError, match="cannot store this work"):
        Store(path, RULES).load()
    assert path.read_bytes() == small
    with closing(sqlite3.connect(tmp_path / "foreign")) as file, file:
        file.execute("CREATE TABLE about (text TEXT)")
    assert _refused(path, (tmp_path / "foreign").rename(path).read_bytes())
    assert _refused(path, b"no store at all, but long enough to be taken for one" * 20)
    path.unlink()
    with pytest.raises(InputError, match="cannot store this work"):
        Store(tmp_path, SMALL).load()
    mkfifo(path)
    with pytest.raises(InputError, match="cannot store this work"):
        Store(path, SMALL).load()


def test_an_empty_file_is_taken_for_a_new_one(tmp_path: Path):
    (tmp_path / "work").touch()
    assert public_value(Terms(SMALL), store=tmp_path / "work").lower == Fraction(35, 48)
    assert Store(tmp_path / "work", SMALL).load()[0].used[SETS] > 0


@pytest.mark.parametrize(
    ("part", "bad"),
    [
        ("set_form", 10**6), ("set_form", 0), ("size", 10**6), ("size", 0), ("first", -1), ("first", 10**6),
        ("listed", 2), ("sketched", 10**6), ("code", -1), ("code", 2000), ("hit", 2), ("begin", 10**6), ("begin", -1),
        ("cell", 10**6), ("cell", 0), ("within", -1), ("pace", 10**6), ("worth", float("nan")), ("alone", -1),
    ],
)  # fmt: skip
def test_tables_with_a_number_out_of_range_are_refused_though_the_digests_fit(part: str, bad: float, tmp_path: Path):
    rules = Rules(3, "012345")
    game, tables = game_of(rules), Store(SAMPLE, rules).load()[0]
    check(game, tables)
    last = kept(tables)[part].reshape(-1)[-1:]
    last[:] = bad
    if part == "sketched":
        tables.listed[tables.used[FORMS] - 1] = 0
    path = tmp_path / "work"
    Store(path, rules).save([tables])
    with pytest.raises(InputError, match="cannot store this work"):
        Store(path, rules).load()


def test_parts_that_do_not_belong_together_are_refused(tmp_path: Path):
    tables = Store(SAMPLE, Rules(3, "012345")).load()[0]
    Store(tmp_path / "work", SMALL).save([tables._replace(size=tables.size[:50])])
    with pytest.raises(InputError, match="cannot store this work"):
        Store(tmp_path / "work", SMALL).load()


def test_the_forms_that_come_with_the_program_are_what_they_were_or_refused(tmp_path: Path, monkeypatch):
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
    (tmp_path / FILE).write_bytes(packed(like.replace(b"format 1", b"format 0", 1)))
    with pytest.raises(InputError, match="is damaged or missing"):
        shipped(game_of(STANDARD))
    (tmp_path / FILE).unlink()
    with pytest.raises(InputError, match="damaged or missing"):
        shipped(game_of(STANDARD))
