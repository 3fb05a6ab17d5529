"""A code-guessing game (secrets, guesses, kind of answers), and a position in a game.

>>> game = Game(["crane", "crate", "grate"], ["crane", "crate", "grate", "night"])
>>> position = game.start.after("crane:22202")
>>> position.candidates
('crate',)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import chain
from math import gcd

from yomikiri.common.entries import all_but_last
from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, CodeError, ContradictionError, InputError, TurnError
from yomikiri.common.lazy import NDArray, np
from yomikiri.guessing.answers import MARKS, AnswerKind
from yomikiri.guessing.codes import (
    MOST_PLACES,
    CodeList,
    CodeSpace,
    ListedCodes,
    require_few_codes,
    require_few_symbols,
)
from yomikiri.guessing.guess_rules import GuessRule, Requirement, requirements
from yomikiri.guessing.plain_answers import answers_to

MOST_LISTED = 1 << 20
"""Codes of a list; a `CodeSpace` may have more."""

MOST_WEIGHT = 1 << 20


@dataclass(frozen=True)
class Game:
    """A code-guessing game.

    `secrets` are codes, or a mapping of codes to whole weights: how likely each is, relative to the others. `guesses`
    are further codes that may be guessed; every secret may be guessed. Both may be a `CodeSpace`. `guess_rule` limits
    the guesses after the first; hard mode requires the answers `MARKS`. A game ends after `guess_limit` guesses, None
    for no limit.

    Letters are folded to lower case. Raises an `InputError` for codes of different lengths, codes given twice, and too
    large games.
    """

    secrets: CodeList
    guesses: CodeList
    answers: AnswerKind
    weights: tuple[int, ...]
    guess_rule: GuessRule
    guess_limit: int | None

    def __init__(
        self,
        secrets: Iterable[str] | Mapping[str, int],
        guesses: Iterable[str] = (),
        answers: AnswerKind = MARKS,
        guess_rule: GuessRule = GuessRule.ANY,
        guess_limit: int | None = None,
    ) -> None:
        if guess_rule is GuessRule.HARD and answers is not MARKS:
            raise InputError(N_("hard mode: needs marks, not the answers {given!r}"), given=answers.NAME)
        if guess_limit is not None and guess_limit < 1:
            raise InputError(N_("limit of guesses {given}: expected 1 or more"), given=guess_limit)
        if isinstance(secrets, CodeSpace):
            own: CodeList = secrets
            every: CodeList = _guesses_of_space(secrets, guesses)
            weights: tuple[int, ...] = (1,) * len(secrets)
        else:
            weighted = _weighted(secrets)
            every = _with_guesses([*weighted], guesses)
            own, weights = ListedCodes.of([*weighted], every.symbols), tuple(weighted.values())
        for name, value in (
            ("secrets", own), ("guesses", every), ("answers", answers), ("weights", weights),
            ("guess_rule", guess_rule), ("guess_limit", guess_limit),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    @property
    def places(self) -> int:
        """The number of symbols in a code."""
        return self.guesses.places

    @property
    def symbols(self) -> str:
        """The symbols that may occur in the codes, in order."""
        return self.guesses.symbols

    @cached_property
    def weight_array(self) -> NDArray[np.int64]:
        """The weights of the secrets: shape (n,)."""
        if isinstance(self.secrets, CodeSpace):
            return np.ones(len(self.secrets), dtype=np.int64)
        return np.array(self.weights, dtype=np.int64)

    @cached_property
    def start(self) -> Position:
        """The position before the first guess."""
        return Position(self)

    def code(self, text: str) -> str:
        """Return the guess in a text, in the standard form.

        Raises a `CodeError` if the game does not allow it as a guess.
        """
        code = fold(text).strip()
        if len(code) != self.places:
            raise _wrong_length(text, code, self.secrets)
        if isinstance(self.guesses, CodeSpace):
            self.guesses.require(code)
        elif code not in self.guesses:
            raise CodeError(N_("guess {given!r}: expected a code from the list of guesses"), given=text)
        return code


@dataclass(frozen=True, slots=True)
class Observation:
    """A guess with its answer in the standard form."""

    guess: str
    answer: str

    def __str__(self) -> str:
        return f"{self.guess}:{self.answer}"


@dataclass(frozen=True)
class Position:
    """A game after some turns.

    `fitting` contains the indices of the candidates, ascending, if they have been computed before.
    """

    game: Game
    turns: tuple[Observation, ...] = ()
    fitting: NDArray[np.intp] | None = field(default=None, compare=False, repr=False)

    @cached_property
    def numbers(self) -> NDArray[np.intp]:
        """The indices of the candidates in the list of secrets, in ascending order: shape (n,)."""
        if self.fitting is not None:
            return self.fitting
        if not self.turns:
            return np.arange(len(self.game.secrets))
        return reduce(Position.after, self.turns, self.game.start).numbers

    @cached_property
    def candidates(self) -> CodeList:
        """The secrets that fit all answers, in the order of the list of secrets."""
        secrets = self.game.secrets
        return secrets if len(self.numbers) == len(secrets) else secrets.take(self.numbers)

    @cached_property
    def weight_array(self) -> NDArray[np.int64]:
        """The weights of the candidates: shape (n,)."""
        return self.game.weight_array[self.numbers]

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weights of the candidates."""
        return tuple(self.weight_array.tolist())

    @property
    def is_solved(self) -> bool:
        """True if the last guess found the secret."""
        return bool(self.turns) and self.turns[-1].answer == self.game.answers.win(self.game.places)

    @property
    def guesses_left(self) -> int | None:
        """The number of guesses until the game ends, None if there is no limit."""
        limit = self.game.guess_limit
        return None if limit is None else max(0, limit - len(self.turns))

    @property
    def is_over(self) -> bool:
        """True if the secret is found, or if no guess is left."""
        return self.is_solved or self.guesses_left == 0

    def undo(self) -> Position:
        """Return the position before the last turn. Raises a `TurnError` if there is no turn."""
        return Position(self.game, all_but_last(self.turns))

    @property
    def start(self) -> Position:
        """The position before the first turn."""
        return self.game.start

    def after(self, turn: str | Observation) -> Position:
        """Return the position after one more turn, which may be text, `crane:01002`.

        Raises an `InputError` if the game has ended, or if the guess or the answer is invalid.
        """
        if self.is_solved:
            raise TurnError(N_("turn {given!r}: the secret is found already"), given=str(turn))
        if self.guesses_left == 0:
            raise TurnError(
                N_("turn {given!r}: the game ends after {limit:guess|guesses}"),
                given=str(turn),
                limit=len(self.turns),
            )
        if isinstance(turn, str):
            guess, colon, answer = turn.rpartition(":")  # a code may contain a colon
            if not colon:
                raise TurnError(
                    N_("turn {given!r}: expected GUESS:ANSWER such as {example}"),
                    given=turn,
                    example=f"{self.game.secrets[0]}:{self.game.answers.example(self.game.places)}",
                )
            turn = Observation(guess, answer)
        turn = Observation(self.game.code(turn.guess), self.game.answers.parse(turn.answer, self.game.places))
        kept = self._answers_to(turn.guess) == self.game.answers.number_of(fold(turn.answer), self.game.places)
        return Position(self.game, (*self.turns, turn), self.numbers[kept])

    def _answers_to(self, guess: str) -> NDArray[np.uint16]:
        """Return the answer number of each candidate to a guess. The last result is cached."""
        if guess not in self._kept_answers:
            self._kept_answers.clear()
            self._kept_answers[guess] = answers_to(self.game.answers, guess, self.candidates)
        return self._kept_answers[guess]

    @cached_property
    def _kept_answers(self) -> dict[str, NDArray[np.uint16]]:
        return {}

    def after_all(self, turns: Iterable[str]) -> Position:
        """Return the position after several turns. Raises an `InputError` if the method `after` rejects one of them."""
        position = self
        for turn in turns:
            position = position.after(turn)
        return position

    def split(self, guess: str) -> dict[str, Position]:
        """Return the position after each answer that a candidate gives to a guess, in order of the answers.

        The guess must be in the standard form, and at least one guess must be left. All positions are computed in one
        pass over the candidates.
        """
        numbers = self._answers_to(guess)
        cells = {self.game.answers.text(number, self.game.places): number for number in np.unique(numbers).tolist()}
        return {
            answer: Position(
                self.game, (*self.turns, Observation(guess, answer)), self.numbers[numbers == cells[answer]]
            )
            for answer in sorted(cells)
        }

    def parts(self, guess: str) -> dict[str, int]:
        """Return the total weight of the candidates for each answer to a guess, in order of the answers."""
        numbers, places = self._answers_to(guess), self.game.places
        weights = np.bincount(numbers, self.weight_array)
        found = {self.game.answers.text(k, places): int(weights[k]) for k in np.unique(numbers).tolist()}
        return dict(sorted(found.items()))

    def allows(self, guess: str) -> bool:
        """Return True if the guess rule of the game allows a guess, which is in the standard form."""
        match self.game.guess_rule:
            case GuessRule.CONSISTENT:
                return guess in self.game.secrets and all(
                    self.game.answers.answer(turn.guess, guess) == turn.answer for turn in self.turns
                )
            case GuessRule.HARD:
                return all(required.is_met(guess) for required in self._requirements)
        return True

    @cached_property
    def _requirements(self) -> tuple[Requirement, ...]:
        """The requirements of hard mode after the turns."""
        every = (requirements(turn.guess, [int(mark) for mark in turn.answer]) for turn in self.turns)
        return tuple(dict.fromkeys(chain.from_iterable(every)))

    def require_allowed(self, guess: str) -> None:
        """Raise a `CodeError` if the guess rule of the game does not allow a guess, which is in the standard form."""
        if self.allows(guess):
            return
        if self.game.guess_rule is GuessRule.CONSISTENT:
            raise CodeError(N_("guess {given!r}: it cannot be the secret after these answers"), given=guess)
        missed = next(required for required in self._requirements if not required.is_met(guess))
        if missed.place:
            raise CodeError(N_("guess {given!r}: hard mode needs {symbol!r} at place {place}"),
                            given=guess, symbol=missed.symbol, place=missed.place)  # fmt: skip
        if missed.count == 1:
            raise CodeError(N_("guess {given!r}: hard mode needs {symbol!r}"), given=guess, symbol=missed.symbol)
        raise CodeError(N_("guess {given!r}: hard mode needs {symbol!r} {count} times"),
                        given=guess, symbol=missed.symbol, count=missed.count)  # fmt: skip

    def require_candidates(self) -> None:
        """Raise a `ContradictionError` if no secret fits the answers."""
        if self.candidates:
            return
        for count in range(1, len(self.turns) + 1):
            if not Position(self.game, self.turns[:count]).candidates:
                raise ContradictionError(
                    N_("no secret fits {given} and the turns before it: check the answers"),
                    given=str(self.turns[count - 1]),
                )


def _wrong_length(given: str, code: str, expected: CodeList) -> CodeError:
    """Return the error for a code with the wrong number of symbols. `code` is the standard form of the `given` text."""
    return CodeError(N_("{given!r} has {count:symbol|symbols}: expected {places}, such as {example}"),
                     given=given, count=len(code), places=expected.places, example=expected[0])  # fmt: skip


def _weighted(secrets: Iterable[str] | Mapping[str, int]) -> dict[str, int]:
    """Return the secrets of positive weight with their weights.

    The weights are divided by their greatest common divisor. Raises an `InputError` for an invalid weight, for a code
    that is in the list twice, and if no weight is positive.
    """
    weighted = secrets if isinstance(secrets, Mapping) else dict.fromkeys(_codes(secrets), 1)
    given = dict(zip(_codes(weighted), weighted.values(), strict=True))
    for code, weight in given.items():
        if not isinstance(weight, int) or not 0 <= weight <= MOST_WEIGHT:
            raise wrong_weight(str(weight), code)
    own = {code: weight for code, weight in given.items() if weight}
    if not own:
        raise InputError(N_("the list of secrets is empty: expected one code on each line"))
    divisor = gcd(*own.values())
    return {code: weight // divisor for code, weight in own.items()}


def _with_guesses(secrets: Sequence[str], guesses: Iterable[str]) -> CodeList:
    """Return the codes that may be guessed in a game with a list of secrets.

    If `guesses` is a list, these are its codes and the secrets. A `CodeSpace` must contain all secrets. Raises an
    `InputError` for a code of another length, or with a symbol that is not allowed.
    """
    if not isinstance(guesses, CodeSpace):
        every = tuple(dict.fromkeys([*_codes(guesses), *secrets]))
        return ListedCodes.of(every, _checked_symbols(every))
    for secret in secrets:
        if len(secret) != guesses.places:
            raise _wrong_length(secret, secret, guesses)
        guesses.require(secret)
    return guesses


def _guesses_of_space(secrets: CodeSpace, guesses: Iterable[str]) -> CodeSpace:
    """Return the codes that may be guessed in a game whose secrets are a `CodeSpace`.

    `guesses` is a `CodeSpace` that contains all secrets, or empty, which allows only the secrets as guesses. Raises an
    `InputError` for a list of guesses, and for a `CodeSpace` without some of the secrets.
    """
    if not isinstance(guesses, CodeSpace):
        if any(True for _guess in guesses):
            raise InputError(N_("a list of guesses: needs a list of secrets, too"))
        return secrets
    if not guesses.includes(secrets):
        raise InputError(N_("the guesses: expected all codes that can be the secret among them"))
    return guesses


def _codes(given: Iterable[str]) -> list[str]:
    codes = [fold(code) for code in given]
    seen = set[str]()
    for code in codes:
        if code in seen:
            raise CodeError(N_("{given!r} is in the list twice: remove one of them"), given=code)
        seen.add(code)
    return codes


def code_fault(code: str) -> CodeError | None:
    """Return the error for a code that no list of codes may contain, or None if the code is valid in itself.

    The code is in the standard form.
    """
    if not 1 <= len(code) <= MOST_PLACES:
        return CodeError(N_("{given!r} has {count:symbol|symbols}: expected 1 to {most}"), given=code, count=len(code),
                         most=MOST_PLACES)  # fmt: skip
    if any(symbol.isspace() for symbol in code):
        return CodeError(N_("{given!r} contains a space: write one code on each line"), given=code)
    return None


def wrong_weight(weight: str, code: str) -> InputError:
    """Return the error for a weight that is not a whole number or is out of range."""
    return InputError(N_("weight {given!r} of {code}: expected a whole number from 0 to {most}"),
                      given=weight, code=code, most=MOST_WEIGHT)  # fmt: skip


def _checked_symbols(codes: tuple[str, ...]) -> str:
    """Return the symbols of the codes of a game, in order.

    Raises an `InputError` for a code that no list may contain, for codes of different lengths, and for too many codes
    or symbols.
    """
    places = len(codes[0])
    for code in codes:
        if fault := code_fault(code):
            raise fault
        if len(code) != places:
            raise CodeError(
                N_("{given!r} has {count:symbol|symbols}, but {first!r} has {places}: give codes of one length"),
                given=code, count=len(code), first=codes[0], places=places,
            )  # fmt: skip
    symbols = "".join(sorted(set().union(*codes)))
    require_few_symbols(symbols)
    require_few_codes(len(codes), MOST_LISTED)
    return symbols
