import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from yomikiri.hitblow.codes import all_secrets, without_symbols
from yomikiri.hitblow.race.errors import UnusableStore
from yomikiri.hitblow.race.public.race import PublicRace
from yomikiri.hitblow.race.public.store import Store
from yomikiri.hitblow.race.public.value import public_value
from yomikiri.hitblow.race.terms import Terms
from yomikiri.hitblow.rules import Repeats, Rules

RULES = Rules(3, "0123456")


def test_work_that_was_kept_is_not_done_again(tmp_path: Path):
    first = public_value(Terms(RULES), store=tmp_path / "work")
    again = PublicRace(RULES, store=Store(tmp_path / "work", RULES))
    assert again.progress.sets == first.progress.sets
    assert again.win(all_secrets(RULES), all_secrets(RULES)) == Fraction(30881, 44100)
    assert again.progress.sets == first.progress.sets


def test_the_work_of_both_sides_is_kept_where_their_rules_differ(tmp_path: Path):
    other = Rules(2, "0123", Repeats.ALL)
    first = public_value(Terms(RULES, second_rules=other), store=tmp_path / "work")
    again = PublicRace(RULES, other, store=Store(tmp_path / "work", RULES, other))
    assert again.progress.sets == first.progress.sets == sum(forms.counts[0] for forms in again._forms)
    assert again._forms[0].counts[0] > again._forms[1].counts[0] > 0
    assert again.win(all_secrets(RULES), all_secrets(other)) == first.lower
    assert again.progress.sets == first.progress.sets
    with pytest.raises(UnusableStore):
        Store(tmp_path / "work", other, RULES)


def test_a_run_goes_on_from_whatever_was_saved_last(tmp_path: Path):
    """Saved half-way and not closed, as a run that was killed leaves it."""
    codes = all_secrets(RULES)
    killed = PublicRace(RULES, store=Store(tmp_path / "work", RULES))
    killed.win(without_symbols(codes, [0]), without_symbols(codes, [0]))
    killed.save()
    killed.save()
    after = PublicRace(RULES, store=Store(tmp_path / "work", RULES))
    assert after.progress.sets == killed.progress.sets > 0
    assert after.win(codes, codes) == Fraction(30881, 44100)
    after.save()
    whole = PublicRace(RULES, store=Store(tmp_path / "work", RULES))
    assert whole.progress.sets == after.progress.sets
    assert whole.win(codes, without_symbols(codes, [6])) == Fraction(14545, 25200)


def test_work_is_saved_while_it_goes_on(tmp_path: Path, monkeypatch):
    """A kill leaves what was found until then, though nobody asked for it to be saved."""
    monkeypatch.setattr("yomikiri.hitblow.race.public.race._SECONDS_BETWEEN_SAVES", 0.0)
    race = PublicRace(RULES, store=Store(tmp_path / "work", RULES))
    race.win(all_secrets(RULES), all_secrets(RULES))
    assert PublicRace(RULES, store=Store(tmp_path / "work", RULES)).progress.sets > 0


def test_a_file_of_other_work_is_refused_and_left_as_it_is(tmp_path: Path):
    public_value(Terms(Rules(2, "0123")), store=tmp_path / "work")
    before = (tmp_path / "work").read_bytes()
    with pytest.raises(UnusableStore):
        Store(tmp_path / "work", RULES)
    assert (tmp_path / "work").read_bytes() == before
    (tmp_path / "text").write_text("no database at all, but long enough to be taken for one" * 20)
    with pytest.raises(UnusableStore):
        Store(tmp_path / "text", RULES)
    with pytest.raises(UnusableStore):
        Store(tmp_path, RULES)


def test_a_save_is_whole_or_nothing(tmp_path: Path, monkeypatch):
    store = Store(tmp_path / "work", RULES)
    race = PublicRace(RULES, store=store)
    race.win(all_secrets(RULES), all_secrets(RULES))
    race.save()
    race.win(all_secrets(RULES), without_symbols(all_secrets(RULES), [0]))
    with closing(sqlite3.connect(tmp_path / "work")) as file:
        before = file.execute("SELECT * FROM part").fetchall()
        monkeypatch.setattr("yomikiri.hitblow.race.public.store.KEPT", {"set_name": 0, "nonsense": 1})
        with pytest.raises(AttributeError):
            race.save()
        assert file.execute("SELECT * FROM part").fetchall() == before
