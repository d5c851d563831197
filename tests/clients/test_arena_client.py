"""The typed calls of both Python clients are the contract's, and an organiser's evening is a script of twenty lines."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from tests.cli.command import LIMIT, Command
from tests.server.live import ADMIN, LiveServer, live_server
from tests.server.silent import silent_server

import farfalia.arena as farfalia_arena
from farfalia import settings
from farfalia.arena import Arena, ArenaError, SyncArena
from farfalia.arena_errors import arena_error
from farfalia.v1 import arena_pb2, events_pb2
from farfalia_tools import arena_client

ROOT = Path(__file__).parents[2]
SCRIPT, _ = re.findall(r"```python\n(.*?)```", (ROOT / "docs/scripts.md").read_text(encoding="utf-8"), re.S)
CALLS = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("serve"), registration="open") as up:
        yield up


@pytest.mark.parametrize("way", arena_client.WAYS, ids=lambda way: way.name)
def test_the_typed_calls_are_those_of_the_contract(way: arena_client.Way, tmp_path: Path) -> None:
    kept = way.file.read_text(encoding="utf-8")
    made = tmp_path / way.file.name
    made.write_text(arena_client.written(way), encoding="utf-8")
    for command in (("check", "--fix", "--quiet"), ("format", "--quiet")):
        subprocess.run([sys.executable, "-m", "ruff", *command, "--config", ROOT / "pyproject.toml", made], check=True)
    assert made.read_text(encoding="utf-8") == kept, "make proto writes it"


def test_both_clients_have_a_method_of_each_call_and_of_each_paged_list() -> None:
    expected = {re.sub("(?<!^)(?=[A-Z])", "_", call.name).lower() for call in CALLS}
    expected |= {"all_accounts", "all_bots", "all_ratings", "all_rating_chain", "all_acts", "all_tournaments"}
    expected |= {"all_matches", "all_void_attempts", "ask", "stream", "pages"}
    for way in arena_client.WAYS:
        tree = ast.parse(way.file.read_text(encoding="utf-8"))
        methods = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert methods == expected


async def test_calls_take_keywords_and_refusals_have_their_reason(server: LiveServer) -> None:
    async with Arena(server.grpc_address, ADMIN) as arena:
        made = await arena.create_account(name="ada", bot="ant")
        assert made.bot_token
        await arena.create_event(event=events_pb2.Event(name="course", title="A course"))
        hidden = await arena.moderate_bot(name="ant", hidden=True)
        assert (hidden.bot.hidden, hidden.bot.suspended) == (True, False)
        assert (await arena.moderate_bot(name="ant", hidden=False)).bot.hidden is False
        assert [event.name for event in (await arena.list_events()).events] == ["course", "arena"]
        with pytest.raises(ArenaError) as taken:
            await arena.create_account(name="ada")
        assert (taken.value.reason, taken.value.code, taken.value.field) == ("NAME_TAKEN", "ALREADY_EXISTS", "")
        with pytest.raises(ArenaError) as wrong:
            await arena.create_account(name="two words")
        assert (wrong.value.reason, wrong.value.code, wrong.value.field) == (
            "FIELD_INVALID",
            "INVALID_ARGUMENT",
            "name",
        )
        with pytest.raises(ArenaError) as unknown:
            async for _ in arena.watch_tournament(id=999):
                pass
        assert (unknown.value.reason, unknown.value.code) == ("TOURNAMENT_UNKNOWN", "NOT_FOUND")
    async with Arena(server.grpc_address) as nobody:
        with pytest.raises(ArenaError, match="needs the token"):
            await nobody.create_tournament(name="cup")


def test_without_await_calls_pages_and_streams_are_the_same(server: LiveServer) -> None:
    with SyncArena(server.grpc_address, ADMIN) as arena:
        made = arena.create_tournament(
            name="cup", ruleset="three", bots=[f"house-{name}-1" for name in ("greedy", "cautious", "random")], rounds=3
        )
        number = made.tournament.id
        arena.start_tournament(id=number)
        for shown in arena.watch_tournament(id=number):
            states = shown.tournament
        assert (states.finished, states.matches) == (3, 3)
        arena.page = 2  # more than one is asked for
        assert [match.id for match in arena.all_matches(tournament=number)] == [3, 2, 1]
        assert [match.id for match in arena.all_matches(tournament=number, limit=2)] == [3, 2]
        assert [match.id for match in arena.all_matches(tournament=number, limit=1, before=3)] == [2]
        assert arena.get_record(match=1).record.match == 1
        *_, found = arena.rebuild_ratings(replace=False)
        assert found.over
        with pytest.raises(ArenaError) as unknown:
            next(arena.watch_tournament(id=999))
        assert (unknown.value.reason, unknown.value.code) == ("TOURNAMENT_UNKNOWN", "NOT_FOUND")


async def test_the_calls_without_await_work_where_an_event_loop_runs(server: LiveServer) -> None:
    async with Arena(server.grpc_address, ADMIN) as awaited:
        await awaited.list_bots()
        with SyncArena(server.grpc_address, ADMIN) as arena:
            assert list(arena.all_bots()) == [bot async for bot in awaited.all_bots()]
        await awaited.list_bots()


def test_what_is_left_early_ends_its_call(server: LiveServer) -> None:
    with SyncArena(server.grpc_address, ADMIN) as arena:
        made = arena.create_tournament(name="later", bots=["house-greedy-1"], rounds=1)
        for shown in arena.watch_tournament(id=made.tournament.id):
            assert shown.tournament.name == "later"
            break
        arena.cancel_tournament(id=made.tournament.id)


@pytest.mark.parametrize(("call", "again"), [("list_bots", True), ("get_queue", True), ("announce", False)])
def test_what_was_not_answered_in_time_may_be_called_again_if_it_changes_nothing(call: str, again: bool) -> None:
    with silent_server() as address, SyncArena(address, timeout=0.2) as arena, pytest.raises(ArenaError) as late:
        getattr(arena, call)()
    assert (late.value.code, late.value.reason, late.value.retryable) == ("DEADLINE_EXCEEDED", "", again)


def test_whoever_was_not_reached_may_be_called_again() -> None:
    with SyncArena("127.0.0.1:1") as arena, pytest.raises(ArenaError, match="no server answers") as away:
        arena.announce(text="hello")
    assert (away.value.code, away.value.reason, away.value.retryable) == ("UNAVAILABLE", "", True)
    with pytest.raises(ArenaError) as misspelt:
        SyncArena("here:there:1x")
    assert (misspelt.value.code, misspelt.value.retryable) == ("", False)


@pytest.mark.parametrize(("call", "again"), [("GetTournament", True), ("WatchTournament", True), ("Announce", False)])
def test_after_a_lost_connection_only_what_reads_may_be_called_again(call: str, again: bool) -> None:
    lost = grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata(), "Socket closed")
    assert arena_error(lost, settings.server("127.0.0.1:1", "none"), call).retryable is again


@pytest.fixture(scope="module")
def registered(server: LiveServer) -> None:
    for name in ("ada", "ben", "cleo"):
        server.register(name, house="greedy")


def run(script: str, server: LiveServer, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "friday.py"
    file.write_text(script, encoding="utf-8")
    environment = os.environ | {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_ADMIN_TOKEN": ADMIN}
    command = [sys.executable, file.name]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT)


@pytest.mark.usefixtures("registered")
def test_the_script_of_the_documents_runs_as_it_stands(server: LiveServer, tmp_path: Path) -> None:
    ran = run(SCRIPT, server, tmp_path)
    assert not ran.returncode, ran.stderr
    assert "6 of 6 matches" in ran.stdout
    assert re.search(r"^1 (ada|ben|house-greedy-1) \d+", ran.stdout, re.M)
    assert sorted(file.suffix for file in (tmp_path / "Friday").iterdir()) == [".json"] * 6
    Command(tmp_path).told("verify", tmp_path / "Friday")


def test_the_script_says_in_one_sentence_what_the_server_declines(server: LiveServer, tmp_path: Path) -> None:
    ran = run(SCRIPT.replace('"ada"', '"nobody"'), server, tmp_path)
    assert ran.returncode
    assert ran.stderr == "FIELD_INVALID: there is no bot 'nobody'; register it first\n"


@pytest.mark.usefixtures("registered")
def test_the_example_in_the_reference_runs(server: LiveServer, tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", farfalia_arena.__doc__ or "", re.S)
    script = example.replace('"127.0.0.1:7600", token="…"', f"{server.grpc_address!r}, token={ADMIN!r}")
    ran = run(f"{script}        print(record.match)\n", server, tmp_path)
    assert not ran.returncode, ran.stderr
    assert "2 of 2 matches" in ran.stdout
