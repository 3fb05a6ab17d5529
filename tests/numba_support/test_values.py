"""Values of our own: `test_vectors` and `tictactoe/search/test_two_words` hold what their operators give."""

from __future__ import annotations

from typing import Any

import pytest
from numba.core.errors import TypingError

from yomikiri.numba_support.bits import kernel
from yomikiri.tictactoe.search.two_words import popcount


@kernel
def counted(word: int) -> Any:
    return popcount(word)


def test_a_function_of_such_a_value_takes_no_other() -> None:
    with pytest.raises(TypingError):
        counted(5)
