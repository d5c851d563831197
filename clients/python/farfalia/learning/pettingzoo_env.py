"""The games as PettingZoo environments: one agent a seat, asked one at a time.

>>> env = env("two", options={"double_you": "on"})
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     dead = termination or truncation
...     env.step(None if dead else env.action_space(agent).sample(observation["action_mask"]))
"""

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.episodes import Episodes, one_of, play_forced
from farfalia.learning.table_text import table_text
from farfalia.learning.tensors import action_count, action_mask, observation_size, observation_tensor
from farfalia_engine import State
from farfalia_engine.integers import whole

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError:
    raise ImportError("farfalia.learning.pettingzoo_env needs PettingZoo: pip install 'pettingzoo>=1.25'") from None

RENDER_MODES = ("ansi", "human")


def env(*arguments: Any, **named: Any) -> Any:
    """Return the environment, which also minds that it is reset before it is stepped;
    its arguments are those of `RawEnv`.
    """
    return OrderEnforcingWrapper(RawEnv(*arguments, **named))


class RawEnv(AECEnv, EzPickle):
    """A ruleset by its name and options. An episode is a match, or with `horizon="deal"` one deal.

    That is the first deal, or number `deal` of a match in which nobody has points yet; "random" draws the number
    again for each episode.

    The agent of seat n is `seat_n`. It observes `observation`, which `tensor_layout` describes, and `action_mask`,
    whose places are the engine's numbers of actions. A decision with one answer is made for the agent, as the server
    does it. Where several seats decide at once they are asked one after another and do not see what others chose.

    At the end of every deal each agent is rewarded: with its points less the mean of all seats' points, so that the
    rewards sum to zero; or, with `reward="points"`, with its points. With `reward="win"` those who win the episode
    divide one at its end. An agent's info has its `points` in all finished deals, and its `place`: 0 until the end.

    Raises the engine's UnknownRuleset or BadOption, ValueError for other values, and from `step` IllegalAction, or
    TypeError for what is not an integer.
    """

    def __init__(
        self,
        name: str = "chinkway",
        options: Mapping[str, str] | None = None,
        render_mode: str | None = None,
        horizon: str = "match",
        reward: str = "centred",
        deal: int | str = 1,
    ) -> None:
        AECEnv.__init__(self)
        EzPickle.__init__(self, name, options, render_mode, horizon, reward, deal)
        self._episodes = Episodes(name, options, horizon, reward, deal)
        self.rules = self._episodes.rules
        self.render_mode = None if render_mode is None else one_of("render_mode", render_mode, RENDER_MODES)
        self.metadata = {"name": f"farfalia_{name}_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        self.agents: list[str] = []
        count = action_count(self.rules)
        # One space an agent, each with its own seed. Of what is observed only points have no bound.
        self.action_spaces = {agent: Discrete(count) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, np.inf, (observation_size(self.rules),), np.float32),
                    "action_mask": Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.state_space = Box(0, np.inf, (observation_size(self.rules) * self.rules.seats,), np.float32)
        self._random = Random()
        self.match: State

    def action_space(self, agent: str) -> Discrete:
        """Return the numbers of actions; most are illegal at any moment."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Dict:
        """Return the shape of what the agent observes, the same for all."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal again: with the same seed the same deals, without one new ones. `options` say nothing here."""
        del options
        if seed is not None:
            self._random = Random(whole("seed", seed))
        self.match = self._episodes.begin(self._random)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._tell()
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what the agent may know now; it may do nothing if it is not asked."""
        observation = self.match.observation(self._seat(agent))
        mask = (
            action_mask(observation) if agent == self.agent_selection else np.zeros(action_count(self.rules), np.int8)
        )
        return {"observation": observation_tensor(observation), "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """Return what all seats know together, for critics that may: every seat's tensor, one after another."""
        return np.concatenate([observation_tensor(self.match.observation(seat)) for seat in range(self.rules.seats)])

    def step(self, action: Any) -> None:
        """Do it, for the agent that is selected; an agent whose episode is over does None."""
        agent, state = self.agent_selection, self.match
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        finished = len(state.scores)
        state.apply(whole("action", action), self._seat(agent))
        play_forced(state)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if len(state.scores) > finished:
            self.rewards = dict(zip(self.agents, self._episodes.pay(state, finished), strict=True))
            self._accumulate_rewards()
            self._tell()
        self._select()

    def render(self) -> str | None:
        """Return the whole table as text, all hands open: returned in the mode `ansi`, printed in the mode `human`."""
        if self.render_mode is None:
            raise ValueError("there is nothing to render without a render_mode, expected ansi or human")
        text = table_text(self.match)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _tell(self) -> None:
        """Say to everyone how the match stands."""
        totals, outcome = self.match.totals, self.match.outcome
        places = outcome.places if outcome else (0,) * len(totals)
        self.infos = {
            agent: {"points": points, "place": place}
            for agent, points, place in zip(self.agents, totals, places, strict=True)
        }

    def _select(self) -> None:
        """Go on to the seat that is asked next; if none is, all are done."""
        if pending := self.match.pending:
            self.agent_selection = self.agents[pending.seats[0]]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        if self.render_mode == "human":
            self.render()


#: What PettingZoo's own environments call theirs.
raw_env = RawEnv
