"""Sentences for people, built from values, in the current language and shared by all interfaces.

The language belongs to the context (a request, a test, a program), not to the process: `use_language` sets it, and `_`
and `ngettext` look it up on every call. English is the source; a message without a translation stays English. The words
for hits and blows in errors work the same way: `use_words` sets them.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from yomikiri.common.errors import N_, Choices, Place, Worded, YomikiriError, counted

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
    """Set the language of this context to `code`, one of `LANGUAGES`."""
    if code not in LANGUAGES:
        raise ValueError(f"language {code!r}: expected one of {LANGUAGES}")
    _language.set(code)


def language() -> str:
    """Return the current language."""
    return _language.get()


def use_words(words: str) -> None:
    """Set the words for hits and blows in errors of this context. `words` is a member of `hitblow.Words`."""
    _words.set(words)


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    return gettext.translation("yomikiri", LOCALE, [code], fallback=code == "en")


def _(message: str) -> str:
    """Return the translation of `message`."""
    return _catalogue(_language.get()).gettext(message) if message else ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """Return the translation of the singular or plural form that belongs to `count`."""
    return _catalogue(_language.get()).ngettext(singular, plural, count)


def joined(first: str, second: str) -> str:
    """Return two sentences in a row, separated as usual in the current language."""
    return _("{lead} {rest}").format(lead=first, rest=second)


# Messages of the operating system about files, for translation.
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
    """Return the operating system's message about an error with a file, translated, with the path of the file."""
    reason = _(error.strerror or str(error))
    return _("{path}: {reason}").format(path=error.filename, reason=reason) if error.filename else reason


def language_wanted(arguments: Iterable[str], environment: Mapping[str, str]) -> str:
    """Return the language for a command: that of `--lang` at any position, or that of the environment, or English.

    Languages that are not in `LANGUAGES` are skipped.
    """
    words = iter(arguments)
    code = None
    for word in words:
        if word == "--":
            break
        if word == "--lang":
            code = next(words, None)
        elif word.startswith("--lang="):
            code = word.partition("=")[2]
    if code in LANGUAGES:
        return code
    # As in other programs, the first variable that is set decides, even if it names an unsupported language.
    variables = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    locales = next((environment[name] for name in variables if environment.get(name)), "")
    codes = (locale.replace("_", "-").partition("-")[0].partition(".")[0] for locale in locales.split(":"))
    return next((code for code in codes if code in LANGUAGES), "en")


_LONGEST = 60
_LONGEST_PLACE = 180


class _Shown(str):
    """Text that is already escaped for display, so its `repr` only adds quotes.

    If the text is a number, a format string can contain both forms of the noun that follows, and the number selects one
    of them: `{count:guess|guesses}`.
    """

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return counted(str(self), form) if "|" in form else str(self).__format__(form)

    def __repr__(self) -> str:
        return f"'{self}'"


def sentence(error: YomikiriError) -> str:
    """Return the error message in the current language, on one line, with long input abbreviated."""
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
