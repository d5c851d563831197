"""A database with thousands of finished matches, written down rather than played.

`python -m farfalia_tools.bench.loop.archive URL MATCHES LEFT` makes one.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import Connection, create_engine, insert, select

from farfalia.v1 import record_pb2
from farfalia_engine import TimeControl, commitment
from farfalia_server.net.wall_clock import now
from farfalia_server.organising.stage_messages import stored
from farfalia_server.store import Entrant, MatchState, NewMatch, NewTournament, Seat, Store
from farfalia_server.store.matches.archive import pack
from farfalia_server.store.matches.planned import match_values
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.engines import normalise
from farfalia_tournaments import Stage, StageKind
from farfalia_tournaments.schedules import Boards

#: The field: a table.
BOTS = tuple(f"house-greedy-{number}" for number in range(1, 6))
#: Rows of one statement.
_ROWS = 1000
_CONTROL = TimeControl(limit_ms=1000, bank_ms=30_000, grace=3)
_POINTS = (50, 40, 30, 20, 10)


def fill(url: str, matches: int, left: int) -> None:
    """Make a database with a round robin of which `matches` are finished and rated and `left` are still to be drawn.

    It goes on as soon as a server opens the database.
    """
    asyncio.run(_plan(url, matches + left))
    engine = create_engine(normalise(url).set(drivername="sqlite"))
    with engine.begin() as connection:
        _write(connection, matches)
    engine.dispose()


async def _plan(url: str, matches: int) -> None:
    async with await Store.open(url) as store:
        bots = [await store.bots.ensure_house(name, "greedy") for name in BOTS]
        new = NewTournament(
            name="archive",
            ruleset="chinkway",
            options={},
            time_control=_CONTROL,
            rounds=matches,
            secret=bytes(32),
            commitment=commitment(bytes(32)),
            entrants=tuple(Entrant(number, bot.id, bot.name) for number, bot in enumerate(bots)),
            matches=(),
            boards=Boards.DATUM,
            stages=stored([Stage(StageKind.ROUND_ROBIN, rounds=matches)]),
            expected=matches,
            ladder="chinkway",
        )
        await store.tournaments.start((await store.tournaments.plan(new)).id)


def _write(connection: Connection, matches: int) -> None:
    """Write down that all matches have been finished and rated."""
    entrants = connection.execute(select(schema.entrant)).all()
    random, ended = Random(1), now()
    began = ended - timedelta(seconds=matches)
    for first in range(1, matches + 1, _ROWS):
        chunk, bots, events = [], [], []
        numbers = range(first, min(first + _ROWS, matches + 1))
        for number in numbers:
            seats = [Seat(entrant.bot_id, entrant.name) for entrant in random.sample(entrants, len(entrants))]
            match = NewMatch(number, f"board-1-{number}", tuple(seats), stage=1, table=1, replay=1)
            planned = match_values(
                match,
                ruleset="chinkway",
                options={},
                time_control=_CONTROL,
                state=MatchState.FINISHED,
                tournament_id=1,
                number=number,
            )
            chunk.append(planned | _finished(number, began, ended))
            bots += [{"bot_id": seat.bot_id, "match_id": number} for seat in seats]
            events += [_event(number, seat.bot_id) for seat in seats]
        connection.execute(insert(schema.match), chunk)
        connection.execute(insert(schema.match_bot), bots)
        connection.execute(insert(schema.rating_event), events)
        connection.execute(insert(schema.record), [{"match_id": number, "data": _record(number)} for number in numbers])
        boards = [{"tournament_id": 1, "board": row["board"], "points": list(_POINTS)} for row in chunk]
        connection.execute(insert(schema.baseline), boards)
    rating = {"ladder": "chinkway", "version": "1", "mu": 25.0, "sigma": 1.0, "matches": matches, "last_seq": matches}
    connection.execute(insert(schema.rating), [rating | {"bot_id": entrant.bot_id} for entrant in entrants])


def _finished(number: int, began: datetime, ended: datetime) -> dict[str, Any]:
    return {
        "id": number,
        "epoch": 1,
        "started": began,
        "finished": ended,
        "rating_seq": number,
        "versions": ["1"] * len(_POINTS),
        "result": {"points": list(_POINTS), "places": [1, 2, 3, 4, 5], "strikes": [0] * 5, "forfeits": []},
    }


def _record(match: int) -> bytes:
    """Return a record that says who has won, and nothing of how."""
    outcome = record_pb2.MatchOutcome(points=_POINTS, places=range(1, 6))
    seats = [record_pb2.RecordSeat(name=f"seat-{seat}") for seat in range(5)]
    return pack(record_pb2.Record(format=1, match=match, seats=seats, outcome=outcome))


def _event(match: int, bot: int) -> dict[str, Any]:
    return {
        "ladder": "chinkway",
        "match_id": match,
        "bot_id": bot,
        "version": "1",
        "mu_before": 25.0,
        "sigma_before": 1.0,
        "mu_after": 25.0,
        "sigma_after": 1.0,
        "matches": match,
    }


if __name__ == "__main__":
    fill(sys.argv[1], *map(int, sys.argv[2:]))
