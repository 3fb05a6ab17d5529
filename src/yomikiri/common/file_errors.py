"""Errors for files that cannot be read or written: the attempt, the cause, and the remedy.

`FileText` is the text of a file with the name of the file, so that an error about a line can name the file.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Self

from yomikiri.common.errors import N_, InputError, Place


class FileText(str):
    """The text of a file. `name` is the name for messages: the one that the user gave, or `<stdin>` for `-`."""

    name: Place

    def __new__(cls, text: str, name: str) -> Self:
        self = super().__new__(cls, text)
        self.name = named(name)
        return self


def source_of(text: str, otherwise: str) -> Place:
    """Return the name of the file that contains `text`. For a text from elsewhere, return `otherwise`."""
    return text.name if isinstance(text, FileText) else Place(otherwise)


def fault_at_line(text: str, otherwise: str, line: int, reason: InputError) -> InputError:
    """Return the error for a line of a text, given its 1-based number and the `reason`.

    The error names the file of the text, or `otherwise` for a text from elsewhere.
    """
    source = source_of(text, otherwise)
    return InputError(N_("{source}, line {line}: {reason}"), source=source, line=line, reason=reason)


def named(file: str) -> Place:
    """Return the name of a file for messages: `<stdin>` for `-`, which means standard input."""
    return Place("<stdin>" if file == "-" else file)


def unreadable_file(name: str, error: Exception) -> InputError:
    """Return the error for a file that cannot be opened or read."""
    if not name:
        return InputError(N_("the file name is empty: give one, or - for standard input"))
    if isinstance(error, FileNotFoundError):
        return InputError(N_("cannot read {given}: there is no such file"), given=name)
    if isinstance(error, IsADirectoryError):
        return InputError(N_("cannot read {given}: it is a folder"), given=name)
    if isinstance(error, PermissionError):
        return InputError(N_("cannot read {given}: you have no permission to open it"), given=name)
    return InputError(N_("cannot read {given}: expected a text file in UTF-8"), given=name)


def unwritable_file(path: Path, error: Exception) -> InputError:
    """Return the error for a file that cannot be written, with its cause and a remedy."""
    given, folder = Place(path), Place(path.parent)
    if isinstance(error, FileNotFoundError):
        return InputError(
            N_("cannot write {given}: folder {folder} does not exist; create it first"), given=given, folder=folder
        )
    if isinstance(error, NotADirectoryError) or (isinstance(error, FileExistsError) and not path.exists()):
        return InputError(N_("cannot write {given}: {folder} is not a folder"), given=given, folder=folder)
    if isinstance(error, IsADirectoryError):
        return InputError(N_("cannot write {given}: it is a folder; give the name of a file"), given=given)
    if isinstance(error, PermissionError):
        whose = path if path.exists() else path.parent
        return InputError(
            N_("cannot write {given}: you have no permission to change {whose}"), given=given, whose=Place(whose)
        )
    match getattr(error, "errno", None):
        case errno.ENOSPC:
            return InputError(N_("cannot write {given}: the disk is full"), given=given)
        case errno.EROFS:
            return InputError(N_("cannot write {given}: the disk is read-only"), given=given)
        case errno.ENAMETOOLONG:
            return InputError(N_("cannot write {given}: the name is too long"), given=given)
    return InputError(N_("cannot write {given}: choose another file"), given=given)
