"""`farfalia serve`, and the commands that ask a server."""

import asyncio
import base64
import json
import os
import re
import signal
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self, cast

import pytest
from tests.cli import forked
from tests.cli.command import LIMIT, Command, environment
from tests.server.live import ADMIN, LiveServer, live_server
from tests.server.postgres_fixture import Postgres, database_url

from farfalia_server.cli.bot import write_secret
from farfalia_server.cli.serve import _serve, _Served

__all__ = ["database_url"]

#: The last that a start says where no admin token was chosen.
HINT = "If you lose the admin token, start the server with --admin-token NEW."
BEACON = ("--beacon-source", "the weather", "--beacon-round", "Friday")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One for all tests that need none of their own."""
    with live_server(tmp_path_factory.mktemp("serve"), registration="open") as up:
        yield up


@pytest.fixture
def ask(server: LiveServer, farfalia: Command) -> Callable[..., str]:
    """Runs a command against the server as the admin; it must succeed."""

    def run(*arguments: object) -> str:
        done = farfalia(*arguments, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
        return done.stdout

    return run


def numbered(told: str) -> int:
    """The number of the tournament that a command tells of."""
    found = re.search(r"\(tournament (\d+)\)", told)
    assert found, told
    return int(found[1])


@contextmanager
def sample(server: LiveServer, name: str, tmp_path: Path) -> Iterator[None]:
    """`farfalia bot run` as a process."""
    command = ["bot", "run", "greedy", "--name", name, "--register", "--token-file", f"{name}.token"]
    with Path(os.devnull).open("wb") as nothing:
        told = nothing.fileno()
        process = forked.start(command, environment(FARFALIA_SERVER=server.grpc_address), told, told, folder=tmp_path)
    try:
        yield
    finally:
        process.terminate()
        process.wait(LIMIT)


def until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT
    while not what():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)


def until_connected(ask: Callable[..., str], *names: str) -> None:
    until(
        lambda: (
            {bot["name"] for bot in json.loads(ask("bot", "list", "--json"))["bots"] if bot["connected"]} >= set(names)
        )
    )


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
        done = farfalia("bot", "register", "ada", "--server", server.grpc_address, "--admin-token", token)
        assert done.returncode == 0
        assert re.fullmatch(r"\S{20,}\n", done.stdout)
        end(server, signal.SIGINT)
        server.start()
        until(lambda: server.log().count(HINT) == 2)
        assert server.log().count(token) == 1
        done = farfalia("bot", "rotate-token", "ada", "--server", server.grpc_address, "--admin-token", token)
        assert done.returncode == 0
        end(server, signal.SIGTERM)
    with live_server(tmp_path, admin_token="new") as server:
        assert server.log().count(HINT) == 2
        done = farfalia("bot", "register", "ben", "--server", server.grpc_address, "--admin-token", "new")
        assert done.returncode == 0


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
        asyncio.run(_serve(_Served(cast(Any, _Deaf()), introduce)))


def test_the_admin_token_is_shown_by_the_first_start_that_succeeds(
    tmp_path: Path, database_url: str, farfalia: Command
) -> None:
    data = ("--data-dir", tmp_path / "data", "--database-url", database_url)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        for ports in (("--grpc-port", taken, "--http-port", 0), ("--grpc-port", 0, "--http-port", taken)):
            failed = farfalia("serve", *data, *ports)
            assert failed.returncode == 1
            assert f"cannot listen on 127.0.0.1:{taken}" in failed.stderr
            assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "redis").write_text("no directory")
    failed = farfalia("serve", *data, "--grpc-port", 0, "--http-port", 0)
    assert failed.returncode == 1
    assert "cannot be used for Redis" in failed.stderr
    assert "Admin token" not in failed.stdout
    (tmp_path / "data" / "redis").unlink()
    with live_server(tmp_path, admin_token="", database_url=database_url) as server:
        token = shown_token(server)
        done = farfalia("bot", "register", "ada", "--server", server.grpc_address, "--admin-token", token)
        assert done.returncode == 0


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


def test_a_taken_port_is_a_sentence(tmp_path: Path, server: LiveServer, farfalia: Command) -> None:
    port = server.grpc_address.rpartition(":")[2]
    done = farfalia("serve", "--data-dir", tmp_path / "other", "--grpc-port", port, "--http-port", 0)
    assert done.returncode == 1
    assert port in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--grpc-port", "70000"), "--grpc-port"),
        (("--registration", "perhaps"), "--registration"),
        (("--config", "settings.toml"), "limit"),
    ],
)
def test_a_setting_that_cannot_be_is_wrong_usage(
    farfalia: Command, tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    (tmp_path / "settings.toml").write_text("limit = 5\n")
    done = farfalia("serve", *arguments)
    assert done.returncode == 2
    assert named in done.stderr.splitlines()[-1]


def test_a_server_plays_on_the_databases_that_it_is_given(
    tmp_path: Path, redis_url: str, postgres: Postgres, farfalia: Command
) -> None:
    with live_server(tmp_path, redis_url=redis_url, database_url=postgres.database()) as server:
        for words in (
            ("bot", "register", "ada", "--house", "greedy"),
            ("tournament", "create", "Friday", "ada", "house-random-1", "--rounds", 1, "--start"),
            ("tournament", "watch", 1),
        ):
            done = farfalia(*words, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
            assert done.returncode == 0, done.stderr
        assert "1 of 1 matches, finished." in done.stdout
    assert [*(tmp_path / "data").iterdir()] == []


def test_a_tournament_from_registration_to_records(
    server: LiveServer, ask: Callable[..., str], farfalia: Command, tmp_path: Path
) -> None:
    with sample(server, "ada", tmp_path), sample(server, "ben", tmp_path):
        until_connected(ask, "ada", "ben")
        made = json.loads(ask("tournament", "create", "Friday", "ada", "ben", "--rounds", 2, *BEACON, "--json"))
        tournament = made["id"]
        ask("tournament", "start", tournament, "--beacon-value", "rain until noon")
        watched = farfalia("tournament", "watch", tournament, "--server", server.grpc_address)
    assert watched.returncode == 0
    assert f"Friday (tournament {tournament}): chinkway, 2 rounds, 2 of 2 matches, finished." in watched.stdout
    assert "2 of 2" in watched.stderr
    assert f"  commitment  {base64.b64decode(made['commitment']).hex()}\n" in watched.stdout
    assert "  beacon      the weather, Friday: 'rain until noon'\n" in watched.stdout
    assert "  secret      " in watched.stdout
    shown = json.loads(ask("tournament", "show", tournament, "--json"))
    assert sorted(row["entrant"] for row in shown["standings"] if not row["house"]) == ["ada", "ben"]
    assert "Friday" in ask("tournament", "list")
    assert "2 records are in" in ask("records", "fetch", tournament, tmp_path / "records")
    verified = ask("verify", tmp_path / "records")
    assert verified.count("holds.") == verified.count("from the secret that was committed to") == 2
    assert verified.count("one the beacon") == 2
    match = next((tmp_path / "records").glob("match-*.json")).stem.removeprefix("match-")
    assert "Deal 11:" in ask("replay", match)
    assert "ada" in ask("ratings")
    assert ask("queue").startswith("0 matches are queued, 0 are running.")
    assert "not connected" in ask("bot", "show", "ada")
    assert len(json.loads(ask("nodes", "--json"))["nodes"]) == 1


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
    assert farfalia("bot", "revoke-token", "owl", **own).stdout == "owl has no token any more.\n"
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


def test_a_tournament_can_be_cancelled(ask: Callable[..., str]) -> None:
    ask("bot", "register", "dan")
    tournament = numbered(ask("tournament", "create", "Friday", "dan", "--rounds", 1))
    assert "planned" in ask("tournament", "show", tournament)
    assert "running" in ask("tournament", "start", tournament)
    assert "cancelled" in ask("tournament", "cancel", tournament)


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


def test_while_the_database_is_away_a_command_repeats_what_the_server_says(
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


def test_a_tournament_with_stages_is_created_watched_and_shown(ask: Callable[..., str]) -> None:
    bots = [f"house-random-{number}" for number in range(1, 5)]
    stages = "swiss:rounds=1,qualifiers=2 knockout:advance=1"
    made = ask("tournament", "create", "Cup", *bots, "--game", "two", "--stages", stages)
    assert "2 rounds, 0 of 3 matches, planned." in made
    assert "Stage 2: Knock-out, 1 of each table advances, datum boards. It has not begun." in made
    tournament = numbered(made)
    ask("tournament", "start", tournament)
    watched = ask("tournament", "watch", tournament)
    assert "3 of 3 matches, finished." in watched
    assert "Stage 1: Swiss, 1 round, datum boards, 2 qualify. 1 round drawn." in watched
    assert "reached round" in watched
    shown = json.loads(ask("tournament", "show", tournament, "--json"))
    assert [stage["roundsDrawn"] for stage in shown["stages"]] == [1, 1]


def test_bots_are_entered_and_taken_out(ask: Callable[..., str], server: LiveServer, farfalia: Command) -> None:
    two = ("house-random-1", "house-random-2")
    tournament = numbered(ask("tournament", "create", "Cup", *two, "--game", "two", "--rounds", 2))
    assert "house-random-3 (house)" in ask("tournament", "enter", tournament, "house-random-3")
    assert "house-random-1" not in ask("tournament", "withdraw", tournament, "house-random-1")
    at = ("--server", server.grpc_address, "--admin-token", ADMIN)
    refused = farfalia("tournament", "withdraw", tournament, "house-random-1", *at)
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith(f"house-random-1 has not entered tournament {tournament}")


def test_entrants_come_from_a_file_whose_errors_are_reported_line_by_line(
    ask: Callable[..., str], server: LiveServer, farfalia: Command, tmp_path: Path
) -> None:
    ask("bot", "register", "ant")
    field = tmp_path / "field.txt"
    field.write_text("# seeded\nant\n\nhouse-random-1  # a house bot\n")
    made = ask("tournament", "create", "Cup", "house-greedy-1", "--entrants", field, "--game", "three", "--json")
    rows = json.loads(made)["standings"]
    assert [row["entrant"] for row in rows] == ["house-greedy-1", "ant", "house-random-1"]
    at = ("--server", server.grpc_address, "--admin-token", ADMIN)
    for text, words in (
        ("ant\nno name\nant\n", "line 2: 'no name' is not a valid bot name; line 3: ant is already named in line 1."),
        ("\nbee\nant\ncat # new\n", "line 2: there is no bot bee; line 4: there is no bot cat."),
        ("# nobody\n", "contains no names; expected one per line."),
    ):
        field.write_text(text)
        refused = farfalia("tournament", "create", "Bad", "--entrants", field, *at)
        assert refused.returncode == 2
        assert words in refused.stderr
    refused = farfalia("tournament", "create", "Bad", "--entrants", tmp_path / "none.txt", *at)
    assert "cannot be read: No such file or directory." in refused.stderr
    refused = farfalia("tournament", "create", "Bad", *at)
    assert "nobody is named" in refused.stderr
    names = {tournament["name"] for tournament in json.loads(ask("tournament", "list", "--json"))["tournaments"]}
    assert "Bad" not in names
