"""PostgreSQL on several hosts: connections go to the one that takes writes, now and after a failover."""

from __future__ import annotations

import re
from typing import Any

import asyncpg
from sqlalchemy.engine import URL

#: For a host that has vanished the kernel would wait for minutes; with several hosts the next one is tried.
_CONNECT_SECONDS, _NEXT_HOST_SECONDS = 10, 3
_STATEMENT_SECONDS = 60
#: How long a transaction may be idle: one of a node that is frozen or cut off would keep its locks forever.
_IDLE_SECONDS = 10.0
_HOST = re.compile(r"(?P<host>/[^:]*|\[[^]]+\]|[^:/\[\]]+)(?::(?P<port>\d+))?")
_SEVERAL = re.compile(r"(?P<begin>\w+(?:\+\w+)?://(?:[^@/?]*@)?)(?P<hosts>[^@/?]*,[^@/?]*)(?P<end>[/?].*|)")


class PostgresHosts:
    """The hosts of a URL, in the order in which they are tried; the one that answered last comes first.

    Raises ValueError for an invalid host or port.
    """

    def __init__(self, url: URL) -> None:
        # Parsed by asyncpg itself, which knows every parameter that PostgreSQL's own programs know.
        self._dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._hosts = _hosts(url)
        self._target = {} if "target_session_attrs" in url.query else {"target_session_attrs": "read-write"}

    async def connect(self) -> Any:
        """Return an asyncpg connection to a host that takes writes, unless the URL says otherwise or has only one host.

        Raises OSError, whatever a host says, with several hosts what is wrong with each: a host that takes no
        connections now may take them later. Raises ValueError for a URL that names no host.
        """
        if len(self._hosts) < 2:
            try:
                return await asyncpg.connect(
                    self._dsn,
                    timeout=_CONNECT_SECONDS,
                    command_timeout=_STATEMENT_SECONDS,
                    server_settings=_server_settings(),
                )
            except asyncpg.ClientConfigurationError:  # an InterfaceError, and a ValueError
                raise
            except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
                raise ConnectionError(str(error)) from error
        said = []
        for host in tuple(self._hosts):
            try:
                connection = await asyncpg.connect(
                    self._dsn,
                    host=host[0],
                    port=host[1],
                    timeout=_NEXT_HOST_SECONDS,
                    command_timeout=_STATEMENT_SECONDS,
                    server_settings=_server_settings(),
                    **self._target,
                )
            except asyncpg.TargetServerAttributeNotMatched:
                said.append(f"{_shown(host)} is not the primary")
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                said.append(f"{_shown(host)}: {str(error) or 'it does not answer'}")
            else:
                self._hosts.sort(key=lambda one: one != host)
                return connection
        raise ConnectionError("; ".join(said))


def _server_settings() -> dict[str, str]:
    return {"idle_in_transaction_session_timeout": f"{_IDLE_SECONDS * 1000:.0f}"}


def with_hosts_as_options(url: str) -> str:
    """Return an address with several hosts in a form with none, which SQLAlchemy takes: `…/name?host=one,two&port=1,2`.

    Raises ValueError if a host or a port cannot be one.
    """
    found = _SEVERAL.fullmatch(url)
    if found is None:
        return url
    hosts = [_host(member) for member in found["hosts"].split(",")]
    end = found["end"] or "/"
    names = ",".join(f"[{host}]" if ":" in host else host for host, _ in hosts)
    ports = ",".join(str(port) for _, port in hosts)
    return f"{found['begin']}{end}{'&' if '?' in end else '?'}host={names}&port={ports}"


def shown(url: URL) -> str:
    """Return the URL as users write it, without its password."""
    text = url.set(drivername=url.get_backend_name()).render_as_string()
    if "," not in str(url.query.get("host")):
        return text
    text = url.difference_update_query(("host", "port")).set(drivername=url.get_backend_name()).render_as_string()
    hosts = ",".join(map(_shown, _hosts(url)))
    return re.sub(r"(://[^@/]*@|://)", rf"\1{hosts}", text, count=1)


def _hosts(url: URL) -> list[tuple[str, int]]:
    named, port = url.query.get("host") or url.host or "", url.query.get("port") or url.port or ""
    members = (named if isinstance(named, str) else ",".join(named)).split(",")
    ports = (port if isinstance(port, str) else ",".join(port)).split(",") if not isinstance(port, int) else [str(port)]
    if not named:
        return []
    if len(ports) not in (1, len(members)):
        raise ValueError("the number of ports differs from the number of hosts")
    given = ports * len(members) if len(ports) == 1 else ports
    return [_host(member, default or "5432") for member, default in zip(members, given, strict=True)]


def _host(text: str, port: str = "5432") -> tuple[str, int]:
    found = _HOST.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no host")
    return found["host"].strip("[]"), int(found["port"] or port)


def _shown(host: tuple[str, int]) -> str:
    name, port = host
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"
