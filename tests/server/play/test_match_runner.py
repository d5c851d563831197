"""The host: matches that are taken up, given up, or have to be played again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from redis.asyncio import Redis
from sqlalchemy.exc import DBAPIError
from tests.server.store_world import record_of

from farfalia.v1 import journal_pb2, play_pb2, record_pb2, tournaments_pb2
from farfalia_engine import TimeControl, verify
from farfalia_server.net.embedded_redis import EmbeddedRedis
from farfalia_server.net.measures import Measures
from farfalia_server.net.redis_connection import connect
from farfalia_server.organising.planning import Planner
from farfalia_server.play.journal import Entry, Journal
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.records import codec
from farfalia_server.store import ATTEMPTS, Match, MatchState, Store, VoidReason
from farfalia_server.testing import FirstLegalStream, RecordingStream

CONTROL = TimeControl(limit_ms=60_000, bank_ms=0, grace=0)


class Killed(BaseException):
    """The process is gone: nothing after this runs."""


class Writer:
    """Whoever wrote the journal of a match before this node took it up."""

    def __init__(self, match: int, epoch: int, attempt: int = 1) -> None:
        self.match, self.epoch, self.attempt = match, epoch, attempt

    def payloads(self, count: int) -> list[bytes]:
        raise AssertionError(f"redis has lost {count} entries")

    def fail(self, error: Exception) -> None:
        raise error


class Scene:
    """A store with a tournament, a journal, and a host; `restart` makes the host of the next process."""

    def __init__(self, store: Store, journal: Journal, redis: Redis) -> None:
        self.store = store
        self.journal = journal
        self.redis = redis
        self.restart()

    def restart(self) -> None:
        measures = Measures()
        self.lobby = Lobby(
            linger=0.001,
            reconnect_grace=60,
            absence=0,
            schedule_flush=self.journal.after_flush,
            changed=lambda: None,
            measures=measures,
        )
        nonces = NonceCollector(self.store, self.lobby)
        self.host = MatchRunner(
            self.store, self.journal, self.lobby, nonces, node="here", fallback="greedy", measures=measures
        )

    async def match(self, *bots: str) -> Match:
        names = list(bots) or ["house-greedy-1"]
        request = tournaments_pb2.CreateTournamentRequest(name="test", bots=names, rounds=1)
        planner = Planner(self.store, time_control=CONTROL, filler="random")
        tournament = await planner.plan(request)
        await self.store.tournaments.start(tournament.id)
        (match,) = await self.store.matches.of_tournament(tournament.id)
        return match

    async def begun(self, entry: journal_pb2.JournalEntry) -> Match:
        """A match that another process has begun, with this entry in its journal."""
        match = await self.match()
        claimed = await self.store.claims.claim(match.id, "elsewhere")
        assert claimed is not None
        await self.journal.claim(match.id, claimed.match.epoch)
        await self.write(match.id, claimed.match.epoch, 1, entry.SerializeToString())
        return claimed.match

    async def write(self, match: int, epoch: int, number: int, payload: bytes) -> None:
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.journal.append(Entry(Writer(match, epoch), number, payload, written.set_result))
        assert await written

    async def play_on(self, match: int) -> Match:
        """Plays a match as often as it takes."""
        while (now := await self.store.matches.get(match)).state in (MatchState.QUEUED, MatchState.RUNNING):
            await self.host.play(match, now.epoch)
        return now


async def void_reasons(scene: Scene) -> list[VoidReason]:
    return [attempt.reason for attempt in await scene.store.void_attempts.newest()]


@asynccontextmanager
async def hosted(folder: Path, database_url: str) -> AsyncIterator[Scene]:
    async with (
        await Store.open(database_url) as store,
        EmbeddedRedis(folder / "redis") as embedded,
        connect(embedded.url) as redis,
        Journal(redis, await store.meta.database()) as journal,
    ):
        yield Scene(store, journal, redis)


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    async with hosted(tmp_path, f"sqlite:///{tmp_path / 'store.db'}") as scene:
        yield scene


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried again is tried again at once."""
    monkeypatch.setattr("farfalia_server.play.match_runner._BACKOFF", (0.001, 0.001))


async def test_a_finished_match_has_a_result_and_a_record_and_no_journal(scene: Scene) -> None:
    match = await scene.match()
    await scene.host.play(match.id, match.epoch)
    after = await scene.store.matches.get(match.id)
    assert after.state is MatchState.FINISHED
    assert (await scene.store.records.get(match.id)).match == match.id
    assert await scene.redis.keys("*") == []


async def test_a_match_whose_journal_was_lost_with_its_redis_is_played_again_on_a_new_board(scene: Scene) -> None:
    match = await scene.match()
    claimed = await scene.store.claims.claim(match.id, "elsewhere")
    assert claimed is not None
    await scene.host.play(match.id, claimed.match.epoch)
    void = await scene.store.matches.get(match.id)
    assert (void.state, void.attempt) == (MatchState.QUEUED, 2)
    assert void.board != match.board
    assert "lost with its Redis" in void.note
    assert await void_reasons(scene) == [VoidReason.JOURNAL_LOST]
    await scene.host.play(match.id, void.epoch)
    assert (await scene.store.matches.get(match.id)).state is MatchState.FINISHED


async def test_a_match_whose_journal_makes_no_sense_is_played_again(scene: Scene) -> None:
    match = await scene.begun(journal_pb2.JournalEntry())
    await scene.host.play(match.id, match.epoch)
    assert (await scene.store.matches.get(match.id)).attempt == 2
    assert await scene.journal.read(match.id, 1) == []


async def test_a_match_with_a_gap_in_its_journal_is_played_again_and_the_reason_names_it(scene: Scene) -> None:
    match = await scene.begun(journal_pb2.JournalEntry())
    await scene.write(match.id, match.epoch, 2, b"")
    await scene.write(match.id, match.epoch, 3, b"")
    await scene.redis.xdel(f"farfalia:{await scene.store.meta.database()}:match:{match.id}:1:log", "2-0")
    await scene.host.play(match.id, match.epoch)
    void = await scene.store.matches.get(match.id)
    assert (void.attempt, void.note) == (
        2,
        "the match could not be played on: entry 2 of the journal is missing; entry 3-0 stands there",
    )
    assert await void_reasons(scene) == [VoidReason.UNPLAYABLE]


def killed_at(moment: str, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The call, and the process is killed before or after it."""

    async def killed(*arguments: Any) -> None:
        if moment == "after":
            await call(*arguments)
        raise Killed

    return killed


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", ["void", "get", "forget"])
async def test_wherever_a_void_is_interrupted_the_old_board_is_not_played_again(
    scene: Scene, step: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first card was seen, and then the journal was spoiled.
    opening = journal_pb2.JournalEntry()
    opening.started.GetCurrentTime()
    match = await scene.begun(opening)
    await scene.write(match.id, match.epoch, 2, b"spoiled")
    subject = {"forget": scene.journal, "void": scene.store.claims, "get": scene.store.matches}[step]
    with monkeypatch.context() as patch:
        patch.setattr(subject, step, killed_at(moment, getattr(subject, step)))
        with pytest.raises(Killed):
            await scene.host.play(match.id, match.epoch)
    scene.restart()
    after = await scene.play_on(match.id)
    assert (after.state, after.attempt, after.board) == (MatchState.FINISHED, 2, f"{match.board}.1.2")
    record = await scene.store.records.get(match.id)
    assert record.source.board == after.board
    assert verify(codec.from_message(record)).violations == ()
    assert await scene.redis.keys("*") == []


async def test_a_void_that_the_database_refuses_at_first_is_tried_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await scene.begun(journal_pb2.JournalEntry())
    monkeypatch.setattr(scene.store.claims, "void", failing(3, scene.store.claims.void))
    await scene.host.play(match.id, match.epoch)
    void = await scene.store.matches.get(match.id)
    assert (void.state, void.attempt) == (MatchState.QUEUED, 2)


def failing(times: int, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The call; its first attempts fail as those to a database that is just starting."""
    left = [times]

    async def fails(*arguments: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise DBAPIError("UPDATE match", {}, Exception("the database system is starting up"))
        return await call(*arguments)

    return fails


async def test_a_result_that_the_database_refuses_at_first_is_stored_in_the_end(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[record_pb2.Record] = []
    finish = failing(3, scene.store.claims.finish)

    async def noting(match: int, epoch: int, record: record_pb2.Record) -> bool:
        offered.append(record)
        assert await scene.journal.read(match, 1) != []
        done: bool = await finish(match, epoch, record)
        return done

    monkeypatch.setattr(scene.store.claims, "finish", noting)
    match = await scene.match()
    with structlog.testing.capture_logs() as logged:
        await scene.host.play(match.id, match.epoch)
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, after.epoch) == (MatchState.FINISHED, 1, 1)
    assert (await scene.store.records.get(match.id)).actions == offered[0].actions
    assert [line["event"] for line in logged] == ["step_failed"] * 3
    assert await scene.redis.keys("*") == []


async def test_a_record_with_a_text_that_the_database_does_not_take_is_stored_without_its_texts(
    tmp_path: Path, database_url: str
) -> None:
    async with hosted(tmp_path, database_url) as scene:
        entry = journal_pb2.JournalEntry()
        entry.started.GetCurrentTime()
        entry.incidents.add(seat=3, cause=record_pb2.CAUSE_FAILURE, strikes=1, text="zero \0 byte")
        match = await scene.begun(entry)
        await scene.host.play(match.id, match.epoch)
        after = await scene.store.matches.get(match.id)
        assert (after.state, after.attempt) == (MatchState.FINISHED, 1)
        record = await scene.store.records.get(match.id)
        kept = "" if database_url.startswith("postgresql") else "zero \0 byte"  # SQLite takes all
        assert [(incident.seat, incident.strikes, incident.text) for incident in record.incidents] == [(3, 1, kept)]
        assert not [
            connection for connection in verify(codec.from_message(record)).violations if "digest" in connection
        ]


async def test_a_match_that_was_void_and_waits_needs_no_journal(scene: Scene) -> None:
    match = await scene.begun(journal_pb2.JournalEntry())
    await scene.host.play(match.id, match.epoch)
    await scene.redis.flushall()
    assert (await scene.play_on(match.id)).attempt == 2


async def test_a_journal_that_was_lost_is_missed_even_if_somebody_has_claimed_the_match_since(scene: Scene) -> None:
    opening = journal_pb2.JournalEntry()
    opening.started.GetCurrentTime()
    match = await scene.begun(opening)
    await scene.redis.flushall()
    await scene.journal.claim(match.id, match.epoch + 1)  # and was killed before it told the database
    assert (await scene.play_on(match.id)).attempt == 2


async def test_a_redis_that_is_emptied_while_the_server_lives_loses_no_card(scene: Scene) -> None:
    match, readers = await with_five(scene)
    scene.lobby.try_reserve(match.id, match.bot_ids)
    reader = readers[match.bot_ids[1]]
    reader.silent_after = 7
    playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
    while len(reader.questions()) < 8:
        await asyncio.sleep(0.001)
    before = [journal_pb2.JournalEntry.FromString(entry) for entry in await scene.journal.read(match.id, 1)]
    await scene.redis.flushall()
    reader.silent_after = None
    last = reader.questions()[-1]
    reader.connection.receive([play_pb2.Action(match=match.id, number=last.number, action=last.legal[0])])
    with structlog.testing.capture_logs() as logged:
        await playing
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, after.epoch) == (MatchState.FINISHED, 1, 2)
    record = await scene.store.records.get(match.id)
    played = [action for entry in before for action in entry.actions]
    assert record.actions[: len(played)] == played
    assert list(record.incidents) == []
    assert [line["event"] for line in logged] == [
        "journal_lost",
        "journal_repaired",
    ]
    assert await scene.redis.keys("*") == []


async def interrupted_before_its_journal_is_dropped(scene: Scene, patch: pytest.MonkeyPatch) -> None:
    match = await scene.match()
    with patch.context() as killed:
        killed.setattr(scene.journal, "drop", killed_at("before", scene.journal.drop))
        with pytest.raises(Killed):
            await scene.host.play(match.id, match.epoch)


async def given_up_after_too_many_attempts(scene: Scene, patch: pytest.MonkeyPatch) -> None:
    match = await scene.begun(journal_pb2.JournalEntry())
    while (claimed := await scene.store.claims.claim(match.id, "elsewhere")) is not None:
        await scene.store.claims.void(match.id, claimed.match.epoch, VoidReason.SERVER_FAILED, "a fault")
    assert (await scene.store.matches.get(match.id)).attempt == ATTEMPTS


async def cancelled_with_its_tournament(scene: Scene, patch: pytest.MonkeyPatch) -> None:
    match = await scene.begun(journal_pb2.JournalEntry())
    assert match.tournament_id is not None
    await scene.store.tournaments.cancel(match.tournament_id)


@pytest.mark.parametrize(
    "left_behind",
    [interrupted_before_its_journal_is_dropped, given_up_after_too_many_attempts, cancelled_with_its_tournament],
)
async def test_what_redis_still_holds_of_matches_that_are_over_is_swept_away(
    scene: Scene, left_behind: Callable[[Scene, pytest.MonkeyPatch], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await left_behind(scene, monkeypatch)
    assert await scene.redis.keys("*") != []
    await scene.journal.sweep(scene.store.matches.attempts)
    assert await scene.redis.keys("*") == []


async def test_the_sweep_leaves_open_matches_alone(scene: Scene) -> None:
    opening = journal_pb2.JournalEntry()
    opening.started.GetCurrentTime()
    match = await scene.begun(opening)
    assert await scene.journal.sweep(scene.store.matches.attempts) == 0
    after = await scene.play_on(match.id)
    assert (after.state, after.attempt) == (MatchState.FINISHED, 1)


async def test_a_claim_that_comes_when_the_match_is_over_leaves_nothing_behind(scene: Scene) -> None:
    match = await scene.match()
    claimed = await scene.store.claims.claim(match.id, "elsewhere")
    assert claimed is not None
    assert await scene.store.claims.finish(match.id, 1, record_of(match.id))
    await scene.host.play(match.id, 1)
    assert await scene.redis.keys("*") == []


async def with_five(scene: Scene) -> tuple[Match, dict[int, FirstLegalStream]]:
    """A match of five bots that are connected, and their streams by bot."""
    names = [f"bot-{number}" for number in range(5)]
    readers = {}
    for name in names:
        bot, _ = await scene.store.bots.register(name)
        connection = scene.lobby.connection(bot.id)
        readers[bot.id] = FirstLegalStream(connection=connection)
    return await scene.match(*names), readers


async def test_a_bot_that_drops_between_reservation_and_seating_keeps_its_seat(scene: Scene) -> None:
    match, _ = await with_five(scene)
    dropped = scene.lobby.connection(match.bot_ids[2])
    assert scene.lobby.try_reserve(match.id, match.bot_ids) is None
    dropped.detach()
    playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
    while match.id not in dropped.seatings:
        await asyncio.sleep(0)
    again = FirstLegalStream(connection=dropped)
    await playing
    record = await scene.store.records.get(match.id)
    assert list(record.incidents) == []
    assert {action.cause for action in record.actions if action.seat == 2} <= {
        record_pb2.CAUSE_BOT,
        record_pb2.CAUSE_FORCED,
    }
    assert again.questions()


async def test_a_bot_that_the_reservation_counted_as_absent_loses_its_seat_at_once(scene: Scene) -> None:
    match, _ = await with_five(scene)
    scene.lobby.connection(match.bot_ids[2]).detach()
    assert scene.lobby.try_reserve(match.id, match.bot_ids) is None  # absence is 0 here
    await scene.host.play(match.id, match.epoch)
    record = await scene.store.records.get(match.id)
    assert [(one.seat, one.cause, one.text) for one in record.incidents] == [
        (2, record_pb2.CAUSE_ABSENT, "the bot was not connected")
    ]


async def test_the_log_names_no_card_of_a_match_that_is_void(scene: Scene) -> None:
    opening = journal_pb2.JournalEntry(actions=[record_pb2.RecordAction(seat=0, action=9)])
    opening.started.GetCurrentTime()
    match = await scene.begun(opening)
    with structlog.testing.capture_logs() as lines:
        await scene.host.play(match.id, match.epoch)
    note = (await scene.store.matches.get(match.id)).note
    why, _, detail = note.partition(": ")
    assert "is illegal" in detail
    assert [line["reason"] for line in lines if "reason" in line] == [why]
    assert detail not in str(lines)


async def test_a_match_that_somebody_else_has_claimed_is_left_alone(scene: Scene) -> None:
    match = await scene.match()
    claimed = await scene.store.claims.claim(match.id, "elsewhere")
    assert claimed is not None
    await scene.host.play(match.id, match.epoch)
    assert await scene.store.matches.get(match.id) == claimed.match


async def test_a_cancelled_tournaments_match_is_given_up_and_its_journal_dropped(scene: Scene) -> None:
    bot, _ = await scene.store.bots.register("silent")
    stream = RecordingStream()
    scene.lobby.connection(bot.id).attach(stream)
    match = await scene.match("silent")
    playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
    while not stream.questions():
        assert not playing.done()
        await asyncio.sleep(0.01)
    assert match.tournament_id is not None
    await scene.store.tournaments.cancel(match.tournament_id)
    scene.host.cancel_tournament(match.tournament_id)
    await playing
    assert (await scene.store.matches.get(match.id)).state is MatchState.CANCELLED
    assert await scene.redis.keys("*") == []
    assert scene.host.playing == 0


async def test_a_match_whose_owner_died_before_its_first_card_begins_on_the_same_board(scene: Scene) -> None:
    match = await scene.match()
    await scene.journal.claim(match.id, match.epoch + 1)
    claimed = await scene.store.claims.claim(match.id, "elsewhere")
    assert claimed is not None
    await scene.host.play(match.id, claimed.match.epoch)
    after = await scene.store.matches.get(match.id)
    assert (after.state, after.attempt, after.board) == (MatchState.FINISHED, 1, match.board)
