"""Search among determinizations that look alike."""

from random import Random

import pytest

from farfalia_engine import Deals, Kind, Observation, State, flat_monte_carlo, ruleset


def at(name: str, plays: int, seed: int = 1) -> State:
    """A match in the middle of its first deal, before a card of which there is a choice."""
    random = Random(seed)
    state = ruleset(name).new_match(Deals(bytes((seed,)) * 32))
    while len(state.plays) < plays or not choice(state):
        state.apply(random.choice(state.legal_actions()))
    return state


def choice(state: State) -> bool:
    return state.pending is not None and state.pending.kind is Kind.PLAY and len(state.legal_actions()) > 1


def observation(state: State) -> Observation:
    assert state.pending is not None
    return state.observation(state.pending.seats[0])


def test_every_action_is_tried_and_the_best_one_most() -> None:
    view = observation(at("chinkway", 5))
    found = flat_monte_carlo(view, Random(1), 300)
    assert set(found.visits) == set(found.values) == set(view.legal)
    assert found.visits[found.best] == max(found.visits.values())
    assert 300 <= found.iterations == sum(found.visits.values()) < 300 + len(view.legal)


def test_the_same_random_numbers_find_the_same() -> None:
    view = observation(at("four", 20))
    assert flat_monte_carlo(view, Random(3), 100) == flat_monte_carlo(view, Random(3), 100)


def test_it_stops_after_the_world_in_which_it_is_told_so() -> None:
    view = observation(at("chinkway", 10))
    found = flat_monte_carlo(view, Random(1), 10_000, enough=lambda: True)
    assert set(found.visits.values()) == {1}


def test_a_card_that_collects_at_once_is_found() -> None:
    # The last trick but one to come: a seat that can still take a card that is wanted should.
    gains = []
    for seed in range(12):
        view = observation(at("four", 44, seed))
        found = flat_monte_carlo(view, Random(seed), 200)
        gains.append(found.values[found.best] - min(found.values.values()))
    assert min(gains) >= 0
    assert max(gains) > 1


def test_who_is_not_asked_has_nothing_to_search() -> None:
    state = at("chinkway", 20)
    assert state.pending is not None
    other = next(seat for seat in range(5) if seat not in state.pending.seats)
    with pytest.raises(ValueError, match=f"seat {other} has no decision to make"):
        flat_monte_carlo(state.observation(other), Random(1))
    with pytest.raises(ValueError, match="0 iterations find nothing"):
        flat_monte_carlo(observation(state), Random(1), 0)
    with pytest.raises(TypeError, match=r"^iterations is True, expected an integer$"):
        flat_monte_carlo(observation(state), Random(1), True)


def test_players_of_a_heuristic_playout_collect_more_than_random_ones() -> None:
    state = at("chinkway", 0)
    random = Random(4)
    plain = [sum(state.playout(random)) for _ in range(200)]
    heuristic = [sum(state.heuristic_playout(random)) for _ in range(200)]
    assert sum(heuristic) > 1.3 * sum(plain)
    assert state.pending is not None
