"""The host: matches that are taken up, given up, or have to be played again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from farfalia.v1 import arena_pb2, journal_pb2
from farfalia_server.embedded_redis import EmbeddedRedis
from farfalia_server.host import MatchHost
from farfalia_server.journal import Entry, Journal
from farfalia_server.lobby import Lobby
from farfalia_server.measures import Measures
from farfalia_server.nonces import NonceDesk
from farfalia_server.planning import Planner
from farfalia_server.redis_connection import connect
from farfalia_server.store import Match, MatchState, Store, TimeControl

CONTROL = TimeControl(limit_ms=1000, bank_ms=0, grace=0)


class Scene:
    """A store with a tournament of house bots, a journal, and a host."""

    def __init__(self, store: Store, journal: Journal) -> None:
        self.store = store
        self.journal = journal
        measures = Measures()
        lobby = Lobby(
            hold=0.001, reconnect_grace=1, absence=1, soon=journal.soon, changed=lambda: None, measures=measures
        )
        desk = NonceDesk(store, lobby)
        self.host = MatchHost(store, journal, lobby, desk, node="here", fallback="greedy", measures=measures)

    async def match(self) -> Match:
        request = arena_pb2.CreateTournamentRequest(name="test", bots=["house-greedy-1"], rounds=1, seed="1")
        planner = Planner(self.store, time_control=CONTROL, filler="random")
        tournament = await planner.plan(request)
        await self.store.tournaments.start(tournament.id)
        (match,) = await self.store.matches.of_tournament(tournament.id)
        return match

    async def write(self, match: int, epoch: int, index: int, payload: bytes) -> None:
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.journal.append(Entry(match, epoch, index, payload, written.set_result))
        assert await written


def with_host(folder: Path, scene: Callable[[Scene], Awaitable[None]]) -> None:
    async def run() -> None:
        async with (
            await Store.open(f"sqlite:///{folder / 'store.db'}") as store,
            EmbeddedRedis(folder / "redis") as embedded,
            connect(embedded.url) as redis,
            Journal(redis, await store.meta.database()) as journal,
        ):
            await asyncio.wait_for(scene(Scene(store, journal)), 60)

    asyncio.run(run())


def test_a_finished_match_has_a_result_and_a_record_and_no_journal(tmp_path: Path) -> None:
    async def scene(scene: Scene) -> None:
        match = await scene.match()
        await scene.host.play(match.id, match.epoch)
        after = await scene.store.matches.get(match.id)
        assert after.state is MatchState.FINISHED
        assert (await scene.store.matches.record(match.id)).match == match.id
        assert await scene.journal.read(match.id) == []

    with_host(tmp_path, scene)


def test_a_match_whose_journal_was_lost_with_its_redis_is_played_again_on_a_new_board(tmp_path: Path) -> None:
    async def scene(scene: Scene) -> None:
        match = await scene.match()
        claimed = await scene.store.matches.claim(match.id, "elsewhere")
        assert claimed is not None
        await scene.host.play(match.id, claimed.match.epoch)
        void = await scene.store.matches.get(match.id)
        assert (void.state, void.attempt) == (MatchState.QUEUED, 2)
        assert void.board != match.board
        assert "lost with its Redis" in void.note
        await scene.host.play(match.id, void.epoch)
        assert (await scene.store.matches.get(match.id)).state is MatchState.FINISHED

    with_host(tmp_path, scene)


def test_a_match_whose_journal_makes_no_sense_is_played_again(tmp_path: Path) -> None:
    async def scene(scene: Scene) -> None:
        match = await scene.match()
        claimed = await scene.store.matches.claim(match.id, "elsewhere")
        assert claimed is not None
        await scene.journal.claim(match.id, claimed.match.epoch)
        await scene.write(match.id, claimed.match.epoch, 0, journal_pb2.JournalEntry().SerializeToString())
        await scene.host.play(match.id, claimed.match.epoch)
        assert (await scene.store.matches.get(match.id)).attempt == 2
        assert await scene.journal.read(match.id) == []

    with_host(tmp_path, scene)


def test_a_match_that_somebody_else_has_claimed_is_left_alone(tmp_path: Path) -> None:
    async def scene(scene: Scene) -> None:
        match = await scene.match()
        claimed = await scene.store.matches.claim(match.id, "elsewhere")
        assert claimed is not None
        await scene.host.play(match.id, match.epoch)
        assert await scene.store.matches.get(match.id) == claimed.match

    with_host(tmp_path, scene)


def test_a_cancelled_tournaments_match_is_given_up_and_its_journal_dropped(tmp_path: Path) -> None:
    async def scene(scene: Scene) -> None:
        match = await scene.match()
        playing = asyncio.create_task(scene.host.play(match.id, match.epoch))
        while not await scene.journal.read(match.id) and not playing.done():
            if scene.host.playing and (await scene.store.matches.get(match.id)).state is MatchState.RUNNING:
                break
            await asyncio.sleep(0)
        assert match.tournament_id is not None
        await scene.store.tournaments.cancel(match.tournament_id)
        scene.host.give_up(match.tournament_id)
        await playing
        assert (await scene.store.matches.get(match.id)).state is MatchState.CANCELLED
        assert await scene.journal.read(match.id) == []
        assert scene.host.playing == 0

    with_host(tmp_path, scene)


def test_a_match_whose_owner_died_before_its_first_card_begins_on_the_same_board(tmp_path: Path) -> None:
    async def scene(scene: Scene) -> None:
        match = await scene.match()
        await scene.journal.claim(match.id, match.epoch + 1)
        claimed = await scene.store.matches.claim(match.id, "elsewhere")
        assert claimed is not None
        await scene.host.play(match.id, claimed.match.epoch)
        after = await scene.store.matches.get(match.id)
        assert (after.state, after.attempt, after.board) == (MatchState.FINISHED, 1, match.board)

    with_host(tmp_path, scene)
