"""A match from its first decision to its last, with somebody who decides for each seat."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from farfalia_engine.interfaces import Observation, State


class Decision(NamedTuple):
    """What a seat did; `forced` if no other action was legal, so that nobody was asked.

    >>> match = ruleset("chinkway").new_match(Deals(bytes(32)))
    >>> play_to_end(match, [lambda observation: min(observation.legal)] * 5)[-1]
    Decision(seat=1, action=46, forced=True)
    """

    seat: int
    action: int
    forced: bool


def play_to_end(state: State, deciders: Sequence[Callable[[Observation], int]]) -> list[Decision]:
    """Play this match to its end and return all decisions; `state.outcome` says how it ended.

    By seat, a decider gets an observation and returns an action, as `farfalia.Bot.decide` does. Where several seats
    decide at once, they are asked one after another. Raises IllegalAction if an action is illegal.

    >>> match = ruleset("chinkway").new_match(Deals(bytes(32)))
    >>> played = play_to_end(match, [lambda observation: min(observation.legal)] * 5)
    >>> len(played), sum(decision.forced for decision in played), match.outcome.points
    (663, 138, (83, 86, 61, 85, 74))
    """
    played = []
    while (pending := state.pending) is not None:
        seat = pending.seats[0]
        legal = state.legal_actions(seat)
        forced = len(legal) == 1
        action = legal[0] if forced else deciders[seat](state.observation(seat))
        state.apply(action, seat)
        played.append(Decision(seat, action, forced))
    return played
