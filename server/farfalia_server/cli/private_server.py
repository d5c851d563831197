"""A private server for one command: brought up in this process, and gone with it."""

import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Self

from farfalia.arena import Arena
from farfalia_server import settings_loading
from farfalia_server.cli.output import note
from farfalia_server.local.programs import Programs
from farfalia_server.net.ports import loopback
from farfalia_server.sandbox import NO_SANDBOX, choose
from farfalia_server.settings import LogLevel, Settings

if TYPE_CHECKING:  # it takes a second to import, when a server starts
    from farfalia_server.app import Server
    from farfalia_server.local.process_lobby import ProcessLobby

#: Matches at a time; a laptop gains nothing by more, and a comparison that ends early would play them in vain.
_TABLES = 64

#: Milliseconds until a bot that went away is given up: on one machine it has no network to lose.
_AWAY_MS = 5000

#: Seconds that a call of the server in this process may take.
_TIMEOUT_SECONDS = 600.0


@dataclass(frozen=True)
class RunningServer:
    """A private server that is up, what it takes to ask it, and the programs that connect to it."""

    server: "Server"
    arena: Arena
    programs: Programs
    data: Path
    admin_token: str
    #: Where programs find the server.
    address: str

    @property
    def processes(self) -> "ProcessLobby | None":
        """The lobby of programs that are started afresh for every match; None if they are not."""
        from farfalia_server.local.process_lobby import ProcessLobby

        return self.server.lobby if isinstance(self.server.lobby, ProcessLobby) else None


@dataclass(frozen=True)
class PrivateServer:
    """A server that is not up yet: on free ports of this machine alone, whatever the environment says."""

    server: "Server"
    settings: Settings
    sandbox: str
    unix_socket: Path

    @classmethod
    def in_(cls, data: Path, secret: bytes = b"", *, afresh: bool = False, sandbox: str = NO_SANDBOX) -> Self:
        """Return everything of it in this directory; a secret of 32 bytes for deals that come again.

        `afresh`: each program is started again for every match. `sandbox` confines programs.
        """
        # These take a second, which commands without a server need not wait for.
        from farfalia_server import logs
        from farfalia_server.app import Server
        from farfalia_server.local.process_lobby import ProcessLobby
        from farfalia_server.play.lobby import Lobby
        from farfalia_server.server_play import PrivatePlay

        logs.configure(LogLevel.WARNING)
        chosen = settings_loading.load(
            {
                "data_dir": data,
                "database_url": "",
                "redis_url": "",
                "program_archives": "",
                "host": loopback(),
                "grpc_port": 0,
                "http_port": 0,
                "public_address": "",
                "public_url": "",
                "tls_cert": "",
                "tls_key": "",
                "admin_token": secrets.token_urlsafe(32),
                "reconnect_grace_ms": _AWAY_MS,
                "absence_ms": _AWAY_MS,
                "max_tables": _TABLES,
            }
        )
        # In the data directory its name could be too long for a socket.
        unix_socket = Path(tempfile.gettempdir()) / f"farfalia-{secrets.token_hex(8)}" / "server.sock"
        private = PrivatePlay(secret, ProcessLobby if afresh else Lobby, None if sandbox == NO_SANDBOX else unix_socket)
        return cls(Server(chosen, private=private), chosen, sandbox, unix_socket)

    @asynccontextmanager
    async def up(self) -> AsyncIterator[RunningServer]:
        """Keep it up within the block; it ends with this process, however that ends."""
        token, data = self.settings.admin_token, self.settings.data_dir
        chosen = None if self.sandbox == NO_SANDBOX else await choose(self.sandbox)
        if chosen is not None:
            note(f"Programs run in the sandbox {chosen.name}. {chosen.protects}")
            for name, why in chosen.passed_over.items():
                note(f"{name} would be better, but {why}.")
        async with (
            _folder_of(self.unix_socket) if chosen else nullcontext(),
            self.server as server,
            # On a busy machine it answers late, and there is nobody else to ask.
            Arena(server.grpc_address, token, timeout=_TIMEOUT_SECONDS) as arena,
            Programs(chosen, self.unix_socket) as programs,
        ):
            with programs.keeping(int((self.settings.redis_dir / "redis.pid").read_text())):
                async with server.supervisor.guarding():
                    address = server.grpc_address if chosen is None else chosen.address(self.unix_socket)
                    yield RunningServer(server, arena, programs, data, token, address)


@asynccontextmanager
async def _folder_of(socket: Path) -> AsyncIterator[None]:
    """Have the folder of a socket, which others can enter but not list, within the block."""
    socket.parent.mkdir(mode=0o711)
    try:
        yield
    finally:
        shutil.rmtree(socket.parent, ignore_errors=True)


def secret_of(seed: int | None) -> bytes:
    """Return the secret from which a tournament with this seed has its draw and its deals; empty for a new one."""
    return b"" if seed is None else sha256(f"farfalia/run/{seed}".encode()).digest()


@contextmanager
def folder(kept: Path | None, prefix: str) -> Iterator[Path]:
    """Provide the directory that was named, or one that is gone afterwards."""
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix=prefix) as temporary:
        yield Path(temporary)
