from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.conftest import Walk
from tests.engine.games import FARFALIA, label
from tests.examples import few

from farfalia_engine import SUIT, Deals, Kind, State, cards_in, mask_of, ruleset
from farfalia_engine.farfalia.cards import wild_cards_in
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.knowledge import SeatKnowledge

SEEDS = st.integers(0, 10**9)
SEATS = st.integers(0, 4)


def another_determinization(state: FarfaliaState, seat: int, random: Random) -> FarfaliaState:
    """The same match with all that `seat` cannot know redistributed, and other decks for the deals to come."""
    other = state.clone()
    layout = state._layout
    observer = layout.positions[seat]
    hidden = [position for position in layout.players if position != observer]
    cards = [card for position in hidden for card in cards_in(state._hands[position])]
    cards += [below for _, _, below in state._covered]
    if observer != 0:
        cards += cards_in(state._discarded)
    random.shuffle(cards)
    wilds = [wild_cards_in(state._hands[position]) for position in hidden]
    for position, wild in zip(hidden, wilds, strict=True):
        size = len(cards_in(state._hands[position]))
        other._hands[position] = mask_of([*cards[:size], *(random.randrange(52, 57) for _ in wild)])
        del cards[:size]
    other._covered = [(dummy, above, cards.pop()) for dummy, above, _ in state._covered]
    if observer != 0:
        other._discarded = mask_of(cards)
    if not state.subjects:
        other._proposal = bytes(random.choices(range(5), k=5))
    other._choices = {chooser: choice for chooser, choice in state._choices.items() if chooser == seat}
    other._deals = Deals(random.randbytes(32))
    return other


@pytest.mark.parametrize("game", FARFALIA, ids=label)
def test_an_observation_is_the_same_in_all_worlds_that_differ_only_in_what_is_hidden(
    walk: Walk, game: tuple[str, dict[str, str]]
) -> None:
    random = Random(17)
    for state in walk(1, *game):
        assert isinstance(state, FarfaliaState)
        seat = random.randrange(state.rules.seats)
        other = another_determinization(state, seat, random)
        ours, theirs = state.observation(seat), other.observation(seat)
        assert ours == theirs
        assert repr(ours) == repr(theirs)


@few
@given(SEEDS)
def test_what_others_are_shown_does_not_tell_a_forced_card_from_a_chosen_one(walk: Walk, seed: int) -> None:
    """F19: before the card is played the others see nothing of how many choices there are."""
    for state in walk(seed):
        if state.pending and len(state.legal_actions()) == 1:
            others = [state.observation(seat) for seat in range(5) if seat not in state.pending.seats]
            assert {(view.kind, view.legal) for view in others} == {(None, ())}


def test_the_proposal_is_hidden_until_trumps_are_declared(walk: Walk) -> None:
    for state in walk(4):
        view = state.observation(0)
        assert (view.subjects == b"") == (view.trumps == 0)


def test_only_the_dealer_sees_the_cards_discarded(walk: Walk) -> None:
    """F2."""
    for state in walk(6):
        views = [state.observation(seat) for seat in range(5)]
        assert all(view.discarded == b"" for view in views if view.dealer != view.seat)
        if state.plays:
            assert [len(view.discarded) for view in views if view.dealer == view.seat] == [2]


def test_only_the_seat_that_is_asked_sees_kind_and_legal_actions(walk: Walk) -> None:
    for state in walk(8):
        for seat in range(5):
            view = state.observation(seat)
            if state.pending and seat in state.pending.seats:
                assert (view.kind, view.legal) == (state.pending.kind, state.legal_actions())
            else:
                assert (view.kind, view.legal) == (None, ())


def test_an_observation_does_not_move_with_the_match(walk: Walk) -> None:
    states = walk(9)
    for _ in range(100):
        state = next(states)
    view = state.observation(2)
    before = repr(view)
    for _ in range(100):
        next(states)
    assert repr(view) == before


def test_points_of_earlier_deals_stand_seat_by_seat_deal_after_deal(walk: Walk) -> None:
    *_, state = walk(12)
    view = state.observation(3)
    assert state.outcome
    assert view.scores == tuple(points for deal in state.outcome.deals for points in deal)
    assert view.totals == state.outcome.points
    assert (view.deal, view.deals) == (11, 11)


@few
@given(SEEDS, SEATS)
def test_what_is_computed_agrees_with_what_happened(walk: Walk, seed: int, seat: int) -> None:
    for state in walk(seed):
        assert isinstance(state, FarfaliaState)
        view = state.observation(seat)
        position = view.position
        assert view.seats[position] == seat
        assert view.side == view.sides[position]
        assert all(view.sides[partner] == view.side for partner in view.partners)
        assert list(view.held) == [hand.bit_count() for hand in state._hands]
        assert list(view.unseen) == sorted(set(range(52)) - {*view.hand, *view.discarded, *view.plays})
        assert view.deciding == (state.pending is not None and state.pending.kind is Kind.COLLECT)
        assert [needs.families for needs in state._missing] == [view.missing(side) for side in range(3)] * bool(
            view.subjects
        )
        for other, suits in enumerate(view.voids):
            assert all(SUIT[card] not in suits for card in cards_in(state._hands[other]))


@few
@given(SEEDS)
def test_the_trick_is_what_lies_on_the_table(walk: Walk, seed: int) -> None:
    for state in walk(seed):
        view = state.observation(0)
        if state.pending is None or state.pending.kind in (Kind.DISCARD, Kind.DECLARE):
            assert view.trick == b""
        elif state.pending.kind is Kind.COLLECT:
            assert view.trick == bytes(state.plays[-5:])
            assert view.best_position == state.pending.position == view.winners[-1]
        else:
            assert len(view.trick) == len(state.plays) % 5
            leader = state.pending.position if not view.trick else view.leader
            assert leader is not None
            assert (leader + len(view.trick)) % 5 == state.pending.position


def dealt(seed: int, *actions: str) -> State:
    rules = ruleset("chinkway")
    state = rules.new_match(Deals(bytes([seed]) * 32))
    for action in actions:
        state.apply(rules.parse(action))
    return state


def test_before_a_lead_there_is_no_trick_to_speak_of() -> None:
    view = dealt(0).observation(0)
    assert (view.trick, view.leader, view.led, view.best, view.best_position) == (b"", None, None, None, None)


def test_the_card_that_wins_so_far_is_known(walk: Walk) -> None:
    for state in walk(13):
        view = state.observation(1)
        if view.trick:
            assert view.led == SUIT[view.trick[0]]
            assert view.best is not None
            trumps = [card for card in view.trick if SUIT[card] + 1 == view.trumps]
            followers = [card for card in view.trick if SUIT[card] == view.led]
            assert view.best == max(trumps or followers)
            leader = view.leader
            assert leader is not None
            assert view.best_position == (leader + view.trick.index(view.best)) % 5


def test_open_families_are_those_that_this_seats_side_misses(walk: Walk) -> None:
    for state in walk(14):
        view = state.observation(4)
        assert view.open == view.missing(view.side)


@pytest.mark.parametrize(("game", "barren"), [("chinkway", 0), ("four", 3), ("two", 3), ("three-short", 3)])
def test_a_trick_is_barren_as_long_as_nothing_may_be_collected(walk: Walk, game: str, barren: int) -> None:
    for state in walk(4, game):
        observation = state.observation(0)
        assert observation.barren == (len(observation.winners) < barren)
        if observation.barren:
            assert state.pending is not None
            assert state.pending.kind is not Kind.COLLECT


@pytest.mark.parametrize("field", SeatKnowledge.__slots__)
def test_observations_that_differ_in_any_field_are_different(field: str) -> None:
    view, other = dealt(1).observation(0), dealt(1).observation(0)
    assert view == other
    setattr(other, field, None if field == "kind" else "something else")
    assert view != other
