"""Text from outside is cleaned in one place."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_server.contract.untrusted import clean


@given(st.text(), st.integers(1, 50))
def test_cleaned_text_has_no_control_character_and_a_bounded_length(text: str, most: int) -> None:
    cleaned = clean(text, most)
    assert len(cleaned) <= most
    assert not {"Cc", "Cs", "Zl", "Zp"} & {unicodedata.category(character) for character in cleaned}


@given(st.text(), st.integers(1, 50))
def test_cleaning_twice_changes_nothing(text: str, most: int) -> None:
    assert clean(clean(text, most), most) == clean(text, most)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("plain, naïve, 蝶, 🦋", "plain, naïve, 蝶, 🦋"),
        ("zero \0 byte", "zero \ufffd byte"),
        ("\x1b]0;owned\x07", "\ufffd]0;owned\ufffd"),
        ("first\r\nsecond\tthird", "first second third"),
        ("abc\u202edcb", "abc\ufffddcb"),
        ("0123456789ABC", "012345678…"),
        ("0123456789", "0123456789"),
    ],
)
def test_what_becomes_of_it(given: str, expected: str) -> None:
    assert clean(given, 10 if given.startswith("0") else 100) == expected
