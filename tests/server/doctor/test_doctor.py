"""`farfalia doctor`: what it finds, what it says of it, and how to mend it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from tests.cli.conftest import redis_url
from tests.server.certificate import make_certificate
from tests.server.doctor.findings import bad, redis, settings
from tests.server.outages import until
from tests.server.postgres_fixture import Postgres
from tests.server.redis_sentinels import sentinels
from tests.server.store_world import run_sql

from farfalia_server.contract.errors import RedisUnavailable
from farfalia_server.doctor import Finding, FindingState, examine
from farfalia_server.doctor.analyses import check_analyses
from farfalia_server.doctor.certificates import check_certificate
from farfalia_server.doctor.clock import check_clock
from farfalia_server.doctor.databases import check_database
from farfalia_server.doctor.machine import check_disk
from farfalia_server.doctor.permissions import check_secrets
from farfalia_server.doctor.redis_access import look_at_access
from farfalia_server.doctor.running import check_ports, check_server
from farfalia_server.doctor.tokens import check_token
from farfalia_server.doctor.versions import check_versions, fits
from farfalia_server.net.redis_connection import connect
from farfalia_server.settings import Settings
from farfalia_server.store.sql.migrate import newest_schema
from farfalia_tools.bench.processes import free_port

__all__ = ["redis_url"]


async def database(chosen: Settings) -> list[Finding]:
    return [finding async for finding in check_database(chosen)]


async def test_before_the_first_start_nothing_is_wrong_and_nothing_is_made(tmp_path: Path) -> None:
    findings = [finding async for finding in examine(settings(tmp_path))]
    assert bad(findings) == []
    assert {finding.name for finding in findings} >= {"settings", "server", "database", "redis", "certificate", "disk"}
    assert list(tmp_path.iterdir()) == []


async def test_a_database_that_is_well_is_named_with_its_schema(tmp_path: Path, store_url: str) -> None:
    findings = await database(settings(tmp_path, database_url=store_url))
    assert bad(findings) == []
    assert f"can be written to and has schema {newest_schema()}." in findings[-1].text


async def test_an_empty_database_is_no_problem(tmp_path: Path, postgres: Postgres) -> None:
    findings = await database(settings(tmp_path, database_url=postgres.database()))
    assert bad(findings) == []
    assert "is empty; the server makes its tables." in findings[-1].text


async def test_a_database_of_a_newer_server_is_a_problem(tmp_path: Path, store_url: str) -> None:
    await run_sql(store_url, "UPDATE alembic_version SET version_num = '9999'")
    [found] = bad(await database(settings(tmp_path, database_url=store_url)))
    assert "has the schema 9999 of a newer server" in found.text


async def test_a_database_that_may_only_be_read_is_a_problem(tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.migrated_database()
    name = url.partition("?")[0].rpartition("/")[2]
    await run_sql(url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    [found] = bad(await database(settings(tmp_path, database_url=url)))
    assert "is read-only" in found.text
    assert "primary" in found.remedy


@pytest.mark.parametrize(
    ("url", "words"),
    [("postgresql://me:secret@127.0.0.1:1/name", "does not answer"), ("mysql://host/name", "expected sqlite:///PATH")],
)
async def test_a_database_that_cannot_be_reached_is_a_problem(tmp_path: Path, url: str, words: str) -> None:
    [found] = bad(await database(settings(tmp_path, database_url=url)))
    assert words in found.text
    assert "secret" not in found.text


async def test_a_redis_that_forgets_is_not_as_it_should_be(tmp_path: Path, redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        client.config_set("requirepass", "word")
        redis_url = redis_url.replace("//", "//:word@")
        client.config_set("appendonly", "yes")
        findings = await redis(settings(tmp_path, redis_url=redis_url))
        assert bad(findings) == []
        assert [finding.name for finding in findings] == ["redis", "clock (redis)"]
        client.config_set("appendonly", "no")
        client.config_set("maxmemory-policy", "allkeys-lru")
        file, policy = bad(await redis(settings(tmp_path, redis_url=redis_url)))
        assert (file.state, policy.state) == (FindingState.WARNING, FindingState.WARNING)
        assert "no append-only file" in file.text
        client.config_set("maxmemory", "100mb")
        _, policy = bad(await redis(settings(tmp_path, redis_url=redis_url)))
        assert policy.state is FindingState.PROBLEM
        assert policy.remedy == "Set maxmemory-policy to noeviction."
        client.config_set("maxmemory-policy", "noeviction")
        client.replicaof("127.0.0.1", "1")
        findings = bad(await redis(settings(tmp_path, redis_url=redis_url)))
        assert "is a replica" in findings[0].text


async def test_a_redis_that_anybody_can_write_to_is_warned_of(tmp_path: Path, redis_url: str) -> None:
    found = bad(await redis(settings(tmp_path, redis_url=redis_url)))[0]
    assert found.state is FindingState.WARNING
    assert found.text.endswith("asks for no password; anyone who can connect to it sees and changes open matches.")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("redis://:word@10.0.0.9/0", "without TLS"),
        ("redis://10.0.0.9/0", "no password"),
        ("rediss://10.0.0.9/0", "no password"),
        ("redis+sentinel://10.0.0.9:26379/arena", "no password"),
        ("rediss://:word@10.0.0.9/0", ""),
        ("redis://10.0.0.9/0?password=word", "without TLS"),
        ("redis://:word@127.0.0.1/0", ""),
        ("unix:///run/redis.sock", ""),
    ],
)
def test_who_may_write_to_a_redis_is_seen_in_its_address(url: str, words: str) -> None:
    found = [finding.text for finding in look_at_access("Redis", url)]
    assert len(found) == bool(words)
    assert words in "".join(found)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
async def test_an_admin_token_that_can_be_guessed_is_a_problem_wherever_the_server_listens(
    tmp_path: Path, host: str
) -> None:
    chosen = settings(tmp_path, host=host, insecure=True, admin_token="guess-me-please")
    [found] = [finding async for finding in examine(chosen) if finding.name == "admin token"]
    assert found.state is FindingState.PROBLEM
    assert found.text == "admin_token has 15 characters, which can be guessed; expected at least 16."
    assert found.remedy.startswith("Make one with `openssl rand -hex 32`")
    for token in ("", "x" * 16):
        assert bad(list(check_token(settings(tmp_path, host=host, admin_token=token)))) == []


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "http://127.0.0.1"])
async def test_a_redis_that_cannot_be_reached_is_a_problem(tmp_path: Path, url: str) -> None:
    [found] = bad(await redis(settings(tmp_path, redis_url=url)))
    assert found.state is FindingState.PROBLEM


@pytest.fixture
def cluster_url(tmp_path: Path) -> Iterator[str]:
    """A Redis Cluster of one."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("neither redis-server nor valkey-server is on the PATH")
    place = tmp_path / "cluster.sock"
    words = ["--port", str(free_port()), "--bind", "127.0.0.1", "--unixsocket", str(place), "--cluster-enabled", "yes"]
    words += ["--cluster-port", str(free_port()), "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen([program, *words], stdout=subprocess.DEVNULL) as process:
        until(place.exists)
        yield f"unix://{place}"
        process.terminate()


async def test_a_redis_cluster_is_refused_with_a_sentence(tmp_path: Path, cluster_url: str) -> None:
    [found] = bad(await redis(settings(tmp_path, redis_url=cluster_url)))
    assert "is a Redis Cluster" in found.text
    with pytest.raises(
        RedisUnavailable, match=r"^Redis at [^\n]* is a Redis Cluster, [^\n]*; expected one Redis, [^\n]*$"
    ):
        async with connect(cluster_url):  # as a server does at its start
            pass


async def test_of_sentinels_it_says_whether_a_failover_can_succeed(tmp_path: Path) -> None:
    with sentinels(tmp_path) as watched:
        assert not [f for f in await redis(settings(tmp_path, redis_url=watched.url)) if "Sentinels" in f.text]
        last = watched.url.rpartition(",")[2]
        watched.cut_replica_off()
        found = bad(await redis(settings(tmp_path, redis_url=f"redis+sentinel://:to%20the%20data@{last}")))
        texts = [finding.text for finding in found if finding.state is FindingState.WARNING]
        assert texts[-2] == "redis_url names fewer than 3 Sentinels."
        assert texts[-1].endswith("has no replica that could replace it.")


def test_clocks_that_differ_are_said_to() -> None:
    assert check_clock("redis", 100.0, 100.4, 100.2).state is FindingState.OK
    ahead, behind = check_clock("redis", 100.0, 200.2, 100.2), check_clock("redis", 100.0, 90.0, 100.2)
    assert ahead.text == "The clock of the redis is 100.0 s ahead."
    assert behind.text == "The clock of the redis is 10.0 s behind."


def test_the_program_that_has_a_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        chosen = settings(tmp_path, grpc_port=port)
        taken, free = check_ports(chosen, running=False)
        assert taken.state is FindingState.PROBLEM
        assert f"127.0.0.1:{port}" in taken.text
        if sys.platform == "linux":
            assert f"process {os.getpid()} (" in taken.remedy
        assert free.state is FindingState.OK
        own, _ = check_ports(chosen, running=True)
        assert own.text == f"The running server listens on 127.0.0.1:{port}."
    other_settings, _ = check_ports(chosen, running=True)
    assert other_settings.state is FindingState.PROBLEM


def test_what_a_running_server_says_is_wrong_is_repeated() -> None:
    [found] = check_server({"checks": {"database": "the disk is full", "redis": "ok"}})
    assert found.text == "The running server reports about its database: the disk is full."


def certificates(chosen: Settings) -> list[Finding]:
    return list(check_certificate(chosen))


def test_a_certificate_is_shown_with_its_names_and_its_days(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "ours", "DNS:arena.example,IP:127.0.0.1", days=90)
    given = {"tls_cert": str(certificate), "tls_key": str(key)}
    for address in ("", "arena.example", "https://127.0.0.1:7600"):
        [found] = certificates(settings(tmp_path, **given, public_address=address))
        assert found.state is FindingState.OK
        assert found.text == f"{certificate} is for arena.example, 127.0.0.1 and ends in 90 days."
    [elsewhere] = certificates(settings(tmp_path, **given, public_address="https://other.example"))
    assert elsewhere.state is FindingState.PROBLEM
    assert "Others reach this server as other.example." in elsewhere.text


def test_a_certificate_that_ends_soon_is_a_warning_and_one_that_has_ended_a_problem(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "ours", days=3)
    chosen = settings(tmp_path, tls_cert=str(certificate), tls_key=str(key))
    [found] = bad(certificates(chosen))
    assert found.state is FindingState.WARNING
    assert found.text.endswith("ends in 3 days.")
    let_expire(certificate, key)
    [found] = bad(certificates(chosen))
    assert found.state is FindingState.PROBLEM
    assert found.text == f"{certificate} is not valid: certificate has expired."


def let_expire(certificate: Path, key: Path) -> None:
    """Put a certificate of the past in place of one."""
    folder = certificate.parent
    (folder / "index").touch()
    (folder / "ca.cnf").write_text(
        f"""
        [ca]
        default_ca = ours
        [ours]
        database = {folder}/index
        new_certs_dir = {folder}
        rand_serial = yes
        default_md = sha256
        policy = any
        [any]
        commonName = supplied
        """
    )
    ask = ["openssl", "req", "-new", "-key", str(key), "-subj", "/CN=localhost", "-out", str(folder / "request")]
    sign = ["openssl", "ca", "-batch", "-notext", "-selfsign", "-config", str(folder / "ca.cnf")]
    sign += ["-keyfile", str(key), "-in", str(folder / "request"), "-out", str(certificate)]
    sign += ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"]
    for words in (ask, sign):
        subprocess.run(words, check=True, capture_output=True)


def test_a_certificate_that_does_not_fit_its_key_is_a_problem(tmp_path: Path) -> None:
    certificate, _ = make_certificate(tmp_path, "ours")
    _, key = make_certificate(tmp_path, "other")
    [found] = bad(certificates(settings(tmp_path, tls_cert=str(certificate), tls_key=str(key))))
    assert "MISMATCH" in found.text
    [alone] = bad(certificates(settings(tmp_path, tls_cert=str(certificate))))
    assert alone.text == "tls_cert is set and tls_key is not; TLS needs both."


def test_a_file_with_secrets_that_others_may_read_is_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "farfalia.db").touch(0o600)
    _, key = make_certificate(tmp_path, "ours")
    chosen = settings(tmp_path, tls_cert="any", tls_key=str(key))
    key.chmod(0o640)
    assert bad(list(check_secrets(chosen))) == []
    key.chmod(0o644)
    (data / "farfalia.db").chmod(0o640)
    database, private = bad(list(check_secrets(chosen)))
    assert database.remedy == f"chmod go-rwx {data / 'farfalia.db'}"
    assert str(key) in private.text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('admin_token = "mine"', True),
        ('smtp_password = "word"', True),
        ('oidc_client_secret = "word"', True),
        ('name = "arena"\ndatabase_url = "postgresql://me:word@host/name"', True),
        ('redis_url = "rediss://:word@host/0"', True),
        ('admin_token = ""', False),
        ('redis_url = "redis://host:6379/0"\ndatabase_url = "postgresql://me@host:5432/name"', False),
    ],
)
def test_the_file_of_the_settings_is_secret_if_it_has_a_token_or_a_password(
    tmp_path: Path, text: str, secret: bool
) -> None:
    config = tmp_path / "farfalia.toml"
    config.write_text(text)
    config.chmod(0o644)
    assert bool(bad(list(check_secrets(settings(tmp_path), config)))) is secret
    config.chmod(0o600)
    assert bad(list(check_secrets(settings(tmp_path), config))) == []


def test_the_disk_is_that_of_the_data_directory_even_before_it_is_there(tmp_path: Path) -> None:
    [found] = check_disk(settings(tmp_path / "not" / "yet"))
    assert "are free where" in found.text


@pytest.mark.parametrize(
    ("version", "wanted", "does"),
    [
        ("1.2.3", ">=1.2", True),
        ("1.2", ">=1.2.0", True),
        ("1.10", ">=1.9", True),
        ("0.28", "<0.28,>=0.27", False),
        ("0.27.4", "<0.28,>=0.27", True),
        ("0.4.5", "==0.4.5", True),
        ("0.4.6", "==0.4.5", False),
        ("2", "!=2", False),
        ("1.2.3.post1", ">=1.2.3", True),
        ("anything", "", True),
    ],
)
def test_a_version_is_compared_by_its_numbers(version: str, wanted: str, does: bool) -> None:
    assert fits(version, wanted) is does


def test_whether_decisions_are_analysed_is_said_where_somebody_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (found,) = check_analyses(settings(tmp_path, analysis_minutes=7))
    assert found.text == "Decisions are analysed, for up to 7 min of CPU a day."
    monkeypatch.setattr("farfalia_server.doctor.analyses.can_analyse", lambda: False)
    (missing,) = bad(list(check_analyses(settings(tmp_path, analysis_minutes=7))))
    assert "NumPy is missing" in missing.text
    assert list(check_analyses(settings(tmp_path, analysis_minutes=0))) == []


def test_the_packages_that_the_tests_run_with_fit() -> None:
    assert bad(list(check_versions())) == []
