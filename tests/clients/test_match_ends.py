"""The author of a bot reads how its matches end."""

from __future__ import annotations

import logging
from collections.abc import Generator

import pytest
from tests.clients.scripted import Messages, greet, play_through, says

from farfalia import Bot, match_ends
from farfalia.v1 import play_pb2, record_pb2
from farfalia.v1.play_pb2 import PlayResponse

Said = Generator[PlayResponse]
PAGES = "http://arena:7601"


def ended(match: int, place: int = 3, points: int = 71, **more: object) -> play_pb2.Finished:
    places = [2, place, 1, 5, 4]
    outcome = record_pb2.MatchOutcome(places=places, points=[80, points, 90, 10, 20], **more)  # type: ignore[arg-type]
    return play_pb2.Finished(match=match, seat=1, outcome=outcome)


def rated(match: int, before: float, after: float, ladder: str = "chinkway") -> play_pb2.RatingChange:
    return play_pb2.RatingChange(
        match=match,
        before=play_pb2.Rating(ladder=ladder, conservative=before),
        after=play_pb2.Rating(ladder=ladder, conservative=after),
    )


def lines(caplog: pytest.LogCaptureFixture, *messages: PlayResponse, pages: str = PAGES) -> list[str]:
    """What is said while and after the server says this, but for the connection."""

    with caplog.at_level(logging.INFO, "farfalia"):
        play_through(Bot(), says(*messages, pages=pages))
    told = [record.message for record in caplog.records if record.levelno == logging.INFO]
    return [line for line in told if "connected to" not in line]


def test_a_match_is_a_line_with_its_rating_and_its_page(caplog: pytest.LogCaptureFixture) -> None:
    said = lines(caplog, PlayResponse(finished=[ended(12)]), PlayResponse(ratings=[rated(12, 1.24, 2.38)]))
    assert said == [f"match 12: 3rd of 5, 71 points; rating 1.2 → 2.4; {PAGES}/matches/12"]


def test_a_line_waits_for_its_rating_and_then_does_without(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_ends, "RATED_WITHIN", 0.01)
    assert lines(caplog, PlayResponse(finished=[ended(12)])) == [f"match 12: 3rd of 5, 71 points; {PAGES}/matches/12"]


def test_a_server_without_pages_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    assert lines(caplog, PlayResponse(finished=[ended(12, place=1)]), pages="") == ["match 12: 1st of 5, 71 points"]


def test_a_lost_seat_and_matches_that_do_not_count_are_told_as_such(caplog: pytest.LogCaptureFixture) -> None:
    void = play_pb2.Finished(match=2, voided=True)
    said = lines(caplog, PlayResponse(finished=[ended(1, forfeits=[1]), void, play_pb2.Finished(match=3)]), pages="")
    assert said == ["match 1: 3rd of 5, seat lost", "match 2: void; it will be played again", "match 3: given up"]


def test_after_ten_matches_the_others_are_summed_up(caplog: pytest.LogCaptureFixture) -> None:
    finished = [ended(match) for match in range(1, 11)]
    finished += [ended(11, place=2, points=60), ended(12, place=5, points=31)]
    ratings = [rated(match, 0, match / 10) for match in range(1, 13)]
    said = lines(caplog, PlayResponse(finished=finished), PlayResponse(ratings=ratings))
    assert [line.split(":")[0] for line in said[:10]] == [f"match {match}" for match in range(1, 11)]
    assert said[10:] == [
        f"2 matches: on average place 3.5 of 5, 45.5 points; rating now 1.2; {PAGES}/bots/tester",
    ]


def test_one_match_that_is_left_for_the_summary_keeps_its_line(caplog: pytest.LogCaptureFixture) -> None:
    said = lines(caplog, PlayResponse(finished=[ended(match) for match in range(1, 12)]))
    assert said[10:] == [f"match 11: 3rd of 5, 71 points; {PAGES}/matches/11"]


def test_sums_come_again_and_again(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_ends, "RATED_WITHIN", 0.0)
    monkeypatch.setattr(match_ends, "EVERY", 0.01)

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        match = 0
        while caplog.text.count("on average place 3.0 of 5, 71.0 points") < 2:
            match += 1
            yield PlayResponse(finished=[ended(match)])

    with caplog.at_level(logging.INFO, "farfalia"):
        play_through(Bot(), script)


def test_ratings_of_several_ladders_are_kept_apart(caplog: pytest.LogCaptureFixture) -> None:
    ratings = [rated(100, 0, 1), rated(101, 0, 2, "four")]
    finished = [ended(match) for match in range(1, 13)]
    said = lines(caplog, PlayResponse(ratings=ratings), PlayResponse(finished=finished), pages="")
    assert said[-1].endswith("; rating in chinkway now 1.0; rating in four now 2.0")
