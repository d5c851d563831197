"""The environment of one agent plays what a row of the vector environment plays, and is what Gymnasium expects."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics

from farfalia import Bot
from farfalia.errors import BadSetting
from farfalia.learning.gymnasium_env import GymnasiumEnv
from farfalia.learning.vector_env import VectorEnv
from farfalia_engine import BadOption, IllegalAction, Observation, UnknownRuleset


class Last(Bot):
    """Takes the last legal action."""

    def decide(self, view: Observation) -> int:
        return view.legal[-1]


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("two", {"horizon": "deal", "opponents": "cautious"}),
        ("two", {"options": {"double_you": "on"}, "reward": "points", "opponents": "random"}),
        ("chinkway", {"opponents": ["greedy", Last(), "random", "cautious"], "reward": "win"}),
        ("four", {"opponents": Last(), "seat": 2, "horizon": "deal", "deal": "random"}),
        ("farrago", {"options": {"players": "3"}, "opponents": "random"}),
    ],
)
def test_it_plays_what_one_row_of_a_vector_environment_plays(name: str, more: dict[str, Any]) -> None:
    one, row = GymnasiumEnv(name, **more), VectorEnv(name, 1, seed=5, **more)
    observation, info = one.reset(seed=5)
    observations, infos = row.reset()
    ended = 0
    for _ in range(600):
        assert (observation == observations[0]).all()
        assert (info["action_mask"] == infos["action_mask"][0]).all()
        assert (info["action_mask"] == one.action_masks()).all()
        assert (info["seat"], info["points"].tolist()) == (infos["seat"][0], infos["points"][0].tolist())
        action = info["action_mask"].argmax()
        observation, reward, terminated, truncated, info = one.step(action)
        observations, rewards, terminations, _, infos = row.step([action])
        assert (reward, terminated, truncated) == (rewards[0], terminations[0], False)
        if terminated:
            ended += 1
            assert (observation == infos["final_obs"][0]).all()
            assert info["points"].tolist() == infos["final_info"]["points"][0].tolist()
            assert info["places"].tolist() == infos["final_info"]["place"][0].tolist()
            assert (info["action_mask"].sum(), one.action_masks().sum()) == (0, 1)
            observation, info = one.reset()
    assert ended > 0


def test_it_is_what_gymnasium_expects() -> None:
    table = GymnasiumEnv("two", horizon="deal", illegal="replace")
    with warnings.catch_warnings():
        # Points have no bound that would be of use, and what `gymnasium.make` did not make has no specification.
        warnings.filterwarnings("ignore", ".*(maximum value is infinity|not having a spec)")
        check_env(table)
    wrapped = RecordEpisodeStatistics(table)
    wrapped.reset(seed=1)
    terminated = False
    while not terminated:
        _, _, terminated, _, info = wrapped.step(wrapped.action_space.sample())
    assert info["episode"]["l"] >= 10


def test_an_illegal_action_is_refused_or_replaced_the_same_way_with_the_same_seed() -> None:
    strict = GymnasiumEnv("two", horizon="deal")
    with pytest.raises(RuntimeError, match="no episode is being played; expected reset before step"):
        strict.step(0)
    before, info = strict.reset(seed=3)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction):
        strict.step(illegal)
    with pytest.raises(TypeError):
        strict.step("S1")  # type: ignore[arg-type]  # what a beginner may write
    assert (strict._observe() == before).all()

    def played() -> list[tuple[float, bool]]:
        table = GymnasiumEnv("two", horizon="deal", illegal="replace")
        table.reset(seed=3)
        steps, over = [], False
        while not over:
            _, reward, over, _, info = table.step(illegal)
            steps.append((reward, "replaced" in info))
        with pytest.raises(RuntimeError):
            table.step(0)
        return steps

    first = played()
    assert first == played()
    assert first[0][1]


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"name": "fuor"}, UnknownRuleset, "fuor"),
        ({"name": "two", "options": {"taget": "1"}}, BadOption, "taget"),
        ({"name": "two", "opponents": "gredy"}, BadSetting, "gredy"),
        ({"name": "two", "opponents": None}, BadSetting, "None is an opponent; expected house bots' names or bots"),
        ({"name": "four", "opponents": ["greedy"]}, ValueError, "opponents has 1 entries, expected 3"),
        ({"name": "two", "seat": 2}, ValueError, "seat is 2, expected 0 to 1"),
        ({"name": "two", "illegal": "ignore"}, ValueError, "illegal is 'ignore', expected one of: raise, replace"),
        ({"name": "two", "horizon": "trick"}, ValueError, "horizon is 'trick'"),
    ],
)
def test_a_wrong_argument_is_told(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        GymnasiumEnv(**arguments)
