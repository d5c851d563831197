"""Playing a deal to its end at random."""

from random import Random

import pytest
from tests.engine.conftest import Walk
from tests.engine.games import ALL, label
from tests.engine.tables import play_until, start

from farfalia_engine import rollouts


@pytest.mark.parametrize("game", ALL, ids=label)
def test_a_playout_gives_the_points_of_the_deal_that_is_being_played(
    walk: Walk, game: tuple[str, dict[str, str]]
) -> None:
    random = Random(1)
    for state in walk(2, *game):
        if state.pending and random.random() < 0.1:
            shown = [state.observation(seat) for seat in range(state.rules.seats)]
            points = state.playout(random)
            assert len(points) == state.rules.seats
            assert all(value >= 0 for value in points)
            assert [state.observation(seat) for seat in range(state.rules.seats)] == shown


def test_a_playout_from_the_last_card_is_what_happens() -> None:
    state = play_until(start("chinkway"), lambda state: len(state.plays) == 49)
    playout = {state.playout(Random(seed)) for seed in range(30)}
    ends = set()
    for seed in range(30):
        end = play_until(state.clone(), lambda state: state.deal == 2, seed)
        ends.add(end.scores)
    assert playout == ends


def test_rollouts_are_the_mean_of_playouts_and_depend_on_the_seed_only() -> None:
    state = start("four", 1)
    random = Random(5)
    points = [state.playout(random) for _ in range(20)]
    assert rollouts(state, 20, 5) == tuple(sum(values) / 20 for values in zip(*points, strict=True))
    assert rollouts(state, 20, 5) != rollouts(state, 20, 6)


def test_there_is_nothing_to_play_out_once_the_match_is_over() -> None:
    state = play_until(start("two"), lambda state: state.pending is None)
    with pytest.raises(ValueError, match="the match is over"):
        state.playout(Random(1))
    with pytest.raises(ValueError, match="0 rollouts have no mean"):
        rollouts(start("two"), 0, 1)
