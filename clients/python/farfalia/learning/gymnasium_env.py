"""The vector environment as one of Gymnasium's, for its wrappers and for libraries that ask for spaces.

>>> from gymnasium.wrappers.vector import RecordEpisodeStatistics
>>> table = RecordEpisodeStatistics(GymnasiumVectorEnv("two", 8, seed=7, opponents="cautious"))
>>> observations, infos = table.reset()
>>> table.single_action_space
Discrete(117)
"""

from typing import Any

import numpy as np

from farfalia.learning.tensors import action_count, observation_size
from farfalia.learning.vector_env import VectorEnv

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError("farfalia.learning.gymnasium_env needs Gymnasium: pip install 'gymnasium>=1.1'") from None


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
