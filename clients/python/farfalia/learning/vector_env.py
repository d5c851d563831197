"""Many matches side by side, so that one call of a policy answers for all of them.

>>> import numpy as np
>>> table = VectorEnv("two", 8, seed=7, horizon="deal", opponents="cautious")
>>> observations, infos = table.reset()
>>> observations.shape, infos["action_mask"].shape
((8, 1742), (8, 117))
>>> actions = infos["action_mask"].argmax(1)
>>> observations, rewards, terminations, truncations, infos = table.step(actions)
"""

from collections.abc import Mapping, Sequence
from itertools import chain, count
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from farfalia.bot import Bot
from farfalia.learning.episodes import Episodes
from farfalia.learning.opponents import Opponent, answers, clockwise
from farfalia.learning.tensor_writer import tensor_writer
from farfalia.learning.tensors import Tensor, action_count, observation_size, observation_tensor
from farfalia.learning.vector_row import End, VectorRow
from farfalia_engine import IllegalAction
from farfalia_engine.integers import whole

#: What `step` returns, as Gymnasium's vector environments do.
Step = tuple[Tensor, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class VectorEnv:
    """`n` matches of a game, each waiting for one decision of the policy.

    `options`, `horizon`, `reward` and `deal` are those of `pettingzoo_env.RawEnv`, and row k plays what that plays
    after `reset(seed + k)`. Without opponents the policy answers for every seat. An opponent is a house bot's name
    or a bot; one takes all seats but the policy's, a list says who sits clockwise from it, where None is the policy
    again. The policy's seat in row k is k in the first episode, counted through all seats, and one further in each
    that follows, or always `seat`. A bot of your own is asked by `decide_batch` for all rows that wait for it.

    It behaves as Gymnasium's vector environments do in the mode SAME_STEP: the step that ends an episode returns its
    reward and the first observation of the next one. What is returned is copied, unless `copy` is false: then
    `reset` and `step` write observations and masks into the arrays that they returned before.

    Raises the engine's UnknownRuleset or BadOption, BadSetting for what is not a bot, ValueError for other values.
    """

    def __init__(
        self,
        name: str,
        n: int,
        options: Mapping[str, str] | None = None,
        *,
        seed: int | None = None,
        horizon: str = "match",
        reward: str = "centred",
        deal: int | str = 1,
        opponents: Opponent | Sequence[Opponent] = None,
        seat: int | None = None,
        copy: bool = True,
    ) -> None:
        if whole("n", n) < 1:
            raise ValueError(f"n is {n}, expected at least 1")
        episodes = Episodes(name, options, horizon, reward, deal)
        self.rules = episodes.rules
        seats = self.rules.seats
        seated = clockwise(opponents, seats)
        if seat is not None:
            if seated == (None,) * seats:
                raise ValueError(f"seat is {seat!r} where the policy has every seat, expected opponents with it")
            if not 0 <= whole("seat", seat) < seats:
                raise ValueError(f"seat is {seat}, expected 0 to {seats - 1}")
        #: How many rows there are, under Gymnasium's name.
        self.num_envs = n
        self._copy = copy
        matches = count(1)
        self._rows = [VectorRow(number, episodes, seated, seat, matches) for number in range(n)]
        self._numbers = np.arange(n)
        self._writer = tensor_writer(self.rules)
        self._observations = np.zeros((n, observation_size(self.rules)), np.float32)
        self._masks = np.zeros((n, action_count(self.rules)), np.int8)
        self._waiting = False
        self._seed(Random().getrandbits(64) if seed is None else whole("seed", seed))

    @property
    def seats(self) -> NDArray[np.int64]:
        """By row the seat that is to act; -1 before the first `reset`."""
        return np.array([row.seat for row in self._rows])

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Tensor, dict[str, Any]]:
        """Begin an episode in every row: with a seed as a new environment does, without one with other deals."""
        del options
        if seed is not None:
            self._seed(whole("seed", seed))
        self._waiting = False
        for row in self._rows:
            row.begin()
        self._go_on({})
        return self._observe(), self._infos()

    def step(self, actions: NDArray[Any] | Sequence[Any]) -> Step:
        """Do them, row by row, and go on to the next decision of each; `reset` comes first.

        The rewards are those of the seats that acted, from their action on. The rewards of all seats, in this step,
        are in the infos, with `action_mask`, `seat`, which is to act now, and `points` in the episode so far; where
        episodes ended with `final_obs` and `final_info`, too.

        Raises IllegalAction, TypeError for what is not an integer, and ValueError for another number of actions: no row
        has moved then. After an error of an opponent start again with `reset`.
        """
        chosen = self._checked(actions)
        actors = self.seats
        self._waiting = False
        for row, action in zip(self._rows, chosen, strict=True):
            row.apply(action)
        ended: dict[int, End] = {}
        self._go_on(ended)
        paid = np.array([ended[row.number].paid if row.number in ended else row.told() for row in self._rows])
        terminations = np.zeros(self.num_envs, np.bool_)
        terminations[list(ended)] = True
        infos = self._infos() | {"rewards": paid}
        if ended:
            infos |= self._final(ended, terminations)
        return self._observe(), paid[self._numbers, actors], terminations, np.zeros_like(terminations), infos

    def close(self, **options: Any) -> None:
        """Do nothing: there is nothing to close."""

    def _seed(self, seed: int) -> None:
        for row in self._rows:
            row.seed(seed + row.number)

    def _checked(self, actions: NDArray[Any] | Sequence[Any]) -> list[int]:
        """Return the actions as integers, each legal in its row."""
        if not self._waiting:
            raise RuntimeError("no row waits for an action, expected reset before step")
        expected = f"expected ({self.num_envs},): one for each row"
        try:
            shape = np.shape(actions)
        except ValueError:
            raise ValueError(f"actions have no shape, some are sequences, {expected}") from None
        if shape != (self.num_envs,):
            raise ValueError(f"actions have shape {shape}, {expected}")
        given: Sequence[Any] = actions.tolist() if isinstance(actions, np.ndarray) else actions
        chosen = [whole(f"action of row {number}", action) for number, action in enumerate(given)]
        for row, action in zip(self._rows, chosen, strict=True):
            if action not in row.match.legal_actions(row.seat):
                raise self._objection(row, action)
        return chosen

    def _objection(self, row: VectorRow, action: int) -> IllegalAction:
        """Return what the engine says to an illegal action, with its row."""
        try:
            row.match.clone().apply(action, row.seat)
        except IllegalAction as error:
            return IllegalAction(f"action {action} ({error.name}) of row {row.number}", error.reason)
        raise AssertionError(f"{action} is legal")

    def _go_on(self, ended: dict[int, End]) -> None:
        """Go on to the policy's next decision in every row, from episode to episode; note those that end."""
        rows = self._rows
        while rows:
            asked: dict[int, tuple[Bot, list[VectorRow]]] = {}
            for row in rows:
                bot = self._run(row, ended)
                if bot is not None:
                    asked.setdefault(id(bot), (bot, []))[1].append(row)
            rows = []
            for bot, waiting in asked.values():
                for row, action in zip(waiting, answers(bot, [row.view() for row in waiting]), strict=True):
                    row.apply(action)
                rows += waiting
        self._waiting = True

    def _run(self, row: VectorRow, ended: dict[int, End]) -> Bot | None:
        """Go on in a row until the policy is asked, or the bot that is returned."""
        while True:
            bot = row.run()
            if row.match.pending:
                return bot
            # An episode in which the policy was never asked is none of its episodes.
            if row.asked:
                ended[row.number] = row.end()
            row.begin()

    def _observe(self) -> Tensor:
        """Return what each row's seat may know, written into the same array every time."""
        self._writer.write_all((row.match.observation(row.seat) for row in self._rows), self._observations)
        return self._observations.copy() if self._copy else self._observations

    def _infos(self) -> dict[str, Any]:
        legal = [row.match.legal_actions(row.seat) for row in self._rows]
        self._masks.fill(0)
        self._masks[np.repeat(self._numbers, [len(each) for each in legal]), np.fromiter(chain(*legal), np.intp)] = 1
        return {
            "action_mask": self._masks.copy() if self._copy else self._masks,
            "seat": self.seats,
            "points": np.array([row.match.totals for row in self._rows]),
        }

    def _final(self, ended: Mapping[int, End], terminations: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what Gymnasium says of episodes that are over: an entry for each row, and which of them count."""
        observations = np.full(self.num_envs, None, object)
        points, places = np.zeros((2, self.num_envs, self.rules.seats), np.int64)
        for number, end in ended.items():
            observations[number] = observation_tensor(end.observation)
            points[number], places[number] = end.points, end.places
        return {
            "final_obs": observations,
            "_final_obs": terminations.copy(),
            "final_info": {"points": points, "place": places},
            "_final_info": terminations.copy(),
        }
