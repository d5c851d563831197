"""Determinizations of an observation: they look the same to the seat, and nothing in them contradicts the play."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.conftest import Walk
from tests.engine.games import label, pairwise
from tests.engine.tables import start

from farfalia_engine import Observation, State
from farfalia_engine.search.sampling import Sharing

#: What everyone sees alike.
PUBLIC = [
    field
    for field in Observation.__slots__
    if field not in ("seat", "hand", "discarded", "kind", "legal", "acting", "choice")
]
Game = tuple[str, dict[str, str]]


def positions(walk: Walk, game: Game, random: Random) -> Iterator[tuple[State, int]]:
    for state in walk(1, *game):
        if random.random() < 0.2:
            yield state, random.randrange(state.rules.seats)


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_sampled_match_looks_the_same_to_the_seat_and_shows_all_the_same(walk: Walk, game: Game) -> None:
    random = Random(1)
    for state, seat in positions(walk, game, random):
        observation = state.observation(seat)
        determinization = observation.sample(random)
        assert determinization.observation(seat) == observation
        assert repr(determinization.observation(seat)) == repr(observation)
        for other in range(state.rules.seats):
            ours, theirs = state.observation(other), determinization.observation(other)
            assert [getattr(ours, field) for field in PUBLIC] == [getattr(theirs, field) for field in PUBLIC]


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_sampled_match_contradicts_nothing_and_can_be_played_on(walk: Walk, game: Game) -> None:
    """No hand holds a suit that it has shown to be void in, and no card is there twice."""
    random = Random(3)
    for state, seat in positions(walk, game, random):
        observation = state.observation(seat)
        determinization = observation.sample(random)
        suits = observation._suit_of
        views = [determinization.observation(other) for other in range(state.rules.seats)]
        for position, suit in ((p, s) for p, voids in enumerate(observation.voids) for s in voids):
            assert position in observation.dummies or suit not in views[observation.seats[position]].hand.translate(
                suits
            )
        held = b"".join([*(view.hand for view in views), *views[0].face_up, observation.plays])
        ordinary = [card for card in held if suits[card] < 4]
        assert len(set(ordinary)) == len(ordinary)
        while determinization.pending and random.random() < 0.98:
            asked = random.choice(determinization.pending.seats)
            determinization.apply(random.choice(determinization.legal_actions(asked)), asked)


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_match_that_is_over_can_be_sampled_too(walk: Walk, game: Game) -> None:
    *_, end = walk(1, *game)
    assert not end.pending
    for seat in range(end.rules.seats):
        observation = end.observation(seat)
        assert observation.sample(Random(seat)).observation(seat) == observation


def test_a_sampled_match_has_every_card_until_the_last_trick_is_collected_from(walk: Walk) -> None:
    random = Random(5)
    for state in walk(8):
        if state.pending and state.deal == 1:
            determinization = state.observation(random.randrange(5)).sample(random)
            views = [determinization.observation(seat) for seat in range(5)]
            cards = [card for view in views for card in (*view.hand, *view.discarded)]
            assert sorted([*cards, *determinization.plays]) == list(range(52))


def test_the_same_random_numbers_give_the_same_world() -> None:
    observation = start("chinkway").observation(2)
    views = [[observation.sample(Random(7)).observation(seat) for seat in range(5)] for _ in range(2)]
    assert views[0] == views[1]


def test_worlds_are_equally_likely_while_nobody_is_known_to_be_out_of_a_suit() -> None:
    """Who holds the one card that everyone looks for: each of four with ten cards of 42, or it is discarded."""
    random = Random(8)
    state = start("chinkway", 3)
    for action in ("discard", "trump"):
        state.apply(next(a for a in state.legal_actions() if state.rules.text(a).startswith(action)))
    observation = state.observation(1)
    card = observation.unseen[0]
    holders: Counter[int] = Counter()
    for _ in range(4200):
        determinization = observation.sample(random)
        holders[next((seat for seat in range(5) if card in determinization.observation(seat).hand), -1)] += 1
    assert holders.keys() == {0, 2, 3, 4, -1}
    assert all(900 < holders[seat] < 1100 for seat in (0, 2, 3, 4))
    assert 140 < holders[-1] < 260


def brute_force(suits: list[int], sizes: list[int], barred: list[set[int]]) -> int:
    """In how many ways these cards can be shared."""
    if not sizes:
        return 1
    return sum(
        brute_force([suit for index, suit in enumerate(suits) if index not in taken], sizes[1:], barred[1:])
        for taken in combinations(range(len(suits)), sizes[0])
        if not any(suits[index] in barred[0] for index in taken)
    )


@st.composite
def shares(draw: st.DrawFn) -> tuple[list[int], list[int], list[set[int]]]:
    """The suits of some cards, sizes of places, and barred suits, such that there is a way; and any way at that."""
    sizes = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    suits = draw(st.lists(st.integers(0, 3), min_size=sum(sizes), max_size=sum(sizes)))
    barred, start = [], 0
    for size in sizes:
        barred.append(draw(st.sets(st.integers(0, 3))) - set(suits[start : start + size]))
        start += size
    return draw(st.permutations(suits)), sizes, barred


@given(shares(), st.integers(0, 1000))
def test_cards_can_be_shared_whenever_there_is_a_way_and_all_ways_are_counted(
    given: tuple[list[int], list[int], list[set[int]]], seed: int
) -> None:
    suits, sizes, barred = given
    sharing = Sharing(range(len(suits)), suits, sizes, barred)
    assert sharing.ways == brute_force(suits, sizes, barred)
    places = sharing.draw(Random(seed))
    assert [len(place) for place in places] == sizes
    assert sorted(card for place in places for card in place) == list(range(len(suits)))
    assert all(suits[card] not in barred[number] for number, place in enumerate(places) for card in place)


def test_cards_under_a_dummys_cards_lie_in_any_order_although_hands_are_void() -> None:
    """The one place that takes both suits gets its two cards in both orders."""
    sharing = Sharing([1, 2, 3], [0, 1, 1], [1, 2], [{0}, ()])
    drawn = Counter(tuple(sharing.draw(Random(seed))[1]) for seed in range(4000))
    assert drawn.keys() == {(1, 2), (2, 1), (1, 3), (3, 1)}
    assert all(900 < often < 1100 for often in drawn.values())


def test_cards_that_cannot_be_shared_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be dealt"):
        Sharing([0, 1], [0, 0], [1, 1], [{0}, {0}])
    with pytest.raises(ValueError, match="cannot be dealt"):
        Sharing([0, 1], [0, 1], [1, 1], [{0, 1}, ()])
