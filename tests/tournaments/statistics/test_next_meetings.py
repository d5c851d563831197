"""What a tournament says of two, held against what they make of each other in the next one."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from farfalia_tournaments import MatchResult, NextMeetings, StrengthFit, fit_strengths, meetings
from farfalia_tournaments.statistics.strengths.spreads import OUTSIDE, OUTSIDE_SPREAD, SPREAD_PRIOR

LUCK = 12.0


def match(
    made: Sequence[float], seats: Sequence[int], board: str = "", forfeits: tuple[int, ...] = ()
) -> MatchResult[int]:
    points = tuple(round(one) for one in made)
    played = [one for seat, one in enumerate(points) if seat not in forfeits]
    places = tuple(
        len(points) if seat in forfeits else 1 + sum(other > one for other in played) for seat, one in enumerate(points)
    )
    return MatchResult(tuple(seats), points, places, board=board, forfeits=forfeits)


def season(chance: random.Random, strengths: Sequence[float], matches: int, first: int = 0) -> list[MatchResult[int]]:
    """Matches of all at one table, who are called by numbers from `first` on."""
    seats = range(first, first + len(strengths))
    return [match([100 + own + chance.gauss(0, LUCK) for own in strengths], seats) for _ in range(matches)]


def known(hand: float, block: float) -> StrengthFit[int]:
    """A fit with these variances, as multiples of luck's, which is 10 points."""
    return replace(fit_strengths([match((30, 20, 10), (1, 2, 3))]), hand=hand, block=block, luck=10.0)


def test_luck_of_a_meeting_is_that_of_its_matches_and_cards_that_both_had_cancel() -> None:
    def luck(results: list[MatchResult[int]]) -> float | None:
        found = {one.pair: one.luck for one in meetings(results, known(0.5, 0.25))}
        return found[1, 2]

    own = [match((30, 20, 10), (1, 2, 3), board) for board in ("a", "b", "c")]
    assert luck(own) == pytest.approx(100 * (2 + 2 * 0.5 + 2 * 0.25) / 3)
    turned = [match((30, 20, 10), seats, "a") for seats in ((1, 2, 3), (2, 3, 1), (3, 1, 2))]
    assert luck(turned) == pytest.approx(100 * (2 / 3 + 2 * 0.25))
    assert luck([match((30, 20, 10), (1, 2, 3))]) == pytest.approx(100 * 3.5)


def test_forfeited_matches_and_partners_say_nothing() -> None:
    lost = match((30, 20, 10), (1, 2, 3), forfeits=(2,))
    found = {one.pair: one.difference for one in meetings([lost], known(0, 0))}
    assert found == {(1, 2): 10.0, (1, 3): None, (2, 3): None}
    assert (
        meetings([replace(match((30, 30, 10, 10), (1, 2, 3, 4)), sides=(0, 0, 1, 1), places=(1, 1, 2, 2))], known(0, 0))
        == []
    )
    lucky = replace(match((30, 20, 10), (1, 2, 3)), luck=(12, 0, 0))
    assert next(one.difference for one in meetings([lucky], known(0, 0)) if one.pair == (1, 2)) == -2.0


def test_each_meeting_is_held_against_the_last_one_only() -> None:
    chance, found = random.Random(1), NextMeetings[int]()
    for seasons in range(4):
        results = season(chance, [6.0, 0.0, -6.0], 10)
        found.add(meetings(results, fit_strengths(results)))
        assert sum(one.pairs for one in found.bins()) == 3 * seasons
    for one in found.bins():
        assert one.low <= one.shown <= one.high
        assert 0.5 <= one.said < one.shown


def test_what_is_said_happens_and_boasting_shows() -> None:
    chance = random.Random(20)
    honest, boasting = NextMeetings[int](), NextMeetings[int]()
    for number in range(120):
        # A field as the prior has it: how wide it is, nobody knows.
        spread = LUCK * math.exp(chance.gauss(*SPREAD_PRIOR))
        strengths = [chance.gauss(0, spread if chance.random() > OUTSIDE else OUTSIDE_SPREAD * LUCK) for _ in range(5)]
        for _ in range(2):
            results = season(chance, strengths, 12, first=5 * number)
            fit = fit_strengths(results)
            honest.add(meetings(results, fit))
            bold = [replace(part, means=[3 * mean for mean in part.means]) for part in fit.components]
            boasting.add(meetings(results, replace(fit, components=bold)))
    assert sum(one.pairs for one in honest.bins()) == 1200
    assert abs(too_bold(honest)) < 0.03
    assert too_bold(boasting) > 0.06


def too_bold(found: NextMeetings[int]) -> float:
    """By how much more favourites were said to be ahead than they were, on average."""
    bins = found.bins()
    return sum(one.pairs * (one.said - one.happened) for one in bins) / sum(one.pairs for one in bins)
