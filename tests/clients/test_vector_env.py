"""The vector environment plays what the PettingZoo environment plays, row by row."""

import subprocess
import sys
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from tests.engine.games import label

from farfalia import Bot
from farfalia.bots import create
from farfalia.errors import BadAnswer, BadSetting
from farfalia.learning.episodes import Episodes
from farfalia.learning.gymnasium_env import GymnasiumVectorEnv
from farfalia.learning.pettingzoo_env import raw_env
from farfalia.learning.vector_env import VectorEnv
from farfalia.learning.vector_row import VectorRow
from farfalia_engine import BadOption, IllegalAction, Observation, UnknownRuleset

Game = tuple[str, dict[str, str]]

SOME: list[Game] = [
    ("chinkway", {}),
    ("chinkway", {"double_you": "on"}),
    ("basic", {"burnin": "on"}),
    ("four", {"target": "20"}),
    ("four", {"burnin": "on"}),
    ("three-short", {}),
    ("two", {}),
    ("two", {"double_you": "on"}),
    ("farrago", {"players": "3"}),
    ("farrago", {"players": "5", "order": "random"}),
]
EPISODES: list[dict[str, Any]] = [
    {"horizon": "match"},
    {"horizon": "deal", "deal": "random", "reward": "win"},
    {"horizon": "deal", "reward": "points"},
]


def choose(masks: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A legal action for each row, drawn."""
    chosen: np.ndarray = (masks * random.uniform(0.5, 1, masks.shape)).argmax(1)
    return chosen


def same(ours: Any, theirs: Any) -> bool:
    """Whether two answers of an environment hold the same, to the last array."""
    if isinstance(ours, dict):
        return list(ours) == list(theirs) and all(same(ours[name], theirs[name]) for name in ours)
    if isinstance(ours, tuple):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if ours.dtype == object:
        return all(one is two is None or np.array_equal(one, two) for one, two in zip(ours, theirs, strict=True))
    return ours.dtype == theirs.dtype and np.array_equal(ours, theirs)


def history(table: VectorEnv, steps: int, seed: int | None = None) -> list[Any]:
    """All that is returned when actions are drawn, the same whenever the rows are."""
    random = np.random.default_rng(5)
    told: list[Any] = [table.reset(seed=seed)]
    for _ in range(steps):
        told.append(table.step(choose(told[-1][-1]["action_mask"], random)))
    return told


@pytest.mark.parametrize("episode", EPISODES, ids=str)
@pytest.mark.parametrize("game", SOME, ids=label)
def test_a_row_is_the_pettingzoo_environment_with_its_seed(game: Game, episode: dict[str, Any]) -> None:
    rows, random = 3, np.random.default_rng(1)
    table = VectorEnv(game[0], rows, game[1], seed=40, **episode)
    others = [raw_env(*game, **episode) for _ in range(rows)]
    for row, other in enumerate(others):
        other.reset(seed=40 + row)
    observations, infos = table.reset()
    steps = 0
    ends = 0
    while ends < 2 or steps < 60:
        for row, other in enumerate(others):
            observation, *_ = other.last()
            assert np.array_equal(observations[row], observation["observation"])
            assert np.array_equal(infos["action_mask"][row], observation["action_mask"])
            assert other.agent_selection == f"seat_{infos['seat'][row]}" == f"seat_{table.seats[row]}"
            assert infos["points"][row].tolist() == [other.infos[agent]["points"] for agent in other.agents]
        actions, actors = choose(infos["action_mask"], random), infos["seat"]
        observations, rewards, terminations, truncations, infos = table.step(actions)
        assert not truncations.any()
        assert ("final_obs" in infos) == ("final_info" in infos) == terminations.any()
        for row, other in enumerate(others):
            other.step(actions[row])
            paid = list(other.rewards.values())
            assert infos["rewards"][row].tolist() == paid
            assert rewards[row] == paid[actors[row]]
            assert terminations[row] == other.terminations["seat_0"]
            if terminations[row]:
                agents = other.agents
                final = infos["final_info"]
                assert np.array_equal(infos["final_obs"][row], other.observe(f"seat_{actors[row]}")["observation"])
                assert infos["_final_obs"][row]
                assert infos["_final_info"][row]
                assert final["points"][row].tolist() == [other.infos[agent]["points"] for agent in agents]
                assert final["place"][row].tolist() == [other.infos[agent]["place"] for agent in agents]
                other.reset()
                ends += 1
            elif "final_obs" in infos:
                assert infos["final_obs"][row] is None
        steps += 1


@pytest.mark.parametrize("reward", ["centred", "win"])
@pytest.mark.parametrize("game", [("two", {}), ("chinkway", {"double_you": "on"}), ("farrago", {})], ids=label)
def test_between_two_decisions_of_the_policy_the_house_bots_play(game: Game, reward: str) -> None:
    bot, random, rows = create("greedy"), np.random.default_rng(2), 2
    table = VectorEnv(game[0], rows, game[1], seed=9, horizon="match", reward=reward, opponents="greedy")
    others = [raw_env(*game, reward=reward) for _ in range(rows)]
    gained, episodes = [0.0] * rows, [0] * rows

    def up_to_the_policy(row: int) -> bool:
        """Let the bot answer until seat `row`, further by one an episode, is asked; whether it is."""
        other = others[row]
        ours = f"seat_{(row + episodes[row]) % len(other.possible_agents)}"
        while not other.terminations[ours]:
            if other.agent_selection == ours:
                return True
            other.step(bot.decide(other.match.observation(int(other.agent_selection[5:]))))
            gained[row] += other.rewards[ours]
        return False

    for row, other in enumerate(others):
        other.reset(seed=9 + row)
        assert up_to_the_policy(row)
    observations, infos = table.reset()
    while min(episodes) < 1 or max(episodes) < 2:
        for row, other in enumerate(others):
            assert np.array_equal(observations[row], other.last()[0]["observation"])
            assert infos["seat"][row] == (row + episodes[row]) % len(other.possible_agents)
        actions = choose(infos["action_mask"], random)
        observations, rewards, terminations, _, infos = table.step(actions)
        for row, other in enumerate(others):
            ours = other.agent_selection
            other.step(actions[row])
            gained[row] += other.rewards[ours]
            assert up_to_the_policy(row) != terminations[row]
            assert rewards[row] == pytest.approx(gained[row])
            gained[row] = 0.0
            if terminations[row]:
                episodes[row] += 1
                other.reset()
                up_to_the_policy(row)


@pytest.mark.parametrize("opponents", [None, "random", ["random", None, "cautious"]], ids=str)
def test_the_same_seed_plays_the_same_however_many_rows_there_are(opponents: Any) -> None:
    named = {"seed": 3, "horizon": "deal", "deal": "random", "opponents": opponents}
    first, again = (history(VectorEnv("four", 4, **named), 80) for _ in range(2))
    assert all(map(same, first, again))
    table = VectorEnv("four", 4, **named)
    history(table, 10)
    assert all(map(same, first, history(table, 80, seed=3)))
    assert not same(first[0], VectorEnv("four", 4, **named | {"seed": 7}).reset())
    few, many = VectorEnv("four", 2, **named), VectorEnv("four", 6, **named)
    (observations, infos), (more, more_infos) = few.reset(), many.reset()
    for _ in range(60):
        assert np.array_equal(observations, more[:2])
        observations, _, _, _, infos = few.step(infos["action_mask"].argmax(1))
        more, _, _, _, more_infos = many.step(more_infos["action_mask"].argmax(1))


def test_deals_that_pass_without_a_question_are_paid_all_the_same() -> None:
    row = VectorRow(0, Episodes("chinkway", None, "match", "points", 1), ("greedy",) * 5, None, count(1))
    row.seed(1)
    row.begin()
    assert row.run() is None
    assert row.told() == list(row.match.totals)
    assert row.told() == [0.0] * 5


def test_without_a_seed_a_reset_deals_new_cards() -> None:
    table = VectorEnv("two", 3, seed=1)
    assert not same(table.reset()[0], table.reset()[0])
    assert not same(VectorEnv("two", 3).reset()[0], VectorEnv("two", 3).reset()[0])


class Watching(Bot):
    """Takes the last legal action, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[tuple[int, int, int]]] = []

    def decide_batch(self, views: Sequence[Observation]) -> Sequence[int]:
        """Return the last legal action for each."""
        self.asked.append([(view.match, view.number, view.seat) for view in views])  # type: ignore[attr-defined]
        return [np.int64(view.legal[-1]) for view in views]  # type: ignore[misc]


def test_a_bot_of_your_own_answers_for_all_rows_that_wait_at_once() -> None:
    bot = Watching()
    table = VectorEnv("two", 8, seed=1, horizon="deal", opponents=bot)
    told = history(table, 60)
    assert max(map(len, bot.asked)) > 4
    questions = [question for asked in bot.asked for question in asked]
    ends = sum(int(each[2].sum()) for each in told[1:])
    assert {match for match, _, _ in questions} <= set(range(1, 9 + ends))
    assert max(match for match, _, _ in questions) > 8
    for match in {match for match, _, _ in questions}:
        numbers = [number for which, number, _ in questions if which == match]
        assert numbers == list(range(1, len(numbers) + 1))


def test_a_list_says_who_sits_clockwise_from_the_policy() -> None:
    bot = Watching()
    table = VectorEnv("four", 4, seed=1, horizon="deal", opponents=[bot, None, "greedy"], seat=1)
    seats = {seat for each in history(table, 60) for seat in each[-1]["seat"].tolist()}
    assert seats == {1, 3}
    assert {seat for asked in bot.asked for _, _, seat in asked} == {2}


def test_the_policy_changes_its_seat_with_every_episode() -> None:
    table = VectorEnv("chinkway", 3, seed=1, horizon="deal", opponents="random")
    _, infos = table.reset()
    assert infos["seat"].tolist() == [0, 1, 2]
    episodes = np.zeros(3, int)
    while episodes.min() < 6:
        assert infos["seat"].tolist() == ((np.arange(3) + episodes) % 5).tolist()
        *_, terminations, _, infos = table.step(infos["action_mask"].argmax(1))
        episodes += terminations


def test_what_is_returned_stays_as_it_is_unless_copies_are_declined() -> None:
    for copy in (True, False):
        table = VectorEnv("two", 2, seed=1, copy=copy)
        observations, infos = table.reset()
        before = observations.copy()
        after, *_, later = table.step(infos["action_mask"].argmax(1))
        assert np.array_equal(before, observations) == copy
        assert (after is observations) == (later["action_mask"] is infos["action_mask"]) == (not copy)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            lambda right: [*right[:2], 116],
            IllegalAction,
            r"action 116 \(none\) of row 2 is illegal: seat 1 may choose ",
        ),
        (lambda right: [*right[:2], 10**9], IllegalAction, r"action 1000000000 \(1000000000\) of row 2 is illegal: "),
        (lambda right: [*right[:2], -1], IllegalAction, r"action -1 \(-1\) of row 2 is illegal: "),
        (lambda right: np.array([*right[:2], 116]), IllegalAction, r"action 116 \(none\) of row 2 is illegal: "),
        (lambda right: [*right[:2], 2.7], TypeError, r"action of row 2 is 2\.7, expected an integer$"),
        (lambda right: [True, *right[1:]], TypeError, "action of row 0 is True, expected an integer$"),
        (lambda right: np.array(right) > 0, TypeError, "action of row 0 is (True|False), expected an integer$"),
        (lambda right: [right[0], None, right[2]], TypeError, "action of row 1 is None, expected an integer$"),
        (lambda right: np.array(right, float) + 0.5, TypeError, r"action of row 0 is \d+\.5, expected an integer$"),
        (lambda right: right[:2], ValueError, r"actions have shape \(2,\), expected \(3,\): one for each row$"),
        (lambda right: [right], ValueError, r"actions have shape \(1, 3\), expected \(3,\): one for each row$"),
        (lambda right: right[0], ValueError, r"actions have shape \(\), expected \(3,\): one for each row$"),
        (lambda right: [right[:1], *right[1:]], ValueError, r"actions have no shape, some are sequences, expected "),
    ],
)
def test_what_is_no_legal_action_for_each_row_is_refused_before_any_row_moves(
    change: Any, error: type[Exception], message: str
) -> None:
    table = VectorEnv("four", 3, seed=1)
    _, infos = table.reset()
    right = infos["action_mask"].argmax(1).tolist()
    with pytest.raises(error, match=f"^{message}"):
        table.step(change(right))
    fresh = VectorEnv("four", 3, seed=1)
    fresh.reset()
    assert same(table.step(right), fresh.step(right))


def test_a_step_before_the_reset_is_refused() -> None:
    table = VectorEnv("two", 1)
    assert table.seats.tolist() == [-1]
    with pytest.raises(RuntimeError, match=r"^no row waits for an action, expected reset before step$"):
        table.step([0])


class Failing(Bot):
    """Gives up, or answers something else, once it is asked."""

    answer: Any = None

    def decide_batch(self, views: Sequence[Observation]) -> Sequence[int]:
        """Return that answer for each, or nothing."""
        return [self.answer] * len(views) if self.answer else []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "decide_batch returned 0 actions; expected one for each of 1 views"),
        (116, "play returned 116 .none.; legal were "),
        (2.5, r"play returned 2\.5; legal were "),
    ],
)
def test_after_a_wrong_answer_of_an_opponent_a_reset_is_needed(answer: Any, message: str) -> None:
    bot = Failing()
    bot.answer = answer
    table = VectorEnv("two", 1, seed=1, opponents=bot)
    with pytest.raises(BadAnswer, match=f"^{message}"):
        history(table, 10)
    with pytest.raises(RuntimeError, match=r"^no row waits for an action"):
        table.step([0])


@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"name": "bridge"}, UnknownRuleset, "there is no game 'bridge', expected one of: basic, "),
        ({"options": {"burnin": "yes"}}, BadOption, "option 'burnin' of two is 'yes', expected one of off, on"),
        ({"n": 0}, ValueError, "n is 0, expected at least 1$"),
        ({"n": 2.5}, TypeError, r"n is 2\.5, expected an integer$"),
        ({"n": True}, TypeError, r"n is True, expected an integer$"),
        ({"seed": "x"}, TypeError, "seed is 'x', expected an integer$"),
        ({"horizon": "hand"}, ValueError, "horizon is 'hand', expected one of: match, deal$"),
        ({"reward": "rank"}, ValueError, "reward is 'rank', expected one of: centred, points, win$"),
        ({"deal": 2}, ValueError, "deal is 2 where an episode is a match, expected horizon 'deal' with it$"),
        ({"opponents": "gready"}, BadSetting, "There is no sample bot 'gready'; .* did you mean greedy"),
        ({"opponents": Watching}, BadSetting, "Watching is a class; expected a bot of it: Watching"),
        ({"opponents": [7]}, BadSetting, "7 is not a bot; "),
        ({"opponents": []}, ValueError, "opponents has 0 entries, expected 1: clockwise from the policy's seat$"),
        ({"opponents": "random", "seat": 2}, ValueError, "seat is 2, expected 0 to 1$"),
        ({"opponents": "random", "seat": 0.5}, TypeError, r"seat is 0\.5, expected an integer$"),
        ({"seat": 0}, ValueError, "seat is 0 where the policy has every seat, expected opponents with it$"),
    ],
)
def test_what_cannot_be_set_up_is_refused_in_a_sentence(
    named: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{message}"):
        VectorEnv(**{"name": "two", "n": 2, **named})


def test_gymnasium_finds_an_environment_of_its_own() -> None:
    table = GymnasiumVectorEnv("two", 3, seed=1, horizon="deal", opponents="greedy")
    assert table.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    plain = VectorEnv("two", 3, seed=1, horizon="deal", opponents="greedy")
    assert all(map(same, history(table, 60), history(plain, 60)))
    observations, infos = table.reset()
    assert table.observation_space.contains(observations)
    assert table.action_space.contains(infos["action_mask"].argmax(1))
    recorded = RecordEpisodeStatistics(table)
    told = history(recorded, 60)  # type: ignore[arg-type]
    assert any("episode" in each[-1] for each in told)


def test_numpy_is_enough_and_gymnasium_is_named_where_it_is_not() -> None:
    absent = "import sys; sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None;"
    program = (
        f"{absent} from farfalia.learning.vector_env import VectorEnv; print(VectorEnv('two', 2).reset()[0].shape)"
    )
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True)
    assert done.stdout == "(2, 1742)\n"
    program = f"{absent} import farfalia.learning.gymnasium_env"
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: farfalia.learning.gymnasium_env needs Gymnasium: pip install 'gymnasium>=1.1'"
    )
