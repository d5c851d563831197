"""Whose bot is whose: gateways in Redis, as two nodes write and read them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from redis.asyncio import Redis
from tests.server.shared_redis import empty_redis

from farfalia.v1 import play_pb2
from farfalia_engine import TimeControl
from farfalia_server.cluster.mailbox import Mailbox
from farfalia_server.net.measures import Measures
from farfalia_server.net.redis_connection import connect
from farfalia_server.nodes.gateway_keeper import GatewayKeeper
from farfalia_server.nodes.goodbyes import Goodbyes
from farfalia_server.nodes.shared_lobby import SharedLobby
from farfalia_server.play.bot_gateway import BotGateway, GatewayDirectory
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.questions import Seating
from farfalia_server.store import ConnectionCap
from farfalia_tools.testing import RecordingStream

BOT = 7


@dataclass
class Gateway:
    """What a node has of gateways."""

    lobby: SharedLobby
    directory: GatewayDirectory
    keeper: GatewayKeeper

    async def open(self, client: str, *, take_over: bool = False) -> BotGateway | None:
        found = await self.keeper.open(BOT, "ada", client, take_over=take_over)
        assert not isinstance(found, ConnectionCap)
        return found

    async def connect(self, client: str) -> RecordingStream:
        """The bot comes to this node."""
        assert await self.open(client) is not None
        connection, stream = self.lobby.connection(BOT), RecordingStream(bytes.fromhex(client))
        connection.name, connection.instance = "ada", stream.instance
        connection.attach(stream)
        connection.set_capacity(play_pb2.Capacity(matches=1, questions=1))
        return stream


class Two:
    """Two nodes; `instances` are those that live."""

    def __init__(self, redis: Redis) -> None:
        self.instances = {"A": "1", "B": "1"}
        #: Nodes that may have been taken for dead.
        self.silent: set[str] = set()
        self.redis = redis

    @asynccontextmanager
    async def node(self, name: str) -> AsyncIterator[Gateway]:
        directory = GatewayDirectory(name, lambda node, instance: self.instances.get(node) == instance)
        post = Mailbox(self.redis, "db", name, lambda sender, data: lobby.receive(sender, data))
        lobby = SharedLobby(
            directory,
            post,
            linger=0.001,
            reconnect_grace=60,
            schedule_flush=lambda flush: flush(),
            changed=lambda: None,
            measures=Measures(),
        )
        keeper = GatewayKeeper(
            self.redis, "db", lobby, post, lambda: self.instances[name], lambda: name not in self.silent
        )
        async with post, keeper:
            yield Gateway(lobby, directory, keeper)
        lobby.close()


@pytest.fixture
async def two() -> AsyncIterator[Two]:
    async with empty_redis() as url, connect(url) as redis:
        yield Two(redis)


@pytest.fixture
async def nodes(two: Two) -> AsyncIterator[tuple[Gateway, Gateway]]:
    async with AsyncExitStack() as stack:
        yield await stack.enter_async_context(two.node("A")), await stack.enter_async_context(two.node("B"))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


async def test_a_node_knows_which_bots_are_connected_to_another_and_which_of_them_are_silent(
    nodes: tuple[Gateway, Gateway],
) -> None:
    here, there = nodes
    await there.connect("01")
    await until(lambda: here.lobby.connected() == {BOT: "ada"})
    await until(lambda: [bot.offered for bot in here.lobby.present()] == [1])
    for silent, reachable in ((True, set[int]()), (False, {BOT})):
        there.lobby.connection(BOT).set_silent(silent)
        await until(lambda reachable=reachable: here.lobby.reachable() == reachable)  # type: ignore[misc]
        assert here.lobby.is_connected(BOT)
    there.lobby.connection(BOT).detach()
    await until(lambda: not here.lobby.is_connected(BOT))


async def test_a_bot_that_comes_to_another_node_loses_its_stream_at_the_first(nodes: tuple[Gateway, Gateway]) -> None:
    here, there = nodes
    old = await there.connect("01")
    await here.connect("01")
    await until(lambda: old.status is not None)
    assert old.status is not None
    assert old.status.reason == "STREAM_MOVED"
    assert here.directory.here(BOT) is not None
    assert there.directory.here(BOT) is None


async def test_another_instance_of_a_bot_is_refused_at_every_node_unless_it_takes_over(
    nodes: tuple[Gateway, Gateway],
) -> None:
    here, there = nodes
    old = await there.connect("01")
    assert await here.open("02") is None
    assert old.status is None
    assert await here.open("02", take_over=True) is not None
    await until(lambda: old.status is not None)
    assert old.status is not None
    assert old.status.reason == "STREAM_REPLACED"


async def test_a_dead_node_keeps_no_bot(two: Two) -> None:
    async with two.node("A") as here:
        async with two.node("B") as there:
            await there.connect("01")
            await until(lambda: here.lobby.is_connected(BOT))
        del two.instances["B"]
        here.directory.node_changed("B")
        assert not here.lobby.is_connected(BOT)
        assert await here.open("02") is not None


async def test_of_two_nodes_to_which_a_bot_comes_at_once_one_keeps_it(nodes: tuple[Gateway, Gateway]) -> None:
    here, there = nodes
    opened = await asyncio.gather(here.open("01"), there.open("01"))
    epochs = [gateway.epoch for gateway in opened if gateway is not None]
    assert max(epochs) - min(epochs) == 1
    last = max((gateway for gateway in opened if gateway is not None), key=lambda gateway: gateway.epoch)
    await until(lambda: [node.directory.last(BOT) for node in nodes] == [last, last])


async def test_gateways_that_redis_has_lost_are_written_again(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farfalia_server.nodes.gateway_keeper._READ_ALL", 0.05)
    async with two.node("A") as here:
        await here.connect("01")
        await two.redis.flushall()
        async with two.node("B") as there:
            await until(lambda: there.lobby.is_connected(BOT))


@pytest.mark.parametrize("older", [0, 1])
async def test_a_gateway_of_which_redis_has_lost_the_newest_form_is_written_again(
    two: Two, monkeypatch: pytest.MonkeyPatch, older: int
) -> None:
    monkeypatch.setattr("farfalia_server.nodes.gateway_keeper._READ_ALL", 0.05)
    async with two.node("A") as here:
        await here.connect("01")
        await until(lambda: (gateway := here.directory.here(BOT)) is not None and gateway.offered == 1)
        gateway = here.directory.here(BOT)
        assert gateway is not None
        before = replace(gateway, epoch=gateway.epoch - older, offered=0)
        await two.redis.hset("farfalia:db:gateways", str(BOT), str(before))
        async with two.node("B") as there:
            await until(lambda: there.directory.get(BOT) == gateway)


async def test_a_bot_that_moves_after_redis_has_lost_its_last_gateway_has_one_that_is_newer(
    nodes: tuple[Gateway, Gateway],
) -> None:
    here, there = nodes
    await there.connect("01")
    await until(lambda: here.lobby.is_connected(BOT))
    known = here.directory.last(BOT)
    assert known is not None
    before = replace(known, epoch=known.epoch - 1, node="C", node_instance="1")
    await here.keeper._redis.hset("farfalia:db:gateways", str(BOT), str(before))
    gateway = await here.open("01")
    assert gateway is not None
    assert gateway.epoch == known.epoch + 1


async def test_a_gateway_that_is_opened_while_all_are_read_is_kept_up_to_date(
    nodes: tuple[Gateway, Gateway], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = nodes
    await there.connect("01")
    there.lobby.connection(BOT).detach()
    was_read, is_open, read = asyncio.Event(), asyncio.Event(), here.keeper._redis.hgetall

    async def read_slowly(key: str) -> object:
        found = await read(key)
        was_read.set()
        await is_open.wait()
        return found

    monkeypatch.setattr(here.keeper._redis, "hgetall", read_slowly)
    here.keeper.read_again()
    await was_read.wait()
    await here.connect("01")
    is_open.set()
    await until(lambda: (gateway := there.directory.get(BOT)) is not None and gateway.offered == 1)


async def test_a_bot_that_comes_to_a_new_node_after_redis_has_lost_its_gateways_is_there(two: Two) -> None:
    async with two.node("A") as here:
        async with two.node("B") as there:
            await there.connect("01")
            await here.connect("01")
            await there.connect("01")
        del two.instances["B"]
        await two.redis.flushall()
        two.instances["B"] = "2"
        async with two.node("B") as there:
            await there.connect("01")
            await until(lambda: (gateway := here.directory.get(BOT)) is not None and gateway.node_instance == "2")
            assert here.lobby.is_connected(BOT)


async def test_a_node_that_was_taken_for_dead_ends_its_streams_so_that_they_come_back(two: Two) -> None:
    async with two.node("A") as here:
        stream = await here.connect("01")
        two.instances["A"] = "2"
        here.directory.node_changed("A")
        assert stream.status is not None
        assert stream.status.reason == "NODE_LOST"


async def test_a_node_that_may_have_been_taken_for_dead_serves_no_bot_that_comes(
    two: Two, nodes: tuple[Gateway, Gateway]
) -> None:
    here, _ = nodes
    two.silent.add("A")
    opened = await here.open("01")
    assert opened is not None
    assert not here.keeper.is_here(opened)
    assert here.keeper.why_not_here(opened).reason == "NODE_LOST"
    two.silent.clear()
    assert here.keeper.is_here(opened)


async def test_a_gateway_that_was_lost_while_it_was_opened_is_told_by_its_reason(
    nodes: tuple[Gateway, Gateway],
) -> None:
    here, there = nodes
    opened = await here.open("01")
    assert opened is not None
    assert here.keeper.why_not_here(opened).reason == "NODE_LOST"
    assert await there.open("01") is not None
    await until(lambda: here.directory.here(BOT) is None)
    assert here.keeper.why_not_here(opened).reason == "STREAM_MOVED"
    assert await there.open("02", take_over=True) is not None
    await until(lambda: here.keeper.why_not_here(opened).reason == "STREAM_REPLACED")


async def test_a_bot_is_told_and_dismissed_wherever_it_is(nodes: tuple[Gateway, Gateway]) -> None:
    here, there = nodes
    stream = await there.connect("01")
    await until(lambda: here.lobby.is_connected(BOT))
    here.lobby.tell(BOT, play_pb2.PlayResponse(notices=[play_pb2.Notice(reason="HELLO")]))
    await until(lambda: [notice.reason for notice in stream.notices()] == ["HELLO"])
    here.lobby.dismiss("ada")
    await until(lambda: stream.status is not None)
    assert stream.status is not None
    assert stream.status.reason == "TOKEN_REPLACED"


async def test_a_nonce_for_a_match_finds_the_node_that_has_asked_for_it(nodes: tuple[Gateway, Gateway]) -> None:
    here, there = nodes
    given: list[tuple[int, play_pb2.Nonce]] = []
    here.lobby.on_nonce = lambda bot, nonce: given.append((bot, nonce))
    stream = await there.connect("01")
    await until(lambda: here.lobby.is_connected(BOT))
    nonce = play_pb2.Nonce(match=3, nonce=b"16 bytes of it  ")
    assert not there.lobby.forward_nonce(BOT, nonce)
    here.lobby.tell(BOT, play_pb2.PlayResponse(entered=[play_pb2.Entered(match=3)]))
    await until(lambda: any(sent.entered for sent in stream.sent))
    assert there.lobby.forward_nonce(BOT, nonce)
    await until(lambda: given == [(BOT, nonce)])


async def test_a_bot_that_says_goodbye_keeps_its_stream_until_no_match_has_a_seat_for_it(two: Two) -> None:
    reserved = {BOT: 1}

    async def taken() -> dict[int, int]:
        return reserved

    async with two.node("A") as here, Goodbyes(here.directory, taken) as goodbyes:
        here.lobby.on_goodbye = goodbyes.add
        stream = await here.connect("01")
        await until(lambda: [bot.offered for bot in here.lobby.present()] == [1])
        here.lobby.connection(BOT).close_when_idle()
        await until(lambda: (gateway := here.directory.here(BOT)) is not None and gateway.offered == 0)
        seating = Seating(1, 0, SeatClock(TimeControl(1000, 0, 0)), play_pb2.Seated(match=1))
        here.lobby.connection(BOT).take_seat(seating)
        here.lobby.connection(BOT).leave(1)
        assert not stream.closed
        reserved.clear()
        await until(lambda: stream.closed)


async def test_a_bot_that_said_goodbye_and_was_disconnected_meanwhile_is_let_go_when_it_is_back(two: Two) -> None:
    async def taken() -> dict[int, int]:
        return {}

    async with two.node("A") as here, Goodbyes(here.directory, taken) as goodbyes:
        here.lobby.on_goodbye = goodbyes.add
        await here.connect("01")
        connection = here.lobby.connection(BOT)
        connection.close_when_idle()
        connection.detach()
        await until(lambda: not goodbyes._leaving)
        stream = RecordingStream()
        connection.attach(stream, resumed=True)
        await until(lambda: stream.closed)


CAPS = [ConnectionCap("course", 2, "", {BOT: "ada", 8: "bea", 9: "cleo"}), ConnectionCap("arena", 9, "", {BOT: "ada"})]


async def opens(gateway: Gateway, bot: int) -> bool:
    """Whether a bot with these caps gets in, with a stream that stays."""
    found = await gateway.keeper.open(bot, CAPS[0].bots[bot], f"{bot:02}", take_over=False, caps=CAPS)
    if not isinstance(found, BotGateway):
        assert found == CAPS[0]
        return False
    connection, stream = gateway.lobby.connection(bot), RecordingStream(bytes.fromhex(f"{bot:02}"))
    connection.name, connection.instance = CAPS[0].bots[bot], stream.instance
    connection.attach(stream)
    return True


async def test_no_more_bots_of_an_owner_are_connected_to_all_nodes_than_a_cap_allows(
    nodes: tuple[Gateway, Gateway],
) -> None:
    here, there = nodes
    assert await opens(here, BOT)
    assert await opens(there, 8)
    assert not await opens(here, 9)
    assert not await opens(there, 9)
    assert await opens(there, BOT), "who is connected may come again, to whatever node"
    here.lobby.connection(BOT).detach()
    there.lobby.connection(8).detach()
    assert await opens(there, 9), "its own node knows first that a stream has ended"


async def test_of_bots_that_come_to_two_nodes_at_the_same_moment_no_more_get_in(nodes: tuple[Gateway, Gateway]) -> None:
    for _ in range(20):
        came = await asyncio.gather(opens(nodes[0], BOT), opens(nodes[1], 8), opens(nodes[0], 9))
        assert sum(came) == 2
        for node in nodes:
            for bot in CAPS[0].bots:
                node.lobby.connection(bot).detach()
                node.keeper.changed(bot)
        await until(lambda: not (nodes[0].lobby.connected() or nodes[1].lobby.connected()))


async def test_bots_of_a_node_that_is_dead_do_not_count(two: Two) -> None:
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(two.node("A"))
        async with two.node("B") as there:
            assert await opens(there, 8)
            assert await opens(there, 9)
            assert not await opens(here, BOT)
        del two.instances["B"]
        assert await opens(here, BOT)


async def test_bots_count_whose_gateways_redis_has_lost(nodes: tuple[Gateway, Gateway], two: Two) -> None:
    here, there = nodes
    assert await opens(there, 8)
    assert await opens(here, 9)
    await until(lambda: len(here.lobby.connected()) == 2)
    await two.redis.flushall()
    assert not await opens(here, BOT)
