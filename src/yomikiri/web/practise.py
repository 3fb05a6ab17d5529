"""The page of a puzzle in Hit & Blow: a position with a guess to find, generated, or from a game of the player.

    /practise?v=1&preset=numeron&seed=k3x9&difficulty=easy&clues=1&guess=067

`clues=` is the number of clues shown, at most three. `guess=` is the guess to check. It may be incomplete. An address
without a seed redirects to an address with a new seed. A puzzle from a game has the address of that game, with
`puzzle=3` for the third guess.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.enums import Difficulty, choice, number
from yomikiri.common.errors import CodeError
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.model.game import rules_of, rules_pairs, words_of
from yomikiri.hitblow.model.labels import Unit
from yomikiri.hitblow.model.rules import Rules, Words, preset_of
from yomikiri.hitblow.practice.lessons import Report
from yomikiri.hitblow.practice.puzzles import CheckedGuess, GuessPuzzle, check, clues, from_report, generated
from yomikiri.web.cards import (
    Button,
    Buttons,
    Card,
    Chip,
    ClueCard,
    MenuRecord,
    NoPuzzle,
    OtherPuzzles,
    PageView,
    Section,
    Text,
)
from yomikiri.web.hitblow_address import typed_text
from yomikiri.web.hitblow_cards import (
    FormLink,
    TurnTable,
    answer_legend,
    colours,
    count_charts,
    guess_pad,
    turn_rows,
    turn_table,
)
from yomikiri.web.limits import POLICY, check_rules
from yomikiri.web.link import VERSION, Link, check_version, language_in
from yomikiri.web.pages import begin, page, query_of, see_other
from yomikiri.web.review_cards import grade_mark
from yomikiri.wording import _, learning, puzzles
from yomikiri.wording.hitblow import game_name
from yomikiri.wording.match import assumed_opponent
from yomikiri.wording.web import code_error, rules_short

PATH = "/practise"
_LISTED = 8  # the most candidates that the question shows as tiles
_CLUES = 3


@dataclass(frozen=True, slots=True)
class PuzzleQuery:
    """A request for a puzzle: the link to the puzzle, and the number of clues shown.

    `game` is the link to the game that the puzzle comes from, or None for a generated puzzle.
    """

    link: Link
    clues: int
    game: Link | None = None

    def value(self, name: str) -> str:
        """Return the value of a parameter of the link, or an empty string."""
        return dict(self.link.pairs).get(name, "")

    @property
    def next_clue(self) -> FormLink | None:
        """The link to the page with one more clue, or None if the page shows all clues."""
        if self.clues >= _CLUES:
            return None
        shown = self.clues + 1
        return FormLink(_("Hint {number} / 3").format(number=shown), str(self.link.but(clues=str(shown))))

    def other_puzzles(self, another: Link, of_difficulty: Callable[[Difficulty], Link]) -> OtherPuzzles:
        """Return the links to other puzzles: `another`, and one for each difficulty by `of_difficulty`.

        A puzzle from a game has no difficulty to choose.
        """
        given = self.value("difficulty")
        chips = [Chip(learning.difficulty(each), str(of_difficulty(each)), each == given)
                 for each in Difficulty if given]  # fmt: skip
        return OtherPuzzles(tuple(chips), str(another))

    def of_difficulty(self, difficulty: Difficulty) -> Link:
        """Return the link to another generated puzzle, with this difficulty."""
        return self.link.without("seed").but(difficulty=str(difficulty))


def clues_shown(parameters: dict[str, str]) -> int:
    """Return the number of clues that the address requests, at most three."""
    return min(_CLUES, number(parameters, "clues", 0))


@dataclass(frozen=True, slots=True)
class PuzzleQuestion(Card):
    """The question of a puzzle and its turns. If there are only a few candidates, `codes` contains them.

    Each symbol of these codes has a mark: True at the places in which the codes differ.
    """

    question: str
    codes: tuple[tuple[tuple[str, bool], ...], ...]
    turns: TurnTable


class _GameAddress(Protocol):
    """The address of a game. The page of a puzzle from this game needs only these two properties."""

    @property
    def words(self) -> Words: ...

    @property
    def link(self) -> Link: ...


def practise(request: Request) -> Response:
    """Return the page of the generated puzzle in the address."""
    budget = begin(request)
    parameters = dict(query_of(request))
    check_version(parameters)
    rules, words = check_rules(rules_of(parameters)), words_of(parameters)
    difficulty = choice(parameters, "difficulty", Difficulty, Difficulty.EASY)
    lang = ("lang", language_in(parameters) or "")
    pairs = [("v", VERSION), *rules_pairs(rules, words), ("difficulty", str(difficulty)), lang]
    if "seed" not in parameters:
        return see_other(Link.of(PATH, [*pairs, ("seed", secrets.token_hex(4))]))
    query = PuzzleQuery(Link.of(PATH, [*pairs, ("seed", parameters["seed"])]), clues_shown(parameters))
    try:
        puzzle = generated(rules, parameters["seed"], difficulty, budget)
    except Stopped:
        return page(request, _no_puzzle(query, rules, words))
    return page(request, puzzle_view(PuzzleTry(query, puzzle, words, typed_text(parameters, rules), budget)))


def game_puzzle(
    request: Request, address: _GameAddress, number: int, report: Report, budget: Budget, advisor: Advisor | None = None
) -> Response | None:
    """Return the page of a puzzle from a game: the position before guess `number` (from 1).

    Returns None if that position is not suitable for a puzzle.
    """
    puzzle = next((each for each in from_report(report) if each.number == number), None)
    if puzzle is None:
        return None
    parameters, link = dict(query_of(request)), address.link
    query = PuzzleQuery(link.but(puzzle=str(number)), clues_shown(parameters), link.but(review="1"))
    guess = typed_text(parameters, puzzle.board.rules)
    return page(request, puzzle_view(PuzzleTry(query, puzzle, address.words, guess, budget, advisor)))


@dataclass(frozen=True, slots=True)
class PuzzleTry:
    """A puzzle with the typed guess, and the budget for its searches.

    `advisor` evaluates the guesses of a match. It is None for a game on one board.
    """

    query: PuzzleQuery
    puzzle: GuessPuzzle
    words: Words
    typed: str
    budget: Budget
    advisor: Advisor | None = None

    @property
    def another(self) -> Link:
        """The link to another puzzle of the same kind. After a puzzle from a game, it leads to a generated puzzle."""
        query, rules = self.query, self.puzzle.board.rules
        if query.game is None:
            return query.link.without("seed")
        return Link.of(PATH, [("v", VERSION), *rules_pairs(rules, self.words), ("lang", query.value("lang"))])

    def check(self) -> tuple[CheckedGuess | None, str]:
        """Return the evaluation of the typed guess, and an error message.

        If the guess is incomplete, the evaluation is None and the message is empty. If the guess is invalid, only the
        evaluation is None. Otherwise, the message is empty.
        """
        rules = self.puzzle.board.rules
        if len(self.typed) < rules.digits:
            return None, ""
        try:
            rules.check_guess(self.typed)
        except CodeError as error:
            return None, code_error(error)
        return check(self.puzzle, self.typed, POLICY, self.advisor, self.budget), ""


def puzzle_view(given: PuzzleTry) -> PageView:
    """Build the page of a puzzle."""
    query, board = given.query, given.puzzle.board
    checked, error = given.check()
    solved = checked is not None and checked.solved
    title = learning.guess_result(checked) if checked else puzzles.question(board.count)
    typed = "" if checked and not solved else given.typed
    hidden = (*query.link.pairs, *([("clues", str(query.clues))] if query.clues else []))
    label = _("Your guess")
    pad = guess_pad(board.rules, typed, query.link.path, hidden, label, _("Check"), error)
    form = Section("typing", label, (replace(pad, waits=True, link=query.next_clue),), "card asked", is_silent=True)
    turns = turn_table(turn_rows(board.facts, given.words), _("Turns so far"))
    question = PuzzleQuestion(
        puzzles.question(board.count), _tiles(board.codes() if board.count <= _LISTED else []), turns
    )
    side = (
        *_clue_card(given),
        query.other_puzzles(given.another, query.of_difficulty),
    )
    data = (("puzzle", str(query.link)), ("solved", "1" if solved else "0")) if checked else ()
    frame = _frame(query, board.rules, given.words)
    verdict = [_verdict(given, checked)] if checked else []
    # The result of a check comes before the form, because the form fills the rest of a small screen.
    main = (question, answer_legend(board.rules), *verdict, *([] if solved else [form]))
    columns = (("main", main), ("side", side))
    return replace(frame, news=title, data=data, columns=columns, status=400 if error else 200)


def _frame(query: PuzzleQuery, rules: Rules, words: Words) -> PageView:
    """Return the page of a puzzle without its cards."""
    pegs = colours(rules, words)
    source = _("from your game") if query.game else game_name(preset_of(rules, words))
    return PageView(
        title=_("Practise"),
        name=_("Practise"),
        about=f"{source} · {rules_short(rules, pegs)}",
        columns=(),
        styles=("play.css",),
        menu=(MenuRecord(),),
        back=str(query.game or ""),
        back_label=_("Back to the game") if query.game else "",
        pegs=pegs,
    )


def _no_puzzle(query: PuzzleQuery, rules: Rules, words: Words) -> PageView:
    """Return the page for a search that found no puzzle in time."""
    another = query.link.without("seed")
    columns = (("main", (NoPuzzle(str(another)),)), ("side", (query.other_puzzles(another, query.of_difficulty),)))
    return replace(_frame(query, rules, words), columns=columns)


def _tiles(codes: Sequence[str]) -> tuple[tuple[tuple[str, bool], ...], ...]:
    """Return each code as pairs of a symbol and a mark.

    The mark is True at the places in which the codes differ. If they differ at every place, no symbol is marked.
    """
    differ = [len(set(symbols)) > 1 for symbols in zip(*codes, strict=True)]
    marked = [each and not all(differ) for each in differ]
    return tuple(tuple(zip(code, marked, strict=True)) for code in codes)


def _verdict(given: PuzzleTry, checked: CheckedGuess) -> Section:
    """Return the card with the evaluation of the checked guess.

    In a puzzle from a game, the partitions by this guess and by the guess in the game are compared only once the puzzle
    is solved.
    """
    figures = [each.played for each in (checked.before, checked.weighed) if each]
    now = _("Now")
    labels = [(_("Then"), "you"), (now, "best")] if len(figures) == 2 else [(now, "best" if checked.solved else "you")]
    parts: list[Card] = [Text(line) for line in learning.meanings(checked, given.words)]
    if checked.solved or len(figures) == 1:
        parts += [count_charts(figures, given.words, labels), Text(learning.value(checked.weighed))]
    if given.advisor and checked.weighed.unit is Unit.CHANCE:
        parts.append(Text(assumed_opponent(given.advisor.opponent.name), style="tiny"))
    buttons = [Button(_("Next puzzle"), str(given.another), "btn go")] if checked.solved else []
    if given.query.game:
        buttons.append(Button(_("Back to the game"), str(given.query.game)))
    parts.append(Buttons(tuple(buttons)))
    return Section("done", learning.guess_result(checked), tuple(parts), mark=grade_mark(checked.grade))


def _clue_card(given: PuzzleTry) -> tuple[ClueCard, ...]:
    count = given.query.clues
    if not count:
        return ()
    found = clues(given.puzzle, POLICY, given.advisor, given.budget)
    return (ClueCard(puzzles.clues(found, given.puzzle.board.rules.digits)[:count]),)
