"""`farfalia doctor` at the borders: Redis, files and folders, the server's processes, hosts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from tests.cli.conftest import redis_url
from tests.server.doctor.findings import bad, redis, settings

from farfalia_server.contract.registration import Registration
from farfalia_server.doctor import Finding, FindingState
from farfalia_server.doctor.hosts import check_hosts
from farfalia_server.doctor.permissions import check_folders, check_secrets
from farfalia_server.doctor.processes import check_processes
from farfalia_tools.bench.processes import free_port

__all__ = ["redis_url"]

#: Root is refused nothing, so what is to be looked into runs as nobody then.
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
#: Listens on a port, and has a child with this environment.
SERVER = """
import socket, subprocess, sys, time
from farfalia_server.net.secrecy import hide
port, hidden, variable = int(sys.argv[1]), sys.argv[2] == "True", sys.argv[3]
if hidden:
    hide()
listener = socket.create_server(("127.0.0.1", port))
with subprocess.Popen(["sleep", "600"], env=dict([variable.split("=")])):
    print("listens", flush=True)
"""


async def access(folder: Path, url: str) -> list[str]:
    """What doctor says of who gets at a Redis."""
    found = bad(await redis(settings(folder, redis_url=url)))
    return [finding.text for finding in found if "append-only" not in finding.text]


async def test_a_redis_that_lets_in_who_has_no_password_is_warned_of(tmp_path: Path, redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        client.config_set("requirepass", "word")
        assert await access(tmp_path, redis_url.replace("//", "//:word@")) == []
        client.execute_command("AUTH", "word")
        client.acl_setuser("arena", enabled=True, passwords=["+word"], commands=["+@all"], keys=["*"], channels=["*"])
        client.config_set("requirepass", "")
        [text] = await access(tmp_path, redis_url.replace("//", "//arena:word@"))
        assert text.endswith("lets in who has no password, although redis_url has one.")


async def test_a_redis_here_that_listens_for_other_machines_is_not_as_it_should_be(
    tmp_path: Path, redis_url: str
) -> None:
    with Redis.from_url(redis_url) as client:
        client.config_set("protected-mode", "yes")
        client.config_set("bind", "* -::*")
        assert "other machines" not in "".join(await access(tmp_path, redis_url))  # it refuses them
        client.config_set("protected-mode", "no")
        found = bad(await redis(settings(tmp_path, redis_url=redis_url)))
        [open_to_all] = [finding for finding in found if "other machines" in finding.text]
        assert open_to_all.state is FindingState.PROBLEM
        assert open_to_all.text.endswith(
            "listens on 0.0.0.0, ::, where other machines can reach it without a password."
        )
        client.config_set("requirepass", "word")
        [text] = await access(tmp_path, redis_url.replace("//", "//:word@"))
        assert text.endswith("listens on 0.0.0.0, ::, where other machines can reach it.")


@pytest.mark.parametrize("name", ["passfile", "sslkey"])
def test_a_file_that_the_address_of_the_database_names_is_secret(tmp_path: Path, name: str) -> None:
    file = tmp_path / "named"
    file.touch(0o600)
    chosen = settings(tmp_path, database_url=f"postgresql://farfalia@db/farfalia?{name}={file}")
    assert bad(list(check_secrets(chosen))) == []
    file.chmod(0o644)
    [found] = bad(list(check_secrets(chosen)))
    assert found.remedy == f"chmod go-rwx {file}"


@pytest.mark.parametrize("folder", ["data", "data/redis", "data/host", "data/host/programs", "farfalia-host"])
def test_a_folder_that_others_may_write_to_is_a_problem(
    tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    open_to_all = tmp_path / folder
    open_to_all.mkdir(parents=True)
    chosen = settings(tmp_path)
    open_to_all.chmod(0o755)
    assert bad(list(check_folders(chosen))) == []
    for mode in (0o777, 0o775):
        open_to_all.chmod(mode)
        [found] = bad(list(check_folders(chosen)))
        assert found.state is FindingState.PROBLEM
        assert found.remedy.startswith("chmod go-w ")
        assert found.remedy.endswith(folder)


@contextmanager
def listening(port: int, *, hidden: bool, variable: str) -> Iterator[None]:
    words = [*AS_NOBODY, sys.executable, "-c", SERVER, str(port), str(hidden), variable]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"listens\n"
        try:
            yield
        finally:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            for child in (*map(int, children), process.pid):
                os.kill(child, 9)


def processes(folder: Path, *, hidden: bool, variable: str) -> list[Finding]:
    port = free_port()
    with listening(port, hidden=hidden, variable=variable):
        return list(check_processes(settings(folder, grpc_port=port), running=True))


linux = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")


@linux
def test_a_server_that_hides_and_tells_its_processes_nothing_is_well(tmp_path: Path) -> None:
    assert bad(processes(tmp_path, hidden=True, variable="PATH=/bin")) == []


@linux
def test_a_server_that_other_programs_can_look_into_is_warned_of(tmp_path: Path) -> None:
    [found] = bad(processes(tmp_path, hidden=False, variable="PATH=/bin"))
    assert found.text.startswith("Other programs of its user can look into process ")


@linux
@pytest.mark.parametrize("name", ["FARFALIA_ADMIN_TOKEN", "FARFALIA_DATABASE_URL", "FARFALIA_REDIS_URL"])
def test_a_process_of_a_server_that_was_told_a_secret_is_named(tmp_path: Path, name: str) -> None:
    found = bad(processes(tmp_path, hidden=False, variable=f"{name}=x"))[-1]
    assert found.text.endswith(f"(sleep) of the running server has {name} in its environment.")


def hosts(folder: Path, environment: dict[str, str], **more: object) -> list[Finding]:
    return list(check_hosts(settings(folder, **more), environment))


def test_a_host_whose_token_is_beside_the_admin_token_is_warned_of(tmp_path: Path) -> None:
    admin, host = "a" * 32, "h" * 32
    assert hosts(tmp_path, {}, admin_token=admin) == []
    assert bad(hosts(tmp_path, {"FARFALIA_HOST_TOKEN": host})) == []
    [beside] = bad(hosts(tmp_path, {"FARFALIA_HOST_TOKEN": host}, admin_token=admin))
    assert beside.state is FindingState.WARNING
    assert "are on one machine" in beside.text
    [same] = bad(hosts(tmp_path, {"FARFALIA_HOST_TOKEN": admin}, admin_token=admin))
    assert same.state is FindingState.PROBLEM
    assert same.text == "FARFALIA_HOST_TOKEN is the admin token, which can do everything."


@pytest.mark.parametrize(
    ("server", "words"),
    [
        ("", ""),
        ("127.0.0.1:7600", ""),
        ("[::1]:7600", ""),
        ("https://arena.example", ""),
        ("farfalias://arena.example", ""),
        ("arena.example", "A host here talks to arena.example:7600 without TLS"),
        ("http://10.0.0.9:7600", "A host here talks to 10.0.0.9:7600 without TLS"),
        ("ftp://arena.example", "expected host:port"),
    ],
)
def test_a_host_that_talks_to_another_machine_needs_tls(tmp_path: Path, server: str, words: str) -> None:
    found = bad(hosts(tmp_path, {"FARFALIA_HOST_TOKEN": "h" * 32, "FARFALIA_SERVER": server}))
    assert len(found) == bool(words)
    assert words in "".join(finding.text for finding in found)


@pytest.mark.parametrize(("registration", "warned"), [(Registration.OPEN, True), (Registration.CLOSED, False)])
def test_strangers_programs_beside_the_server_are_warned_of(
    tmp_path: Path, registration: Registration, warned: bool
) -> None:
    assert bool(bad(hosts(tmp_path, {}, host_programs=True, registration=registration))) is warned
