"""A bot that comes back before the server has taken its matches up: its seats are still its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.live import PATIENCE, live_server
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import play_pb2
from farfalia_server.play.expected_seats import ExpectedSeats

OPEN = 12


async def test_a_bot_waits_for_its_seats_until_all_are_handed_out_or_for_its_time() -> None:
    expected = ExpectedSeats()
    assert not expected
    await expected.none_left(60)
    expected.add(1)
    expected.add(2)
    waiting = asyncio.create_task(expected.none_left(60))
    expected.discard(1)
    await asyncio.sleep(0)
    assert not waiting.done()
    expected.discard(2)
    await waiting
    expected.add(3)
    await expected.none_left(0.001)
    assert expected


@pytest.mark.slow
def test_after_a_kill_a_welcome_names_all_seats_and_a_goodbye_waits_for_them(tmp_path: Path) -> None:
    patient = {"farfalia_server.play.play_service._RESUMING_SECONDS": PATIENCE}
    with live_server(tmp_path, constants=patient, ping_interval_ms=60_000, limit_ms=600_000) as server:
        token = server.register("patient")

        def seats(bot: RawBot) -> int:
            told = list(bot.messages)
            return sum(len(message.seated) - len(message.finished) for message in told)

        def think_once_there_are_enough(bot: RawBot, message: play_pb2.PlayResponse) -> None:
            if seats(bot) < OPEN:  # a bot gets more seats as it turns out to be quick
                first_legal(bot, message)

        with RawBot(server.grpc_address, token, react=think_once_there_are_enough) as bot:
            number = server.tournament(["patient"], rounds=200)
            bot.until(lambda: seats(bot) >= OPEN)
        held = seats(bot)
        server.kill()
        server.start()
        with RawBot(server.grpc_address, token, react=first_legal) as bot:
            bot.send(play_pb2.PlayRequest(goodbye=play_pb2.Goodbye()))
            welcome = bot.until(lambda: next((m.welcome for m in bot.messages if m.HasField("welcome")), None))
            bot.until(lambda: bot.over)
            assert bot.error is None
        assert len(welcome.open) >= held  # some were opened after the last look
        after = server.show(number)
        assert {row.strikes + row.forfeits for row in after.standings} == {0}
