"""Who may read the files with secrets, and write where a server and a host keep what they use."""

from __future__ import annotations

import re
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from farfalia_server.contract.errors import StoreError
from farfalia_server.doctor.finding import Finding
from farfalia_server.settings import Settings
from farfalia_server.store.sql.engines import normalise

#: A line of settings with a token, or with a password in an address.
_SECRET = re.compile(
    r"^\s*((admin_token|oidc_client_secret|smtp_password)\s*=\s*\S{3,}|\w+_url\s*=.*://[^/@\n]*:[^/@\n]+@)",
    re.MULTILINE,
)
#: What names a file with a password or a private key in the address of a database or a Redis.
_FILES_IN_URLS = ("passfile", "sslkey", "ssl_keyfile")
#: Where `farfalia host` keeps programs, if it is not told otherwise.
_HOST = "farfalia-host"


def check_secrets(settings: Settings, config: Path | None = None) -> Iterator[Finding]:
    """Name the files with secrets that others may read; the file of the settings is one if it has some."""
    keys = [*([Path(settings.tls_key)] if settings.tls_key else []), *_in_urls(settings)]
    files = [*_data(settings), *keys]
    if config is not None and _SECRET.search(config.read_text(encoding="utf-8-sig")):
        files.append(config)
    open_to = []
    for file in files:
        try:
            mode = file.stat().st_mode
        except OSError:  # what is missing is said elsewhere
            continue
        # A group may be made for those who need a certificate's key; nobody else needs the server's data.
        forbidden = stat.S_IRWXO if file in keys else stat.S_IRWXO | stat.S_IRWXG
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


def check_folders(settings: Settings) -> Iterator[Finding]:
    """Name the directories of the server and of a host here that others may write to.

    Programs there may be read: each may run as a user of its own.
    """
    hosts = (settings.data_dir / "host", Path(_HOST))
    kept = [folder / name for folder in hosts for name in ("", "programs", "sockets")]
    open_to = []
    for folder in (settings.data_dir, settings.redis_dir, *kept):
        try:
            mode = folder.stat().st_mode
        except OSError:
            continue
        if mode & (stat.S_IWOTH | stat.S_IWGRP):
            open_to.append(folder)
    for folder in open_to:
        yield Finding.problem(
            "folders",
            f"Other users may put files into {folder}, and replace what is there.",
            f"chmod go-w {shlex.quote(str(folder))}",
        )
    if not open_to:
        yield Finding.ok("folders", "No other user may write where the server and hosts keep their files.")


def _in_urls(settings: Settings) -> list[Path]:
    """Return the files with passwords and private keys that the addresses of database and Redis name."""
    asked = [parse_qs(urlsplit(url).query) for url in (settings.database_url, settings.redis_url)]
    return [Path(path) for words in asked for name in _FILES_IN_URLS for path in words.get(name, [])]
