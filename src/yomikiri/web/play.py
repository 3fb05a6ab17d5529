"""The page of a game against the program: nothing about it is kept anywhere but in its address.

    /play?v=1&seed=k3x9&me=012&me=345&hint=2           the program keeps a secret, the person guesses
    /play?v=1&seed=k3x9&race=1&level=fewest&first=opponent&secret=314&they=012&me=345
    /play?v=1&day=2026-11-22                           the number of that day, the same for everyone

The rules are those of `/hitblow`. The address holds the guesses of both; hints are computed, and so is the next guess
of the program, to whose address the page leads on. An address without a seed leads to one with a fresh seed.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.budget import Budget
from yomikiri.enums import choice
from yomikiri.errors import N_, CodeError, InputError, YomikiriError
from yomikiri.hitblow.advice import suggest
from yomikiri.hitblow.game import rules_of, rules_pairs, words_of
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import LABELS, SIDES
from yomikiri.hitblow.notation import parse_code, parse_guess, write_hint
from yomikiri.hitblow.play import Level, Play, perfect_plays
from yomikiri.hitblow.rules import Hint, Turn, Words
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import VERSION, Pairs, check_version, typed, with_values
from yomikiri.web.judged import judged
from yomikiri.web.limits import MATCH_SECONDS, MOST_PLAYED, POLICY, check_rules, check_turns
from yomikiri.web.pages import begin, page
from yomikiri.wording import LANGUAGES, sentence
from yomikiri.wording import hitblow as wording
from yomikiri.wording import web as web_wording
from yomikiri.wording import web_play as play_wording

PATH = "/play"
_SEE_OTHER = 303
_LISTED = 200  # codes that were still possible


@dataclass(frozen=True)
class Address:
    """The game, what its players call hits and blows, the day whose number it is, in which turns a hint was asked for,
    whether the person gave up, and what is typed of the next guess."""

    play: Play = Play()
    words: Words = Words.HIT
    day: str = ""
    hints: tuple[int, ...] = ()
    given_up: bool = False
    lang: str | None = None
    guess: str = ""

    def __str__(self) -> str:
        return f"{PATH}?{urlencode(self.kept, safe=',')}"

    @property
    def kept(self) -> Pairs:
        """What a form sends along: all but what is typed."""
        play = self.play
        told = [("me", guess) for guess in play.guesses]
        if play.race:
            told = [(LABELS[side], guess) for side, guess in play.in_order()]
        listed = ",".join(map(str, self.hints))
        return [*self._terms, *told, *with_values([("hint", listed), ("give-up", "1" if self.given_up else "")])]

    @property
    def _terms(self) -> Pairs:
        play = self.play
        opened = [
            ("day", self.day),
            ("seed", "" if self.day else play.seed),
            ("absent", play.barred),
            *([("race", "1"), ("level", str(play.level)), ("first", str(play.first)),
               ("handicap", "1" if play.handicap else "0"),
               ("secret", play.secret), ("shown", play.shown)] if play.race else []),
            ("lang", self.lang or ""),
        ]  # fmt: skip
        usual = {("level", str(Level.CONSISTENT)), ("first", str(Side.ME)), ("handicap", "1")}
        told = [pair for pair in with_values(opened) if pair not in usual]
        return [("v", VERSION), *rules_pairs(play.rules, self.words), *told]

    @property
    def turn(self) -> int:
        """The number of the person's next guess."""
        return len(self.play.board.played) + 1

    @property
    def hinted(self) -> Address:
        """The page with a hint for the next guess."""
        return replace(self, hints=tuple(sorted({*self.hints, self.turn})))

    def after(self, guess: str) -> Address:
        """The page after a guess of the person."""
        return replace(self, play=self.play.guess(guess), guess="")

    @property
    def up(self) -> Address:
        """The page after the person gave up."""
        return replace(self, given_up=True)

    @property
    def again(self) -> str:
        """Another game under the same terms; a secret belongs to the game that is over."""
        pairs = [pair for pair in self._terms if pair[0] not in ("seed", "day", "secret", "shown")]
        return f"{PATH}?{urlencode(pairs)}"

    @property
    def shared(self) -> str:
        """The game for someone else, in the language that they prefer; a race from its start, without my secret."""
        pairs = [pair for pair in self._terms if pair[0] not in ("secret", "shown")] if self.play.race else self.kept
        return f"{PATH}?{urlencode([pair for pair in pairs if pair[0] != 'lang'], safe=',')}"

    def having(self, **changes: Any) -> Address:
        """The page with other terms."""
        return replace(self, play=replace(self.play, **changes))


def read(query: Sequence[tuple[str, str]]) -> Address | None:
    """Read the query of an address, None where it has no seed; raises an `InputError`."""
    told = dict(query)
    check_version(told)
    day = _day(told["day"]) if "day" in told else ""
    if not day and "seed" not in told:
        return None
    if day and "seed" in told:
        raise InputError(N_("seed= and day= each name a secret: give one of them"))
    rules, words = check_rules(rules_of(told)), words_of(told)
    guesses = {side: tuple(parse_guess(value, rules) for name, value in query if SIDES.get(name) is side)
               for side in Side}  # fmt: skip
    for side in Side:
        check_turns(guesses[side], MOST_PLAYED)
    play = Play(
        rules,
        f"day-{day}" if day else told["seed"],
        choice(told, "race", ("0", "1"), "0") == "1",
        choice(told, "level", Level, Level.CONSISTENT),
        choice(told, "first", Side, Side.ME),
        choice(told, "handicap", ("0", "1"), "1") == "1",
        parse_code(told.get("secret", ""), rules),
        parse_code(told.get("shown", ""), rules),
        guesses[Side.ME],
        guesses[Side.OPPONENT],
        parse_code(told.get("absent", ""), rules),
    )
    hints = {int(text) for text in told.get("hint", "").split(",") if text.isdecimal() and len(text) < 3}
    lang = told["lang"] if told.get("lang") in LANGUAGES else None
    return Address(play, words, day, tuple(sorted(hints)), told.get("give-up") == "1", lang, typed(told, rules))


def _day(text: str) -> str:
    try:
        day = str(datetime.strptime(text, "%Y-%m-%d").date())
    except ValueError:
        day = ""
    if not day or day != text:  # it is the seed of the number: one day is written in one way
        raise InputError(N_("day={given}: expected a date such as 2026-11-22"), given=text)
    return day


def today(lang: str | None = None) -> str:
    """The address of today's number; a day is one of UTC, so that it is the same for everyone."""
    told = [("v", VERSION), ("day", str(datetime.now(UTC).date())), ("lang", lang or "")]
    return f"{PATH}?{urlencode(with_values(told))}"


def play(request: Request) -> Response:
    """The game in the address, after the program's guess where it is to move."""
    budget = begin(request, MATCH_SECONDS)
    query = with_values(request.query_params.multi_items())
    address = read(query)
    if address is None:
        fresh = [*query, ("seed", secrets.token_hex(5))]
        return RedirectResponse(f"{PATH}?{urlencode(fresh)}", _SEE_OTHER)
    after, wrong = told(address)
    after = replace(after, play=after.play.answered(POLICY, budget))
    if str(after) != str(address):
        return RedirectResponse(str(after), _SEE_OTHER)
    return page(request, "play.html", status=400 if wrong else 200, **shown(address, wrong, budget))


def searches_nothing(request: Request) -> bool:
    """Whether the page of the game in the address needs no search, or is an error."""
    try:
        address = read(with_values(request.query_params.multi_items()))
    except YomikiriError:
        return True
    if address is None:
        return True
    over = address.play.over or address.given_up
    return not (address.play.race or over or address.turn in address.hints)


def picture(request: Request) -> Response:
    """The result as a picture to keep."""
    begin(request)
    address = read(with_values(request.query_params.multi_items()))
    if address is None or not address.play.over:
        raise InputError(N_("the game is not over yet: finish it first"))
    answer = page(request, "result.svg", **result(address))
    answer.headers["Content-Type"] = "image/svg+xml"
    return answer


def told(address: Address) -> tuple[Address, CodeError | None]:
    """The game after what was typed, once it is all there: my secret, or else a guess; and what is wrong with it."""
    play = address.play
    if len(address.guess) < play.rules.digits or play.over or address.given_up:
        return address, None
    try:
        if play.waits_for == "secret":
            return replace(address.having(secret=play.rules.check_secret(address.guess)), guess=""), None
        return address.after(address.guess), None
    except CodeError as error:
        return address, error


def shown(address: Address, wrong: CodeError | None, budget: Budget) -> dict[str, Any]:
    """What the page shows."""
    play = address.play
    over = play.over or address.given_up
    known = play.board
    return {
        "here": PATH,
        "address": address,
        "game": play,
        "known": known,
        "words": address.words,
        "pegs": view.pegs(play.rules, address.words),
        "wording": wording,
        "name": view.title(play.rules, address.words),
        "headline": play_wording.headline(play, address.turn, given_up=address.given_up),
        "note": play_wording.note(play, address.day),
        "strips": strips(address),
        "pad": view.pad(play.rules, address.guess),
        "typed_wrongly": sentence(wrong) if wrong else None,
        "waits_for": play.waits_for,
        "levels": levels(address),
        "firsts": [(play_wording.first(side), str(address.having(first=side, shown="")), side is play.first)
                   for side in Side],
        "handicaps": [(play_wording.handicap(each), str(address.having(handicap=each)), each is play.handicap)
                      for each in (True, False)],
        "showable": [(symbol, str(address.having(shown=symbol)))
                     for symbol in play.rules.symbols if symbol not in play.secret],
        "last": last(address),
        "hinted": hinted(address, budget),
        "over": over,
        "result": result(address) if play.over else None,
        "judged": judged(known, address.words, address.lang, budget) if over and known.turns else None,
        "left": [(code, "") for code in known.codes(_LISTED)] if over and not play.won else [],
        "today": today(address.lang),
    }  # fmt: skip


def strips(address: Address) -> list[view.Strip]:
    """The turns of both."""
    play = address.play
    if not play.race or play.waits_for:
        return [_strip("", address, play.board.played)]
    return [_strip(play_wording.guesses_of(side), address, play.match.known(side).played) for side in Side]


def _strip(title: str, address: Address, turns: Sequence[Turn]) -> view.Strip:
    lines = (view.Line(number, turn.guess, turn.hint, write_hint(turn.hint, address.words), suspect="")
             for number, turn in enumerate(turns, start=1))  # fmt: skip
    return view.Strip(title, None, tuple(lines))


def levels(address: Address) -> list[tuple[str, str, bool]]:
    """How well the program can guess under these rules."""
    play = address.play
    able = [level for level in Level if level is not Level.PERFECT or perfect_plays(play.rules)]
    return [(play_wording.level(level), str(address.having(level=level)), level is play.level) for level in able]


def last(address: Address) -> list[dict[str, Any]]:
    """What was answered last: my guess, and in a race theirs."""
    play = address.play
    boards = {Side.ME: play.board}
    if play.race and not play.waits_for:
        boards[Side.OPPONENT] = play.match.known(Side.OPPONENT)
    return [
        {
            "said": play_wording.answered(side, board.played[-1].guess),
            "hint": board.played[-1].hint,
            "text": write_hint(board.played[-1].hint, address.words),
            "spoken": web_wording.hint_spoken(board.played[-1].hint, address.words),
        }
        for side, board in boards.items()
        if board.played
    ]


def hinted(address: Address, budget: Budget) -> str | None:
    """The hint for the next guess, where it was asked for."""
    play = address.play
    if play.to_move is not Side.ME or address.turn not in address.hints:
        return None
    return suggest(play.board, POLICY, compare=False, budget=budget).proposed.guess


def result(address: Address) -> dict[str, Any]:
    """How it ended, without the codes: a heading, a row of signs for each guess, and where the picture is."""
    play = address.play
    used = len([number for number in address.hints if number < address.turn])
    lines = [f"{view.title(play.rules, address.words)} {address.day}".strip(), play_wording.ended(play, used)]
    rows = [turn.hint for turn in play.board.played]
    text = "\n".join(["yomikiri", *lines, *(signs(hint, play.rules.digits) for hint in rows)])
    return {"lines": lines, "rows": rows, "digits": play.rules.digits, "text": text,
            "picture": f"/play.svg?{urlencode(address.kept)}"}  # fmt: skip


def signs(hint: Hint, digits: int) -> str:
    """A hint as signs, one for each digit."""
    return "●" * hint.hits + "○" * hint.blows + "·" * (digits - hint.hits - hint.blows)
