"""From rows of matches to values and back."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Case, ColumnElement, Row, case

from farfalia_engine import TimeControl
from farfalia_server.store.matches.values import Match, MatchState, Seat, SeatResults

#: A board of a match that is replayed; numbers fit into the database.
_REPLAYED = re.compile(r"(.+)\.(\d{1,9})\.(\d{1,9})")


def not_before(column: ColumnElement[datetime], moment: datetime | BindParameter[datetime]) -> Case[datetime]:
    """Return the moment, or the one in the column if that is later: another machine's clock may be ahead."""
    return case((column > moment, column), else_=moment)


def board_name(board: str, number: int, attempt: int) -> str:
    """Return the board of an attempt of a match with this number in its tournament.

    A replayed match gets cards that no other match has: `board-1-3.17.2` is match 17's second attempt. Tables that
    share a board may be replayed at different times, so they do not share the new one.
    """
    return board if attempt == 1 else f"{board}.{number}.{attempt}"


def replayed_on(board: str) -> tuple[str, int, int] | None:
    """Return what `board_name` made a board of: the first board, the number and the attempt; None of a first board."""
    found = _REPLAYED.fullmatch(board)
    return None if found is None else (found[1], int(found[2]), int(found[3]))


def redrawn_board(board: str, first: int) -> str:
    """Return the board of a round that is drawn anew, `first` being the number of the first of its matches.

    `board-1-2.17` is that of the second round, drawn anew from match 17 on; the tables of a round still share it.
    """
    return f"{board}.{first}"


def to_match(row: Row[*tuple[Any, ...]], *, record_open: bool = False) -> Match:
    """Return the match of a row of `match`."""
    return Match(
        id=row.id,
        tournament_id=row.tournament_id,
        round=row.round,
        number=row.number,
        ruleset=row.ruleset,
        options=row.options,
        board=board_name(row.board, row.number, row.attempt),
        seats=to_seats(row.seats, row.versions),
        time_control=TimeControl(**row.time_control),
        state=MatchState(row.state),
        epoch=row.epoch,
        attempt=row.attempt,
        node=row.node,
        note=row.note,
        result=None if row.result is None else to_result(row.result),
        created=row.created,
        started=row.started,
        finished=row.finished,
        ladder=row.ladder,
        rating_seq=row.rating_seq,
        stage=row.stage,
        table=row.table,
        replay=row.replay,
        record_open=record_open,
        replaced_by=row.replaced_by,
        challenger=row.challenger,
        daily=row.daily or "",
    )


def to_seats(seats: list[dict[str, Any]], versions: list[str] | None) -> tuple[Seat, ...]:
    """Return the seats of their JSON and that of the versions that play there."""
    versions = versions or [""] * len(seats)
    return tuple(
        Seat(seat["bot"], seat["name"], seat["filler"], version, seat.get("walkouts", 0), seat.get("person", False))
        for seat, version in zip(seats, versions, strict=True)
    )


def from_seats(seats: tuple[Seat, ...]) -> list[dict[str, Any]]:
    """Return seats as JSON."""
    return [
        {"bot": seat.bot_id, "name": seat.name, "filler": seat.filler}
        | ({"walkouts": seat.walkouts} if seat.walkouts else {})
        | ({"person": True} if seat.person else {})
        for seat in seats
    ]


def to_result(result: Mapping[str, list[int]]) -> SeatResults:
    """Return the result of its JSON."""
    return SeatResults(**{name: tuple(values) for name, values in result.items()})


def from_result(result: SeatResults) -> dict[str, list[int]]:
    """Return a result as JSON."""
    return {
        "points": list(result.points),
        "places": list(result.places),
        "strikes": list(result.strikes),
        "forfeits": list(result.forfeits),
        "luck": list(result.luck),
        "missed": list(result.missed),
    }


def from_time_control(control: TimeControl) -> dict[str, int]:
    """Return a time control as JSON."""
    return {"limit_ms": control.limit_ms, "bank_ms": control.bank_ms, "grace": control.grace}
