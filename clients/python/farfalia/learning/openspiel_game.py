"""The games as OpenSpiel games: importing this registers them, as `python_farfalia_chinkway` and so on.

A parameter of a game is an option of the ruleset, and three more: `horizon`, a `match` or one `deal`; `deal`, its
number; and `reward`, `centred`, `points` or `win`. In `order=listed:…` types stand with slashes between them, since
commas part parameters.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random
from types import new_class
from typing import Any, ClassVar, Final

import numpy as np

from farfalia.learning.episodes import HORIZONS, REWARDS, deal_number, one_of, rewards, shares
from farfalia.learning.observation_text import observation_text
from farfalia.learning.openspiel_episode import Episode
from farfalia.learning.openspiel_limits import limits
from farfalia.learning.table_text import table_text
from farfalia.learning.tensors import action_count, observation_tensor, tensor_layout
from farfalia_engine import GAMES, Ruleset, ruleset

try:
    import pyspiel
except ImportError:
    raise ImportError("farfalia.learning.openspiel_game needs OpenSpiel: pip install 'open_spiel>=1.6.11'") from None

_PREFIX: Final = "python_farfalia_"
_UTILITIES: Final = {
    "centred": pyspiel.GameType.Utility.ZERO_SUM,
    "points": pyspiel.GameType.Utility.GENERAL_SUM,
    "win": pyspiel.GameType.Utility.CONSTANT_SUM,
}
_SUMS: Final = {"centred": 0.0, "points": None, "win": 1.0}


def short_name(name: str) -> str:
    """Return what OpenSpiel calls a ruleset: `five-hand` is `python_farfalia_five_hand`."""
    return _PREFIX + name.replace("-", "_")


class OpenSpielGame(pyspiel.Game):
    """A ruleset. What a player gets is `returns` at the end: by `reward`, of the whole episode.

    An information state's tensor is there where an observation's tells all that was seen: in a deal without dummies.
    """

    #: Name of the ruleset; each has a class.
    name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.rules = _ruleset(self.name, given)
        self.horizon = one_of("horizon", given.get("horizon", HORIZONS[0]), HORIZONS)
        self.reward = one_of("reward", given.get("reward", REWARDS[0]), REWARDS)
        deal = deal_number(self.rules, self.horizon, given.get("deal", 1))
        self.recalls = self.horizon == "deal" and not tensor_layout(self.rules).sizes.dummies
        bounds = limits(self.rules, self.horizon, self.reward)
        self._most_drawn = bounds.draws
        info = pyspiel.GameInfo(
            num_distinct_actions=action_count(self.rules),
            max_chance_outcomes=bounds.outcomes,
            num_players=self.rules.seats,
            min_utility=bounds.lowest,
            max_utility=bounds.highest,
            utility_sum=_SUMS[self.reward],
            max_game_length=bounds.decisions,
        )
        super().__init__(_game_type(self.name, self.reward, recalls=self.recalls), info, given)
        self._start = Episode(self.rules, self.horizon, deal)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)

    def new_initial_state(self) -> "OpenSpielState":
        """Return the state before the first card is dealt."""
        return OpenSpielState(self, deepcopy(self._start))

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound; `max_game_length` counts decisions alone."""
        return self._most_drawn

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> "FarfaliaObserver":
        """Return an observer of one player's view; ValueError for other kinds of observing."""
        if params:
            raise ValueError(f"observers take no parameters, got {', '.join(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("observers see what one player sees, expected public_info and SINGLE_PLAYER")
        return FarfaliaObserver(self, perfect_recall=kind.perfect_recall)


class OpenSpielState(pyspiel.State):
    """An episode as it stands.

    Chance draws the decks, a card at a time. Where several seats decide at once they are asked one after another and
    do not see what others chose. A decision with one answer is made and left out of the history.
    """

    def __init__(self, game: OpenSpielGame, episode: Episode) -> None:
        super().__init__(game)
        self.episode = episode

    def current_player(self) -> int:
        """Return the seat that is asked, or chance, or that it is over."""
        if self.episode.chance:
            return int(pyspiel.PlayerId.CHANCE)
        asked = self.episode.asked
        return int(pyspiel.PlayerId.TERMINAL) if asked is None else asked

    def is_terminal(self) -> bool:
        """Return whether the episode is over."""
        return self.episode.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what may be drawn next, and how likely it is."""
        assert self.episode.chance
        return self.episode.chance.outcomes()

    def returns(self) -> list[float]:
        """Return what each seat is paid, once the episode is over; nothing before that."""
        episode, game = self.episode, self.get_game()
        if not episode.over or episode.state is None:
            return [0.0] * game.num_players()
        if game.reward == "win":
            return shares(game.rules, episode.state.totals)
        return rewards(episode.state.totals, game.reward)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "OpenSpielState":
        """Return a state that looks like this to the player, each equally likely;
        what was drawn is no part of its history.
        """
        random = Random(int(probability_sampler() * 2**53))
        return OpenSpielState(self.get_game(), self.episode.sampled(player_id, random))

    def _legal_actions(self, player: int) -> list[int]:
        assert self.episode.state
        return list(self.episode.state.legal_actions(player))

    def _apply_action(self, action: int) -> None:
        self.episode.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        episode = self.episode
        if player == pyspiel.PlayerId.CHANCE and episode.chance:
            return episode.chance.text(episode.rules, action)
        return episode.rules.text(action)

    def __str__(self) -> str:
        """Return the whole table, all hands open, and below it what was drawn of a deck."""
        episode = self.episode
        table = table_text(episode.state) if episode.state else "nothing is dealt"
        return f"{table}\ndrawn of {episode.chance.label}: {list(episode.chance.top)}" if episode.chance else table


class FarfaliaObserver:
    """What one player sees, as `tensor`, by fields in `dict`, and as a string. Before the first deal it is empty."""

    def __init__(self, game: OpenSpielGame, *, perfect_recall: bool) -> None:
        self._recall = perfect_recall
        layout = tensor_layout(game.rules)
        self.tensor = None if perfect_recall and not game.recalls else np.zeros(layout.size, np.float32)
        self.dict = {}
        if self.tensor is not None:
            for field in layout.fields.values():
                self.dict[field.name] = self.tensor[field.slice].reshape(field.shape)

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor with what this player sees."""
        if self.tensor is None:
            return
        if state.episode.state is None:
            self.tensor.fill(0)
        else:
            observation_tensor(state.episode.state.observation(player), self.tensor)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what this player sees; with perfect recall, all that it has seen in this episode."""
        episode = state.episode
        if self._recall:
            return episode.text(player)
        return observation_text(episode.state.observation(player)) if episode.state else ""


def _loaded(text: str) -> Any:
    """Return a game that was pickled: importing this module, as pickle does, has made it known."""
    return pyspiel.load_game(text)


def _parameters(name: str) -> dict[str, Any]:
    """Return the parameters of a game with their defaults: numbers where options are numbers, and 0 for none."""
    defaults = {option: each.default or "0" for option, each in GAMES[name].options.items()}
    numbers = {option: int(text) if text.isdecimal() else text for option, text in defaults.items()}
    return {**numbers, "horizon": HORIZONS[0], "deal": 1, "reward": REWARDS[0]}


def _ruleset(name: str, given: Mapping[str, Any]) -> Ruleset:
    defaults = _parameters(name)
    options = {option: str(value) for option, value in given.items() if value != defaults.get(option)}
    for each in ("horizon", "deal", "reward"):
        options.pop(each, None)
    if "order" in options:
        options["order"] = options["order"].replace("/", ",")
    return ruleset(name, options)


def _game_type(name: str, reward: str, *, recalls: bool) -> Any:
    numbers = [{"players": each} for each in "345"] if "players" in GAMES[name].options else [{}]
    seats = [ruleset(name, players).seats for players in numbers]
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"Farfalia: {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=_UTILITIES[reward],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )


def _register(name: str) -> None:
    """Make a ruleset known. It has a class, since OpenSpiel lets go of what makes games when Python is gone already."""
    made = new_class(OpenSpielGame.__name__, (OpenSpielGame,), exec_body=lambda body: body.update(name=name))
    pyspiel.register_game(_game_type(name, REWARDS[0], recalls=False), made)


for _name in GAMES:
    _register(_name)
