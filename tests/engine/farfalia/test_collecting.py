import pytest

from farfalia_engine import COLLECT_NONE, FAMILIES, POINTS, action_text, parse_card
from farfalia_engine.farfalia.collecting import MissingFamilies, missing_families


def missing(letters: str) -> MissingFamilies:
    return missing_families(bytes(sorted(map(FAMILIES.index, letters))))


def choices(letters: str, trick: str) -> list[str]:
    return [action_text(action) for action in missing(letters).actions(bytes(map(parse_card, trick.split())))]


@pytest.mark.parametrize(
    ("letters", "trick", "expected"),
    [
        ("BSSFO", "S8 S9 L1 F2 O3", "+S8 +S9 +F2 +O3 none"),
        ("SSSSS", "S8 S10 S12 L1 L2", ""),
        ("B", "O12 S8 S9 L1 F2", "+S8 +O12 none"),
        ("L", "S9 L13 F2 F3 F4", "+L13 none"),
        ("", "S8 S9 L1 F2 O3", ""),
    ],
)
def test_the_winner_may_take_one_card_of_a_family_with_an_open_place(letters: str, trick: str, expected: str) -> None:
    """F1: without such a card there is no decision; F22: `none` is always among the answers."""
    assert " ".join(choices(letters, trick)) == expected


def test_declining_is_the_last_answer() -> None:
    assert missing("BSLFO").actions(bytes((51, 0)))[-1] == COLLECT_NONE


def test_a_collected_card_closes_one_place_of_its_family() -> None:
    one_left = missing("BBS").after[parse_card("L10")]
    assert one_left.families == missing("BS").families
    assert one_left.after[parse_card("O8")].families == missing("S").families


def test_the_same_needs_are_the_same_object() -> None:
    assert missing("BSS").after[parse_card("S8")].after[parse_card("S9")] is missing("S")
    assert missing("BSS").after[parse_card("S9")].after[parse_card("S8")] is missing("S")


def test_a_collection_is_worth_a_triangular_number() -> None:
    assert tuple(cards * (cards + 1) // 2 for cards in range(6)) == POINTS
