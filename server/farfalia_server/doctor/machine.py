"""What the machine gives a server: space on the disk, and open files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from farfalia_server.doctor.finding import Finding
from farfalia_server.net.descriptors import raise_limit, share
from farfalia_server.settings import Settings

_MEGABYTE = 1 << 20
#: Free space below which it gets scarce, and below which SQLite and Redis soon fail.
_SCARCE, _FULL = 2048 * _MEGABYTE, 256 * _MEGABYTE
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
