"""When a bot counts as silent: nothing is heard of it where something is due, so perhaps its network is down."""

from __future__ import annotations

import asyncio

from tests.server.connection_world import lobby_of
from tests.server.play.stream_world import Scene, anyio_backend, here
from tests.server.stream_call import Call

from farfalia.v1 import play_pb2
from farfalia_engine import Cause
from farfalia_server.net.measures import Measures
from farfalia_server.play.loop_clock import LoopClock

__all__ = ["anyio_backend", "here"]


def pong(call: Call) -> None:
    """Answer the newest ping."""
    newest = [got.ping.nonce for got in call.got if got.HasField("ping")][-1]
    call.send(play_pb2.PlayRequest(pong=play_pb2.Pong(nonce=newest)))


async def test_a_bot_with_a_ping_open_for_half_an_interval_is_silent_until_it_is_heard(here: Scene) -> None:
    _, call = await here.connect()
    await asyncio.sleep(0.5)
    pong(call)
    await asyncio.sleep(14)  # the next ping came after ten seconds
    assert not here.connection.silent
    await asyncio.sleep(1)
    assert here.connection.silent
    pong(call)
    await asyncio.sleep(0.01)
    assert not here.connection.silent


async def test_a_bot_that_thinks_is_not_silent_however_long_nothing_is_heard_of_it(here: Scene) -> None:
    stream, _ = await here.connect()
    answers = here.ask(1, 100)
    await asyncio.sleep(99)
    assert (answers, here.connection.silent, stream.ended.done()) == ([], False, False)


async def test_a_bot_that_was_struck_unheard_is_silent_until_it_is_heard(here: Scene) -> None:
    _, call = await here.connect()
    await asyncio.sleep(0.1)
    answers = here.ask(1, 2)
    await asyncio.sleep(1.9)
    assert not here.connection.silent
    await asyncio.sleep(0.2)
    assert [answer.cause for answer in answers] == [Cause.TIMEOUT]
    assert here.connection.silent
    pong(call)
    await asyncio.sleep(0.01)
    assert not here.connection.silent


async def test_a_bot_that_was_heard_before_it_was_struck_has_a_second_to_answer_a_ping(here: Scene) -> None:
    _, call = await here.connect()
    here.ask(1, 2)
    await asyncio.sleep(1)
    pong(call)
    await asyncio.sleep(1.9)
    assert not here.connection.silent
    await asyncio.sleep(0.2)
    assert here.connection.silent


async def test_a_bot_that_was_pinged_before_it_was_asked_is_silent_though_it_thinks(here: Scene) -> None:
    await here.connect()
    await asyncio.sleep(11)  # the second ping came after ten seconds
    thinks = here.ask(1, 60)
    await asyncio.sleep(5)
    assert (thinks, here.connection.silent) == ([], True)


async def test_when_one_bot_is_not_heard_of_the_others_are_asked_whether_they_are_there() -> None:
    lobby = lobby_of(reconnect_grace=30, clock=LoopClock(Measures(), asyncio.get_running_loop().time))
    scenes = [Scene(lobby.connection(bot)) for bot in (1, 2, 3)]
    calls = [(await scene.connect())[1] for scene in scenes]
    await asyncio.sleep(0.1)
    for call in calls:
        pong(call)
    await asyncio.sleep(0.1)
    scenes[0].ask(1, 2)
    await asyncio.sleep(2.5)
    pong(calls[2])
    await asyncio.sleep(1)
    assert lobby.reachable() == {3}


async def test_nobody_is_silent_while_the_server_itself_stands_still(here: Scene) -> None:
    here.clock = LoopClock(Measures(), lambda: 0.0)
    await here.connect()
    await asyncio.sleep(50)
    assert not here.connection.silent


async def test_a_bot_that_comes_back_on_another_stream_is_not_silent(here: Scene) -> None:
    stream, _ = await here.connect()
    await asyncio.sleep(20)
    assert here.connection.silent
    stream.close()
    await here.connect()
    assert not here.connection.silent
