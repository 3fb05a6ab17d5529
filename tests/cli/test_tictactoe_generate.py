"""`yomikiri tictactoe generate`: boards with given properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import run
from tests.cli.tictactoe import TTT, WORDS, never_a_traceback
from tests.examples import examples


def test_generate_writes_boards_that_winner_reads():
    boards = run(TTT, "generate", "--count", "20", "--winner", "second", "--seed", "7").stdout
    assert run(TTT, "winner", given=boards).stdout == "Aoki\n" * 20


@pytest.mark.exhaustive  # test_generator.py covers the complete set
def test_generate_writes_the_complete_set():
    boards = run(TTT, "generate", "--complete").stdout
    assert run(TTT, "winner", given=boards).stdout.split().count("Aoki") == 503


def test_generate_refuses_impossible_requests():
    assert "boards gave none" in run(TTT, "generate", "--low", "0", "--winner", "second").stderr
    assert (
        "--seed has no effect with --complete"
        in run(TTT, "generate", "--complete", "--winner", "draw", "--seed", "1").stderr
    )
    assert "weights from 3 to 2" in run(TTT, "generate", "--low", "3", "--high", "2").stderr


@examples(500)
@given(st.lists(st.one_of(WORDS, st.sampled_from(["--winner", "second", "--opening", "edge", "--unique"])), max_size=4))
def test_generate_handles_random_arguments(arguments):
    never_a_traceback("generate", arguments, b"")
