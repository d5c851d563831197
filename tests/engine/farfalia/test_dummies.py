"""Three and two players, with dummies; and three without one."""

import pytest
from tests.engine.conftest import Walk
from tests.engine.tables import legal, play_until, start

from farfalia_engine import Kind, State
from farfalia_engine.farfalia.state import FarfaliaState


def test_everyone_sees_the_open_cards_and_nobody_the_covered_ones(walk: Walk) -> None:
    for state in walk(4, "two"):
        assert isinstance(state, FarfaliaState)
        views = [state.observation(seat) for seat in range(2)]
        assert views[0].face_up == views[1].face_up
        below = {card for _, _, card in state._covered}
        for view in views:
            assert not below & {*view.hand, *view.discarded, *view.plays, *b"".join(view.face_up)}
            assert below <= set(view.unseen)
            assert [view.held[2], view.held[3]] == [
                len(face_up) + sum(1 for dummy, _, _ in state._covered if dummy == position)
                for position, face_up in zip((2, 3), view.face_up, strict=True)
            ]


@pytest.mark.parametrize(("name", "partners"), [("three", {2: 0}), ("two", {2: 0, 3: 1})])
def test_a_dummys_decisions_are_asked_of_its_partner_who_is_told_for_whom(
    walk: Walk, name: str, partners: dict[int, int]
) -> None:
    asked = set()
    for state in walk(5, name):
        pending = state.pending
        if pending and pending.position in partners:
            partner = state.observation(0).seats[partners[pending.position]]
            assert pending.seats == (partner,)
            view = state.observation(partner)
            assert view.acting == pending.position != view.position
            asked.add((pending.position, pending.kind))
        elif pending:
            view = state.observation(pending.seats[0])
            assert view.acting == view.position
    assert asked == {(dummy, kind) for dummy in partners for kind in (Kind.PLAY, Kind.COLLECT)}


def test_a_card_is_turned_up_after_the_collecting_and_before_the_next_lead(walk: Walk) -> None:
    """F9."""
    turned = 0
    for state in walk(7, "three"):
        view = state.observation(1)
        if not view.dummies or not view.plays:
            continue
        hidden = view.held[2] - len(view.face_up[0])
        assert hidden - len(view.covering[0]) in (0, 1)
        if not view.trick:
            assert hidden == len(view.covering[0])
        elif hidden > len(view.covering[0]):
            turned += 1
    assert turned


def test_what_a_dummy_plays_says_nothing_of_its_covered_cards(walk: Walk) -> None:
    for seed in range(20):
        for state in walk(seed, "two"):
            assert [state.observation(0).voids[dummy] for dummy in (2, 3)] == [frozenset()] * 2


def last_deal(key: int) -> State:
    return play_until(start("three-short", key), lambda state: state.deal == 4)


def test_the_last_dealer_of_three_short_declares_before_it_discards_one_card() -> None:
    """F10: the reverse of the order with five."""
    state = last_deal(1)
    dealer = state.observation(0).dealer
    assert sorted(state.observation(0).held) == [17, 17, 18]
    assert state.pending
    assert (state.pending.kind, state.pending.seats) == (Kind.DECLARE, (dealer,))
    state.apply(state.rules.parse("trump=L"))
    assert state.pending
    assert (state.pending.kind, state.subjects) == (Kind.DISCARD, b"")
    assert legal(state) == [f"discard={state.rules.card_text(card)}" for card in state.observation(dealer).hand]
    state.apply(state.legal_actions()[3])
    assert len(state.observation(dealer).discarded) == 1
    assert len(state.subjects) == 5
    assert state.pending
    assert (state.pending.kind, state.pending.position) == (Kind.PLAY, 1)
    assert list(state.observation(0).held) == [17, 17, 17]
