import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_engine import (
    COLLECT_CARD,
    COLLECT_NONE,
    DECLARE_NONE,
    DECLARE_SUIT,
    DISCARD_CARD,
    DISCARD_PAIR,
    DOUBLE_NO,
    DOUBLE_YES,
    PAIRS,
    BadAction,
    BadCard,
    card_text,
    discard_pair,
    parse_card,
    ruleset,
)
from farfalia_engine.farfalia.notation import action_text, parse_action

RULES = ruleset("chinkway")
ACTIONS = [
    *range(57),
    *range(COLLECT_CARD, COLLECT_NONE + 1),
    *range(DECLARE_SUIT, DECLARE_NONE + 1),
    DOUBLE_NO,
    DOUBLE_YES,
    *range(DISCARD_CARD, DISCARD_CARD + 52),
    *range(DISCARD_PAIR, DISCARD_PAIR + len(PAIRS)),
]


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "S1"),
        (9, "S10"),
        (51, "O13"),
        (64, "+S1"),
        (115, "+O13"),
        (116, "none"),
        (120, "trump=S"),
        (121, "trump=L"),
        (122, "trump=F"),
        (123, "trump=O"),
        (124, "trump=NT"),
        (52, "WB"),
        (56, "WO"),
        (125, "double=no"),
        (126, "double=yes"),
        (128, "discard=S1"),
        (179, "discard=O13"),
        (256, "discard=S1,S2"),
        (280, "discard=S1,L13"),
        (1581, "discard=O12,O13"),
    ],
)
def test_actions_have_the_numbers_of_the_contract(action: int, text: str) -> None:
    assert RULES.text(action) == text
    assert RULES.parse(text) == action


def test_every_action_reads_back_as_itself() -> None:
    assert [RULES.parse(RULES.text(action)) for action in ACTIONS] == ACTIONS


def test_every_card_reads_back_as_itself() -> None:
    assert [parse_card(card_text(card)) for card in range(57)] == list(range(57))


@given(st.integers(-10, 3000) | st.integers())
def test_a_number_has_a_text_if_and_only_if_it_is_an_action(action: int) -> None:
    if action in ACTIONS:
        assert parse_action(action_text(action)) == action
    else:
        with pytest.raises(BadAction, match=str(action)):
            action_text(action)


@given(st.text(max_size=14).filter(lambda text: text not in map(action_text, ACTIONS)))
def test_other_text_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadAction) as caught:
        parse_action(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["s10", " S10", "S010", "S0", "S14", "10S", "X3", "", "W", "+WB"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(BadCard, match="as in S10"):
        parse_card(text)


@pytest.mark.parametrize("card", [-1, 57, True])
def test_a_number_that_is_no_card_has_no_name(card: int) -> None:
    with pytest.raises(BadCard, match=f"^{card} is not a card, expected 0 to 56$"):
        card_text(card)


@pytest.mark.parametrize(
    "text", ["discard=S2,S1", "discard=S1,S1", "discard=WB", "+WB", "trump=B", "none ", "+none", "NT"]
)
def test_there_is_one_spelling_only(text: str) -> None:
    with pytest.raises(BadAction):
        RULES.parse(text)


def test_pairs_are_numbered_in_lexicographic_order() -> None:
    assert [discard_pair(low, high) for low, high in PAIRS] == list(range(256, 1582))
