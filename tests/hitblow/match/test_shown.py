"""Shown winning chances compared with the results of played matches."""

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import inf, sqrt

import pytest

from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, MatchOutcome, Side
from yomikiri.hitblow.match.opponents import Opponent, Perfect, PolicyPlayer
from yomikiri.hitblow.match.valuation import shared_race
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Rules, Turn, hint
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.race.finish import Finish

ENTROPY = OneStep("entropy")
STANDARD = pytest.param(Rules(), marks=pytest.mark.release, id="standard")


def handicap(rules: Rules, first: Side) -> Match:
    """Return a match in which the first player reveals the last symbol."""
    match, shown = Match(rules, rules, first), rules.symbols[-1]
    return replace(match, shown=shown) if first is Side.ME else replace(match, absent=shown)


def advisor(opponent: Opponent) -> Advisor:
    return Advisor(opponent, Exact(), inf)


def played_out(assistant: MatchAssistant, found: str) -> float:
    """Play the suggestions against the entropy policy; return 1 for a win, 0.5 for a draw and 0 for a loss."""
    while side := assistant.to_move:
        if side is Side.ME:
            assistant = assistant.answer(hint(assistant.advice.proposed.guess, found))
        else:
            assistant = assistant.hear(ENTROPY.choose(assistant.match.known(Side.OPPONENT)).guess)
    assert assistant.outcome
    return {Side.ME: 1.0, None: 0.5, Side.OPPONENT: 0.0}[assistant.outcome.winner]


@pytest.mark.slow
def test_shown_chance_is_the_share_of_wins_with_equal_turns():
    """The test plays 20,000 seeded matches against the entropy policy.

    The guesses of this policy depend on my secret only, so the results of equal matches are cached.
    """
    rules, player, chance = Rules(3, "0123"), advisor(PolicyPlayer("entropy", ENTROPY)), random.Random(5)

    @cache
    def begun(secret: str, first: Side) -> MatchAssistant:
        return MatchAssistant(Match(rules, rules, first, secret=secret, equal_turns=True), player)

    @cache
    def alike(finish: Finish) -> str:
        """Return a representative of the secrets that the opponent finds at the same time."""
        return next(code for code in codes if begun(code, Side.ME).pace.finish == finish)

    @cache
    def end(secret: str, found: str, first: Side) -> float:
        return played_out(begun(secret, first), found)

    codes = Match(rules, rules).known(Side.ME).codes()
    shown = won = squares = 0.0
    for _ in range(20_000):
        secret, found, first = chance.choice(codes), chance.choice(codes), chance.choice(list(Side))
        shown += float(begun(secret, first).standing.win)
        worth = end(alike(begun(secret, first).pace.finish), found, first)
        won += worth
        squares += worth * worth
    error = sqrt(squares - won * won / 20_000)
    assert abs(won - shown) < 4 * error
    assert 0.3 < won / 20_000 < 0.7


def by_hint(guess: str, codes: Iterable[str]) -> dict[Hint, list[str]]:
    groups: dict[Hint, list[str]] = defaultdict(list)
    for code in codes:
        groups[hint(guess, code)].append(code)
    return groups


def finders(known: Knowledge, codes: list[str], guesses: int = 1) -> dict[int, list[str]]:
    """Group codes by the number of guesses that the entropy policy needs to find them."""
    found: dict[int, list[str]] = defaultdict(list)
    guess = ENTROPY.choose(known).guess
    for answer, group in by_hint(guess, codes).items():
        hit = answer == known.rules.win
        later = {guesses: group} if hit else finders(known.after(Turn(guess, answer)), group, guesses + 1)
        for at, some in later.items():
            found[at] += some
    return found


def winners(player: Advisor, match: Match, codes: list[str]) -> list[str]:
    """Return the secrets of the opponent against which the suggestions beat the entropy policy; my secret is fixed."""
    side = match.to_move
    if side is None:
        return codes if match.outcome == MatchOutcome(Side.ME) else []
    if side is Side.OPPONENT:
        guess = ENTROPY.choose(match.known(side)).guess
        return winners(player, match.play(Turn(guess, match.answer(guess))), codes)
    guess = player.propose(match).guess
    groups = by_hint(guess, codes).items()
    return [code for answer, group in groups for code in winners(player, match.play(Turn(guess, answer)), group)]


@pytest.mark.parametrize("rules", [Rules(3, "01234"), STANDARD], ids=str)
@pytest.mark.parametrize("first", Side)
def test_shown_chance_is_the_share_of_won_matches(first, rules):
    """The test plays 20,000 seeded matches with a revealed symbol against the entropy policy.

    Only the time at which the policy finds my secret matters, so one secret for each time is sufficient.
    """
    player, start, chance = advisor(PolicyPlayer("entropy", ENTROPY)), handicap(rules, first), random.Random(11)
    mine, theirs = start.known(Side.OPPONENT).codes(), start.known(Side.ME).codes()
    shown: dict[str, float] = {}
    won: dict[str, set[str]] = {}
    for alike in finders(start.known(Side.OPPONENT), mine).values():
        match = replace(start, secret=alike[0])
        win, found = player.standing(match).win, set(winners(player, match, theirs))
        assert win == Fraction(len(found), len(theirs)), "exact, since so is the pace"
        shown |= dict.fromkeys(alike, float(win))
        won |= dict.fromkeys(alike, found)
    matches = [(chance.choice(mine), chance.choice(theirs)) for _ in range(20_000)]
    share = sum(found in won[secret] for secret, found in matches) / len(matches)
    expected = sum(shown.values()) / len(mine)
    assert 0.4 < expected < 0.7
    assert abs(share - expected) < 4 * sqrt(expected * (1 - expected) / len(matches))


def test_shown_chance_is_the_share_of_wins_of_perfect_players():
    """The test plays 20,000 seeded matches between two perfect players."""
    rules, player = Rules(3, "0123"), advisor(Perfect())
    start = Match(rules, rules)
    codes = start.known(Side.ME).codes()

    @cache
    def proposed(match: Match) -> str:
        return player.advise(match).proposed.guess

    @cache
    def won(mine: str, theirs: str) -> bool:
        match, secrets = start, {Side.ME: mine, Side.OPPONENT: theirs}
        while side := match.to_move:
            # The opponent sees the match from the other side.
            view = match if side is Side.ME else replace(match, first=match.first.other)
            guess = proposed(view)
            match = match.play(Turn(guess, hint(guess, secrets[side.other])))
        assert match.outcome
        return match.outcome.winner is Side.ME

    chance = random.Random(7)
    share = sum(won(chance.choice(codes), chance.choice(codes)) for _ in range(20_000)) / 20_000
    shown = float(player.standing(start).win)
    assert shown == pytest.approx(391 / 576)
    assert abs(share - shown) < 4 * sqrt(shown * (1 - shown) / 20_000)


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        pytest.param(Rules(3, "012345"), "2003/3600", id="3 of 6"),
        pytest.param(Rules(), "68807/120960", marks=pytest.mark.release),
    ],
    ids=str,
)
def test_perfect_players_win_exactly_the_value_over_all_secrets(rules, value):
    """The test plays all pairs of secrets (362,880 for 3 of 10) with a revealed symbol and best moves."""
    race = shared_race(rules, rules, False)
    guesses: dict[tuple[bytes, bytes], str] = {}

    @cache
    def boards(known: Knowledge, guess: str) -> list[Knowledge]:
        """Return the knowledge after each answer that does not end the match."""
        return [known.after(Turn(guess, answer)) for answer in known.cells(guess) if answer != known.rules.win]

    def won(mine: Knowledge, theirs: Knowledge) -> int:
        """Return the number of pairs of secrets that the side to move wins."""
        if mine.count == 1:
            return theirs.count
        sets = mine.candidates.tobytes(), theirs.candidates.tobytes()
        if sets not in guesses:
            with race.locked() as public:
                guesses[sets] = public.moves(mine.candidates, theirs.candidates)[0]
        # A hit wins. Among the other pairs, I win those that the opponent does not win.
        return mine.count * theirs.count - sum(won(theirs, later) for later in boards(mine, guesses[sets]))

    player, start = advisor(Perfect()), handicap(rules, Side.ME)
    mine, theirs = start.known(Side.ME), start.known(Side.OPPONENT)
    share = Fraction(won(mine, theirs), mine.count * theirs.count)
    assert share == player.standing(start).win == 1 - player.standing(handicap(rules, Side.OPPONENT)).win
    assert share == Fraction(value)
