"""Archives of programs: they come in parts, and are kept once for equal contents.

All parts come into the database. A larger archive leaves it once it is whole, if there is an object store. Its object
has a name of its own there, so that an archive that comes again is never removed with an older one: the name is in
`archive_leftover` before the object is written, and again as soon as no archive has it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import AsyncIterator, Collection
from datetime import timedelta
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, exists, func, insert, select, update

from farfalia_server.contract.archive_proof import archive_proof
from farfalia_server.contract.bounds import LARGEST_ARCHIVE, LARGEST_PART
from farfalia_server.contract.errors import FailedPrecondition, NotFound, ResourceExhausted, StoreError
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Changes
from farfalia_server.store.part import Part
from farfalia_server.store.programs.object_store import ObjectStore
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.database import Database

#: Most bytes of an archive that stays in the database where there is an object store.
SMALL: Final = 1 << 20
#: Archives that are under way at a time.
_MOST_UNDER_WAY: Final = 20
#: How long an archive may wait to be handed in, and an object that no archive has to be deleted: a backup, or a host,
#: may still read it.
_UNUSED: Final = timedelta(hours=1)

_archive, _part, _program = schema.archive, schema.archive_part, schema.program
_leftover = schema.archive_leftover


class Archives(Part):
    """The archives, by the SHA-256 of their contents; larger ones are in `outside`, if that is not None."""

    def __init__(self, database: Database, changes: Changes, outside: ObjectStore | None) -> None:
        super().__init__(database, changes)
        self._outside = outside

    async def add(self, hash: bytes, offset: int, data: bytes) -> int:
        """Add a part, and return how many bytes are there without a gap; one that does not follow them adds nothing.

        Raises ResourceExhausted (PROGRAM_TOO_LARGE, QUOTA_REACHED).
        """

        def work(connection: Connection) -> int:
            moment = now()
            row = connection.execute(select(_archive).where(_archive.c.hash == hash).with_for_update()).first()
            if row is None:
                under_way = select(func.count()).where(_archive.c.complete.is_(False))
                if connection.execute(under_way).scalar_one() >= _MOST_UNDER_WAY:
                    raise ResourceExhausted(
                        said("%(most)s archives are being uploaded; wait a minute", most=_MOST_UNDER_WAY), retry=60.0
                    )
                values = {"hash": hash, "received": 0, "complete": False, "made": moment}
                connection.execute(insert(_archive).values(values))
            received = 0 if row is None else int(row.received)
            added = 0 if offset != received or (row is not None and row.complete) else len(data)
            if received + added > LARGEST_ARCHIVE:
                text = said("the archive has more than %(most)s MB; expected at most that", most=LARGEST_ARCHIVE >> 20)
                raise ResourceExhausted(text, "PROGRAM_TOO_LARGE")
            if added:
                connection.execute(insert(_part).values(hash=hash, start=offset, data=data))
            change = update(_archive).where(_archive.c.hash == hash)
            connection.execute(change.values(received=received + added, made=moment))
            return received + added

        return await self._database.write(work)

    async def check_proof(self, hash: bytes, bot: str, proof: bytes) -> None:
        """Refuse those who hand in a whole archive without having it: FailedPrecondition (PROGRAM_INCOMPLETE)."""
        found = archive_proof(bot)
        async for data in self._parts(hash):
            found.update(data)
        if not hmac.compare_digest(found.digest(), proof):
            text = said(
                "the proof is not that of the archive %(hash)s for %(bot)s; expected the hash of name and contents",
                hash=_short(hash),
                bot=bot,
            )
            raise FailedPrecondition(text, "PROGRAM_INCOMPLETE")

    async def complete(self, hash: bytes) -> int:
        """Note that an archive is whole, and return its size.

        Raises FailedPrecondition (PROGRAM_INCOMPLETE) if it is not, or its hash is another one; then it has to come
        again. Raises StoreUnavailable, and has changed nothing, if it belongs outside and the object store fails.
        """
        row = await self._row(hash)
        if row is not None and row.complete:
            if row.object is None or self._outside is None or await self._outside.size(row.object) == row.received:
                return int(row.received)
        elif row is not None and await self._digest(hash) == hash:
            if self._outside is not None and row.received > SMALL:
                await self._move(hash, self._outside)
            else:
                whole = update(_archive).where(_archive.c.hash == hash).values(complete=True)
                await self._database.write(lambda connection: connection.execute(whole).rowcount)
            return int(row.received)
        await self._database.write(lambda connection: _remove(connection, [hash]))
        if row is not None and row.complete:
            text = said("the archive %(hash)s was lost; upload it again", hash=_short(hash))
        else:
            size = 0 if row is None else row.received
            text = said(
                "of the archive %(hash)s %(size)s bytes are there, which have another hash; upload it again",
                hash=_short(hash),
                size=size,
            )
        raise FailedPrecondition(text, "PROGRAM_INCOMPLETE")

    async def read(self, hash: bytes, offset: int) -> bytes:
        """Return the part of an archive that begins there; empty at its end.

        Raises NotFound (PROGRAM_UNKNOWN), StoreError if it is not where it was put.
        """
        part = select(_part.c.data).where(_part.c.hash == hash, _part.c.start == offset)
        there = select(_archive).where(_archive.c.hash == hash)

        def work(connection: Connection) -> tuple[bytes | None, Row[Any] | None]:
            data = connection.execute(part).scalar()  # first: an archive that leaves meanwhile has its object by then
            return data, connection.execute(there).first()

        data, row = await self._database.read(work)
        if row is None:
            raise NotFound(said("there is no archive %(hash)s", hash=_short(hash)), "PROGRAM_UNKNOWN")
        if data is not None or row.object is None or offset >= row.received:
            return data or b""
        if self._outside is None:
            raise StoreError(f"the archive {_short(hash)} is outside of the database; expected program_archives")
        try:
            return await self._outside.read(row.object, offset, min(LARGEST_PART, row.received - offset))
        except NotFound:
            text = f"the archive {_short(hash)} is not in {self._outside.address}; hand the program in again"
            raise StoreError(text) from None

    async def sweep(self) -> None:
        """Remove what nobody uses: archives that were not handed in within an hour, objects that no archive has.

        Larger archives leave the database if they are whole and still there: they were restored from a backup, or the
        object store is new.
        """
        await self._database.write(_remove_unused_uploads)
        if self._outside is None:
            return
        inside = select(_archive.c.hash).where(
            _archive.c.complete, _archive.c.object.is_(None), _archive.c.received > SMALL
        )
        for hash in await self._database.read(lambda connection: connection.execute(inside).scalars().all()):
            await self._move(hash, self._outside)
        old = select(_leftover.c.object).where(_leftover.c.since < now() - _UNUSED)
        for name in await self._database.read(lambda connection: connection.execute(old).scalars().all()):
            await self._outside.remove(name)
            await self._database.write(partial(_forget_leftover, name))

    async def lost(self) -> str:
        """Return why the newest archive outside of the database cannot be read, in one sentence; empty if it can."""
        newest = select(_archive).where(_archive.c.object.is_not(None)).order_by(_archive.c.made.desc()).limit(1)
        row = await self._database.read(lambda connection: connection.execute(newest).first())
        if row is None:
            return ""
        if self._outside is None:
            return "archives of programs are outside of the database; expected program_archives"
        if await self._outside.size(row.object) == row.received:
            return ""
        return f"the archive {_short(row.hash)} is not in {self._outside.address}; expected program_archives as before"

    async def _row(self, hash: bytes) -> Row[Any] | None:
        statement = select(_archive).where(_archive.c.hash == hash)
        return await self._database.read(lambda connection: connection.execute(statement).first())

    async def _digest(self, hash: bytes) -> bytes:
        found = hashlib.sha256()
        async for data in self._parts(hash):
            found.update(data)
        return found.digest()

    async def _parts(self, hash: bytes) -> AsyncIterator[bytes]:
        size = 0
        while data := await self.read(hash, size):
            yield data
            size += len(data)

    async def _move(self, hash: bytes, outside: ObjectStore) -> None:
        """Put an archive whose parts are all in the database into the object store; nothing changes if that fails."""
        name = f"{hash.hex()}-{secrets.token_hex(4)}"
        written = insert(_leftover).values(object=name, since=now())
        await self._database.write(lambda connection: connection.execute(written).rowcount)
        await outside.put(name, self._parts(hash))

        def work(connection: Connection) -> None:
            inside = (_archive.c.hash == hash) & _archive.c.object.is_(None)
            if not connection.execute(select(_archive.c.hash).where(inside).with_for_update()).first():
                return  # it was removed, or another node has moved it; this object is left over
            if _forget_leftover(name, connection):
                change = update(_archive).where(inside).values(object=name, complete=True)
                connection.execute(change)
                connection.execute(delete(_part).where(_part.c.hash == hash))

        await self._database.write(work)


def keep_for(connection: Connection, hash: bytes) -> None:
    """Lock an archive until a program has it; FailedPrecondition (PROGRAM_INCOMPLETE) if it was removed meanwhile."""
    whole = select(_archive.c.hash).where(_archive.c.hash == hash, _archive.c.complete).with_for_update()
    if connection.execute(whole).first() is None:
        raise FailedPrecondition(
            said("the archive %(hash)s is not there; upload it again", hash=_short(hash)), "PROGRAM_INCOMPLETE"
        )


def remove_unused(connection: Connection, hashes: Collection[bytes]) -> None:
    """Remove those of these archives that no program keeps."""
    _lock(connection, hashes)  # so that a program that is handed in just now is seen
    used = exists().where(_program.c.hash == _archive.c.hash, _program.c.kept)
    unused = select(_archive.c.hash).where(_archive.c.hash.in_(hashes), ~used)
    _remove(connection, connection.execute(unused).scalars().all())


def _remove_unused_uploads(connection: Connection) -> None:
    used = exists().where(_program.c.hash == _archive.c.hash, _program.c.kept)
    old = select(_archive.c.hash).where(_archive.c.made < now() - _UNUSED, ~used)
    remove_unused(connection, connection.execute(old).scalars().all())


def _lock(connection: Connection, hashes: Collection[bytes]) -> None:
    rows = select(_archive.c.hash).where(_archive.c.hash.in_(hashes)).order_by(_archive.c.hash).with_for_update()
    connection.execute(rows).all()


def _remove(connection: Connection, hashes: Collection[bytes]) -> None:
    _lock(connection, hashes)  # so that no part comes meanwhile
    objects = select(_archive.c.object).where(_archive.c.hash.in_(hashes), _archive.c.object.is_not(None))
    leave_over(connection, connection.execute(objects).scalars().all())
    connection.execute(delete(_part).where(_part.c.hash.in_(hashes)))
    connection.execute(delete(_archive).where(_archive.c.hash.in_(hashes)))


def leave_over(connection: Connection, objects: Collection[str]) -> None:
    """Note that no archive has these objects any more."""
    if objects:
        connection.execute(insert(_leftover), [{"object": name, "since": now()} for name in objects])


def _forget_leftover(name: str, connection: Connection) -> int:
    return connection.execute(delete(_leftover).where(_leftover.c.object == name)).rowcount


def _short(hash: bytes) -> str:
    return f"{hash.hex()[:12]}…"
