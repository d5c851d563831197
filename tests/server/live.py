"""A real server in a process of its own, and what tests ask of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
from tests.cli import forked

from farfalia.v1 import bots_pb2, matches_pb2, record_pb2, tournaments_pb2
from farfalia.v1.arena_pb2_grpc import ArenaServiceStub
from farfalia_server.records import codec
from farfalia_server.records.verifying import verify

ADMIN = "farfalia-tests-admin"
#: Seconds that a test waits for what must come.
PATIENCE = 120.0
#: How often what only reads is asked before it counts as unavailable.
_ATTEMPTS = 20
_TAKEN = re.compile("it is in use|Address already in use")
_ADDRESSES = re.compile(r"Bots connect to (\S+) with[\s\S]*?Pages: https?://(\S+?)/")


def until(holds: Callable[[], object], said: Callable[[], object] = str, patience: float = PATIENCE) -> None:
    """Wait for what must come; `said` tells more if it does not."""
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline, f"it does not happen: {said()}"
        time.sleep(0.02)


class LiveServer:
    """`farfalia serve` on free ports, its data in `folder`; can be killed and started again on the same data.

    `program` is what Python runs instead of the `farfalia` command, and `prefix` what starts it; `descriptors` is
    how many files and sockets the command may have open, 0 for as many as this process; `patience` is how many seconds
    anything may take; `constants` are other values for some of the server's, as `forked.start` takes them.
    """

    def __init__(
        self,
        folder: Path,
        settings: dict[str, object],
        descriptors: int = 0,
        program: Sequence[str] = (),
        prefix: Sequence[str] = (),
        patience: float = PATIENCE,
        constants: Mapping[str, float] | None = None,
    ) -> None:
        self.folder = folder
        self._constants = constants
        self._patience = patience
        self._descriptors = descriptors
        self._program = program
        self._prefix = prefix
        self._settings = {
            "grpc_port": 0,
            "http_port": 0,
            "data_dir": folder / "data",
            "admin_token": ADMIN,
            "registration": "closed",
            "analysis_minutes": 0,
            "workers": 1,
        } | settings
        self._log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | forked.Process
        self.grpc_address = ""
        self.http_address = ""

    def start(self, tries: int = 5) -> None:
        """Start the process and wait until it says where it listens.

        Where it listened before, somebody's connection may have taken the port meanwhile: it is tried again.
        """
        environment = {f"FARFALIA_{key.upper()}": str(value) for key, value in self._settings.items()}
        began = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            if self._program:
                self.process = subprocess.Popen(
                    [*self._prefix, sys.executable, *self._program, "serve"],
                    env=os.environ | environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            else:
                self.process = forked.start(
                    ["serve"],
                    os.environ | environment,
                    log.fileno(),
                    log.fileno(),
                    descriptors=self._descriptors,
                    constants=self._constants,
                )
        deadline = time.monotonic() + self._patience
        while not (said := _ADDRESSES.search(self.log(began))):
            if tries > 1 and self.process.poll() is not None and _TAKEN.search(self.log(began)):
                time.sleep(0.5)
                self.start(tries - 1)
                return
            assert self.process.poll() is None, f"the server has ended:\n{self.log()}"
            if time.monotonic() > deadline:
                self.process.kill()
                self.process.wait()
                raise AssertionError(f"the server does not say where it listens:\n{self.log()}")
            time.sleep(0.05)
        self.grpc_address, self.http_address = said.groups()
        # Started again, it has to be found where it was.
        self._settings |= {key: address.rpartition(":")[2] for key, address in self._ports()}
        self._channel = self._dial()
        self.arena: Any = ArenaServiceStub(self._channel)  # type: ignore[no-untyped-call]

    @property
    def log_file(self) -> Path:
        """Where it prints to."""
        return self._log

    @property
    def started(self) -> bool:
        """Whether it has ever been started."""
        return hasattr(self, "process")

    def _dial(self) -> grpc.Channel:
        scheme, _, target = self.grpc_address.rpartition("//")
        if not scheme:
            return grpc.insecure_channel(target)
        certificate = Path(str(self._settings["tls_cert"])).read_bytes()
        return grpc.secure_channel(target, grpc.ssl_channel_credentials(certificate))

    def _ports(self) -> list[tuple[str, str]]:
        return [("grpc_port", self.grpc_address), ("http_port", self.http_address)]

    def kill(self) -> None:
        """SIGKILL: no word of farewell, nothing written."""
        self._channel.close()
        self.process.kill()
        self.process.wait(self._patience)

    def stop(self) -> int:
        """SIGTERM twice, as two Ctrl-C; answers the exit code. Wakes a process that a failed test left stopped."""
        self._channel.close()
        self.process.send_signal(signal.SIGCONT)
        for _ in range(2):
            self.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                return self.process.wait(0.2)
        return self.process.wait(self._patience)

    def log(self, began: int = 0) -> str:
        """Everything that the server has printed, from this byte on."""
        return self._log.read_bytes()[began:].decode(errors="replace") if self._log.exists() else ""

    def call(self, name: str, request: Any) -> Any:
        """A call of the ArenaService with the admin's token; what only reads is asked again if its process dies."""
        settings: dict[str, Any] = {
            "metadata": (("authorization", f"Bearer {ADMIN}"),),
            "timeout": self._patience,
            "wait_for_ready": True,
        }
        attempts = _ATTEMPTS if name.startswith(("Get", "List")) else 1
        while True:
            attempts -= 1
            try:
                return getattr(self.arena, name)(request, **settings)
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or not attempts:
                    raise
            time.sleep(0.1)

    def register(self, name: str, house: str = "") -> str:
        """A new bot's token."""
        token: str = self.call("RegisterBot", bots_pb2.RegisterBotRequest(name=name, house=house)).token
        return token

    def tournament(
        self,
        bots: Sequence[str],
        *,
        rounds: int = 0,
        name: str = "test",
        start: bool = True,
        control: record_pb2.TimeControl | None = None,
        **more: Any,
    ) -> int:
        """The number of a new tournament that has been started; with the server's time control unless one is given."""
        request = tournaments_pb2.CreateTournamentRequest(
            name=name, bots=bots, rounds=rounds, time_control=control, **more
        )
        number: int = self.call("CreateTournament", request).tournament.id
        if start:
            self.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        return number

    def show(self, number: int) -> tournaments_pb2.Tournament:
        """A tournament as it stands."""
        tournament: tournaments_pb2.Tournament = self.call(
            "GetTournament", tournaments_pb2.GetTournamentRequest(id=number)
        ).tournament
        return tournament

    def wait_for_nonces(self, number: int) -> None:
        """Return when every bot of a tournament that has not been started has given a nonce."""
        given = re.compile(r"from (\d+) of \1 bots")
        until(lambda: given.search(self.show(number).waiting), lambda: self.show(number).waiting, self._patience)

    def wait_for(self, number: int, finished: int | None = None) -> tournaments_pb2.Tournament:
        """The tournament when it is over, or when `finished` of its matches are finished."""
        seen, deadline = -1, 0.0
        while True:
            tournament = self.show(number)
            if tournament.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED:
                return tournament
            if finished is not None and tournament.finished >= finished:
                return tournament
            if tournament.finished > seen:  # however slow the machine is: as long as it goes on, it is waited for
                seen, deadline = tournament.finished, time.monotonic() + self._patience
            assert time.monotonic() < deadline, f"the tournament does not go on:\n{tournament}\n{self.log()[-3000:]}"
            time.sleep(0.1 if finished is None else 0.02)

    def wait_for_matches(self, number: int) -> list[matches_pb2.Match]:
        """All matches of a tournament, once it is over."""
        self.wait_for(number)
        return self.matches(number)

    def matches(self, number: int) -> list[matches_pb2.Match]:
        """All matches of a tournament."""
        request = matches_pb2.ListMatchesRequest(tournament=number, limit=1000)
        return list(self.call("ListMatches", request).matches)

    def record(self, match: int) -> record_pb2.Record:
        """The record of a match."""
        record: record_pb2.Record = self.call("GetRecord", matches_pb2.GetRecordRequest(match=match)).record
        return record

    def page(self, path: str, **headers: str) -> tuple[int, str]:
        """Status and text of what its HTTP port answers."""
        request = urllib.request.Request(f"http://{self.http_address}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=self._patience) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    @staticmethod
    def verify(record: record_pb2.Record) -> list[str]:
        """What does not hold in a record."""
        return list(verify(codec.from_message(record)).violations)


@contextmanager
def live_server(
    folder: Path,
    descriptors: int = 0,
    constants: Mapping[str, float] | None = None,
    program: Sequence[str] = (),
    **settings: object,
) -> Iterator[LiveServer]:
    """A running server; it is stopped at the end, whatever happened to it."""
    server = LiveServer(folder, settings, descriptors, program, constants=constants)
    server.start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
