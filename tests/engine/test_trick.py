import pytest

from farfalia_engine import Trumps, best_card, parse_card


@pytest.mark.parametrize(
    ("trick", "trumps", "winner"),
    [
        ("S5 S9 S2 S13 S1", Trumps.NONE, "S13"),
        ("S5 L13 F13 O13 S4", Trumps.NONE, "S5"),
        ("S5 L13 F13 O13 S6", Trumps.LEAVES, "L13"),
        ("S13 L1 S12 L2 O13", Trumps.LEAVES, "L2"),
        ("L1 S13 F13 O13 L2", Trumps.LEAVES, "L2"),
        ("O1 S1 L1 F1 F2", Trumps.STRAWBERRIES, "S1"),
        ("O1 S13 L13 F13 F12", Trumps.SEASHELLS, "O1"),
        ("S8 S10 S12 S11 S9", Trumps.NONE, "S12"),
    ],
)
def test_the_highest_trump_wins_or_else_the_highest_card_of_the_led_suit(
    trick: str, trumps: Trumps, winner: str
) -> None:
    names = trick.split()
    assert names[best_card(bytes(map(parse_card, names)), trumps)] == winner
