"""Forms of sets of codes, partial forms with their bounds, and the kernels that compute them, against definitions.

A form contains everything about a set that can affect a race.
"""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.codes import all_secrets
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.kernels.entries import survey_guesses
from yomikiri.hitblow.race.kernels.forms import encode_partitions, is_new_partition, pack_answers, start_partitions
from yomikiri.hitblow.race.public.forms import Forms
from yomikiri.hitblow.race.public.tables import new_workspace

RULES = Rules(3, "0123456")
CODES = all_secrets(RULES)


def forms(expand_limit: int | None = None) -> Forms:
    return Forms(RULES, expand_limit=expand_limit)


def test_options_are_computed_on_demand():
    late = forms()
    cell = max(late.cells(late.numbers(CODES), 0), key=len)
    form = late.form(cell)
    assert not late.tables.listed[form]
    before = late.counts
    options = [(option.hit, option.cells.tolist()) for option in late.options_of(form)]
    assert late.tables.listed[form]
    assert late.counts > before
    assert len(options) > 3
    assert options == [(option.hit, option.cells.tolist()) for option in late.options(cell)]


def test_partial_form_has_valid_bounds():
    late, whole = forms(), forms(expand_limit=len(CODES))
    numbers = late.numbers(CODES)
    cells = {cell.tobytes(): cell for guess in range(0, 210, 17) for cell in late.cells(numbers[:150], guess)}
    sketched = 0
    for cell in cells.values():
        if len(cell) <= late.game.hints:
            continue
        sketched += 1
        form, true = late.form(cell), whole.form(cell)
        most, measured = whole.tables.within[true], [late.tables.within[form].copy()]
        assert late.tables.alone[form] == whole.tables.alone[true]
        late.list_options(form)
        measured.append(late.tables.within[form].copy())
        assert all((bound >= most).all() for bound in measured)
        assert all((after <= before).all() for before, after in pairwise(measured))
        for pace in late.tables.pace[form]:
            assert pace.sum() == len(cell)
            assert (pace.cumsum() <= most).all()
    assert sketched > 20


@pytest.mark.parametrize("rules", [RULES, Rules(3, "012", Repeats.ALL)], ids=str)
def test_partition_codes_are_equal_exactly_for_equivalent_guesses(rules: Rules):
    small, chance = Forms(rules), random.Random(3)
    game, work = small.game, small._work
    win = game.hints - 1
    for n in 5 * (*range(3, 14), 15, 16):
        codes = np.array(chance.sample(range(len(game.codes)), n), dtype=np.int32)
        work.members[:n] = codes
        pack_answers(game, work, 0, n)
        encode_partitions(game, work, n)
        parts: dict[int, set[tuple[int, ...]]] = {}
        for guess, answers in enumerate(game.answers[:, codes].tolist()):
            first = [answers.index(answer) for answer in answers]
            hit = answers.index(win) if win in answers else -1
            parts.setdefault(int(work.partition_code[guess]), set()).add((*first, hit))
        assert all(len(equivalent) == 1 for equivalent in parts.values())
        assert len(parts) == len({part for equivalent in parts.values() for part in equivalent}) > 1
        undivided = parts.get(int(work.partition_code[len(game.codes)]), {(*[0] * n, -1)})
        assert undivided == {(*[0] * n, -1)}


@pytest.mark.parametrize(
    "rules", [pytest.param(RULES, marks=pytest.mark.exhaustive), Rules(2, "01234", Repeats.ALL)], ids=str
)
def test_is_new_partition_accepts_one_guess_per_partition(rules: Rules):
    """The sets share one workspace. Partitions of earlier sets must not hide guesses at later ones."""
    any_size, chance = Forms(rules), random.Random(7)
    game, work = any_size.game, any_size._work
    again = 0
    for _ in range(150):
        n = chance.choice((3, 4, 5, 6, 7, 8, 12, 16, 17, 18, 20, 24))
        codes = np.array(chance.sample(range(len(game.codes)), n), dtype=np.int32)
        work.members[:n] = codes
        start_partitions(game, work, 0, n)
        cuts, parts = Counter[tuple[int, ...]](), set()
        for guess, answers in enumerate(game.answers[:, codes].tolist()):
            hit = answers.index(game.hints - 1) if game.hints - 1 in answers else -1
            cut = (*(answers.index(answer) for answer in answers), hit)
            if is_new_partition(game, work, 0, 0, n, guess):
                cuts[cut] += 1
                assert work.answers[:n].tolist() == answers
            if len(set(answers)) > 1:
                parts.add(cut)
        assert set(cuts) == parts
        again += cuts.total() - len(parts)
    assert again < 150  # repeats, because the table had overwritten the first one


def test_hash_collision_hides_no_partition():
    """Partitions of large sets have random hashes. Here all hashes are 0, so only answers separate guesses."""
    shared, chance = Forms(RULES), random.Random(8)
    game, work = shared.game._replace(names=np.zeros_like(shared.game.names)), shared._work
    for n in (17, 30, 60):
        codes = np.array(chance.sample(range(len(game.codes)), n), dtype=np.int32)
        work.members[:n] = codes
        start_partitions(game, work, 0, n)
        before: list[int] = []
        for guess, answers in enumerate(game.answers[:, codes].tolist()):
            equivalent = bool(before) and same_parts(before, answers, game.hints - 1)
            assert is_new_partition(game, work, 0, 0, n, guess) == (len(set(answers)) > 1 and not equivalent)
            before = answers if len(set(answers)) > 1 else before


def same_parts(one: list[int], other: list[int], win: int) -> bool:
    """Return True if two rows of answers give the same partition and hit the same code or no code."""
    return [one.index(r) for r in one] == [other.index(r) for r in other] and (
        [r == win for r in one] == [r == win for r in other]
    )


def test_sets_deeper_than_the_workspace_are_refused():
    shallow = forms(expand_limit=len(CODES))
    codes = shallow.numbers(CODES)
    shallow._work = new_workspace(shallow.game, 1000, 4000, depths=3)._replace(shared=shallow._runner.words)
    with pytest.raises(InputError, match="more than 3 guesses"):
        shallow.form(codes)
    shallow._work = new_workspace(shallow.game, 1000, 4000)._replace(shared=shallow._runner.words)
    assert shallow.form(codes) == forms(expand_limit=len(CODES)).form(codes)


def test_survey_guesses_agrees_with_the_answers():
    large, chance = forms(), random.Random(5)
    game, work = large.game, large._work
    for _ in range(30):
        codes = np.array(chance.sample(range(len(CODES)), chance.randrange(10, 120)), dtype=np.int32)
        work.members[: len(codes)] = codes
        lead, (two, three, alone) = survey_guesses(game, work, 0, len(codes))
        expected = []
        for guess in range(len(game.codes)):
            *others, hit = np.bincount(game.answers[guess, codes], minlength=game.hints).tolist()
            cells = sum(size > 0 for size in others)
            reach = hit + sum(min(size, game.hints) for size in others)
            expected.append((hit + cells, reach, hit, 2 * hit + cells))
        assert (two, three, alone) == tuple(max(one[i] for one in expected) for i in (0, 1, 3))
        assert expected[lead][:3] == max(one[:3] for one in expected)
        assert all(one[:3] < expected[lead][:3] for one in expected[:lead])
