"""Knowledge to advice: the proposed guess, what it does to the candidates, and what it was preferred to, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum, log2

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.enums import Named, flag, not_such
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Rules
from yomikiri.hitblow.policies import Policy
from yomikiri.hitblow.policies.base import Outlook, Unproven, require_candidates
from yomikiri.hitblow.policies.given import read_policy

# Exact figures of the alternatives are counted only while that is quick; a guess costs about 25 ns a candidate.
_COMPARED_CANDIDATES = 1 << 20


@dataclass(frozen=True, slots=True)
class Figures:
    """What a guess does: `cells` are the sizes of the cells it splits the candidates into, by hint.

    Where some candidates are likelier than others the sizes are their weights, and `counts` says how many candidates
    each cell has. `outlook` is what it still takes from here, where the policy can tell.
    """

    guess: str
    is_candidate: bool
    cells: tuple[tuple[Hint, int], ...]
    outlook: Outlook | None = None
    counts: tuple[int, ...] = ()
    spread: float = 0.0  # that of the candidates, `Knowledge.spread`

    @property
    def expected_guesses(self) -> float | None:
        """Guesses still needed on average, this one included, where the policy can tell."""
        return None if self.outlook is None else self.outlook.total_guesses / self.total

    @property
    def total(self) -> int:
        """The sizes of all cells together: `count`, or the weights of all candidates where some are likelier."""
        return sum(size for _hint, size in self.cells)

    @property
    def count(self) -> int:
        """How many candidates there are before the guess."""
        return sum(self.left)

    @property
    def left(self) -> tuple[int, ...]:
        """How many candidates each hint leaves, beside `cells`."""
        return self.counts or tuple(size for _hint, size in self.cells)

    @property
    def groups(self) -> tuple[tuple[Hint, int], ...]:
        """How many candidates each hint leaves, the most first."""
        sizes = zip((hint for hint, _size in self.cells), self.left, strict=True)
        return tuple(sorted(sizes, key=lambda group: (-group[1], group[0])))

    @property
    def even(self) -> bool:
        """Whether all candidates are equally likely."""
        return not self.counts

    @property
    def parts(self) -> int:
        """Into how many cells the candidates fall."""
        return len(self.cells)

    @property
    def largest(self) -> tuple[Hint, int]:
        """The likeliest hint, and the size of its cell."""
        return max(self.cells, key=lambda cell: cell[1])

    @property
    def bits(self) -> float:
        """The uncertainty left after the hint, in bits, on average: the same on every Python."""
        return (fsum(size * log2(size) for _hint, size in self.cells) - self.spread) / self.total

    @property
    def won(self) -> int:
        """The size of the cell in which the guess was the secret."""
        return dict(self.cells).get(Hint(len(self.guess), 0), 0)

    @property
    def expected_remaining(self) -> float:
        """How many candidates fit after the hint, on average over the candidates (after a win: one)."""
        return sum(size * left for (_hint, size), left in zip(self.cells, self.left, strict=True)) / self.total


class Measure(Named):
    """In what one guess can be better than another."""

    EXPECTED_GUESSES = "expected_guesses"
    EXPECTED_REMAINING = "expected_remaining"
    PARTS = "parts"
    LARGEST = "largest"
    BITS = "bits"


@dataclass(frozen=True, slots=True)
class Gain:
    """Why a guess that cannot be right is worth it: the measure in which it beats the best guess that could."""

    measure: Measure
    rival: Figures


@dataclass(frozen=True, slots=True)
class Advice:
    """A proposed guess with its figures and those of the next best ones.

    `sampled` says that the guess was chosen from a sample of guesses and candidates; the figures are exact even then.
    `gain` is there where the proposed guess cannot be right but was compared with those that could. `unproven` says why
    there is no proof where the policy proves its guesses otherwise.
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
        """The alternatives that are worth as much as the proposed guess, by what the policy compares."""
        best = _worth(self.policy, self.proposed)
        return tuple(shown for shown in self.alternatives if best is not None and _worth(self.policy, shown) == best)


def _worth(policy: str, shown: Figures) -> object:
    """What a policy compares guesses by: guesses still needed where they are known, else its score; None for none."""
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
    """Return the figures of any guess.

    `known` may also be rules, the name of a preset, or facts as text. Raises an `InputError`, and a
    `ContradictionError` if no candidate is left.

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
) -> Advice:
    """Return the advice of a policy, its name, or a plain function, by default of proven play.

    `known` may also be rules, the name of a preset, or facts as text. Raises an `InputError`, and a
    `ContradictionError` if no candidate is left.

    With `compare` the next best guesses are told, too, where that takes longer as well. There is advice even where the
    budget is spent, and it says that it is not proven.

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
    return Advice(policy.name, proposed, tuple(map(shown, compared)), choice.sampled, gain, choice.unproven)


def _gain(proposed: Figures, rival: Figures) -> Gain | None:
    """The first measure, the easiest to understand first, in which the proposed guess is better."""
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
