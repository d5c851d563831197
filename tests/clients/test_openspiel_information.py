"""What a player of OpenSpiel knows: observations, information states, and states resampled from them."""

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from open_spiel.python.observation import make_observation
from tests.clients.openspiel import RECALL, Game, load, play, step
from tests.engine.games import label, pairwise

from farfalia.learning.tensors import observation_tensor


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_resampled_state_looks_the_same_to_its_player(game: Game) -> None:
    random = Random(13)
    for horizon in ("deal", "match"):
        spiel = load(game, horizon=horizon)
        state = spiel.new_initial_state()
        for _ in range(4):
            play(state, random, lambda state: not state.is_chance_node() and random.random() < 0.05)
            if state.is_terminal():
                break
            for player in range(spiel.num_players()):
                other = state.resample_from_infostate(player, random.random)
                assert other.current_player() == state.current_player()
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.observation_tensor(player) == state.observation_tensor(player)
                if spiel.recalls:
                    assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert play(other, random).is_terminal()
            step(state, random)


def test_resampled_hands_are_as_likely_as_the_engines() -> None:
    """Late in a deal few determinizations are left: each comes as often as the next, and as the engine counts them."""
    state = load(("four", {}), horizon="deal").new_initial_state()
    random = Random(14)
    play(state, random, lambda state: not state.is_chance_node() and len(state.episode.state.plays) == 42)
    player = state.current_player()
    observation = state.episode.state.observation(player)

    def hands(match: Any) -> tuple[bytes, ...]:
        return tuple(bytes(match.observation(seat).hand) for seat in range(4))

    determinizations = {hands(observation.sample(random)) for _ in range(3000)}
    counts = dict.fromkeys(determinizations, 0)
    for _ in range(30 * len(determinizations)):
        counts[hands(state.resample_from_infostate(player, random.random).episode.state)] += 1
    assert 100 < len(determinizations) < 1000
    chi_squared = sum((count - 30) ** 2 / 30 for count in counts.values())
    assert chi_squared < len(determinizations) + 5 * (2 * len(determinizations)) ** 0.5


def test_a_state_is_not_resampled_while_a_deck_is_drawn() -> None:
    state = load(("two", {})).new_initial_state()
    with pytest.raises(ValueError, match=r"^a deck is being drawn, expected an episode in which a seat is to decide$"):
        state.resample_from_infostate(0, Random(1).random)


def test_a_resampled_state_does_not_say_how_the_cards_really_lay() -> None:
    state = play(load(("two", {})).new_initial_state(), Random(1), lambda state: not state.is_chance_node())
    other = state.resample_from_infostate(0, Random(1).random)
    assert other.history() == []
    with pytest.raises(ValueError, match=r"^a resampled episode cannot be stored, because it has no draws"):
        pickle.dumps(other.episode)


def test_those_who_decide_at_once_do_not_see_what_the_first_of_them_chose() -> None:
    tensors = set()
    for choice in (125, 126):
        state = load(("chinkway", {"double_you": "on"})).new_initial_state()
        state.apply_action(choice)
        tensors.add(
            tuple((state.information_state_string(seat), state.observation_string(seat)) for seat in range(1, 5))
        )
    assert len(tensors) == 1


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_the_observers_tensor_is_the_observations(game: Game) -> None:
    spiel = load(game, horizon="deal")
    observer = make_observation(spiel)
    state = play(spiel.new_initial_state(), Random(7), lambda state: len(state.history()) == 100)
    for player in range(spiel.num_players()):
        observer.set_from(state, player)
        expected = observation_tensor(state.episode.state.observation(player))
        assert np.array_equal(observer.tensor, expected)
        assert np.array_equal(state.observation_tensor(player), expected)
        assert np.array_equal(np.concatenate([field.ravel() for field in observer.dict.values()]), expected)
        assert observer.string_from(state, player) == state.observation_string(player)


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_an_information_state_is_told_by_its_tensor_as_by_its_string(game: Game) -> None:
    spiel = load(game, horizon="deal")
    has_dummies = game[0] in ("three", "three-short", "two")
    assert spiel.get_type().provides_information_state_tensor is not has_dummies
    random = Random(8)
    said = set()
    state = spiel.new_initial_state()
    while not (state.is_terminal() or has_dummies):
        if not state.is_chance_node():
            player = state.current_player()
            tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
            said.add((player, state.information_state_string(player), tensor))
        step(state, random)
    assert len({each[:2] for each in said}) == len({each[::2] for each in said}) == len(said)


def dealt(game: Game, deck: list[int]) -> Any:
    """The first decision after these cards were dealt, and otherwise whatever comes first."""
    state = load(game, horizon="deal").new_initial_state()
    left = iter(deck)
    while state.is_chance_node():
        outcome = state.legal_actions()[0]
        state.apply_action(next(left) if state.action_to_string(outcome).startswith("deal=") else outcome)
    return state


@pytest.mark.parametrize("game", [("chinkway", {}), ("four", {}), ("farrago", {"order": "random"})], ids=label)
def test_who_does_not_hold_a_card_does_not_see_which_of_two_others_does(game: Game) -> None:
    deck = list(range(52))
    Random(12).shuffle(deck)
    exchanged = [deck[0], deck[2], deck[1], *deck[3:]]
    one, other = dealt(game, deck), dealt(game, exchanged)
    for player in range(one.num_players()):
        same = player not in (2, 3)
        assert (one.information_state_string(player) == other.information_state_string(player)) is same
        assert (one.observation_string(player) == other.observation_string(player)) is same
        assert (one.information_state_tensor(player) == other.information_state_tensor(player)) is same
        assert (one.observation_tensor(player) == other.observation_tensor(player)) is same


def test_an_information_state_remembers_earlier_deals() -> None:
    spiel = load(("two", {"double_you": "on"}))
    assert make_observation(spiel, RECALL).tensor is None
    random = Random(9)
    state = spiel.new_initial_state()
    said: dict[int, list[str]] = {0: [], 1: []}
    while not state.is_terminal():
        if not state.is_chance_node():
            text = state.information_state_string(state.current_player())
            said[state.current_player()].append(text)
        step(state, random)
    for texts in said.values():
        assert len(texts) == len(set(texts))
        assert [sum(f"; deal {deal};" in line for line in texts[-1].splitlines()) for deal in (1, 2, 3, 4)] == [1] * 4


def test_what_a_dummy_turned_up_is_remembered() -> None:
    """Nothing on the table tells a card that was turned up from one that was open."""
    state = play(load(("two", {}), horizon="deal").new_initial_state(), Random(10))
    turned = [line for line in state.information_state_string(0).splitlines() if line.startswith("deal 1 up ")]
    cards = [card for line in turned for card in line.partition(" on others")[0].split()[3:]]
    assert len(turned[0].split()) == 2 + 1 + 14 + 2 + 12
    assert len(cards) == len(set(cards)) == 26
