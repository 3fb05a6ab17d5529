"""Values to sentences: reasons and errors in the language in use, shared by every surface.

The language belongs to the context (a request, a test, a program), not to the process: `use_language` sets it, `_` and
`ngettext` look it up at every call. English is the source; a message without a translation stays English. So do the
words for hits and blows in errors: `use_words` sets them.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from yomikiri.common.errors import N_, Choices, Place, Worded, YomikiriError

__all__ = [
    "LANGUAGES",
    "LOCALE",
    "_",
    "cause",
    "joined",
    "language",
    "language_wanted",
    "ngettext",
    "sentence",
    "use_language",
    "use_words",
]

LANGUAGES = ("en", "ja")
LOCALE = Path(__file__).parent.parent / "locale"

_language: ContextVar[str] = ContextVar("language", default="en")
_words: ContextVar[str] = ContextVar("words", default="hit")


def use_language(code: str) -> None:
    """Speak `code`, one of `LANGUAGES`, from here on in this context."""
    if code not in LANGUAGES:
        raise ValueError(f"language {code!r}: expected one of {LANGUAGES}")
    _language.set(code)


def language() -> str:
    """The language in use."""
    return _language.get()


def use_words(words: str) -> None:
    """Write hits and blows in errors with the words of a game, a `hitblow.Words`, from here on in this context."""
    _words.set(words)


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    return gettext.translation("yomikiri", LOCALE, [code], fallback=code == "en")


def _(message: str) -> str:
    """`message` in the language in use."""
    return _catalogue(_language.get()).gettext(message) if message else ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """The form that `count` asks for, in the language in use."""
    return _catalogue(_language.get()).ngettext(singular, plural, count)


def joined(lead: str, rest: str) -> str:
    """Two sentences, one after the other."""
    return _("{lead} {rest}").format(lead=lead, rest=rest)


# What the system says of files, for the translation.
_CAUSES = (
    N_("Permission denied"),
    N_("Not a directory"),
    N_("Is a directory"),
    N_("No such file or directory"),
    N_("Read-only file system"),
    N_("No space left on device"),
    N_("File exists"),
)


def cause(error: OSError) -> str:
    """Return what the system said of a file, with its path."""
    reason = _(error.strerror or str(error))
    return _("{path}: {reason}").format(path=error.filename, reason=reason) if error.filename else reason


def language_wanted(arguments: Iterable[str], environment: Mapping[str, str]) -> str:
    """The language that a command line asks for: `--lang` wherever it stands, else the environment's, else English."""
    words = iter(arguments)
    asked = None
    for word in words:
        if word == "--":
            break
        if word == "--lang":
            asked = next(words, None)
        elif word.startswith("--lang="):
            asked = word.partition("=")[2]
    if asked in LANGUAGES:
        return asked
    # The first variable that is set decides, as for other programs, also where it names a language that is not ours.
    variables = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    locales = next((environment[name] for name in variables if environment.get(name)), "")
    codes = (locale.replace("_", "-").partition("-")[0].partition(".")[0] for locale in locales.split(":"))
    return next((code for code in codes if code in LANGUAGES), "en")


_LONGEST = 60
_LONGEST_PLACE = 180


class _Shown(str):
    """Text made fit to be shown; its `repr` only adds the quotes, so that nothing is escaped twice."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{self}'"


def sentence(error: YomikiriError) -> str:
    """The error in the language in use, on one line: overlong input is shortened, line breaks are shown as such."""
    return _(error.message).format(**{name: _value(value) for name, value in error.data.items()})


def _value(value: object) -> str:
    if isinstance(value, YomikiriError):
        return sentence(value)
    if isinstance(value, Worded):
        value = value.in_words(_words.get())
    if isinstance(value, Choices):
        return _shown(value, len(value))
    return _shown(str(value), _LONGEST_PLACE if isinstance(value, Place) else _LONGEST)


def _shown(text: str, longest: int) -> _Shown:
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: longest + 1])
    return _Shown(plain if len(plain) <= longest else plain[: longest - 1] + "…")
