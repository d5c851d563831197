"""Real servers whose Redis or PostgreSQL fails over to a replica while matches are played: every match counts once."""

from __future__ import annotations

import socket
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from tests.server.certificate import make_certificate
from tests.server.live import live_server
from tests.server.live_nodes import live_nodes
from tests.server.outages import all_is_well_after, in_the_middle, until
from tests.server.postgres_fixture import Postgres
from tests.server.redis_sentinels import sentinels

from farfalia.v1 import nodes_pb2
from farfalia_server.net.redis_program import find_redis
from farfalia_tools.bench.processes import free_port

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("replica", ["in step", "behind"])
def test_when_sentinels_promote_a_replica_matches_go_on(tmp_path: Path, replica: str) -> None:
    rounds = 12
    with (
        sentinels(tmp_path) as redis,
        live_server(tmp_path, redis_url=redis.url, max_tables=4) as server,
        ExitStack() as bots,
    ):
        tournament, gate = in_the_middle([server], bots, rounds, redial=True)
        if replica == "behind":
            redis.cut_replica_off()
            gate.open(until_ended=6)
            until(lambda: gate.keeps_a_question, "matches are in the middle of what the replica does not have")
        redis.sentinels[0].kill()
        redis.primary.kill()
        gate.open()
        until(redis.promoted, "the Sentinels promote the replica")
        all_is_well_after(server, tournament, rounds)
        log = server.log()
        assert "redis_unreachable" in log
        assert replica == "in step" or "journal_repaired" in log or "journal_lost" in log


def test_nodes_find_the_new_primary_and_each_other(tmp_path: Path) -> None:
    rounds = 16
    with (
        sentinels(tmp_path) as redis,
        live_nodes(tmp_path, "north", "south", redis_url=redis.url, max_tables=4) as nodes,
        ExitStack() as bots,
    ):
        first, other = nodes
        tournament, gate = in_the_middle(nodes, bots, rounds, redial=True)
        redis.primary.kill()
        gate.open()
        until(redis.promoted, "the Sentinels promote the replica")
        all_is_well_after(first, tournament, rounds)
        until(lambda: len(first.call("ListNodes", nodes_pb2.ListNodesRequest()).nodes) == 2, "both nodes are there")
        assert "match_voided" not in first.log() + other.log()
        assert "Traceback" not in other.log()


def test_a_redis_behind_tls_is_enough_for_a_tournament(tmp_path: Path) -> None:
    rounds, port = 4, free_port()
    certificate, key = make_certificate(tmp_path, "redis")
    words = ["--port", "0", "--tls-port", str(port), "--bind", "127.0.0.1", "--tls-auth-clients", "no"]
    words += ["--tls-cert-file", str(certificate), "--tls-key-file", str(key), "--requirepass", "word", "--save", ""]
    with subprocess.Popen([find_redis(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            until(lambda: process.poll() is not None or _listens(port), "Redis listens")
            if process.poll() is not None:
                pytest.skip("this Redis was built without TLS")
            url = f"rediss://default:word@127.0.0.1:{port}/0?ssl_ca_certs={certificate}"
            with live_server(tmp_path, redis_url=url) as server:
                names = [f"bot-{number}" for number in range(5)]
                for name in names:
                    server.register(name, "greedy")
                tournament = server.tournament(names, rounds=rounds)
                all_is_well_after(server, tournament, rounds)
        finally:
            process.kill()


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def test_when_a_replica_of_postgresql_is_promoted_matches_go_on(
    tmp_path: Path, replicated: tuple[Postgres, Postgres]
) -> None:
    rounds = 12
    primary, replica = replicated
    url = primary.url_of("postgres", replica)
    with live_server(tmp_path, database_url=url, max_tables=4) as server, ExitStack() as bots:
        tournament, gate = in_the_middle([server], bots, rounds, redial=True)
        primary.stop()
        gate.open()
        until(lambda: "finishing match" in server.log(), "a match that is over waits for the database")
        replica.promote()
        all_is_well_after(server, tournament, rounds)
        assert "store_unavailable" in server.log()
