"""`farfalia serve`: how a server starts and ends, and what it tells."""

import asyncio
import os
import re
import signal
import socket
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, cast

import pytest
from tests.cli import forked
from tests.cli.command import LIMIT, Command, environment
from tests.server.live import ADMIN, LiveServer, live_server, until
from tests.server.postgres_fixture import Postgres, database_url

from farfalia_server.cli.serve import _serve, _ServerToRun

__all__ = ["database_url"]

#: The last that a start says where no admin token was chosen.
HINT = "If you lose the admin token, start the server with --admin-token NEW."


def shown_token(server: LiveServer) -> str:
    """The admin token that the first start shows."""
    until(lambda: HINT in server.log())
    (token,) = re.findall(r"^Admin token, shown only once: (\S+)$", server.log(), re.MULTILINE)
    return str(token)


def test_every_start_says_how_to_connect_and_only_the_first_shows_the_admin_token(
    tmp_path: Path, farfalia: Command
) -> None:
    with live_server(tmp_path, admin_token="") as server:
        token = shown_token(server)
        downloads = f"http://{server.http_address}/downloads/"
        assert f"Python: install the SDK from {downloads}\n" in server.log()
        assert "Other languages: the contract and how to use it are there, too" in server.log()
        assert "farfalia" in urllib.request.urlopen(f"http://{server.http_address}/").read().decode()
        as_admin = ("--server", server.grpc_address, "--admin-token")
        assert re.fullmatch(r"\S{20,}\n", farfalia.told("bot", "register", "ada", *as_admin, token))
        end(server, signal.SIGINT)
        server.start()
        until(lambda: server.log().count(HINT) == 2)
        assert server.log().count(token) == 1
        farfalia.told("bot", "rotate-token", "ada", *as_admin, token)
        end(server, signal.SIGTERM)
    with live_server(tmp_path, admin_token="new") as server:
        assert server.log().count(HINT) == 2
        farfalia.told("bot", "register", "ben", "--server", server.grpc_address, "--admin-token", "new")


def end(server: LiveServer, number: signal.Signals) -> None:
    """A signal shuts the server down cleanly."""
    server.process.send_signal(number)
    assert server.process.wait(LIMIT) == 0
    assert "Traceback" not in server.log()


def test_a_server_that_is_ended_while_it_starts_leaves_nothing_behind(tmp_path: Path) -> None:
    data = tmp_path / "data"
    arguments = ("serve", "--data-dir", str(data), "--grpc-port", "0", "--http-port", "0")
    process, told = forked.watched(arguments, environment(), tmp_path, tmp_path / "out")
    with told:
        until((data / "redis" / "redis.pid").exists)  # long before it listens
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) in {0, 128 + signal.SIGTERM}  # 0 if it was quicker
        assert "Traceback" not in told.read()
    assert not list((data / "redis").glob("redis.sock")), "Redis removes its socket when it ends"


class _Deaf:
    """A server whose start goes on although it was cancelled: what it waited for came at the same moment."""

    async def __aenter__(self) -> Self:
        os.kill(os.getpid(), signal.SIGTERM)
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(LIMIT)
        return self

    async def __aexit__(self, *error: object) -> None: ...


def test_a_server_that_does_not_notice_its_end_while_it_starts_ends_when_it_is_up() -> None:
    async def introduce() -> None:
        raise AssertionError("it should have ended")

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(_serve(_ServerToRun(cast(Any, _Deaf()), introduce)))


def test_the_admin_token_is_shown_by_the_first_start_that_succeeds(
    tmp_path: Path, database_url: str, farfalia: Command
) -> None:
    data = ("--data-dir", tmp_path / "data", "--database-url", database_url)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        for ports in (("--grpc-port", taken, "--http-port", 0), ("--grpc-port", 0, "--http-port", taken)):
            assert f"cannot listen on 127.0.0.1:{taken}" in farfalia.refused("serve", *data, *ports)
            assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "redis").write_text("no directory")
    failed = farfalia.refused("serve", *data, "--grpc-port", 0, "--http-port", 0)
    assert "cannot be used for Redis" in failed
    (tmp_path / "data" / "redis").unlink()
    with live_server(tmp_path, admin_token="", database_url=database_url) as server:
        farfalia.told("bot", "register", "ada", "--server", server.grpc_address, "--admin-token", shown_token(server))


def test_an_admin_token_that_could_not_be_printed_is_replaced_at_the_next_start(tmp_path: Path) -> None:
    command = ["serve", "--data-dir", str(tmp_path / "data"), "--grpc-port", "0", "--http-port", "0"]
    with Path("/dev/full").open("wb") as full, Path(os.devnull).open("wb") as nothing:
        assert forked.start(command, environment(), full.fileno(), nothing.fileno()).wait(LIMIT) != 0
    with live_server(tmp_path, admin_token="") as server:
        assert shown_token(server)


def test_a_server_on_every_address_names_one_that_others_reach(tmp_path: Path, farfalia: Command) -> None:
    with live_server(tmp_path, host="0.0.0.0", insecure=True, public_address="localhost") as server:
        assert "0.0.0.0" not in server.log()
        assert re.search(r"FARFALIA_SERVER=localhost:\d+ ", server.log())
        assert server.http_address.startswith("localhost:")
        assert farfalia("nodes", "--server", server.grpc_address).returncode == 0
        server.stop()
    with live_server(tmp_path, host="0.0.0.0", insecure=True) as server:
        assert f"FARFALIA_SERVER={socket.gethostname()}:" in server.log()
        until(lambda: "start the server with --public-address HOST" in server.log())


def test_a_setting_that_cannot_be_is_wrong_usage(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("limit = 5\n")
    assert "limit" in farfalia.refused("serve", "--config", "settings.toml", code=2).splitlines()[-1]


def test_a_server_plays_on_the_databases_that_it_is_given(tmp_path: Path, redis_url: str, postgres: Postgres) -> None:
    with live_server(tmp_path, redis_url=redis_url, database_url=postgres.database()) as server:
        admin = Command(tmp_path, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
        admin.told("bot", "register", "ada", "--house", "greedy")
        admin.told("tournament", "create", "Friday", "ada", "house-random-1", "--rounds", 1, "--start")
        assert "1 of 1 matches, finished." in admin.told("tournament", "watch", 1)
    assert [*(tmp_path / "data").iterdir()] == []
