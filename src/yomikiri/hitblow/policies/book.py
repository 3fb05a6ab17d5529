"""The book: proven strategies of the standard games, shipped with the package, and the policy that plays by them.

Each strategy has its own file, a *volume*: a compressed strategy file, as `strategy/file.py` writes it. The command
`zcat FILE | yomikiri hitblow verify -` checks a volume. The command `yomikiri hitblow book` proves all volumes again.

Permuting places and renaming symbols changes no answer, if symbols known to be absent are exchanged only with each
other. So a game follows a strategy of the book if its guesses, after some permutation and renaming, are those of the
strategy, and the answers are the same:

    book    012 0H1B    134 ...
    played  538 0H1B    suggested: 301

Here the places are unchanged. The first guess maps the symbols 0, 1, 2 to 5, 3, 8. The other symbols of the book are
mapped to the unused symbols of the game in increasing order: 3 to 0, 4 to 1, and so on. So the guess 134 becomes 301.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Unproven
from yomikiri.hitblow.model.rules import PRESETS, Repeats, Rules
from yomikiri.hitblow.policies.base import Choice, Policy, proven, require_candidates
from yomikiri.hitblow.policies.onestep import OneStep, Soonest
from yomikiri.hitblow.shipped import packed, read_shipped
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.strategy import Cost, Criterion, Node, Objective, Proof, Strategy, Task, whole_cost

EXPECTED = Objective()


@dataclass(frozen=True, slots=True)
class Volume:
    """A volume of the book: the file of a proven strategy, and the task that the strategy solves."""

    name: str
    task: Task

    @property
    def file(self) -> str:
        """The name of the volume's file, such as `hitblow.json.gz`."""
        return f"{self.name}.json.gz"


_HITBLOW, _BULLS, _MASTERMIND = (PRESETS[name].rules for name in ("hitblow", "bulls", "mastermind"))

VOLUMES = (
    Volume("hitblow", Task(_HITBLOW)),
    Volume("hitblow-worst", Task(_HITBLOW, objective=Objective(Criterion.WORST))),
    Volume("hitblow-within-6", Task(_HITBLOW, objective=Objective(within=6))),
    Volume("hitblow-consistent", Task(_HITBLOW, objective=Objective(consistent=True))),
    Volume("hitblow-absent", Task(_HITBLOW, absent="9")),
    Volume("bulls", Task(_BULLS)),
    Volume("mastermind", Task(_MASTERMIND)),
    Volume("mastermind-within-5", Task(_MASTERMIND, objective=Objective(within=5))),
)


@cache
def read_volume(volume: Volume) -> Strategy:
    """Return the proven strategy in the file of a volume. Raises an `InputError` if the file is damaged or missing."""
    return read_strategy(read_shipped(volume.file))


def write_volume(strategy: Strategy) -> bytes:
    """Return a strategy as the compressed content of a file of the book. Equal strategies give equal bytes."""
    return packed(write_strategy(strategy).encode())


def book_strategy(task: Task) -> Strategy | None:
    """Return the strategy of the book for a task, in the symbols of the task.

    Returns None if the book has no strategy for the task, or if the task has facts or a prior. The symbols of the
    strategy are renamed: absent symbols become absent symbols, all others become symbols that are not absent. This
    changes no answer, so the cost and the proof remain valid.
    """
    volume = None if task.facts or task.prior else next(volumes(task.rules, task.absent, task.objective), None)
    if volume is None:
        return None
    strategy = read_volume(volume)
    names = str.maketrans(_named({}, volume.task, task.rules, task.absent))
    return replace(strategy, task=task, tree=strategy.tree.renamed(lambda code: code.translate(names)))


def volumes(rules: Rules, absent: str, objective: Objective = EXPECTED) -> Iterator[Volume]:
    """Return the volumes (strategies of the book) for a game and an objective.

    They may have other symbols than the game, but equally many, and equally many absent ones.
    """
    if rules.no_leading:
        return iter(())
    wanted = _shape(Task(rules, absent, objective=objective))
    return (volume for volume in VOLUMES if _shape(volume.task) == wanted)


def _shape(task: Task) -> tuple[int, int, Repeats, int, Objective]:
    """Return the properties of a task that do not depend on the names of its symbols."""
    return task.rules.digits, len(task.rules.symbols), task.rules.repeats, len(task.absent), task.objective


# --- play by the book -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BookGuess:
    """A guess of the book, and the cost of the book's strategy from this guess on.

    `cost.histogram[i]` is the number of candidates found at guess i + 1, where this guess is guess 1.
    """

    guess: str
    cost: Cost


def look_up(known: Knowledge) -> BookGuess | None:
    """Return the proven guess, or None if the book does not contain the game or its present position."""
    return next(filter(None, (entry_of(strategy, known) for strategy in _strategies(known))), None)


def entry_of(strategy: Strategy, known: Knowledge) -> BookGuess | None:
    """Return the next guess of a strategy after the turns in `known.played`, with places and symbols as in `known`.

    The places and symbols of the strategy are permuted so that its guesses equal those played. The first permutation of
    places that fits is used. Returns None if none fits.
    """
    if found := _reached(strategy, known):
        node, renaming = found
        return BookGuess(renaming.ours(node.guess), _remaining(strategy, node, known, renaming))
    return None


def followed(known: Knowledge) -> Strategy | None:
    """Return the strategy of the book from the present position on.

    Returns None if the book does not contain the game or its present position. The strategy of the book has the least
    total number of guesses. So each of its subtrees has the least total for its own position, because a better subtree
    would improve the whole strategy.
    """
    for strategy in _strategies(known):
        if found := _reached(strategy, known):
            node, renaming = found
            cost = _remaining(strategy, node, known, renaming)
            task = Task(known.rules, known.absent, known.facts)
            return Strategy(task, node.renamed(renaming.ours), cost, Proof(strategy.proof.kind, cost.total_guesses))
    return None


def on_book(known: Knowledge) -> bool:
    """Return True if the book has a strategy from the present position on."""
    return any(_reached(strategy, known) for strategy in _strategies(known))


def _strategies(known: Knowledge) -> Iterator[Strategy]:
    """Return the strategies of the book with the least total for this game.

    There are none if turns may be wrong, or if there is a prior. There are none either if some fact is neither a list
    of absent symbols nor a guess with a complete answer.
    """
    if known.start.facts or known.prior or known.slips.most:
        return iter(())
    return map(read_volume, volumes(known.rules, known.start.absent))


def _reached(strategy: Strategy, known: Knowledge) -> tuple[Node, _Renaming] | None:
    """Return the node to which the turns of `known` lead, and the renaming from the book to the game.

    Returns None if the turns lead to no node.
    """
    ways = (_follow(strategy, known, places) for places in permutations(range(known.rules.digits)))
    return next(filter(None, ways), None)


def _remaining(strategy: Strategy, node: Node, known: Knowledge, renaming: _Renaming) -> Cost:
    if not known.played:
        return strategy.cost
    candidates = frozenset(known.codes())
    return whole_cost(node, lambda guess: renaming.ours(guess) in candidates)


@dataclass(frozen=True)
class _Renaming:
    """A renaming from the book to the game.

    Place i of the book becomes place `places[i]` of the game. `names` maps each symbol of the book to a symbol of the
    game.
    """

    places: tuple[int, ...]
    names: dict[str, str]

    def ours(self, code: str) -> str:
        """Return a code of the book, converted to the places and symbols of the game."""
        there = dict(zip(self.places, code, strict=True))
        return "".join(self.names[there[place]] for place in range(len(code)))


def _follow(strategy: Strategy, known: Knowledge, places: tuple[int, ...]) -> tuple[Node, _Renaming] | None:
    """Return the node after all turns, and the renaming that maps the book's guesses to those played.

    `places` is the permutation of places. Returns None if no renaming of symbols maps the guesses, or if the tree has
    no branch for an answer.
    """
    names: dict[str, str] = {}
    node: Node | None = strategy.tree
    for turn in known.played:
        if node is None:
            return None
        for symbol, place in zip(node.guess, places, strict=True):
            if names.setdefault(symbol, turn.guess[place]) != turn.guess[place]:
                return None
        node = node.after(turn.hint)
    if node is None or not _fits(names, strategy, known):
        return None
    return node, _Renaming(places, _named(names, strategy.task, known.rules, known.start.absent))


def _fits(names: dict[str, str], strategy: Strategy, known: Knowledge) -> bool:
    """Return True if a renaming of symbols, from the book to the game, is valid.

    It must map different symbols to different symbols. It must also map absent symbols to absent symbols, and all
    others to symbols that are not absent.
    """
    same_absent = all(
        (symbol in strategy.task.absent) == (name in known.start.absent) for symbol, name in names.items()
    )
    return same_absent and len(set(names.values())) == len(names)


def _named(names: dict[str, str], task: Task, rules: Rules, absent: str) -> dict[str, str]:
    """Complete `names`, a map from symbols of the task to symbols of the rules.

    The remaining symbols of the task are mapped to the unused symbols of the rules, in order. Absent symbols are mapped
    to absent symbols.
    """
    symbols = [symbol for symbol in task.rules.symbols if symbol not in names]
    free = [name for name in rules.symbols if name not in names.values()]
    symbols.sort(key=lambda symbol: symbol in task.absent)
    free.sort(key=lambda name: name in absent)
    return names | dict(zip(symbols, free, strict=True))


@dataclass(frozen=True, slots=True)
class Book(Policy):
    """The policy that plays by the book, and like `beyond` if the book does not contain the position.

    If turns may be wrong, the policy plays like `Soonest`.
    """

    beyond: Policy = OneStep("entropy")
    name: str = "book"

    def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
        require_candidates(known)
        if known.slips.most:
            return replace(Soonest().choose(known, budget), unproven=Unproven.SLIPS)
        if entry := look_up(known):
            return proven(entry.guess, entry.cost.total_guesses, entry.cost.max_guesses)
        return self.beyond.choose(known, budget)
