"""The environments as PettingZoo's own tests see them, and as the rules want them."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from tests.engine.games import ALL, label

from farfalia.learning.pettingzoo_env import env, raw_env
from farfalia.learning.tensors import observation_tensor
from farfalia_engine import BadOption, IllegalAction, Kind, UnknownRuleset

Game = tuple[str, dict[str, str]]

SOME: list[Game] = [
    ("chinkway", {}),
    ("chinkway", {"double_you": "on"}),
    ("basic", {"burnin": "on"}),
    ("four", {"target": "20"}),
    ("three-short", {}),
    ("two", {"double_you": "on"}),
    ("farrago", {"players": "3"}),
    ("farrago", {"players": "5", "order": "random"}),
]


def play(environment: Any, seed: int) -> tuple[dict[str, float], dict[str, Any], int]:
    """Everyone's rewards and last info, and the number of decisions, if all play their lowest action."""
    environment.reset(seed=seed)
    gained = dict.fromkeys(environment.agents, 0.0)
    infos: dict[str, Any] = {agent: {} for agent in environment.agents}
    decisions = 0
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, info = environment.last()
        assert not truncation
        gained[agent] += reward
        infos[agent] = info
        decisions += not termination
        environment.step(None if termination else int(observation["action_mask"].argmax()))
    return gained, infos, decisions


# What the library says to environments that it does not know by name, though its own observe and ask the same way.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.parametrize("horizon", ["match", "deal"])
@pytest.mark.parametrize("game", SOME, ids=label)
def test_the_library_finds_nothing_wrong(game: Game, horizon: str) -> None:
    api_test(env(*game, horizon=horizon), num_cycles=200)
    seed_test(lambda: env(*game, horizon=horizon), num_cycles=200)


@pytest.mark.parametrize("game", ALL, ids=label)
def test_rewards_sum_to_zero_and_are_points_less_their_mean(game: Game) -> None:
    gained, infos, _ = play(raw_env(*game), 1)
    points = [info["points"] for info in infos.values()]
    assert sum(gained.values()) == pytest.approx(0)
    assert list(gained.values()) == pytest.approx([each - sum(points) / len(points) for each in points])


def test_rewards_can_be_points() -> None:
    gained, infos, _ = play(raw_env("chinkway", reward="points"), 1)
    assert gained == {agent: info["points"] for agent, info in infos.items()}


def test_a_reward_comes_when_a_deal_is_over() -> None:
    environment = raw_env("five-hand")
    environment.reset(seed=3)
    rewarded = 0
    while not any(environment.terminations.values()):
        finished = len(environment.match.scores)
        observation, *_ = environment.last()
        environment.step(int(observation["action_mask"].argmax()))
        ended = len(environment.match.scores) > finished
        assert any(environment.rewards.values()) == ended
        rewarded += ended
    assert rewarded == 5


def test_places_are_told_at_the_end() -> None:
    _, infos, _ = play(raw_env("four"), 2)
    points = [info["points"] for info in infos.values()]
    ours, theirs = points[0] + points[2], points[1] + points[3]
    assert [info["place"] for info in infos.values()] == [1 + (ours < theirs), 1 + (theirs < ours)] * 2


def test_an_episode_can_be_the_first_deal_alone() -> None:
    whole, part = raw_env("chinkway"), raw_env("chinkway", horizon="deal")
    for environment in (whole, part):
        environment.reset(seed=5)
    assert np.array_equal(whole.observe("seat_3")["observation"], part.observe("seat_3")["observation"])
    _, infos, decisions = play(part, 5)
    assert part.agents == []
    assert max(info["points"] for info in infos.values()) <= 15
    assert decisions < play(whole, 5)[2] / 8


def test_agents_are_asked_only_what_has_more_than_one_answer() -> None:
    environment = raw_env("farrago", {"players": "5"})
    environment.reset(seed=6)
    for _ in environment.agent_iter():
        observation, _, termination, _, _ = environment.last()
        assert termination or observation["action_mask"].sum() > 1
        environment.step(None if termination else int(observation["action_mask"].argmax()))


def test_an_agent_that_is_not_asked_observes_but_may_do_nothing() -> None:
    environment = raw_env("two")
    environment.reset(seed=7)
    other = next(agent for agent in environment.agents if agent != environment.agent_selection)
    seen = environment.match.observation(environment.agents.index(other))
    assert np.array_equal(environment.observe(other)["observation"], observation_tensor(seen))
    assert not environment.observe(other)["action_mask"].any()


def test_those_who_decide_at_once_do_not_see_what_the_first_of_them_chose() -> None:
    seen = []
    for choice in (125, 126):
        environment = raw_env("chinkway", {"double_you": "on"})
        environment.reset(seed=8)
        assert environment.agent_selection == "seat_0"
        environment.step(choice)
        assert environment.agent_selection == "seat_1"
        # Of those who choose later, all is as if the first had not chosen.
        seen.append([environment.observe(f"seat_{seat}")["observation"] for seat in range(1, 5)])
    assert np.array_equal(seen[0], seen[1])


def test_an_agent_that_waits_for_the_others_is_not_asked_again() -> None:
    environment = raw_env("chinkway", {"double_you": "on"})
    environment.reset(seed=8)
    environment.step(126)
    assert environment.match.pending
    assert environment.match.pending.kind is Kind.DOUBLE
    assert not environment.observe("seat_0")["action_mask"].any()


def test_the_same_seed_deals_the_same_and_no_seed_deals_anew() -> None:
    environment = raw_env("three")
    hands = []
    for seed in (9, None, None, 9, None):
        environment.reset(seed=seed)
        hands.append(environment.observe("seat_1")["observation"].tobytes())
    assert hands[0] == hands[3] != hands[1] == hands[4] != hands[2] != hands[0]


def test_what_is_observed_does_not_move_with_the_match() -> None:
    environment = raw_env("two")
    environment.reset(seed=10)
    observation, *_ = environment.last()
    before = {name: values.copy() for name, values in observation.items()}
    environment.step(int(observation["action_mask"].argmax()))
    assert all(np.array_equal(observation[name], before[name]) for name in before)


def test_a_table_is_rendered_as_text() -> None:
    environment = env("two", {"burnin": "on"}, render_mode="ansi")
    environment.reset(seed=1)
    first = environment.render()
    assert first.splitlines()[0].startswith("deal 1 of 4, trumps ")
    assert "dummy of seat 0: " in first
    assert first.splitlines()[-1] == f"seat {environment.agent_selection[-1]} to decide: play"
    for _ in environment.agent_iter():
        observation, _, termination, _, _ = environment.last()
        if termination:
            assert environment.render().splitlines()[-1] == "the match is over"
        environment.step(None if termination else int(observation["action_mask"].argmax()))


def test_a_table_is_printed_for_people_after_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    environment = env("farrago", {"order": "random"}, render_mode="human")
    environment.reset(seed=1)
    observation, *_ = environment.last()
    environment.step(int(observation["action_mask"].argmax()))
    assert capsys.readouterr().out.count("deal 1 of 10") == 2


def test_an_illegal_action_is_refused_as_the_engine_refuses_it() -> None:
    environment = env("four")
    environment.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"^none is illegal: seat 1 may choose among "):
        environment.step(116)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"name": "bridge"}, UnknownRuleset, "there is no ruleset 'bridge', expected one of: basic, "),
        ({"options": {"burnin": "yes"}}, BadOption, "option 'burnin' of chinkway is 'yes', expected one of off, on"),
        ({"horizon": "hand"}, ValueError, "horizon is 'hand', expected one of: match, deal"),
        ({"reward": "rank"}, ValueError, "reward is 'rank', expected one of: centred, points"),
        ({"render_mode": "rgb_array"}, ValueError, "render_mode is 'rgb_array', expected one of: ansi, human"),
    ],
)
def test_what_cannot_be_set_up_is_refused_in_a_sentence(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{message}"):
        env(**arguments)


def test_without_pettingzoo_its_extra_is_named() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None; import farfalia.learning.pettingzoo_env"
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: farfalia.learning.pettingzoo_env needs PettingZoo: pip install 'pettingzoo>=1.25'"
    )
