"""What a cell of a crosstable says."""

from __future__ import annotations

import pytest

from farfalia.v1 import standings_pb2, tournaments_pb2
from farfalia_server.wording.crosstable import CAPTION, COUNTS, DIFFERENCES, DOUBTFUL, caption, crosstable


def between_two(better: int, worse: int, stronger: float) -> tournaments_pb2.Tournament:
    """A tournament of two, and how the first did against the second."""
    meetings = better + worse
    return tournaments_pb2.Tournament(
        standings=[standings_pb2.Standing(entrant="ant"), standings_pb2.Standing(entrant="bee")],
        pairs=[
            standings_pb2.Pair(row=0, column=1, meetings=meetings, better=better, stronger=stronger),
            standings_pb2.Pair(row=1, column=0, meetings=meetings, better=worse, stronger=1 - stronger),
        ],
    )


def test_a_crosstable_says_who_is_stronger_and_by_which_counts() -> None:
    tournament = between_two(6, 3, 0.8)
    for pair in tournament.pairs:
        pair.meetings, pair.equal = 10, 1
    ((none, ahead), (behind, _)) = crosstable(tournament)
    assert none is None
    assert ahead is not None
    assert behind is not None
    assert (ahead.counts, ahead.percent, ahead.lean) == ("6–3", "80", "stronger")
    assert (behind.counts, behind.percent, behind.lean) == ("3–6", "20", "weaker")
    assert (ahead.heat, behind.heat) == (8, 2)


@pytest.mark.parametrize(
    ("stronger", "shown", "lean"),
    [
        (1.0, ">99", "surely-stronger"),
        (0.9951, ">99", "surely-stronger"),
        (0.946, "95", "surely-stronger"),
        (0.944, "94", "stronger"),
        (0.75, "75", "stronger"),
        (0.74, "74", "undecided"),
        (0.26, "26", "undecided"),
        (0.25, "25", "weaker"),
        (0.054, "5", "surely-weaker"),
        (0.0049, "<1", "surely-weaker"),
        (0.0, "<1", "surely-weaker"),
    ],
)
@pytest.mark.parametrize("counts", [(11, 10), (10, 11), (0, 21)])
def test_emphasis_of_a_pair_follows_the_probability_alone(
    stronger: float, shown: str, lean: str, counts: tuple[int, int]
) -> None:
    cell = crosstable(between_two(*counts, stronger))[0][1]
    assert cell is not None
    assert (cell.percent, cell.lean) == (shown, lean)


def test_a_cell_says_by_how_much_with_its_interval() -> None:
    tournament = between_two(6, 3, 0.8)
    pair = tournament.pairs[0]
    pair.difference, pair.difference_low, pair.difference_high = 3, 0.5, 5.7
    cell = crosstable(tournament)[0][1]
    assert cell is not None
    assert cell.by == "+3.0 ± 2.6"


def test_a_doubtful_probability_is_not_shown_and_the_caption_says_why() -> None:
    tournament = between_two(6, 3, 0.9)
    assert caption(tournament, counts=False) == CAPTION
    assert caption(tournament, counts=True, differences=True) == f"{CAPTION} {DIFFERENCES} {COUNTS}"
    for pair in tournament.pairs:
        pair.doubtful = True
    cell = crosstable(tournament)[0][1]
    assert cell is not None
    assert (cell.percent, cell.lean, cell.heat) == ("?", "undecided", 5)
    assert caption(tournament, counts=False) == f"{CAPTION} {DOUBTFUL}"
