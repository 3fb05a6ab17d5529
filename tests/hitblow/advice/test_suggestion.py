import pytest

from yomikiri.common.errors import CodeError, ContradictionError
from yomikiri.hitblow.advice.suggestion import Figures, _gain, figures, suggest
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Measure
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.policies import POLICIES, policy_named
from yomikiri.wording.hitblow import percent


def known(*turns: str) -> Knowledge:
    return Knowledge(Rules(), "", tuple(map(Turn.parse, turns)))


def test_figures_of_the_first_guess():
    shown = figures(Knowledge(), "012")
    assert shown.is_candidate
    assert (shown.count, shown.parts, shown.largest) == (720, 9, (Hint(0, 1), 252))
    sizes = [210, 252, 63, 2, 126, 42, 3, 21, 1]
    assert shown.expected_remaining == pytest.approx(sum(c * c for c in sizes) / 720)


def test_expected_remaining_is_the_average_over_all_secrets():
    state = known("012:0H1B")
    shown = figures(state, "134")
    left = [state.after(Turn("134", hint)).count for hint, size in shown.cells for _ in range(size)]
    assert shown.expected_remaining == pytest.approx(sum(left) / len(left))


def test_gain_of_a_non_candidate_names_its_advantage():
    advice = suggest(known("012:0H1B", "134:1H0B"), policy_named("entropy"))
    assert not advice.proposed.is_candidate
    assert advice.gain is not None
    assert advice.gain.rival.is_candidate
    ours, theirs = advice.proposed, advice.gain.rival
    assert {
        Measure.EXPECTED_REMAINING: ours.expected_remaining < theirs.expected_remaining,
        Measure.PARTS: ours.parts > theirs.parts,
        Measure.LARGEST: ours.largest[1] < theirs.largest[1],
        Measure.BITS: ours.bits < theirs.bits,
    }[advice.gain.measure]


def test_candidate_has_no_gain():
    advice = suggest(Knowledge(), policy_named("entropy"))
    assert advice.proposed.is_candidate
    assert advice.gain is None
    assert advice.policy == "entropy"
    assert advice.count == 720
    assert len(advice.alternatives) == 5


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_gives_advice_with_consistent_figures(policy):
    rules = Rules(repeats=Repeats.GUESS)
    state = Knowledge(rules, "9", (Turn("012", Hint(0, 1)),))
    advice = suggest(state, policy_named(policy))
    for shown in (advice.proposed, *advice.alternatives):
        assert shown.count == state.count
        assert shown.is_candidate == state.is_candidate(shown.guess)


def test_advice_for_a_contradiction_or_an_invalid_guess_is_refused():
    with pytest.raises(ContradictionError):
        suggest(known("012:0H0B", "345:0H0B", "678:0H0B"))
    with pytest.raises(ContradictionError):
        figures(known("012:0H0B", "345:0H0B", "678:0H0B"), "012")
    with pytest.raises(CodeError, match=" more than once: use"):
        figures(Knowledge(), "011")


def test_gain_names_the_first_better_measure():
    def of(*sizes: int, guess: str = "345") -> Figures:
        return Figures(guess, guess == "345", tuple((Hint(0, i), size) for i, size in enumerate(sizes)))

    for ours, theirs, measure in (
        ((5, 5, 2), (6, 5, 1), Measure.EXPECTED_REMAINING),
        ((9, 1, 1, 1), (6, 3, 3), Measure.PARTS),
        ((6, 3, 3), (6, 3, 3), None),
        ((9, 1, 2), (6, 3, 3), None),
    ):
        gain = _gain(of(*ours, guess="987"), of(*theirs))
        assert (gain.measure if gain else None) is measure


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0%"), (0.00069, "0.069%"), (1 / 720, "0.1%"), (0.35, "35%"), (0.994, "99%"), (0.9993, "99.9%"),
     (1 - 1 / 5040, "99.9%"), (sum([0.1] * 10), "100%"), (1, "100%")],
)  # fmt: skip
def test_percent_shows_100_only_for_certainty(share: float, said: str):
    assert percent(share) == said


def test_equally_good_guesses_have_the_same_value():
    known = Knowledge().after(Turn.parse("012:0H1B")).after(Turn.parse("345:1H1B"))
    for name in ("entropy", "most-parts", "expected-size", "minimax", "exact"):
        advice = suggest(known, policy_named(name, alternatives=30), compare=True)
        order = [shown in advice.equally_good for shown in advice.alternatives]
        assert order == sorted(order, reverse=True), "the equally good ones come first"
        if name != "exact":
            sizes = sorted(size for _hint, size in advice.proposed.cells)
            alike = [sorted(size for _hint, size in shown.cells) == sizes for shown in advice.alternatives]
            assert all(same <= equal for same, equal in zip(alike, order, strict=True))
    assert not suggest(known, policy_named("likely"), compare=True).equally_good
    proven = suggest(known, policy_named("exact", alternatives=30), compare=True)
    totals = {shown.outlook.total_guesses for shown in proven.equally_good if shown.outlook}
    assert totals <= {proven.proposed.outlook and proven.proposed.outlook.total_guesses}
