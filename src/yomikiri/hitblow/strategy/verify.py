"""Hold a strategy against the rules: replay every secret and recount every figure.

What is proven: every secret is found, in as many guesses as `cost` says, by guesses that the rules and the objective
allow. What is not: that no other strategy does better; the lower bound is only held against the total.

Nothing here searches, and nothing of the search, its kernels or numpy is imported: only the rules, the tree and plain
Python, so that what checks shares no fault with what is checked.
"""

from __future__ import annotations

from itertools import islice

from yomikiri.errors import CodeError, ContradictionError, InputError, Place
from yomikiri.hitblow.rules import Hint, hint
from yomikiri.hitblow.strategy.faults import (
    BeyondLimit,
    BranchAfterWin,
    DoubledKey,
    EmptyBranch,
    ImpossibleBound,
    InconsistentGuess,
    MissingBranch,
    OpenProof,
    Unusable,
    UselessGuess,
    WrongFigure,
)
from yomikiri.hitblow.strategy.strategy import Evidence, Strategy
from yomikiri.hitblow.strategy.tree import Cost, Node, cells


def verify(strategy: Strategy) -> Cost:
    """The cost of a strategy, recounted; raises the first `StrategyFault`, of start, tree, figures or claims."""
    counted = _replayed(strategy)
    _check_figures(strategy.cost, counted)
    _check_objective(strategy, counted)
    _check_proof(strategy, counted)
    return counted


def _replayed(strategy: Strategy) -> Cost:
    """Play all secrets at once down the tree, those that answered alike so far together."""
    found: list[int] = []
    open_games: list[tuple[tuple[str, ...], Node, list[str]]] = [((), strategy.tree, _start(strategy))]
    while open_games:
        way, node, secrets = open_games.pop()
        split = _split(strategy, _place(way, node), node, secrets)
        if strategy.task.rules.win in split:
            found.append(len(way) + 1)
        for answer, below in reversed(node.branches):
            open_games.append(((*way, f"{node.guess} {answer}"), below, split[answer]))
    return Cost(tuple(found.count(guesses) for guesses in range(1, max(found) + 1)))


def _start(strategy: Strategy) -> list[str]:
    """The secrets to replay.

    A guess of the tree finds one secret at most. So of one secret more than there are guesses, one is lost, and a small
    tree for a vast game is refused without listing all of the game's codes.
    """
    place = Place("start")
    try:
        strategy.task.rules.check_absent(strategy.task.absent)
        for turn in strategy.task.turns:
            strategy.task.rules.check_guess(turn.guess)
    except InputError as error:
        raise Unusable(place, error) from None
    size = _size(strategy.tree)
    secrets = list(islice(strategy.task.secrets(), size + 1))
    if not secrets:
        raise Unusable(place, ContradictionError(" ".join(map(str, strategy.task.turns))))
    if len(secrets) > size:
        for secret in secrets:
            _follow(strategy, secret)
    return secrets


def _follow(strategy: Strategy, secret: str) -> None:
    """Play one secret; raises where it is lost."""
    way: tuple[str, ...] = ()
    node: Node | None = strategy.tree
    while node is not None:
        place = _place(way, node)
        _check_guess(strategy, place, node)
        answer = hint(node.guess, secret)
        if answer == strategy.task.rules.win:
            return
        way = (*way, f"{node.guess} {answer}")
        node = node.after(answer)
    raise MissingBranch(place, str(answer), secret)


def _place(way: tuple[str, ...], node: Node) -> Place:
    return Place(" ".join([*way, node.guess]))


def _check_guess(strategy: Strategy, place: Place, node: Node) -> None:
    try:
        strategy.task.rules.check_guess(node.guess)
    except CodeError as error:
        raise Unusable(place, error) from None


def _size(tree: Node) -> int:
    """How many guesses the tree holds."""
    size, nodes = 0, [tree]
    while nodes:
        node = nodes.pop()
        size += 1
        nodes.extend(below for _answer, below in node.branches)
    return size


def _split(strategy: Strategy, place: Place, node: Node, secrets: list[str]) -> dict[Hint, list[str]]:
    """The secrets by the hint they give to the guess of a node; raises unless the guess and the branches fit them."""
    _check_guess(strategy, place, node)
    split = cells(node.guess, secrets)
    win = strategy.task.rules.win
    if strategy.task.objective.consistent and win not in split:
        raise InconsistentGuess(place)
    if len(split) == 1 and win not in split:
        raise UselessGuess(place, str(*split), len(secrets))
    expected = set()
    for answer, _below in node.branches:
        if answer in expected:
            raise DoubledKey(place, str(answer))
        if answer == win:
            raise BranchAfterWin(place, str(answer))
        if answer not in split:
            raise EmptyBranch(place, str(answer))
        expected.add(answer)
    for answer, cell in split.items():
        if answer not in expected and answer != win:
            raise MissingBranch(place, str(answer), cell[0])
    return split


def _check_figures(given: Cost, counted: Cost) -> None:
    for name in ("secrets", "total_guesses", "max_guesses", "histogram"):
        claimed, true = getattr(given, name), getattr(counted, name)
        if claimed != true:
            raise WrongFigure(Place(f"cost.{name}"), _written(claimed), _written(true))


def _written(figure: int | tuple[int, ...]) -> str:
    return str(figure) if isinstance(figure, int) else str(list(figure))


def _check_objective(strategy: Strategy, counted: Cost) -> None:
    within = strategy.task.objective.within
    if within is not None and counted.max_guesses > within:
        raise BeyondLimit(Place("objective.within"), within, counted.max_guesses)


def _check_proof(strategy: Strategy, counted: Cost) -> None:
    place, proof, total = Place("proof.lower_bound"), strategy.proof, counted.total_guesses
    if proof.lower_bound > total:
        raise ImpossibleBound(place, proof.lower_bound, total)
    if proof.kind is Evidence.OPTIMAL and proof.lower_bound != total:
        raise OpenProof(place, proof.lower_bound, total)
