"""The best reply to a strategy, worked out exactly: what bounds the value of the race, whatever found the strategy.

Nothing of the programme is used here. Chances are fractions; a player's weight of a secret is how likely they come to a
history with it, as far as that is up to them.
"""

from __future__ import annotations

from fractions import Fraction

from yomikiri.hitblow.race.private.tree import Node, Tree

Chances = dict[tuple[Node, str], tuple[Fraction, ...]]
Weights = dict[str, Fraction]
_HALF = Fraction(1, 2)


def least(tree: Tree, first: Chances) -> Fraction:
    """What the first player is sure to make with a strategy: its value against the best reply."""
    made = _held_down(tree.root, {own: Fraction(1) for own in tree.own}, first)
    return sum(made.values(), Fraction(0)) / (len(tree.own) * len(tree.sought))


def most(tree: Tree, second: Chances) -> Fraction:
    """What the first player makes at most against a strategy of the second: the value of the best reply."""
    made = _best_made(tree.root, {secret: Fraction(1) for secret in tree.sought}, second)
    return sum(made.values(), Fraction(0)) / (len(tree.own) * len(tree.sought))


def _held_down(node: Node, weights: Weights, first: Chances) -> Weights:
    """What the first player makes from a node on by the second player's secret, who replies as well as can be.

    `weights` are those of the first player's secrets.
    """
    if not any(weights.values()):
        return dict.fromkeys(node.sought if node.first else node.own, Fraction(0))
    if not node.first:
        return _worst(node, weights, first)
    made = dict.fromkeys(node.sought, Fraction(0))
    for m, move in enumerate(node.moves):
        later = {own: weight * first[node, own][m] for own, weight in weights.items()}
        for child in move.children:
            for secret, value in _held_down(child, later, first).items():
                made[secret] += value
        if move.answer:
            made[move.guess] += _held_down(move.answer, later, first)[move.guess]
        elif move.guess in made:
            made[move.guess] += sum(later.values())
    return made


def _worst(node: Node, weights: Weights, first: Chances) -> Weights:
    replies = []
    for move in node.moves:
        if node.last:
            missed = sum(weights.values()) - weights[move.guess] * _HALF
            replies.append(dict.fromkeys(node.own, missed))
            continue
        made = dict.fromkeys(node.own, Fraction(0))
        for child in move.children:
            for secret, value in _held_down(child, {own: weights[own] for own in child.own}, first).items():
                made[secret] += value
        replies.append(made)
    return {secret: min(made[secret] for made in replies) for secret in node.own}


def _best_made(node: Node, weights: Weights, second: Chances) -> Weights:
    """What the first player makes from a node on by their own secret, as well as can be.

    `weights` are those of the second player's secrets.
    """
    if not any(weights.values()):
        return dict.fromkeys(node.own if node.first else node.sought, Fraction(0))
    if not node.first:
        return _averaged(node, weights, second)
    replies = []
    for move in node.moves:
        made = dict.fromkeys(node.own, Fraction(0))
        if move.answer:
            for own, value in _best_made(move.answer, {move.guess: weights[move.guess]}, second).items():
                made[own] += value
        elif move.guess in weights:
            for own in made:
                made[own] += weights[move.guess]
        for child in move.children:
            for own, value in _best_made(child, {secret: weights[secret] for secret in child.own}, second).items():
                made[own] += value
        replies.append(made)
    return {own: max(made[own] for made in replies) for own in node.own}


def _averaged(node: Node, weights: Weights, second: Chances) -> Weights:
    made = dict.fromkeys(node.sought, Fraction(0))
    for m, move in enumerate(node.moves):
        later = {secret: weight * second[node, secret][m] for secret, weight in weights.items()}
        if node.last:
            for own in made:
                made[own] += sum(later.values()) * (_HALF if own == move.guess else 1)
        for child in move.children:
            for own, value in _best_made(child, later, second).items():
                made[own] += value
    return made


def drawn(node: Node, own: Weights, secrets: Weights, first: Chances, second: Chances) -> Fraction:
    """How likely a race is drawn when both strategies are played, summed over pairs of secrets."""
    total = Fraction(0)
    mine, theirs = (own, secrets) if node.first else (secrets, own)
    strategy = first if node.first else second
    for m, move in enumerate(node.moves):
        later = {code: weight * strategy[node, code][m] for code, weight in mine.items()}
        if node.last:
            total += sum(later.values()) * theirs[move.guess]
        for child in [*move.children, *([move.answer] if move.answer else [])]:
            left = {code: theirs[code] for code in child.own}
            total += drawn(child, *((later, left) if node.first else (left, later)), first, second)
    return total
