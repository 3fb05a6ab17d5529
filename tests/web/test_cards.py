"""The data of a page consists of plain immutable values, and each kind of card has a template macro with its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from tests.web.client import get
from tests.web.test_people import PAGES

from yomikiri.web import app, hitblow, pages, play, practise, tictactoe, tictactoe_practise
from yomikiri.web.cards import Card
from yomikiri.web.pages import View

TEMPLATES = Path(pages.__file__).parent / "templates"


def parts(value: object) -> Iterator[object]:
    """Yield a value and everything that it contains."""
    yield value
    if isinstance(value, tuple):
        for each in value:
            yield from parts(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from parts(getattr(value, field.name))


def is_plain(value: object) -> bool:
    """Return True for a string, number, boolean, None, a tuple, or a frozen dataclass."""
    if is_dataclass(value) and not isinstance(value, type):
        return bool(value.__dataclass_params__.frozen)  # type: ignore[attr-defined]
    return value is None or isinstance(value, str | int | float | tuple)


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_pages_contain_plain_values_only(path: str, monkeypatch: pytest.MonkeyPatch):
    views: list[View] = []

    def page(request: Request, view: View) -> Response:
        views.append(view)
        return pages.page(request, view)

    for module in (app, hitblow, play, practise, tictactoe, tictactoe_practise):
        monkeypatch.setattr(module, "page", page)
    while (answer := get(path)).status == 303:
        path = answer.headers["location"]
    assert [value for view in views for value in parts(view) if not is_plain(value)] == []
    assert views or answer.status == 404


def card_classes(base: type[Any] = Card) -> Iterator[str]:
    for card in base.__subclasses__():
        if card.__module__.startswith("yomikiri."):
            yield card.__name__
        yield from card_classes(card)


def test_every_card_has_a_macro_and_every_macro_a_card():
    written = "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in ("_cards.html", "_tictactoe.html"))
    assert set(re.findall(r"{% macro ([A-Z]\w*)\(", written)) == set(card_classes())


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_script_finds_the_frame_of_a_page_by_names_of_its_own(path: str):
    # The script finds the frame by its `data-` attributes, so no other element may have one of them.
    page = get(path)
    while page.status == 303:
        page = get(page.headers["location"])
    frame = re.search(r'<div class="cols[^"]*"([^>]*)>', page.html)
    for name in re.findall(r" (data-[a-z-]+)", frame[1] if frame else ""):
        assert len(re.findall(rf"<[^>]* {name}[ =>]", page.html)) == 1, name
