"""The database of an arena that has been open for years, written down rather than played.

`python -m farfalia_tools.bench.web.large_arena URL BOTS TOURNAMENTS MATCHES` makes one.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import Connection, Table, create_engine, insert, update

from farfalia.v1 import record_pb2
from farfalia_engine import TimeControl, commitment
from farfalia_server.net.wall_clock import now
from farfalia_server.store import MatchState, NewMatch, Seat, Store, TournamentState
from farfalia_server.store.matches.archive import pack
from farfalia_server.store.matches.planned import match_values
from farfalia_server.store.matches.rows import from_time_control
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.engines import normalise

#: Rows of one statement.
_ROWS = 2000
_SEATS = 5
_CONTROL = TimeControl(limit_ms=1000, bank_ms=30_000, grace=3)
_POINTS = (50, 40, 30, 20, 10)
_LADDER = "chinkway"
_OWNERS = 60
#: Share of the seats that had a strike.
_STRUCK = 0.001
#: The bot that plays in every tournament, at another version in each, and whose share of strikes is larger.
REGULAR, _OF_REGULAR = 1, 0.05


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is in an arena; as many entrants play in each tournament as it has matches for."""

    bots: int = 1000
    tournaments: int = 500
    matches: int = 100_000


def fill(url: str, size: Size, done: Callable[[int, int], object] = lambda *_: None) -> None:
    """Make a SQLite database with this many bots, finished tournaments and rated matches.

    `done` is told how many tournaments are written, of how many.
    """
    asyncio.run(_create(url))
    engine = create_engine(normalise(url).set(drivername="sqlite"))
    with engine.begin() as connection:
        _Writer(connection, size).write(done)
    engine.dispose()


async def _create(url: str) -> None:
    async with await Store.open(url):
        pass


class _Writer:
    """Writes rows as matches would have left them; what it draws follows from a seed."""

    def __init__(self, connection: Connection, size: Size) -> None:
        self._connection = connection
        self._size = size
        self._random = Random(1)
        self._ended = now()
        self._played = [0] * (size.bots + 1)
        self._regular = "1"  # its present version

    def write(self, done: Callable[[int, int], object]) -> None:
        size = self._size
        self._insert(schema.bot, map(self._bot, range(1, size.bots + 1)))
        self._insert(schema.bot_version, [self._new_version(bot, "1") for bot in range(1, size.bots + 1)])
        first, each = 1, size.matches // max(1, size.tournaments)
        for number in range(1, size.tournaments + 1):
            last = size.matches if number == size.tournaments else first + each - 1
            self._tournament(number, range(first, last + 1))
            first = last + 1
            done(number, size.tournaments)
        self._insert(schema.rating, [self._rating(bot, self._version(bot)) for bot in range(1, size.bots + 1)])
        self._connection.execute(update(schema.bot).filter_by(id=REGULAR).values(version=self._regular))

    def _insert(self, table: Table, rows: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> None:
        found = list(rows)
        for start in range(0, len(found), _ROWS):
            self._connection.execute(insert(table), found[start : start + _ROWS])

    def _tournament(self, number: int, matches: range) -> None:
        others = self._random.sample(range(REGULAR + 1, self._size.bots + 1), min(self._size.bots, 2 * _SEATS) - 1)
        field = sorted([REGULAR, *others])
        began = self._when(matches.start)
        if number > 1:
            self._insert(schema.rating, [self._rating(REGULAR, self._regular)])
            self._regular = str(number)
            self._insert(schema.bot_version, [self._new_version(REGULAR, self._regular)])
        self._connection.execute(
            insert(schema.tournament),
            {
                "id": number,
                "name": f"Week {number}",
                "ruleset": _LADDER,
                "options": {},
                "state": TournamentState.FINISHED,
                "rounds": len(matches),
                "secret": bytes(32),
                "commitment": commitment(bytes(32)),
                "nonces": [],
                "beacon_source": "",
                "beacon_round": "",
                "beacon_value": "",
                "time_control": from_time_control(_CONTROL),
                "seed": "",
                "boards": "fresh",
                "balances": "[]",
                "stages": "",
                "expected": len(matches),
                "cancel_reason": "",
                "created": began,
                "started": began,
                "ended": self._when(matches.stop),
            },
        )
        self._insert(
            schema.entrant,
            [
                {
                    "tournament_id": number,
                    "number": place,
                    "bot_id": bot,
                    "name": _name(bot),
                    "filler": False,
                    "came": 0,
                }
                for place, bot in enumerate(field)
            ],
        )
        chunk, bots, results, events, records, incidents = [], [], [], [], [], []
        for place, match in enumerate(matches, 1):
            seats = tuple(Seat(bot, _name(bot)) for bot in self._random.sample(field, _SEATS))
            planned = match_values(
                NewMatch(place, f"board-{place}", seats, stage=0, table=0, replay=0),
                ruleset=_LADDER,
                options={},
                time_control=_CONTROL,
                state=MatchState.FINISHED,
                tournament_id=number,
                number=place,
            )
            chunk.append(planned | self._finished(match, seats))
            bots += [{"bot_id": seat.bot_id, "match_id": match} for seat in seats]
            results += [self._result(match, seat, seated.bot_id) for seat, seated in enumerate(seats)]
            events += [self._event(match, seat.bot_id) for seat in seats]
            records.append({"match_id": match, "data": _record(match, seats)})
            incidents += [_incident(one) for one in results[-_SEATS:] if one["strikes"]]
        for table, rows in (
            (schema.match, chunk),
            (schema.match_bot, bots),
            (schema.seat_result, results),
            (schema.rating_event, events),
            (schema.record, records),
            (schema.incident, incidents),
        ):
            self._insert(table, rows)

    def _bot(self, number: int) -> dict[str, Any]:
        owner = f"owner-{number % _OWNERS}"
        return {"name": _name(number), "version": "1", "owner": owner, "house": "", "created": self._when(0)}

    def _version(self, bot: int) -> str:
        return self._regular if bot == REGULAR else "1"

    def _new_version(self, bot: int, version: str) -> dict[str, Any]:
        return {"bot_id": bot, "version": version, "created": self._when(0)}

    def _rating(self, number: int, version: str) -> dict[str, Any]:
        matches = self._played[number]
        return {
            "ladder": _LADDER,
            "bot_id": number,
            "version": version,
            "mu": self._random.gauss(25, 4),
            "sigma": max(0.8, 8.3 / (1 + matches) ** 0.5),
            "matches": matches,
            "last_seq": self._size.matches,
        }

    def _finished(self, match: int, seats: Sequence[Seat]) -> dict[str, Any]:
        return {
            "id": match,
            "epoch": 1,
            "started": self._when(match),
            "finished": self._when(match + 1),
            "rating_seq": match,
            "versions": [self._version(seat.bot_id) for seat in seats],
            "result": {"points": list(_POINTS), "places": [1, 2, 3, 4, 5], "strikes": [0] * _SEATS, "forfeits": []},
        }

    def _result(self, match: int, seat: int, bot: int) -> dict[str, Any]:
        return {
            "match_id": match,
            "seat": seat,
            "bot_id": bot,
            "version": self._version(bot),
            "filler": False,
            "place": seat + 1,
            "points": _POINTS[seat],
            "strikes": int(self._random.random() < (_OF_REGULAR if bot == REGULAR else _STRUCK)),
            "ended": self._when(match + 1),
            "times": {"20": 60, "40": 5},
            "roles": {"0": [3, 30], "1p": [2, 15], "2p": [2, 14], "3p": [2, 12], "4p": [2, 11]},
        }

    def _event(self, match: int, bot: int) -> dict[str, Any]:
        self._played[bot] += 1
        mu, sigma = self._random.gauss(25, 2), 8.3 / self._played[bot] ** 0.5
        return {
            "ladder": _LADDER,
            "match_id": match,
            "bot_id": bot,
            "version": self._version(bot),
            "mu_before": mu,
            "sigma_before": sigma,
            "mu_after": mu + 0.1,
            "sigma_after": sigma,
            "matches": self._played[bot],
        }

    def _when(self, match: int) -> datetime:
        return self._ended - timedelta(minutes=self._size.matches + 1 - match)


def _name(bot: int) -> str:
    return f"bot-{bot}"


def _incident(result: dict[str, Any]) -> dict[str, Any]:
    return {
        "bot_id": result["bot_id"],
        "match_id": result["match_id"],
        "seat": result["seat"],
        "action_index": 0,
        "cause": record_pb2.CAUSE_TIMEOUT,
        "strikes": 1,
        "taken_over": False,
        "text": "a house bot decided: out of time",
    }


def _record(match: int, seats: tuple[Seat, ...]) -> bytes:
    """Return a record that says who has won, and nothing of how."""
    outcome = record_pb2.MatchOutcome(points=_POINTS, places=range(1, 6))
    named = [record_pb2.RecordSeat(name=seat.name, bot=seat.name, version="1") for seat in seats]
    return pack(record_pb2.Record(format=1, match=match, seats=named, outcome=outcome))


if __name__ == "__main__":
    fill(sys.argv[1], Size(*map(int, sys.argv[2:])))
