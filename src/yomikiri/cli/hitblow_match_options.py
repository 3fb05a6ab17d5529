"""The options of a match: its terms, whose names are those of its text, and the model of the opponent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from yomikiri.cli.base import Option, Seconds, seed_option
from yomikiri.cli.hitblow_options import Game, rule_options, secret_rule_options
from yomikiri.cli.hitblow_views import Reading, policy_at_hand
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import play_pair, split_pair
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, OPPONENTS, opponent_named
from yomikiri.hitblow.notation import Words, parse_code
from yomikiri.hitblow.policies import exact
from yomikiri.hitblow.policies.exact import SECONDS
from yomikiri.hitblow.rules import Rules


@dataclass(frozen=True, slots=True)
class Play:
    """What the options and arguments say: the match with its advisor, and the words to speak in."""

    assistant: MatchAssistant
    words: Words


def match_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the terms of a match and its turns; it is called with `play=Play(...)` in their place."""

    @click.argument("turns", nargs=-1)
    @rule_options
    @click.option("--first", cls=Option, type=click.Choice([str(side) for side in Side]), default=str(Side.ME),
                  show_default=True, help="Who moves first.")  # fmt: skip
    @click.option("--secret", cls=Option, default="", help="Your own secret, so that the program answers for you.")
    @click.option("--shown", cls=Option, default="", help="Symbols that you showed: your secret does not use them.")
    @click.option("--equal-turns", cls=Option, is_flag=True,
                  help="The second player completes the turn; the same number of guesses is a draw.")  # fmt: skip
    @secret_rule_options
    @click.option("--opponent", cls=Option, type=click.Choice(OPPONENTS), default=DEFAULT_OPPONENT, show_default=True,
                  help="How the opponent plays.")  # fmt: skip
    @click.option("--finishes", cls=Option, default="",
                  help="For --opponent custom: how often they find a secret with guess 1, 2, 3, ...")  # fmt: skip
    @click.option("--seconds", cls=Option, type=Seconds(min=0), default=SECONDS, show_default=True,
                  help="Time to read the race out.")  # fmt: skip
    @seed_option
    @wraps(command)
    def with_match(
        *args: Any,
        game: Game,
        turns: tuple[str, ...],
        first: str,
        secret: str,
        shown: str,
        equal_turns: bool,
        own_rules: Rules,
        opponent: str,
        finishes: str,
        seconds: float,
        seed: int,
        **rest: Any,
    ) -> Any:
        match = Match(
            game.rules,
            own_rules,
            Side(first),
            game.absent,
            parse_code(shown, own_rules),
            parse_code(secret, own_rules),
            equal_turns,
        )
        for text in turns:
            match = play_pair(match, *split_pair(text), game.words)
        plain = policy_at_hand(exact.NAME)
        advisor = Advisor(opponent_named(opponent, plain, finishes, seed), plain, seconds, tick=Reading())
        return command(*args, play=Play(MatchAssistant(match, advisor), game.words), **rest)

    return with_match
