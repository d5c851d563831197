"""The games as environments of Gymnasium: one agent at a table of bots, or many matches side by side.

>>> table = GymnasiumEnv("two", opponents="cautious", horizon="deal")
>>> observation, info = table.reset(seed=7)
>>> action = int(info["action_mask"].argmax())
>>> observation, reward, terminated, truncated, info = table.step(action)
>>> table.action_space
Discrete(117)
>>> from gymnasium.wrappers.vector import RecordEpisodeStatistics
>>> tables = RecordEpisodeStatistics(GymnasiumVectorEnv("two", 8, seed=7, opponents="cautious"))
>>> observations, infos = tables.reset()
"""

from collections.abc import Mapping, Sequence
from itertools import count
from operator import index
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from farfalia.bot import Bot
from farfalia.errors import BadSetting
from farfalia.learning.episodes import Episodes, one_of
from farfalia.learning.opponents import answers, clockwise
from farfalia.learning.tensors import Tensor, action_count, action_mask, observation_size, observation_tensor
from farfalia.learning.vector_env import VectorEnv
from farfalia.learning.vector_row import VectorRow
from farfalia_engine import Ruleset
from farfalia_engine.integers import whole

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError("farfalia.learning.gymnasium_env needs Gymnasium: pip install 'gymnasium>=1.1'") from None


#: What an illegal action does: `step` raises IllegalAction, or a legal one is drawn in its place.
ILLEGAL = ("raise", "replace")


class GymnasiumEnv(gymnasium.Env[Tensor, np.int64]):
    """One agent at a table whose other seats are held by `opponents`, house bots' names or bots of your own.

    The other arguments are those of `VectorEnv`. An episode is one of a `VectorEnv` of one row with that seed: the
    same deals, tensors and opponents. The agent's seat is one further in each episode that follows, or always `seat`.

    Infos have `action_mask`, `seat` and `points` in the episode so far, by seat, and, once it is over, `places`;
    `action_masks` returns the mask alone, for libraries that ask for it. An illegal action raises IllegalAction; with
    `illegal="replace"`, for libraries without masks, a legal one is drawn in its place, and the info has `replaced`.

    Raises the engine's UnknownRuleset or BadOption, BadSetting for what is not a bot, ValueError for other values.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(
        self,
        name: str,
        options: Mapping[str, str] | None = None,
        *,
        horizon: str = "match",
        reward: str = "centred",
        deal: int | str = 1,
        opponents: str | Bot | Sequence[str | Bot] = "cautious",
        seat: int | None = None,
        illegal: str = "raise",
    ) -> None:
        episodes = Episodes(name, options, horizon, reward, deal)
        self.rules: Ruleset = episodes.rules
        seats = self.rules.seats
        seated = clockwise(opponents, seats)
        if None in seated[1:]:
            raise BadSetting("None is an opponent; expected house bots' names or bots, as there is one agent.")
        if seat is not None and not 0 <= whole("seat", seat) < seats:
            raise ValueError(f"seat is {seat}, expected 0 to {seats - 1}")
        self._replaces = one_of("illegal", illegal, ILLEGAL) == "replace"
        self._row = VectorRow(0, episodes, seated, seat, count(1))
        self._seeded = False
        self.observation_space = Box(0, np.inf, (observation_size(self.rules),), np.float32)
        self.action_space = Discrete(action_count(self.rules))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Tensor, dict[str, Any]]:
        """Begin an episode: with a seed as a new environment does, without one with other deals."""
        super().reset(seed=seed, options=options)
        row = self._row
        if seed is not None or not self._seeded:
            row.seed(Random().getrandbits(64) if seed is None else seed)
            self._seeded = True
        row.begin()
        while not self._waits():  # an episode in which the agent is never asked is none of its episodes
            row.begin()
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Tensor, float, bool, bool, dict[str, Any]]:
        """Do it, and go on to the agent's next decision or to the end; the reward is what its seat was paid by then.

        Raises IllegalAction, and nothing has moved; TypeError for what is no integer; RuntimeError before `reset`, and
        once the episode is over.
        """
        row = self._row
        if not self._seeded or not row.match.pending:
            raise RuntimeError("no episode is being played; expected reset before step")
        chosen, replaced = index(action), False
        legal = row.match.legal_actions(row.seat)
        if self._replaces and chosen not in legal:
            chosen, replaced = int(self.np_random.choice(legal)), True
        row.apply(chosen)
        over = not self._waits()
        info = self._info() | ({"replaced": True} if replaced else {})
        if over:
            info["places"] = np.array(self.rules.places(row.match.totals))
        return self._observe(), float(row.told()[row.seat]), over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, as MaskablePPO asks for it; one is true once the episode is over."""
        mask = np.zeros(action_count(self.rules), np.bool_)
        mask[list(self._row.match.legal_actions(self._row.seat)) or [0]] = True
        return mask

    def _waits(self) -> bool:
        """Let the others play; return whether the agent is asked, and not that the episode is over."""
        row = self._row
        while (bot := row.run()) is not None:
            row.apply(answers(bot, [row.view()])[0])
        return row.match.pending is not None

    def _observe(self) -> Tensor:
        return observation_tensor(self._row.match.observation(self._row.seat))

    def _info(self) -> dict[str, Any]:
        row = self._row
        mask = action_mask(row.match.observation(row.seat))
        return {"action_mask": mask, "seat": row.seat, "points": np.array(row.match.totals)}


class GymnasiumVectorEnv(VectorEnv, gymnasium.vector.VectorEnv[Any, Any, Any]):
    """A `VectorEnv` with Gymnasium's class and spaces; its arguments are the same.

    Actions that the action space samples are illegal as a rule: the masks are in the infos.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = Box(0, np.inf, (observation_size(self.rules),), np.float32)
        self.single_action_space = Discrete(action_count(self.rules))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
