"""Double You, and Burnin' Down the House."""

import pytest
from tests.engine.conftest import Walk
from tests.engine.games import FARFALIA, label
from tests.engine.tables import do, legal, play_until, start

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


def test_leaders_may_not_double_unless_all_are_level(walk: Walk) -> None:
    """F12."""
    barred = 0
    for seed in range(6):
        for state in walk(seed, "basic", {"double_you": "on"}):
            if state.pending and state.pending.kind is Kind.DOUBLE:
                view = state.observation(0)
                level = min(view.totals) == max(view.totals)
                leaders = [seat for seat in range(5) if view.totals[seat] == max(view.totals) and not level]
                assert not set(leaders) & set(state.pending.seats)
                barred += len(leaders)
    assert barred


def test_in_four_both_partners_of_the_leading_side_may_not_double(walk: Walk) -> None:
    """F12: the sums of the sides count, not the totals of their players."""
    behind_with_the_best_total = level = 0
    for seed in range(40):
        before: Kind | None = None
        for state in walk(seed, "four", {"double_you": "on", "hands": "8"}):
            kind = state.pending.kind if state.pending else None
            if state.pending and kind is Kind.DOUBLE and before is not Kind.DOUBLE:
                view = state.observation(0)
                sums = [view.totals[0] + view.totals[2], view.totals[1] + view.totals[3]]
                may = [seat for seat in range(4) if sums[seat % 2] == min(sums)]
                assert list(state.pending.seats) == [seat for seat in may if view.wilds[seat]]
                behind_with_the_best_total += (
                    any(view.totals[seat] == max(view.totals) for seat in may) and len(may) < 4
                )
                level += len(may) == 4 and len(set(view.totals)) > 1
            before = kind
    assert behind_with_the_best_total
    assert level


def test_nobody_has_more_than_two_to_spend(walk: Walk) -> None:
    for state in walk(2, "five-hand", {"double_you": "on"}):
        if state.pending and state.pending.kind is Kind.DOUBLE:
            assert all(state.observation(seat).wilds[seat] for seat in state.pending.seats)
        assert all(left <= 2 for left in state.observation(0).wilds)


def test_a_player_doubles_its_own_score_only_and_the_third_deal_of_basic_counts_fourfold() -> None:
    for key in range(20):
        state = play_until(start("basic", key, double_you="on"), lambda state: state.deal == 3)
        seats = state.pending.seats if state.pending else ()
        for seat in seats:
            state.apply(state.rules.parse("double=yes" if seat == seats[0] else "double=no"), seat)
        play_until(state, lambda state: state.pending is None)
        assert state.outcome
        points = state.outcome.deals[2]
        view = state.observation(0)
        side = view.sides[view.seats.index(seats[0])]
        assert points[seats[0]] == 4 * view.points(side)
        assert all(points[s] == 2 * view.points(view.sides[p]) for p, s in enumerate(view.seats) if s != seats[0])


def test_a_match_has_one_use_for_wild_cards_or_none() -> None:
    """F16."""
    with pytest.raises(ValueError, match="one of the two at most"):
        ruleset("four", {"double_you": "on", "burnin": "on"})


BURNIN = [game for game in FARFALIA if game[1].get("burnin")]


@pytest.mark.parametrize("game", BURNIN, ids=label)
def test_every_player_is_dealt_one_wild_card_and_dummies_none(walk: Walk, game: tuple[str, dict[str, str]]) -> None:
    """F14."""
    for state in walk(3, *game):
        view = state.observation(0)
        if not view.plays:
            hands = [state.observation(seat).hand for seat in range(state.rules.seats)]
            assert [sum(card >= WILD for card in hand) for hand in hands] == [1] * state.rules.seats
            assert all(card < WILD for cards in view.face_up for card in cards)
            wilds = [card for hand in hands for card in hand if card >= WILD]
            assert all(wilds.count(card) <= 2 for card in wilds)


@pytest.mark.parametrize("name", ["chinkway", "three-short"])
def test_a_dealer_cannot_discard_a_wild_card(walk: Walk, name: str) -> None:
    """F15."""
    for state in walk(4, name, {"burnin": "on"}):
        if state.pending and state.pending.kind is Kind.DISCARD:
            assert not any("W" in text for text in legal(state))


@pytest.mark.parametrize("game", BURNIN, ids=label)
def test_a_wild_card_may_follow_anything_but_never_leads_nor_wins(walk: Walk, game: tuple[str, dict[str, str]]) -> None:
    """F21."""
    offered = 0
    for state in walk(5, *game):
        view = state.observation(0)
        if state.pending and state.pending.kind is Kind.PLAY:
            wilds = [action for action in state.legal_actions() if action >= WILD]
            holder = state.observation(state.pending.seats[0])
            own = [card for card in holder.hand if card >= WILD] if holder.acting == holder.position else []
            assert wilds == (own if view.trick else [])
            offered += len(wilds)
        if view.deciding:
            assert view.best is not None
            assert view.best < WILD
    assert offered


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


@pytest.mark.parametrize(("name", "tricks"), [("chinkway", 10), ("four", 13), ("two", 13)])
def test_the_number_of_tricks_stays_and_every_player_keeps_one_card(walk: Walk, name: str, tricks: int) -> None:
    ends = [state.observation(0) for state in walk(6, name, {"burnin": "on"}) if len(state.winners) == tricks]
    assert ends
    for view in ends:
        assert list(view.held) == [0 if position in view.dummies else 1 for position in range(len(view.seats))]
        assert len(view.plays) == tricks * len(view.seats)
