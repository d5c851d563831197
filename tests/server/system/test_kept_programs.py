"""Programs that were handed in outlive the server: in its object store, in a backup, and where it was restored."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.server.live import LiveServer, live_server, until
from tests.server.object_stores import s3_server
from tests.server.system.hosts import TEN_LINES, HostProcess, a_folder, is_connected, submit

from farfalia.v1 import programs_pb2

pytestmark = pytest.mark.slow


def fetched(server: LiveServer, hash: bytes) -> bytes:
    """The archive as a host has it."""
    archive = b""
    while part := server.call("FetchProgram", programs_pb2.FetchProgramRequest(hash=hash, offset=len(archive))).part:
        archive += part
    return archive


def plays(server: LiveServer, host: str) -> None:
    """Let a host that has nothing yet play a match for ada."""
    with HostProcess(server, host):
        until(lambda: is_connected(server, "ada"))
        number = server.tournament(["ada", "house-greedy-1"], ruleset="four", options={"target": "1"}, rounds=1)
        [match] = server.wait_for_matches(number)
        record = server.record(match.id)
        assert [seat.version for seat in record.seats if seat.bot == "ada"] == ["p1"]
        assert not record.incidents


@pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
def test_restored_programs_play(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    farfalia, new = Command(tmp_path), tmp_path / "n"  # short: paths of sockets are
    (new / "data").mkdir(parents=True)
    with (
        s3_server(monkeypatch) as s3,
        live_server(tmp_path, database_url=database_url, program_archives=s3.address) as server,
    ):
        token = server.register("ada")
        weights = random.Random(1).randbytes(1_500_000).hex()
        folder = a_folder(server, "ada", {"bot.py": TEN_LINES, "weights.txt": weights})
        with HostProcess(server, "one"):
            done = submit(server, token, str(folder), "--bot", "ada")
            assert done.returncode == 0, done.stderr
        program = server.call("GetProgram", programs_pb2.GetProgramRequest(bot="ada")).program
        archive = fetched(server, program.hash)
        assert len(archive) == program.size > 1 << 20
        assert len(s3.objects()) == 1
        backup = ("backup", "farfalia.backup", "--database-url", database_url, "--program-archives")
        elsewhere = farfalia(*backup, tmp_path / "elsewhere")
        assert f"missing from {tmp_path / 'elsewhere'}, and so from the backup: 1." in elsewhere.stderr
        assert "farfalia.backup has " in farfalia.told(*backup, s3.address)
        assert "Traceback" not in server.log()
    farfalia.told("restore", "farfalia.backup", "--data-dir", new / "data")
    with live_server(new) as server:
        until(lambda: list((new / "data/programs").glob(f"{program.hash.hex()}-*")))
        assert fetched(server, program.hash) == archive
        plays(server, "b")
        assert "Traceback" not in server.log()


def test_a_server_whose_bucket_is_missing_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with s3_server(monkeypatch):
        refused = Command(tmp_path).refused(
            *("serve", "--data-dir", "data", "--grpc-port", "0", "--http-port", "0"),
            *("--program-archives", "s3://nobody/programs"),
            code=1,
        )
    [line] = refused.splitlines()
    assert "s3://nobody/programs cannot be written: NoSuchBucket" in line
