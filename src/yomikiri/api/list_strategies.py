"""Strategy files for lists of codes: reading them verifies everything except the lower bound of the cost.

The lower bound is the claim of a file that no strategy has a smaller total of guesses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from msgspec import to_builtins

from yomikiri.api.results_guessing import DecisionNodeJson, ListJson, ListStrategyFile
from yomikiri.common.errors import N_, Place, StrategyFault, usable
from yomikiri.common.strategy_json import WHOLE, choice, maybe, number, only, parse, read, read_tree, text
from yomikiri.guessing.answers import ANSWER_KINDS, kind_named
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.lists import digest
from yomikiri.guessing.results import SolvedGame
from yomikiri.guessing.strategy import DecisionNode, verify

_LIST = {"count": number, "sha256": text}
_SHAPE = {
    "format": only("yomikiri-list-strategy"),
    "version": only(1),
    "answers": only(*ANSWER_KINDS),
    "guess_rule": choice(GuessRule),
    "within": maybe(number),
    "secrets": _LIST,
    "guesses": _LIST,
    "turns": [text],
    "total": number,
    "bound": number,
    "histogram": [number],
    "tree": lambda value, _place: read_tree(value, DecisionNode, text, empty=True),
}
# Limit for the nested brackets of a file: each guess of the tree nests two. The tree can be deeper than in Hit & Blow,
# because a guess may exclude only one code.
_MAX_NESTING = 800


def write_list_strategy(position: Position, solved: SolvedGame) -> str:
    """Return the text of a strategy file for a position: a JSON object with one line for each key.

    `verified_strategy` reads such a text.
    """
    game = position.game
    file = ListStrategyFile(
        format="yomikiri-list-strategy",
        version=1,
        answers=game.answers.NAME,  # type: ignore[arg-type]  # one of the names in `ANSWER_KINDS`
        guess_rule=game.guess_rule,
        within=game.guess_limit,
        secrets=_secrets_of(game),
        guesses=_guesses_of(game),
        turns=[str(turn) for turn in position.turns],
        total=solved.total,
        bound=solved.bound,
        histogram=list(solved.histogram),
        tree=DecisionNodeJson.of(solved.strategy),
    )
    parts = (f'"{key}": {json.dumps(part, ensure_ascii=False)}' for key, part in to_builtins(file).items())
    return "{" + ",\n ".join(parts) + "}\n"


def _secrets_of(game: Game) -> ListJson:
    return ListJson(len(game.secrets), digest(zip(game.secrets, game.weights, strict=True)))


def _guesses_of(game: Game) -> ListJson:
    return ListJson(len(game.guesses), digest((guess, 0) for guess in game.guesses))


def verified_strategy(data: bytes, secrets: Iterable[str], guesses: Iterable[str]) -> tuple[Position, SolvedGame]:
    """Verify a strategy file for these lists by playing every secret. Return its start position and its strategy.

    `secrets` and `guesses` are as for `Game`: `secrets` may be a mapping of codes to weights. The file states the other
    rules of the game.

    Raises a `StrategyFault` if the file cannot be read or is for other lists. Also raises it if the strategy misses a
    secret, makes a guess that the rules do not allow, or has other costs than the file states. Raises an `InputError`
    if the lists do not describe a game.
    """
    file = read(parse(data, _MAX_NESTING), WHOLE, _SHAPE)
    plain, tree = Game(secrets, guesses, kind_named(file["answers"])), file["tree"]
    with usable(Place("guess_rule")):
        game = Game(secrets, guesses, plain.answers, file["guess_rule"], file["within"])
    _check_list("secrets", ListJson(**file["secrets"]), _secrets_of(game))
    _check_list("guesses", ListJson(**file["guesses"]), _guesses_of(game))
    with usable(Place("turns")):
        position = game.start.after_all(file["turns"])
        position.require_candidates()
    solved = SolvedGame(tree.guess, tree, verify(tree, position), file["bound"])
    for name, counted in (("histogram", list(solved.histogram)), ("total", solved.total)):
        if (given := file[name]) != counted:
            raise StrategyFault(
                N_("at {place}: {given}: the tree gives {counted}"),
                place=Place(name), given=str(given), counted=str(counted),
            )  # fmt: skip
    if solved.bound > solved.total:
        raise StrategyFault(N_("at {place}: {given}: expected at most the total of the tree, {total}"),
                            place=Place("bound"), given=solved.bound, total=solved.total)  # fmt: skip
    return position, solved


def _check_list(name: str, stated: ListJson, given: ListJson) -> None:
    """Raise a `StrategyFault` if the user's list, `given`, is not the list that the file is for, `stated`.

    `name` is the key of the list in the file.
    """
    if stated.count != given.count:
        raise StrategyFault(
            N_("at {place}: the file is for a list of {stated:code|codes}, and the given list has {given}"),
            place=Place(name), stated=stated.count, given=given.count,
        )  # fmt: skip
    if stated != given:
        raise StrategyFault(
            N_("at {place}: the file is for another list of {given:code|codes}: some codes or weights differ"),
            place=Place(name), given=given.count,
        )  # fmt: skip
