"""A sketch tells no more than the options of its set do."""

from itertools import pairwise

from yomikiri.hitblow.codes import all_secrets
from yomikiri.hitblow.race.public.worths import Forms
from yomikiri.hitblow.rules import Rules

RULES = Rules(3, "0123456")
CODES = all_secrets(RULES)


def forms(at_once: int | None = None) -> Forms:
    return Forms(RULES, at_once=at_once)


def test_no_options_are_worked_out_before_they_are_asked_for():
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


def test_a_sketch_allows_no_less_than_its_set_can_do_and_promises_no_more():
    late, whole = forms(), forms(at_once=len(CODES))
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
