"""`farfalia serve --workers`: several processes as one server, on an embedded Redis and an SQLite file."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from tests.cli import forked
from tests.server.bot_process import sample_bots
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.outages import until
from tests.server.played_once import NAMES, assert_played_once

from farfalia.v1 import nodes_pb2, tournaments_pb2

pytestmark = pytest.mark.slow


def workers(server: LiveServer) -> dict[str, int]:
    """The processes of the workers by name, the newest of each."""
    found = re.findall(r"worker_started .*process=(\d+) worker=(\S+)", server.log())
    return {name: int(process) for process, name in found}


def nodes(server: LiveServer) -> list[str]:
    return sorted(node.name for node in server.call("ListNodes", nodes_pb2.ListNodesRequest()).nodes)


def is_alive(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def test_a_worker_that_is_killed_is_started_again_and_costs_no_bot_anything(tmp_path: Path) -> None:
    rounds = 24
    with live_server(tmp_path, workers=2, node="here", max_tables=4) as server, ExitStack() as bots:
        until(lambda: nodes(server) == ["here-1", "here-2"])
        sample_bots(bots, NAMES, server)
        tournament = server.tournament(NAMES, rounds=rounds, ruleset="basic")
        before = server.wait_for(tournament, finished=6)
        assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING, "it was over before a worker could be killed"
        killed = workers(server)["here-1"]  # it was up first, so it has the roles
        os.kill(killed, signal.SIGKILL)
        server.wait_for(tournament)
        assert_played_once(server, tournament, rounds)
        until(lambda: workers(server)["here-1"] != killed)
        until(lambda: nodes(server) == ["here-1", "here-2"])
        assert "worker here-1 was killed by signal 9" in server.log()
        assert "match_voided" not in server.log()
        assert "Traceback" not in server.log()


def test_a_stop_lets_running_matches_end_and_a_kill_leaves_no_worker_behind(tmp_path: Path) -> None:
    rounds = 12
    with live_server(tmp_path, workers=2, max_tables=2) as server, ExitStack() as bots:
        sample_bots(bots, NAMES, server)
        tournament = server.tournament(NAMES, rounds=rounds, ruleset="basic")
        before = server.wait_for(tournament, finished=2)
        assert before.state == tournaments_pb2.TOURNAMENT_STATE_RUNNING, "it was over before it could be stopped"
        first = workers(server)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
        assert not any(map(is_alive, first.values()))
        with closing(sqlite3.connect(server.folder / "data" / "farfalia.db")) as database:
            ((running,),) = database.execute("SELECT count(*) FROM match WHERE state = 'running'")
        assert running == 0, "all that were played have ended"
        server.start()
        second = workers(server)
        server.kill()
        until(lambda: not any(map(is_alive, second.values())))
        server.start()
        server.wait_for(tournament)
        assert_played_once(server, tournament, rounds)
        assert "Traceback" not in server.log()


def test_workers_that_cannot_start_end_the_server_with_one_sentence(tmp_path: Path) -> None:
    serve = ["serve", "--workers", "2", "--grpc-port", "0", "--http-port", "0"]
    (tmp_path / "farfalia.db").write_text("no database " * 100)
    for options, code, sentence in (
        (["--database-url", f"sqlite:///{tmp_path / 'farfalia.db'}"], 1, "cannot be used: file is not a database"),
        (["--redis-url", "redis://127.0.0.1:1"], 1, "127.0.0.1:1"),
    ):
        ended = forked.run([*serve, "--data-dir", str(tmp_path / "data"), *options], tmp_path, os.environ, PATIENCE)
        assert ended.returncode == code, ended.stderr
        said = [line for line in ended.stderr.splitlines() if line.startswith("farfalia: ")]
        assert len(said) == 1, ended.stderr
        assert sentence in said[0]
        assert "Traceback" not in ended.stderr


def test_nobody_else_gets_the_ports_or_the_directory_of_workers(tmp_path: Path) -> None:
    with live_server(tmp_path, workers=2) as server:
        port = server.grpc_address.rpartition(":")[2]
        other = str(tmp_path / "other")
        for options, code in (
            (["--grpc-port", port, "--data-dir", other], 1),
            (["--grpc-port", port, "--data-dir", other, "--workers", "2"], 1),
            (["--grpc-port", "0", "--data-dir", str(server.folder / "data"), "--workers", "2"], 6),
        ):
            ended = forked.run(["serve", "--http-port", "0", *options], tmp_path, os.environ, PATIENCE)
            assert ended.returncode == code, ended.stderr
            assert "Traceback" not in ended.stderr


def test_a_server_none_of_whose_workers_can_be_started_again_ends(tmp_path: Path) -> None:
    with live_server(tmp_path, workers=2, node="here") as server:
        database = server.folder / "data" / "farfalia.db"
        running = workers(server)
        scraped(server)  # all have answered, so the one that told how to connect has said that it did
        for process in running.values():
            os.kill(process, signal.SIGSTOP)
        database.unlink()
        database.mkdir()
        for process in running.values():
            os.kill(process, signal.SIGKILL)
        assert server.process.wait(PATIENCE) == 5
        assert re.search(r"^farfalia: here-\d failed: .*farfalia.db", server.log(), re.MULTILINE), server.log()
        assert "Traceback" not in server.log()


def test_workers_as_users_start_them_show_the_admin_token_once(tmp_path: Path) -> None:
    command = ["-m", "farfalia_server", "serve", "--workers", "2", "--data-dir", str(tmp_path / "data")]
    with socket.socket() as one, socket.socket() as two:
        one.bind(("127.0.0.1", 0))
        two.bind(("127.0.0.1", 0))
        command += ["--grpc-port", str(one.getsockname()[1]), "--http-port", str(two.getsockname()[1])]
    with (tmp_path / "out").open("wb") as out:
        server = subprocess.Popen([sys.executable, *command], stdout=out, stderr=out, start_new_session=True)
    try:
        until(lambda: "start the server with --admin-token NEW" in (tmp_path / "out").read_text())
        os.killpg(server.pid, signal.SIGINT)
        assert server.wait(PATIENCE) == 0
    finally:
        server.kill()
        server.wait()
    said = (tmp_path / "out").read_text()
    assert said.count("Bots connect to") == said.count("Admin token, shown only once") == 1
    assert said.count("Stopping after the running matches.") == 1
    assert "Traceback" not in said


def scraped(server: LiveServer) -> dict[str, float]:
    """The samples that one scrape has, over a connection of its own."""
    lines = server.page("/metrics")[1].splitlines()
    samples = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    assert len({name for name, _, _ in samples}) == len(samples), "no series comes twice"
    return {name: float(value) for name, _, value in samples}


def finished(scrape: Mapping[str, float]) -> list[float]:
    """How many matches each of the two workers has finished, by a scrape."""
    return [scrape.get(f'farfalia_matches_finished_total{{worker="here-{number}"}}', 0.0) for number in (1, 2)]


def test_every_scrape_has_the_metrics_of_all_workers(tmp_path: Path) -> None:
    with live_server(tmp_path, workers=2, node="here", max_tables=2) as server:
        houses = [f"house-greedy-{number}" for number in range(1, 6)]
        played = 0
        # A worker may take longer than one tournament to tell the other one that it has room.
        while min(finished(scraped(server))) == 0 and played < 600:
            server.wait_for(server.tournament(houses, rounds=30, ruleset="basic"))
            played += 30
        until(lambda: scraped(server)['farfalia_matches{state="running"}'] == 0)
        scrapes = [scraped(server) for _ in range(6)]
        assert len({tuple(scrape) for scrape in scrapes}) == 1, "each has the same series, whichever worker answers"
        for scrape in scrapes:
            assert sum(finished(scrape)) == played
            assert min(finished(scrape)) > 0, "both have played"
            assert scrape['farfalia_well{part="database",worker="here-2"}'] == 1
            assert scrape["farfalia_nodes"] == 2
