"""Wrong contest solutions: each replaces one or more pieces of the text of `solution.py`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("solution.py").read_text(encoding="utf-8")

_COMPLETED = "if has_line(-player):\n            result = -player"
_KEY = "key = tuple(cells)"
_TAKEN = "if cells[i]:"
_FIRST, _SECOND = ("sum(weights[i] for i in range(9) if cells[i] == " + mark + ")" for mark in ("1", "-1"))
_COMPARED = "first > second"
_BEST = "if value(-player, turn + 1) == player:\n                    result = player"
_UNDONE = "cells[i] = 0\n                if result == player:\n                    break"
_ANSWER = 'return "Takahashi" if value(1, 0) == 1 else "Aoki"'
_INT32 = "(({0}) + 2**31) % 2**32 - 2**31"
_FLOAT32 = '__import__("numpy").float32({0})'
_LINES = ["(0, 1, 2)", "(3, 4, 5)", "(6, 7, 8)", "(0, 3, 6)", "(1, 4, 7)", "(2, 5, 8)", "(0, 4, 8)", "(2, 4, 6)"]

Changes = tuple[tuple[str, str], ...]


def _sums(pattern: str) -> Changes:
    return (_FIRST, pattern.format(_FIRST)), (_SECOND, pattern.format(_SECOND))


def _skip(condition: str) -> Changes:
    """Return the change that never plays a move for which `condition` is true.

    The condition can use the cell `i` and the number `turn` of moves before it.
    """
    return ((_TAKEN, f"if cells[i] or ({condition}):"),)


def _lines(*missing: str) -> Changes:
    kept = ", ".join(line for line in _LINES if line not in missing)
    return ((", ".join(_LINES), kept),)


MUTANTS: dict[str, Changes] = {
    "no lines": _lines(*_LINES),
    "no rows": _lines(*_LINES[:3]),
    "no columns": _lines(*_LINES[3:6]),
    "no diagonals": _lines(*_LINES[6:]),
    **{f"no line {line}": _lines(line) for line in _LINES},
    "two middle lines missing": _lines("(3, 4, 5)", "(1, 4, 7)"),
    "wrong cell in a diagonal": (("(0, 4, 8)", "(0, 4, 7)"),),
    "wrong cell in the other diagonal": (("(2, 4, 6)", "(2, 4, 8)"),),
    "wrong cell in a column": (("(1, 4, 7)", "(1, 4, 6)"),),
    "wrong cell in a row": (("(6, 7, 8)", "(5, 7, 8)"),),
    "lines without their middle": (("cells[a] == cells[b] == cells[c]", "cells[a] == cells[c]"),),
    "ninth move": ((_COMPLETED, _COMPLETED.replace("if", "if turn < 9 and")),),
    "lines on the ninth move only": ((_COMPLETED, _COMPLETED.replace("if", "if turn == 9 and")),),
    "lines of the first player only": ((_COMPLETED, _COMPLETED.replace("if", "if player == -1 and")),),
    "lines of the second player only": ((_COMPLETED, _COMPLETED.replace("if", "if player == 1 and")),),
    "line of the wrong player": (("has_line(-player)", "has_line(player)"),),
    "a line loses": ((_COMPLETED, _COMPLETED.replace("= -player", "= player")),),
    "sums decide after a line": ((_COMPLETED, _COMPLETED.replace("= -player", "= score()")),),
    "memo without owners": ((_KEY, "key = tuple(map(bool, cells))"),),
    "memo of the first player's cells": ((_KEY, "key = tuple(cell == 1 for cell in cells)"),),
    "memo with collisions": ((_KEY, "key = sum(cell % 3 << i for i, cell in enumerate(cells))"),),
    "memo by turn": ((_KEY, "key = turn"),),
    "memo of sorted cells": ((_KEY, "key = tuple(sorted(cells))"),),
    "overflow": ((_COMPARED, _INT32.format("first - second") + " > 0"),),
    "overflow of each sum": _sums(_INT32),
    "overflow of weights at 16 bits": (("weights[i] for i", "(weights[i] + 2**15) % 2**16 - 2**15 for i"),),
    "unsigned sums": _sums("({0}) % 2**32"),
    "floats": _sums(_FLOAT32),
    "weights as floats": (("sum(weights[i] for i", "sum(" + _FLOAT32.format("weights[i]") + " for i"),),
    "half the total rounded": ((_COMPARED, "first > int(sum(weights) / 2)"),),
    "minus signs ignored": (("sum(weights[i] for i", "sum(abs(weights[i]) for i"),),
    "sizes of the sums": _sums("abs({0})"),
    "negative sums as zero": _sums("max(0, {0})"),
    "negative weights as zero": (("sum(weights[i] for i", "sum(max(0, weights[i]) for i"),),
    "averages": ((_COMPARED, "first / 5 > second / 4"),),
    "a lead of one is not enough": ((_COMPARED, "first > second + 1"),),
    "comparison turned over": ((_COMPARED, "first < second"),),
    "last cell not summed": (("for i in range(9) if", "for i in range(8) if"),),
    "result of the last move": ((_BEST, "result = value(-player, turn + 1)"), (_UNDONE, "cells[i] = 0")),
    "result of the first move": ((_UNDONE, "cells[i] = 0\n                break"),),
    "both play for the first player": ((_BEST, _BEST.replace("== player", "== 1").replace("= player", "= 1")),),
    "a winning move is not taken back": (
        (_UNDONE, "if result == player:\n                    break\n                cells[i] = 0"),
    ),
    "never opens on an edge": _skip("turn == 0 and i % 2"),
    "never opens on b1 or c2": _skip("turn == 0 and i in (1, 5)"),
    "never opens in the centre": _skip("turn == 0 and i == 4"),
    "never opens in a corner": _skip("turn == 0 and i in (0, 2, 6, 8)"),
    "never opens on c3": _skip("turn == 0 and i == 8"),
    "opens in the centre only": _skip("turn == 0 and i != 4"),
    "opens in a corner only": _skip("turn == 0 and i not in (0, 2, 6, 8)"),
    "opens on a1 only": _skip("turn == 0 and i"),
    "opens in the first row only": _skip("turn == 0 and i > 2"),
    "opens on a1, b1 or b2 only": _skip("turn == 0 and i not in (0, 1, 4)"),
    "opens on the heaviest cell": _skip("turn == 0 and weights[i] < max(weights)"),
    "never opens on a negative cell": _skip("turn == 0 and weights[i] < 0"),
    "never replies in the centre": _skip("turn == 1 and i == 4"),
    "never replies in a corner": _skip("turn == 1 and i in (0, 2, 6, 8)"),
    "negative cells last": _skip("weights[i] < 0 and any(w >= 0 and not c for w, c in zip(weights, cells))"),
    "stops after eight moves": (("turn == 9", "turn == 8"),),
    "looks six moves ahead": (("turn == 9", "turn == 6"),),
    "greedy": ((_ANSWER, 'return "Takahashi" if sum(sorted(weights)[::-2]) * 2 > sum(weights) else "Aoki"'),),
    "the total decides": ((_ANSWER, 'return "Takahashi" if sum(weights) > 0 else "Aoki"'),),
    "the centre decides": ((_ANSWER, 'return "Takahashi" if weights[4] > 0 else "Aoki"'),),
    "second player first": (("value(1, 0)", "value(-1, 0)"),),
    "names swapped": (("== 1 else", "!= 1 else"),),
    "always Takahashi": ((_ANSWER, 'return "Takahashi"'),),
    "always Aoki": ((_ANSWER, 'return "Aoki"'),),
    "middle row read backwards": ((_KEY, "weights[3:6] = weights[3:6] if turn else weights[5:2:-1]\n        " + _KEY),),
}
"""The mistakes by name, as replacements in the text of the solution."""

TIES_TO_THE_FIRST: Changes = ((_COMPARED, "first >= second"),)


def source(changes: Changes) -> str:
    """Return the text of a wrong solution."""
    text = SOURCE
    for old, new in changes:
        assert old in text, f"{old!r} is not in the solution"
        text = text.replace(old, new)
    return text


@cache
def solver(changes: Changes = ()) -> Callable[[list[int]], str]:
    """Return the function `solve` of a wrong solution, so that a test need not start a process for each board.

    It keeps its answers, because tests ask for the same boards again.
    """
    names: dict[str, Callable[[list[int]], str]] = {}
    exec(compile(source(changes), "solution", "exec"), names)
    answer = cache(lambda *weights: names["solve"]([*weights]))
    return lambda weights: answer(*weights)
