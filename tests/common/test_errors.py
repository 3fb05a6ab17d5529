"""The hierarchy of errors, and every place in the sources that creates one."""

from __future__ import annotations

import ast
import pickle
import re
import string
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from tests.sources import trees

import yomikiri.common.errors
from yomikiri.common.errors import CheckError, Choices, HintError, InputError, Place, StrategyFault, YomikiriError
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


def tree(error: type[YomikiriError]) -> Iterator[type[YomikiriError]]:
    yield error
    for below in error.__subclasses__():
        yield from tree(below)


CLASSES = {error.__name__: error for error in tree(YomikiriError)}


# --- where errors are made --------------------------------------------------------------------------------------------


class ErrorSite(NamedTuple):
    """A place in the sources that creates an error. `fault` says what is wrong there; empty if nothing is."""

    error: type[YomikiriError]
    message: str
    fields: frozenset[str]
    where: str
    fault: str = ""


def placeholders(message: str) -> set[str]:
    return {field for _literal, field, _spec, _conversion in string.Formatter().parse(message) if field is not None}


def errors_in(tree: ast.AST, name: str = "") -> Iterator[ErrorSite]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name) and node.exc.id in CLASSES:
            yield ErrorSite(
                CLASSES[node.exc.id], "", frozenset(), f"{name}:{node.lineno}", "raises a class without sentence"
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLASSES:
            yield _error_site(node, CLASSES[node.func.id], f"{name}:{node.lineno}")


def _error_site(call: ast.Call, error: type[YomikiriError], where: str) -> ErrorSite:
    fields = frozenset(keyword.arg or "**" for keyword in call.keywords)
    match call.args:
        case [ast.Call(func=ast.Name(id="N_"), args=[ast.Constant(value=str(message))])]:
            fault = "" if fields == placeholders(message) else "its data are not those of its sentence"
            return ErrorSite(error, message, fields, where, fault)
    return ErrorSite(error, "", fields, where, "its sentence is not marked with N_")


@pytest.fixture(scope="module")
def all_made() -> list[ErrorSite]:
    """Return every place in the package that creates an error."""
    return [made for name, tree in trees().items() for made in errors_in(tree, name)]


def test_every_error_has_a_marked_sentence_and_its_data(all_made: list[ErrorSite]):
    assert len(all_made) > 50
    assert [f"{made.where}: {made.fault}" for made in all_made if made.fault] == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("raise InputError(N_('{given} is odd'), given=1)", ""),
        ("return InputError(N_('{given!r} is odd: expected {{}}'), given=1)", ""),
        ("raise InputError", "without sentence"),
        ("raise InputError('no marker')", "not marked"),
        ("raise InputError(f'{given} is odd')", "not marked"),
        ("raise InputError(N_(text), given=1)", "not marked"),
        ("raise InputError(N_('odd'), 1)", "not marked"),
        ("raise InputError(N_('{given} is odd'))", "not those of its sentence"),
        ("raise InputError(N_('{given} is odd'), given=1, limit=2)", "not those of its sentence"),
        ("raise InputError(N_('{given} is odd'), gven=1)", "not those of its sentence"),
        ("raise InputError(N_('{given} is odd'), **data)", "not those of its sentence"),
    ],
)
def test_errors_in_detects_every_fault(source: str, fault: str):
    (made,) = errors_in(ast.parse(f"def f():\n    {source}"))
    assert fault in made.fault
    assert bool(fault) == bool(made.fault)


def test_every_sentence_is_used_once(all_made: list[ErrorSite]):
    assert [message for message, times in Counter(made.message for made in all_made).items() if times > 1] == []


def test_every_error_class_is_caught_somewhere():
    caught = set()
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler) and node.type:
                caught |= {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)}
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                caught |= {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
    assert CLASSES.keys() - caught == set()


# --- what each of them says -------------------------------------------------------------------------------------------


def error_with_fields(made: ErrorSite, text: str, number: int | None = None) -> YomikiriError:
    """Return the error with `text` or `number` in all of its fields."""
    data: dict[str, str | int | YomikiriError] = dict.fromkeys(made.fields, text if number is None else number)
    if "place" in data:
        data["place"] = Place(text)
    if "reason" in data:
        data["reason"] = HintError("{given!r} is not an answer", given=text)
    return made.error(made.message, **data)


@pytest.fixture(params=LANGUAGES)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    use_language(request.param)
    yield request.param
    use_language("en")


@pytest.mark.usefixtures("spoken")
def test_every_error_is_one_short_printable_line(all_made: list[ErrorSite]):
    for made in all_made:
        for text in HOSTILE:
            for number in (None, 10**4000):
                said = sentence(error_with_fields(made, text, number))
                assert said.isprintable(), made.where
                assert 10 < len(said) < 400, made.where


@pytest.mark.usefixtures("spoken")
def test_every_error_shows_all_of_its_data(all_made: list[ErrorSite]):
    for made in all_made:
        said = sentence(made.error(made.message, **{field: f"<{field}>" for field in made.fields}))
        assert [field for field in made.fields if f"<{field}>" not in said] == [], made.where


def test_every_error_has_english_and_japanese_text(all_made: list[ErrorSite]):
    use_language("en")
    assert [made.where for made in all_made if not sentence(error_with_fields(made, "Zq")).isascii()] == []
    use_language("ja")
    said = {made: sentence(made.error(made.message, **dict.fromkeys(made.fields, "Zq"))) for made in all_made}
    use_language("en")
    assert [made.where for made in said if not re.search("[ぁ-ん]", said[made]) and "reason" not in made.fields] == []


def test_every_error_states_the_problem_then_the_remedy(all_made: list[ErrorSite]):
    """The word `expected` is followed by input that can be typed."""
    for made in all_made:
        if not issubclass(made.error, CheckError) and "reason" not in made.fields:
            assert re.search(": | needs ", made.message), made.where
        assert not re.search(r"expected (it|none|both|no|only)\b(?!,)", made.message), made.where


def test_given_text_is_quoted_with_escapes():
    error = HintError("{given!r} is not an answer", given="a\\b\n")
    assert sentence(error) == "'a\\b\\n' is not an answer"


def test_long_given_text_is_shortened_but_choices_are_not():
    names = ", ".join(["symbols"] * 40)
    error = InputError("unknown key {given!r}: expected one of {known}", given="x" * 100, known=Choices(names))
    assert sentence(error) == f"unknown key '{'x' * 59}…': expected one of {names}"


def test_errors_keep_data_and_hint_when_pickled():
    before = StrategyFault("at {place}: {reason}", place=Place("tree"), reason=HintError("{given}", given=3))
    before.hint = "perhaps a slip"
    after = pickle.loads(pickle.dumps(before))
    assert (type(after), str(after), after.hint) == (StrategyFault, "at tree: 3", "perhaps a slip")
    assert after.data["place"] == Place("tree")


# --- the tree ---------------------------------------------------------------------------------------------------------


def test_docstring_draws_the_tree_of_errors():
    drawn: dict[str, str | None] = {}
    path: list[str] = []
    for line in (yomikiri.common.errors.__doc__ or "").splitlines():
        if found := re.match(r"    ((?:[│ ] {3}|[├└]── )*)(\w+)(?:  |$)", line):
            depth = len(found[1]) // 4
            path[depth:] = [found[2]]
            drawn[found[2]] = path[depth - 1] if depth else None
    assert drawn == {
        name: None if error is YomikiriError else error.__mro__[1].__name__ for name, error in CLASSES.items()
    }
