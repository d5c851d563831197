"""A store with something in it."""

import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, Executable, text

import farfalia_engine as engine
from farfalia.v1 import record_pb2
from farfalia_engine import TimeControl
from farfalia_server.records.codec import seal, to_message
from farfalia_server.store import (
    Bot,
    ClaimedMatch,
    Entrant,
    NewMatch,
    NewTournament,
    Seat,
    Store,
    Tournament,
)
from farfalia_server.store.sql.database import Database

CONTROL = TimeControl(limit_ms=1000, bank_ms=5000, grace=3)
SECRET = bytes(range(32))


async def five_bots(store: Store) -> list[Bot]:
    return [(await store.bots.register(f"bot-{number}"))[0] for number in range(5)]


def seats(bots: Sequence[Bot]) -> tuple[Seat, ...]:
    return tuple(Seat(bot.id, bot.name, filler=bool(bot.house)) for bot in bots)


async def planned(
    store: Store,
    bots: Sequence[Bot],
    matches: int | Sequence[NewMatch] = 1,
    boards: str = "fresh",
    ruleset: str = "chinkway",
    options: Mapping[str, str] = MappingProxyType({"double_you": "on"}),
) -> Tournament:
    """A tournament in which the bots play this number of matches at one table, or these matches."""
    if isinstance(matches, int):
        matches = [NewMatch(number, f"board-{number}", seats(bots)) for number in range(1, matches + 1)]
    return await store.tournaments.plan(
        NewTournament(
            name="Spring",
            ruleset=ruleset,
            options=dict(options),
            time_control=CONTROL,
            rounds=len(matches),
            secret=SECRET,
            commitment=engine.commitment(SECRET),
            entrants=tuple(Entrant(number, bot.id, bot.name) for number, bot in enumerate(bots)),
            matches=tuple(matches),
            boards=boards,
            ladder=ruleset,
        )
    )


async def started(
    store: Store, bots: Sequence[Bot], matches: int | Sequence[NewMatch] = 1, boards: str = "fresh"
) -> Tournament:
    return await store.tournaments.start((await planned(store, bots, matches, boards)).id)


async def match_ids(store: Store, tournament: Tournament) -> list[int]:
    return [match.id for match in await store.matches.of_tournament(tournament.id)]


def record_of(match_id: int, points: Sequence[int] = (50, 40, 30, 20, 10)) -> record_pb2.Record:
    """A record that says who won and nothing of how."""
    places = [1 + sum(other > mine for other in points) for mine in points]
    return record_pb2.Record(
        format=2,
        match=match_id,
        seats=[record_pb2.RecordSeat(name=f"bot-{seat}") for seat in range(len(points))],
        actions=[record_pb2.RecordAction(seat=1, action=52, cause=record_pb2.CAUSE_BOT)],
        outcome=record_pb2.MatchOutcome(points=points, places=places),
    )


async def claim(store: Store, match_id: int, node: str = "here") -> ClaimedMatch:
    """Claim a match that waits, or that another node plays."""
    claimed = await store.claims.claim(match_id, node)
    assert claimed is not None
    return claimed


async def play(store: Store, match_id: int, points: Sequence[int] = (50, 40, 30, 20, 10)) -> None:
    """Claim a match and finish it."""
    claimed = await claim(store, match_id)
    assert await store.claims.finish(match_id, claimed.match.epoch, record_of(match_id, points))


async def play_out(store: Store, match_id: int) -> None:
    """Claim a match and let chance play it, card by card."""
    claimed = await claim(store, match_id)
    assert await store.claims.finish(match_id, claimed.match.epoch, _played_out(claimed))


def _played_out(claimed: ClaimedMatch) -> record_pb2.Record:
    match, chance = claimed.match, random.Random(claimed.match.id)
    key = engine.board_key(claimed.source.secret, claimed.source.nonces, match.board)
    rules = engine.ruleset(match.ruleset, match.options)
    state = rules.new_match(engine.Deals(key))
    played = engine.play_to_end(state, [lambda observation: chance.choice(observation.legal)] * len(match.seats))
    actions = [
        engine.RecordedAction(seat, action, at, 0, engine.Cause.FORCED if forced else engine.Cause.BOT)
        for at, (seat, action, forced) in enumerate(played)
    ]
    return record_of_play(claimed, actions, state.outcome, 1_795_000_060_000, value_function=rules.value_function)


def record_of_play(
    claimed: ClaimedMatch,
    actions: Sequence[engine.RecordedAction],
    outcome: engine.Outcome | None,
    ended_ms: int,
    incidents: Sequence[engine.Incident] = (),
    *,
    value_function: bytes,
) -> record_pb2.Record:
    """The record of a match in which this was played within a minute."""
    match, source = claimed.match, claimed.source
    key = engine.board_key(source.secret, source.nonces, match.board)
    record = engine.Record(
        engine=engine.__version__,
        match=match.id,
        tournament=match.tournament_id or 0,
        ruleset=match.ruleset,
        options=match.options,
        seats=tuple(
            engine.RecordSeat(seat.name, bot.name, bot.version, bool(bot.house))
            for seat, bot in zip(match.seats, claimed.bots, strict=True)
        ),
        source=engine.DealSource(source.commitment, source.nonces, match.board, key, value_function=value_function),
        time_control=CONTROL,
        actions=tuple(actions),
        incidents=tuple(incidents),
        outcome=outcome,
        started_ms=ended_ms - 60_000,
        finished_ms=ended_ms,
    )
    return seal(to_message(record))


@asynccontextmanager
async def transaction(database: Database, *statements: str) -> AsyncIterator[None]:
    """Within the block a transaction is open that has run these statements."""
    loop, begun, over = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def work(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))
        loop.call_soon_threadsafe(begun.set)
        if connection.dialect.is_async:
            driver: Any = connection.connection.dbapi_connection
            driver.run_async(lambda _: over.wait())
        else:
            asyncio.run_coroutine_threadsafe(over.wait(), loop).result()

    done = asyncio.create_task(database.write(work))
    await begun.wait()
    try:
        yield
    finally:
        over.set()
        await done


async def run_sql(url: str, *statements: str | Executable) -> None:
    """Change a database behind the server's back."""

    def work(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement) if isinstance(statement, str) else statement)

    database = await Database.open(url)
    await database.write(work)
    await database.close()
