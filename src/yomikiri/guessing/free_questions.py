"""Questions about the secret that cost no guess, as in Numer0n, and the search for the best use of them.

A player may ask at most one question in a turn, before the guess, and each question once in a game. The example is
Numer0n with two different digits from 0 to 6. HIGH&LOW asks which digits are 5 or more, and SLASH asks for the
difference of the two digits:

>>> from yomikiri.guessing import HITS_BLOWS, FreeQuestion, Game, compare_questions
>>> game = Game([a + b for a in "0123456" for b in "0123456" if a != b], answers=HITS_BLOWS)
>>> high = FreeQuestion.of(lambda code: tuple(digit >= "5" for digit in code), game.secrets, "high")
>>> slash = FreeQuestion.of(lambda code: abs(int(code[0]) - int(code[1])), game.secrets, "slash")
>>> compare_questions(game.start, [high, slash])
QuestionCosts(guess='02', without=106, costs=(87, 85))

So the least total for the 42 secrets is 85 guesses if the first turn begins with SLASH, and 106 if it begins with a
guess and both questions may be asked later. In a game without questions, it is 161. docs/theory/table-search.md has the
definitions and the proofs of the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import itemgetter, or_
from typing import Any, NamedTuple

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.lazy import NDArray, np
from yomikiri.guessing.allowed_guesses import AllowedGuesses
from yomikiri.guessing.branch_and_bound import MOST_REMEMBERED, BranchAndBound, Secrets, least_cost

_BY_BOUND = itemgetter(0)


@dataclass(frozen=True, slots=True)
class FreeQuestion:
    """A question about the secret that is not a guess: it cannot win.

    - `answers`: the index of the answer for each secret.
    - `group`: only one question of each group can be asked in a game.
    """

    answers: tuple[int, ...]
    group: Hashable

    @classmethod
    def of(cls, answer: Callable[[str], Hashable], codes: Iterable[str], group: Hashable) -> FreeQuestion:
        """Return the question that has the answer `answer(code)` if the secret is `code`."""
        numbers: dict[Hashable, int] = {}
        return cls(tuple(numbers.setdefault(answer(code), len(numbers)) for code in codes), group)


class QuestionsLeft(NamedTuple):
    """The context of a candidate set: what decides, apart from the set, which guesses and questions may be next.

    - `groups`: a bit mask of the groups of questions from which a question may still be asked. One question of each
      group may be asked in a game. A group is left out if none of its questions divides the set.
    - `may_ask`: True if a question may come next.
    - `allowed`: the index of a set of guesses in an `AllowedGuesses`: those that hard mode allows.
    """

    groups: int
    may_ask: bool
    allowed: int = 0


class _Division(NamedTuple):
    """A question that divides a candidate set: its members give at least two different answers to the question.

    - `question`: the index of the question.
    - `answers`: the number of different answers.
    - `heaviest`: the sum, over these answers, of the weight of the heaviest member with the answer.
    """

    question: int
    answers: int
    heaviest: int


class QuestionSearch(BranchAndBound[QuestionsLeft]):
    """Search for the least costs of sets of secrets, with questions that may come before the guesses.

    The largest index in `answers` is the winning answer. Steps are numbered: first the guesses, then the questions. If
    `takes_turn`, a question replaces the guess of its turn and costs as much. `allowed` are the guesses that may be
    used, all by default. `BranchAndBound` describes the other arguments.
    """

    def __init__(
        self,
        answers: NDArray[Any],
        own: NDArray[np.int64],
        weights: Sequence[int],
        questions: Sequence[FreeQuestion],
        budget: Budget = UNLIMITED,
        *,
        takes_turn: bool = False,
        allowed: AllowedGuesses | None = None,
    ) -> None:
        secrets, self._guesses = answers.shape
        asked = [_numbered(question.answers) for question in questions]
        found = int(answers.max())
        win = max(found, *(max(column) + 1 for column in asked)) if asked else found
        table = np.column_stack([np.where(answers == found, win, answers), *asked])
        super().__init__(table.astype(np.uint8 if win < 256 else np.uint16), win, own, weights)
        self._budget, self._takes_turn = budget, takes_turn
        self._allowed = allowed or AllowedGuesses(np.zeros((0, 0), dtype=np.uint8), self._guesses)
        groups = list(dict.fromkeys(question.group for question in questions))
        self._groups = [1 << groups.index(question.group) for question in questions]
        # index of the (guess, answer) pair of each secret and guess, to count the answers of all guesses at once
        self._pairs = self._answers[:, : self._guesses] + (win + 1) * np.arange(self._guesses)
        self._divisions: dict[tuple[Secrets, int], list[_Division]] = {}
        self._whole = tuple(range(secrets))
        self._everything = (1 << len(groups)) - 1

    def best_guess(self) -> tuple[int, int]:
        """Return (cost, guess): the least cost if this turn begins with a guess, and a guess that attains it.

        If several guesses attain the cost, the result has the first of them in the order of the search. This order is
        by the lower bound of the cost of the guess, as computed before any cell is searched. Guesses with equal bounds
        are in the order of the list of guesses.
        """
        return self._best(self._whole, self._left(self._whole, self._everything, may_ask=False))

    def cost_after(self, question: int) -> int:
        """Return the least cost if the turn begins with the question of this index."""
        start, step = QuestionsLeft(self._everything, True), self._guesses + question
        return least_cost(self._weight(self._whole), lambda limit: self._after(self._whole, step, limit, start))

    def _divisions_of(self, members: Secrets, groups: int) -> list[_Division]:
        """Return the questions of these groups that have several answers at a candidate set."""
        key = members, groups
        if key not in self._divisions:
            if len(self._divisions) >= MOST_REMEMBERED:
                self._divisions.clear()
            self._divisions[key] = []
            for question, group in enumerate(self._groups):
                if group & groups:
                    column, heaviest = self._column(self._guesses + question), dict[int, int]()
                    for member in members:
                        heaviest.setdefault(column[member], self._weights[member])
                    if len(heaviest) > 1:
                        self._divisions[key].append(_Division(question, len(heaviest), sum(heaviest.values())))
        return self._divisions[key]

    def _left(self, members: Secrets, groups: int, *, may_ask: bool, allowed: int = 0) -> QuestionsLeft:
        if len(members) == 1 or not groups:
            return QuestionsLeft(0, False, allowed)
        left = reduce(or_, (self._groups[each.question] for each in self._divisions_of(members, groups)), 0)
        return QuestionsLeft(left, may_ask and left > 0, allowed)

    def _context_after(self, context: QuestionsLeft, guess: int, cell: Secrets) -> QuestionsLeft:
        if guess < self._guesses:
            answer, secret = int(self._answers[cell[0], guess]), int(self._own[cell[0]])
            allowed = self._allowed.after(context.allowed, guess, answer, secret)
            return self._left(cell, context.groups, may_ask=True, allowed=allowed)
        left = context.groups & ~self._groups[guess - self._guesses]
        return self._left(cell, left, may_ask=self._takes_turn, allowed=context.allowed)

    def _key(self, members: Secrets, context: QuestionsLeft) -> Hashable:
        return members, context

    def _price(self, members: Secrets, step: int) -> int:
        return self._weight(members) if step < self._guesses or self._takes_turn else 0

    def _least(self, members: Secrets, context: QuestionsLeft) -> int:
        # Lower bound: after a free question, the first guess can find at most one secret for each answer to the
        # question, at best the heaviest. Every other secret takes at least two guesses.
        if not context.may_ask or self._takes_turn:
            return super()._least(members, context)
        return 2 * self._weight(members) - max(each.heaviest for each in self._divisions_of(members, context.groups))

    def _bound_by_members(self, members: Secrets, lower: int, context: QuestionsLeft) -> tuple[int, bool]:
        # The inherited method assumes that a cell with several members needs a third guess. But a free question may
        # divide the cell before the second guess, so the bound of that method may be too high. It is used only if the
        # method returns True with it, because then a member separates the set and the bound is the cost.
        if self._takes_turn or not context.groups:
            return super()._bound_by_members(members, lower, context)
        if context.may_ask:
            return lower, lower == self._weight(members)
        bound, is_cost = super()._bound_by_members(members, lower, context)
        return (bound, True) if is_cost else (max(lower, self._least(members, context)), False)

    def _ordered(self, members: Secrets, context: QuestionsLeft) -> list[tuple[int, int]]:
        divisions = self._divisions_of(members, context.groups) if context.groups else []
        found_next = max((each.answers for each in divisions), default=1) if not self._takes_turn else 1
        whole, own = self._weight(members), self._own[list(members)]
        bounds = 3 * whole - self._savings(members, found_next)
        bounds[own] -= [self._weights[member] for member in members]
        guesses = self._allowed.at(context.allowed, own)
        order = guesses[np.argsort(bounds[guesses], kind="stable")]
        steps = list(zip(bounds[order].tolist(), order.tolist(), strict=True))
        if context.may_ask and divisions:
            price = self._price(members, self._guesses)
            steps += [(price + 2 * whole - each.heaviest, self._guesses + each.question) for each in divisions]
            steps.sort(key=_BY_BOUND)
        return steps

    def _savings(self, members: Secrets, found_next: int) -> NDArray[np.int64]:
        """Return the saving of each guess at a candidate set: shape (guesses,).

        Suppose that every secret takes three guesses: this costs 3 * (weight of the set). In each cell of a guess, the
        next guess finds at most `found_next` secrets, at best the heaviest ones. Each of them takes one guess less. The
        *saving* of the guess is the sum of the weights of these secrets, over all cells. So a guess that is not a
        member costs at least

            3 * (weight of the set) - saving

        A guess that is a member may win. Then the cost may be lower by the weight of this member, which is not part of
        the saving. `found_next` exceeds 1 if a free question may come before the next guess.
        """
        heaviest, pairs = self._weights[members[0]], self._pairs[list(members)]
        count = self._guesses * (self._win + 1)
        if heaviest == self._weights[members[-1]]:
            sizes = np.bincount(pairs.ravel(), minlength=count).reshape(self._guesses, -1)
            return np.asarray(heaviest * np.minimum(sizes, found_next).sum(axis=1))
        savings, met = np.zeros(self._guesses, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for member, each in zip(members, pairs, strict=True):
            before = met[each]
            savings += self._weights[member] * (before < found_next)
            met[each] = before + 1
        return savings


def _numbered(answers: Sequence[int]) -> list[int]:
    """Return the answers as numbers from 0 on. Equal answers have equal numbers."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(answer, len(numbers)) for answer in answers]
