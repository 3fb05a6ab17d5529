"""The environments pass the checks of their libraries and follow the rules."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import yomikiri.env  # registers the name
from yomikiri.common.errors import InputError
from yomikiri.env import hitblow_match_v0, weighted_tictactoe_v0
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Turn, hint
from yomikiri.hitblow.policies import policy_named
from yomikiri.hitblow.policies.simulation import simulate
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position

NAME = "yomikiri/HitBlow-v0"
assert yomikiri.env
SMALL: dict[str, Any] = {"digits": 2, "symbols": "0123"}
GAMES: dict[str, Callable[[], Any]] = {
    "match": lambda: hitblow_match_v0.env(**SMALL),
    "match-equal": lambda: hitblow_match_v0.env(**SMALL, equal_turns=True, reveals="first"),
    "standard match": hitblow_match_v0.env,
    "tictactoe": weighted_tictactoe_v0.env,
    "tictactoe-4": lambda: weighted_tictactoe_v0.env(rows=3, columns=4, line=3, heaviest=2),
}


def made(**settings: Any) -> Any:
    return gymnasium.make(NAME, **settings).unwrapped


@pytest.mark.parametrize("settings", [{}, SMALL, {"preset": "mastermind"}], ids=["standard", "small", "mastermind"])
def test_gymnasium_check_passes(settings: dict[str, Any]):
    check_env(made(**settings, render_mode="ansi"), skip_render_check=True)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_checks_pass(name: str, capsys: pytest.CaptureFixture[str]):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning about observations that PettingZoo itself requires
        api_test(GAMES[name](), num_cycles=200)
        seed_test(GAMES[name], num_cycles=50)
    assert "Passed" in capsys.readouterr().out


def test_returns_add_up_to_the_guesses_of_a_simulation():
    env = made(**SMALL)
    start = Knowledge(env.start.rules)
    policy = policy_named("minimax")
    returned = 0.0
    for secret in start.codes():
        env.reset(options={"secret": secret})
        over = False
        while not over:
            _seen, reward, over, cut, _info = env.step(env.actions.number(policy.choose(env.known).guess))
            returned += reward
            assert not cut
    assert -returned == simulate(policy, start).total_guesses


def test_observation_contains_turns_and_info_the_candidates():
    env = made()
    _seen, info = env.reset(options={"secret": "345"})
    assert info["candidates"] == 720
    seen, reward, over, cut, info = env.step(env.actions.number("340"))
    assert (reward, over, cut) == (-1.0, False, False)
    assert seen[0].tolist() == [3, 4, 0, 2, 0]
    assert (seen[1:] == -1).all()
    assert info["candidates"] == Knowledge(facts=(Turn("340", hint("340", "345")),)).count
    assert info["action_mask"].sum() == 719


def test_long_game_is_truncated():
    env = made(**SMALL)
    env.reset(options={"secret": "01"})
    ends = [env.step(env.actions.number("23"))[2:4] for _ in range(20)]
    assert ends == [(False, False)] * 19 + [(False, True)]


def test_seed_determines_the_secret():
    env = made()
    secrets = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        secrets.append(env.secret)
    assert secrets[0] == secrets[1] != secrets[2]


def test_first_to_find_the_secret_wins():
    env = hitblow_match_v0.raw_env(**SMALL)
    env.reset(options={"secrets": ["01", "23"]})
    env.step(env.codes.number("02"))
    env.step(env.codes.number("01"))
    assert env.rewards == {"first": -1.0, "second": 1.0}
    env = hitblow_match_v0.raw_env(**SMALL, equal_turns=True)
    env.reset(options={"secrets": ["01", "23"]})
    env.step(env.codes.number("23"))
    assert not any(env.terminations.values())
    env.step(env.codes.number("01"))
    assert env.rewards == {"first": 0.0, "second": 0.0}
    assert all(env.terminations.values())


def test_revealed_symbol_is_not_in_the_secret():
    for seed in range(20):
        env = hitblow_match_v0.raw_env(reveals="first")
        env.reset(seed=seed)
        absent = env.observe("second")["observation"]["absent"]
        assert absent.sum() == 1
        assert env.rules.symbols[int(np.argmax(absent))] not in env.secrets["first"]
        assert env.observe("first")["observation"]["absent"].sum() == 0


def test_observation_does_not_contain_the_other_secret():
    one, other = (hitblow_match_v0.raw_env(**SMALL) for _ in range(2))
    one.reset(options={"secrets": ["01", "23"]})
    other.reset(options={"secrets": ["01", "32"]})
    assert str(one.observe("first")) == str(other.observe("first"))
    assert str(one.observe("second")) != str(other.observe("second"))


def test_tictactoe_follows_the_rules():
    env = weighted_tictactoe_v0.raw_env(render_mode="ansi")
    for seed in range(10):
        env.reset(seed=seed)
        moves: list[int] = []
        while not any(env.terminations.values()):
            free = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            moves.append(int(free[len(moves) % len(free)]))
            env.step(moves[-1])
        outcome = Position.after(env.position.board, moves).outcome
        assert outcome
        sign = 0 if outcome.winner is None else int(outcome.winner)
        assert env.rewards == {"first": float(sign), "second": float(-sign)}


def test_tictactoe_observation_is_from_the_view_of_the_agent():
    env = weighted_tictactoe_v0.raw_env(render_mode="ansi")
    env.reset(options={"board": "1,2,3/4,5,6/7,8,9"})
    env.step(4)
    mine, theirs = (env.observe(agent)["observation"] for agent in ("first", "second"))
    assert mine[..., 0].tolist() == theirs[..., 1].tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert mine[..., 2].tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    assert env.render() == "   1   2   3\n   4   X   6\n   7   8   9"
    assert Position(Board.parse("1,2,3/4,5,6/7,8,9")).play(4).taken_by(Player.FIRST) == env.position.first


def test_invalid_rules_raise_an_error_of_the_package():
    for wrong in ({"preset": "bogus"}, {"repeats": "bogus"}, {"digits": 11}):
        with pytest.raises(InputError):
            made(**wrong)
        with pytest.raises(InputError):
            hitblow_match_v0.env(**wrong)


def test_secret_with_absent_symbols_is_rejected():
    env = gymnasium.make("yomikiri/HitBlow-v0", absent="3")
    with pytest.raises(InputError, match="'3' in '345' is known to be absent"):
        env.reset(options={"secret": "345"})


def test_match_without_a_symbol_to_reveal_is_rejected():
    with pytest.raises(InputError, match="no symbol can be revealed"):
        hitblow_match_v0.env(digits=3, symbols="012", reveals="first")
    with pytest.raises(InputError, match="reveals=bogus"):
        hitblow_match_v0.env(reveals="bogus")


OUT_OF_SPACE: list[Any] = [
    *(-1, 12, 10**30, 1.5, 1.0, "012", "1", None, (1,), [1], np.array([1]), np.float64(1), np.int8(-1), np.int64(12)),
    *(float("nan"), b"1", {}, ...),
]
BAD_SECRETS: list[Any] = [
    "",
    "0",
    "00",
    "012",
    "0x",
    1,
    1.5,
    None,
    b"01",
    ["0", "1"],
    ("01",),
    {},
    float("inf"),
    ...,
]


@pytest.mark.parametrize("action", OUT_OF_SPACE, ids=repr)
def test_action_outside_the_space_is_rejected(action: Any):
    board, wrapped = made(**SMALL), gymnasium.make(NAME, **SMALL)
    match, wrapped_match = hitblow_match_v0.raw_env(**SMALL), hitblow_match_v0.env(**SMALL)
    cells, wrapped_cells = weighted_tictactoe_v0.raw_env(3, 4), weighted_tictactoe_v0.env(rows=3, columns=4)
    envs: list[Any] = [board, wrapped, match, wrapped_match, cells, wrapped_cells]
    for env in envs:
        env.reset(seed=1)
        with pytest.raises(InputError, match=r"is not an action: .* 0 to 11, a member of Discrete\(12\)"):
            env.step(action)
        for good in (3, np.int64(4)):
            env.step(good)  # the rejected action had no effect
    assert len(board.known.played) == 2
    assert [len(match.boards[agent].played) for agent in match.boards] == [1, 1]
    assert len(cells.position.moves) == 10


@pytest.mark.parametrize("options", [{"secrte": "01"}, {"secret": "01", "more": 1}, {1: 2}, [], "secret", 5], ids=repr)
def test_unknown_options_are_rejected(options: Any):
    for env in (made(**SMALL), hitblow_match_v0.env(**SMALL), weighted_tictactoe_v0.env()):
        with pytest.raises(InputError, match=r"unknown option|expected a dict"):
            env.reset(options=options)


@pytest.mark.parametrize("secret", BAD_SECRETS, ids=repr)
def test_invalid_secret_is_rejected_and_the_game_continues(secret: Any):
    env, match = made(**SMALL), hitblow_match_v0.raw_env(**SMALL)
    env.reset(options={"secret": "01"})
    match.reset(options={"secrets": ["01", "23"]})
    with pytest.raises(InputError):
        env.reset(options={"secret": secret})
    for secrets in (secret, [secret, "01"], ["01", secret], ["01"], ["01", "12", "23"]):
        with pytest.raises(InputError):
            match.reset(options={"secrets": secrets})
    assert (env.secret, match.secrets) == ("01", {"first": "01", "second": "23"})


@pytest.mark.parametrize(
    "board",
    ["", "1,2,3", "1,2,3/4,5,6/7,8", "1,2,3/4,5,6/7,8,10", "1,2,3/4,5,6/7,8,-10", "1,2/3,4", "a", 5, None, [[1]], b"1"],
    ids=repr,
)
def test_invalid_board_is_rejected_and_the_game_continues(board: Any):
    env = weighted_tictactoe_v0.raw_env()
    env.reset(options={"board": "1,2,3/4,5,6/7,8,9"})
    with pytest.raises(InputError):
        env.reset(options={"board": board})
    assert str(env.position.board) == "1,2,3/4,5,6/7,8,9"
    env.reset(options={"board": "-9,2,3/4,5,6/7,8,9"})


@pytest.mark.parametrize("value", ["x", -1, 1.5, 10**30, float("nan"), None, [], "", b"3"], ids=repr)
def test_invalid_settings_are_rejected(value: Any):
    for name in ("rows", "columns", "line", "heaviest", "render_mode"):
        if (name, value) != ("render_mode", None):
            with pytest.raises(InputError):
                weighted_tictactoe_v0.env(**{name: value})
    for name in ("reveals", "equal_turns"):
        with pytest.raises(InputError):
            hitblow_match_v0.env(**{name: value})
    if value != "":
        with pytest.raises(InputError):
            made(absent=value)


def test_step_without_a_game_is_rejected():
    env, match = made(**SMALL), hitblow_match_v0.raw_env(**SMALL)
    for each in (env, match, weighted_tictactoe_v0.raw_env()):
        with pytest.raises(InputError, match="no game is in progress: call reset first"):
            each.step(0)
    env.reset(options={"secret": "01"})
    env.step(env.actions.number("01"))
    with pytest.raises(InputError, match="no game is in progress"):
        env.step(0)
    match.reset(options={"secrets": ["01", "23"]})
    match.step(match.codes.number("23"))
    with pytest.raises(InputError, match="the game is over for second"):
        match.step(0)
    match.step(None)
    match.step(None)
    with pytest.raises(InputError, match="no game is in progress"):
        match.step(None)


def test_taken_cell_is_rejected():
    env = weighted_tictactoe_v0.raw_env()
    env.reset(seed=1)
    env.step(4)
    with pytest.raises(InputError):
        env.step(4)
    assert env.agent_selection == "second"
