"""Trees: following hints, walking all positions, and counting guesses."""

import pytest

from yomikiri.hitblow.model.rules import Hint
from yomikiri.hitblow.policies.book import VOLUMES, Volume, book_strategy
from yomikiri.hitblow.strategy.strategy import Cost, Node, cost, walk, whole_cost

# The example in the docstring of `strategy.strategy`: two digits of three symbols.
TREE = Node(
    "01",
    (
        (Hint(0, 1), Node("12", ((Hint(0, 1), Node("20")),))),
        (Hint(0, 2), Node("10")),
        (Hint(1, 0), Node("02", ((Hint(0, 1), Node("21")),))),
    ),
)
SECRETS = ("01", "02", "10", "12", "20", "21")


@pytest.mark.parametrize(
    ("secret", "guesses"), [("01", ["01"]), ("20", ["01", "12", "20"]), ("21", ["01", "02", "21"])]
)
def test_node_guesses_follows_the_hints_to_the_secret(secret: str, guesses: list[str]) -> None:
    assert list(TREE.guesses(secret)) == guesses


def test_node_after_returns_none_without_a_branch() -> None:
    assert TREE.after(Hint(2, 0)) is None
    assert TREE.after(Hint(0, 2)) == Node("10")


def test_cost_counts_the_secrets_found_at_each_guess() -> None:
    found = cost(TREE, SECRETS)
    assert found == Cost((1, 3, 2))
    assert [found.at(guess) for guess in (None, -1, 0, 1, 2, 3, 4)] == [0, 0, 0, 1, 3, 2, 0]
    assert (found.secrets, found.total_guesses, found.max_guesses, found.mean) == (6, 13, 3, 13 / 6)


def test_equal_nodes_are_equal_and_hashable() -> None:
    assert Node(TREE.guess, TREE.branches) == TREE
    assert len({TREE, Node("01"), Node("01")}) == 2


def test_walk_yields_each_guess_with_its_secrets() -> None:
    steps = [(str(step), step.secrets) for step in walk(TREE, SECRETS)]
    assert steps == [
        ("01", SECRETS),
        ("01 0H1B 12", ("12", "20")),
        ("01 0H1B 12 0H1B 20", ("20",)),
        ("01 0H2B 10", ("10",)),
        ("01 1H0B 02", ("02", "21")),
        ("01 1H0B 02 0H1B 21", ("21",)),
    ]


@pytest.mark.parametrize("volume", VOLUMES, ids=lambda volume: volume.file)
def test_whole_cost_equals_the_cost_of_playing_every_secret(volume: Volume) -> None:
    strategy = book_strategy(volume.task)
    assert strategy
    for step in walk(strategy.tree, strategy.task.secrets()):
        if len(step.way) < 3:
            assert whole_cost(step.node, step.secrets.__contains__) == cost(step.node, step.secrets)
