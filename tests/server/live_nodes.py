"""Real servers, each in a process of its own, that are nodes of one arena."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.server.live import LiveServer, live_server
from tests.server.migrated import sqlite_url
from tests.server.shared_redis import emptied_redis


@contextmanager
def live_nodes(
    folder: Path,
    *names: str,
    constants: Mapping[str, float] | None = None,
    programs: Mapping[str, Sequence[str]] = MappingProxyType({}),
    **settings: Any,
) -> Iterator[list[LiveServer]]:
    """Nodes with these names, on a Redis and a SQLite file unless others are given; each has a folder for its log.

    `programs` are what Python runs for some of them instead of the `farfalia` command.
    """
    shared = {
        "redis_url": settings.get("redis_url") or emptied_redis(),
        "database_url": settings.get("database_url") or sqlite_url(folder / "arena.db"),
    }
    with ExitStack() as servers:
        nodes = []
        for name in names:
            (folder / name).mkdir()
            program = programs.get(name, ())
            server = live_server(
                folder / name, constants=constants, program=program, **{**settings, **shared, "node": name}
            )
            nodes.append(servers.enter_context(server))
        yield nodes
