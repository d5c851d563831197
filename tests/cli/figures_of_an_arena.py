"""A server where every kind of tournament is over, what its records add up to, and its tables compared."""

from __future__ import annotations

import csv
import json
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
from tests.cli import forked
from tests.cli.command import LIMIT, environment
from tests.server.live import ADMIN, LiveServer, until

from farfalia.v1 import matches_pb2, record_pb2
from farfalia_server.contract.conduct import ASKED, strikes_by_seat


@dataclass(frozen=True)
class Arena:
    """A server on which tournaments of every kind are over, and a bot that never came has missed its matches."""

    server: LiveServer
    client: httpx.Client
    numbers: dict[str, int]
    folder: Path

    def json(self, path: str) -> Any:
        return self._answer(path).json()

    def page(self, path: str) -> str:
        return self._answer(path).text

    def _answer(self, path: str) -> httpx.Response:
        """The answer to a request, which a busy server may want to have repeated."""
        while (answer := self.client.get(path)).status_code == httpx.codes.SERVICE_UNAVAILABLE:
            time.sleep(float(answer.headers.get("retry-after", 1)))
        return answer.raise_for_status()

    def csv(self, path: str) -> list[dict[str, str]]:
        return list(csv.DictReader(self.page(path).splitlines()))

    def terminal(self, *arguments: object) -> str:
        settings = environment(FARFALIA_SERVER=self.server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
        done = forked.run(list(map(str, arguments)), self.folder, settings, LIMIT)
        assert done.returncode == 0, done.stderr
        return done.stdout


def settle(arena: Arena) -> None:
    """Wait until house bots have played what baselines need, every match is rated and pages show it."""

    def settled() -> bool:
        missing = [arena.json(f"/api/tournaments/{number}")["baselinesMissing"] for number in arena.numbers.values()]
        missing += [arena.server.show(number).baselines_missing for number in arena.numbers.values()]
        chain = [json.loads(line)["match"] for line in arena.page("/api/ladders/chinkway/chain").splitlines()]
        return not any(missing) and {one.id for one in arena.server.matches(arena.numbers["lost seat"])} <= set(chain)

    until(settled)


def finished(arena: Arena, number: int) -> list[tuple[matches_pb2.Match, record_pb2.Record]]:
    over = matches_pb2.MATCH_STATE_FINISHED
    return [(one, arena.server.record(one.id)) for one in arena.server.matches(number) if one.state == over]


@dataclass
class Sums:
    """What an entrant made in a tournament, added up from records."""

    matches: int = 0
    points: int = 0
    strikes: int = 0
    forfeits: int = 0
    missed: int = 0
    relative: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        self.places = Counter[int]()


def missed(record: record_pb2.Record, seat: int) -> bool:
    """Whether a bot had lost its seat before it was asked anything."""
    asked = [one for one in record.actions if one.seat == seat and one.cause in ASKED]
    lost = [one for one in record.incidents if one.seat == seat]
    return bool(lost) and lost[0].taken_over and len(asked) == 1 and not lost[0].strikes


def added_up(arena: Arena, number: int) -> dict[str, Sums]:
    found: defaultdict[str, Sums] = defaultdict(Sums)
    for _, record in finished(arena, number):
        outcome, strikes = record.outcome, strikes_by_seat(record)
        for seat, who in enumerate(record.seats):
            own, lost = found[who.name], seat in outcome.forfeits
            own.forfeits += lost
            if missed(record, seat):
                own.missed += 1
                continue
            made = 0 if lost else outcome.points[seat]
            own.matches += 1
            own.points += made
            own.strikes += strikes[seat]
            own.relative += made - Fraction(sum(outcome.points), len(outcome.points))
            own.places[outcome.places[seat]] += 1
    return found


def flat(row: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """A JSON object as a row of the table for spreadsheets has it."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        called = prefix + re.sub("[A-Z]", lambda one: f"_{one[0].lower()}", name)
        found |= flat(value, f"{called}.") if isinstance(value, dict) else {called: value}
    return found


def same_table(rows: list[dict[str, Any]], table: list[dict[str, str]]) -> None:
    """Every value of the JSON is in the table for spreadsheets, and where the JSON has none its cell is empty."""
    assert len(rows) == len(table)
    for row, cells in zip(map(flat, rows), table, strict=True):
        for name, value in row.items():
            if isinstance(value, list):
                expected = " ".join(map(str, value))
                assert cells.get(name, expected) == expected or any(isinstance(one, dict) for one in value), name
            elif isinstance(value, bool):
                assert cells[name] == str(value).lower(), name
            elif isinstance(value, float):
                assert float(cells[name]) == value, name
            else:
                assert cells[name] == str(value), name
        assert {name for name, text in cells.items() if text} <= row.keys()
