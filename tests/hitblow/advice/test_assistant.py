import pytest

from yomikiri.common.errors import ContradictionError, HintError, TurnError
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, hint


def test_assistant_finds_any_secret_within_seven_guesses():
    for secret in Knowledge().codes()[::60]:
        game = Assistant()
        while not game.solved:
            game = game.answer(hint(game.advice.proposed.guess, secret))
        assert game.known.turns[-1].guess == secret
        assert len(game.known.turns) <= 7


def test_every_step_returns_a_new_assistant():
    start = Assistant()
    one = start.answer(Hint(0, 1))
    assert start.known.turns == ()
    assert one.undo() == start
    assert one.restart() == start
    assert one.edit(1, Hint(0, 0)).known.count == 210
    assert one.known.count == 252


def test_other_guesses_can_be_played_and_edited():
    game = Assistant().answer(Hint(0, 0), "345").answer(Hint(1, 0), "678")
    assert [turn.guess for turn in game.known.turns] == ["345", "678"]
    assert game.edit(1, Hint(0, 1), "016").known.turns[0].guess == "016"


def test_contradiction_keeps_all_turns_and_can_be_repaired():
    game = Assistant()
    for guess in ("012", "345", "678"):
        game = game.answer(Hint(0, 0), guess)
    assert game.contradictory
    assert not game.solved
    assert len(game.known.turns) == 3
    assert {repair.lines for repair in game.repairs} == {(1,), (2,), (3,)}
    with pytest.raises(ContradictionError):
        _ = game.advice
    mended = game.put(game.repairs[0].lines[0], game.repairs[0].turns[0])
    assert not mended.contradictory
    assert mended.repairs == ()


def test_turns_can_be_added_to_a_contradicting_game():
    game = Assistant()
    for guess in ("012", "345", "678"):
        game = game.answer(Hint(0, 0), guess)
    assert len(game.answer(Hint(1, 1), "019").known.turns) == 4


def test_invalid_steps_are_refused():
    with pytest.raises(TurnError, match="no turn to undo"):
        Assistant().undo()
    with pytest.raises(TurnError, match="no turn to edit"):
        Assistant().edit(1, Hint(0, 0))
    with pytest.raises(TurnError, match="there is no entry"):
        Assistant().answer(Hint(0, 0)).edit(2, Hint(0, 0))
    with pytest.raises(TurnError, match="there is no entry"):
        Assistant().answer(Hint(0, 0)).edit(0, Hint(0, 0))
    with pytest.raises(HintError, match="is impossible for"):
        Assistant().answer(Hint(2, 1))
