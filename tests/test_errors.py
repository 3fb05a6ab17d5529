"""The tree of errors: what every one of them can do, whatever was given."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from dataclasses import fields

import pytest

import yomikiri.errors
import yomikiri.hitblow.race.errors
import yomikiri.hitblow.strategy.faults  # leaves that stand beside what raises them
import yomikiri.tictactoe.errors
import yomikiri.web.errors
from yomikiri.errors import Place, UnreadableHint, YomikiriError
from yomikiri.wording import LANGUAGES, sentence, use_language

HOSTILE = [
    "",
    "{given}",
    "%s %(given)s",
    "1\n2\r3\u2028\u2029\x85\v\f",
    "\x1b[31m\x00\x7f\u202e",
    "'\"\\",
    "\ud800",
    "7" * 10_000,
]


def below(error: type[YomikiriError]) -> Iterator[type[YomikiriError]]:
    for leaf in error.__subclasses__():
        yield leaf
        yield from below(leaf)


CLASSES = [*below(YomikiriError)]
MESSAGES = [error for error in CLASSES if error.message]


def made(error: type[YomikiriError], text: str, number: int = 12) -> YomikiriError:
    """An error of that class with `text` or `number` in every field."""
    given = {"str": text, "int": number, "Place": Place(text), "YomikiriError": UnreadableHint(text)}
    return error(*(given[str(field.type)] for field in fields(error)))


@pytest.fixture(params=LANGUAGES)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    use_language(request.param)
    yield request.param
    use_language("en")


@pytest.mark.parametrize("error", MESSAGES)
def test_it_survives_pickling(error: type[YomikiriError]):
    before = made(error, "a\nb")
    after = pickle.loads(pickle.dumps(before))
    assert (type(after), repr(after), str(after)) == (error, repr(before), str(before))


@pytest.mark.parametrize("error", MESSAGES)
@pytest.mark.usefixtures("spoken")
def test_it_is_one_line_of_readable_length_whatever_was_given(error: type[YomikiriError]):
    for text in HOSTILE:
        said = sentence(made(error, text, 10**4000))
        assert said.isprintable()
        assert 10 < len(said) < 400


def test_what_was_given_is_shown_as_it_would_be_typed():
    assert sentence(yomikiri.errors.UnreadableHint("a\\b\n")).startswith("'a\\b\\n' is not a hint")


@pytest.mark.parametrize("error", MESSAGES)
@pytest.mark.usefixtures("spoken")
def test_it_shows_every_field(error: type[YomikiriError]):
    said = sentence(made(error, "Zq"))
    assert [field.name for field in fields(error) if ("12" if str(field.type) == "int" else "Zq") not in said] == []


@pytest.mark.parametrize("error", MESSAGES)
def test_it_speaks_japanese(error: type[YomikiriError]):
    use_language("ja")
    try:
        assert re.search("[ぁ-ん]", sentence(made(error, "Zq")))
    finally:
        use_language("en")
    assert sentence(made(error, "Zq")).isascii()


@pytest.mark.parametrize("error", MESSAGES)
def test_it_says_what_was_expected(error: type[YomikiriError]):
    if not issubclass(error, yomikiri.errors.CheckError):
        assert ": expected " in error.message


def test_the_tree_is_drawn_as_it_is():
    drawn: dict[str, str | None] = {}
    path: list[str] = []
    for line in (yomikiri.errors.__doc__ or "").splitlines():
        if found := re.match(r"    ((?:[│ ] {3}|[├└]── )*)(\w+)", line):
            depth = len(found[1]) // 4
            path[depth:] = [found[2]]
            drawn[found[2]] = path[depth - 1] if depth else None
    branches: set[type[YomikiriError]] = {
        YomikiriError,
        *(error for error in CLASSES if error.__subclasses__()),
        *YomikiriError.__subclasses__(),
    }
    branches |= {error for error in CLASSES if not error.message}
    assert drawn == {
        error.__name__: None if error is YomikiriError else error.__mro__[1].__name__ for error in branches
    }


def test_only_leaves_have_messages():
    # CheckError and ContradictionError are raised themselves as long as they have no leaves.
    assert [error for error in MESSAGES if error.__subclasses__()] == []
