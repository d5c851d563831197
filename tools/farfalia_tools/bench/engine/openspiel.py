"""OpenSpiel's nearest games, for comparison. It is optional and has no types."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from random import Random
from typing import Any, Final

#: All rates are compared with this one's.
REFERENCE: Final = "OpenSpiel hearts"
_ROLLOUTS: Final = 100
PEERS: Final = {REFERENCE: "hearts", "OpenSpiel oh_hell 5x10": "oh_hell(players=5,num_tricks_fixed=10)"}


@dataclass(frozen=True, slots=True)
class Peer:
    """A game of OpenSpiel, and states of one deal of it: dealt, at each later decision, and in the middle."""

    name: str
    spiel: Any
    game: Any
    dealt: Any
    states: tuple[Any, ...]

    @property
    def midway(self) -> Any:
        """The middle of the deal."""
        return self.states[len(self.states) // 2]


def peers(random: Random) -> tuple[Peer, ...]:
    """Return the games to compare with; none if OpenSpiel is not installed."""
    try:
        spiel: Any = import_module("pyspiel")
    except ImportError:
        return ()
    return tuple(_peer(name, spiel, game_name, random) for name, game_name in PEERS.items())


def _peer(name: str, spiel: Any, game_name: str, random: Random) -> Peer:
    game = spiel.load_game(game_name)
    dealt = _deal(game, random)
    return Peer(name, spiel, game, dealt, tuple(_states(dealt.clone(), random)))


def _deal(game: Any, random: Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    return state


def _states(state: Any, random: Random) -> Iterator[Any]:
    while not state.is_terminal():
        yield state.clone()
        state.apply_action(random.choice(state.legal_actions()))


def play(begin: Callable[[], Any], random: Callable[[], float]) -> int:
    """Play to the end at random, one decision at a time, and say in how many decisions.

    The cards are drawn from OpenSpiel's chance nodes in the cheapest way that it offers.
    """
    state = begin()
    while state.is_chance_node():
        actions = state.legal_actions()
        state.apply_action(actions[int(random() * len(actions))])
    decisions = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(random() * len(actions))])
        decisions += 1
    return decisions


def rollouts(peer: Peer, random: Random) -> int:
    """Play from the dealt state to the end at random, often and without leaving C++; in how many decisions.

    OpenSpiel offers its rollouts to searches only: a search of one simulation is that many rollouts of its root.
    """
    seed = random.getrandbits(31)
    search = peer.spiel.MCTSBot(
        peer.game,
        evaluator=peer.spiel.RandomRolloutEvaluator(_ROLLOUTS, seed),
        uct_c=1.4,
        max_simulations=1,
        max_memory_mb=0,
        solve=False,
        seed=seed,
        verbose=False,
    )
    search.mcts_search(peer.dealt)
    return _ROLLOUTS * len(peer.states)


def search(peer: Peer, state: Any, simulations: int) -> int:
    """Search like this from a state by OpenSpiel's own information-set search, one rollout a simulation, all in C++."""
    bot = peer.spiel.ISMCTSBot(
        seed=1,
        evaluator=peer.spiel.RandomRolloutEvaluator(1, 1),
        uct_c=1.4,
        max_simulations=simulations,
        max_world_samples=-1,
        final_policy_type=peer.spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        use_observation_string=False,
        allow_inconsistent_action_sets=True,
    )
    bot.step(state)
    return simulations


def sampler(state: Any, random: Callable[[], float]) -> Callable[[], Any]:
    """Return what samples a determinization for the player who has to decide."""
    return partial(state.resample_from_infostate, state.current_player(), random)


def faults(peer: Peer, deals: int, random: Random) -> tuple[int, int]:
    """Return how many determinizations, one for each decision of these deals, contradict the play, and of how many."""
    found = [
        _contradicts(peer, sampler(state, random.random)())
        for _ in range(deals)
        for state in _states(_deal(peer.game, random), random)
    ]
    return sum(found), len(found)


def _contradicts(peer: Peer, determinization: Any) -> bool:
    """Return whether the play that has led to this determinization was not legal in it."""
    replayed = peer.game.new_initial_state()
    for action in determinization.history():
        if action not in replayed.legal_actions():
            return True
        replayed.apply_action(action)
    return False
