"""Iterations of the search bots: a determinization drawn and played out once."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from farfalia_engine import Kind, State, flat_monte_carlo
from farfalia_tools.bench.engine import openspiel
from farfalia_tools.bench.engine.contest import Contestant
from farfalia_tools.bench.engine.setting import OURS, Setting, asked

#: Iterations of one search.
_SEARCH: Final = 200


def searching(setting: Setting) -> Iterator[Contestant]:
    """Measure a search at the first card of a deal, and in the middle of it."""
    plays = [state for state in setting.states if _choice(state)]
    for loop, number in (("search, first card", 0), ("search, mid-deal", len(plays) // 2)):
        yield Contestant(loop, OURS, _ours(plays[number], setting))
        for peer in setting.peers:
            states = [state for state in peer.states if len(state.legal_actions()) > 1]
            state = states[len(states) // 2 if number else 0]
            yield Contestant(loop, peer.name, partial(openspiel.search, peer, state, _SEARCH))


def _choice(state: State) -> bool:
    return state.pending is not None and state.pending.kind is Kind.PLAY and len(state.legal_actions()) > 1


def _ours(state: State, setting: Setting) -> Callable[[], float]:
    observation = state.observation(asked(state))
    return lambda: flat_monte_carlo(observation, setting.random, _SEARCH).iterations
