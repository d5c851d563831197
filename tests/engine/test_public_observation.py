"""What a spectator is shown: nothing that any seat alone knows."""

from random import Random

import pytest
from tests.engine.conftest import Walk
from tests.engine.games import label, pairwise

from farfalia_engine.public import SHARED_FIELDS

Game = tuple[str, dict[str, str]]


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_two_matches_that_differ_only_in_hidden_cards_look_the_same_to_a_spectator(walk: Walk, game: Game) -> None:
    """Whatever one seat cannot see is drawn anew, for each seat: so nothing shown can follow from a hand."""
    random, differed = Random(5), 0
    for state in walk(1, *game):
        if random.random() < 0.8:
            continue
        ours = state.public_observation()
        for seat in range(state.rules.seats):
            drawn = state.observation(seat).sample(random)
            assert drawn.public_observation() == ours
            assert repr(drawn.public_observation()) == repr(ours)
            differed += any(
                drawn.observation(other).hand != state.observation(other).hand for other in range(state.rules.seats)
            )
    assert differed


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_spectator_is_shown_what_every_seat_sees_alike(walk: Walk, game: Game) -> None:
    for number, state in enumerate(walk(2, *game)):
        if number % 7:
            continue
        shown = state.public_observation()
        for seat in range(state.rules.seats):
            observation = state.observation(seat)
            assert all(getattr(observation, name) == getattr(shown, name) for name in SHARED_FIELDS)


def test_no_card_of_a_hand_is_anywhere_in_what_a_spectator_is_shown(walk: Walk) -> None:
    for state in walk(3):
        shown = state.public_observation()
        hands = set(b"".join(state.observation(seat).hand for seat in range(5)))
        assert not hands & set(shown.plays)
        assert shown.face_up == ()
