"""The stages of a tournament as the contract's messages: who plays in each, how they stand, who goes on."""

from __future__ import annotations

from collections.abc import Sequence

from farfalia.v1 import standings_pb2
from farfalia_server.organising.stage_progress import StageProgress
from farfalia_server.store import Entrant


def stage_messages(progress: StageProgress, entrants: Sequence[Entrant]) -> list[standings_pb2.TournamentStage]:
    """All stages, in their order; those that have not begun have no places."""
    names = {entrant.number: entrant.name for entrant in entrants}
    messages = []
    for table in progress.tables():
        places: list[standings_pb2.StagePlace] = []
        for number, place in enumerate(table.places, start=1):
            score = None if place.score is None else float(place.score)
            row = standings_pb2.StagePlace(
                place=number,
                entrant=names[place.entrant],
                score=score,
                reached=place.reached,
                went_on=place.entrant in table.went_on,
            )
            if places and (places[-1].reached, places[-1].score) == (row.reached, row.score):
                row.place = places[-1].place
            places.append(row)
        messages.append(standings_pb2.TournamentStage(settings=str(table.stage), drawn=table.drawn, places=places))
    return messages


def in_final_order(
    rows: Sequence[standings_pb2.Standing], progress: StageProgress, entrants: Sequence[Entrant]
) -> list[standings_pb2.Standing]:
    """The rows of a tournament's table in the order in which its stages leave them; house bots in between come last."""
    placed = {entrants[one.entrant].name: (at, one.place) for at, one in enumerate(progress.final())}
    last = len(placed) + 1
    ordered = sorted(rows, key=lambda row: placed.get(row.entrant, (last, last)))
    for row in ordered:
        row.place = placed.get(row.entrant, (last, last))[1]
    return ordered
