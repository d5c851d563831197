"""Who wins a trick of Farrago, type by type; `test_farrago` plays whole matches."""

import pytest

from farfalia_engine.farrago.deal_types import DealType, majority, trick_winner
from farfalia_engine.farrago.packs import DUPLICATES, FIVE_HUNDRED, FULL, SHORT, Pack

S, H, D, C = range(4)


def numbers(pack: Pack, cards: str) -> list[int]:
    return [pack.names.index(name) for name in cards.split()]


def won(kind: DealType, cards: str, trumps: str = "", pack: Pack = FULL) -> str:
    """The card that wins this trick."""
    index = trick_winner(kind, pack, numbers(pack, cards), "SHDC".index(trumps) + 1 if trumps else 5)
    return cards.split()[index]


@pytest.mark.parametrize(
    ("cards", "trumps", "winner"),
    [("5H KS 9H 2D", "D", "2D"), ("5H KS 9H 2D", "C", "9H"), ("5H KS 9H AS", "S", "AS"), ("5H 6H 3H 4H", "H", "6H")],
)
def test_the_highest_trump_wins_or_else_the_highest_of_the_suit_led(cards: str, trumps: str, winner: str) -> None:
    for kind in (DealType.SKINT, DealType.BARRED, DealType.MAJORITY, DealType.SURPRISE):
        assert won(kind, cards, trumps) == winner


@pytest.mark.parametrize(
    ("kind", "cards", "winner"),
    [
        (DealType.RED_BLACK, "AS 2H KS 3D", "2H"),
        (DealType.RED_BLACK, "AH 2S 5S AC", "5S"),
        (DealType.RED_BLACK, "AD 2H AS 3C", "3C"),
        (DealType.RED_BLACK, "AC AH 2D KC", "2D"),
        (DealType.TOP_SUIT, "AC 2H 3D KC", "2H"),
        (DealType.TOP_SUIT, "AC 2S AH KS", "KS"),
        (DealType.TOP_RANK, "9C TH 4D TS", "TS"),
        (DealType.TOP_RANK, "AC TH AD TS", "AD"),
        (DealType.SNAP, "9C TC 9D AC", "9D"),
        (DealType.SNAP, "9C 9S 9D AC", "9D"),
        (DealType.SNAP, "9C TC AD 2C", "TC"),
        (DealType.UPS_DOWNS, "8C 2C TC 9C", "TC"),
        (DealType.UPS_DOWNS, "7C 9C KC 4C", "4C"),
        (DealType.UPS_DOWNS, "7C 2D 3D 4D", "7C"),
        (DealType.UPS_DOWNS, "7C 2C AC 4C", "AC"),
        (DealType.UPS_DOWNS, "AC KC 2C 3C", "AC"),
    ],
)
def test_who_wins_where_there_are_no_plain_trumps(kind: DealType, cards: str, winner: str) -> None:
    assert won(kind, cards) == winner


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("9C TC AC 2D", "TC"),
        ("9C 2C AS KS", "2C"),
        ("9C AD TS TD", "TD"),
        ("AC KS KD QH", "KD"),
        ("AC AS 5H 4D", "AS"),
        ("5C AS AD AH", "AD"),
        ("2C 3D 4S 5H", "4S"),
    ],
)
def test_seconds_go_to_the_second_highest_of_the_suit_or_of_all_ranks(cards: str, winner: str) -> None:
    """G7: A K K Q to the later king, A A 5 4 to the later ace, three equal top cards to the second of them."""
    assert won(DealType.SECONDS, cards) == winner


@pytest.mark.parametrize(
    ("kind", "cards", "winner"),
    [
        (DealType.TOP_SUIT, "7S 7S' 2H 3H 4H", "7S'"),
        (DealType.TOP_SUIT, "8S' 8S 2H 3H 4H", "8S"),
        (DealType.SECONDS, "8S 8S' 2S 3S 4S", "8S"),
        (DealType.SECONDS, "8S' 8S 2S 3S 4S", "8S'"),
        (DealType.UPS_DOWNS, "7S' 7S 8S 9S TS", "7S'"),
        (DealType.UPS_DOWNS, "8S 2S 3S 8S' 4S", "8S'"),
        (DealType.SNAP, "7S 7S' 2H 3H 4H", "7S'"),
        (DealType.SNAP, "7S 7H' 7H 9S 4H", "7H"),
    ],
)
def test_of_twins_the_later_is_the_higher_and_a_twin_of_the_led_card_is_no_snap(
    kind: DealType, cards: str, winner: str
) -> None:
    """G1; in ups and downs, where the lowest wins, the earlier of twins is the lower."""
    assert won(kind, cards, pack=DUPLICATES) == winner


def test_eights_are_low_in_the_five_hundred_pack_and_thirteens_high() -> None:
    """G1."""
    assert won(DealType.UPS_DOWNS, "8H 3H 13H 11H 9H", pack=FIVE_HUNDRED) == "3H"
    assert won(DealType.UPS_DOWNS, "11H 3H 13H 12H 9H", pack=FIVE_HUNDRED) == "13H"
    assert won(DealType.TOP_RANK, "TH 11S 13H 12D JC", pack=FIVE_HUNDRED) == "JC"


@pytest.mark.parametrize(
    ("pack", "shown", "suit"),
    [
        (FULL, "2S 3S AH KH", H),
        (FULL, "2S 3S AH 4S", S),
        (FULL, "AS 3S AH 4H", H),
        (FULL, "2S 3H 4D 5C", C),
        (FULL, "AS AH AD AC", H),
        (FULL, "AS 5S AH 5H", S),
        (FULL, "2S 3H 3D 2C", H),
        (FULL, "3S 2H 2D 3C", C),
        (SHORT, "7S 8H AD", C),
        (SHORT, "7S 7H AH", H),
        (DUPLICATES, "7S 7H' 8D 8C 7D", D),
        (DUPLICATES, "7S 8H 7S' 7H 8S", S),
        (DUPLICATES, "8S 8H 7S' 7H 2C", H),
    ],
)
def test_the_suit_shown_most_is_trumps_then_higher_cards_then_the_first_to_show(
    pack: Pack, shown: str, suit: int
) -> None:
    """G5; shown by positions 0, 1, …. Three players and three suits: the fourth."""
    assert majority(pack, numbers(pack, shown)) == suit
