"""The chain of a ladder: an entry is read as it was written, and whatever is wrong with a line is said."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.ratings.chain import ChainEntry, ChainSeat, is_entry, read_entry
from farfalia_tournaments.ratings.ratings import Rating

ENTRY = ChainEntry(
    ladder="chinkway",
    number=2,
    match=7,
    digest="ab" * 32,
    system="trueskill",
    seats=(ChainSeat("ada", 1, "1.0", Rating(27.25, 7.1)), ChainSeat("house", 2, "", None)),
    before="cd" * 32,
)


def test_an_entry_is_read_as_it_was_written() -> None:
    published = read_entry(ENTRY.line())
    assert (published.entry, published.hash) == (ENTRY, ENTRY.hash)
    assert is_entry(json.loads(ENTRY.line()))
    assert not is_entry({"entry": 1})


def test_an_entry_less_luck_has_its_noise_and_the_luck_of_each_seat() -> None:
    less_luck = replace(ENTRY, beta=18.75, seats=tuple(replace(seat, luck=-1500) for seat in ENTRY.seats))
    assert read_entry(less_luck.line()).entry == less_luck
    assert less_luck.luck == (Fraction(-3, 2), Fraction(-3, 2))
    assert ENTRY.luck == ()
    assert "luck" not in ENTRY.line()


@pytest.mark.parametrize(
    ("beta", "sentence"),
    [
        ("18.75", "entry 2, seat 0: luck is missing or of the wrong type, expected a whole number"),
        (18.75, "entry 2: beta is missing or of the wrong type, expected a text"),
    ],
)
def test_an_entry_with_noise_and_without_luck_is_refused(beta: object, sentence: str) -> None:
    with pytest.raises(TournamentError) as caught:
        read_entry(json.dumps(json.loads(ENTRY.line()) | {"beta": beta}))
    assert str(caught.value) == sentence


@pytest.mark.parametrize("beta", [0.0, -1.0])
def test_noise_is_above_zero(beta: float) -> None:
    document = json.loads(ENTRY.line()) | {"beta": repr(beta)}
    document["seats"] = [seat | {"luck": 0} for seat in document["seats"]]
    with pytest.raises(TournamentError, match=f"entry 2: beta is {beta}, expected a finite number above 0"):
        read_entry(json.dumps(document))


def test_the_first_entry_has_none_before_it() -> None:
    first = ChainEntry("four", 1, 1, "", "trueskill", (), "")
    assert read_entry(first.line()).entry == first


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"ladder": 3}, "entry 2: ladder is missing or of the wrong type, expected a text"),
        ({"match": True}, "entry 2: match is missing or of the wrong type, expected a whole number"),
        ({"entry": "2"}, "an entry: entry is missing or of the wrong type, expected a whole number"),
        ({"seats": {}}, "entry 2: seats is missing or of the wrong type, expected a list"),
        ({"more": 1}, "entry 2: there is no field 'more'"),
        ({"digest": "AB" * 32}, f"entry 2: digest is '{'AB' * 32}', expected 64 hexadecimal digits"),
        ({"before": "12"}, "entry 2: before is '12', expected 64 hexadecimal digits"),
        ({"seats": [1]}, "entry 2, seat 0: expected an object"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_wrong_field_is_named(changed: dict[str, Any], sentence: str) -> None:
    line = json.dumps(json.loads(ENTRY.line()) | changed)
    with pytest.raises(TournamentError) as caught:
        read_entry(line)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"id": "1"}, "entry 2, seat 0: id is missing or of the wrong type, expected a whole number"),
        ({"sigma": None}, "entry 2, seat 0: sigma is missing or of the wrong type, expected a text"),
        ({"mu": "27.250"}, "entry 2, seat 0: '27.250' is not the shortest decimal form of a double"),
        ({"mu": "many"}, "entry 2, seat 0: 'many' is not the shortest decimal form of a double"),
        ({"mu": "1" * 41}, f"entry 2, seat 0: '{'1' * 41}' is not the shortest decimal form of a double"),
        ({"rank": 1}, "entry 2, seat 0: there is no field 'rank'"),
    ],
)
def test_a_wrong_field_of_a_seat_is_named(changed: dict[str, Any], sentence: str) -> None:
    document = json.loads(ENTRY.line())
    document["seats"][0] |= changed
    with pytest.raises(TournamentError) as caught:
        read_entry(json.dumps(document))
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "a line of a chain is not JSON"),
        ("[" * 100_000, "a line of a chain is not JSON"),
        ("[]", "a line of a chain is not an object"),
        ("{}", "an entry: before is missing or of the wrong type, expected a text"),
    ],
    ids=["cut off", "nested", "list", "empty"],
)
def test_a_line_that_is_no_entry_is_refused(line: str, sentence: str) -> None:
    with pytest.raises(TournamentError) as caught:
        read_entry(line)
    assert str(caught.value) == sentence
