"""A strategy: a tree that says which code to guess, with all that is claimed of it: the task it solves, cost and proof.

A tree names a code to guess, and for every hint that can come back the tree to go on with. Two digits of three symbols
(01, 02, 10, 12, 20, 21), least total:

    01 --0H1B--> 12 --0H1B--> 20        secrets 01 1 guess, 12 2 guesses, 20 3 guesses
       --0H2B--> 10
       --1H0B--> 02 --0H1B--> 21

The winning hint has no branch, since the game is over. A node without branches guesses the only code left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from yomikiri.common.enums import Named, flag, not_such, text, whole
from yomikiri.common.errors import N_, ContradictionError, InputError, Place, StrategyFault
from yomikiri.hitblow.model.facts import Absent, Change
from yomikiri.hitblow.model.prior import Prior, checked_prior, weighed
from yomikiri.hitblow.model.rules import Fact, Hint, Rules, hint

_MOST_GUESSES = 10**6  # that a secret may take, if there is a limit


@dataclass(frozen=True, slots=True)
class Node:
    """A guess and its branches, one for each hint that can be the answer and does not end the game, in any order."""

    guess: str
    branches: tuple[tuple[Hint, Node], ...] = ()

    def after(self, answer: Hint) -> Node | None:
        """The tree to go on with after that answer; none after the winning hint and after one that cannot come."""
        for expected, node in self.branches:
            if expected == answer:
                return node
        return None

    def renamed(self, name: Callable[[str], str]) -> Node:
        """The tree with its guesses called otherwise."""
        return Node(name(self.guess), tuple((answer, below.renamed(name)) for answer, below in self.branches))

    def guesses(self, secret: str) -> Iterator[str]:
        """The codes guessed until `secret` is found; they end early where the tree has no branch for a hint."""
        node: Node | None = self
        while node is not None:
            yield node.guess
            node = node.after(hint(node.guess, secret))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a strategy costs: `histogram[i]` counts the secrets found at guess i + 1. All other figures follow.

    Where some secrets are likelier than others, each counts its weight.
    """

    histogram: tuple[int, ...]

    @property
    def secrets(self) -> int:
        """How many secrets there are."""
        return sum(self.histogram)

    @property
    def total_guesses(self) -> int:
        """Guesses summed over all secrets."""
        return sum(turn * count for turn, count in enumerate(self.histogram, start=1))

    @property
    def max_guesses(self) -> int:
        """Guesses for the secret that takes the most."""
        return len(self.histogram)

    def at(self, guess: int | None) -> int:
        """How many secrets are found at a guess; 0 where none is named."""
        return self.histogram[guess - 1] if guess is not None and guess <= len(self.histogram) else 0

    @property
    def mean(self) -> float:
        """Guesses a secret, on average."""
        return self.total_guesses / self.secrets

    def _repr_html_(self) -> str:
        """What a notebook shows: the histogram."""
        from yomikiri.common.svg import bars

        return bars(self.histogram, f"{self.total_guesses} / {self.secrets}")


Way = tuple[tuple[str, Hint], ...]  # guesses with their hints, from the root


@dataclass(frozen=True, slots=True)
class Step:
    """A place in a tree: the way there, the tree from there on, and the secrets that lead there."""

    way: Way
    node: Node
    secrets: tuple[str, ...]

    def __str__(self) -> str:
        """The way and the guess: `012 0H1B 134`."""
        return " ".join([*(f"{guess} {answer}" for guess, answer in self.way), self.node.guess])


def cells(guess: str, secrets: Iterable[str]) -> dict[Hint, list[str]]:
    """The secrets by the hint that they give to `guess`."""
    found: dict[Hint, list[str]] = {}
    for secret in secrets:
        found.setdefault(hint(guess, secret), []).append(secret)
    return found


def walk(tree: Node, secrets: Iterable[str]) -> Iterator[Step]:
    """Every place of a tree, each before what is below it, with those of `secrets` that lead there."""
    steps = [Step((), tree, tuple(secrets))]
    while steps:
        step = steps.pop()
        yield step
        found = cells(step.node.guess, step.secrets)
        for answer, node in reversed(step.node.branches):
            way = (*step.way, (step.node.guess, answer))
            steps.append(Step(way, node, tuple(found.get(answer, ()))))


def whole_cost(tree: Node, is_candidate: Callable[[str], bool]) -> Cost:
    """The cost of a tree with just the branches that can occur, as `verify` demands, without asking its secrets.

    Each secret is found by the one guess that it is. So a guess with nothing below it finds one, and any other if it
    `is_candidate` at the root and fits the hints on the way.
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
    """The cost of a tree that finds every one of `secrets`, of which there is at least one; each counts its weight."""
    found: Counter[int] = Counter()
    for secret in secrets:
        found[sum(1 for _ in tree.guesses(secret))] += weights[secret] if weights else 1
    return Cost(tuple(found[guess] for guess in range(1, max(found) + 1)))


class Criterion(Named):
    """What is made as small as possible, one after the other: the guesses of all secrets together; those of the worst
    one, then of all; or those of the worst one, then how many secrets take so many, then the guesses of all."""

    EXPECTED = "expected"
    WORST = "worst"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective of a strategy.

    `kind` may be told by its word; any other raises an `InputError`. `within` is the most guesses that any secret may
    take, if there is a limit; `consistent` allows only guesses that can themselves be the secret.
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
    """What is to be solved: a game, what is known before the first guess, and the objective.

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
        """Return the task that a parameter gives: itself, rules, or the name of a preset. Raises an `InputError`."""
        return given if isinstance(given, Task) else Task(Rules.read(given, parameter))

    def secrets(self) -> Iterator[str]:
        """The codes without absent symbols that fit every fact, in order: the candidates, by the plain rules."""
        weights = self.weights()
        if weights is not None:
            return iter(weights)
        facts = (Absent(self.absent), *self.facts)
        return (code for code in self.rules.secrets() if all(fact.holds(code) for fact in facts))

    def weights(self) -> dict[str, int] | None:
        """The weight of each of these, by the plain rules; None where all are alike."""
        if not self.prior and not any(isinstance(fact, Change) for fact in self.facts):
            return None
        return weighed(self.rules, self.absent, self.facts, self.prior)


class Evidence(Named):
    """How sure it is that nothing does better: proven, or only the best known."""

    OPTIMAL = "optimal"
    HEURISTIC = "heuristic"


class Support(Named):
    """What a total rests on: a certificate of it was accepted by the checker; one search has proven it; it is the best
    that is known; or it is a bound that no strategy is known to reach."""

    CHECKED = "checked"
    PROVEN = "proven"
    BEST_KNOWN = "best known"
    BOUND = "bound"


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proven: no strategy of the same objective has a lower total than `lower_bound`; `checked` if a
    certificate of that was accepted.

    Under `Criterion.WORST` the strategies compared are those of the least maximum, under `Criterion.LAST` those of
    them that find the fewest secrets at it.
    """

    kind: Evidence
    lower_bound: int
    checked: bool = False

    @property
    def evidence(self) -> Support:
        """What the total of the strategy rests on."""
        if self.kind is Evidence.HEURISTIC:
            return Support.BEST_KNOWN
        return Support.CHECKED if self.checked else Support.PROVEN


@dataclass(frozen=True, slots=True)
class Strategy:
    """A tree that solves a task, with its cost and proof; `verify` checks these claims against the rules.

    The cost counts guesses from the start of the task: its turns are not in it.
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
        """Return the strategy that a parameter gives. Raises an `InputError`, also for the name of a file."""
        if not isinstance(given, cls):
            raise not_such(parameter, given, "read_strategy('strategy.json')")
        return given

    def _repr_html_(self) -> str:
        """What a notebook shows: the tree, each guess as high as secrets lead there; and the histogram."""
        from yomikiri.common.svg import Block, blocks

        secrets = tuple(self.task.secrets())
        drawn, ends = [], [0]  # for each depth, where the next guess begins
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


@contextmanager
def usable(place: Place) -> Iterator[None]:
    """Raise a `StrategyFault` of that place for rules, codes, hints or turns that are none."""
    try:
        yield
    except (InputError, ContradictionError) as reason:
        raise StrategyFault(N_("at {place}: {reason}"), place=place, reason=reason) from None


def doubled(place: Place, key: str) -> StrategyFault:
    """The fault of a key twice in one object, or of a hint with two branches."""
    return StrategyFault(N_("at {place}: {key!r} appears twice"), place=place, key=key)
