"""`farfalia backup` of a running server, and `farfalia restore` into the same database or another one."""

import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.server.live import PATIENCE, live_server
from tests.server.rawbot import RawBot, first_legal
from tests.server.shared_redis import emptied_redis

from farfalia.v1 import bots_pb2
from farfalia_server.contract.errors import AnotherServer


@pytest.mark.slow
@pytest.mark.parametrize("moves", [False, True], ids=["back to where it was", "from SQLite to PostgreSQL"])
def test_a_server_goes_back_to_its_backup_and_plays_what_was_open_on_new_boards(
    tmp_path: Path, farfalia: Command, request: pytest.FixtureRequest, moves: bool
) -> None:
    other = request.getfixturevalue("postgres").database() if moves else ""
    where = ("--data-dir", tmp_path / "data")
    with live_server(tmp_path, max_tables=1, limit_ms=600_000) as server:
        token = server.register("slow")
        with RawBot(server.grpc_address, token) as bot:
            tournament = server.tournament(["slow", "house-greedy-1"], rounds=3, ruleset="two")
            bot.question()
            assert "farfalia.backup has " in farfalia.told("backup", "farfalia.backup", *where)
            server.register("late")
            refused = farfalia.refused("restore", "farfalia.backup", "--replace", *where, code=AnotherServer.exit_code)
            assert "another server uses the database" in refused
        server.stop()
        if not moves:
            (refused,) = farfalia.refused("restore", "farfalia.backup", *where).splitlines()
            assert "is not empty" in refused
        target = ("--database-url", other) if moves else ("--replace", *where)
        assert "from SQLite." in farfalia.told("restore", "farfalia.backup", *target)
    with live_server(tmp_path, database_url=other) as server, RawBot(server.grpc_address, token, react=first_legal):
        after = server.wait_for(tournament)
        assert after.finished == after.matches == 3
        records = [server.record(match.id) for match in server.matches(tournament)]
        assert [server.verify(record) for record in records] == [[]] * 3
        assert {standing.strikes for standing in after.standings} == {0}
        # The match whose cards the bot had seen has others now.
        assert sorted(record.source.board for record in records) == ["board-1-1.1.2", "board-1-2", "board-1-3"]
        names = {bot.name for bot in server.call("ListBots", bots_pb2.ListBotsRequest()).bots}
        assert "slow" in names
        assert "late" not in names
        assert "Traceback" not in server.log()


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
def test_a_cluster_is_restored_when_its_nodes_have_stopped_and_one_that_slept_ends(
    tmp_path: Path, farfalia: Command, database_url: str
) -> None:
    where, redis_url = ("--database-url", database_url), emptied_redis()
    with ExitStack() as servers:
        nodes = []
        for name in ("A", "B"):
            (tmp_path / name).mkdir()
            server = live_server(tmp_path / name, node=name, redis_url=redis_url, database_url=database_url)
            nodes.append(servers.enter_context(server))
        running, sleeping = nodes
        assert farfalia("backup", "farfalia.backup", *where).returncode == 0
        running.register("late")
        sleeping.process.send_signal(signal.SIGSTOP)
        for _ in range(30):  # both nodes renew one lease, and the one that sleeps may have been the last to do it
            refused = farfalia.refused("restore", "farfalia.backup", "--replace", *where, code=AnotherServer.exit_code)
            if "node A, process" in refused:
                break
        assert "another server uses the database" in refused
        assert "node A, process" in refused
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(PATIENCE) == 0
        farfalia.told("restore", "farfalia.backup", "--replace", *where)
        sleeping.process.send_signal(signal.SIGCONT)
        assert sleeping.process.wait(PATIENCE) == AnotherServer.exit_code
        assert "was restored from a backup while this server ran" in sleeping.log()
        for node in nodes:
            node.start()
        for node in nodes:
            names = {bot.name for bot in node.call("ListBots", bots_pb2.ListBotsRequest()).bots}
            assert "late" not in names
            assert "Traceback" not in node.log()
        token = nodes[0].register("new")
        with RawBot(nodes[1].grpc_address, token, react=first_legal):
            after = nodes[0].wait_for(nodes[0].tournament(["new", "house-greedy-1"], rounds=2, ruleset="two"))
        assert after.finished == 2


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("backup", "a.backup", "--data-dir", "nowhere"), 1, "there is no database nowhere/farfalia.db"),
        (("backup", "a.backup", "--database-url", "mysql://host/name"), 1, "expected sqlite:///PATH or postgresql://"),
        (("restore", "missing.backup"), 2, "missing.backup"),
        (("restore", "text", "--data-dir", "nowhere"), 1, "text is not a backup"),
        (("backup", "a.backup", "--config", "bad.toml"), 2, "colour"),
    ],
)
def test_what_cannot_be_backed_up_or_restored_is_one_sentence(
    tmp_path: Path, farfalia: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "text").write_text("some text")
    (tmp_path / "bad.toml").write_text("colour = 1\n")
    assert said in farfalia.refused(*words, code=code)
