"""The cards of a game against the program, each with its builder, and its result as a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import ClassVar

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.advice.suggestion import suggest
from yomikiri.hitblow.match.advice import Advisor, Standing, is_raced
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.opponents import Consistent, Custom
from yomikiri.hitblow.model.labels import Level
from yomikiri.hitblow.model.rules import preset_of
from yomikiri.hitblow.practice.lessons import Report
from yomikiri.hitblow.practice.play import day_of, rival
from yomikiri.hitblow.practice.puzzles import GuessPuzzle, clues
from yomikiri.web import limits
from yomikiri.web.cards import Button, Buttons, Card, ClueCard, Section, Text
from yomikiri.web.hitblow_cards import (
    FormChoice,
    FormChoices,
    FormLink,
    OwnNumber,
    PadForm,
    SymbolKeys,
    TurnRow,
    answer_legend,
    guess_pad,
    turn_table,
)
from yomikiri.web.limits import POLICY
from yomikiri.web.link import Link
from yomikiri.web.play_address import PATH, PlayAddress
from yomikiri.web.review_cards import (
    ResultCard,
    chance_curve,
    end_buttons,
    graded_turns,
    possible_codes,
    spoken_chances,
)
from yomikiri.wording import _, joined, learning, ngettext, puzzles
from yomikiri.wording import match as match_wording
from yomikiri.wording.hitblow import candidate_count, game_name, percent
from yomikiri.wording.web import (
    HIDDEN,
    chances_against,
    hint_spoken,
    level_name,
    level_note,
    of_secret,
    short_day,
)

_TERMS = ("level", "first", "handicap", "help")  # the parameters of the address that the form for a new race sets
_CLUES = 3  # the number of hints before the last hint, which is the guess itself
# Geometry of the small curve of chances: x of its first point, its width, y of the chance 0, and the height of the
# scale.
_LEFT, _WIDTH, _BOTTOM, _HEIGHT = 16, 138, 42, 38


@dataclass(frozen=True, slots=True)
class PlayInputs:
    """One request: the address, the error in the typed code, and the values that several cards need.

    `rows` are the person's turns, and `theirs` the program's. `report` is the report of a finished game, or None.
    `link` is the full URL with which a friend can guess the same secret.
    """

    address: PlayAddress
    error: str
    budget: Budget
    rows: tuple[TurnRow, ...]
    theirs: tuple[TurnRow, ...]
    is_over: bool
    report: Report | None
    link: str = ""

    @property
    def reviewed(self) -> Report | None:
        """The report if the page shows the review, otherwise None."""
        return self.report if self.address.review else None


# --- before the first guess -------------------------------------------------------------------------------------------


def choice_card(game: PlayInputs, title: str) -> Section:
    """Return the form in which the person types their secret.

    If the secret is known already, return keys for the symbols that are not in it: the person reveals one of them.
    """
    play = game.address.play
    if play.waits_for == "secret":
        note = _("The program uses your number only to answer its own guesses, never to choose them.")
        parts: tuple[Card, ...] = (_terms_pad(game), Text(note))
    else:
        keys = ((symbol, str(game.address.with_play(shown=symbol)), False)
                for symbol in play.rules.symbols if symbol not in play.secret)  # fmt: skip
        note = _("The first player reveals a digit, because going first is an advantage.")
        parts = (Text(note), OwnNumber(play.secret, is_up=True), SymbolKeys(tuple(keys)))
    return Section("now", title, parts, "card asked", is_main=True)


def _terms_pad(game: PlayInputs) -> PadForm:
    """Return the form for the terms of a race, such as its level, and for the person's secret."""
    address, play = game.address, game.address.play
    levels = [level for level in Level if level is not Level.PERFECT or is_raced(play.rules)]
    choices = tuple(FormChoice(level, level_name(level), level_note(level), level is play.level) for level in levels)
    hidden = [pair for pair in address.game_parameters if pair[0] not in _TERMS]
    pad = guess_pad(play.rules, address.guess, PATH, hidden, _("Choose your number"), _("Start"), game.error)
    return replace(pad, size="m", waits=True, choices=FormChoices(_("Difficulty"), "level", choices),
                   settings=_settings(address))  # fmt: skip


def _settings(address: PlayAddress) -> tuple[FormChoices, ...]:
    """Return the choices of the further terms of a race: the first player, the handicap and the help."""
    play = address.play
    sides = ((Side.ME, _("You")), (Side.OPPONENT, _("The program")))
    handicaps = ((True, _("reveals a digit")), (False, _("reveals no digit")))
    helps = ((True, _("show chances")), (False, _("no help")))
    first = tuple(FormChoice(side, text, chosen=side is play.first) for side, text in sides)
    handicap = tuple(FormChoice(str(int(each)), text, chosen=each is play.handicap) for each, text in handicaps)
    helped = tuple(FormChoice(str(int(each)), text, chosen=each is address.helped) for each, text in helps)
    return (
        FormChoices(_("Who goes first?"), "first", first),
        FormChoices(_("The first player"), "handicap", handicap),
        FormChoices(_("Help"), "help", helped),
    )


def play_alone(address: PlayAddress) -> Buttons:
    """Return the link to a game with the same rules in which only the person guesses."""
    alone = address.again.without("race", *_TERMS)
    return Buttons((Button(_("Without a match: only I guess"), str(alone), "btn quiet"),), style="")


# --- in play ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EmptyBoard(Card):
    """The board before the first guess: face-down tiles for `digits` symbols, and a note."""

    digits: int
    note: str


@dataclass(frozen=True, slots=True)
class ChanceSpark(Card):
    """The person's chance to win, with a small curve of the chances so far.

    Each of `points` is (x, y, radius) in units of the picture. `model` says in words which level of the program the
    chance assumes.
    """

    chance: str
    model: str
    spoken: str
    points: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class RaceBoards(Card):
    """The boards of both sides in a race, with the person's own `secret`.

    `my_count` and `their_count` are the numbers of candidates in words, or empty if the help is off.
    """

    digits: int
    rows: tuple[TurnRow, ...]
    theirs: tuple[TurnRow, ...]
    secret: str
    my_count: str
    their_count: str


@dataclass(frozen=True, slots=True)
class NotesLegend(Card):
    """The legend of the marks with which the player annotates symbol keys.

    The script shows it when there are such marks.
    """


def boards(game: PlayInputs) -> tuple[Card, ...]:
    """Return the turns so far. In a race, also return the program's turns and the person's chance."""
    address, play = game.address, game.address.play
    digits, label = play.rules.digits, _("Your guesses")
    legend = answer_legend(play.rules)
    if not play.race:
        if not game.rows:
            note = _beat(address) or of_secret("The program has chosen a number. Find it.", address.words)
            return EmptyBoard(digits, note), legend
        return Section("", "", (turn_table(game.rows, label, whole=True),), label=label), legend
    counts = "", ""
    if address.helped:
        counts = candidate_count(play.board.count), candidate_count(play.match.known(Side.OPPONENT).count)
    chances = _chances(game) if address.helped else []
    return (
        *([_spark(address, chances)] if chances else []),
        RaceBoards(digits, game.rows, game.theirs, play.secret, *counts),
        legend,
    )


def program_advisor(address: PlayAddress) -> Advisor:
    """Return the advisor that computes the person's chances against an opponent of the program's level."""
    # The level RANDOM has no model. Each of its random guesses finds the secret with the probability 1 /
    # `secret_count`. In a match of few turns, this is nearly the same as finding the secret equally often at each turn.
    model = rival(address.play.level, POLICY) or Custom((1,) * address.play.rules.secret_count)
    return Advisor(model, POLICY, limits.MATCH_SECONDS)


def program_model(address: PlayAddress) -> tuple[str, ...]:
    """Return the sentences that say for which opponent the person's chances of winning are computed.

    The first sentence names the level of the program. Except at the level CONSISTENT, a second sentence names the
    opponent for which estimated chances are computed instead.
    """
    level = address.play.level
    stand_in = () if level is Level.CONSISTENT else (match_wording.estimate_note(Consistent().name),)
    return chances_against(level), *stand_in


def _chances(game: PlayInputs) -> list[Standing | None]:
    """Return the person's chance to win before each of their guesses, and now.

    A chance is None if there was no time to compute it.
    """
    found, advisor, match = [], program_advisor(game.address), game.address.play.match
    # At this level, the program makes no random choice, so its guesses are a function of the person's secret. With the
    # secret, the chance would assume a person who predicts every guess of the program, so it is computed without the
    # secret.
    if game.address.play.level is Level.FEWEST:
        match = replace(match, secret="")
    for line in range(len(match.facts) + 1):
        before = replace(match, facts=match.facts[:line])
        if before.to_move is Side.ME:
            found.append(_chance(before, advisor, game.budget))
    return found


@lru_cache(256)  # Incomplete results are not cached, because a call that raises `Stopped` has no result.
def _found_chance(match: Match, advisor: Advisor, budget: Budget) -> Standing:
    found = advisor.standing(match, budget)
    if advisor.opponent.watches and found.unsolved:
        raise Stopped  # The chance found is based on another model of the program, so it is rejected.
    return found


def _chance(match: Match, advisor: Advisor, budget: Budget) -> Standing | None:
    """Return the person's chance against the program at its level, or None if the time was too short.

    A chance that is based on another model of the program counts as unknown.
    """
    try:
        return _found_chance(match, advisor, budget)
    except Stopped:
        return None


def _spark(address: PlayAddress, chances: list[Standing | None]) -> ChanceSpark:
    """Return the card of the person's chance to win. Its curve leaves out unknown chances."""
    now, level = chances[-1], level_name(address.play.level)
    step = _WIDTH / max(len(chances) - 1, 1)
    known = [(at, float(each.win)) for at, each in enumerate(chances) if each]
    points = tuple((round(_LEFT + step * at), round(_BOTTOM - _HEIGHT * win), 5 if at == len(chances) - 1 else 4)
                   for at, win in known)  # fmt: skip
    if now is None:
        return ChanceSpark("–", _("No time to compute your chance against level {level}").format(level=level),
                           spoken_chances([win for _at, win in known]), points)  # fmt: skip
    chance = percent(now.win, exact=now.exact)
    against = _("to win against level {level}").format(level=level)
    return ChanceSpark(chance, against, spoken_chances([win for _at, win in known]), points)


def guess_form(game: PlayInputs, title: str) -> tuple[Card, ...]:
    """Return the form for the next guess, below the requested hints. The last hint fills in the guess."""
    address, count = game.address, game.address.clues
    found: tuple[ClueCard, ...] = ()
    filled = ""
    if count and address.play.to_move is Side.ME:
        board = address.play.board
        guess = suggest(board, POLICY, compare=False, budget=game.budget).proposed.guess
        given = puzzles.clues(clues(GuessPuzzle(board, guess), POLICY, budget=game.budget), board.rules.digits)
        found = (ClueCard(given[:count]),)
        filled = guess if count > len(given) else ""
    text = _("Hint {number} / 3").format(number=count + 1) if count < _CLUES else _("Show the guess")
    link = None if count > _CLUES else FormLink(text, str(address.hinted))
    typed = address.guess or filled
    pad = guess_pad(address.play.rules, typed, PATH, address.game_parameters, title, _("Guess"), game.error)
    pad = replace(pad, size="m", waits=True, notes=True, link=link, absent=address.play.absent)
    return (*found, Section("now", title, (pad,), "card asked", is_main=True, is_silent=True))


def about(address: PlayAddress) -> Section:
    """Return the card that describes the game. It has a button to undo the last guess, if that is possible."""
    play, hints = address.play, len(address.hinted_guesses)
    if address.day:
        text = Text(_("One number a day, the same for everyone. Your first result counts."))
    elif play.race:
        text = _about_race(address)
    else:
        text = Text(of_secret(HIDDEN, address.words))
    parts = (
        *([Text(_beat(address), style="")] if address.beat and address.play.guesses else []),
        text,
        *([Text(_("Hints so far: {count}").format(count=hints))] if hints else []),
        NotesLegend(),
        *([Buttons((), undo=str(address.undone))] if address.undone else []),
    )
    return Section("about", _("This match") if play.race else _("This game"), parts)


def _beat(address: PlayAddress) -> str:
    """Return a sentence with the number of guesses that a friend needed for this number. Empty if no friend sent it."""
    if not address.beat:
        return ""
    text = ngettext("Can you beat {count}? A friend found this number in {count} guess.",
                    "Can you beat {count}? A friend found this number in {count} guesses.", address.beat)  # fmt: skip
    return text.format(count=address.beat)


def _about_race(address: PlayAddress) -> Text:
    play = address.play
    said = [_("You went first.") if play.first is Side.ME else _("The program went first.")]
    if play.shown:
        said.append(_("{symbol} is not in your number.").format(symbol=play.shown))
    elif play.absent:
        said.append(_("{symbol} is not in its number.").format(symbol=play.absent))
    difficulty = _("Difficulty: {level} ({note})")
    said.append(difficulty.format(level=level_name(play.level), note=level_note(play.level)))
    return Text(reduce(joined, said))


# --- the end ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DayResults(Card):
    """The results of all days so far. The script fills in the results, which it stores in the browser."""


@dataclass(frozen=True, slots=True)
class ForeignDay(Card):
    """The note that the guesses at a number of the day (the same secret for everyone) were made in another browser.

    `today` is the address of the game with today's number. The script shows this note, because the list of guesses made
    in a browser is stored only there.
    """

    today: str


@dataclass(frozen=True, slots=True)
class ShareCard(Card):
    """The result of a game to share: a title, a line of signs for each guess, and a link.

    The signs do not reveal any symbol of a code. `link` leads to a game with the same secret, and `challenge` invites a
    friend to play it. `spoken` is the result in words. `picture` is the address of a picture of the result, or empty.
    """

    title: str
    lines: tuple[str, ...]
    link: str
    spoken: str
    picture: str
    challenge: str


@dataclass(frozen=True, slots=True)
class FinalBoards(Card):
    """The turns of both sides after a match. Each side has a title and its turns."""

    boards: tuple[tuple[str, tuple[TurnRow, ...]], ...]


@dataclass(frozen=True, slots=True)
class ResultPicture:
    """The result of a game as a picture, with a row of marks for each guess.

    A mark is (x, y, shape) for each digit, in which the shape is `hit`, `blow` or `none`.
    """

    template: ClassVar[str] = "result.svg"

    width: int
    height: int
    name: str
    result: str
    streak: str
    link: str
    marks: tuple[tuple[int, int, str], ...]
    shared: str = ""
    pegs: str = ""
    status: int = 200


def _ended(address: PlayAddress, guesses: int) -> str:
    """Return the result of a game in words: the number of guesses and of hints."""
    if address.play.won:
        text = ngettext("{count} guess", "{count} guesses", guesses)
    elif address.play.over:
        text = ngettext("Lost after {count} guess", "Lost after {count} guesses", guesses)
    else:
        text = ngettext("Stopped after {count} guess", "Stopped after {count} guesses", guesses)
    hints = sum(number < address.turn for number in address.hinted_guesses)
    used = ngettext("{count} hint", "{count} hints", hints).format(count=hints)
    return _(", ").join([text.format(count=guesses), *([used] if hints else [])])


def result_card(game: PlayInputs, title: str) -> ResultCard:
    """Return the card of the result, which shows the program's secret."""
    address, play = game.address, game.address.play
    title = title if play.over else _("You gave up")
    ended = _ended(address, len(game.rows))
    if play.over and not play.won:
        ended = _("The program found {code} first").format(code=play.secret)
    notes = [ended, *_margin(game)]
    if game.report and play.over:
        notes.append(learning.verdict(game.report))
    if address.beat:
        notes.append(_comparison(address))
    ending = "won" if play.won else "lost" if play.over else "given-up"
    whose = (_("Its number"), OwnNumber(play.secret, is_up=True)) if play.race else ("", None)
    return ResultCard(title, play.program_secret, tuple(filter(None, notes)), ending, *whose)


def _margin(game: PlayInputs) -> list[str]:
    """Return notes on a finished match: its level and, if the person won, how many candidates the program had left."""
    play = game.address.play
    if not play.race or not play.over:
        return []
    if not play.won:
        return [_("Level: {level}").format(level=level_name(play.level))]
    count = play.match.known(Side.OPPONENT).count
    message = ngettext("Level {level}: the program had {count} candidate left.",
                       "Level {level}: the program had {count} candidates left.", count)  # fmt: skip
    return [message.format(level=level_name(play.level), count=f"{count:,}")]


def _comparison(address: PlayAddress) -> str:
    """Return a sentence that compares the result with that of the friend who sent the challenge."""
    mine, theirs = len(address.play.board.played), address.beat
    if not address.play.won or mine > theirs:
        return _("Your friend needed {theirs} and wins.").format(theirs=theirs)
    if mine == theirs:
        return _("Your friend needed {theirs}, too: a draw.").format(theirs=theirs)
    return _("Your friend needed {theirs}: you win.").format(theirs=theirs)


def end_of_play(game: PlayInputs, title: str) -> tuple[Card, ...]:
    """Return the main cards of a finished game: result, text to share, both boards of a lost match, and buttons."""
    address, play = game.address, game.address.play
    review = str(address.with_parts(review=True)) if game.report else ""
    again = Button(_("Another number") if address.day else _("Play again"), str(address.again))
    lost = play.race and play.over and not play.won
    if lost:
        again = Button(_("Rematch, other side first"), str(address.rematch))
    boards = FinalBoards(((_("You"), game.rows), (_("Program"), game.theirs)))
    return (
        result_card(game, title),
        *([_share(game)] if play.over else []),
        *([boards] if lost else []),
        end_buttons(again, review),
    )


def after_end(game: PlayInputs) -> tuple[Card, ...]:
    """Return the cards next to the result: graded guesses, curve of chances, results of days, remaining candidates."""
    play = game.address.play
    curve = chance_curve(game.report, program_model(game.address)) if game.report else None
    graded = [graded_turns(game.report, game.address.words, _("With a hint"))] if game.report else []
    return (
        *(graded if play.won or not play.race else []),
        *([curve] if curve else []),
        *([DayResults()] if game.address.day else []),
        *([] if play.won else [possible_codes(play.board)]),
    )


def _share(game: PlayInputs) -> ShareCard:
    """Return the result as a text to share. It contains no digit of any code."""
    address, rules = game.address, game.address.play.rules
    hints = [turn.hint for turn in address.play.board.played]
    lines = tuple(learning.signs(hint, rules.digits) for hint in hints)
    spoken = "".join(f"{hint_spoken(hint, address.words)}; " for hint in hints)
    picture = Link.of("/play.svg", address.game_parameters)
    challenge = _("Challenge a friend: the link leads to the same number.")
    if address.play.won and not address.day:
        count = len(hints)
        message = ngettext("Challenge a friend: can they beat {count} guess?",
                           "Challenge a friend: can they beat {count} guesses?", count)  # fmt: skip
        challenge = message.format(count=count)
    return ShareCard(_share_title(address), lines, game.link, f"{_ended(address, len(hints))}: {spoken}",
                     str(picture), challenge)  # fmt: skip


def _share_title(address: PlayAddress) -> str:
    """Return the first line of a shared result: the day or the name of the game, and the number of guesses."""
    count = len(address.play.board.played)
    if not address.day:
        name = game_name(preset_of(address.play.rules, address.words))
        return f"yomikiri · {name} · {_ended(address, count)}"
    hints = sum(number < address.turn for number in address.hinted_guesses)
    parts = [f"yomikiri {short_day(day_of(address.day))}", str(count) if address.play.won else "–"]
    if hints:
        parts.append(ngettext("{count} hint", "{count} hints", hints).format(count=hints))
    return " · ".join(parts)


def result_picture(address: PlayAddress, link: str, streak: int = 0) -> ResultPicture:
    """Build the picture of a result. The marks of a guess are sorted, so that they do not show any place.

    `link` is the URL below the marks. `streak` is the number of days in a row, which the browser sends.
    """
    rules, turns = address.play.rules, address.play.board.played
    marks = []
    for row, turn in enumerate(turns):
        for place in range(rules.digits):
            shape = "hit" if place < turn.hint.hits else "blow" if place < turn.hint.hits + turn.hint.blows else "none"
            marks.append((50 + 44 * place, 138 + 44 * row, shape))
    name = address.day or game_name(preset_of(rules, address.words))
    width, height = max(60 + 44 * rules.digits, 360), 190 + 44 * len(turns)
    days = _("{days} days in a row").format(days=streak) if streak > 1 else ""
    return ResultPicture(width, height, name, _ended(address, len(turns)), days, link, tuple(marks))
