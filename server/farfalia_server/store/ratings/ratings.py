"""Ladders, and the rows that the rater reads and writes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, literal_column, or_, select, update

from farfalia_server.store.changes import Topic
from farfalia_server.store.matches import boards
from farfalia_server.store.matches.matches import with_record_open
from farfalia_server.store.matches.rows import to_match
from farfalia_server.store.matches.values import Match, MatchState
from farfalia_server.store.part import Part
from farfalia_server.store.people.bots import to_bot
from farfalia_server.store.people.values import Bot
from farfalia_server.store.ratings import chain as rating_chain
from farfalia_server.store.ratings.rows import to_rating, to_rating_change
from farfalia_server.store.ratings.values import LadderRating, RatingChange, current_rating
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_for, lock
from farfalia_tournaments import ChainEntry

_RATING_LOCK = 0x52415445
#: The rating system of a database that names none.
DEFAULT_SYSTEM = "trueskill"
_BASIS_KEY = "rating_basis"
_BASIS = select(schema.meta.c.value).where(schema.meta.c.key == _BASIS_KEY)
#: The position of the match that was rated last.
LAST_PLACE = select(func.max(schema.match.c.rating_seq)).where(schema.match.c.rating_seq.is_not(None))
#: The matches to rate next.
UNRATED = (
    select(schema.match, schema.record.c.data)
    .outerjoin_from(schema.match, schema.record)
    .where(
        # Literally, as in the index: SQLite takes no other for this.
        schema.match.c.state == literal_column("'finished'"),
        schema.match.c.rating_seq.is_(None),
        schema.match.c.ladder != literal_column("''"),
        boards.OPEN,
    )
    .order_by(schema.match.c.finished, schema.match.c.id)
)
#: Which of these matches can still be rated, as they were played at which epoch.
_STILL_UNRATED = select(schema.match.c.id, schema.match.c.epoch).where(
    schema.match.c.id.in_(bindparam("matches", expanding=True)),
    schema.match.c.state == MatchState.FINISHED,
    schema.match.c.rating_seq.is_(None),
)
#: The void and the struck ones among rated matches, literally as in the index, too.
UNCOUNTED = (
    select(schema.match.c.id)
    .where(
        or_(schema.match.c.state == literal_column("'void'"), schema.match.c.ladder == literal_column("''")),
        schema.match.c.rating_seq.is_not(None),
    )
    .order_by(schema.match.c.id)
)
_NAMES = select(schema.bot.c.id, schema.bot.c.name).where(schema.bot.c.id.in_(bindparam("bots", expanding=True)))
_OF_LADDER = select(schema.rating).where(schema.rating.c.ladder == bindparam("of"))
_BOTS_OF_LADDER = select(schema.bot).where(
    schema.bot.c.id.in_(select(schema.rating.c.bot_id).where(schema.rating.c.ladder == bindparam("of"))),
    schema.bot.c.hidden.is_(False),
)
_VERSIONS = select(schema.rating).where(
    schema.rating.c.ladder == bindparam("of"), schema.rating.c.bot_id.in_(bindparam("bots", expanding=True))
)
#: Sets the position of a match in the rating order.
_PLACE = update(schema.match).where(schema.match.c.id == bindparam("match")).values(rating_seq=bindparam("place"))


@dataclass(frozen=True, slots=True)
class UnratedMatches:
    """Finished matches that are not rated yet, in rating order, and the state of that order.

    `basis` identifies what the ratings rest on: the system, and how often they were replaced; empty before the first.
    `records` has the stored record of each match, and `names` those of the bots, by number.
    """

    last_seq: int
    basis: str
    matches: tuple[Match, ...]
    records: Mapping[int, bytes | None] = field(repr=False)
    names: Mapping[int, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that the rater has processed; `changes` is empty if there was nobody to rate, `digest` if its record is
    damaged. `beta` is its performance noise if it was rated by points less luck, None if as it was played.
    """

    match: Match
    seq: int
    changes: tuple[RatingChange, ...]
    digest: bytes
    beta: float | None = None


@dataclass(frozen=True, slots=True)
class ArchivedMatch:
    """A rated match, its stored record (None if it is missing), and the secret of its deals.

    For the server alone: no message about a record that is not `record_open` may reveal a card.
    """

    match: Match
    record: bytes | None = field(repr=False)
    secret: bytes = field(repr=False)
    record_open: bool


class Ratings(Part):
    """Ratings, which are derived from results and can be rebuilt from them at any time."""

    async def ladder(self, ladder: str, *, all_versions: bool = False) -> list[tuple[Bot, LadderRating]]:
        """Return the bots of a ladder, current versions or all rated ones, best first by mu - 3 sigma, without hidden
        ones.
        """
        bots, ratings = await self._database.read(lambda connection: _ladder(connection, ladder))
        if all_versions:
            found = [(bot, rating) for bot in bots for rating in ratings[bot.id]]
        else:
            found = [(bot, rating) for bot in bots if (rating := current_rating(bot.version, ratings[bot.id]))]
        return sorted(found, key=lambda row: (-row[1].conservative, row[0].name, -row[1].seq))

    async def ladders(self) -> list[str]:
        """Return the names of the ladders that have ratings."""
        column = schema.rating.c.ladder
        statement = select(column).distinct().order_by(column)
        return await self._database.read(lambda connection: list(connection.execute(statement).scalars()))

    async def all(self) -> list[LadderRating]:
        """Return all ratings of all bots."""
        table = schema.rating
        statement = select(table).order_by(table.c.ladder, table.c.bot_id, table.c.version)
        return await self._database.read(lambda connection: list(map(to_rating, connection.execute(statement))))

    async def of(self, ladder: str, bot_ids: Iterable[int]) -> dict[int, LadderRating]:
        """Return the ratings of these bots' current versions on a ladder."""
        table, bot = schema.rating, schema.bot
        of_bots = (table.c.ladder == ladder, table.c.bot_id.in_(set(bot_ids)))
        statement = select(table, bot.c.version.label("newest")).join_from(table, bot).where(*of_bots)
        rated: dict[tuple[int, str], list[LadderRating]] = {}
        for row in await self._database.read(lambda connection: connection.execute(statement).all()):
            rated.setdefault((row.bot_id, row.newest), []).append(to_rating(row))
        return {
            bot_id: rating for (bot_id, newest), ratings in rated.items() if (rating := current_rating(newest, ratings))
        }

    async def versions(self, ladder: str, bot_ids: Iterable[int]) -> list[LadderRating]:
        """Return the ratings of all versions of these bots on a ladder."""
        values = {"of": ladder, "bots": list(set(bot_ids))}
        return await self._database.read(lambda connection: list(map(to_rating, connection.execute(_VERSIONS, values))))

    async def of_bots(self, bot_ids: Iterable[int]) -> list[LadderRating]:
        """Return the ratings of all versions of these bots on all ladders."""
        table = schema.rating
        statement = select(table).where(table.c.bot_id.in_(set(bot_ids)))
        return await self._database.read(lambda connection: list(map(to_rating, connection.execute(statement))))

    async def history(self, bot_id: int, limit: int = 1000) -> list[RatingChange]:
        """Return the changes of a bot's ratings, newest first."""
        table = schema.rating_event
        statement = select(table).filter_by(bot_id=bot_id).order_by(table.c.seq.desc()).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return list(map(to_rating_change, rows))

    async def unrated(self, limit: int) -> UnratedMatches:
        """Return the next matches to rate, in the order in which they finished; none whose board is still played."""

        def unrated(connection: Connection) -> UnratedMatches:
            last = connection.execute(LAST_PLACE).scalar() or 0
            basis = connection.execute(_BASIS).scalar() or ""
            rows = connection.execute(UNRATED.limit(limit)).all()
            matches = tuple(map(to_match, rows))
            bots = {bot_id for match in matches for bot_id in match.bot_ids}
            names = {row.id: row.name for row in connection.execute(_NAMES, {"bots": list(bots)})}
            return UnratedMatches(last, basis, matches, {row.id: row.data for row in rows}, names)

        return await self._database.read(unrated)

    async def rated(self, after_seq: int, limit: int, ladder: str | None = None) -> list[Match]:
        """Return rated matches of that ladder, or of all, in rating order, after a position; none is void or struck."""
        table = schema.match
        statement = (
            select(table, boards.OPEN.label("record_open"))
            .where(table.c.rating_seq > after_seq, table.c.state == MatchState.FINISHED, table.c.ladder != "")
            .order_by(table.c.rating_seq)
            .limit(limit)
        )
        if ladder is not None:
            statement = statement.where(table.c.ladder == ladder)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return list(map(with_record_open, rows))

    async def kept(self, after_seq: int, limit: int) -> list[ArchivedMatch]:
        """Return the same, and those that became void or were struck later, with all that is needed to check them."""
        table, record = schema.match, schema.record
        statement = (
            select(
                table,
                record.c.data,
                func.coalesce(table.c.secret, schema.tournament.c.secret).label("deals_secret"),
                boards.OPEN.label("record_open"),
            )
            .outerjoin_from(table, record)
            .outerjoin(schema.tournament, table.c.tournament_id == schema.tournament.c.id)
            .where(table.c.rating_seq > after_seq)
            .order_by(table.c.rating_seq)
            .limit(limit)
        )
        return [
            ArchivedMatch(to_match(row), row.data, row.deals_secret, bool(row.record_open))
            for row in await self._database.read(lambda connection: connection.execute(statement).all())
        ]

    async def uncounted(self) -> list[int]:
        """Return the matches that have a place in the order of rating and count no more: void, or struck."""
        return await self._database.read(lambda connection: list(connection.execute(UNCOUNTED).scalars()))

    async def counting(self, matches: Collection[int]) -> bool:
        """Return whether one of these matches has changed a rating: it goes through all changes."""
        event = schema.rating_event
        statement = select(event.c.seq).where(event.c.match_id.in_(matches)).limit(1)
        return await self._database.read(lambda connection: connection.execute(statement).first() is not None)

    async def rated_count(self) -> int:
        """Return how many matches have been rated."""
        table = schema.match
        statement = select(func.count()).select_from(table).where(table.c.rating_seq.is_not(None))
        return await self._database.read(lambda connection: connection.execute(statement).scalar_one())

    async def system(self) -> str:
        """Return the rating system of all ratings; empty before the first."""
        basis = await self._database.read(lambda connection: connection.execute(_BASIS).scalar())
        return system_of(basis or "")

    async def apply(
        self, unrated: UnratedMatches, rated: Sequence[RatedMatch], ratings: Sequence[LadderRating], system: str
    ) -> bool:
        """Store a batch that was rated by this system, with its entries in the chains; all or nothing.

        False, with nothing written, if somebody has rated, or replaced all ratings, since the batch was read: a
        second rater that gets the lock a moment later finds its batch out of date and starts again. False, too, if the
        database has lost one of the results in a failover.
        """
        batch = {one.match.id: one.match.epoch for one in rated}

        def apply(connection: Connection) -> bool:
            lock(connection, _RATING_LOCK)
            last = connection.execute(LAST_PLACE).scalar() or 0
            if last != unrated.last_seq or (connection.execute(_BASIS).scalar() or "") != unrated.basis:
                return False
            still = connection.execute(_STILL_UNRATED, {"matches": list(batch)})
            if {row.id: row.epoch for row in still} != batch:
                return False
            if not unrated.basis:
                connection.execute(insert(schema.meta).values(key=_BASIS_KEY, value=f"{system} 0"))
            connection.execute(_PLACE, [{"match": one.match.id, "place": one.seq} for one in rated])
            events = [_event_values(change) for one in rated for change in one.changes]
            if events:
                connection.execute(insert(schema.rating_event), events)
                connection.execute(_upsert(connection.dialect.name), [_rating_values(rating) for rating in ratings])
            rating_chain.append(
                connection,
                [
                    rating_chain.unlinked_entry(one.match, one.changes, unrated.names, one.digest, system, one.beta)
                    for one in rated
                ],
            )
            return True

        if not await self._database.write(apply):
            return False
        for one in rated:
            self._changes.tell(Topic.RATING, one.match.id, one.match.tournament_id)
        return True

    async def replace(
        self,
        last_seq: int,
        ratings: Sequence[LadderRating],
        changes: Sequence[RatingChange] = (),
        chain: Sequence[ChainEntry] = (),
        *,
        system: str = DEFAULT_SYSTEM,
    ) -> bool:
        """Replace all ratings, their changes and all chains by rebuilt ones, of this system; entries are in order.

        False, with nothing written, if somebody has rated meanwhile.
        """

        def replace(connection: Connection) -> bool:
            lock(connection, _RATING_LOCK)
            last = connection.execute(LAST_PLACE).scalar() or 0
            if last != last_seq:
                return False
            for table, rows in (
                (schema.rating, [_rating_values(rating) for rating in ratings]),
                (schema.rating_event, [_event_values(change) for change in changes]),
                (schema.rating_chain, [rating_chain.chain_values(entry) for entry in rating_chain.linked(chain, {})]),
            ):
                connection.execute(table.delete())
                if rows:
                    connection.execute(insert(table), rows)
            basis = connection.execute(_BASIS).scalar() or " -1"
            times = int(basis.rpartition(" ")[2]) + 1
            connection.execute(schema.meta.delete().where(schema.meta.c.key == _BASIS_KEY))
            connection.execute(insert(schema.meta).values(key=_BASIS_KEY, value=f"{system} {times}"))
            return True

        return await self._database.write(replace)


def _ladder(connection: Connection, ladder: str) -> tuple[list[Bot], Mapping[int, list[LadderRating]]]:
    """Return the bots of a ladder, and the ratings of all their versions by bot."""
    bots = list(map(to_bot, connection.execute(_BOTS_OF_LADDER, {"of": ladder})))
    ratings: dict[int, list[LadderRating]] = {bot.id: [] for bot in bots}
    for rating in map(to_rating, connection.execute(_OF_LADDER, {"of": ladder})):
        if rating.bot_id in ratings:  # on PostgreSQL a bot may get its first one in between
            ratings[rating.bot_id].append(rating)
    return bots, ratings


@cache  # every match needs it
def _upsert(dialect: str) -> Any:
    statement = insert_for(dialect, schema.rating)
    changed = {name: statement.excluded[name] for name in ("mu", "sigma", "matches", "last_seq", "uncounted")}
    return statement.on_conflict_do_update(index_elements=["ladder", "bot_id", "version"], set_=changed)


def system_of(basis: str) -> str:
    """Return the rating system of a basis."""
    return basis.partition(" ")[0]


def _event_values(change: RatingChange) -> dict[str, Any]:
    return {
        "ladder": change.ladder,
        "match_id": change.match_id,
        "bot_id": change.bot_id,
        "version": change.version,
        "mu_before": change.mu_before,
        "sigma_before": change.sigma_before,
        "mu_after": change.mu_after,
        "sigma_after": change.sigma_after,
        "matches": change.matches,
    }


def _rating_values(rating: LadderRating) -> dict[str, Any]:
    return {
        "ladder": rating.ladder,
        "bot_id": rating.bot_id,
        "version": rating.version,
        "mu": rating.mu,
        "sigma": rating.sigma,
        "matches": rating.matches,
        "last_seq": rating.seq,
        "uncounted": rating.uncounted,
    }
