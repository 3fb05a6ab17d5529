from random import Random
from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hitblow.search.by_kernels import by_kernels, engine_of
from tests.hitblow.search.test_weighted_codes import searching
from tests.reference.search import Reference

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.search.plain import plain_search
from yomikiri.hitblow.search.position import best_move, kernel_search
from yomikiri.hitblow.search.weighted_codes import weighted_search

GAMES = [Rules(2, "01234"), Rules(3, "01234"), Rules(2, "0123", Repeats.GUESS), Rules(2, "0123", Repeats.ALL)]
PLAIN = {rules: Reference(rules) for rules in GAMES}


def totals(known: Knowledge) -> dict[str, int]:
    """Return the cost of every guess by the slow search. Guesses that leave one cell cost more than all others."""
    plain = PLAIN[known.rules]
    codes = plain.numbers(known.codes())
    result = {}
    for number, guess in enumerate(plain.guesses):
        cells = plain.cells(number, codes)
        result[guess] = len(codes) + sum(plain.least(cell, len(cell))[0] for cell in cells)
    return result


@settings(max_examples=60)
@given(st.data())
def test_moves_in_mid_game_agree_with_the_slow_search(data):
    rules = data.draw(st.sampled_from(GAMES))
    codes = Knowledge(rules).codes()
    secret = data.draw(st.sampled_from(codes))
    guesses = data.draw(st.lists(st.sampled_from(PLAIN[rules].guesses), max_size=2))
    known = Knowledge(rules, "", tuple(Turn(guess, hint(guess, secret)) for guess in guesses))
    costs = totals(known)
    least = min(costs.values())
    move = best_move(by_kernels(known), known)
    assert (move.total_guesses, costs[move.guess]) == (least, least)
    guess = data.draw(st.sampled_from(PLAIN[rules].guesses))
    assert by_kernels(known).total_after(guess) == costs[guess]
    assert by_kernels(known).total_after(guess, costs[guess]) >= costs[guess], "below its cost it is only a bound"
    for move in by_kernels(known).moves(3):
        assert move.total_guesses == costs[move.guess]


def test_moves_are_the_least_totals_up_to_symmetry():
    known = Knowledge(Rules(3, "01234")).after(Turn("012", hint("012", "134")))
    found = [move.total_guesses for move in by_kernels(known).moves(5)]
    assert found == sorted(found)
    assert found[0] == min(totals(known).values())
    assert set(found) <= set(totals(known).values())


@pytest.mark.parametrize(("turn", "ties"), [("012:0H0B", 3), ("012:1H0B", 2), ("010:0H0B", 4), ("010:0H1B", 1)])
def test_best_guesses_are_the_first_moves(turn, ties, monkeypatch):
    rules = Rules(3, "012345", Repeats.GUESS)
    known = Knowledge(rules, "", (Turn.parse(turn),))
    search = by_kernels(known)
    total = search.least()
    best = [move.guess for move in search.moves(30) if move.total_guesses == total]
    assert len(best) == ties
    for most in (1, 3, 30):
        assert search.best_guesses(total, most) == best[:most]
    # The guesses must be the same if the search begins again in another thread after one poll (`_SHORT`).
    engine_of.cache_clear()
    cut = by_kernels(known)
    monkeypatch.setattr("yomikiri.hitblow.search.engine._SHORT", 1)
    assert cut.best_guesses(total, 30) == best[:30]


def test_best_move_breaks_ties_by_worst_case_then_candidates():
    rules = Rules(3, "01234")
    for secret in ("034", "210", "431"):
        known = Knowledge(rules).after(Turn("012", hint("012", secret)))
        move = best_move(by_kernels(known), known)
        assert move.max_guesses is not None
        ties = [m.guess for m in by_kernels(known).moves(4) if m.total_guesses == move.total_guesses]
        assert move.guess in ties


def test_progress_counts_the_nodes_of_one_request():
    known = Knowledge(Rules(4, "0123456789", Repeats.GUESS), "", (Turn("0011", hint("0011", "2345")),))
    for _ in range(2):  # the nodes of the first run do not count in the second
        with pytest.raises(Stopped) as stopped:
            best_move(by_kernels(known, Budget(states=1)), known)
        assert stopped.value.best is None
    small = Knowledge(Rules(3, "01234"), "", (Turn.parse("012:0H1B"),))
    best_move(by_kernels(small), small)
    assert best_move(by_kernels(small, Budget(states=100_000)), small) == best_move(by_kernels(small), small)


def test_discarded_sets_do_not_change_results(monkeypatch):
    games = [Knowledge(facts=(Turn("345", Hint(0, 1)), Turn(second, Hint(0, 1)))) for second in ("012", "067", "689")]
    remembered = [by_kernels(known).moves(3) for known in games]
    monkeypatch.setattr("yomikiri.hitblow.search.engine._MOST_SETS", 0)
    assert [by_kernels(known).moves(3) for known in games] == remembered


SHARED = Rules(3, "012345")
ASKED = Knowledge(SHARED, facts=(Turn.parse("012:0H1B"),))


@pytest.mark.slow
def test_threads_sharing_an_engine_find_the_same() -> None:
    weights = {code: Random(int(code)).randint(95, 105) for code in SHARED.secrets()}
    alone = searching(SHARED, weights).guesses()
    found: list[object] = []
    threads = [Thread(target=lambda: found.append(searching(SHARED, weights).guesses()), daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert found == [alone] * len(threads)


@pytest.mark.parametrize("search", [kernel_search, plain_search, weighted_search])
@pytest.mark.parametrize("held", [kernel_search, plain_search, weighted_search])
def test_searches_are_lent_to_one_thread_and_waiting_uses_the_budget(held, search) -> None:
    stopped, waited, totals = Event(), Event(), []

    def ask() -> None:
        looks = iter([False, False, True])
        with pytest.raises(Stopped), search(ASKED, Budget(cancelled=lambda: next(looks))):
            totals.append(0)
        stopped.set()
        waited.wait(60)
        with search(ASKED) as lent:
            totals.append(lent.least())

    thread = Thread(target=ask, daemon=True)
    with held(ASKED) as mine:
        thread.start()
        assert stopped.wait(60)
        total = mine.least()
        with held(ASKED) as again:
            assert again.least() == total
    waited.set()
    thread.join(60)
    assert totals == [total]
