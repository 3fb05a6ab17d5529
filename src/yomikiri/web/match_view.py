"""What the page of a match shows, as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from yomikiri.errors import RulesError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.opponents import Pace
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.rules import Hint, Rules, Turn
from yomikiri.web.hitblow_view import Answers, Change, Line, MendChoice, answers
from yomikiri.web.match_address import MatchAddress
from yomikiri.wording import web as wording


def next_answers(address: MatchAddress, guess: str) -> Answers:
    """The hints for the guess of the side to move."""
    side = address.match.to_move
    assert side
    return answers(address.match.known(side), guess, address.words, lambda hint: address.after(Turn(guess, hint)))


def other_answers(address: MatchAddress, line: int, guess: str) -> Answers:
    """The hints for line `line`, if its guess was `guess`; a hit ends a match, so only the last line can win."""
    match = address.match
    side = match.mover(line - 1)
    board = tuple(match.turns[other] for other in match.lines(side) if other != line - 1)
    known = Knowledge(match.sought(side), match.known(side).absent, board)
    found = answers(known, guess, address.words, lambda hint: address.with_turns({line: Turn(guess, hint)}))
    if line == len(match.turns):
        return found
    possible = tuple(answer for answer in found.possible if not answer.wins)
    return Answers(guess, possible, tuple(answer for answer in found.others if not answer.wins))


@dataclass(frozen=True, slots=True)
class Round:
    """A row of the boards: a line of the first player and one of the second, None where there is none."""

    first: Line | None
    second: Line | None


def rounds(address: MatchAddress, game: MatchAssistant) -> list[Round]:
    """Both boards, round by round; lines that may be wrong are marked."""
    suspects = {line for repair in game.repairs for line in repair.lines}
    lines: list[Line | None] = [
        Line(number, turn, write_hint(turn.hint, address.words), number in suspects)
        for number, turn in enumerate(address.match.turns, start=1)
    ]
    if len(lines) % 2:
        lines.append(None)
    return [Round(first, second) for first, second in zip(lines[::2], lines[1::2], strict=True)]


def mends(address: MatchAddress, game: MatchAssistant, most: int) -> Iterator[MendChoice]:
    """The mends of a contradiction, the likeliest lines first, at most `most`."""
    turns = address.match.turns
    choices = ((repair, mend) for repair in game.repairs for mend in repair.mends)
    for _number, (repair, mend) in zip(range(most), choices, strict=False):
        mended = {line: Turn(turns[line - 1].guess, hint) for line, hint in zip(repair.lines, mend.hints, strict=True)}
        changes = (_change(address, line, turn.hint) for line, turn in mended.items())
        yield MendChoice(tuple(changes), mend.count, address.with_turns(mended))


def _change(address: MatchAddress, line: int, could: Hint) -> Change:
    turn = address.match.turns[line - 1]
    return Change(line, turn.guess, write_hint(turn.hint, address.words), write_hint(could, address.words))


@dataclass(frozen=True, slots=True)
class Showing:
    """What one side showed: every symbol that can be shown, with the match in which it was, or no longer was."""

    title: str
    choices: tuple[tuple[str, str], ...]
    told: str


def showed(address: MatchAddress) -> list[Showing]:
    """What the sides showed, first what whoever begins did, who usually has to."""
    match = address.match
    sides = [
        _showing(address, "shown", match.own_rules, match.shown, match.secret),
        _showing(address, "absent", match.rules, match.absent, ""),
    ]
    return sides if match.first is Side.ME else sides[::-1]


def _showing(address: MatchAddress, name: str, rules: Rules, told: str, secret: str) -> Showing:
    choices = []
    for symbol in rules.symbols:
        if symbol in secret:
            continue
        try:
            after = rules.check_absent(told.replace(symbol, "") if symbol in told else told + symbol)
        except RulesError:
            continue
        choices.append((symbol, address.with_term(name, after)))
    return Showing(wording.showed(name), tuple(choices), told)


# What is this certain need not be looked beyond.
_SURE = 0.9995


def soon(pace: Pace) -> list[tuple[int, float]]:
    """How likely they find my secret within 1, 2, ... guesses from now, until it is certain."""
    chances: list[tuple[int, float]] = []
    for guesses in range(1, len(pace.finish.counts) + 1):
        chances.append((guesses, pace.within(guesses)))
        if chances[-1][1] >= _SURE:
            break
    return chances
