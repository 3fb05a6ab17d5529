"""Lists of codes as text: one code on each line, with an optional weight after a comma."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

from yomikiri.common.enums import fold
from yomikiri.common.errors import N_, InputError
from yomikiri.common.file_errors import FileText, fault_at_line, source_of
from yomikiri.guessing.game import MOST_WEIGHT, code_fault, wrong_weight


def read_lists(secrets: str, guesses: str | None) -> tuple[dict[str, int], dict[str, int]]:
    """Return the two lists of a game, each as codes with their weights. Raises an `InputError`.

    `guesses` is None or "" if only the secrets may be guessed. But an empty text that was read from a file (a
    `FileText`) is an error.
    """
    own = read_list(secrets, "secrets")
    if not any(own.values()):
        raise InputError(
            N_("{source}: every weight is 0: give one code or more a weight of at least 1"),
            source=source_of(secrets, "secrets"),
        )
    if not guesses and not isinstance(guesses, FileText):
        return own, {}
    return own, read_list(guesses, "guesses", places=len(next(iter(own))))


def read_list(text: str, name: str = "list", *, places: int | None = None) -> dict[str, int]:
    r"""Return the codes of a list with their weights, by default 1.

    Blank lines are ignored, and letters are folded to lower case. All codes must have `places` symbols. If `places` is
    None, the most frequent length in the list is required. Raises an `InputError` that names the line and the source
    of the text. If `text` is a `FileText`, which contains the name of its file, the source is this file. Otherwise, it
    is `name`.

    >>> read_list("crane\nSlate,3\n")
    {'crane': 1, 'slate': 3}
    """
    lines = [(number, fold(line)) for number, line in enumerate(text.splitlines(), start=1)]
    entries = [(number, *line.partition(",")) for number, line in lines if line]
    source = source_of(text, name)
    if not entries:
        raise InputError(N_("{source}: the list is empty: expected one code on each line"), source=source)
    lengths = Counter(len(code.strip()) for _number, code, _comma, _weight in entries)
    usual = places or lengths.most_common(1)[0][0]
    weights, where = dict[str, int](), dict[str, int]()
    for number, code, comma, weight in entries:
        code = code.strip()
        reason = _fault(code, weight.strip() if comma else "1", where.get(code))
        if reason is None and len(code) != usual:
            reason = _other_length(code, usual, is_fixed=places is not None)
        if reason:
            raise fault_at_line(text, name, number, reason)
        weights[code], where[code] = int(weight) if comma else 1, number
    return weights


def _fault(code: str, weight: str, earlier: int | None) -> InputError | None:
    """Return the error of one line, or None.

    `earlier` is the line number of an earlier line with the same code, or None.
    """
    if earlier:
        return InputError(N_("{given!r} is in line {line} too: remove one of the two"), given=code, line=earlier)
    if not re.fullmatch("[0-9]{1,9}", weight) or int(weight) > MOST_WEIGHT:
        return wrong_weight(weight, code)
    return code_fault(code)


def _other_length(code: str, usual: int, *, is_fixed: bool) -> InputError:
    if is_fixed:
        return InputError(N_("{given!r} has {count:symbol|symbols}: expected {places}, as the secrets have"),
                          given=code, count=len(code), places=usual)  # fmt: skip
    return InputError(N_("{given!r} has {count:symbol|symbols}: expected {places}, as most codes of the list have"),
                      given=code, count=len(code), places=usual)  # fmt: skip


def digest(codes: Iterable[tuple[str, int]]) -> str:
    """Return the SHA-256 of codes with their weights, in hexadecimal. It does not depend on their order.

    >>> digest([("slate", 3), ("crane", 1)]) == sha256(b"crane,1\\nslate,3\\n").hexdigest()
    True
    """
    return sha256("".join(f"{code},{weight}\n" for code, weight in sorted(codes)).encode()).hexdigest()
