import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from yomikiri.common.budget import Budget
from yomikiri.common.errors import ContradictionError, InputError, MachineCodeError
from yomikiri.hitblow.model.facts import parse_standard
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Unproven
from yomikiri.hitblow.model.rules import PRESETS, Hint, Repeats, Rules, Turn
from yomikiri.hitblow.model.wrong_answers import Slips
from yomikiri.hitblow.policies import exact, policy_named
from yomikiri.hitblow.policies.base import ALTERNATIVES, Outlook
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.policies.simulation import simulate
from yomikiri.hitblow.search.position import kernel_search


def known(*turns: str, rules: Rules | None = None, absent: str = "") -> Knowledge:
    return Knowledge(rules or Rules(), absent, tuple(map(Turn.parse, turns)))


def test_suggestion_from_the_book_needs_no_numba():
    program = (
        "import sys; from yomikiri.hitblow import Assistant, Hint; game = Assistant()\n"
        "while not game.solved and len(game.known.turns) < 3: game = game.answer(Hint(0, 1)) if game.known.count > 60"
        " else game.answer(game.advice.proposed.cells[0][0])\n"
        "assert game.advice.proposed.outlook.proven and 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_exact_finds_all_secrets_in_3575_guesses():
    cost = simulate(Exact(), Knowledge())
    assert (cost.total_guesses, cost.max_guesses) == (3575, 7)


@pytest.mark.parametrize("absent", ["0", "4", "9"])
def test_exact_total_with_one_absent_digit_is_2337(absent):
    assert simulate(Exact(), Knowledge(absent=absent)).total_guesses == 2337


def test_outlook_outside_the_book_agrees_with_play():
    start = known("345:0H1B", "012:0H1B")
    choice = Exact().choose(start)
    outlook = choice.outlooks[choice.guess]
    played = simulate(Exact(), start)
    assert outlook == Outlook(played.total_guesses, outlook.max_guesses, True)
    assert outlook.max_guesses is not None
    assert played.max_guesses <= outlook.max_guesses


def test_exact_is_never_worse_than_entropy():
    for turns in (["987:0H2B"], ["345:0H1B", "012:0H1B"], ["246:1H1B"]):
        start = known(*turns)
        choice = Exact().choose(start)
        assert choice.outlooks[choice.guess].total_guesses <= simulate(OneStep("entropy"), start).total_guesses


def test_outlook_of_a_guess_agrees_with_play_after_it():
    start = known("987:0H2B")
    outlook = Exact().outlook(start, "123")
    assert outlook is not None
    after = sum(
        simulate(Exact(), start.after(Turn("123", hint))).total_guesses if hint != Hint(3, 0) else 0
        for hint in start.cells("123")
    )
    assert outlook.total_guesses == start.count + after


def test_alternatives_have_figures_and_are_sorted():
    choice = Exact().compare(known("987:0H2B"))
    figures = [choice.outlooks[guess].total_guesses for guess in choice.alternatives]
    assert figures == sorted(figures)
    assert choice.outlooks[choice.guess].total_guesses <= figures[0]


@pytest.mark.usefixtures("no_machine_code")
def test_small_games_are_proven_without_machine_code():
    choice = Exact().compare(known("345:0H1B", "012:0H1B"))
    assert choice.unproven is None
    assert choice.outlooks[choice.guess].proven
    assert len(choice.alternatives) == ALTERNATIVES
    assert Exact().choose(known("012:0H1B")).unproven is None, "the book needs no kernels"


def test_guesses_do_not_depend_on_machine_code(request: pytest.FixtureRequest):
    games = [known("345:0H1B", "012:0H1B"), known("987:0H2B"), known("506:0H1B", "062:1H0B")]
    compiled = [Exact().compare(game) for game in games]
    request.getfixturevalue("no_machine_code")
    assert [Exact().compare(game) for game in games] == compiled


@pytest.mark.usefixtures("no_machine_code")
def test_large_games_without_machine_code_are_unproven():
    choice = Exact().choose(Knowledge(Rules(5, "01234567"), "", (Turn("01234", Hint(0, 2)),)))
    assert (choice.unproven, choice.outlooks) == (Unproven.NO_MACHINE_CODE, {})


@pytest.mark.usefixtures("no_machine_code")
def test_unlimited_proof_without_machine_code_is_small_or_an_error():
    at_any_time = Exact(seconds=None)
    assert at_any_time.choose(known("987:0H2B")).unproven is None
    for large in (Knowledge(Rules(4, "012345678")), known("0123:1H1B", rules=Rules(4, "012345678"))):
        with pytest.raises(MachineCodeError):
            at_any_time.choose(large)


@pytest.mark.usefixtures("no_machine_code")
def test_time_is_limited_without_machine_code():
    """Searches of a preset have no time limit with machine code only."""
    off_the_book = known("1234:0H2B", rules=PRESETS["mastermind"].rules)
    assert Exact(seconds=0).choose(off_the_book).unproven is Unproven.TIME


def test_large_games_and_short_times_state_why_they_are_unproven():
    assert Exact().choose(Knowledge(Rules(5))).unproven is Unproven.TOO_LARGE
    odd = known("0011:0H1B", rules=Rules(4, "0123456789", Repeats.GUESS))
    assert Exact(seconds=0).choose(odd).unproven is Unproven.TIME


def test_last_two_candidates_need_no_search():
    two = known("012:0H3B")
    assert Exact().choose(two).outlooks["120"] == Outlook(3, 2, True)
    one = known("012:0H3B", "120:0H3B")
    assert Exact().choose(one).outlooks["201"] == Outlook(1, 1, True)


def test_contradiction_is_refused():
    with pytest.raises(ContradictionError):
        Exact().choose(known("012:0H0B", "345:0H0B", "678:0H0B"))


@pytest.mark.slow
@pytest.mark.parametrize("budget", [Budget.within(0), Budget(states=20), Budget(cancelled=lambda: True)])
def test_spent_budget_still_gives_a_guess(budget):
    start = Knowledge(Rules(4), "9")
    for choice in (Exact().choose(start, budget), Exact().compare(start, budget)):
        assert choice == replace(OneStep("entropy").choose(start), unproven=Unproven.TIME)
    if budget.spent():
        assert Exact().outlook(start, "0123", budget) is None


def test_searches_of_several_threads_share_one_engine():
    games = [known("345:0H1B", second) for second in ("012:0H1B", "067:0H2B", "689:1H0B")]
    alone = [Exact().choose(known) for known in games]
    with ThreadPoolExecutor(len(games)) as pool:
        assert list(pool.map(Exact().choose, games)) == alone


def test_waiting_for_another_search_counts_toward_the_budget():
    start = known("345:0H1B", "012:0H1B")
    with kernel_search(start), ThreadPoolExecutor(1) as pool:
        assert pool.submit(Exact().choose, start, Budget.within(0.1)).result().unproven is Unproven.TIME


def test_weighted_candidates_are_proven() -> None:
    uneven = Knowledge(facts=tuple(map(parse_standard, ("012:1H1B", "change=low@1", "345:0H1B"))))
    assert uneven.weights is not None
    choice = Exact().choose(uneven)
    outlook = choice.outlooks[choice.guess]
    assert outlook.proven
    assert Exact().outlook(uneven, choice.guess) == Outlook(outlook.total_guesses, None, True)
    totals = [shown.total_guesses for shown in Exact().compare(uneven).outlooks.values()]
    assert min(totals) == outlook.total_guesses


def test_too_many_weighted_candidates_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    uneven = Knowledge(facts=tuple(map(parse_standard, ("012:0H1B", "345:1H0B", "shuffle"))))
    assert uneven.weights is not None
    monkeypatch.setattr(exact, "_MOST_UNEVEN", uneven.count - 1)
    assert Exact().choose(uneven).unproven is Unproven.TOO_LARGE


def test_nothing_is_proven_with_slips():
    for turns in ((), ("012:0H1B",), ("012:0H3B",)):
        wary = replace(known(*turns), slips=Slips(1))
        for policy in (Exact(), policy_named("book")):
            choice = policy.choose(wary)
            assert choice.unproven is Unproven.SLIPS
            assert not choice.outlooks
            assert policy.outlook(wary, "012") is None
            assert policy.compare(wary).guess == choice.guess
        with pytest.raises(InputError, match="slips '1'"):
            simulate(Exact(), wary)
