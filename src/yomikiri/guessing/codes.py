"""Lists of codes of one length, as text and as arrays of symbol indices.

The class `CodeSpace` is the list of all codes of some symbols. With `repeats=True`, a symbol may occur more than once
in a code. By default, it may not, as in the example. A list of millions of codes is kept as an array. Its text is made
on demand.

>>> codes = CodeSpace(2, "0123")
>>> len(codes), codes[5], "33" in codes
(12, '13', False)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import perm
from typing import overload

from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, CodeError, InputError
from yomikiri.common.lazy import NDArray, np

MOST_PLACES, MOST_SYMBOLS = 10, 64
MOST_CODES = 1 << 24

_BLOCK = 1 << 16  # number of codes that become text at a time


def require_few_symbols(symbols: str) -> None:
    """Raise an `InputError` if there are more different symbols than a game may have."""
    if len(symbols) > MOST_SYMBOLS:
        raise InputError(N_("the codes have {given} different symbols: expected at most {most}"),
                         given=len(symbols), most=MOST_SYMBOLS)  # fmt: skip


def require_few_codes(count: int, most: int) -> None:
    """Raise an `InputError` if a game would have more codes than allowed."""
    if count > most:
        raise InputError(N_("{given} codes: expected at most {most}"), given=count, most=most)


class CodeList(Sequence[str]):
    """A sequence of different codes of one length. It equals any sequence of the same codes in the same order."""

    symbols: str
    """The symbols in ascending order. They may include some that occur in no code."""

    @property
    @abstractmethod
    def columns(self) -> NDArray[np.uint8]:
        """The index in `symbols` of the symbol at each place of each code: shape (places, n)."""

    @property
    def places(self) -> int:
        """The number of symbols in a code."""
        return len(self.columns)

    def __len__(self) -> int:
        return len(self.columns[0])

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> ListedCodes: ...
    def __getitem__(self, index: int | slice) -> str | ListedCodes:
        if isinstance(index, slice):
            return ListedCodes(self.symbols, self.columns[:, index])
        return "".join(self.symbols[k] for k in self.columns[:, index].tolist())

    def take(self, numbers: NDArray[np.intp]) -> ListedCodes:
        """Return the codes with these indices."""
        return ListedCodes(self.symbols, self.columns.take(numbers, axis=1))

    def __iter__(self) -> Iterator[str]:
        symbols = np.array(list(self.symbols))
        for begin in range(0, len(self), _BLOCK):
            rows = np.ascontiguousarray(symbols[self.columns[:, begin : begin + _BLOCK].T])
            yield from rows.view(f"<U{self.places}").ravel().tolist()

    def __contains__(self, code: object) -> bool:
        return code in self._every

    @cached_property
    def _every(self) -> frozenset[str]:
        return frozenset(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(one == same for one, same in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((len(self), *self[:1], *self[-1:]))

    def __repr__(self) -> str:
        return repr(tuple(self))


class ListedCodes(CodeList):
    """A list of codes that is stored as an array: `columns` has the shape (places, n)."""

    def __init__(self, symbols: str, columns: NDArray[np.uint8]) -> None:
        self.symbols, self._columns = symbols, columns

    @classmethod
    def of(cls, codes: Sequence[str], symbols: str) -> ListedCodes:
        """Return one or more codes as a list. `symbols` contains all their symbols, in ascending order."""
        points = np.array(codes).view(np.uint32).reshape(len(codes), -1)
        columns = np.searchsorted(np.array([*map(ord, symbols)], dtype=np.uint32), points.T)
        return cls(symbols, np.ascontiguousarray(columns, dtype=np.uint8))

    @property
    def columns(self) -> NDArray[np.uint8]:
        return self._columns


class CodeSpace(CodeList):
    """All codes of some symbols, in ascending order.

    A symbol may occur more than once in a code only if `repeats` is True. No code begins with a symbol of `no_leading`.
    Letters are folded to lower case. Raises an `InputError` if there is no code, or if there are more than 2^24 codes.
    """

    def __init__(self, places: int, symbols: str, *, repeats: bool = False, no_leading: str = "") -> None:
        if not 1 <= places <= MOST_PLACES:
            raise InputError(N_("length of a code {given}: expected 1 to {most}"), given=places, most=MOST_PLACES)
        folded = fold(symbols)
        self.symbols = "".join(sorted(set(folded)))
        if len(self.symbols) < len(folded) or not self.symbols.isprintable() or any(map(str.isspace, folded)):
            raise InputError(
                N_("symbols {given!r}: expected different printable characters, without spaces"), given=symbols
            )
        self._places, self.repeats = places, repeats
        self.leading = "".join(symbol for symbol in self.symbols if symbol not in fold(no_leading))
        self._check_size()

    def _check_size(self) -> None:
        require_few_symbols(self.symbols)
        require_few_codes(len(self), MOST_CODES)
        if not self:
            raise InputError(
                N_("symbols {given!r} are too few: expected at least {digits} for a code without repeats"),
                given=self.symbols, digits=self._places,
            )  # fmt: skip

    @property
    def places(self) -> int:
        """The number of symbols in a code."""
        return self._places

    def __len__(self) -> int:
        symbols, others = len(self.symbols), self._places - 1
        return len(self.leading) * (symbols**others if self.repeats else perm(max(symbols - 1, 0), others))

    @cached_property
    def columns(self) -> NDArray[np.uint8]:
        """The index in `symbols` of the symbol at each place of each code: shape (places, n)."""
        columns = np.stack([self._ranks(place) for place in range(self._places)])
        if not self.repeats:
            # Ranks skip the symbols used at earlier places. Add those back, from the right, to get symbol indices.
            for place in reversed(range(self._places)):
                for later in range(place + 1, self._places):
                    columns[later] += columns[later] >= columns[place]
        if len(self.leading) < len(self.symbols):
            first = [self.symbols.index(symbol) for symbol in self.leading]
            columns = np.ascontiguousarray(columns[:, np.isin(columns[0], first)])
        return columns

    def _ranks(self, place: int) -> NDArray[np.uint8]:
        """Return, for each code, the rank of its symbol at a place among the symbols that may be there.

        The codes are those of the space if `no_leading` were empty. If symbols may not repeat, the symbols of earlier
        places are not counted.
        """
        symbols, places = len(self.symbols), self._places
        if self.repeats:
            ranks, period = symbols, symbols ** (places - 1 - place)
            times: int = symbols**place
        else:
            ranks, period = symbols - place, perm(symbols - place - 1, places - 1 - place)
            times = perm(symbols, place)
        return np.tile(np.repeat(np.arange(ranks, dtype=np.uint8), period), times)

    def __contains__(self, code: object) -> bool:
        if not isinstance(code, str) or len(code) != self._places or code[0] not in self.leading:
            return False
        return set(code) <= set(self.symbols) and (self.repeats or len(set(code)) == len(code))

    def includes(self, other: CodeSpace) -> bool:
        """Return True if all codes of another space with the same symbols are in this one."""
        same = (self.places, self.symbols) == (other.places, other.symbols)
        return same and self.repeats >= other.repeats and set(self.leading) >= set(other.leading)

    def require(self, code: str) -> None:
        """Raise a `CodeError` with the reason if a text is not one of the codes. Its length must be right."""
        for symbol in code:
            if symbol not in self.symbols:
                raise CodeError(N_("code {given!r}: {symbol!r} is not one of the symbols {symbols}"),
                                given=code, symbol=symbol, symbols=self.symbols)  # fmt: skip
            if not self.repeats and code.count(symbol) > 1:
                raise CodeError(N_("code {given!r}: {symbol!r} is there more than once, expected different symbols"),
                                given=code, symbol=symbol)  # fmt: skip
        if code[0] not in self.leading:
            raise CodeError(N_("code {given!r}: it may not begin with {symbol!r}"), given=code, symbol=code[0])
