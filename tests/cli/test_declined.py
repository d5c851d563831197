"""What commands say that a server declines, or that find none."""

from pathlib import Path

import pytest
from tests.cli.asked_server import admin, server
from tests.cli.command import Command
from tests.server.live import LiveServer, live_server
from tests.server.postgres_fixture import Postgres
from tests.server.silent import silent_server

from farfalia.arena import ArenaError
from farfalia.v1 import bots_pb2, tournaments_pb2
from farfalia_server.cli.remote import ask

__all__ = ["admin", "server"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tournament", "show", "999"), "there is no tournament 999; `farfalia tournament list` shows all there are"),
        (("bot", "show", "nobody"), "there is no bot 'nobody'; `farfalia bot list` shows all there are"),
        (("bot", "register", "a b"), "'a b'"),
        (("replay", "999"), "999"),
        (("tournament", "create", "Friday", "nobody"), "nobody"),
        (("ratings", "chinkwy"), "there is no ladder 'chinkwy' (did you mean chinkway?); expected one of"),
        (("ratings", "rebuilt"), "there is no ladder 'rebuilt'"),
        (
            ("ratings", "rebuild", "--admin-token", "guessed"),
            "the token is not this server's, or was replaced; expected the admin token; show the right one with "
            "--admin-token or FARFALIA_ADMIN_TOKEN",
        ),
        (
            ("queue", "--server", "127.0.0.1:1"),
            "no server answers at 127.0.0.1:1; start one with `farfalia serve`, or name another with --server or "
            "FARFALIA_SERVER",
        ),
        (("queue", "--server", "here:there:1x"), "expected host:port"),
    ],
)
def test_what_a_server_declines_is_one_sentence(admin: Command, arguments: tuple[str, ...], said: str) -> None:
    (line,) = admin.refused(*arguments).splitlines()
    assert said in line


def test_without_the_admin_token_the_command_says_how_to_show_it(server: LiveServer, farfalia: Command) -> None:
    said = farfalia.refused("ratings", "rebuild", "--server", server.grpc_address)
    assert said == (
        "farfalia: this call needs the admin token; show the right one with --admin-token or FARFALIA_ADMIN_TOKEN\n"
    )


def test_while_the_database_is_unreachable_a_command_repeats_what_the_server_says(
    tmp_path: Path, farfalia: Command, postgres: Postgres
) -> None:
    with live_server(tmp_path, database_url=postgres.database()) as server:
        postgres.stop()
        try:
            (line,) = farfalia.refused("tournament", "show", 1, FARFALIA_SERVER=server.grpc_address).splitlines()
        finally:
            postgres.go_on()
    assert f"the server at {server.grpc_address} cannot do that now: the database at " in line


def test_a_change_that_is_not_answered_in_time_may_have_been_made() -> None:
    with silent_server() as silent:
        late = f"the server at {silent} did not answer in time"
        with pytest.raises(ArenaError, match=f"^{late}$"):
            ask(silent, "ListBots", bots_pb2.ListBotsRequest(), timeout=0.2)
        with pytest.raises(ArenaError, match=f"^{late}; it may have done it all the same: look before you retry$"):
            ask(silent, "CancelTournament", tournaments_pb2.CancelTournamentRequest(id=1), timeout=0.2)
