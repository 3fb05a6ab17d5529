"""`yomikiri hitblow suggest`, `candidates` and `review`: one answer to one question, for people and programs."""

from __future__ import annotations

import click

from yomikiri.cli.base import Idle, command, echo_json, json_option, option
from yomikiri.cli.hitblow_shared import (
    ALTERNATIVES_IDLE,
    SECONDS_IDLE,
    SEED_IDLE,
    advice_options,
    game_options,
    items_of,
    probability_table,
    reading,
    review_table,
    seconds_option,
    slips_options,
    weights_option,
)
from yomikiri.cli.text import say
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.codes import decode_all
from yomikiri.hitblow.game import Game
from yomikiri.hitblow.items import ASKING
from yomikiri.hitblow.judgement import review as judge
from yomikiri.hitblow.policies import policy_named
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.wording import hitblow as wording
from yomikiri.wording import items as items_wording
from yomikiri.wording.contradictions import consistent

# A document holds an object a candidate in memory, about 300 bytes; text is written part by part.
MOST_IN_JSON = 1 << 20
MOST_AT_ONCE = 1 << 16


@command(
    help="Suggest the next guess after TURNS, each GUESS:HINT such as 012:0H1B, and say why.",
    idle=(SECONDS_IDLE, SEED_IDLE, ALTERNATIVES_IDLE),
)
@click.argument("turns", nargs=-1)
@advice_options
@json_option
def suggest(
    game: Game,
    policy: str,
    seconds: float,
    seed: int,
    alternatives: int,
    items: str,
    item_takes_turn: bool,
    as_json: bool,
) -> None:
    """The next guess."""
    known = consistent(game)
    chooser = policy_named(policy, seed, alternatives, seconds=seconds)
    mine = items_of(items, item_takes_turn, game.rules, len(known.facts), ASKING)
    assistant = Assistant(known, chooser, reading(), mine)
    advice = assistant.compared
    if as_json:
        from yomikiri.documents import hitblow as documents

        echo_json(documents.suggestion(advice, assistant.item_advice))
        return
    if assistant.finished:
        say(wording.found(known.turns))
        return
    if assistant.item_advice:
        say(items_wording.advised(assistant.item_advice, assistant.known.rules))
        if also := items_wording.others(assistant.item_advice, alternatives):
            say(also)
    say(wording.proposal(advice, len(known.turns) + 1))
    if advice.sampled:
        say(wording.sampled())
    for line in (wording.outlook(advice), wording.why(advice, game.words), *wording.others(advice)):
        if line:
            say(line)
    if known.facts and known.slips.most:
        say(wording.left(known))
    if known.facts and known.count > 1:
        say(wording.likeliest(known))


@command(
    help="List the codes that fit TURNS, each GUESS:HINT such as 012:0H1B; where some are likelier than others, the "
    "likeliest first, each with its probability.",
    idle=(Idle(("table",), beside="as_json"),),
)
@click.argument("turns", nargs=-1)
@game_options
@weights_option
@slips_options
@option("--table", is_flag=True, help="Show the chance of each symbol in each place instead of the codes.")
@json_option
def candidates(game: Game, table: bool, as_json: bool) -> None:
    """What can still be the secret."""
    known = consistent(game)
    if as_json:
        if known.count > MOST_IN_JSON:
            raise InputError(
                N_("{given} candidates are too many for one JSON document: give turns until at most {limit} are left"),
                given=known.count,
                limit=MOST_IN_JSON,
            )
        from yomikiri.documents import hitblow as documents

        echo_json(documents.candidates(known))
    elif table:
        probability_table(known)
    elif known.weights is not None:
        chances = sorted(known.chances().tolist(), reverse=True)
        for code, chance in zip(known.likeliest(known.count), chances, strict=True):
            click.echo(f"{code} {wording.percent(chance)}")
    else:
        for start in range(0, known.count, MOST_AT_ONCE):
            click.echo("\n".join(decode_all(known.rules, known.candidates[start : start + MOST_AT_ONCE])))


@command(
    help="Review a game: for each of TURNS, each GUESS:HINT such as 012:0H1B, the best guess, how many guesses your "
    "choice cost, and how lucky the hint was.",
)
@click.argument("turns", nargs=-1, required=True)
@game_options
@weights_option
@slips_options
@seconds_option
@json_option
def review(game: Game, seconds: float, as_json: bool) -> None:
    """A game judged."""
    judged = judge(consistent(game), Exact(seconds), reading())
    if as_json:
        from yomikiri.documents import hitblow as documents

        echo_json(documents.review(judged))
        return
    review_table(judged, game.words)
