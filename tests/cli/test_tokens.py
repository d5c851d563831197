"""Commands that make and keep the tokens of bots and accounts."""

import re
import subprocess
import sys
from pathlib import Path

from tests.cli.asked_server import admin, sample, server, until_connected
from tests.cli.command import LIMIT, Command, environment
from tests.server.live import ADMIN, LiveServer, live_server, until
from tests.server.mail_server import link_in, mail_server

from farfalia.v1 import accounts_pb2
from farfalia_server.cli.bot import write_secret

__all__ = ["admin", "server"]


def test_a_bot_comes_back_by_its_token_file(server: LiveServer, admin: Command, tmp_path: Path) -> None:
    for _ in range(2):
        with sample(server, "cleo", tmp_path):
            until_connected(admin, "cleo")
    assert (tmp_path / "cleo.token").stat().st_mode & 0o077 == 0


def test_a_token_file_that_others_could_read_is_not_readable_for_them_any_more(tmp_path: Path) -> None:
    file = tmp_path / "bot.token"
    file.write_text("old\n")
    file.chmod(0o644)
    write_secret(file, "new")
    assert file.read_text() == "new\n"
    assert file.stat().st_mode & 0o077 == 0


def test_a_link_to_a_new_password_is_mailed_at_a_command(tmp_path: Path) -> None:
    with mail_server(tmp_path) as boxes, live_server(tmp_path, registration="open", **boxes.settings()) as live:
        nobody = Command(tmp_path, FARFALIA_SERVER=live.grpc_address)
        token = nobody.told("account", "register", "olga", "--email", "olga@mail.example").strip()
        own = Command(tmp_path, FARFALIA_SERVER=live.grpc_address, FARFALIA_ACCOUNT_TOKEN=token)
        assert "Links to a new password go to olga@mail.example." in own.told("account", "show")
        assert "is on its way there" in nobody("account", "lost-password", "olga").stderr
        until(lambda: len(boxes.mails) == 1)
        admin = Command(tmp_path, FARFALIA_SERVER=live.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
        made = admin("account", "password-link", "olga")
        assert "It was sent to the e-mail address of the account." in made.stderr
        assert link_in(boxes.mails[1][1]).endswith(made.stdout.strip())
        assert "has no e-mail address now" in own("account", "email").stderr
        assert "olga@mail.example" not in own.told("account", "show")
        assert "It was sent" not in admin("account", "password-link", "olga").stderr


def test_an_account_has_bots_and_shows_them(server: LiveServer, admin: Command, tmp_path: Path) -> None:
    where = server.grpc_address
    token = Command(tmp_path, FARFALIA_SERVER=where).told("account", "register", "olga").strip()
    own = Command(tmp_path, FARFALIA_SERVER=where, FARFALIA_ACCOUNT_TOKEN=token)
    own.told("bot", "register", "owl")
    assert "olga, owner, 1 of at most 20 bots with a token." in own.told("account", "show")
    assert own.told("bot", "revoke-token", "owl") == "owl no longer has a token.\n"
    assert "0 of at most 20" in own.told("account", "show")
    assert own.told("bot", "rotate-token", "owl").strip()
    said = own.refused("account", "list")
    assert "the token is that of the account olga, an owner; expected the token of a viewer" in said
    code = admin.told("invitation", "create", "--uses", 3, "--note", "class 3b")
    assert re.fullmatch(r"(\w{5}-){3}\w{5}\n", code)
    assert "class 3b" in admin.told("invitation", "list")
    admin.told("invitation", "revoke", 1)
    assert "olga" in admin.told("account", "list")
    admin.told("account", "revoke", "olga")
    again = admin.told("account", "rotate-token", "olga").strip()
    assert "owl" in own.told("account", "show", FARFALIA_ACCOUNT_TOKEN=again)


def test_an_account_gets_a_password_from_a_pipe(server: LiveServer, admin: Command, tmp_path: Path) -> None:
    admin.told("account", "register", "piper")
    assert "password has 0 characters; expected 8 to 200" in admin.refused("account", "password", "piper")
    settings = environment(FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
    command = [sys.executable, "-m", "farfalia_server", "account", "password", "piper"]
    done = subprocess.run(
        command, input="a good password\n", env=settings, capture_output=True, text=True, timeout=LIMIT
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    signed_in = server.call("SignIn", accounts_pb2.SignInRequest(name="piper", password="a good password"))
    assert signed_in.account.name == "piper"
