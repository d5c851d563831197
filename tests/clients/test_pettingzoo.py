"""The environments as PettingZoo's own tests see them, and as the rules want them."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from tests.engine.games import label, pairwise

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


@pytest.mark.parametrize("game", pairwise(), ids=label)
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


@pytest.mark.parametrize("horizon", ["match", "deal"])
@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_an_info_has_the_same_keys_from_reset_to_the_end(game: Game, horizon: str) -> None:
    environment = raw_env(*game, horizon=horizon)
    environment.reset(seed=4)
    assert {tuple(info.items()) for info in environment.infos.values()} == {(("points", 0), ("place", 0))}
    for _ in environment.agent_iter():
        observation, _, termination, _, _ = environment.last()
        assert {tuple(info) for info in environment.infos.values()} == {("points", "place")}
        assert all((info["place"] > 0) == termination for info in environment.infos.values())
        environment.step(None if termination else int(observation["action_mask"].argmax()))


@pytest.mark.parametrize(
    ("game", "winners"), [(("chinkway", {}), 1), (("four", {}), 2), (("basic", {}), 2), (("farrago", {}), 1)], ids=str
)
def test_who_wins_a_match_can_be_all_that_is_rewarded(game: Game, winners: int) -> None:
    environment = raw_env(*game, reward="win")
    gained, infos, _ = play(environment, 1)
    won = environment.rules.winners([info["points"] for info in infos.values()])
    assert len(won) == winners
    assert gained == {f"seat_{seat}": (1 / winners if seat in won else 0) for seat in range(environment.rules.seats)}


def test_those_who_are_level_in_front_divide_what_winning_pays() -> None:
    environment = raw_env("two", horizon="deal", reward="win")
    level = next(gained for seed in range(200) if 0.5 in (gained := play(environment, seed)[0]).values())
    assert level == {"seat_0": 0.5, "seat_1": 0.5}


def test_an_episode_can_be_the_first_deal_alone() -> None:
    whole, part = raw_env("chinkway"), raw_env("chinkway", horizon="deal")
    for environment in (whole, part):
        environment.reset(seed=5)
    assert np.array_equal(whole.observe("seat_3")["observation"], part.observe("seat_3")["observation"])
    _, infos, decisions = play(part, 5)
    assert part.agents == []
    assert max(info["points"] for info in infos.values()) <= 15
    assert decisions < play(whole, 5)[2] / 8


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_an_episode_can_be_any_deal_and_nobody_has_points_yet(game: Game) -> None:
    last = raw_env(*game).rules.last_deal
    for deal in {2, last // 2 + 1, last}:
        environment = raw_env(*game, horizon="deal", deal=deal)
        environment.reset(seed=5)
        observation = environment.match.observation(0)
        assert (observation.deal, set(observation.totals)) == (deal, {0})
        assert len(observation.scores) == environment.rules.seats * (deal - 1)
        gained, infos, _ = play(environment, 5)
        points = [info["points"] for info in infos.values()]
        assert list(gained.values()) == pytest.approx([each - sum(points) / len(points) for each in points])
        assert len(environment.match.scores) == environment.rules.seats * deal


def test_farrago_begins_a_late_deal_with_the_types_that_are_left() -> None:
    kinds = set()
    for seed in range(20):
        environment = raw_env("farrago", horizon="deal", deal=9)
        environment.reset(seed=seed)
        types = environment.match.observation(0).types
        assert len(set(types)) == 9
        kinds.add(types[-1])
    assert len(kinds) > 3
    assert 1 not in kinds
    environment = raw_env("farrago", horizon="deal", deal=10)
    environment.reset(seed=1)
    assert environment.match.observation(0).types[-1] == 1


def test_the_seed_draws_the_deals_number_if_it_is_random() -> None:
    environment = raw_env("chinkway", horizon="deal", deal="random")

    def deals() -> list[int]:
        environment.reset(seed=3)
        numbers = []
        for _ in range(60):
            environment.reset()
            numbers.append(environment.match.deal)
        return numbers

    assert set(first := deals()) == set(range(1, 12))
    assert deals() == first


def test_the_state_is_what_all_seats_see_together() -> None:
    environment = env("chinkway")
    environment.reset(seed=2)
    observations = [environment.observe(agent)["observation"] for agent in environment.possible_agents]
    assert np.array_equal(environment.state(), np.concatenate(observations))
    assert environment.unwrapped.state_space.contains(environment.state())


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
    observation = environment.match.observation(environment.agents.index(other))
    assert np.array_equal(environment.observe(other)["observation"], observation_tensor(observation))
    assert not environment.observe(other)["action_mask"].any()


def test_an_agent_that_waits_for_the_others_is_not_asked_again() -> None:
    environment = raw_env("chinkway", {"double_you": "on"})
    environment.reset(seed=8)
    environment.step(126)
    assert environment.match.pending
    assert environment.match.pending.kind is Kind.DOUBLE
    assert not environment.observe("seat_0")["action_mask"].any()


def test_the_same_seed_deals_the_same_and_no_seed_deals_new_cards() -> None:
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


@pytest.mark.parametrize("action", [2.7, "3", None, True])
def test_an_action_that_is_no_integer_is_refused_in_a_sentence(action: Any) -> None:
    environment = env("four")
    environment.reset(seed=1)
    with pytest.raises(TypeError, match=rf"^action is {action!r}, expected an integer$"):
        environment.step(action)
    with pytest.raises(TypeError, match=rf"^seed is {2.5!r}, expected an integer$"):
        environment.reset(seed=2.5)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"name": "bridge"}, UnknownRuleset, "there is no game 'bridge', expected one of: basic, "),
        ({"options": {"burnin": "yes"}}, BadOption, "option 'burnin' of chinkway is 'yes', expected one of off, on"),
        ({"horizon": "hand"}, ValueError, "horizon is 'hand', expected one of: match, deal"),
        ({"reward": "rank"}, ValueError, "reward is 'rank', expected one of: centred, points, win"),
        ({"horizon": "deal", "deal": 12}, ValueError, "chinkway has no deal 12, expected 1 to 11$"),
        ({"horizon": "deal", "deal": 1.5}, ValueError, r"chinkway has no deal 1\.5, expected 1 to 11$"),
        (
            {"horizon": "deal", "deal": "any"},
            ValueError,
            "deal is 'any' where an episode is a deal, expected a number ",
        ),
        (
            {"deal": "random"},
            ValueError,
            "deal is 'random' where an episode is a match, expected a number or 'random', ",
        ),
        ({"deal": 2}, ValueError, "deal is 2 where an episode is a match, expected horizon 'deal' with it$"),
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
