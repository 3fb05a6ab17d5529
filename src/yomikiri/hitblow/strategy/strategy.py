"""Strategies: decision trees with the task they solve, their cost and their proof.

A node contains a guess, and a subtree for every answer that can follow. For two digits of three symbols (01, 02, 10,
12, 20, 21), a tree with the least total is:

    01 --0H1B--> 12 --0H1B--> 20        secrets 01 1 guess, 12 2 guesses, 20 3 guesses
       --0H2B--> 10
       --1H0B--> 02 --0H1B--> 21

The winning answer has no branch, because it ends the game. A node without branches guesses the only remaining code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from yomikiri.common.enums import Named, flag, not_such, text, whole
from yomikiri.hitblow.model.facts import Absent, SecretChange
from yomikiri.hitblow.model.prior import Prior, checked_prior, weighed
from yomikiri.hitblow.model.rules import Fact, Hint, Rules, hint

_MOST_GUESSES = 10**6  # largest value of `Objective.within`, the limit on the number of guesses


@dataclass(frozen=True, slots=True)
class Node:
    """A guess and its branches, in any order: one for each answer that can follow and does not end the game."""

    guess: str
    branches: tuple[tuple[Hint, Node], ...] = ()

    def after(self, answer: Hint) -> Node | None:
        """Return the subtree after an answer, or None if there is no branch for this answer."""
        for expected, node in self.branches:
            if expected == answer:
                return node
        return None

    def renamed(self, name: Callable[[str], str]) -> Node:
        """Return a copy of the tree, with every guess replaced by the result of `name` for this guess."""
        return Node(name(self.guess), tuple((answer, below.renamed(name)) for answer, below in self.branches))

    def guesses(self, secret: str) -> Iterator[str]:
        """Yield the guesses until `secret` is found, or until the tree has no branch for an answer."""
        node: Node | None = self
        while node is not None:
            yield node.guess
            node = node.after(hint(node.guess, secret))


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a strategy: `histogram[i]` is the number of secrets found at guess number i + 1.

    If some secrets are likelier than others, each secret counts with its weight.
    """

    histogram: tuple[int, ...]

    @property
    def secrets(self) -> int:
        """The number of secrets, or the sum of their weights."""
        return sum(self.histogram)

    @property
    def total_guesses(self) -> int:
        """The number of guesses, added up over all secrets."""
        return sum(turn * count for turn, count in enumerate(self.histogram, start=1))

    @property
    def max_guesses(self) -> int:
        """The number of guesses in the worst case."""
        return len(self.histogram)

    def at(self, guess: int | None) -> int:
        """Return the number of secrets found at guess number `guess`, from 1; 0 for any other number and for None."""
        return self.histogram[guess - 1] if guess is not None and 1 <= guess <= len(self.histogram) else 0

    @property
    def mean(self) -> float:
        """The average number of guesses per secret."""
        return self.total_guesses / self.secrets

    def _repr_html_(self) -> str:
        """Return a picture of the histogram for notebooks."""
        from yomikiri.common.svg import bars

        return bars(self.histogram, f"{self.total_guesses} / {self.secrets}")


Way = tuple[tuple[str, Hint], ...]  # guesses and answers from the root of the tree to a node


@dataclass(frozen=True, slots=True)
class Step:
    """A position in a tree: the guesses and answers from the root, the subtree, and the secrets that lead there."""

    way: Way
    node: Node
    secrets: tuple[str, ...]

    def __str__(self) -> str:
        """Return the guesses and answers from the root and the guess of this position, such as `012 0H1B 134`."""
        return " ".join([*(f"{guess} {answer}" for guess, answer in self.way), self.node.guess])


def cells(guess: str, secrets: Iterable[str]) -> dict[Hint, list[str]]:
    """Group the secrets by their answers to `guess`."""
    found: dict[Hint, list[str]] = {}
    for secret in secrets:
        found.setdefault(hint(guess, secret), []).append(secret)
    return found


def walk(tree: Node, secrets: Iterable[str]) -> Iterator[Step]:
    """Yield every position of a tree in preorder, with the secrets that lead there."""
    steps = [Step((), tree, tuple(secrets))]
    while steps:
        step = steps.pop()
        yield step
        found = cells(step.node.guess, step.secrets)
        for answer, node in reversed(step.node.branches):
            way = (*step.way, (step.node.guess, answer))
            steps.append(Step(way, node, tuple(found.get(answer, ()))))


def whole_cost(tree: Node, is_candidate: Callable[[str], bool]) -> Cost:
    """Compute the cost of a tree without a list of its secrets.

    Requires that the branches are exactly the possible answers, as `verify` checks. Then exactly one node finds each
    secret, by guessing it. A leaf always finds one secret. An inner node finds its guess if the guess satisfies
    `is_candidate` and fits the answers on the way from the root.
    """
    found: Counter[int] = Counter()
    places: list[tuple[Node, Way]] = [(tree, ())]
    while places:
        node, way = places.pop()
        if not node.branches or (
            all(hint(guess, node.guess) == answer for guess, answer in way) and is_candidate(node.guess)
        ):
            found[len(way)] += 1
        places.extend((below, (*way, (node.guess, answer))) for answer, below in node.branches)
    return Cost(tuple(found[guess] for guess in range(max(found) + 1)))


def cost(tree: Node, secrets: Iterable[str], weights: Mapping[str, int] | None = None) -> Cost:
    """Compute the cost of a tree that finds all `secrets`, of which there is at least one.

    `weights` contains the weight of each secret. If it is None, each secret counts once.
    """
    found: Counter[int] = Counter()
    for secret in secrets:
        found[sum(1 for _ in tree.guesses(secret))] += weights[secret] if weights else 1
    return Cost(tuple(found[guess] for guess in range(1, max(found) + 1)))


class Criterion(Named):
    """The quantity that a strategy should minimise.

    In this list, the total is the number of guesses added up over all secrets, and the maximum is the number of guesses
    in the worst case.

    - `EXPECTED`: the total.
    - `WORST`: the maximum, then the total.
    - `LAST`: the maximum, then the number of secrets that need the maximum, then the total.
    """

    EXPECTED = "expected"
    WORST = "worst"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective of a strategy, with its restrictions.

    `kind` may also be text. `within` is the maximum number of guesses for any secret, or None for no limit. If
    `consistent` is True, every guess must be a candidate. Raises an `InputError` for other values.
    """

    kind: Criterion = Criterion.EXPECTED
    within: int | None = None
    consistent: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", Criterion.read(self.kind, "kind"))
        if self.within is not None:
            object.__setattr__(self, "within", whole(self.within, "within", 0, _MOST_GUESSES))
        flag(self.consistent, "consistent")


@dataclass(frozen=True, slots=True)
class Task:
    """A problem to solve: rules, the knowledge before the first guess, and the objective.

    >>> from yomikiri.hitblow.model.rules import Turn
    >>> list(Task(facts=(Turn.parse("012:0H3B"),)).secrets())
    ['120', '201']
    """

    rules: Rules = Rules()
    absent: str = ""
    facts: tuple[Fact, ...] = ()
    objective: Objective = Objective()
    prior: Prior = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules.read(self.rules, "rules"))
        text(self.absent, "absent")
        if not (isinstance(self.facts, tuple) and all(isinstance(fact, Fact) for fact in self.facts)):
            raise not_such("facts", self.facts, "Knowledge('012:0H1B').facts")
        if not isinstance(self.objective, Objective):
            raise not_such("objective", self.objective, "Objective('worst')")
        if not isinstance(self.prior, tuple):
            object.__setattr__(self, "prior", checked_prior(self.rules, self.prior))

    @classmethod
    def read(cls, given: Task | Rules | str, parameter: str) -> Task:
        """Return the task in argument `parameter`: a task, rules, or the name of a preset. Raises an `InputError`."""
        return given if isinstance(given, Task) else Task(Rules.read(given, parameter))

    def secrets(self) -> Iterator[str]:
        """Return an iterator over the candidates in the order of codes, computed in plain Python."""
        weights = self.weights()
        if weights is not None:
            return iter(weights)
        facts = (Absent(self.absent), *self.facts)
        return (code for code in self.rules.secrets() if all(fact.holds(code) for fact in facts))

    def weights(self) -> dict[str, int] | None:
        """Return the weight of each candidate, computed in plain Python.

        Returns None if the candidates are equally likely: the task has no prior, and no fact says that the opponent
        changed the secret, as some items of Numer0n allow.
        """
        if not self.prior and not any(isinstance(fact, SecretChange) for fact in self.facts):
            return None
        return weighed(self.rules, self.absent, self.facts, self.prior)


class Evidence(Named):
    """The evidence for a strategy: proven optimal, or the best known."""

    OPTIMAL = "optimal"
    HEURISTIC = "heuristic"


class Support(Named):
    """The justification of the total number of guesses of a strategy.

    `CHECKED`: the independent checker accepted a certificate that no strategy has a smaller total. `PROVEN`: a search
    proved this. `BEST_KNOWN`: the total is the best found so far. `BOUND`: no strategy is known yet, so only a lower
    bound of the least total is given.
    """

    CHECKED = "checked"
    PROVEN = "proven"
    BEST_KNOWN = "best known"
    BOUND = "bound"


@dataclass(frozen=True, slots=True)
class Proof:
    """A lower bound on the total of every strategy for the same task: the number of guesses, added up over all secrets.

    `kind` says if the strategy is proven optimal. `checked` is True if the independent checker accepted a certificate
    of the bound. With `Criterion.WORST`, the bound holds only for strategies with the least number of guesses in the
    worst case. With `Criterion.LAST`, it holds only for those strategies of this kind that have the fewest secrets that
    need this number of guesses.
    """

    kind: Evidence
    lower_bound: int
    checked: bool = False

    @property
    def evidence(self) -> Support:
        """The justification of the total of the strategy."""
        if self.kind is Evidence.HEURISTIC:
            return Support.BEST_KNOWN
        return Support.CHECKED if self.checked else Support.PROVEN


@dataclass(frozen=True, slots=True)
class Strategy:
    """A tree that solves a task, with its cost and proof. `verify` checks cost and proof against the rules.

    The cost does not count the turns that the task contains as facts, only the guesses after them.
    """

    task: Task
    tree: Node
    cost: Cost
    proof: Proof

    def __post_init__(self) -> None:
        for name, kind in (("task", Task), ("tree", Node), ("cost", Cost), ("proof", Proof)):
            if not isinstance(getattr(self, name), kind):
                raise not_such(name, getattr(self, name), f"solve('bulls').strategy.{name}")

    @classmethod
    def read(cls, given: Strategy, parameter: str) -> Strategy:
        """Return argument `parameter` if it is a strategy. Otherwise, raise an `InputError`."""
        if not isinstance(given, cls):
            raise not_such(parameter, given, "read_strategy('strategy.json')")
        return given

    def _repr_html_(self) -> str:
        """Return two pictures for notebooks: the tree of guesses, and a chart of the guesses needed.

        In the tree, the width of a node is proportional to its number of secrets. The chart shows how many secrets are
        found at guess 1, 2, 3, ...
        """
        from yomikiri.common.svg import Block, blocks

        secrets = tuple(self.task.secrets())
        drawn, ends = [], [0]  # `ends[depth]` is the next free position at this depth
        for step in walk(self.tree, secrets):
            depth, count = len(step.way), len(step.secrets)
            del ends[depth + 1 :]
            start = ends[depth]
            ends[depth] += count
            ends.append(start)
            text = f"{step.way[-1][1]} {step.node.guess}" if step.way else step.node.guess
            share = start / len(secrets), (start + count) / len(secrets)
            drawn.append(Block(depth, *share, text, f"{step} ({count})"))
        cost = self.cost
        return blocks(drawn, min(480, 16 * len(secrets)), self.tree.guess) + cost._repr_html_()
