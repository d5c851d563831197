"""Why an entrant has its place, in a sentence."""

import pytest

from farfalia.v1 import tournaments_pb2
from farfalia_server.wording.places import reasons


@pytest.mark.parametrize(
    ("likely", "said"),
    [
        (0.99, "2.00 points a match ahead of ada, clearly: stronger with 99 %."),
        (0.97, "2.00 points a match ahead of ada: stronger with 97 %."),  # they share a letter and may share ranks
        (0.6, "2.00 points a match ahead of ada, which may be luck: stronger with 60 %."),
    ],
)
def test_one_is_clearly_ahead_only_of_whom_it_is_told_apart_from(likely: float, said: str) -> None:
    row = tournaments_pb2.Tournament()
    row.standings.add(entrant="bob", place=1, matches=5, adjusted=1)
    row.standings.add(entrant="ada", place=2, matches=5, adjusted=-1)
    row.pairs.add(row=0, column=1, stronger=likely, meetings=5)
    assert reasons(row) == [said, "Nobody has played worse."]
