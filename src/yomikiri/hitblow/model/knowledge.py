"""Knowledge in the middle of a game: the rules, absent symbols, and the facts so far, most of them turns.

Knowledge is a frozen value. Candidates and probabilities are derived from it. Candidates are equally likely unless
there is a prior, a change of the secret, or a turn that may be wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from math import log2
from typing import TYPE_CHECKING

from yomikiri.common.enums import not_such, text
from yomikiri.common.errors import N_, HintError, InputError
from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import (
    Codes,
    alike_secrets,
    all_secrets,
    cell_sizes,
    decode_all,
    encode,
    numbered_hint,
    possible_hints,
    secrets_answering,
)
from yomikiri.hitblow.model.facts import KINDS, Absent, Change, NamedFact, OfTurn, absent_first
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
_AT_START = 1000  # largest number of secrets whose hints are counted in plain Python before the first fact


@dataclass(frozen=True)
class Knowledge:
    """Rules, absent symbols, facts in order (turns among them), prior weights, and how many turns may be wrong.

    Rules may be the name of a preset. Facts may be text, `012:0H1B absent=7`, all in one or one by one. Absent symbols
    given before any other fact go into `absent`, whether they come as a fact or as an option.

    Raises an `InputError` for a fact that the rules do not allow: a `CodeError` for a guess, a `HintError` for a hint
    that no secret gives to its guess. Contradictory facts are accepted; such knowledge has no candidates.

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
        """Parse facts separated by blanks. Raises an `InputError`.

        >>> str(Knowledge.parse("012:0H1B absent=7"))
        '012:0H1B absent=7'
        """
        return cls(rules or Rules(), facts=read_facts(text, rules or Rules()))

    @classmethod
    def read(cls, given: Knowledge | Rules | str | Iterable[str | Fact], parameter: str) -> Knowledge:
        """Return the knowledge in argument `parameter`: knowledge, rules, the name of a preset, or facts as text.

        Raises an `InputError`.

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
        """Return the absent symbols and the facts, one token each."""
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
        """The guesses so far, with their answers."""
        return tuple(fact for fact in self.facts if isinstance(fact, Answered))

    @cached_property
    def _space(self) -> AnySpace:
        match self.facts:  # avoid an array of all secrets, which is large for large games
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
        """The codes that satisfy all facts, in order: shape (n, digits), uint8 symbol indices."""
        return self._space.codes

    @property
    def weights(self) -> Weights | None:
        """The relative probabilities of the candidates, as whole numbers: shape (n,), int64; None if all are equal.

        They have no common divisor.
        """
        return None if self.is_blank else self._space.weights

    @property
    def is_blank(self) -> bool:
        """True if only the rules are known.

        A blank game needs no arrays, so it starts without NumPy, which is slow to import.
        """
        return not (self.absent or self.facts or self.prior)

    @property
    def at_start(self) -> bool:
        """True if only the rules and absent symbols are known."""
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
        later = object.__new__(Knowledge)  # skip __post_init__, because the fields are already checked
        vars(later).update(
            {field.name: getattr(self, field.name) for field in fields(self)},
            facts=(*self.facts, fact),
        )
        if not self.is_blank:
            vars(later).update(_space=self._space.after(fact))
        return later

    @cached_property
    def start(self) -> Knowledge:
        """What is known apart from the turns in `played`.

        These are partial answers, other facts, and all facts up to the last change of the secret.
        """
        facts, last = self.facts, self._last_change
        rest = [fact for fact in facts[last:] if not isinstance(fact, Turn)]
        rest.sort(key=lambda fact: (not isinstance(fact, Absent), str(fact)))  # one order for equal sets of conditions
        return Knowledge(self.rules, self.absent, (*facts[:last], *rest), self.prior)

    @property
    def played(self) -> tuple[Turn, ...]:
        """The turns played since the secret last changed."""
        return tuple(fact for fact in self.facts[self._last_change :] if isinstance(fact, Turn))

    @property
    def _last_change(self) -> int:
        """The number of facts up to and including the last change of the secret."""
        return max((line for line, fact in enumerate(self.facts, start=1) if isinstance(fact, Change)), default=0)

    @cached_property
    def simplified(self) -> Knowledge:
        """Equal knowledge without the prior if the prior no longer matters, otherwise this knowledge."""
        if not self.prior or self.weights is not None or self.slips.most:
            return self
        even = replace(self, prior=())
        return even if even.weights is None and even.count == self.count else self

    @cached_property
    def resolved(self) -> Knowledge:
        """Knowledge with the same candidates and weights, as a prior, in which no turn can be wrong.

        Weights with a sum above `SETTLED` are rounded.
        """
        if not self.slips.most:
            return self
        weights = self.chances() * min(self.total, SETTLED)
        whole = np.maximum(1, np.rint(weights).astype(np.int64)).tolist()
        return Knowledge(self.rules, prior=tuple(zip(self.codes(), whole, strict=True)))

    @property
    def uneven(self) -> bool:
        """True if there is a prior or some candidates are likelier than others."""
        return bool(self.prior) or self.weights is not None

    def require_certain(self) -> None:
        """Raise an `InputError` if turns may be wrong."""
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
        """Number of candidates by the number of turns they contradict.

        Index k counts those that contradict exactly k.
        """
        return self._space.by_slips

    @property
    def total(self) -> int:
        """The sum of the weights of all candidates, or `count` if all are equal."""
        return self.count if self.weights is None else int(self.weights.sum())

    @cached_property
    def spread(self) -> float:
        """The sum of w·log2(w) over the weights; 0 if all are equal.

        The entropy of a partition of the candidates is smaller by this sum, divided by `total`.
        """
        return 0.0 if self.weights is None else float(spreads(self.weights).sum())

    @property
    def doubt(self) -> float:
        """Shannon entropy of the distribution over candidates, in bits. Requires at least one candidate."""
        return log2(self.total) - self.spread / self.total

    @property
    def solved(self) -> bool:
        """True if a guess has found the current secret."""
        return bool(self.found)

    @property
    def found(self) -> str:
        """The code that a guess has found, or an empty string."""
        turns = self.facts[self._last_change :]
        return next((fact.guess for fact in turns if isinstance(fact, Answered) and fact.found), "")

    @property
    def wrong(self) -> tuple[int, ...]:
        """The entries, from 1, of the turns that contradict the found secret; empty until it is found."""
        code, begin = self.found, self._last_change
        lines = enumerate(self.facts[begin:] if code else (), start=begin + 1)
        return tuple(line for line, fact in lines if isinstance(fact, Turn) and fact.hint != hint(fact.guess, code))

    def codes(self, most: int | None = None) -> list[str]:
        """Return the candidates as text, in order, at most `most` of them."""
        return decode_all(self.rules, self.candidates[:most])

    def likeliest(self, most: int) -> list[str]:
        """Return the `most` likeliest candidates. Equally likely ones are in order."""
        if self.weights is None:
            return self.codes(most)
        return decode_all(self.rules, self.candidates[np.argsort(-self.weights, kind="stable")[:most]])

    def is_candidate(self, code: str) -> bool:
        """Return True if `code` can be the secret."""
        return self.rules.is_secret(code) if self.is_blank else self._place(code) is not None

    @cached_property
    def weighted(self) -> dict[str, int] | None:
        """The weights of the candidates by code, in order; None if all are equal."""
        return None if self.weights is None else dict(zip(self.codes(), self.weights.tolist(), strict=True))

    def cases(self, kept: NDArray[np.bool_]) -> int:
        """Return the sum of the weights of the candidates selected by `kept`, shape (n,). All together have `total`."""
        return int(kept.sum() if self.weights is None else self.weights[kept].sum())

    def weight(self, code: str) -> int:
        """Return the relative probability of `code`, out of `total`; 0 if it is not a candidate."""
        place = self._place(code)
        if place is None:
            return 0
        return 1 if self.weights is None else int(self.weights[place])

    def share(self, code: str) -> Fraction:
        """Return the exact probability that `code` is the secret."""
        return Fraction(self.weight(code), max(1, self.total))

    def probability(self, code: str) -> float:
        """Return the probability that `code` is the secret."""
        return float(self.share(code))

    def _place(self, code: str) -> int | None:
        """Return the index of a code among the candidates, or None."""
        if not self.rules.is_secret(code):
            return None
        places = np.flatnonzero((self.candidates == encode(self.rules, code)).all(axis=1))
        return int(places[0]) if len(places) else None

    def chances(self) -> NDArray[np.float64]:
        """Return the probabilities of the candidates, in order: shape (n,), with sum 1."""
        return or_ones(self.weights, self.count) / float(max(1, self.total))

    def table(self) -> NDArray[np.float64]:
        """Return the probability of each symbol at each place: shape (symbols, digits). Each column has the sum 1.

        All entries are zero if there are no candidates.
        """
        symbols = len(self.rules.symbols)
        columns = [np.bincount(column, self.weights, minlength=symbols) for column in self.candidates.T]
        return np.column_stack(columns) / float(max(1, self.total))

    def cells(self, guess: str) -> dict[Hint, int]:
        """Return the weight of the candidates for each hint to `guess`: the cells that are not empty, in order."""
        self.rules.check_guess(guess)
        if self.is_blank and self.count <= _AT_START:
            return dict(sorted(Counter(hint(guess, code) for code in self.rules.secrets()).items()))
        return self._cells(guess, self.weights)

    def counts(self, guess: str) -> dict[Hint, int]:
        """Return the number of candidates for each hint to `guess`: as `cells`, without weights."""
        self.rules.check_guess(guess)
        return self._cells(guess, None)

    def _cells(self, guess: str, weights: Weights | None) -> dict[Hint, int]:
        code = encode(self.rules, guess)
        if self.at_start:  # avoid an array of all secrets, which is large for large games
            codes, weights = alike_secrets(self.rules, code.tolist(), self.absent)
        else:
            codes = self.candidates
        sizes = cell_sizes(code[None, :], codes, weights)[0]
        return {numbered_hint(self.rules, number): int(size) for number, size in enumerate(sizes) if size}


def read_facts(given: str | Iterable[str | Fact], rules: Rules) -> tuple[Fact, ...]:
    """Return facts given as text with blanks between them, or one by one. Raises an `InputError`."""
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
    """Raise an `InputError` for a fact that these rules do not allow, or that no secret satisfies."""
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
    """Yield an example of each kind of fact of a game with these rules, and of a match if `match` is set."""
    for kind in KINDS.values():
        if kind.example and (match or not issubclass(kind, OfTurn)):
            fact = kind.sample(rules)
            with suppress(InputError):
                if not isinstance(fact, OfTurn):
                    check_fact(rules, fact)
                yield fact
