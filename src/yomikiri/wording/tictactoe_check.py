"""Sentences about a tested program, in the current language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from yomikiri.common.errors import TimeLimitError
from yomikiri.wording import _, joined
from yomikiri.wording.tictactoe import line_of_play, player_name

if TYPE_CHECKING:
    from yomikiri.tictactoe.advice import Advice
    from yomikiri.tictactoe.checker import Finding
    from yomikiri.tictactoe.mistakes import Mistake
    from yomikiri.tictactoe.position import Tie

# Limit on the number of mistakes that a message lists, because a longer list does not help.
_MOST_MISTAKES = 3


def found_fault(found: Finding, advice: Advice, tie: Tie | None) -> str:
    """Return the information on a failing board: its number, best play, and the suspected mistakes."""
    play = line_of_play(advice)
    if advice.winner is None and tie and tie.player:
        counted = _("With --tie {tie} a draw counts as a win for {player}.")
        play = joined(play, counted.format(tie=tie, player=player_name(tie.player)))
    if isinstance(found.fault, TimeLimitError):
        lines = [_("found on board {number}. {play}").format(number=found.number, play=play), slowest_board(found)]
    else:
        reduced = _("found on board {number}; the board above is a reduced version. {play}")
        lines = [reduced.format(number=found.number, play=play), indicated(found.mistakes)]
    return "\n".join(filter(None, lines))


def indicated(mistakes: Sequence[Mistake]) -> str:
    """Return the sentence on mistakes that a program with a wrong answer to a board may contain, or an empty string."""
    if not mistakes:
        return ""
    *others, last = (_(mistake.text).format(line=mistake.line) for mistake in mistakes[:_MOST_MISTAKES])
    clauses = [_(", that ").join(others), last] if others else [last]
    return _("Programs that {mistakes} get this board wrong.").format(mistakes=_(", or that ").join(clauses))


def slowest_board(found: Finding) -> str:
    """Return the sentence on the board that took the program longest to answer; "" if it answered for no board."""
    if found.slowest is None:
        return ""
    board, seconds = found.slowest
    text = _("The slowest board before it took {seconds} s: {board}")
    return text.format(seconds=f"{seconds:.2f}", board=board)
