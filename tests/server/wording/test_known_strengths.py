"""What probabilities start from, in a sentence."""

from farfalia.v1 import standings_pb2, tournaments_pb2
from farfalia_server.wording.known_strengths import known_words


def shown(known: int) -> tournaments_pb2.Tournament:
    """A tournament of three, of whom a ladder knew as many."""
    return tournaments_pb2.Tournament(
        standings=[standings_pb2.Standing(entrant=name) for name in ("ant", "bee", "cat")],
        strength_model=standings_pb2.StrengthModel(luck=9.0),
        pair_model=standings_pb2.StrengthModel(
            luck=9.0, known=[standings_pb2.KnownStrength(row=row, ladder="basic") for row in range(known)]
        ),
    )


def test_it_says_which_ladder_knew_how_many_of_all_entrants() -> None:
    assert known_words(shown(2)) == (
        "Probabilities start from what the ladder basic knew of 2 of these 3 entrants when the tournament started;"
        " places and strengths come from this tournament alone."
    )


def test_it_says_that_a_tournament_stands_alone_and_nothing_before_there_are_strengths() -> None:
    assert known_words(shown(0)) == "Places, strengths and probabilities come from this tournament alone."
    assert known_words(tournaments_pb2.Tournament()) == ""
