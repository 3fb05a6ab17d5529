from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.reference.public_race import BruteRace
from tests.reference.race import SlowGame
from tests.reference.search import Reference

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Learned, Match, Side
from yomikiri.hitblow.match.notation import read_match
from yomikiri.hitblow.match.opponents import Consistent, Custom, Opponent, Perfect, PolicyPlayer
from yomikiri.hitblow.match.valuation import BestResponse, Plain, payoffs_by_depth
from yomikiri.hitblow.model.facts import Pass
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Basis, Motive, Unsolved
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.policies.base import Choice
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.policies.onestep import Likely, OneStep
from yomikiri.hitblow.search.symmetry.equivalent import distinct_guesses
from yomikiri.wording import match as wording

RULES = Rules(3, "012345")
SLOW = SlowGame(RULES)
SEARCHES = [
    (Reference(rules), rules) for rules in (Rules(2, "01234"), Rules(2, "0123", Repeats.ALL), Rules(3, "01234"))
]


def advisor(opponent: Opponent) -> Advisor:
    return Advisor(opponent, Exact(), inf)


# (match, finish distribution of the opponent, best guess, guess with the fewest guesses)
NOW = ("secret=315 me=451:0H2B they=304:1H0B me=510:0H2B they=205:1H0B", (2, 0, 1), "045", "021")
WITHIN = ("secret=203 me=103:1H0B they=154:0H0B", (0, 0, 2, 1), "024", "124")


@pytest.mark.parametrize(("text", "finishes", "best", "rival"), [NOW, WITHIN])
def test_best_guess_of_a_match_can_differ_from_the_fewest_guesses(text, finishes, best, rival):
    match = read_match(f"symbols=012345 {text}")
    player = advisor(Custom(finishes))
    advice = player.advise(match)
    assert (advice.basis, advice.unsolved, advice.error) == (Basis.PACE, None, 0)
    assert player.plain.choose(match.known(Side.ME)).guess == rival
    assert advice.reason.rival is not None
    assert (advice.proposed.guess, advice.reason.rival.guess) == (best, rival)
    assert player.propose(match) == advice.proposed
    # The chances of both guesses by exhaustive search.
    codes, theirs = tuple(match.known(Side.ME).codes()), player.pace(match)
    worth, whole = payoffs_by_depth(match, theirs), len(match.known(Side.ME).codes()) * theirs.finish.total
    assert advice.proposed.win == Fraction(SLOW.greatest_payoff(codes, worth), whole)
    assert advice.reason.rival.win == Fraction(SLOW.worth_of(rival, codes, worth), whole)
    assert advice.proposed.win > advice.reason.rival.win


def test_equal_chances_prefer_the_fewest_guesses():
    match, player = read_match("symbols=012345 me=012:0H2B they=012:0H1B"), advisor(Custom((0, 1)))
    other = BestResponse(match, player.pace(match)).best()
    advice = player.advise(match)
    assert advice.proposed.guess == player.plain.choose(match.known(Side.ME)).guess != other
    assert advice.proposed.win == player.prospect(match, other).win
    assert (advice.reason.motive, advice.reason.rival) == (Motive.BOTH, None)
    assert player.propose(match) == advice.proposed


def test_rival_that_needs_as_many_guesses_is_named_as_such():
    """56 and 67 both need the fewest guesses on average, but 56 wins more often.

    The reason names 67 as the rival, and says that it needs as many guesses.
    """
    text = "digits=2 symbols=45678 repeats=all me=45:1H0B they=67:1H0B"
    match, player = read_match(text), advisor(Consistent())
    advice, plain = player.advise(match), player.plain.choose(match.known(Side.ME)).guess
    assert advice.proposed.guess != plain
    assert advice.proposed.win > player.prospect(match, plain).win
    search = Reference(match.rules)
    codes = search.numbers(match.known(Side.ME).codes())
    both = {search.cost(search.guesses.index(guess), codes, len(codes))[0] for guess in (advice.proposed.guess, plain)}
    assert both == {search.least(codes, len(codes))[0]}
    assert advice.reason.rival is not None
    assert (advice.reason.rival.guess, advice.reason.fewer) == (plain, False)
    assert f"for {plain}, which needs as many guesses on average: " in wording.why(advice)


def test_reason_without_a_number_of_guesses_names_the_play_that_was_assumed(monkeypatch):
    """The time may end before the advantage is known; the chances are then still those against this opponent."""

    def stop(*_guesses: str) -> None:
        raise Stopped

    monkeypatch.setattr(BestResponse, "advantage", stop)
    advice = advisor(Custom(WITHIN[1])).advise(read_match(f"symbols=012345 {WITHIN[0]}"))
    assert (advice.basis, advice.reason.motive) == (Basis.PACE, Motive.RACE)
    assert "best play by both sides" not in wording.why(advice)
    exact = replace(advice, basis=Basis.RACE)
    assert "best play by both sides" in wording.why(exact)


@examples(150)
@given(seed=st.integers(0, 1 << 32), finishes=st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any))
def test_rival_needs_fewer_guesses_by_exhaustive_search(seed: int, finishes: list[int]):
    random = Random(seed)
    search, rules = SEARCHES[random.randrange(len(SEARCHES))]
    secret, guesses = random.choice([*rules.secrets()]), random.choices([*rules.secrets()], k=2)
    turns = tuple(Turn(guess, hint(guess, secret)) for guess in guesses if guess != secret)
    lines = (line for turn in turns for line in (turn, Learned(Side.OPPONENT, Pass())))
    match = Match(rules, rules, facts=tuple(lines))
    advice = advisor(Custom(tuple(finishes))).advise(match)
    codes = search.numbers(match.known(Side.ME).codes())
    least = search.least(codes, len(codes))[0]
    needed = search.cost(search.guesses.index(advice.proposed.guess), codes, len(codes))[0]
    if advice.reason.rival:
        assert search.cost(search.guesses.index(advice.reason.rival.guess), codes, len(codes))[0] == least
        assert advice.reason.fewer is (needed > least)
        assert ("which needs the fewest" in wording.why(advice)) is (needed > least)
    else:
        assert needed == least


def test_unproven_policy_names_no_rival():
    match = read_match("symbols=012345 me=012:0H1B they=345:0H1B")
    unproven = Advisor(Custom((1, 2, 3)), OneStep("entropy"), inf).advise(match)
    assert (unproven.reason.motive, unproven.reason.rival) == (Motive.MOST, None)


def test_advice_plays_for_the_win_now_if_they_finish_next_turn():
    text, finishes, *_ = NOW
    match, player = read_match(f"symbols=012345 {text}"), advisor(Custom(finishes))
    assert player.pace(match).within(1) == 1
    advice = player.advise(match)
    assert advice.reason.motive is Motive.NOW
    assert advice.reason.rival is not None
    assert (advice.proposed.hit, advice.reason.rival.hit) == (Fraction(1, 4), Fraction(0))
    assert advice.proposed.win == Fraction(1, 4)


def test_advice_maximizes_finds_within_the_remaining_guesses():
    """The proposed guess is no candidate, but finds all 18 codes within three guesses. Its rival finds only 17."""
    text, finishes, *_ = WITHIN
    match = read_match(f"symbols=012345 {text}")
    advice = advisor(Custom(finishes)).advise(match)
    reason = advice.reason
    assert reason.rival is not None
    assert (advice.proposed.hit, reason.rival.hit) == (Fraction(0), Fraction(1, 18))
    assert (reason.motive, reason.guesses) == (Motive.WITHIN, 3)
    assert (reason.ours, reason.theirs) == (Fraction(1), Fraction(17, 18))
    codes = tuple(match.known(Side.ME).codes())
    assert SLOW.greatest_payoff(codes, (1, 1, 1)) == 18


def test_advice_uses_my_secret_to_estimate_the_remaining_guesses():
    """With probability 4/5, the opponent needs two guesses to find my secret, so that I have two.

    In two guesses, 378 finds 5 of the 6 codes, although it is no candidate.
    """
    text = "shown=7 secret=138 me=012:0H1B they=925:0H0B me=134:1H1B they=863:0H2B me=156:1H0B they=631:1H1B"
    player, match = advisor(Consistent()), read_match(text)
    assert player.pace(match).within(1) == pytest.approx(1 / 5)
    assert player.pace(match).within(2) == 1
    advice = player.advise(match)
    assert advice.reason.rival is not None
    assert (advice.proposed.guess, advice.reason.rival.guess) == ("378", "147")
    assert (advice.reason.motive, advice.reason.guesses) == (Motive.WITHIN, 2)
    assert (advice.reason.ours, advice.reason.theirs) == (Fraction(5, 6), Fraction(4, 6))


@pytest.mark.parametrize("first", Side)
@pytest.mark.parametrize("equal_turns", [False, True])
def test_chance_of_a_guess_is_the_mean_over_its_answers(first, equal_turns):
    rules = Rules(3, "01234")
    assistant = MatchAssistant(Match(rules, rules, first, equal_turns=equal_turns), advisor(Custom((1, 4, 9, 9, 2))))
    if first is Side.OPPONENT:
        assistant = assistant.take("they", "012:0H1B")
    while assistant.to_move:
        if assistant.to_move is Side.OPPONENT:
            assistant = assistant.take("they", "034:0H2B")
            continue
        known, guess = assistant.match.known(Side.ME), assistant.advice.proposed.guess
        mean = Fraction(0)
        for answer, size in known.cells(guess).items():
            later = assistant.answer(answer)
            won = later.standing.win if later.to_move else Fraction(later.outcome is not None)
            mean += Fraction(size, known.count) * won
        assert mean == assistant.advice.proposed.win == assistant.standing.win
        assistant = assistant.answer(max(known.cells(guess), key=lambda answer: known.cells(guess)[answer]))


def test_lost_match_still_has_advice():
    """The opponent certainly finds my secret in this turn, so an immediate hit draws and later ones lose."""
    match = read_match("symbols=012345 equal-turns=1 me=012:0H1B they=012:0H1B")
    advice = advisor(Custom((0, 1))).advise(match)
    assert advice.proposed.win == advice.proposed.hit / 2 > 0


def test_unsolved_advice_states_the_cause():
    late = Advisor(Consistent(), OneStep("entropy"), -1.0).advise(read_match("me=012:0H1B they=012:0H1B"))
    assert (late.basis, late.unsolved) == (Basis.PLAIN, Unsolved.TIME)
    large = Advisor(Consistent(), Likely(), inf).advise(read_match("digits=4 symbols=01234567"))
    assert (large.basis, large.unsolved) == (Basis.PLAIN, Unsolved.TOO_LARGE)
    assert large.error > 0


def test_search_unlikely_to_end_in_time_is_not_started():
    match = read_match("digits=4 secret=0123 me=4567:1H1B they=4567:0H0B")
    brief = Advisor(Consistent(), OneStep("entropy"), 0.2)
    assert brief.unweighed(match) is Unsolved.TIME
    assert replace(brief, seconds=2.0).unweighed(match) is None


@pytest.mark.usefixtures("no_machine_code")
def test_advice_without_machine_code_uses_plain_play():
    advice = Advisor(Consistent(), OneStep("entropy")).advise(read_match("me=012:0H1B they=012:0H1B"))
    assert (advice.basis, advice.unsolved) == (Basis.PLAIN, Unsolved.NO_MACHINE_CODE)


def test_plain_chance_equals_the_wins_of_its_policy():
    """The reference plays the policy against every secret, and counts wins over the opponent's finish distribution."""
    policy, finishes = OneStep("entropy"), (1, 5, 9, 4)
    match = read_match("symbols=01234 me=012:0H1B they=012:0H1B")
    plain = Plain(match, Custom(finishes).pace(match.known(Side.OPPONENT)), policy)
    won = 0
    for found in match.known(Side.ME).codes():
        known, guesses = match.known(Side.ME), 0
        while not known.solved:
            guess = policy.choose(known).guess
            known, guesses = known.after(Turn(guess, hint(guess, found))), guesses + 1
        won += sum(finishes[guesses:])  # they have already made a guess, and I move first
    expected = Fraction(won, match.known(Side.ME).count * sum(finishes[1:]))
    assert plain.standing() == plain.win(plain.best()) == expected


def test_plain_guess_is_searched_once_even_if_it_fails():
    """An interrupted search is not cached, so a second one would take as long and fail again."""
    match, asked = read_match("digits=4 me=0123:0H1B they=0123:0H1B"), []

    @dataclass(frozen=True)
    class Slow(OneStep):
        def choose(self, known: Knowledge, budget: Budget = UNLIMITED) -> Choice:
            asked.append(known)
            return super().choose(known, budget)

    advice = Advisor(Custom((1,) * 9), Slow("entropy"), seconds=0).advise(match)
    assert advice.basis is Basis.PLAIN
    assert asked.count(match.known(Side.ME)) == 1


def test_plain_play_stops_with_its_budget():
    """When the budget is spent, random candidates replace the guesses of the policy. The result is not cached."""
    match, policy = read_match("digits=4 symbols=01234 repeats=all"), OneStep("entropy")
    theirs = Custom((1,) * 8).pace(match.known(Side.OPPONENT))
    reports: list[Progress] = []
    late = Plain(match, theirs, policy, Budget(states=5, progress=reports.append))
    standing = late.standing()
    assert [progress.states for progress in reports] == [1, 2, 3, 4, 5], "the same play tells the chance and its error"
    assert 0 < standing < 1
    assert standing != Plain(match, theirs, policy).standing()
    assert Plain(match, theirs, policy).error == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "own"),
    [
        pytest.param(Rules(2, "0123"), Rules(2, "0123"), marks=pytest.mark.exhaustive),
        pytest.param(Rules(2, "012", Repeats.ALL), Rules(2, "012", Repeats.ALL), marks=pytest.mark.exhaustive),
        (Rules(2, "0123"), Rules(2, "abc", Repeats.ALL)),
    ],
    ids=["2 of 4", "2 of 3, repeats", "different rules"],
)
def test_perfect_advice_agrees_with_a_brute_force_race(rules, own):
    """The reference is a brute-force race on sets of codes. I move first or second, with and without equal turns."""
    for equal_turns in (False, True):
        for first in Side:
            sought = {Side.ME: rules, Side.OPPONENT: own}
            brute = BruteRace(sought[first], sought[first.other], equal=equal_turns)
            match = Match(rules, own, first, equal_turns=equal_turns)
            while (side := match.to_move) and not match.last_chance:
                mine, theirs = (frozenset(match.known(of).codes()) for of in (side, side.other))
                closing = side is not first
                player = advisor(Perfect())
                if side is Side.ME:
                    advice = player.advise(match)
                    assert advice.basis is Basis.RACE
                    assert advice.proposed.win == brute.win(mine, theirs, closing)
                    assert advice.proposed.win == brute.chance(advice.proposed.guess, mine, theirs, closing)
                    guess = advice.proposed.guess
                else:
                    assert player.standing(match).win == 1 - brute.win(mine, theirs, closing)
                    guess = min(mine)
                match = match.play(Turn(guess, next(iter(match.known(side).cells(guess)))))


def test_chance_is_exact_only_without_samples_and_substitutes():
    known, unknown, sampled = map(
        read_match,
        (
            "secret=314 me=012:0H1B they=345",
            "me=012:0H1B they=345:0H0B",
            "secret-digits=5 me=012:0H1B they=34567:0H1B",
        ),
    )
    for match, opponent, exact in (
        (known, Consistent(), True),
        (unknown, PolicyPlayer("entropy", OneStep("entropy")), True),
        (sampled, Consistent(), False),
    ):
        player = advisor(opponent)
        assert player.advise(match).proposed.exact == player.prospect(match, "345").exact == exact
    large = Advisor(Perfect(), Likely(), inf)
    assert not large.prospect(read_match("digits=4 symbols=0123456"), "0123").exact


@pytest.mark.parametrize("opponent", [Consistent(), Custom((0, 0, 2, 1))])
def test_rank_lists_the_guesses_with_the_best_chances(opponent):
    match = read_match("symbols=012345 me=012:0H1B they=345:0H1B me=130:0H2B they=345:0H1B")
    player = advisor(opponent)
    ranking = player.rank(match, player.advise(match).proposed.guess, most=3)
    known, every = match.known(Side.ME), {code: player.prospect(match, code).win for code in match.rules.secrets()}
    different = distinct_guesses(known, sorted(every, key=lambda code: -every[code]))
    assert [prospect.win for prospect in ranking.best] == [every[code] for code in different[:3]]
    assert ranking.candidate.win == max(every[code] for code in known.codes())
    assert known.is_candidate(ranking.candidate.guess)


def test_large_races_are_not_solved():
    for text, unsolved in (
        ("secret-digits=4 secret-symbols=0123456", Unsolved.TOO_LARGE),
        ("digits=4 symbols=0123456", Unsolved.TOO_LARGE),
        ("digits=5 symbols=01234 repeats=guess me=01234:2H3B they=01234:2H3B", Unsolved.TOO_LARGE),
    ):
        advice = Advisor(Perfect(), Likely(), inf).advise(read_match(text))
        assert (advice.unsolved, advice.opponent) == (unsolved, "consistent")


def test_all_searches_for_one_advice_share_a_deadline(monkeypatch: pytest.MonkeyPatch):
    """Each search runs until its deadline, and only the searches advance the clock of the test.

    The race gets half of the time, so that the search after it has some, too.
    """
    now, sought = 100.0, []

    def spend(budget: Budget) -> None:
        nonlocal now
        sought.append(budget.until - now)
        now = max(now, budget.until)
        raise Stopped

    class Endless:
        error = 0.0

        def __init__(self, *given: Any) -> None:
            self.budget = given[-1]

        def best(self) -> None:
            spend(self.budget)

        standing = best

        def win(self, _guess: str) -> None:
            spend(self.budget)

    monkeypatch.setattr("yomikiri.common.budget.monotonic", lambda: now)
    monkeypatch.setattr("yomikiri.hitblow.match.advice.Public", Endless)
    monkeypatch.setattr("yomikiri.hitblow.match.advice.BestResponse", Endless)
    match = read_match("symbols=01234567 me=012:0H1B they=012:0H1B")
    asked = Advisor(Perfect(), OneStep("entropy"), 2.0)
    assert (asked.advise(match).unsolved, now, sought) == (Unsolved.TIME, 102.0, [1.0, 1.0])
    for ask in (asked.standing, asked.propose, lambda match: asked.prospect(match, "345")):
        before = now
        ask(match)
        assert now == before + 2.0

    class Unproving(Exact):
        def _with_search(self, known: Knowledge, budget: Budget, _ask: object) -> Any:
            spend(self._allowed(known, budget))

    before = now
    assert Advisor(Perfect(), Unproving(2.0), 2.0).advise(match).basis is Basis.PLAIN
    assert now == before + 2.0
