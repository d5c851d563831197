"""What is said of the first place."""

import pytest

from farfalia.v1 import standings_pb2, tournaments_pb2
from farfalia_server.wording.first_place import first_place_words


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (standings_pb2.FirstPlace(entrant="ant", known=True), "The first place is known with 95 %: ant."),
        (
            standings_pb2.FirstPlace(entrant="ant", probability=0.7, rounds=12, low=5, high=40, planned=8),
            "ant is first with 70 %. About 12 more rounds until it is known with 95 %."
            " In 8 of 10 fields that these results allow it takes 5 to 40. 8 more are planned.",
        ),
        (
            standings_pb2.FirstPlace(entrant="ant", probability=0.7, rounds=1, low=1, planned=1),
            "ant is first with 70 %. About 1 more round until it is known with 95 %."
            " In 9 of 10 fields that these results allow it takes 1 or more. 1 more is planned.",
        ),
        (
            standings_pb2.FirstPlace(entrant="ant", probability=0.2, low=77),
            "ant is first with 20 %. These entrants are too close to know the first place: it takes more than 1,000"
            " more rounds. In 9 of 10 fields that these results allow it takes 77 or more.",
        ),
    ],
)
def test_it_is_told_with_its_range_or_that_nobody_will_know(found: standings_pb2.FirstPlace, words: str) -> None:
    assert first_place_words(tournaments_pb2.Tournament(first_place=found)) == words


def test_nothing_is_said_while_nothing_is_known() -> None:
    assert first_place_words(tournaments_pb2.Tournament()) == ""
