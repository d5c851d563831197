"""From shuffled decks to hands, wild cards and the proposal, in games other than Chinkway."""

import pytest
from tests.engine.tables import play_until, start

from farfalia_engine import WILD, Deals, ruleset

DEALS = Deals(bytes([3]) * 32)


def test_the_card_that_is_left_in_the_last_deal_of_three_short_goes_to_the_dealer() -> None:
    """F17."""
    state = ruleset("three-short").new_match(DEALS, deal=4)
    deck = DEALS.shuffle("deal/4/cards", 52)
    assert list(state.observation(1).hand) == sorted(deck[0:51:3])
    assert list(state.observation(2).hand) == sorted(deck[1:51:3])
    assert list(state.observation(0).hand) == sorted([*deck[2:51:3], deck[51]])


@pytest.mark.parametrize(("players", "size"), [("3", 36), ("4", 52), ("5", 60)])
def test_farrago_is_dealt_one_card_at_a_time_from_position_one(players: str, size: int) -> None:
    """F17."""
    state = start("farrago", 3, players=players)
    deck, n = DEALS.shuffle("deal/1/cards", size), int(players)
    for seat in range(n):
        assert list(state.observation(seat).hand) == sorted(deck[(seat - 1) % n :: n])


@pytest.mark.parametrize("name", ["chinkway", "three", "four", "two"])
def test_the_proposal_is_the_top_of_the_shuffled_subjects_in_their_order(name: str) -> None:
    """F17."""
    state = play_until(start(name, 3), lambda state: bool(state.subjects))
    assert list(state.subjects) == [subject // 5 for subject in DEALS.shuffle("deal/1/subjects", 25)[:5]]


def test_wild_cards_go_round_from_position_one_past_the_dummies() -> None:
    """F14, F17: in `two` clockwise to position 1, to the dealer behind two dummies, and to nobody else."""
    deck = [WILD + wild // 2 for wild in DEALS.shuffle("deal/1/wilds", 10)]
    for name, positions in (("two", (1, 0)), ("four", (1, 2, 3, 0))):
        state = start(name, 3, burnin="on")
        hands = [state.observation(seat).hand for seat in positions]
        assert [[card for card in hand if card >= WILD] for hand in hands] == [
            [wild] for wild in deck[: len(positions)]
        ]
