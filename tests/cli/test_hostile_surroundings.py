"""Commands, bots and servers where the environment, paths, files or the terminal are not what one would wish for."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import pytest
from tests.cli.command import Command, Run, environment, played, write
from tests.server.live import ADMIN, LiveServer, live_server

#: Nothing listens at port 9, and the password must not be shown.
PROXY = "http://me:secret@127.0.0.1:9"


#: Runs a command in a network of its own that has nothing but ::1.
IPV6_ALONE = (
    *("unshare", "--net", *([] if os.getuid() == 0 else ["--map-root-user"])),
    *("sh", "-c", 'ip link set lo up && ip address delete 127.0.0.1/8 dev lo && exec "$@"', "sh"),
)


def program(
    *arguments: object,
    encoding: str = "utf-8",
    stdout: BinaryIO | int = subprocess.PIPE,
    within: Sequence[str] = (),
    **more: str,
) -> Run:
    """The command in a Python of its own, which looks at its streams when it starts."""
    return subprocess.run(
        [*within, sys.executable, "-m", "farfalia_server", *map(str, arguments)],
        env=environment(PYTHONIOENCODING=encoding, **more),
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding=encoding,
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as up:
        for name in ("ant", "bee"):
            up.register(name)
        yield up


@pytest.mark.parametrize("variable", ["http_proxy", "https_proxy", "grpc_proxy"])
def test_this_machine_is_reached_whatever_proxy_the_environment_names(
    server: LiveServer, farfalia: Command, variable: str
) -> None:
    for host in ("127.0.0.1", "localhost"):
        address = server.grpc_address.replace("127.0.0.1", host)
        assert "ant" in farfalia.told("bot", "list", "--server", address, **{variable: PROXY})


def test_a_local_tournament_is_played_whatever_proxy_the_environment_names(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import farfalia\nfarfalia.run(farfalia.Bot())\n")
    farfalia.told("run", "--bot", "mine.py", "--bot", "greedy", "--game", "two", "--rounds", 1, http_proxy=PROXY)


def test_a_server_beyond_a_proxy_is_not_called_down_but_the_proxy_is_named(farfalia: Command) -> None:
    done = farfalia("bot", "list", "--server", "arena.invalid:7600", https_proxy=PROXY)
    assert done.returncode == 1
    assert done.stderr.startswith("farfalia: arena.invalid:7600 cannot be reached: ")
    assert done.stderr.endswith(
        "; it was dialled through the proxy 127.0.0.1:9, which https_proxy names; to connect without it, add "
        "arena.invalid to no_proxy\n"
    )
    assert "secret" not in done.stderr
    direct = farfalia("bot", "list", "--server", "arena.invalid:7600", https_proxy=PROXY, no_proxy=".invalid")
    assert (
        direct.stderr == "farfalia: arena.invalid:7600 cannot be reached: the name arena.invalid cannot be resolved\n"
    )


def test_health_checks_ask_this_machine_whatever_proxy_is_named(server: LiveServer, farfalia: Command) -> None:
    ports = {
        "FARFALIA_GRPC_PORT": server.grpc_address.rpartition(":")[2],
        "FARFALIA_HTTP_PORT": server.http_address.rpartition(":")[2],
    }
    done = farfalia("doctor", "--data-dir", server.folder / "data", http_proxy=PROXY, **ports)
    assert "A server runs with these settings" in done.stdout


def test_a_data_directory_may_be_called_anything(tmp_path: Path, farfalia: Command) -> None:
    names = ["a?1", "p%41q", "h#x", 'it\'s "so" ; & $HOME', "наш ♠ día", "a&mode=memory"]
    data = (tmp_path / "all").joinpath(*names)
    with live_server(tmp_path, data_dir=data) as server:
        server.register("ant")
    assert (data / "farfalia.db").is_file()
    assert [path.name for path in (tmp_path / "all").rglob("*") if data.is_relative_to(path)] == names
    assert {path for path in (tmp_path / "all").rglob("*") if not path.is_relative_to(data)} == set(data.parents) - {
        *(tmp_path / "all").parents,
        tmp_path / "all",
    }
    farfalia.told("backup", "kept.backup", "--data-dir", data)
    farfalia.told("doctor", "--data-dir", data, "--grpc-port", 0, "--http-port", 0)


def test_an_address_of_a_database_with_a_question_mark_says_how_to_write_it(farfalia: Command, tmp_path: Path) -> None:
    done = farfalia("backup", "a.backup", "--database-url", f"sqlite:///{tmp_path}/a?b.db")
    assert done.returncode == 1
    assert "in sqlite:///PATH write %3F for it, and %25 for %" in done.stderr


def test_a_server_with_ipv6_counts_each_client_of_a_proxy_on_this_machine(tmp_path: Path, farfalia: Command) -> None:
    with live_server(tmp_path, host="::", insecure=True, admin_token=ADMIN) as server:
        port = server.http_address.rpartition(":")[2]
        for proxy in ("127.0.0.1", "[::1]"):
            for number in range(1, 261):
                request = urllib.request.Request(
                    f"http://{proxy}:{port}/api/nodes",
                    headers={"X-Forwarded-For": f"198.51.{number % 7}.{number % 250}"},
                )
                assert urllib.request.urlopen(request).status == 200
        address = f"[::1]:{server.grpc_address.rpartition(':')[2]}"
        farfalia.told("bot", "register", "ant", "--server", address, "--admin-token", ADMIN)


@pytest.mark.skipif(
    not all(map(shutil.which, ("unshare", "ip")))
    or subprocess.run([*IPV6_ALONE, "true"], capture_output=True).returncode != 0,
    reason="no network with IPv6 alone can be made here: that takes Linux with unshare and ip",
)
def test_where_there_is_ipv6_alone_a_tournament_is_played_and_a_server_says_how(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text("import farfalia\nfarfalia.run(farfalia.Bot())\n")
    done = program("run", "--bot", f"'{bot}'", "--bot", "greedy", "--game", "two", "--rounds", "1", within=IPV6_ALONE)
    assert done.returncode == 0, done.stderr
    done = program("serve", "--data-dir", tmp_path / "data", within=IPV6_ALONE)
    assert done.returncode == 1
    assert done.stderr == (
        "farfalia: cannot listen on 127.0.0.1:7600 for gRPC: this machine has no such address; choose another with "
        "--host, such as ::1\n"
    )


def test_a_list_of_entrants_that_windows_saved_is_read(server: LiveServer, farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(b"\xef\xbb\xbfant\r\nbee\r\n")
    farfalia.told(
        *("tournament", "create", "windows", "--entrants", "list.txt", "--game", "two", "--rounds", 1),
        *("--server", server.grpc_address, "--admin-token", ADMIN),
    )


def test_settings_a_token_and_a_record_that_windows_saved_are_read(
    server: LiveServer, farfalia: Command, tmp_path: Path
) -> None:
    (tmp_path / "farfalia.toml").write_bytes(b'\xef\xbb\xbfnode = "one"\r\ngrpc_port = 0\r\nhttp_port = 0\r\n')
    done = farfalia("doctor", "--config", "farfalia.toml")
    assert "this is node one." in done.stdout, done.stderr
    record = write(tmp_path / "record.json", played())
    record.write_bytes(b"\xef\xbb\xbf" + record.read_bytes().replace(b"\n", b"\r\n"))
    assert farfalia("verify", record).returncode == 0
    (tmp_path / "token").write_bytes(b"\xef\xbb\xbfwrong\r\n")
    done = farfalia("bot", "run", "greedy", "--token-file", "token", "--server", server.grpc_address)
    assert "this server knows no bot with this token" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("cp1252", marks=pytest.mark.prove)])
def test_a_terminal_that_lacks_characters_shows_others_or_their_numbers(
    server: LiveServer, farfalia: Command, tmp_path: Path, encoding: str
) -> None:
    number = server.tournament(["ant", "bee"], rounds=1, name="Кубок 🂡 ±", ruleset="two", start=False)
    record = write(tmp_path / "record.json", played())
    for arguments in (
        ("tournament", "plan", "--entrants", "7", "--rounds", "3"),
        ("replay", record),
        ("tournament", "show", str(number)),
        ("tournament", "show", str(number), "--json"),
    ):
        done = program(*arguments, encoding=encoding, FARFALIA_SERVER=server.grpc_address)
        assert (done.returncode, done.stderr) == (0, ""), arguments
        if arguments[:2] == ("tournament", "plan") or arguments[0] == "replay":  # all that they print is ours
            assert "\\u" not in done.stdout, arguments
    assert json.loads(done.stdout)["name"] == "Кубок 🂡 ±"


def test_an_output_that_is_full_is_one_sentence() -> None:
    for arguments in (["--help"], ["tournament", "plan", "--entrants", "7", "--rounds", "3", "--json"]):
        with Path("/dev/full").open("wb") as full:
            done = program(*arguments, stdout=full)
        assert done.returncode == 1
        assert done.stderr == "farfalia: the output cannot be written: no space left on device\n"


@pytest.mark.parametrize("name", ["-1 +cmd|' /C calc'!A0", "+1 =2", "=1+1", "@SUM(1)", "-1"])
def test_no_text_of_somebody_else_is_a_formula_in_a_spreadsheet(server: LiveServer, name: str) -> None:
    number = server.tournament(["ant", "bee"], rounds=1, name=name, ruleset="two", start=False)
    address = f"http://{server.http_address}/api/tournaments?format=csv&limit=1&before={number + 1}"
    with urllib.request.urlopen(address) as answer:
        [row] = csv.DictReader(io.StringIO(answer.read().decode()))
    assert row["name"] == f"'{name}"
