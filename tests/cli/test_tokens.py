"""Commands that make and keep the tokens of bots and accounts."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.cli.asked_server import ask, sample, server, until_connected
from tests.cli.command import Command
from tests.server.live import ADMIN, LiveServer

from farfalia_server.cli.bot import write_secret

__all__ = ["ask", "server"]


def test_a_bot_comes_back_by_its_token_file(server: LiveServer, ask: Callable[..., str], tmp_path: Path) -> None:
    for _ in range(2):
        with sample(server, "cleo", tmp_path):
            until_connected(ask, "cleo")
    assert (tmp_path / "cleo.token").stat().st_mode & 0o077 == 0


def test_a_token_file_that_others_could_read_is_not_readable_for_them_any_more(tmp_path: Path) -> None:
    file = tmp_path / "bot.token"
    file.write_text("old\n")
    file.chmod(0o644)
    write_secret(file, "new")
    assert file.read_text() == "new\n"
    assert file.stat().st_mode & 0o077 == 0


def test_an_account_has_bots_and_shows_them(server: LiveServer, farfalia: Command) -> None:
    where = {"FARFALIA_SERVER": server.grpc_address}
    made = farfalia("account", "register", "olga", **where)
    assert made.returncode == 0, made.stderr
    own = where | {"FARFALIA_ACCOUNT_TOKEN": made.stdout.strip()}
    assert farfalia("bot", "register", "owl", **own).returncode == 0
    assert "olga, owner, 1 of at most 20 bots with a token." in farfalia("account", "show", **own).stdout
    assert farfalia("bot", "revoke-token", "owl", **own).stdout == "owl no longer has a token.\n"
    assert "0 of at most 20" in farfalia("account", "show", **own).stdout
    assert farfalia("bot", "rotate-token", "owl", **own).stdout.strip()
    listed = farfalia("account", "list", **own)
    assert listed.returncode == 1
    assert "the token is that of the account olga, an owner; expected the token of a viewer" in listed.stderr
    admin = where | {"FARFALIA_ADMIN_TOKEN": ADMIN}
    code = farfalia("invitation", "create", "--uses", 3, "--note", "class 3b", **admin)
    assert re.fullmatch(r"(\w{5}-){3}\w{5}\n", code.stdout)
    assert "class 3b" in farfalia("invitation", "list", **admin).stdout
    assert farfalia("invitation", "revoke", 1, **admin).returncode == 0
    assert "olga" in farfalia("account", "list", **admin).stdout
    assert farfalia("account", "revoke", "olga", **admin).returncode == 0
    again = farfalia("account", "rotate-token", "olga", **admin)
    assert "owl" in farfalia("account", "show", **where, FARFALIA_ACCOUNT_TOKEN=again.stdout.strip()).stdout
