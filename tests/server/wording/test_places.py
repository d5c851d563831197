"""Why an entrant has its place, in a sentence."""

import pytest

from farfalia.v1 import stages_pb2, tournaments_pb2
from farfalia_server.wording.places import reasons


@pytest.mark.parametrize(
    ("likely", "said"),
    [
        (0.99, "2.00 points per match ahead of ada, a clear lead: stronger with 99 %."),
        (0.97, "2.00 points per match ahead of ada: stronger with 97 %."),  # they share a letter and may share ranks
        (0.6, "2.00 points per match ahead of ada, which may be luck: stronger with 60 %."),
    ],
)
def test_one_is_clearly_ahead_only_of_whom_it_is_told_apart_from(likely: float, said: str) -> None:
    row = tournaments_pb2.Tournament()
    row.standings.add(entrant="bob", place=1, matches=5, adjusted=1)
    row.standings.add(entrant="ada", place=2, matches=5, adjusted=-1)
    row.pairs.add(row=0, column=1, stronger=likely, meetings=5)
    assert reasons(row) == [said, "Last of those who have played."]


def test_those_that_share_a_place_are_named_three_at_most() -> None:
    row = tournaments_pb2.Tournament()
    for name in ("ada", "bob", "cid", "dan", "eve"):
        row.standings.add(entrant=name, place=1, matches=5)
    assert reasons(row)[0] == "Level with bob, cid and dan, so they share the place."
    del row.standings[2:]
    assert reasons(row) == ["Level with bob, so they share the place.", "Level with ada, so they share the place."]


def test_with_stages_a_place_follows_from_the_last_one_that_an_entrant_played() -> None:
    row = tournaments_pb2.Tournament()
    swiss, knockout = row.stages.add(), row.stages.add()
    swiss.stage.kind, knockout.stage.kind = stages_pb2.STAGE_KIND_SWISS, stages_pb2.STAGE_KIND_KNOCKOUT
    for place, name in enumerate(("ada", "bob", "cid"), 1):
        row.standings.add(entrant=name, place=place, matches=5)
        swiss.standings.add(entrant=name, place=place, score=1.5 - place, qualified=place < 3)
    knockout.standings.add(entrant="bob", place=1, reached_round=2, score=0.25)
    knockout.standings.add(entrant="ada", place=2, reached_round=1)
    assert reasons(row) == [
        "Reached round 1 of the knock-out.",
        "Reached round 2 of the knock-out: 1st, with +0.25 per match there.",
        "3rd in the Swiss of stage 1 with −1.50 per match, and did not qualify.",
    ]
    knockout.rounds_drawn = 2
    knockout.tables.add(round=2)
    assert reasons(row)[1] == "1st in the final, with +0.25 per match."
