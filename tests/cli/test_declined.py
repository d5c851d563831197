"""What commands say that a server declines, or that find none."""

from pathlib import Path

import pytest
from tests.cli.asked_server import server
from tests.cli.command import Command
from tests.server.live import ADMIN, LiveServer, live_server
from tests.server.postgres_fixture import Postgres

__all__ = ["server"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tournament", "show", "999"), "999"),
        (("bot", "show", "nobody"), "nobody"),
        (("bot", "register", "a b"), "'a b'"),
        (("replay", "999"), "999"),
        (("tournament", "create", "Friday", "nobody"), "nobody"),
        (("ratings", "whist"), "whist"),
    ],
)
def test_what_a_server_declines_is_one_sentence(
    server: LiveServer, farfalia: Command, arguments: tuple[str, ...], said: str
) -> None:
    done = farfalia(*arguments, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_without_the_admin_token_the_command_says_how_to_show_it(server: LiveServer, farfalia: Command) -> None:
    done = farfalia("tournament", "start", 1, "--server", server.grpc_address, "--admin-token", "wrong")
    assert done.returncode == 1
    assert "--admin-token or FARFALIA_ADMIN_TOKEN" in done.stderr


def test_where_no_server_is_the_command_says_so(farfalia: Command) -> None:
    done = farfalia("queue", "--server", "127.0.0.1:1")
    assert done.returncode == 1
    assert done.stderr == (
        "farfalia: no server answers at 127.0.0.1:1; start one with `farfalia serve`, or name another with --server "
        "or FARFALIA_SERVER\n"
    )


def test_while_the_database_is_unreachable_a_command_repeats_what_the_server_says(
    tmp_path: Path, farfalia: Command, postgres: Postgres
) -> None:
    with live_server(tmp_path, database_url=postgres.database()) as server:
        postgres.stop()
        try:
            done = farfalia("tournament", "show", 1, FARFALIA_SERVER=server.grpc_address)
        finally:
            postgres.go_on()
    assert done.returncode == 1
    assert f"the server at {server.grpc_address} cannot do that now: the database at " in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_server_s_address_that_is_none_is_a_sentence(farfalia: Command) -> None:
    done = farfalia("queue", "--server", "here:there:1x")
    assert done.returncode == 1
    assert "expected host:port" in done.stderr
