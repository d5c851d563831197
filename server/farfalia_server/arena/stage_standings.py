"""The stages of a tournament as the contract's messages: who plays in each, how they stand, who qualifies."""

from __future__ import annotations

from collections.abc import Sequence

from farfalia.v1 import stages_pb2, standings_pb2
from farfalia_server.organising.stage_messages import stage_message
from farfalia_server.organising.stage_progress import StageProgress
from farfalia_server.store import Entrant


def stage_messages(progress: StageProgress, entrants: Sequence[Entrant]) -> list[stages_pb2.StageStandings]:
    """Return all stages, in their order; those that have not begun have no standings."""
    names = {entrant.number: entrant.name for entrant in entrants}
    messages = []
    for stage in progress.standings():
        rows: list[stages_pb2.StageStanding] = []
        for number, place in enumerate(stage.places, start=1):
            score = None if place.score is None else float(place.score)
            row = stages_pb2.StageStanding(
                place=number,
                entrant=names[place.entrant],
                score=score,
                reached_round=place.reached,
                qualified=place.entrant in stage.qualified,
            )
            if rows and (rows[-1].reached_round, rows[-1].score) == (row.reached_round, row.score):
                row.place = rows[-1].place
            rows.append(row)
        messages.append(
            stages_pb2.StageStandings(stage=stage_message(stage.stage), rounds_drawn=stage.drawn, standings=rows)
        )
    return messages


def in_final_order(
    rows: Sequence[standings_pb2.Standing], progress: StageProgress, entrants: Sequence[Entrant]
) -> list[standings_pb2.Standing]:
    """Return the rows of a tournament's table in the order in which its stages leave them;
    house bots in between come last.
    """
    placed = {entrants[one.entrant].name: (at, one.place) for at, one in enumerate(progress.final())}
    last = len(placed) + 1
    ordered = sorted(rows, key=lambda row: placed.get(row.entrant, (last, last)))
    for row in ordered:
        row.place = placed.get(row.entrant, (last, last))[1]
    return ordered
