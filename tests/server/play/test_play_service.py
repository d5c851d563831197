"""Streams whose server stops or loses its cluster, or whose bot vanishes: none is left alone or leaves a task."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
import structlog
from tests.server.connection_world import lobby_of
from tests.server.simulation.call import Call, Lost
from tests.server.stream_call import HELLO

from farfalia.v1 import play_pb2
from farfalia_server.net.measures import Measures
from farfalia_server.play.bot_gateway import BotGateway
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.play.play_service import Gateways, PlayService
from farfalia_server.play.stream import NODE_LOST, StreamStatus
from farfalia_server.store import ConnectionCap
from farfalia_tools.testing import VIRTUAL_TIME

#: Seconds until the database has said whose token it is.
_LOOKUP = 0.1


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


def service(gateways: Gateways | None = None) -> PlayService:
    clock = LoopClock(Measures(), asyncio.get_running_loop().time)
    lobby = lobby_of(linger=0.0, clock=clock)

    async def bot_by_token(token: str) -> Any:
        await asyncio.sleep(_LOOKUP)
        return SimpleNamespace(id=1, name="ada", house="", barred=False, hosted=False, by_host=False)

    async def nothing(*_: object) -> Any:
        return frozenset()

    async def no_ratings(_: int) -> list[play_pb2.Rating]:
        return []

    return PlayService(
        lobby,
        server_name="test",
        bot_by_token=bot_by_token,
        token_hashes=nothing,
        is_persons_token=nothing,
        ratings=no_ratings,
        log_line=lambda bot, line: None,
        nonces=NonceCollector(cast(Any, None), lobby),
        ping_interval=10.0,
        reconnect_grace=60.0,
        clock=clock,
        pages=lambda: "",
        gateways=gateways,
    )


@pytest.mark.parametrize("ending", ["drain", "stop"])
@pytest.mark.parametrize("after", [_LOOKUP / 2, _LOOKUP * 2], ids=["before its token is known", "before its hello"])
async def test_a_stream_that_is_not_yet_welcome_when_its_server_stops_is_sent_elsewhere(
    ending: str, after: float
) -> None:
    here, call = service(), Call("token", latency=0.0)
    if after < _LOOKUP:
        call.send(HELLO)
    stream = asyncio.create_task(cast(Any, here)._play(None, call))
    await asyncio.sleep(after)
    if ending == "drain":
        await here.drain(0.0)
    else:
        here.stop()
    with pytest.raises(Exception, match="the server stops"):
        await asyncio.wait_for(stream, 5)
    call.end()
    with pytest.raises(Lost):  # no welcome
        await call.receive()


class LostGateways:
    """The gateways of a node that is taken for dead while it opens one."""

    async def open(
        self, bot: int, name: str, client: str, *, take_over: bool, caps: Sequence[ConnectionCap] = ()
    ) -> BotGateway | None:
        return BotGateway(bot, 1, "A", "1", name=name, connected=True, client=client)

    def is_here(self, stream: BotGateway) -> bool:
        return False

    def why_not_here(self, stream: BotGateway) -> StreamStatus:
        assert stream.client == HELLO.hello.instance.hex()
        return NODE_LOST

    def changed(self, bot: int) -> None:
        """Nothing was opened, so there is nothing to write."""


async def test_a_stream_whose_gateway_is_lost_while_it_is_opened_may_come_back() -> None:
    here, call = service(LostGateways()), Call("token", latency=0.0)
    call.send(HELLO)
    with pytest.raises(Exception, match="lost touch with the others; come back"):
        await asyncio.wait_for(cast(Any, here)._play(None, call), 5)


@pytest.mark.parametrize("moment", ["before its hello", "after its welcome"])
async def test_a_stream_whose_bot_vanishes_is_in_the_log_and_leaves_no_task_behind(moment: str) -> None:
    here, call = service(), Call("token", latency=0.0)
    stream = asyncio.create_task(cast(Any, here)._play(None, call))
    await asyncio.sleep(_LOOKUP * 2)
    if moment == "after its welcome":
        call.send(HELLO)
        assert (await call.receive()).HasField("welcome")
    with structlog.testing.capture_logs() as logged:
        stream.cancel()  # as gRPC does with the call of a peer that is gone
        await asyncio.wait([stream])
        call.end()
        await asyncio.sleep(1)
    ends = [(line["bot"], line["reason"]) for line in logged if line["event"] == "stream_ended"]
    assert ends == [("ada", "closed")]
    assert [task.get_name() for task in asyncio.all_tasks() if task.get_name().startswith("stream-")] == []
