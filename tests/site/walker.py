"""A walk through all pages of a site: from each page to its links and forms.

Games are endless, so the walk visits one page of each kind. Two addresses are of one kind if they have the same path,
the same names, and the same values of the names that select a game, a level or a part of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

# A race against each level, with a guess of both sides: the level that plays perfectly needs the most modules.
RACES = tuple(
    f"/play?v=1&seed=tea&race=1&level={level}&secret=314&shown=7&me=012"
    for level in ("random", "consistent", "fewest", "perfect")
)
STARTS = ("/", *RACES)
# Names whose values select a kind of page.
SELECTING = ("difficulty", "first", "handicap", "help", "lang", "level", "preset", "race", "words")
REDIRECTED = range(300, 400)


@dataclass(frozen=True)
class Fetched:
    """A response: its status, the target of a redirection, and its text."""

    status: int
    location: str
    text: str


@dataclass
class Form:
    """A form of a page, with the pairs that it sends and the symbols of its keys."""

    action: str
    pairs: list[tuple[str, str]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    digits: int = 0
    targets: list[str] = field(default_factory=list)

    def addresses(self) -> Iterator[str]:
        """Yield the addresses of the filled form: the guess contains the first keys that are enabled."""
        pairs = [(name, "".join(self.keys[: self.digits]) if name == "guess" else value) for name, value in self.pairs]
        for target in self.targets or [self.action]:
            yield f"{target}?{urlencode(pairs)}"


class Page(HTMLParser):
    """The links and forms of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect a link, a form, or a field of the last form."""
        given = {name: value or "" for name, value in attrs}
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag == "form":
            self.forms.append(Form(given.get("action", ""), digits=int(given.get("data-pad", "0"))))
        elif not self.forms:
            return
        elif tag == "input" and name and (given.get("type") != "radio" or "checked" in given):
            self.forms[-1].pairs.append((name, value))
        elif tag == "button":
            if name == "add" and "disabled" not in given:
                self.forms[-1].keys.append(value)
            if given.get("formaction"):
                self.forms[-1].targets.append(given["formaction"])


def kind_of(address: str) -> tuple[object, ...]:
    """Return the kind of a page."""
    parts = urlsplit(address)
    pairs = parse_qsl(parts.query)
    selected = sorted({(name, value) for name, value in pairs if name in SELECTING})
    return parts.path, frozenset(name for name, _value in pairs), tuple(selected)


def walk(
    fetch: Callable[[str], Fetched], starts: Iterable[str], limit: int, languages: Collection[str] = ("en",)
) -> Iterator[tuple[str, Fetched]]:
    """Yield at most `limit` pages of different kinds with their addresses, each reached by links and forms."""
    waiting = list(starts)
    seen = set(map(kind_of, waiting))
    for _count in range(limit):
        if not waiting:
            return
        address = waiting.pop(0)
        fetched = fetch(address)
        yield address, fetched
        page = Page(fetched.text)
        found = [*page.links, *(target for form in page.forms for target in form.addresses())]
        if fetched.status in REDIRECTED:
            found = [fetched.location]
        for link in found:
            target = urlsplit(urljoin(f"http://site{address}", link))
            language = dict(parse_qsl(target.query)).get("lang", next(iter(languages)))
            following = f"{target.path}?{target.query}" if target.query else target.path
            if target.netloc != "site" or language not in languages or kind_of(following) in seen:
                continue
            seen.add(kind_of(following))
            waiting.append(following)
