"""Double You, and Burnin' Down the House."""

import pytest
from tests.engine.conftest import Walk
from tests.engine.tables import do, start

from farfalia_engine import FAMILY, WILD, IllegalAction, Kind, ruleset


def test_all_decide_at_once_before_the_cards_are_dealt() -> None:
    """F11: in deal 1 all totals are equal, so nobody is barred (F12)."""
    state = start("chinkway", double_you="on")
    assert state.pending
    assert (state.pending.kind, state.pending.seats) == (Kind.DOUBLE, (0, 1, 2, 3, 4))
    view = state.observation(3)
    assert (view.hand, set(view.held), view.dealer, view.legal) == (b"", {0}, 0, (125, 126))
    assert view.wilds == bytes((2,) * 5)


def test_choices_may_come_in_any_order_and_are_public_once_all_have_chosen() -> None:
    """F11."""
    state = start("chinkway", double_you="on")
    before = [state.observation(seat) for seat in range(5)]
    for seat, action in ((3, "double=yes"), (0, "double=no"), (4, "double=yes"), (1, "double=no")):
        state.apply(state.rules.parse(action), seat)
        own = state.observation(seat)
        assert (state.rules.text(own.choice), own.kind) == (action, None)
        waiting = state.pending
        assert waiting
        assert all(state.observation(other) == before[other] for other in waiting.seats)
        with pytest.raises(IllegalAction, match="to act"):
            state.apply(state.rules.parse("double=yes"), seat)
    state.apply(state.rules.parse("double=no"), 2)
    view = state.observation(1)
    assert (list(view.doubled), list(view.wilds), view.choice) == ([3, 4], [2, 2, 2, 1, 1], 0)
    assert len(view.hand) == 10


def test_a_refusal_names_all_seats_that_may_still_choose() -> None:
    state = start("two", double_you="on")
    with pytest.raises(IllegalAction, match="double=yes is illegal: seats 0, 1 are to act"):
        state.apply(126, 5)
    with pytest.raises(IllegalAction, match="S1 is illegal: seat 1 may choose among double=no double=yes"):
        state.apply(0, 1)


def test_if_no_seat_is_named_the_first_of_those_asked_chooses() -> None:
    state = do(start("two", double_you="on"), "double=yes", "double=no")
    assert list(state.observation(0).doubled) == [0]


def test_a_match_has_one_use_for_wild_cards_or_none() -> None:
    """F16."""
    with pytest.raises(ValueError, match="one of the two at most"):
        ruleset("four", {"double_you": "on", "burnin": "on"})


def test_cards_of_a_wild_cards_family_burn_and_cannot_be_collected(walk: Walk) -> None:
    burned = 0
    for seed in range(5):
        for state in walk(seed, "chinkway", {"burnin": "on"}):
            if state.pending and state.pending.kind is Kind.COLLECT:
                view = state.observation(state.pending.seats[0])
                families = {FAMILY[card] for card in view.trick if card >= WILD}
                assert view.burned == bytes(c for c in view.trick if c < WILD and FAMILY[c] in families)
                assert all(FAMILY[action - 64] not in families for action in view.legal if action != 116)
                burned += len(view.burned)
    assert burned
