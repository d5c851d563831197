"""Real servers whose database or Redis goes away while matches are played: no seat and no match is lost."""

from __future__ import annotations

import math
import os
import re
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from tests.server.live import LiveServer, live_server
from tests.server.outages import SLOW, Gate, all_is_well_after, in_the_middle, until
from tests.server.postgres_fixture import Postgres
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import bots_pb2

pytestmark = pytest.mark.slow

#: How long a bot that is gone keeps its seats.
AWAY_MS = 1500


def has_welcome(stream: RawBot) -> None:
    stream.until(lambda: any(message.HasField("welcome") for message in stream.messages))


def has_seat(stream: RawBot) -> None:
    stream.until(lambda: any(message.seated for message in stream.messages))


def one_waits_more_than(server: LiveServer, before: int) -> None:
    until(lambda: server.log().count("finishing match") > before, "a match that is over waits for the database")


def can_read(server: LiveServer) -> bool:
    try:
        server.call("ListBots", bots_pb2.ListBotsRequest())
    except grpc.RpcError:
        return False
    return True


def test_a_bot_that_is_lost_while_the_database_is_away_comes_back_and_plays_on(
    tmp_path: Path, postgres: Postgres
) -> None:
    with (
        live_server(tmp_path, database_url=postgres.database(), reconnect_grace_ms=AWAY_MS) as server,
        ExitStack() as bots,
    ):
        gate = Gate()
        tokens = {f"bot-{number}": server.register(f"bot-{number}") for number in range(5)}
        streams = {
            name: bots.enter_context(RawBot(server.grpc_address, token, react=gate)) for name, token in tokens.items()
        }
        for stream in streams.values():
            has_welcome(stream)
        tournament = server.tournament(list(tokens), rounds=1, control=SLOW, ruleset="basic")
        for stream in streams.values():
            has_seat(stream)
        postgres.stop()
        try:
            until(lambda: server.page("/healthz")[0] == 503, "it says that it is not well")
            assert re.search(r'"database":"the database at [^"]+ does not answer', server.page("/healthz")[1])
            streams["bot-3"].close()
            time.sleep(2 * AWAY_MS / 1000)  # longer than it may be away while bots can be let in
            back = RawBot(server.grpc_address, tokens["bot-3"], instance=b"again", take_over=True, react=gate)
            bots.enter_context(back)
            welcome = back.until(lambda: next((f.welcome for f in back.messages if f.HasField("welcome")), None))
            assert [seated.tournament for seated in welcome.open] == [tournament]
            gate.open()
            until(lambda: "finishing match" in server.log(), "the match is over but for the database")
            # Whoever looks after it still sees all that the server knows by itself.
            assert 'farfalia_well{part="database"} 0.0' in server.page("/metrics")[1]
            assert "farfalia_decisions_total" in server.page("/metrics")[1]
            assert server.page("/livez") == (200, '{"status":"ok"}')
        finally:
            postgres.go_on()
        all_is_well_after(server, tournament, 1)
        until(lambda: server.page("/healthz")[0] == 200, "it says that it is well again")
        record = server.record(server.matches(tournament)[0].id)
        assert not record.incidents


def test_a_postgresql_that_crashes_while_matches_begin_and_end_costs_nobody_anything(
    tmp_path: Path, postgres: Postgres
) -> None:
    rounds = 14
    with live_server(tmp_path, database_url=postgres.database(), max_tables=4) as server, ExitStack() as bots:
        tournament, gate = in_the_middle([server], bots, rounds, until_ended=1)
        for next_outage in (6, math.inf):
            until(lambda: gate.keeps_a_question, "matches are in the middle")
            before = server.log().count("finishing match")
            postgres.stop()
            try:
                gate.open(next_outage)
                one_waits_more_than(server, before)
            finally:
                with postgres.starting_up():
                    pass
            until(lambda: can_read(server), "the database answers")
            until(lambda: server.page("/healthz")[0] == 200, "it says that it is well again")
        all_is_well_after(server, tournament, rounds)


def test_a_redis_that_stands_still_or_is_killed_costs_nobody_anything(tmp_path: Path) -> None:
    rounds = 14
    with live_server(tmp_path, max_tables=4) as server, ExitStack() as bots:
        process_id = tmp_path / "data" / "redis" / "redis.pid"
        names = [f"bot-{number}" for number in range(5)]
        for name in names:
            bots.enter_context(RawBot(server.grpc_address, server.register(name), react=first_legal))
        tournament = server.tournament(names, rounds=rounds, control=SLOW, ruleset="basic")
        server.wait_for(tournament, finished=1)
        first = process_id.read_text()
        os.kill(int(first), signal.SIGKILL)
        until(lambda: process_id.read_text() not in ("", first), "another Redis runs")
        server.wait_for(tournament, finished=4)
        os.kill(int(process_id.read_text()), signal.SIGSTOP)
        try:
            # The heartbeat's, whether or not a match is being played at that moment.
            until(lambda: "heartbeat_failed" in server.log(), "a command is given up")
            until(lambda: server.page("/healthz")[0] == 503, "it says that it is not well")
        finally:
            os.kill(int(process_id.read_text()), signal.SIGCONT)
        server.wait_for(tournament, finished=8)
        os.kill(int(process_id.read_text()), signal.SIGKILL)
        all_is_well_after(server, tournament, rounds)
        assert server.log().count("redis_restarting") == 2
