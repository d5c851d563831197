from hypothesis import given
from hypothesis import strategies as st

from farfalia_engine import FAMILIES, FAMILY, RANK, SUIT, WILD, cards_in, mask_of, parse_card
from farfalia_engine.farfalia.cards import BIT, IN_SUIT, NO_SUIT, SUIT_BIT, SUIT_BITS, SUIT_MASKS, wild_cards_in

SETS = st.sets(st.integers(0, 51))


def test_there_are_twelve_butterflies_and_ten_of_every_other_family() -> None:
    assert [FAMILY[:52].count(family) for family in range(len(FAMILIES))] == [12, 10, 10, 10, 10]


def test_eight_ten_and_twelve_are_butterflies_in_any_suit() -> None:
    for name in ("S8", "L10", "F12", "O8"):
        assert FAMILIES[FAMILY[parse_card(name)]] == "B"
    for name in ("S7", "S9", "S11", "S13", "S1"):
        assert FAMILIES[FAMILY[parse_card(name)]] == "S"


@given(SETS)
def test_a_set_gives_its_cards_back_in_order(cards: set[int]) -> None:
    assert cards_in(mask_of(list(cards))) == tuple(sorted(cards))


@given(SETS, st.integers(0, 51))
def test_the_cards_of_one_suit_are_found_in_its_table(cards: set[int], led: int) -> None:
    shift = SUIT_BIT[led]
    found = IN_SUIT[shift][mask_of(list(cards)) >> shift & SUIT_BITS]
    assert found == tuple(sorted(card for card in cards if card // 13 == led // 13))


def test_suit_masks_share_no_card_and_leave_none_out() -> None:
    assert sum(SUIT_MASKS) == sum(BIT[:52]) == 2**52 - 1


def test_a_wild_card_has_a_family_and_neither_suit_nor_rank() -> None:
    for family, name in enumerate(("WB", "WS", "WL", "WF", "WO")):
        card = parse_card(name)
        assert (card, FAMILY[card], SUIT[card], RANK[card]) == (WILD + family, family, NO_SUIT, 0)
        assert wild_cards_in(BIT[card] | BIT[3]) == (card,)
        assert cards_in(BIT[card] | BIT[3]) == (3,)
