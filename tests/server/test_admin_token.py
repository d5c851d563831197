"""An admin token that can be guessed: where other machines can connect, a server does not start with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli import forked
from tests.cli.command import LIMIT, environment
from tests.server.live import live_server

from farfalia_server.admin_token import LEAST, check_admin_token
from farfalia_server.contract.errors import SettingsError


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "arena.example", ""])
def test_where_others_can_connect_a_short_token_is_refused_and_not_repeated(host: str) -> None:
    with pytest.raises(SettingsError, match=r"^admin_token has 15 characters, .*.*`openssl rand") as raised:
        check_admin_token(host, "guess-me-please")
    assert "guess-me" not in str(raised.value)
    check_admin_token(host, "x" * LEAST)
    check_admin_token(host, "")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_on_this_machine_alone_any_token_will_do(host: str) -> None:
    check_admin_token(host, "x")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_with_a_short_token_starts_for_this_machine_only(tmp_path: Path, workers: str) -> None:
    words = ["serve", "--data-dir", str(tmp_path / "data"), "--insecure", "--grpc-port", "0", "--http-port", "0"]
    done = forked.run(
        [*words, "--host", "0.0.0.0", "--workers", workers], tmp_path, environment(FARFALIA_ADMIN_TOKEN="secret"), LIMIT
    )
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if "admin_token has 6 characters" in line] == [
        "farfalia: admin_token has 6 characters, and host is 0.0.0.0, so strangers can try tokens; expected at least "
        "16, such as `openssl rand -hex 32` prints"
    ]
    assert "Traceback" not in done.stderr


def test_a_server_for_this_machine_alone_takes_a_short_token(tmp_path: Path) -> None:
    with live_server(tmp_path, admin_token="secret") as server:
        assert server.http_address
