"""A PostgreSQL to throw away, and a store on either database."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.server.migrated import migrate, sqlite_url


class Postgres:
    """A cluster on a Unix socket in a directory of its own; `database` makes an empty database and answers its URL.

    `listens` is on which addresses it listens as well, with PostgreSQL's own port.
    """

    def __init__(self, programs: Path, directory: Path, user: str | None, listens: str = "") -> None:
        self._programs = programs
        self._directory = directory
        self._user = user
        self._listens = listens
        self._numbers = itertools.count(1)
        self._template = ""

    def start(self) -> None:
        self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        if self._listens:
            with (self._directory / "data" / "pg_hba.conf").open("a") as rules:
                rules.write("host all all 0.0.0.0/0 trust\n")
        self.go_on()

    def go_on(self) -> None:
        """Start it."""
        self._start("-w")

    @contextmanager
    def starting_up(self) -> Iterator[None]:
        """Start it, and keep it at reading its journal, so that it refuses connections until the end."""
        held = self._directory / "held"
        held.touch()
        (self._directory / "data" / "recovery.signal").touch()
        try:
            self._start("-W", f"-c restore_command='while [ -e {held} ]; do sleep 0.01; done; false'")
            yield
        finally:
            held.unlink()

    def _start(self, wait: str, *more: str) -> None:
        options = f"-c listen_addresses='{self._listens}' -c fsync=off -c unix_socket_directories='{self._directory}'"
        log = str(self._directory / "log")
        self._run("pg_ctl", "-D", self._data, wait, "-t", "60", "-l", log, "-o", " ".join([options, *more]), "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    def follow(self, primary: Postgres) -> None:
        """Start as a replica of another one, which waits with every commit until this one has it."""
        host = str(primary._directory)
        self._run("pg_basebackup", "-h", host, "-U", "postgres", "-D", self._data, "-R", "-c", "fast", "--no-sync")
        self.go_on()
        for change in ("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"):
            primary.run_sql(change)

    def cut_off(self, replica: Postgres) -> None:
        """Stop waiting for this replica, which learns nothing of what is committed from now on."""
        for server, change in (
            (self, "ALTER SYSTEM SET synchronous_standby_names = ''"),
            (replica, "ALTER SYSTEM SET primary_conninfo = ''"),
        ):
            for command in (change, "SELECT pg_reload_conf()"):
                server.run_sql(command)
        deadline = time.monotonic() + 60
        while True:
            with suppress(AssertionError):  # a division by zero while it is connected
                self.run_sql("SELECT 1 / (CASE WHEN EXISTS (SELECT FROM pg_stat_replication) THEN 0 ELSE 1 END)")
                return
            assert time.monotonic() < deadline, "the replica stays connected"
            time.sleep(0.05)

    def promote(self) -> None:
        """Become a primary."""
        self._run("pg_ctl", "-D", self._data, "-w", "-t", "60", "promote")

    def run_sql(self, command: str) -> None:
        self._run("psql", "-h", str(self._directory), "-U", "postgres", "-c", command)

    def url_of(self, name: str, *others: Postgres) -> str:
        """The address of a database of this name on this host and on others."""
        return f"postgresql://postgres@/{name}?host={','.join(str(one._directory) for one in (self, *others))}"

    def database(self) -> str:
        name = f"farfalia_{next(self._numbers)}"
        self._run("createdb", "-h", str(self._directory), "-U", "postgres", name)
        return self._url(name)

    def migrated_database(self) -> str:
        """A database with all tables, and nothing in them."""
        if not self._template:
            migrate(self.database())
            self._template = f"farfalia_{next(self._numbers) - 1}"
        name = f"farfalia_{next(self._numbers)}"
        self._run("createdb", "-h", str(self._directory), "-U", "postgres", "-T", self._template, name)
        return self._url(name)

    def _url(self, name: str) -> str:
        return self.url_of(name)

    @property
    def runs(self) -> bool:
        return (self._directory / "data" / "postmaster.pid").exists()

    @staticmethod
    def url_at(address: str, url: str) -> str:
        """A database's URL through one of the addresses at which it listens."""
        return f"{url.partition('@')[0]}@{address}/{url.partition('@/')[2].partition('?')[0]}"

    def restart(self) -> None:
        self.stop()
        self.go_on()

    @property
    def _data(self) -> str:
        return str(self._directory / "data")

    def _run(self, program: str, *arguments: str) -> None:
        # Another program changes the user: `subprocess` would have to fork for it, and a fork of a process that speaks
        # gRPC crashes now and then, before the program has begun.
        as_user = ["runuser", "-u", self._user, "--"] if self._user else []
        # Its output goes to a file: a server started here would keep a pipe open for as long as it lives.
        with (self._directory / f"{program}.out").open("w+") as output:
            ended = subprocess.run(
                [*as_user, self._programs / program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self._directory,
                check=False,
            )
            output.seek(0)
            assert ended.returncode == 0, f"{program}: {output.read()}"


def find_programs() -> Path | None:
    """Where PostgreSQL's programs are, the newest version first; Debian keeps them off the PATH."""
    on_path = shutil.which("initdb")
    if on_path is not None:
        return Path(on_path).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


@contextmanager
def cluster(programs: Path, primary: Postgres | None = None, listens: str = "") -> Iterator[Postgres]:
    """A running cluster, or a replica of this primary, which is deleted at the end."""
    directory = Path(tempfile.mkdtemp(prefix="farfalia-postgres-"))
    user = "postgres" if os.getuid() == 0 else None  # it refuses to run as root
    if user is not None:
        shutil.chown(directory, user)
    postgres = Postgres(programs, directory, user, listens)
    try:
        if primary is None:
            postgres.start()
        else:
            postgres.follow(primary)
        yield postgres
        if postgres.runs:
            postgres.stop()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def programs() -> Path:
    """Where PostgreSQL's programs are; without them the test is skipped."""
    found = find_programs()
    if found is None:
        message = "PostgreSQL is not installed: its programs are neither on the PATH nor in /usr/lib/postgresql"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with cluster(programs()) as running:
        yield running


@pytest.fixture
def replicated() -> Iterator[tuple[Postgres, Postgres]]:
    """A primary and its replica."""
    with cluster(programs()) as primary, cluster(programs(), primary) as replica:
        yield primary, replica


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.database()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with all tables and nothing in them, once of each kind."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "store.db")
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.migrated_database()
