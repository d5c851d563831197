"""What decisions have cost, by match and by bot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from farfalia.v1 import analysis_pb2
from farfalia_server.net.wall_clock import now
from farfalia_server.store.changes import Topic
from farfalia_server.store.matches import boards
from farfalia_server.store.part import Part
from farfalia_server.store.prices.analyses import AnalysisState
from farfalia_server.store.prices.packing import pack, unpack
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into

_analysis, _price, _sum = schema.analysis, schema.seat_price, schema.price_sum


@dataclass(frozen=True, slots=True)
class PriceSum:
    """What decisions add up to: how many there are and how many of them mistakes, their prices and these squared."""

    decisions: int = 0
    mistakes: int = 0
    price: float = 0.0
    squares: float = 0.0

    def __add__(self, other: PriceSum) -> PriceSum:
        """Return the sum over both."""
        return PriceSum(
            self.decisions + other.decisions,
            self.mistakes + other.mistakes,
            self.price + other.price,
            self.squares + other.squares,
        )

    @property
    def mean(self) -> float:
        """The price of a decision, in points."""
        return self.price / self.decisions if self.decisions else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 of less than two decisions."""
        if self.decisions < 2:
            return 0.0
        variance = max(0.0, self.squares - self.decisions * self.mean**2) / (self.decisions - 1)
        return float((variance / self.decisions) ** 0.5)


@dataclass(frozen=True, slots=True)
class BotPrices:
    """What a bot's decisions of one kind at one game add up to at a version, and those of all other bots."""

    ruleset: str
    version: str
    aspect: str
    own: PriceSum
    field: PriceSum


def sums_by_aspect(decisions: Sequence[analysis_pb2.PricedDecision]) -> dict[str, PriceSum]:
    """Return what decisions add up to by kind, without those of house bots in the place of an entrant."""
    found: defaultdict[str, PriceSum] = defaultdict(PriceSum)
    for one in decisions:
        if not one.replaced:
            found[one.aspect] += PriceSum(1, int(one.mistake), one.price, one.price**2)
    return dict(found)


class Prices(Part):
    """The prices of decisions."""

    async def keep(self, match_id: int, decisions: Sequence[analysis_pb2.PricedDecision], cpu: float) -> bool:
        """Store what the analysis of a match has found, which took these seconds of CPU.

        False, and nothing is stored, if the match is not being analysed any more: it is void, or somebody was faster.
        """

        def work(connection: Connection) -> bool:
            values = {"state": AnalysisState.DONE, "cpu": cpu, "ended": now()}
            running = (_analysis.c.match_id == match_id, _analysis.c.state == AnalysisState.RUNNING)
            if connection.execute(update(_analysis).where(*running).values(values)).rowcount != 1:
                return False
            table = schema.match
            columns = (table.c.ruleset, table.c.seats, table.c.versions)
            match = connection.execute(select(*columns).where(table.c.id == match_id)).one()
            versions = match.versions or [""] * len(match.seats)
            for seat, (who, version) in enumerate(zip(match.seats, versions, strict=True)):
                own = [one for one in decisions if one.seat == seat]
                # As they will be read, so that the sums can be taken back exactly.
                packed = pack(own)
                kept = unpack(match_id, seat, packed)
                dearest = max((one.price for one in kept if one.mistake and not one.replaced), default=0.0)
                row = {
                    "match_id": match_id,
                    "seat": seat,
                    "bot_id": who["bot"],
                    "version": version,
                    "ruleset": match.ruleset,
                    "dearest": dearest,
                    "decisions": packed,
                }
                connection.execute(insert(_price).values(row))
                _add(connection, match.ruleset, who["bot"], version, sums_by_aspect(kept))
            return True

        kept = await self._database.write(work)
        self._changes.tell(Topic.ANALYSIS, match_id)
        return kept

    async def of_match(self, match_id: int) -> list[analysis_pb2.PricedDecision]:
        """Return the decisions of a match that have prices, in their order; none before its analysis.

        Whether they may be seen is for the caller to find out: its record says so.
        """
        statement = select(_price.c.seat, _price.c.decisions).where(_price.c.match_id == match_id)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        found = [one for row in rows for one in unpack(match_id, row.seat, row.decisions)]
        return sorted(found, key=lambda one: one.number)

    async def of_bot(self, bot_id: int, ruleset: str = "", version: str = "") -> list[BotPrices]:
        """Return what a bot's decisions add up to by game, version and kind, beside all others' at the same games."""
        own = (_sum.c.bot_id == bot_id, _sum.c.decisions > 0, *_chosen(_sum, ruleset, version))
        columns = (_sum.c.decisions, _sum.c.mistakes, _sum.c.price, _sum.c.squares)
        mine = select(_sum.c.ruleset, _sum.c.version, _sum.c.aspect, *columns).where(*own)
        totals = (
            select(_sum.c.ruleset, _sum.c.aspect, *(func.sum(column).label(column.name) for column in columns))
            .where(_sum.c.ruleset.in_(select(_sum.c.ruleset).where(*own)), _sum.c.bot_id != bot_id)
            .group_by(_sum.c.ruleset, _sum.c.aspect)
        )

        def read(connection: Connection) -> tuple[Sequence[Row[*tuple[Any, ...]]], Sequence[Row[*tuple[Any, ...]]]]:
            return connection.execute(mine).all(), connection.execute(totals).all()

        rows, others = await self._database.read(read)
        field = {(row.ruleset, row.aspect): _price_sum(row) for row in others}
        return [
            BotPrices(
                row.ruleset,
                row.version,
                row.aspect,
                _price_sum(row),
                field.get((row.ruleset, row.aspect), PriceSum()),
            )
            for row in sorted(rows, key=lambda row: (row.ruleset, row.version, row.aspect))
        ]

    async def dearest(
        self, bot_id: int, ruleset: str, version: str = "", *, limit: int
    ) -> list[analysis_pb2.PricedDecision]:
        """Return the dearest mistakes of a bot at a game, the dearest first, in matches that may be seen."""
        # Each of them is in one of as many seats with the dearest mistakes.
        statement = (
            select(_price)
            .join(schema.match, schema.match.c.id == _price.c.match_id)
            .where(_price.c.bot_id == bot_id, *_chosen(_price, ruleset, version), _price.c.dearest > 0, boards.OPEN)
            .order_by(_price.c.dearest.desc(), _price.c.match_id.desc())
            .limit(limit)
        )
        found = []
        for row in await self._database.read(lambda connection: connection.execute(statement).all()):
            for one in unpack(row.match_id, row.seat, row.decisions):
                if one.mistake and not one.replaced:
                    one.version = row.version
                    del one.values[:]
                    found.append(one)
        return sorted(found, key=lambda one: (-one.price, -one.match, one.number))[:limit]


def forget_prices(connection: Connection, match_id: int) -> None:
    """Take a match out of what decisions add up to, in the transaction that the caller is in."""
    for row in connection.execute(select(_price).where(_price.c.match_id == match_id)).all():
        sums = sums_by_aspect(unpack(match_id, row.seat, row.decisions))
        less = {
            aspect: PriceSum(-one.decisions, -one.mistakes, -one.price, -one.squares) for aspect, one in sums.items()
        }
        _add(connection, row.ruleset, row.bot_id, row.version, less)
    for table in (_price, _analysis):
        connection.execute(delete(table).where(table.c.match_id == match_id))


def _add(connection: Connection, ruleset: str, bot_id: int, version: str, sums: Mapping[str, PriceSum]) -> None:
    # In one order everywhere, so that two transactions never wait for each other.
    for aspect, one in sorted(sums.items()):
        values = {"decisions": one.decisions, "mistakes": one.mistakes, "price": one.price, "squares": one.squares}
        key = {"ruleset": ruleset, "bot_id": bot_id, "version": version, "aspect": aspect}
        new = insert_into(connection, _sum).values(**key, **values)
        added = {name: _sum.c[name] + new.excluded[name] for name in values}
        connection.execute(new.on_conflict_do_update(index_elements=list(key), set_=added))


def _chosen(table: Any, ruleset: str, version: str) -> tuple[Any, ...]:
    """Return the conditions that a game and a version are, if they are given."""
    games = (table.c.ruleset == ruleset,) if ruleset else ()
    return (*games, table.c.version == version) if version else games


def _price_sum(row: Row[*tuple[Any, ...]]) -> PriceSum:
    return PriceSum(int(row.decisions), int(row.mistakes), float(row.price), float(row.squares))
