"""Records of bots that were renamed or removed, written anew with their present names."""

from __future__ import annotations

import asyncio

from farfalia.v1 import record_pb2
from farfalia_server.records.codec import seal
from farfalia_server.store import Store

#: Records that are read and written at a time: some tens of milliseconds.
_BATCH = 20


async def rewrite_records(store: Store) -> list[int]:
    """Write every record anew that has an old name of a bot, with a new digest; return the bots that were renamed.

    A record that is damaged stays as it is. The chains of ladders have the old digests until they are rebuilt.
    """
    renamed = await store.renaming.pending()
    for bot in renamed:
        after = 0
        while found := await store.renaming.records(bot, after, _BATCH):
            changed: dict[int, record_pb2.Record] = {}
            for one in found:
                if one.record is not None and _rename(one.record, one.names):
                    changed[one.match] = seal(one.record)
                await asyncio.sleep(0)  # a digest costs milliseconds, and tables wait for their turn
            if changed:
                await store.renaming.replace(changed)
            after = found[-1].match
    return renamed


def _rename(record: record_pb2.Record, names: dict[int, tuple[str, str]]) -> bool:
    """Give seats of a record the names of their entrants and bots; return whether one of them had another."""
    changed = False
    for at, (entrant, bot) in names.items():
        seat = record.seats[at]
        changed = changed or (seat.name, seat.bot) != (entrant, bot)
        seat.name, seat.bot = entrant, bot
    return changed
