"""Knowledge in the middle of a game: the rules, absent symbols, and the facts so far, most of them turns.

Knowledge is a frozen value, from which the candidates and their probabilities are computed. The candidates are equally
likely unless there is a prior, a change of the secret, or a turn that may be wrong.

- A *candidate* is a code that can be the secret. It fits all facts, but it may contradict some turns if turns may be
  wrong. `slips.most` is the largest number of wrong turns.
- Its *weight* is a whole number proportional to its probability; *uneven* knowledge has different weights.
- The *prior* contains the weights before the first fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from math import log2
from typing import TYPE_CHECKING

from yomikiri.common.entries import entry_in
from yomikiri.common.enums import not_such, text
from yomikiri.common.errors import N_, HintError, InputError, TurnError
from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import (
    Codes,
    all_secrets,
    cell_sizes,
    decode_all,
    encode,
    numbered_hint,
    possible_hints,
    secret_classes,
    secrets_answering,
)
from yomikiri.hitblow.model.facts import FACT_KINDS, Absent, NamedFact, OfTurn, SecretChange, absent_first
from yomikiri.hitblow.model.notation import parse_fact
from yomikiri.hitblow.model.prior import Prior, checked_prior
from yomikiri.hitblow.model.rules import (
    PRESETS,
    Answered,
    Fact,
    Hint,
    Preset,
    Rules,
    Turn,
    Words,
    hint,
    impossible,
    usual_words,
)
from yomikiri.hitblow.model.space import AnySpace, SlippedSpace, Space, Weights, or_ones, reduced, spreads
from yomikiri.hitblow.model.wrong_answers import Slips

SETTLED = 1 << 20
"""Approximate maximum sum of the weights in the prior of `Knowledge.resolved`. Larger weights are scaled down."""

_AT_START = 1000
"""Maximum number of secrets of a game for which `cells` counts the answers to the first guess without NumPy."""


@dataclass(frozen=True)
class Knowledge:
    """Knowledge about a secret: rules, absent symbols, facts in order, prior weights, and how many turns may be wrong.

    Most facts are turns: guesses with their answers.

    `rules` may be the name of a preset. `facts` may be one text, `012:0H1B absent=7`, or a sequence of facts and texts.
    `Absent` facts at the beginning of `facts` are moved into `absent`.

    Raises an `InputError` for a fact that the rules do not allow: a `CodeError` for a guess, a `HintError` for an
    answer that no secret gives to its guess. Contradictory facts are accepted. There are no candidates then.

    >>> Knowledge().after(Turn.parse("012:0H3B")).codes()
    ['120', '201']
    """

    rules: Rules = Rules()
    absent: str = ""
    facts: tuple[Fact, ...] = ()
    prior: Prior = ()
    slips: Slips = Slips()

    if TYPE_CHECKING:

        def __init__(
            self,
            rules: Rules | Preset | str = ...,
            absent: str = ...,
            facts: str | Iterable[Fact | str] = ...,
            prior: Mapping[str, int] | Iterable[tuple[str, int]] = ...,
            slips: Slips | int = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules.read(self.rules, "rules"))
        object.__setattr__(self, "slips", Slips.read(self.slips, "slips"))
        absent, facts = absent_first(text(self.absent, "absent"), read_facts(self.facts, self.rules))
        object.__setattr__(self, "absent", self.rules.check_absent(absent))
        object.__setattr__(self, "facts", facts)
        for fact in self.facts:
            check_fact(self.rules, fact)
        object.__setattr__(self, "prior", checked_prior(self.rules, self.prior))

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Knowledge:
        """Parse facts separated by blanks, and return the knowledge that they give. Raises an `InputError`.

        >>> str(Knowledge.parse("012:0H1B absent=7"))
        '012:0H1B absent=7'
        """
        return cls(rules or Rules(), facts=read_facts(text, rules or Rules()))

    @classmethod
    def read(cls, given: Knowledge | Rules | str | Iterable[str | Fact], parameter: str) -> Knowledge:
        """Return the knowledge that an argument contains: knowledge, rules, the name of a preset, or facts as text.

        Facts may also be a list or tuple. Raises an `InputError` for an invalid fact. For other types of argument, the
        error names the argument `parameter`.

        >>> Knowledge.read("012:0H1B", "known") == Knowledge().after("012:0H1B")
        True
        """
        if isinstance(given, cls):
            return given
        if isinstance(given, Rules) or (isinstance(given, str) and given in PRESETS):
            return cls(Rules.read(given, parameter))
        if isinstance(given, str) or (isinstance(given, (list, tuple)) and given):
            return cls(facts=read_facts(given, Rules()))
        raise not_such(parameter, given, "Knowledge('bulls') or '012:0H1B'")

    def __str__(self) -> str:
        """Return the absent symbols and the facts as text, separated by blanks."""
        return " ".join([*([f"absent={self.absent}"] if self.absent else []), *map(str, self.facts)])

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks.

        It contains the facts, the number of candidates, and the chance of each symbol at each place.
        """
        from yomikiri.common.svg import table

        places = [str(place) for place in range(1, self.rules.digits + 1)]
        rows = zip(self.rules.symbols, self.table().tolist(), strict=True)
        return table(f"{self} ({self.count})".lstrip(), places, rows)

    @property
    def turns(self) -> tuple[Answered, ...]:
        """All guesses so far with their complete or partial answers."""
        return tuple(fact for fact in self.facts if isinstance(fact, Answered))

    @cached_property
    def _space(self) -> AnySpace:
        # If the first fact is a turn, find its candidates without an array of all secrets, which can be millions.
        match self.facts:
            case (Turn() as turn, *rest) if not (self.prior or self.absent or self.slips.most):
                return reduce(Space.after, rest, Space(self.rules, secrets_answering(self.rules, turn)))
        codes, weights = all_secrets(self.rules), None
        if self.prior:
            codes = np.array([encode(self.rules, code) for code, _weight in self.prior], dtype=np.uint8)
            weights = np.array([weight for _code, weight in self.prior], dtype=np.int64)
        if self.absent:
            kept = (codes[:, :, None] != [*map(self.rules.symbols.index, self.absent)]).all(axis=(1, 2))
            codes, weights = codes[kept], None if weights is None else weights[kept]
        first = Space(self.rules, codes, None if weights is None else reduced(weights))
        space: AnySpace = SlippedSpace.of(first, self.slips) if self.slips.most else first
        for fact in self.facts:
            space = space.after(fact)
        return space

    @property
    def candidates(self) -> Codes:
        """The codes that can be the secret, in the order of codes: shape (n, digits), uint8 symbol indices.

        They fit all facts, except that they may contradict up to `slips.most` turns, the largest number of wrong turns.
        """
        return self._space.codes

    @property
    def weights(self) -> Weights | None:
        """The weights of the candidates, whole numbers in proportion to their probabilities: shape (n,), int64.

        The weights have no common divisor. None if all weights are equal.
        """
        return None if self.is_blank else self._space.weights

    @property
    def is_blank(self) -> bool:
        """True if the game has no absent symbols, no facts and no prior.

        Such a game needs no arrays, so that it can start without NumPy, which is slow to import.
        """
        return not (self.absent or self.facts or self.prior)

    @property
    def at_start(self) -> bool:
        """True if there are no turns, no other facts and no prior weights. There may be `absent` symbols."""
        return not (self.facts or self.prior)

    def after(self, fact: Fact | str) -> Knowledge:
        """Return the knowledge with one more fact, which may be text. Raises an `InputError`.

        >>> Knowledge("bulls").after("1234:1B0C").count
        480
        """
        if not isinstance(fact, Fact):
            (fact,) = read_facts((fact,), self.rules)
        if isinstance(fact, Absent) and not self.facts:
            return replace(self, absent=self.absent + fact.symbols)
        check_fact(self.rules, fact)
        later = object.__new__(Knowledge)  # Skip the checks in `__post_init__`, because the fields are already checked.
        vars(later).update(
            {field.name: getattr(self, field.name) for field in fields(self)},
            facts=(*self.facts, fact),
        )
        if not self.is_blank:
            vars(later).update(_space=self._space.after(fact))
        return later

    @cached_property
    def start(self) -> Knowledge:
        """The knowledge without the guesses with complete answers since the secret last changed (`played`).

        All other facts remain: partial answers, facts that are not turns, and everything up to the last change of the
        secret. The result assumes that no turn is wrong.
        """
        facts, last = self.facts, self._last_change
        rest = [fact for fact in facts[last:] if not isinstance(fact, Turn)]
        # Sort the facts, so that two games with the same set of facts give equal knowledge.
        rest.sort(key=lambda fact: (not isinstance(fact, Absent), str(fact)))
        return Knowledge(self.rules, self.absent, (*facts[:last], *rest), self.prior)

    @property
    def played(self) -> tuple[Turn, ...]:
        """The guesses with complete answers since the secret last changed, in order."""
        return tuple(fact for fact in self.facts[self._last_change :] if isinstance(fact, Turn))

    @property
    def _last_change(self) -> int:
        """The number of facts up to the last change of the secret, including the change; 0 if it was not changed."""
        return max((line for line, fact in enumerate(self.facts, start=1) if isinstance(fact, SecretChange)), default=0)

    @cached_property
    def simplified(self) -> Knowledge:
        """Equivalent knowledge without a prior. If the prior is needed or missing, this is the knowledge itself.

        The prior can be left out if the same candidates remain without it, and if they are equally likely either way.
        """
        if not self.prior or self.weights is not None or self.slips.most:
            return self
        even = replace(self, prior=())
        return even if even.weights is None and even.count == self.count else self

    @cached_property
    def resolved(self) -> Knowledge:
        """Equivalent knowledge without facts, for computations that cannot handle turns that may be wrong.

        Its prior contains the present candidates with their probabilities. The weights are rounded if their sum exceeds
        `SETTLED`. If no turn can be wrong, this is the knowledge itself. If there are no candidates, the result has the
        same facts, but no turn can be wrong. So it has no candidates either.
        """
        if not self.slips.most:
            return self
        if not self.count:
            return replace(self, slips=Slips())
        weights = self.chances() * min(self.total, SETTLED)
        whole = np.maximum(1, np.rint(weights).astype(np.int64)).tolist()
        return Knowledge(self.rules, prior=tuple(zip(self.codes(), whole, strict=True)))

    @property
    def uneven(self) -> bool:
        """True if some candidates are likelier than others, or if there is a prior."""
        return bool(self.prior) or self.weights is not None

    def require_certain(self) -> None:
        """Raise an `InputError` if some turns may be wrong, for a caller that works only with correct answers."""
        if self.slips.most:
            raise InputError(
                N_("slips {given!r}: expected 0, because this works only with correct answers"),
                given=str(self.slips.most),
            )

    @property
    def count(self) -> int:
        """The number of candidates."""
        return self.rules.secret_count if self.is_blank else len(self.candidates)

    @property
    def by_slips(self) -> tuple[int, ...]:
        """A tuple of counts of candidates: element k is the number of candidates that contradict exactly k turns.

        If the owner changed the secret, the number of these turns may depend on the unknown earlier secrets. The
        smallest possible number counts.
        """
        return self._space.by_slips

    @property
    def total(self) -> int:
        """The sum of the weights of all candidates; the number of candidates if all weights are equal."""
        return self.count if self.weights is None else int(self.weights.sum())

    @cached_property
    def spread(self) -> float:
        """The sum of w·log2(w) over the weights w of the candidates.

        The sum is 0 if all weights are equal, because each weight then counts as 1. The entropy of the candidates in
        bits is log2(W) - S / W, for this sum S and the sum W of all weights.
        """
        return 0.0 if self.weights is None else float(spreads(self.weights).sum())

    @property
    def doubt(self) -> float:
        """The Shannon entropy of the probabilities of the candidates, in bits. Requires at least one candidate."""
        return log2(self.total) - self.spread / self.total

    @property
    def solved(self) -> bool:
        """True if a guess has found the secret, and the secret has not been changed since."""
        return bool(self.found)

    @property
    def found(self) -> str:
        """The secret that a guess has found, or an empty string.

        A secret that its owner changed later does not count.
        """
        turns = self.facts[self._last_change :]
        return next((fact.guess for fact in turns if isinstance(fact, Answered) and fact.found), "")

    @property
    def wrong(self) -> tuple[int, ...]:
        """The numbers of the turns that contradict the found secret, counted from 1 among all `facts`.

        The tuple is empty until a guess finds the secret. Turns before the last change of the secret do not count.
        """
        code, begin = self.found, self._last_change
        lines = enumerate(self.facts[begin:] if code else (), start=begin + 1)
        return tuple(line for line, fact in lines if isinstance(fact, Turn) and fact.hint != hint(fact.guess, code))

    def codes(self, most: int | None = None) -> list[str]:
        """Return the first `most` candidates as text, in the order of codes; all candidates if `most` is None."""
        return decode_all(self.rules, self.candidates[:most])

    def likeliest(self, most: int) -> list[str]:
        """Return the `most` likeliest candidates, the likeliest first.

        Equally likely candidates are in the order of codes.
        """
        if self.weights is None:
            return self.codes(most)
        return decode_all(self.rules, self.candidates[np.argsort(-self.weights, kind="stable")[:most]])

    def is_candidate(self, code: str) -> bool:
        """Return True if `code` is a candidate: a code that can be the secret."""
        return self.rules.is_secret(code) if self.is_blank else self._place(code) is not None

    @cached_property
    def weighted(self) -> dict[str, int] | None:
        """The weights of the candidates as a dictionary from code to weight; None if all weights are equal."""
        return None if self.weights is None else dict(zip(self.codes(), self.weights.tolist(), strict=True))

    def cases(self, kept: NDArray[np.bool_]) -> int:
        """Return the sum of the weights of some candidates: those for which `kept`, an array of shape (n,), is True."""
        return int(kept.sum() if self.weights is None else self.weights[kept].sum())

    def weight(self, code: str) -> int:
        """Return the weight of `code` as the secret; 0 if it is not a candidate.

        Divided by the sum of all weights, it is the probability that `code` is the secret.
        """
        place = self._place(code)
        if place is None:
            return 0
        return 1 if self.weights is None else int(self.weights[place])

    def share(self, code: str) -> Fraction:
        """Return the probability that `code` is the secret, as an exact fraction."""
        return Fraction(self.weight(code), max(1, self.total))

    def probability(self, code: str) -> float:
        """Return the probability that `code` is the secret, rounded to a float."""
        return float(self.share(code))

    def _place(self, code: str) -> int | None:
        """Return the index of `code` in the array of candidates; None if it is not a candidate."""
        if not self.rules.is_secret(code):
            return None
        places = np.flatnonzero((self.candidates == encode(self.rules, code)).all(axis=1))
        return int(places[0]) if len(places) else None

    def chances(self) -> NDArray[np.float64]:
        """Return the probability of each candidate, in order: shape (n,), with sum 1."""
        return or_ones(self.weights, self.count) / float(max(1, self.total))

    def table(self) -> NDArray[np.float64]:
        """Return the probability of each symbol at each place: shape (symbols, digits). Each column has the sum 1.

        If there are no candidates, all entries are 0.
        """
        symbols = len(self.rules.symbols)
        columns = [np.bincount(column, self.weights, minlength=symbols) for column in self.candidates.T]
        return np.column_stack(columns) / float(max(1, self.total))

    def cells(self, guess: str) -> dict[Hint, int]:
        """Return, for each answer that some candidate gives to `guess`, the sum of the weights of these candidates.

        Raises a `CodeError` if the rules do not allow the guess.
        """
        self.rules.check_guess(guess)
        if self.is_blank and self.count <= _AT_START:
            return dict(sorted(Counter(hint(guess, code) for code in self.rules.secrets()).items()))
        return self._cells(guess, self.weights)

    def counts(self, guess: str) -> dict[Hint, int]:
        """Return, for each answer that some candidate gives to `guess`, the number of these candidates.

        Raises a `CodeError` if the rules do not allow the guess.
        """
        self.rules.check_guess(guess)
        return self._cells(guess, None)

    def _cells(self, guess: str, weights: Weights | None) -> dict[Hint, int]:
        code = encode(self.rules, guess)
        # Without facts, count secrets in groups with equal answers to this guess, because there may be millions.
        if self.at_start:
            codes, weights = secret_classes(self.rules, code.tolist(), self.absent)
        else:
            codes = self.candidates
        sizes = cell_sizes(code[None, :], codes, weights)[0]
        return {numbered_hint(self.rules, number): int(size) for number, size in enumerate(sizes) if size}


def read_facts(given: str | Iterable[str | Fact], rules: Rules) -> tuple[Fact, ...]:
    """Parse facts given as one text, separated by blanks, or as a sequence of facts and texts.

    Raises an `InputError`.
    """
    try:
        facts = given.split() if isinstance(given, str) else list(given)
    except TypeError:
        raise not_such("facts", given, "'012:0H1B absent=7'") from None
    words = usual_words(rules)
    return tuple(_read_fact(fact, rules, words) for fact in facts)


def _read_fact(given: str | Fact, rules: Rules, words: Words) -> Fact:
    if isinstance(given, Fact):
        return given
    if isinstance(given, str):
        return parse_fact(given, rules, words)
    raise not_such("facts", given, "'012:0H1B absent=7'")


def check_fact(rules: Rules, fact: Fact) -> None:
    """Raise an `InputError` if these rules do not allow the fact, or if no secret satisfies it.

    A fact that only a match of two players can have, such as `double`, also raises an `InputError`.
    """
    fact.check(rules)
    if isinstance(fact, OfTurn):
        raise InputError(N_("{given!r} is only possible in a match of two players: leave it out"), given=str(fact))
    if isinstance(fact, Turn):
        if fact.hint not in possible_hints(rules, fact.guess):
            raise impossible(fact)
    elif not _possible(rules, fact):
        if isinstance(fact, Answered):
            raise impossible(fact)
        raise HintError(N_("{given} is impossible in this game: no secret fits it"), given=str(fact))


@lru_cache(maxsize=256)
def _possible(rules: Rules, fact: Fact) -> bool:
    return any(fact.becomes(code, rules) for code in rules.secrets())


def example_facts(rules: Rules, match: bool = False) -> Iterator[NamedFact]:
    """Yield an example of each kind of fact that a game with these rules can have.

    If `match` is True, the kinds that only a match of two players can have are included.
    """
    for kind in FACT_KINDS.values():
        if kind.example and (match or not issubclass(kind, OfTurn)):
            fact = kind.sample(rules)
            with suppress(InputError):
                if not isinstance(fact, OfTurn):
                    check_fact(rules, fact)
                yield fact


def guess_of(facts: Sequence[Fact], number: int) -> str:
    """Return the guess of the entry with this number among the facts of a game, counted from 1.

    Raises a `TurnError` if there is no such entry, or if it is a fact without a guess.
    """
    fact = entry_in(facts, number)
    if not isinstance(fact, Answered):
        raise TurnError(
            N_("entry {line} is {given}, not a turn: type the fact that replaces it"), line=number, given=fact
        )
    return fact.guess
