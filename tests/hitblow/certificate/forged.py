"""Forged certificates, and checkers without one guard.

A guard is one condition of a call of `need` in the checker. Only its own guard rejects a forgery: a checker without
this guard accepts the forgery.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tests.hitblow.certificate.made import Exact

from yomikiri.hitblow.certificate import checker
from yomikiri.hitblow.model.rules import hint

SOURCE = Path(checker.__file__).read_text(encoding="utf-8")


class Guard(NamedTuple):
    """One condition of a call of `need` in the checker: its source text, and its index (from 0) among equal texts."""

    text: str
    number: int = 0


def guards() -> list[Guard]:
    """Return all conditions of the checker."""
    texts = [ast.unparse(condition) for condition in _Conditions().found(ast.parse(SOURCE))]
    seen, found = Counter[str](), []
    for text in texts:
        found.append(Guard(text, seen[text]))
        seen[text] += 1
    return found


@cache
def without(guard: Guard) -> Any:
    """Return the namespace of the checker with one condition replaced by True."""
    tree = ast.parse(SOURCE)
    conditions = [each for each in _Conditions().found(tree) if ast.unparse(each) == guard.text]
    _Conditions(conditions[guard.number]).visit(tree)
    names: dict[str, Any] = {"__name__": "loosened"}
    exec(compile(ast.fix_missing_locations(tree), "loosened", "exec"), names)
    return names


class _Conditions(ast.NodeTransformer):
    """Visitor that lists the conditions of all calls of `need` in order and replaces one with True."""

    def __init__(self, replaced: ast.expr | None = None) -> None:
        self._replaced, self._found = replaced, list[ast.expr]()

    def found(self, tree: ast.AST) -> list[ast.expr]:
        self.visit(tree)
        return self._found

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "need":
            node.args[0] = self._condition(node.args[0])
        return node

    def _condition(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            node.values = [self._condition(value) for value in node.values]
            return node
        if isinstance(node, ast.Compare) and len(node.ops) > 1:  # a < b < c is two conditions
            sides = [node.left, *node.comparators]
            pairs = zip(sides, node.ops, sides[1:], strict=False)
            single: list[ast.expr] = [ast.Compare(left, [op], [right]) for left, op, right in pairs]
            return self._condition(ast.BoolOp(ast.And(), single))
        self._found.append(node)
        return ast.Constant(value=True) if node is self._replaced else node


# one guess in a lemma: its words in the first line of the lemma, and the lines of the lemmas about its cells
Group = tuple[list[str], list[str]]


def written(groups: Iterable[Group]) -> list[str]:
    """Return the lines of a lemma that lists these guesses."""
    groups = list(groups)
    return [" ".join(word for words, _ in groups for word in words), *(line for _, lines in groups for line in lines)]


class Liar:
    """Writer of true and false certificates of one small game."""

    def __init__(self, game_text: str, *turns: str) -> None:
        self.game_text, self.turns = game_text, turns  # for example "2 3 none -"
        self.game = game = checker.CertificateGame(self.head(0))
        self.names = ["".join(f"{symbol:x}" for symbol in code) for code in game.codes.tolist()]
        self.all = np.arange(len(game.own))
        answers = [[hint(guess, self.names[secret]) for secret in game.own.tolist()] for guess in self.names]
        self.exact = Exact([[(each.hits, each.blows) for each in row] for row in answers], game.p)
        self.total = self.least(self.all)
        self.same = f"{'012345'[: game.p]}/{'0123456789abcdef'[: game.q]}"

    def least(self, s: Any) -> int:
        """Return the least total of a set."""
        return self.exact.least(tuple(s.tolist()))

    def cells(self, s: Any, guess: int) -> Iterator[tuple[str, Any]]:
        """Yield (two digits of the answer, cell) for the cells of a guess, without the winning one."""
        answers = self.game.hints[s, guess]
        for slot in np.unique(answers).tolist():
            if slot != self.game.r - 1:
                code = int(np.flatnonzero(self.game.answer_index == slot)[0])
                yield f"{code // (self.game.p + 1)}{code % (self.game.p + 1)}", s[answers == slot]

    def cost(self, s: Any, guess: int) -> int:
        """Return the least total with this first guess."""
        return len(s) + sum(self.least(cell) for _answer, cell in self.cells(s, guess))

    def guesses_to_list(self, s: Any, least: int, maps: tuple[str, ...] = ()) -> tuple[list[int], list[int]]:
        """Return the guesses that a lemma must list, as two lists: those that cost less than `least`, and the others.

        A lemma claims that every guess at the set costs at least `least`, so it is false if the first list is not
        empty. `maps` are renamings as text. Of guesses that the renamings map to each other, the lists contain only the
        lowest.
        """
        every = np.arange(len(self.names))
        orbit = every
        for _ in every:
            for text in maps:
                orbit = np.minimum(orbit, orbit[self.game.renamed(text, every)])
        left = sorted(self.game.open(s, least, orbit == every)[0])
        return [g for g in left if self.cost(s, g) < least], [g for g in left if self.cost(s, g) >= least]

    def item(self, answer: str, cell: Any) -> tuple[str, list[str]]:
        """Return how a lemma lists a cell with its true total: a word, and the lines of the cell's own lemma if any."""
        bound = self.least(cell)
        if not self.game.open(cell, bound)[0]:
            return f"{answer}={bound}", []
        return f"{answer}={bound}+", self.lemma(cell, bound)

    def guess(self, s: Any, guess: int) -> Group:
        """Return how a lemma lists a guess: words for the guess and each cell, and the lines of the cells' lemmas."""
        words, lines = [self.names[guess]], []
        for answer, cell in self.cells(s, guess):
            word, more = self.item(answer, cell)
            words.append(word)
            lines += more
        return words, lines

    def lemma(self, s: Any, least: int) -> list[str]:
        """Return the lines of a true lemma."""
        return written(self.guess(s, guess) for guess in self.guesses_to_list(s, least)[1])

    def head(self, total: int) -> str:
        """Return the first line of a certificate."""
        return " ".join(["certificate 1", self.game_text, str(total), *self.turns])

    def true(self) -> list[str]:
        """Return a certificate of the least total."""
        return [self.head(self.total), *self.lemma(self.all, self.total)]

    def false(self, before: Iterable[Group] = (), after: Iterable[Group] = ()) -> list[str]:
        """Return a false certificate of the total plus 1.

        The guesses that cost less are listed only if `before` or `after` contains them.
        """
        rest = [self.guess(self.all, guess) for guess in self.guesses_to_list(self.all, self.total + 1)[1]]
        return [self.head(self.total + 1), *written([*before, *rest, *after])]


def renamings(p: int, q: int, *, right: bool) -> Iterator[str]:
    """Yield all valid renamings of p places and q symbols as text, or all invalid ones of the same form."""
    symbols = "0123456789abcdef"[:q]
    every = product(product("012345"[:p], repeat=p), product(symbols, repeat=q))
    good = product(permutations("012345"[:p]), permutations(symbols))
    for places, names in good if right else every:
        if right or len(set(places)) < p or len(set(names)) < q:
            yield f"{''.join(places)}/{''.join(names)}"
