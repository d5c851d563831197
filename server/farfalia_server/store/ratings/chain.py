"""The chains of ladders: the published rating order, which anybody can check without the server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select

from farfalia_server.contract.errors import RecordDamaged
from farfalia_server.store.matches.archive import unpack
from farfalia_server.store.matches.rows import to_match
from farfalia_server.store.matches.values import Match
from farfalia_server.store.part import Part
from farfalia_server.store.ratings.values import RatingChange
from farfalia_server.store.sql import schema
from farfalia_tournaments import ChainEntry, ChainSeat, Rating

_table = schema.rating_chain
_NEWEST = (
    select(_table.c.entry, _table.c.hash)
    .where(_table.c.ladder == bindparam("of"))
    .order_by(_table.c.entry.desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class ChainLine:
    """A published entry of a chain: its number and its line."""

    entry: int
    line: str


class RatingChain(Part):
    """The chains of ladders, written as matches were rated."""

    async def page(self, ladder: str, after: int, limit: int) -> list[ChainLine]:
        """Return entries of a ladder in order, starting after one."""
        wanted = _table.c.ladder == ladder, _table.c.entry > after
        statement = select(_table.c.entry, _table.c.line).where(*wanted).order_by(_table.c.entry).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [ChainLine(row.entry, row.line) for row in rows]

    async def count(self, ladder: str) -> int:
        """Return the number of entries of a ladder."""
        newest = await self._database.read(lambda connection: connection.execute(_NEWEST, {"of": ladder}).first())
        return newest.entry if newest else 0

    async def matches(self, ladder: str, after: int, limit: int) -> list[Match]:
        """Return the matches of a ladder's entries in order, starting after one."""
        statement = (
            select(schema.match)
            .join(_table, _table.c.match_id == schema.match.c.id)
            .where(_table.c.ladder == ladder, _table.c.entry > after)
            .order_by(_table.c.entry)
            .limit(limit)
        )
        return await self._database.read(lambda connection: list(map(to_match, connection.execute(statement))))

    async def counts(self) -> dict[str, int]:
        """Return the number of entries of each ladder."""
        statement = select(_table.c.ladder, func.count()).group_by(_table.c.ladder).order_by(_table.c.ladder)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row[0]: row[1] for row in rows}

    async def of_matches(self, match_ids: Iterable[int]) -> dict[int, str]:
        """Return the lines of these matches, by match."""
        statement = select(_table.c.match_id, _table.c.line).where(_table.c.match_id.in_(set(match_ids)))
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {row.match_id: row.line for row in rows}


def unlinked_entry(
    match: Match,
    changes: Iterable[RatingChange],
    names: Mapping[int, str],
    digest: bytes,
    system: str,
    beta: float | None,
) -> ChainEntry:
    """Return the entry of a rated match that is not linked into its chain yet; `beta` is its performance noise if it
    was rated by points less luck.
    """
    luck = match.result.luck if match.result and beta is not None else (0,) * len(match.seats)
    after = {change.bot_id: Rating(change.mu_after, change.sigma_after) for change in changes}
    seats = tuple(
        ChainSeat(names[seat.bot_id], seat.bot_id, seat.version, None if seat.filler else after.get(seat.bot_id), own)
        for seat, own in zip(match.seats, luck, strict=True)
    )
    return ChainEntry(match.ladder, 0, match.id, digest.hex(), system, seats, "", beta)


def linked(entries: Iterable[ChainEntry], newest: Mapping[str, tuple[int, str]]) -> Iterator[ChainEntry]:
    """Yield the entries with their number and the previous hash; `newest` has both for each ladder with entries."""
    last = dict(newest)
    for entry in entries:
        number, before = last.get(entry.ladder, (0, ""))
        chained = replace(entry, number=number + 1, before=before)
        last[entry.ladder] = chained.number, chained.hash
        yield chained


def append(connection: Connection, entries: Sequence[ChainEntry]) -> None:
    """Append entries to the chains of their ladders; the caller has locked them."""
    newest = {}
    for ladder in sorted({entry.ladder for entry in entries}):
        if (row := connection.execute(_NEWEST, {"of": ladder}).first()) is not None:
            newest[ladder] = (row.entry, row.hash)
    if entries:
        connection.execute(insert(_table), [chain_values(entry) for entry in linked(entries, newest)])


def chain_values(entry: ChainEntry) -> dict[str, Any]:
    """Return the row of an entry."""
    return {
        "ladder": entry.ladder,
        "entry": entry.number,
        "match_id": entry.match,
        "hash": entry.hash,
        "line": entry.line(),
    }


def digest_of(match_id: int, record: bytes | None) -> bytes:
    """Return the digest in a stored record; empty if it has none or is damaged."""
    try:
        return b"" if record is None else unpack(match_id, record).digest
    except RecordDamaged:
        return b""
