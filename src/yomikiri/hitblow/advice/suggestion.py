"""Advice as data: the suggested guess, its effect on the candidates, and the alternatives it was preferred to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum, log2

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import flag, not_such
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Measure, Unproven
from yomikiri.hitblow.model.rules import Hint, Rules
from yomikiri.hitblow.policies import Policy
from yomikiri.hitblow.policies.base import Outlook, require_candidates
from yomikiri.hitblow.policies.given import read_policy

# Limit on the number of candidates. With more candidates, a suggestion has no alternatives, because computing the cells
# of one guess takes about 25 ns for each candidate.
_COMPARED_CANDIDATES = 1 << 20


@dataclass(frozen=True, slots=True)
class Figures:
    """The effect of a guess: the sizes of the cells into which its answers divide the candidates.

    `cells` contains (answer, size) pairs. If some candidates are likelier than others, sizes are sums of weights, and
    `counts` contains the number of candidates in each cell. `outlook` contains the number of guesses in the rest of the
    game, or None if the policy does not know it.
    """

    guess: str
    is_candidate: bool
    cells: tuple[tuple[Hint, int], ...]
    outlook: Outlook | None = None
    counts: tuple[int, ...] = ()
    spread: float = 0.0  # `Knowledge.spread` before the guess: the sum of w·log2(w) over the weights w

    @property
    def expected_guesses(self) -> float | None:
        """The expected number of guesses from here on, including this one; None if the policy does not know it."""
        return None if self.outlook is None else self.outlook.total_guesses / self.total

    @property
    def total(self) -> int:
        """The sum of all cell sizes: the number of candidates, or the sum of their weights if these differ."""
        return sum(size for _hint, size in self.cells)

    @property
    def count(self) -> int:
        """The number of candidates before the guess."""
        return sum(self.left)

    @property
    def left(self) -> tuple[int, ...]:
        """The number of candidates in each cell, in the order of `cells`."""
        return self.counts or tuple(size for _hint, size in self.cells)

    @property
    def groups(self) -> tuple[tuple[Hint, int], ...]:
        """The answers, each with the number of candidates that it leaves, the largest number first."""
        sizes = zip((hint for hint, _size in self.cells), self.left, strict=True)
        return tuple(sorted(sizes, key=lambda group: (-group[1], group[0])))

    @property
    def even(self) -> bool:
        """True if all candidates are equally likely."""
        return not self.counts

    @property
    def parts(self) -> int:
        """The number of cells: the different answers that the candidates give to the guess."""
        return len(self.cells)

    @property
    def largest(self) -> tuple[Hint, int]:
        """The likeliest answer, and the size of its cell."""
        return max(self.cells, key=lambda cell: cell[1])

    @property
    def bits(self) -> float:
        """The expected entropy of the candidates after the answer, in bits.

        It is added up with `fsum`, so that every version of Python gives the same sum.
        """
        return (fsum(size * log2(size) for _hint, size in self.cells) - self.spread) / self.total

    @property
    def won(self) -> int:
        """The size of the cell of the winning answer; 0 if the guess is not a candidate."""
        return dict(self.cells).get(Hint(len(self.guess), 0), 0)

    @property
    def expected_remaining(self) -> float:
        """The expected number of candidates after the answer. After a win, there is one candidate."""
        return sum(size * left for (_hint, size), left in zip(self.cells, self.left, strict=True)) / self.total


@dataclass(frozen=True, slots=True)
class Gain:
    """The reason for suggesting a guess that is not a candidate: it is better than `rival` by the criterion `measure`.

    `rival` describes the best guess that is a candidate.
    """

    measure: Measure
    rival: Figures


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested guess and the next best guesses, each with its effect on the candidates (`Figures`).

    - `sampled`: True if the policy chose the guess from a sample of guesses and candidates. The effect of the guess is
      exact even then.
    - `gain`: the reason for a guess that is not a candidate. None if it is a candidate, if the policy did not compare
      it with candidates, or if it is better by no criterion.
    - `unproven`: the reason why a policy that usually proves its guesses has no proof, or None.
    """

    policy: str
    proposed: Figures
    alternatives: tuple[Figures, ...]
    sampled: bool
    gain: Gain | None
    unproven: Unproven | None = None

    @property
    def count(self) -> int:
        """The number of candidates."""
        return self.proposed.count

    @property
    def equally_good(self) -> tuple[Figures, ...]:
        """The alternatives with the same value as the suggested guess, by the policy's own criterion."""
        best = _value(self.policy, self.proposed)
        return tuple(shown for shown in self.alternatives if best is not None and _value(self.policy, shown) == best)


def _value(policy: str, shown: Figures) -> object:
    """Return the value by which a policy compares guesses.

    It is the total number of guesses to come if that is known, otherwise the policy's own score, such as the entropy.
    Returns None for a policy without scores.
    """
    if shown.outlook:
        return shown.outlook.total_guesses
    if not shown.even and policy in ("exact", "book"):
        return round(shown.bits, 9), shown.won
    scores = {
        "most-parts": shown.parts,
        "expected-size": sum(size * size for _hint, size in shown.cells),
        "minimax": shown.largest[1],
        "entropy": round(shown.bits, 9),
    }
    return scores.get("entropy" if policy in ("exact", "book") else policy)


def figures(known: Knowledge | Rules | str, guess: str, outlook: Outlook | None = None) -> Figures:
    """Return the figures of a guess: the sizes of the cells of its answers, and `outlook`, if it is given.

    `known` may also be rules, the name of a preset, or facts as text. Raises an `InputError`, and a
    `ContradictionError` if there are no candidates.

    >>> figures(Knowledge(), "012").largest
    (Hint(hits=0, blows=1), 252)
    """
    known = Knowledge.read(known, "known")
    if not (outlook is None or isinstance(outlook, Outlook)):
        raise not_such("outlook", outlook, "None")
    known.rules.check_guess(guess)
    require_candidates(known)
    cells = tuple(known.cells(guess).items())
    counts = () if known.weights is None else tuple(known.counts(guess).values())
    return Figures(guess, known.is_candidate(guess), cells, outlook, counts, known.spread)


def suggest(
    known: Knowledge | Rules | str,
    policy: Policy | Callable[[Knowledge], str] | str | None = None,
    *,
    compare: bool = False,
    budget: Budget = UNLIMITED,
) -> Suggestion:
    """Return the guess that a policy suggests, with its figures and those of the next best guesses.

    `policy` may be a policy, its name, or a function from knowledge to a guess. By default, the guess is proven to be
    best if the search can do so in time. `known` may also be rules, the name of a preset, or facts as text. If
    `compare` is True, the result contains the next best guesses even if they take longer to find. If the budget ends
    first, the advice is marked as unproven. Raises an `InputError`, and a `ContradictionError` if there are no
    candidates.

    >>> suggest("012:0H1B").proposed.guess
    '134'
    """
    known, policy = Knowledge.read(known, "known"), read_policy(policy, "policy")
    compare, budget = flag(compare, "compare"), Budget.read(budget, "budget").begin()
    choice = policy.compare(known, budget) if compare else policy.choose(known, budget)

    def shown(guess: str) -> Figures:
        return figures(known, guess, choice.outlooks.get(guess))

    proposed = shown(choice.guess)
    compared = choice.alternatives if known.count <= _COMPARED_CANDIDATES else ()
    gain = _gain(proposed, shown(choice.best_candidate)) if choice.best_candidate else None
    return Suggestion(policy.name, proposed, tuple(map(shown, compared)), choice.sampled, gain, choice.unproven)


def _gain(proposed: Figures, rival: Figures) -> Gain | None:
    """Return the reason to prefer the suggested guess to `rival`: the first measure in which it is better.

    The measures are tried in order, the easiest to understand first. Returns None if `rival` is at least as good in
    every measure.
    """
    ours, theirs = proposed.expected_guesses, rival.expected_guesses
    better = {
        Measure.EXPECTED_GUESSES: ours is not None and theirs is not None and ours < theirs,
        Measure.EXPECTED_REMAINING: proposed.expected_remaining < rival.expected_remaining,
        Measure.PARTS: proposed.parts > rival.parts,
        Measure.LARGEST: max(proposed.left) < max(rival.left),
        Measure.BITS: proposed.bits < rival.bits,
    }
    measure = next((measure for measure, holds in better.items() if holds), None)
    return Gain(measure, rival) if measure else None
