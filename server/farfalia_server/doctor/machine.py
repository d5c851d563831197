"""What the machine gives a server: space on the disk, open files; and who may read its secrets."""

from __future__ import annotations

import re
import shlex
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from farfalia_server.contract.errors import StoreError
from farfalia_server.doctor.finding import Finding
from farfalia_server.net.descriptors import raise_limit, share
from farfalia_server.settings import Settings
from farfalia_server.store.sql.engines import normalise

_MEGABYTE = 1 << 20
#: Free space below which it gets scarce, and below which SQLite and Redis soon fail.
_SCARCE, _FULL = 2048 * _MEGABYTE, 256 * _MEGABYTE
#: A line of settings with a token, or with a password in an address.
_SECRET = re.compile(
    r"^\s*((admin_token|oidc_client_secret|smtp_password)\s*=\s*\S{3,}|\w+_url\s*=.*://[^/@\n]*:[^/@\n]+@)",
    re.MULTILINE,
)
#: Connections of bots that any server should have room for.
_FEW_BOTS = 200


def check_disk(settings: Settings) -> Iterator[Finding]:
    """Say how much space the data directory has."""
    folder = settings.data_dir.absolute()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    text = f"{free / _MEGABYTE:,.0f} MB are free where {folder} is."
    remedy = "Free some space, or move the data with --data-dir."
    if free < _FULL:
        yield Finding.problem("disk", text, remedy)
    elif free < _SCARCE:
        yield Finding.warning("disk", text, remedy)
    else:
        yield Finding.ok("disk", text)


def check_open_files(settings: Settings) -> Iterator[Finding]:
    """Say how many bots and readers the limit on open files leaves room for."""
    limit = raise_limit()
    room = share(limit, settings.max_tables)
    text = f"{limit} open files leave room for {room.grpc} connections of bots and {room.http} of readers."
    if room.grpc < _FEW_BOTS:
        yield Finding.warning("open files", text, "Raise the limit: LimitNOFILE in systemd's unit, or `ulimit -n`.")
    else:
        yield Finding.ok("open files", text)


def check_secrets(settings: Settings, config: Path | None = None) -> Iterator[Finding]:
    """Name the files with secrets that others may read; the file of the settings is one if it has some."""
    files = [*_data(settings), *([Path(settings.tls_key)] if settings.tls_key else [])]
    if config is not None and _SECRET.search(config.read_text(encoding="utf-8-sig")):
        files.append(config)
    open_to = []
    for file in files:
        try:
            mode = file.stat().st_mode
        except OSError:  # what is missing is said elsewhere
            continue
        # A group may be made for those who need a certificate's key; nobody else needs the server's data.
        forbidden = stat.S_IRWXO if str(file) == settings.tls_key else stat.S_IRWXO | stat.S_IRWXG
        if mode & forbidden:
            open_to.append(file)
    for file in open_to:
        yield Finding.warning(
            "secrets",
            f"{file} has secrets, and other users may read or change it.",
            f"chmod go-rwx {shlex.quote(str(file))}",
        )
    if not open_to:
        yield Finding.ok("secrets", "No other user may read the files with secrets.")


def _data(settings: Settings) -> list[Path]:
    """Return the files of the database and the embedded Redis, as far as they are there."""
    found = [path for path in settings.redis_dir.rglob("*") if path.suffix in {".aof", ".rdb"}]
    try:
        url = normalise(settings.effective_database_url)
    except StoreError:
        return found
    if url.get_backend_name() == "sqlite":
        file = Path(str(url.database))
        found += [file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))]
    return found
