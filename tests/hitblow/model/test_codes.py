import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.hitblow.model.codes import (
    all_guesses,
    all_secrets,
    cell_sizes,
    cells_of_guesses,
    decode,
    decode_all,
    encode,
    guess_number,
    guess_numbers,
    guesses_at,
    hint_number,
    hint_places,
    hint_table,
    numbered_hint,
    possible_hints,
    secret_classes,
    secrets_answering,
    without_symbols,
)
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint

SPACES = [
    Rules(),
    Rules(1, "0"),
    Rules(2, "AB"),
    Rules(2, "0123", Repeats.GUESS),
    Rules(4, "123456", Repeats.ALL),
    Rules(6, "01", Repeats.ALL),
    Rules(5, "01234"),
]


@pytest.mark.parametrize("rules", SPACES, ids=repr)
def test_all_secrets_and_all_guesses_are_complete_and_sorted(rules):
    repeats = rules.repeats is Repeats.ALL
    assert [decode(rules, row) for row in all_secrets(rules)] == every_code(
        rules.symbols, rules.digits, repeats=repeats
    )
    free = rules.repeats is not Repeats.NONE
    assert [decode(rules, row) for row in all_guesses(rules)] == every_code(rules.symbols, rules.digits, repeats=free)
    assert len(all_secrets(rules)) == rules.secret_count


@pytest.mark.parametrize("rules", SPACES, ids=repr)
def test_hint_table_contains_the_hint_of_every_pair(rules):
    guesses, secrets = all_guesses(rules)[::7], all_secrets(rules)[::5]
    table = hint_table(guesses, secrets)
    for row, guess in zip(table, guesses, strict=True):
        for number, secret in zip(row, secrets, strict=True):
            assert numbered_hint(rules, int(number)) == hint(decode(rules, guess), decode(rules, secret))


@pytest.mark.parametrize(
    "rules",
    [Rules(1, "0"), Rules(2, "ABC"), Rules(3, "0123"), Rules(3, "01234"), Rules(3, "0123", Repeats.GUESS),
     Rules(3, "01234", Repeats.GUESS), Rules(3, "01", Repeats.ALL), Rules(3, "0123", Repeats.ALL),
     Rules(4, "01234", Repeats.GUESS)],
    ids=repr,
)  # fmt: skip
def test_possible_hints_are_those_of_some_secret(rules):
    secrets = every_code(rules.symbols, rules.digits, repeats=rules.repeats is Repeats.ALL)
    for guess in every_code(rules.symbols, rules.digits, repeats=rules.repeats is not Repeats.NONE):
        given = {plain_hint(guess, secret) for secret in secrets}
        assert {(answer.hits, answer.blows) for answer in possible_hints(rules, guess)} == given


def test_possible_hints_needs_no_enumeration_in_the_largest_games():
    repeated = possible_hints(Rules(6, "0123456789abcdef", Repeats.ALL), "000012")
    assert Hint(0, 4) in repeated  # 3333xx: two zeros, 1 and 2 can all be misplaced
    assert Hint(0, 5) not in repeated
    assert Hint(5, 1) not in possible_hints(Rules(6, "0123456789abcdef"), "f12345")


def test_long_hint_tables_are_computed_in_blocks():
    rules = Rules(5)
    codes = all_secrets(rules)
    few = codes[::3000]
    assert codes.shape[0] * few.shape[0] > 1 << 18
    assert (hint_table(few, codes) == hint_table(codes, few).T).all()
    assert (cell_sizes(few, codes).sum(axis=1) == len(codes)).all()


@pytest.mark.parametrize("kept", [0, 1 << 21])
def test_cells_of_guesses_do_not_depend_on_the_cached_table(monkeypatch, kept):
    monkeypatch.setattr("yomikiri.hitblow.model.codes._KEPT", kept)
    for rules in SPACES:
        some = all_secrets(rules)[1::3]
        for weights in (None, np.arange(len(some), dtype=np.int64)):
            expected = cell_sizes(all_guesses(rules), some, weights)
            assert (cells_of_guesses(rules, some, weights) == expected).all()


@given(st.data())
def test_consistent_codes_give_the_same_answer(data):
    rules = data.draw(st.sampled_from(SPACES))
    guesses, codes = all_guesses(rules), all_secrets(rules)
    guess = guesses[data.draw(st.integers(0, len(guesses) - 1))]
    answer = data.draw(st.sampled_from(rules.hints))
    left = [decode(rules, row) for row in codes[hint_table(guess[None, :], codes)[0] == hint_number(rules, answer)]]
    assert left == [c for c in (decode(rules, row) for row in codes) if hint(decode(rules, guess), c) == answer]


def test_without_symbols_removes_codes_with_absent_symbols():
    rules = Rules()
    left = without_symbols(all_secrets(rules), [7])
    assert [decode(rules, row) for row in left] == [
        c for c in every_code("0123456789", 3, repeats=False) if "7" not in c
    ]


def test_encode_and_decode_are_inverse_and_numbers_name_hints():
    rules = Rules(4, "ABCDEF", Repeats.ALL)
    assert decode(rules, encode(rules, "FACE")) == "FACE"
    assert [numbered_hint(rules, hint_number(rules, answer)) for answer in rules.hints] == list(rules.hints)


def test_code_arrays_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        all_secrets(Rules())[0, 0] = 5
    assert all_secrets(Rules()).dtype == np.uint8


@examples(500)
@given(st.data())
def test_alike_secrets_represent_all_secrets_with_their_counts(data: st.DataObject):
    symbols = "0123456"[: data.draw(st.integers(2, 7))]
    digits = data.draw(st.integers(1, min(4, len(symbols))))
    rules = Rules(digits, symbols, data.draw(st.sampled_from(Repeats)), data.draw(st.sampled_from(["", "0"])))
    absent = "".join(data.draw(st.sets(st.sampled_from(symbols), max_size=len(symbols) - digits)))
    used = data.draw(st.sets(st.integers(0, len(symbols) - 1), min_size=1))
    codes, counts = secret_classes(rules, used, absent)
    every = without_symbols(all_secrets(rules), map(symbols.index, absent))
    assert counts.sum() == len(every)
    guesses = np.array(data.draw(st.lists(st.lists(st.sampled_from(sorted(used)), min_size=digits, max_size=digits))))
    guesses = guesses.reshape(-1, digits).astype(np.uint8)
    assert (cell_sizes(guesses, codes, counts) == cell_sizes(guesses, every)).all()


@pytest.mark.parametrize("rules", [*SPACES, Rules(3, "012", Repeats.ALL), Rules(4, "0123", Repeats.ALL)])
def test_secrets_answering_agrees_with_the_definition(rules: Rules):
    guesses = decode_all(rules, all_guesses(rules)[:: max(1, len(all_guesses(rules)) // 7)])
    for guess in guesses:
        for answer in possible_hints(rules, guess):
            fitting = [code for code in rules.secrets() if hint(guess, code) == answer]
            assert decode_all(rules, secrets_answering(rules, Turn(guess, answer))) == fitting


@pytest.mark.parametrize("rules", [*SPACES, Rules(3, "0123", Repeats.ALL, "0")])
def test_guess_numbers_and_hint_places_are_inverse_to_the_lists(rules: Rules):
    guesses = decode_all(rules, all_guesses(rules))
    assert [guess_number(rules, guess) for guess in guesses[::7]] == [*range(0, len(guesses), 7)]
    assert guess_numbers(rules, all_guesses(rules)[::3]).tolist() == [*range(0, len(guesses), 3)]
    assert [hint_places(rules)[hint_number(rules, answer)] for answer in rules.hints] == [*range(len(rules.hints))]


@pytest.mark.parametrize("rules", [*SPACES, Rules(3, "0123", Repeats.ALL, "0")])
def test_guesses_at_agrees_with_all_guesses(rules: Rules):
    places = np.arange(0, rules.guess_count, 3)
    assert (guesses_at(rules, places) == all_guesses(rules)[places]).all()
