"""What `yomikiri hitblow match` shows besides sentences: the bar of chances for a person, JSON for a program."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import click

from yomikiri.cli.terminal import window
from yomikiri.hitblow.match.advice import MatchAdvice, Prospect
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import write_match
from yomikiri.wording import _
from yomikiri.wording.match import share


def win_bar(win: Fraction) -> None:
    """Show a chance of winning as a bar from me to the opponent, for a person."""
    if not sys.stdout.isatty():
        return
    room = max(4, min(40, window() - 30))
    mine = round(win * room)
    left, right = _("you {chance}").format(chance=share(win)), _("they {chance}").format(chance=share(1 - win))
    click.echo(f"  {left} {'█' * mine}{'░' * (room - mine)} {right}")


def document(assistant: MatchAssistant) -> dict[str, Any]:
    """Where a match stands, and the proposal if it is my turn."""
    match, outcome = assistant.match, assistant.outcome
    shown: dict[str, Any] = {
        "match": write_match(match),
        "to_move": None if assistant.to_move is None else str(assistant.to_move),
        "outcome": None if outcome is None else str(outcome.winner or "draw"),
        "count": match.known(Side.ME).count,
        "their_count": match.known(Side.OPPONENT).count,
    }
    if outcome:
        return shown
    pace = assistant.pace
    finds = [pace.within(guesses) for guesses in range(1, len(pace.finish.counts) + 1)]
    opponent = assistant.advisor.opponent
    shown |= {"opponent": opponent.name, "they_find_within": finds, "pace_of": opponent.stand_in.name}
    if assistant.to_move is Side.ME:
        return shown | _advice(assistant.advice)
    return shown | {"win": float(assistant.standing.win), "win_error": assistant.standing.error}


def _advice(advice: MatchAdvice) -> dict[str, Any]:
    reason = advice.reason
    told: dict[str, Any] = {"motive": str(reason.motive)}
    if reason.rival:
        told["rival"] = _prospect(reason.rival)
    if reason.guesses:
        told |= {"guesses": reason.guesses, "ours": float(reason.ours), "theirs": float(reason.theirs)}
    return {
        **_prospect(advice.proposed),
        "win_error": advice.error,
        "reason": told,
        "basis": str(advice.basis),
        **({"unread": str(advice.unread)} if advice.unread else {}),
    }


def _prospect(shown: Prospect) -> dict[str, Any]:
    return {"guess": shown.guess, "hit": float(shown.hit), "win": float(shown.win)}
