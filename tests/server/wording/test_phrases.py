"""Words that pages and terminal share."""

from __future__ import annotations

from farfalia.v1 import matches_pb2
from farfalia_server.wording.phrases import by_place, ordinal


def test_places_are_counted_as_people_do() -> None:
    counted = [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111)]
    assert counted == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th"]


def test_entrants_stand_by_place_and_by_seat_until_there_is_one() -> None:
    match = matches_pb2.Match(entrants=["ant", "bee", "cat"])
    assert by_place(match) == [("ant", 0), ("bee", 0), ("cat", 0)]
    match.outcome.places.extend([3, 1, 1])
    assert by_place(match) == [("bee", 1), ("cat", 1), ("ant", 3)]
