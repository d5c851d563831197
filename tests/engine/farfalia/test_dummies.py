"""Three and two players, with dummies; and three without one."""

import pytest
from tests.engine.conftest import Walk
from tests.engine.tables import legal, play_until, start

from farfalia_engine import Deals, Kind, Observation, State
from farfalia_engine.farfalia.state import FarfaliaState


def dummy_cards(key: int, position: int) -> list[int]:
    return Deals(bytes([key]) * 32).shuffle("deal/1/cards", 52)[position - 1 :: 4]


def test_the_first_six_cards_of_a_dummy_lie_face_down_under_the_next_six() -> None:
    """F9: the thirteenth stands alone."""
    for name in ("three", "two"):
        state = start(name, 5)
        cards = dummy_cards(5, 2)
        view = state.observation(0)
        assert view.dummies[0] == 2
        assert view.face_up[0] == bytes(sorted(cards[6:]))
        assert view.covering[0] == bytes(sorted(cards[6:12]))
        assert isinstance(state, FarfaliaState)
        assert state._covered[:6] == [(2, above, below) for below, above in zip(cards, cards[6:12], strict=False)]


def test_with_two_players_too_cards_are_dealt_one_at_a_time_and_dummies_in_their_own_place() -> None:
    """F17."""
    state = start("two", 5)
    assert state.observation(1).hand == bytes(sorted(dummy_cards(5, 1)))
    assert state.observation(0).hand == bytes(sorted(dummy_cards(5, 4)))
    assert state.observation(0).face_up[1] == bytes(sorted(dummy_cards(5, 3)[6:]))


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


def test_a_dummy_follows_suit_with_its_open_cards_only(walk: Walk) -> None:
    for state in walk(6, "three"):
        view = state.observation(0)
        if state.pending and state.pending.position == 2 and state.pending.kind is Kind.PLAY:
            following = [card for card in view.face_up[0] if view.led is not None and card // 13 == view.led]
            assert list(state.legal_actions()) == (following or list(view.face_up[0]))


def test_an_uncovered_card_is_turned_up_after_the_collecting_and_before_the_next_lead(walk: Walk) -> None:
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


def test_if_a_dummy_wins_it_leads_next(walk: Walk) -> None:
    views: list[Observation] = [state.observation(0) for state in walk(8, "two")]
    dummies = [view for view in views if view.winners and view.winners[-1] in view.dummies and not view.trick]
    after = [view for view in views if len(view.leaders) > 1 and view.winners[len(view.leaders) - 2] in (2, 3)]
    assert dummies
    assert all(view.leaders[-1] == view.winners[len(view.leaders) - 2] for view in after)


def last_deal(key: int) -> State:
    return play_until(start("three-short", key), lambda state: state.deal == 4)


def test_the_last_dealer_of_three_short_declares_then_discards_one_card_then_the_proposal_is_turned_up() -> None:
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


def test_in_the_last_deal_of_three_short_everyone_collects_alone_over_seventeen_tricks() -> None:
    state = play_until(last_deal(2), lambda state: state.pending is None)
    assert len(state.winners) == 17
    assert list(state.observation(0).sides) == [0, 1, 2]
