"""First guesses that threads try together: the best one does not depend on the number of threads.

Also tests `guessing/first_guess_store.py`: proofs that are interrupted and continued.
"""

import threading
from functools import partial
from pathlib import Path
from random import Random

import pytest
from tests.guessing.test_position_search import least_cost, random_game

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import InputError
from yomikiri.guessing import Game, position_search
from yomikiri.guessing.advice import solve
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.first_guess_store import FirstGuessFile
from yomikiri.guessing.first_guesses import NO_STORE, FirstGuesses, GuessBounds, try_guesses, try_in_threads
from yomikiri.guessing.position_search import Best, PositionSearch


def random_costs(random: Random) -> tuple[list[int], dict[int, int]]:
    """Return the cost of each of some guesses, and a lower bound of each in increasing order."""
    costs = [random.randint(10, 30) for _guess in range(random.randint(1, 40))]
    bounds = {guess: cost - random.randint(0, 8) for guess, cost in enumerate(costs)}
    return costs, dict(sorted(bounds.items(), key=lambda each: each[1]))


def cost_after(costs: list[int], random: Random, guess: int, below: int) -> int:
    """Return a cost, or a random lower bound of it that is at least `below`."""
    return costs[guess] if costs[guess] < below else random.randint(below, costs[guess])


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_best_guess_is_the_first_in_order_with_the_least_cost(threads: int):
    for seed in range(100):
        random = Random(seed)
        costs, bounds = random_costs(random)
        known = {
            guess: GuessBounds(cost - random.randint(0, 3), random.choice((cost, IMPOSSIBLE)))
            for guess, cost in enumerate(costs)
            if random.random() < 0.2
        }
        firsts = FirstGuesses(bounds, known)
        search = partial(cost_after, costs, random)
        if threads:
            tried = list(try_in_threads(firsts, [search] * threads, lambda: None, lambda: None))
        else:
            tried = list(try_guesses(firsts, search))
        assert (firsts.best, firsts.cost) == min(((guess, costs[guess]) for guess in bounds), key=lambda each: each[1])
        assert firsts.bound == firsts.cost
        assert not firsts.is_open
        for each in tried:
            assert each.bounds.lower <= costs[each.guess] <= each.bounds.upper


def test_threads_end_when_a_search_fails_or_the_caller_leaves():
    before, stopped = threading.active_count(), threading.Event()

    def endless(_guess: int, _below: int) -> int:
        stopped.wait()
        raise Stopped

    def broken(_guess: int, _below: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(try_in_threads(FirstGuesses({0: 1, 1: 1}, {}), [broken, endless], stopped.set, lambda: None))
    assert threading.active_count() == before
    stopped.clear()
    firsts = FirstGuesses({0: 1, 1: 1, 2: 1}, {})
    results = try_in_threads(firsts, [lambda guess, _below: 5 - guess, endless], stopped.set, lambda: None)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


@pytest.fixture
def threads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every game as a large one, so that threads try its first guesses from the beginning."""
    for name in ("_SMALL", "_BEFORE_CLASSES", "_CLASSES_FROM"):
        monkeypatch.setattr(position_search, name, 0)


@pytest.mark.usefixtures("threads_at_once")
def test_threads_find_the_best_guess_of_one_thread():
    for seed in range(60):
        game = random_game(seed)
        least = least_cost(game)
        alone = PositionSearch(game.start).best()
        assert alone.cost == (IMPOSSIBLE if least is None else least), seed
        assert PositionSearch(game.start, workers=3).best() == alone, seed


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.usefixtures("threads_at_once")
def test_interrupted_proofs_continue_from_the_file(tmp_path: Path, workers: int):
    for seed in range(0, 60, 3):
        game = random_game(seed)
        expected, path, runs = PositionSearch(game.start).best(), tmp_path / f"{seed}.db", 0
        best = Best("", None, 0)
        while not best.is_proven:
            with FirstGuessFile(path, game.start) as store:
                search = PositionSearch(game.start, Budget(states=3 + runs), workers=workers, store=store)
                best = search.best()
            assert best.bound <= (expected.cost or 0) <= (best.cost or IMPOSSIBLE)
            runs += 1
        assert best == expected, seed


@pytest.mark.usefixtures("threads_at_once")
def test_proven_first_guesses_are_not_tried_again(tmp_path: Path):
    game = Game(["aaa", "aab", "abb", "bbb", "bab", "cab", "abc", "ccc", "cba"])
    with FirstGuessFile(tmp_path / "proof", game.start) as store:
        once = solve(game.start, store=store)
    with FirstGuessFile(tmp_path / "proof", game.start) as store:
        search = PositionSearch(game.start, store=store)
        again = search.best()
    assert (again.guess, again.cost, again.is_proven) == (once.first, once.total, True)
    assert search.nodes == 0


def test_file_of_another_game_is_rejected(tmp_path: Path):
    game = Game(["aaa", "aab", "abb"])
    with FirstGuessFile(tmp_path / "proof", game.start):
        pass
    others = (Game(["aaa", "aab"]), Game({"aaa": 1, "aab": 2, "abb": 1}), Game(["aaa", "aab", "abb"], guess_limit=3))
    for position in (*(other.start for other in others), game.start.after("aaa:220")):
        with pytest.raises(InputError, match=r"is for (another list|a game without a limit of guesses|a game after)"):
            FirstGuessFile(tmp_path / "proof", position)
    reordered = Game(["abb", "aaa", "aab"])
    with FirstGuessFile(tmp_path / "proof", reordered.start):
        assert NO_STORE.bounds == {}
