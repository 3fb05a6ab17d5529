"""`yomikiri hitblow suggest`, `candidates` and `review`: one query, one result, for people and programs."""

from __future__ import annotations

import sys

import click

from yomikiri.api.queries_hitblow import COMPARE, CandidatesQuery, ReviewQuery, SuggestQuery
from yomikiri.cli.base import command, echo_json, json_option, option
from yomikiri.cli.hitblow_shared import probability_table, review_table, with_game_query
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.text import say
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.model.codes import decode_all
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.settings import Conflict, HelpHeading
from yomikiri.wording import hitblow as wording
from yomikiri.wording import items as items_wording
from yomikiri.wording import review as review_wording

# A JSON document contains at most `MOST_IN_JSON` candidates, because each of them needs about 300 bytes of memory. The
# text output is printed in parts of at most `MOST_AT_ONCE` candidates.
MOST_IN_JSON = 1 << 20
MOST_AT_ONCE = 1 << 16


@command(conflicts=SuggestQuery.CONFLICTS)
@with_game_query(SuggestQuery, takes_turns=True, fixed={COMPARE.name: "1"})
@json_option
def suggest(question: SuggestQuery, as_json: bool) -> None:
    """Suggest the next guess after TURNS, each GUESS:ANSWER such as 012:0H1B, and say why."""
    game, known = question.game, question.known
    advice, items = found = question.answer(search_budget())
    if as_json:
        echo_json(question.document(found))
        return
    if known.solved:
        say(wording.found(known.turns))
        return
    if items:
        say(items_wording.advised(items, known.rules))
        if also := items_wording.others(items, question.alternatives):
            say(also)
    say(wording.proposal(advice, len(known.turns) + 1))
    if advice.sampled:
        say(wording.sampled())
    for line in (wording.outlook(advice), wording.why(advice, game.words), *wording.others(advice)):
        if line:
            say(line)
    if known.facts and known.slips.most:
        say(wording.candidate_counts(known))
    if known.facts and known.count > 1:
        say(wording.likeliest(known))


@command(conflicts=(Conflict(("table",), beside="json"),))
@with_game_query(CandidatesQuery, takes_turns=True)
@option("--table", is_flag=True, group=HelpHeading.OUTPUT,
        help="Show the chance of each symbol in each place instead of the codes.")  # fmt: skip
@json_option
def candidates(question: CandidatesQuery, table: bool, as_json: bool) -> None:
    """List the codes that fit TURNS, each GUESS:ANSWER such as 012:0H1B.

    If some are more likely than others, the most likely come first, each with its probability.
    """
    known = question.answer()
    if as_json:
        if known.count > MOST_IN_JSON:
            raise InputError(
                N_("{given} candidates are too many for one JSON document: add turns until {limit} or fewer remain"),
                given=known.count,
                limit=MOST_IN_JSON,
            )
        echo_json(question.document(known))
    elif table:
        probability_table(known)
    elif known.weights is not None:
        chances = sorted(known.chances().tolist(), reverse=True)
        for code, chance in zip(known.likeliest(known.count), chances, strict=True):
            click.echo(f"{code} {wording.percent(chance)}")
    else:
        for start in range(0, known.count, MOST_AT_ONCE):
            click.echo("\n".join(decode_all(known.rules, known.candidates[start : start + MOST_AT_ONCE])))


@command()
@with_game_query(ReviewQuery, takes_turns=True, required=True)
@json_option
def review(question: ReviewQuery, as_json: bool) -> None:
    """Review a game: what each guess cost, which was best, and how lucky the answers were.

    TURNS are the guesses with their answers, each GUESS:ANSWER such as 012:0H1B.
    """
    words = question.game.words
    if sys.stdout.isatty() and not as_json:
        from yomikiri.cli.hitblow_reviewed import legend, review_lines
        from yomikiri.hitblow.practice.lessons import report

        found = report(question.known, Exact(question.seconds), search_budget())
        assert found.review, "it is that of a board alone"
        say(*review_lines(found, words), *review_wording.summary(found.review, words), legend(found))
        return
    judged = question.answer(search_budget())
    if as_json:
        echo_json(question.document(judged))
    else:
        review_table(judged, words)
