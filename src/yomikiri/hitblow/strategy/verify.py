"""Verifier of strategies: replays every secret and recounts every figure.

It proves that the tree finds every secret with the claimed number of guesses, and that rules and objective allow each
guess. It does not prove that no other strategy is better. It only compares the lower bound with the total.

The verifier imports only the rules and the tree, in plain Python. It shares no code with the search, its kernels or
NumPy, so that an error in those cannot affect it.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

from yomikiri.common.errors import N_, Place, StrategyFault, repeated, usable
from yomikiri.hitblow.model.prior import checked_prior
from yomikiri.hitblow.model.rules import Hint, hint, no_code_fits
from yomikiri.hitblow.strategy.strategy import Cost, Evidence, Node, Strategy, cells


def verify(strategy: Strategy) -> Cost:
    """Verify a strategy, and return its cost as recounted from the tree.

    Raises a `StrategyFault` for the first error found. The checks are, in this order: the facts at the start, the tree,
    the numbers of the cost, the objective and the proof. Raises an `InputError` if the argument is not a `Strategy`.
    `read_strategy` reads a strategy from a file.

    >>> from yomikiri.hitblow import Rules, Task, solve
    >>> verify(solve(Task(Rules(2, "0123"))).strategy)
    Cost(histogram=(1, 4, 7))
    """
    strategy = Strategy.read(strategy, "strategy")
    counted = _replayed(strategy)
    _check_figures(strategy.cost, counted)
    _check_objective(strategy, counted)
    _check_proof(strategy, counted)
    return counted


def _replayed(strategy: Strategy) -> Cost:
    """Return the cost, counted by following all secrets through the tree in groups that get the same answers."""
    found: Counter[int] = Counter()
    weights = strategy.task.weights()
    open_games: list[tuple[tuple[str, ...], Node, list[str]]] = [((), strategy.tree, _listed_secrets(strategy))]
    while open_games:
        way, node, secrets = open_games.pop()
        split = _split(strategy, _place(way, node), node, secrets)
        if strategy.task.rules.win in split:
            found[len(way) + 1] += weights[node.guess] if weights else 1
        for answer, below in reversed(node.branches):
            open_games.append(((*way, f"{node.guess} {answer}"), below, split[answer]))
    return Cost(tuple(found[guesses] for guesses in range(1, max(found) + 1)))


def _listed_secrets(strategy: Strategy) -> list[str]:
    """Return the secrets to replay.

    Raises a `StrategyFault` if the absent symbols, facts or prior before the first guess are invalid, or if no code
    fits them. A node finds at most one secret. So if there are more secrets than nodes, the tree does not find all of
    them. The function then raises a `StrategyFault` that names one of the missing secrets. For this, it lists only one
    secret more than there are nodes, and not all codes of a huge game.
    """
    size = _size(strategy.tree)
    with usable(Place("start")):
        strategy.task.rules.check_absent(strategy.task.absent)
        for fact in strategy.task.facts:
            fact.check(strategy.task.rules)
        checked_prior(strategy.task.rules, strategy.task.prior)
        secrets = list(islice(strategy.task.secrets(), size + 1))
        if not secrets:
            raise no_code_fits(strategy.task.facts)
    if len(secrets) > size:
        for secret in secrets:
            _follow(strategy, secret)
    return secrets


def _follow(strategy: Strategy, secret: str) -> None:
    """Follow the tree with one secret. Raises a `StrategyFault` if the tree does not find this secret."""
    way: tuple[str, ...] = ()
    node: Node | None = strategy.tree
    while node is not None:
        place = _place(way, node)
        with usable(place):
            strategy.task.rules.check_guess(node.guess)
        answer = hint(node.guess, secret)
        if answer == strategy.task.rules.win:
            return
        way = (*way, f"{node.guess} {answer}")
        node = node.after(answer)
    raise _no_branch(place, answer, secret)


def _no_branch(place: Place, answer: Hint, secret: str) -> StrategyFault:
    return StrategyFault(
        N_("at {place}: no branch for {hint}, the answer for the secret {secret} here"),
        place=place,
        hint=str(answer),
        secret=secret,
    )


def _place(way: tuple[str, ...], node: Node) -> Place:
    return Place(" ".join([*way, node.guess]))


def _size(tree: Node) -> int:
    """Return the number of nodes of the tree."""
    size, nodes = 0, [tree]
    while nodes:
        node = nodes.pop()
        size += 1
        nodes.extend(below for _answer, below in node.branches)
    return size


def _split(strategy: Strategy, place: Place, node: Node, secrets: list[str]) -> dict[Hint, list[str]]:
    """Group the secrets by their answers to the guess of a node.

    Raises a `StrategyFault` if the rules or the objective do not allow the guess, if the guess gives no information, or
    if the branches differ from the answers that can follow.
    """
    with usable(place):
        strategy.task.rules.check_guess(node.guess)
    split = cells(node.guess, secrets)
    win = strategy.task.rules.win
    if strategy.task.objective.consistent and win not in split:
        raise StrategyFault(
            N_("at {place}: the guess is not a candidate: the objective allows only candidates"), place=place
        )
    if len(split) == 1 and win not in split:
        raise StrategyFault(
            N_("at {place}: the guess gives no information: the answer is {hint} for all {count:secret|secrets}"),
            place=place,
            hint=str(*split),
            count=len(secrets),
        )
    expected = set()
    for answer, _below in node.branches:
        if answer in expected:
            raise repeated(place, str(answer))
        if answer == win:
            raise StrategyFault(
                N_("at {place}: a branch for {hint}, where the secret is already found"),
                place=place,
                hint=str(answer),
            )
        if answer not in split:
            raise StrategyFault(
                N_("at {place}: a branch for {hint}, which no secret gives here"),
                place=place,
                hint=str(answer),
            )
        expected.add(answer)
    for answer, cell in split.items():
        if answer not in expected and answer != win:
            raise _no_branch(place, answer, cell[0])
    return split


def _check_figures(given: Cost, counted: Cost) -> None:
    for name in ("secrets", "total_guesses", "max_guesses", "histogram"):
        claimed, true = getattr(given, name), getattr(counted, name)
        if claimed != true:
            raise StrategyFault(
                N_("at {place}: {given}: replaying every secret gives {counted}"),
                place=Place(f"cost.{name}"),
                given=_written(claimed),
                counted=_written(true),
            )


def _written(figure: int | tuple[int, ...]) -> str:
    return str(figure) if isinstance(figure, int) else str(list(figure))


def _check_objective(strategy: Strategy, counted: Cost) -> None:
    within = strategy.task.objective.within
    if within is not None and counted.max_guesses > within:
        raise StrategyFault(
            N_("at {place}: {within}: some secret takes {counted:guess|guesses}"),
            place=Place("objective.within"),
            within=within,
            counted=counted.max_guesses,
        )


def _check_proof(strategy: Strategy, counted: Cost) -> None:
    place, proof, total = Place("proof.lower_bound"), strategy.proof, counted.total_guesses
    if proof.lower_bound > total:
        raise StrategyFault(
            N_("at {place}: {given}: expected at most the total, {total}"),
            place=place,
            given=proof.lower_bound,
            total=total,
        )
    if proof.kind is Evidence.OPTIMAL and proof.lower_bound != total:
        raise StrategyFault(
            N_("at {place}: {given}: expected the total, {total}, of an optimal strategy"),
            place=place,
            given=proof.lower_bound,
            total=total,
        )
