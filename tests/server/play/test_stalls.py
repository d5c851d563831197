"""A stall of the server's event loop costs no bot anything: a real server is stopped or blocked while bots answer."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from pathlib import Path

import pytest
from tests.server.event_loops import LOOPS
from tests.server.live import ADMIN, PATIENCE, live_server
from tests.server.rawbot import RawBot, first_legal

from farfalia.arena import Arena
from farfalia.v1 import bots_pb2, play_pb2, tournaments_pb2
from farfalia_server import settings_loading
from farfalia_server.app import Server

#: Time for a decision, enough for a bot on a busy machine, and a stall that is longer.
LIMIT_MS = 2000
STALL = 2.5


@pytest.mark.parametrize("anyio_backend", LOOPS.values(), ids=LOOPS)
async def test_an_answer_that_arrives_while_the_loop_is_blocked_is_in_time(tmp_path: Path) -> None:
    ports = {"data_dir": tmp_path, "grpc_port": 0, "http_port": 0, "admin_token": ADMIN}
    chosen = settings_loading.load(ports | {"limit_ms": LIMIT_MS, "bank_ms": 0})

    loop, answered = asyncio.get_running_loop(), threading.Event()

    def block_and_answer(bot: RawBot, message: play_pb2.PlayResponse) -> None:
        if message.questions and not answered.is_set():
            answered.set()
            loop.call_soon_threadsafe(time.sleep, STALL)
            time.sleep(0.1)  # the loop sleeps by now
        first_legal(bot, message)

    async with Server(chosen) as server, Arena(server.grpc_address, ADMIN) as arena:
        token = (await arena.ask("RegisterBot", bots_pb2.RegisterBotRequest(name="prompt"))).token
        bot = await asyncio.to_thread(RawBot, server.grpc_address, token, react=block_and_answer)
        request = tournaments_pb2.CreateTournamentRequest(name="stall", bots=["prompt"], rounds=1)
        number = (await arena.ask("CreateTournament", request)).tournament.id
        await arena.ask("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        try:
            await asyncio.to_thread(bot.until, bot.results)
        finally:
            await asyncio.to_thread(bot.close)
        await arena.ask("CancelTournament", tournaments_pb2.CancelTournamentRequest(id=number))
    result = bot.results()[0]
    assert result.status == play_pb2.RESULT_STATUS_ACCEPTED
    assert result.strikes == 0
    assert result.charged_ms < LIMIT_MS


@pytest.mark.slow
def test_a_server_that_was_stopped_loses_no_bot_and_gives_no_strike(tmp_path: Path) -> None:
    # The stop is eight pings long, and longer than the time for a decision.
    with live_server(tmp_path, ping_interval_ms=500, limit_ms=LIMIT_MS, bank_ms=0) as server:
        started, stopped = threading.Event(), threading.Event()

        def stop_and_answer(bot: RawBot, message: play_pb2.PlayResponse) -> None:
            # The first question may come before the server has answered who started the tournament.
            if message.questions and started.is_set() and not stopped.is_set():
                server.process.send_signal(signal.SIGSTOP)
                stopped.set()
            first_legal(bot, message)

        thinking, idle = server.register("thinking"), server.register("idle")
        with (
            RawBot(server.grpc_address, idle, instance=b"idle") as quiet,
            RawBot(server.grpc_address, thinking, react=stop_and_answer) as bot,
        ):
            quiet.until(lambda: pings(quiet))
            server.tournament(["thinking"], rounds=1)
            started.set()
            assert stopped.wait(PATIENCE)
            time.sleep(8 * 0.5 + 0.1)
            server.process.send_signal(signal.SIGCONT)
            bot.until(bot.results)
            before = pings(quiet)
            quiet.until(lambda: pings(quiet) >= before + 4)
            result = bot.results()[0]
            assert result.status == play_pb2.RESULT_STATUS_ACCEPTED
            assert result.strikes == 0
            assert "NO_PONG" not in server.log()
            metrics = server.page("/metrics")[1]
            assert 'farfalia_loop_lateness_seconds{quantile="1.0"}' in metrics
            assert 'farfalia_answer_age_seconds{quantile="0.99"}' in metrics
            (stalled,) = (
                line for line in metrics.splitlines() if line.startswith("farfalia_loop_stalled_seconds_total")
            )
            assert float(stalled.split()[1]) > 1


def pings(bot: RawBot) -> int:
    return sum(message.HasField("ping") for message in bot.messages)
