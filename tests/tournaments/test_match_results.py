from typing import Any

import pytest

from farfalia_tournaments import MatchResult, TournamentError
from farfalia_tournaments.results import ordered


def result(**changes: Any) -> MatchResult[str]:
    values: dict[str, Any] = {"entrants": ("a", "b", "c"), "points": (9, 5, 5), "places": (1, 2, 2)}
    return MatchResult(**(values | changes))


def test_what_is_left_out_means_nothing_special_happened() -> None:
    plain = result()
    assert plain.strikes == (0, 0, 0)
    assert plain.rated == (True, True, True)
    assert plain.sides == (0, 1, 2)
    assert plain.forfeits == ()
    assert plain == result(strikes=(0, 0, 0), rated=(True,) * 3, sides=(0, 1, 2))
    assert hash(plain) == hash(result())


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"entrants": ("a", "b", "a")}, r"'a', 'b', 'a'.*no entrant twice"),
        ({"entrants": ("a",), "points": (1,), "places": (1,)}, "at least two"),
        ({"points": (9, 5)}, r"points \(9, 5\): expected 3 values"),
        ({"places": (1, 2, 2, 4)}, "places .*: expected 3 values"),
        ({"strikes": (0, 1)}, "strikes .*: expected 3 values"),
        ({"strikes": (0, -1, 0)}, "strikes .*: expected none below 0"),
        ({"rated": (True,)}, "rated .*: expected 3 values"),
        ({"sides": (0, 0, 0), "places": (1, 1, 1)}, "sides .*: expected at least two"),
        ({"places": (1, 2, 4)}, "place 4 .*: expected 3 to 3"),
        ({"places": (0, 2, 2)}, "place 0 .*: expected 1 to 3"),
        ({"places": (1, 1, 2)}, "place 2 .*: expected 3 to 3"),
        ({"forfeits": (3,)}, r"forfeits \(3,\): expected different seats from 0 to 2"),
        ({"forfeits": (1, 1)}, "forfeits"),
        ({"forfeits": (0,)}, "place 1 of a forfeited seat: expected none before 2"),
    ],
)
def test_a_result_that_cannot_be_is_refused(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(TournamentError, match=named):
        result(**changes)


@pytest.mark.parametrize("places", [(1, 2, 3), (1, 1, 1), (1, 1, 3), (1, 2, 2), (1, 3, 3), (3, 3, 3)])
def test_seats_that_are_last_may_all_have_the_last_place(places: tuple[int, ...]) -> None:
    assert result(places=places).places == places


def test_partners_share_a_place_until_one_of_them_loses_its_seat() -> None:
    four = MatchResult(("a", "b", "c", "d"), (30, 12, 30, 12), (3, 2, 1, 2), sides=(0, 1, 0, 1), forfeits=(0,))
    assert four.places == (3, 2, 1, 2)
    with pytest.raises(TournamentError, match="one place for all of side 0"):
        MatchResult(("a", "b", "c", "d"), (30, 12, 30, 12), (1, 2, 2, 2), sides=(0, 1, 0, 1))


def test_numbers_come_before_names_in_the_order_of_entrants() -> None:
    mixed: list[str | int] = ["b", 10, "a", 9]
    assert ordered(mixed) == [9, 10, "a", "b"]
