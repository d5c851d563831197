"""Words that pages and terminal share."""

from __future__ import annotations

from farfalia_server.wording.phrases import ordinal


def test_places_are_counted_as_people_do() -> None:
    counted = [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111)]
    assert counted == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th"]
