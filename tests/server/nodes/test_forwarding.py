"""Matches whose bots are connected to other nodes than the one that plays them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from tests.server.cluster_world import Cluster, causes
from tests.server.runner_world import RunnerScene

from farfalia.v1 import play_pb2
from farfalia_engine import Cause, verify
from farfalia_server.nodes.forwarding import Item
from farfalia_server.nodes.remote_seats import RemoteSeatSweep
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.records import codec
from farfalia_server.store import Match, MatchState, VoidReason
from farfalia_tools.testing import FirstLegalStream

NAMES = [f"bot-{number}" for number in range(5)]


@dataclass
class Shared:
    """A runner on each of three nodes, and five bots, which are connected to any of them."""

    scene: RunnerScene
    cluster: Cluster
    runners: dict[str, MatchRunner]
    bots: list[int]
    streams: dict[int, FirstLegalStream]

    async def match(self, *places: str, silent_after: int | None = None) -> Match:
        """A match of the bots, each connected to the node in its place; the first one may fall silent."""
        for bot, node in zip(self.bots, places, strict=True):
            self.connect(bot, node, silent_after if bot == self.bots[0] else None)
        return await self.scene.match(*NAMES)

    def connect(self, bot: int, node: str, silent_after: int | None = None) -> None:
        """The bot comes to a node; its stream elsewhere ends."""
        old = self.streams.get(bot)
        if old is not None and old.connection.stream is old:
            old.connection.detach()
        self.cluster.connect(bot, node)
        connection = self.cluster.nodes[node].lobby.connection(bot)
        self.streams[bot] = FirstLegalStream(connection=connection, silent_after=silent_after)

    async def has_asked(self, bot: int, number: int) -> None:
        while all(question.number < number for question in self.streams[bot].questions()):
            await asyncio.sleep(0.001)

    async def is_finished_well(self, match: Match) -> None:
        """The match is finished at its first attempt, without a fault of any bot."""
        after = await self.scene.store.matches.get(match.id)
        assert (after.state, after.attempt) == (MatchState.FINISHED, 1)
        record = codec.from_message(await self.scene.store.records.get(match.id))
        assert not verify(record).violations
        assert {action.cause for action in record.actions} <= {Cause.BOT, Cause.FORCED}
        assert record.incidents == ()


@pytest.fixture
async def shared(scene: RunnerScene) -> AsyncIterator[Shared]:
    cluster = Cluster("A", "B", "C", schedule_flush=scene.journal.after_flush)
    runners = {}
    for name, node in cluster.nodes.items():
        nonces = NonceCollector(scene.store, node.lobby, open=False)
        runners[name] = MatchRunner(
            scene.store, scene.journal, node.lobby, nonces, node=name, fallback="greedy", measures=node.measures
        )
    bots = [(await scene.store.bots.register(name))[0].id for name in NAMES]
    yield Shared(scene, cluster, runners, bots, {})
    cluster.close()


async def test_a_match_whose_bots_are_connected_to_three_nodes_is_played(shared: Shared) -> None:
    match = await shared.match("A", "B", "B", "C", "A")
    await shared.runners["A"].play(match.id, 0)
    await shared.is_finished_well(match)
    assert all(stream.sent[-1].finished[0].match == match.id for stream in shared.streams.values())


async def test_a_bot_at_the_tables_own_node_is_reached_directly(shared: Shared) -> None:
    match = await shared.match("A", "A", "A", "A", "A")
    await shared.runners["A"].play(match.id, 0)
    await shared.is_finished_well(match)
    assert shared.cluster.sent == []


@pytest.mark.parametrize(("first", "second"), [("B", "C"), ("A", "B"), ("B", "A")])
async def test_a_bot_that_moves_to_another_node_is_asked_there_again(shared: Shared, first: str, second: str) -> None:
    match = await shared.match(first, "B", "B", "C", "A", silent_after=2)
    playing = asyncio.create_task(shared.runners["A"].play(match.id, 0))
    await shared.has_asked(shared.bots[0], 3)
    shared.connect(shared.bots[0], second)
    await playing
    await shared.is_finished_well(match)
    asked = shared.streams[shared.bots[0]].questions()
    assert (asked[0].number, asked[0].clock.resent) == (3, True)
    assert [question.number for question in asked] == list(range(3, 3 + len(asked)))


async def test_when_a_node_dies_its_bots_come_back_elsewhere_and_lose_nothing(shared: Shared) -> None:
    match = await shared.match("B", "B", "B", "C", "A", silent_after=2)
    playing = asyncio.create_task(shared.runners["A"].play(match.id, 0))
    await shared.has_asked(shared.bots[0], 3)
    shared.cluster.kill("B")
    await asyncio.sleep(0.05)
    for bot, node in zip(shared.bots[:3], "ACC", strict=True):
        shared.connect(bot, node)
    await playing
    await shared.is_finished_well(match)


@pytest.mark.parametrize(("heir", "dies"), [("B", True), ("C", True), ("C", False)])
async def test_a_match_whose_node_has_gone_goes_on_elsewhere_with_the_streams_that_there_are(
    shared: Shared, heir: str, dies: bool
) -> None:
    match = await shared.match("B", "B", "B", "C", "C", silent_after=2)
    playing = asyncio.create_task(shared.runners["A"].play(match.id, 0))
    await shared.has_asked(shared.bots[0], 3)
    if dies:
        shared.cluster.kill("A")
    else:
        shared.cluster.nodes["A"].lobby.abandon()
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    if not dies:
        shared.cluster.kill("A")
    shared.streams[shared.bots[0]].silent_after = None
    await shared.runners[heir].play(match.id, 1)
    await shared.is_finished_well(match)
    assert all(sum(len(sent.seated) for sent in stream.sent) == 1 for stream in shared.streams.values())
    resent = [(q.number, q.clock.resent) for q in shared.streams[shared.bots[0]].questions() if q.number == 3]
    assert resent == [(3, False), (3, True)]
    assert not any(node.lobby.connection(bot).seatings for node in shared.cluster.nodes.values() for bot in shared.bots)


async def test_what_comes_twice_changes_nothing(shared: Shared) -> None:
    deliver = shared.cluster.deliver

    def twice(sender: str, node: str, item: Item) -> None:
        deliver(sender, node, item)
        deliver(sender, node, item)

    shared.cluster.deliver = twice  # type: ignore[method-assign]
    match = await shared.match("B", "B", "B", "C", "A")
    await shared.runners["A"].play(match.id, 0)
    await shared.is_finished_well(match)


async def test_what_is_lost_on_the_way_is_forwarded_again(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("shared_connection", "shared_lobby"):
        monkeypatch.setattr(f"farfalia_server.nodes.{module}.AGAIN_SECONDS", 0.05)
    for node in shared.cluster.nodes.values():
        node.lobby._forward_again()
    lost: list[Item] = []

    def lose(sender: str, node: str, item: Item) -> bool:
        """Lose every tenth item that a match waits for."""
        if item.WhichOneof("what") in ("seat", "ask", "answer") and len(shared.cluster.sent) % 10 == 0:
            lost.append(item)
            return True
        return False

    shared.cluster.lose = lose
    match = await shared.match("B", "B", "B", "C", "A")
    await shared.runners["A"].play(match.id, 0)
    await shared.is_finished_well(match)
    assert {item.WhichOneof("what") for item in lost} >= {"ask", "answer"}


async def test_an_illegal_answer_on_another_node_costs_what_it_costs_here(shared: Shared) -> None:
    match = await shared.match("B", "B", "B", "C", "A")
    shared.streams[shared.bots[1]].failing = (2,)
    await shared.runners["A"].play(match.id, 0)
    record = codec.from_message(await shared.scene.store.records.get(match.id))
    (incident,) = record.incidents
    assert (incident.seat, incident.cause, incident.text) == (
        match.bot_ids.index(shared.bots[1]),
        Cause.FAILURE,
        "the bot said that it failed; its owner's log has what it said",
    )
    results = shared.streams[shared.bots[1]].results()
    assert [result.status for result in results] == [play_pb2.RESULT_STATUS_FAILED]
    assert Cause.FAILURE in causes(shared.cluster)


async def test_a_guest_whose_match_ended_without_a_word_does_not_keep_its_seat(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.nodes.remote_seats.UNHEARD_SECONDS", 0.0)
    monkeypatch.setattr("farfalia_server.nodes.remote_seats.UNHEARD_SECONDS", 0.1)
    shared.cluster.lose = lambda sender, node, item: item.WhichOneof("what") == "leave"
    match = await shared.match("B", "B", "B", "B", "B", silent_after=2)
    gateway = shared.cluster.nodes["B"].lobby
    playing = asyncio.create_task(shared.runners["A"].play(match.id, 0))
    await shared.has_asked(shared.bots[0], 3)
    async with RemoteSeatSweep(shared.scene.store, gateway.remote_seats):
        await asyncio.sleep(0.2)  # a match that is played keeps its remote seats
        assert all(gateway.connection(bot).seatings for bot in shared.bots)
        gateway.connection(shared.bots[0]).receive([play_pb2.Action(match=match.id, number=3, failure="give up")])
        shared.streams[shared.bots[0]].silent_after = None
        await playing
        async with asyncio.timeout(60):
            while any(gateway.connection(bot).seatings for bot in shared.bots):
                await asyncio.sleep(0.01)


async def test_a_guest_of_an_attempt_that_is_void_does_not_keep_its_seat(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.nodes.remote_seats.UNHEARD_SECONDS", 0.0)
    monkeypatch.setattr("farfalia_server.nodes.remote_seats.UNHEARD_SECONDS", 0.1)
    match = await shared.match("B", "B", "B", "B", "B", silent_after=2)
    gateway = shared.cluster.nodes["B"].lobby
    playing = asyncio.create_task(shared.runners["A"].play(match.id, 0))
    await shared.has_asked(shared.bots[0], 3)
    shared.cluster.kill("A")
    playing.cancel()
    await asyncio.wait({playing})
    await shared.scene.store.claims.void(match.id, 1, VoidReason.JOURNAL_LOST, "the journal was lost")
    async with RemoteSeatSweep(shared.scene.store, gateway.remote_seats), asyncio.timeout(20):
        while any(gateway.connection(bot).seatings for bot in shared.bots):
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("heir", ["B", "C"])
async def test_a_node_that_wakes_asks_nothing_of_a_match_that_was_finished_elsewhere(
    shared: Shared, monkeypatch: pytest.MonkeyPatch, heir: str
) -> None:
    match = await shared.match("B", "B", "B", "B", "B", silent_after=2)
    playing = asyncio.create_task(shared.runners["A"].play(match.id, 0))
    await shared.has_asked(shared.bots[0], 3)
    shared.streams[shared.bots[0]].silent_after = None
    await shared.runners[heir].play(match.id, 1)
    sent = len(shared.streams[shared.bots[0]].sent)
    monkeypatch.setattr("farfalia_server.nodes.shared_connection.AGAIN_SECONDS", 0.0)
    shared.cluster.nodes["A"].lobby._forward_again()
    await asyncio.sleep(0.05)
    playing.cancel()
    await asyncio.wait({playing})
    assert shared.streams[shared.bots[0]].sent[sent:] == []
    assert not shared.cluster.nodes["B"].lobby.connection(shared.bots[0]).seatings


async def test_a_bot_that_comes_to_a_node_that_wakes_is_asked_by_the_newer_owner_alone(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.nodes.shared_connection._RELEASE_SECONDS", 0.05)
    match = await shared.match("B", "B", "B", "B", "B", silent_after=2)
    outdated = asyncio.create_task(shared.runners["A"].play(match.id, 0))
    await shared.has_asked(shared.bots[0], 3)
    shared.streams[shared.bots[0]].silent_after = 5
    playing = asyncio.create_task(shared.runners["C"].play(match.id, 1))
    await shared.has_asked(shared.bots[0], 6)
    shared.connect(shared.bots[0], "A", silent_after=5)
    await shared.has_asked(shared.bots[0], 6)
    await asyncio.sleep(0.1)  # the table at this node waits for what the bot's last gateway has charged
    assert [question.number for question in shared.streams[shared.bots[0]].questions()] == [6]
    shared.connect(shared.bots[0], "B")
    await playing
    await shared.is_finished_well(match)
    outdated.cancel()
    await asyncio.wait({outdated})
    assert not shared.cluster.nodes["A"].lobby.connection(shared.bots[0]).seatings


@pytest.mark.parametrize("host", ["B", "C"])
@pytest.mark.parametrize("gateway", ["A", "B"])
async def test_a_node_that_has_lost_a_match_unawares_asks_nothing_again_when_its_newer_owner_has_gone(
    shared: Shared, monkeypatch: pytest.MonkeyPatch, host: str, gateway: str
) -> None:
    monkeypatch.setattr("farfalia_server.nodes.shared_connection._RELEASE_SECONDS", 0.05)
    monkeypatch.setattr("farfalia_server.nodes.shared_connection.AGAIN_SECONDS", 0.02)
    bot = shared.bots[0]
    match = await shared.match("B", "B", "B", "B", "B", silent_after=2)
    outdated = asyncio.create_task(shared.runners["A"].play(match.id, 0))
    await shared.has_asked(bot, 3)
    shared.streams[bot].silent_after = 5
    playing = asyncio.create_task(shared.runners[host].play(match.id, 1))
    await shared.has_asked(bot, 6)
    if host == "C":
        shared.connect(bot, "C", silent_after=5)
        await shared.has_asked(bot, 6)
    shared.cluster.nodes[host].lobby.abandon()
    playing.cancel()
    await asyncio.wait({playing})
    if host == "C":
        shared.cluster.kill("C")
    if host == "C" or gateway == "A":
        shared.connect(bot, gateway)
    sent = len(shared.streams[bot].sent)
    shared.cluster.nodes["A"].lobby._forward_again()
    await outdated
    assert shared.streams[bot].sent[sent:] == []
    shared.streams[bot].silent_after = None
    await shared.runners["B"].play(match.id, 2)
    await shared.is_finished_well(match)
    assert [question.number for question in shared.streams[bot].questions()][-1] > 6
