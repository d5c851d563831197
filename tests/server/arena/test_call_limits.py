"""How many calls one address, and one token, may make."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from tests.server.arena_client import FIVE, Arena, serving

from farfalia.v1 import bots_pb2, tournaments_pb2
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.local.client import Arena as Client
from farfalia_server.net.client_address import Proxies

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.fixture
async def few(tmp_path: Path) -> AsyncIterator[Arena]:
    """An arena that takes three calls at once, then one in 1000 s, and two that go on."""
    limits = CallLimits(Proxies("127.0.0.1"), burst=3, rate=0.001, watches=2)
    async with serving(tmp_path, call_limits=limits) as arena:
        yield arena


async def test_an_address_that_calls_too_often_is_told_when_to_call_again_and_no_other_notices(few: Arena) -> None:
    few.come_from = "203.0.113.5"
    for _ in range(3):
        await few.ask("GetQueue")
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await few.ask("GetQueue")
    assert refusal.value.code() is EXHAUSTED
    assert 900 < retry(refusal.value) <= 1000
    assert (await few.refused("ListBots"))[1] == "CALLS_TOO_FAST"
    few.come_from = "198.51.100.1"
    await few.ask("GetQueue")
    few.come_from = ""
    for _ in range(5):
        await few.ask("GetQueue")


async def test_a_token_that_calls_too_often_is_counted_wherever_it_comes_from(few: Arena) -> None:
    for number in range(3):
        few.come_from = f"203.0.113.{number}"
        await few.ask("GetQueue", few.admin)
    few.come_from = "198.51.100.1"
    code, reason, text = await few.refused("GetQueue", few.admin)
    assert (code, reason) == (EXHAUSTED, "CALLS_TOO_FAST")
    assert few.admin not in text
    await few.ask("GetQueue")


async def test_a_proxy_that_names_nobody_is_not_counted_as_one_reader(tmp_path: Path) -> None:
    async with serving(tmp_path, call_limits=CallLimits(Proxies("127.0.0.1,10.0.0.2"), burst=1, rate=0.001)) as arena:
        arena.come_from = "10.0.0.2"
        for _ in range(3):
            await arena.ask("GetQueue")
        await arena.ask("GetQueue", arena.admin)
        assert (await arena.refused("GetQueue", arena.admin))[1] == "CALLS_TOO_FAST"


async def test_an_address_has_a_limit_of_open_watches_and_ending_one_makes_room(tmp_path: Path) -> None:
    async with serving(tmp_path, call_limits=CallLimits(Proxies("127.0.0.1"), watches=2)) as arena:
        await arena.five()
        made = await arena.here.plan("spring", FIVE, rounds=1)
        arena.come_from = "203.0.113.5"
        open_ones = [arena.stream("WatchTournament", id=made.id) for _ in range(2)]
        for watch in open_ones:
            await watch.read()
        third = arena.stream("WatchTournament", id=made.id)
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await third.read()
        assert refusal.value.code() is EXHAUSTED
        open_ones[0].cancel()
        while True:
            again = arena.stream("WatchTournament", id=made.id)
            try:
                if isinstance(await again.read(), tournaments_pb2.WatchTournamentResponse):
                    break
            except grpc.aio.AioRpcError as error:
                if error.code() is not EXHAUSTED:
                    raise
        again.cancel()
        open_ones[1].cancel()


async def test_a_command_calls_again_when_the_server_takes_another_call(tmp_path: Path) -> None:
    counted = CallLimits(burst=1, rate=20)
    counted.host_of = lambda context: "203.0.113.5"  # type: ignore[method-assign]  # a test cannot come from elsewhere
    async with serving(tmp_path, call_limits=counted) as arena, Client(arena.address) as client:
        for _ in range(3):
            await client.ask("ListBots", bots_pb2.ListBotsRequest())


def retry(error: grpc.aio.AioRpcError) -> float:
    """The seconds after which the server asks to call again."""
    (data,) = [value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"]
    info = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(info) for detail in status_pb2.Status.FromString(data).details)
    return float(info.retry_delay.ToSeconds())
