"""What the page of a tournament shows: how it goes on, who is where and why, and what is played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TypedDict

from farfalia.v1 import acts_pb2, matches_pb2, stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import NotReady
from farfalia_server.net.wall_clock import now
from farfalia_server.web.beyond_picture import BeyondPicture, beyond_picture
from farfalia_server.web.query_parameters import TABLE_SECONDS
from farfalia_server.web.tournament_story import BracketRound, StrengthBar, brackets, podium, strength_bars
from farfalia_server.wording.acts import together
from farfalia_server.wording.amounts import grouped, roughly
from farfalia_server.wording.beyond_strength import BeyondRow, beyond_rows, beyond_words
from farfalia_server.wording.columns import (
    OTHER_VALUE_FUNCTION,
    Column,
    cells,
    instead_of,
    marks,
    ranking_column,
    stage_columns,
    standings_columns,
)
from farfalia_server.wording.crosstable import Cell, caption, crosstable
from farfalia_server.wording.first_place import first_place_words
from farfalia_server.wording.known_strengths import known_words
from farfalia_server.wording.language import gettext
from farfalia_server.wording.places import reasons

#: Rows of standings on one page.
ROWS = 100
#: Entrants up to which a crosstable still fits a screen.
_WIDEST = 40
#: Tables that are shown as being played, and matches that ended last.
_TABLES, _LAST = 40, 10
#: Rounds of the schedule around the present one.
_ROUNDS = 12
#: Entries of the log that are shown: the newest.
_ACTS = 50


@dataclass(frozen=True, slots=True)
class PlacedEntrant:
    """A row of the standings: what stands beside the name, what in each column, and why it has its place; its strength
    as a bar, once something is known of it.
    """

    entrant: str
    marks: list[str]
    cells: dict[str, str]
    why: str
    bar: StrengthBar | None


class TournamentValues(TypedDict):
    """What the templates of the page and of the projector take."""

    row: tournaments_pb2.Tournament
    live: bool
    ready: bool
    progress: str
    pace: str
    placed: list[PlacedEntrant]
    columns: list[Column[standings_pb2.Standing]]
    ranking: Column[standings_pb2.Standing]
    stage_columns: list[list[Column[stages_pb2.StageStanding]]]
    skip: int
    following: int
    caption: str
    other_function: str
    crosstable: list[list[Cell | None]]
    first_place: str
    known: str
    beyond: list[BeyondRow]
    beyond_words: str
    beyond_picture: BeyondPicture
    brackets: dict[int, list[BracketRound]]
    podium: int
    rounds: list[tournaments_pb2.RoundProgress]
    hidden_rounds: int
    same_round: tournaments_pb2.RoundProgress | None
    playing: list[matches_pb2.Match]
    last: list[matches_pb2.Match]
    acts: list[acts_pb2.Act]


async def tournament_values(reader: Reader, number: int, skip: int = 0) -> TournamentValues:
    """Return what is shown of a tournament, with the standings from one row on; NotFound."""
    ready = True
    try:
        row = await reader.tournament(number, wait=TABLE_SECONDS)
    except NotReady:
        row, ready = await reader.tournament_alone(number), False
    columns = standings_columns(row)
    rows = row.standings[skip : skip + ROWS]
    why = reasons(row)[skip : skip + ROWS] if ready else []
    bars = strength_bars(row.standings)[skip : skip + ROWS]
    rounds, beyond = _around_the_front(row), beyond_rows(row)
    return {
        "row": row,
        "live": not ready
        or row.baselines_missing > 0
        or row.state in (tournaments_pb2.TOURNAMENT_STATE_RUNNING, tournaments_pb2.TOURNAMENT_STATE_PLANNED),
        "ready": ready,
        "progress": progress_words(row),
        "pace": pace_words(row),
        "placed": [
            PlacedEntrant(
                standing.entrant,
                [*marks(standing), *instead_of(standing)],
                cells(columns, standing),
                reason,
                bar,
            )
            for standing, reason, bar in zip(rows, why, bars, strict=True)
        ],
        "columns": columns,
        "ranking": ranking_column(columns),
        "stage_columns": [stage_columns(stage.stage) for stage in row.stages],
        "skip": skip,
        "following": skip + ROWS if len(row.standings) > skip + ROWS else 0,
        "caption": caption(row, counts=True, differences=True),
        "other_function": gettext(OTHER_VALUE_FUNCTION) if row.value_function_missing else "",
        "crosstable": crosstable(row) if len(row.standings) <= _WIDEST else [],
        "first_place": first_place_words(row),
        "known": known_words(row),
        "beyond": beyond,
        "beyond_words": beyond_words(beyond),
        "beyond_picture": beyond_picture(row),
        "brackets": brackets(row),
        "podium": podium(row),
        "rounds": rounds,
        "hidden_rounds": len(row.schedule) - len(rounds),
        "same_round": _same_round(row),
        "playing": await _matches(reader, number, matches_pb2.MATCH_STATE_RUNNING, _TABLES),
        "last": await _matches(reader, number, matches_pb2.MATCH_STATE_FINISHED, _LAST),
        "acts": together((await reader.tournament_acts(number)).acts)[-_ACTS:],
    }


def progress_words(row: tournaments_pb2.Tournament) -> str:
    """Return how many of its matches are over, and how many results are withheld."""
    if row.running:
        said = gettext("{finished} of {matches} matches finished, {running} being played")
    else:
        said = gettext("{finished} of {matches} matches finished")
    said = said.format(finished=grouped(row.finished), matches=grouped(row.matches), running=grouped(row.running))
    if not row.results_withheld:
        return said
    withheld = gettext("Results withheld while their boards are played: {number}")
    return f"{said}. {withheld.format(number=grouped(row.results_withheld))}"


def pace_words(row: tournaments_pb2.Tournament) -> str:
    """Return how quickly it goes on, and when it will be over; empty if nobody can tell."""
    if not row.HasField("expected_end"):
        return ""
    hourly = f"{row.matches_per_hour:.0f}" if row.matches_per_hour < 10 else grouped(round(row.matches_per_hour))
    left = (row.expected_end.ToDatetime(UTC) - now()).total_seconds()
    return gettext("{time} left, at {number} matches per hour").format(time=roughly(left), number=hourly)


def _around_the_front(row: tournaments_pb2.Tournament) -> list[tournaments_pb2.RoundProgress]:
    """Return the rounds around the first that is not over."""
    front = next((at for at, one in enumerate(row.schedule) if one.over < one.matches), len(row.schedule))
    first = max(0, min(front - _ROUNDS // 2, len(row.schedule) - _ROUNDS))
    return list(row.schedule[first : first + _ROUNDS])


def _same_round(row: tournaments_pb2.Tournament) -> tournaments_pb2.RoundProgress | None:
    """Return the first round if all are like it, finished or without a finished match: then rows would say it often."""
    kinds = {(one.matches, one.over) for one in row.schedule}
    return row.schedule[0] if len(kinds) == 1 and row.schedule[0].over in (0, row.schedule[0].matches) else None


async def _matches(reader: Reader, number: int, state: matches_pb2.MatchState, limit: int) -> list[matches_pb2.Match]:
    asked = matches_pb2.ListMatchesRequest(tournament=number, state=state, limit=limit)
    return list((await reader.matches(asked)).matches)
