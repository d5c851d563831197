"""A network in which nodes can be cut off: each is in a network namespace of its own, with one link to each service.

All of it belongs to this process: it must have a namespace of its own already (`unshare --net`), and everything is gone
when it ends. A cut says nothing to anybody, as a cable that is pulled: packets are lost, and no connection ends.
"""

from __future__ import annotations

import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

#: What a link leads to.
SERVICES = ("redis", "postgresql", "bots")
REDIS_PORT, POSTGRES_PORT = 6379, 5432


class Network:
    """Links of nodes, by the number of the node and the name of the service."""

    def __init__(self, nodes: int, stack: ExitStack) -> None:
        self._stack = stack
        _run("ip", "link", "set", "lo", "up")
        self._holders = [self._namespace(node) for node in range(nodes)]

    def enter(self, node: int) -> tuple[str, ...]:
        """Return with what a command begins that runs in a node's namespace."""
        return ("nsenter", f"--net=/proc/{self._holders[node].pid}/ns/net")

    @staticmethod
    def address(node: int, service: str) -> str:
        """Return the address at which a node finds a service."""
        return f"10.{SERVICES.index(service)}.{node}.1"

    @staticmethod
    def own_address(node: int) -> str:
        """Return the address at which bots find a node."""
        return f"10.{SERVICES.index('bots')}.{node}.2"

    def cut(self, node: int, service: str) -> None:
        """Lose everything between a node and a service from now on."""
        _run("ip", "link", "set", _link(node, service), "down")

    def mend(self, node: int, service: str) -> None:
        """Let it through again."""
        _run("ip", "link", "set", _link(node, service), "up")

    def _namespace(self, node: int) -> subprocess.Popen[bytes]:
        # It lives as long as its input is open, so it ends with us whatever happens.
        holder = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE)
        self._stack.callback(_end, holder)
        own = Path("/proc/self/ns/net").readlink()
        while Path(f"/proc/{holder.pid}/ns/net").readlink() == own:
            time.sleep(0.01)
        inside = ("nsenter", f"--net=/proc/{holder.pid}/ns/net", "ip")
        _run(*inside, "link", "set", "lo", "up")
        for number, service in enumerate(SERVICES):
            link = _link(node, service)
            _run("ip", "link", "add", link, "type", "veth", "peer", "name", service, "netns", str(holder.pid))
            _run("ip", "address", "add", f"10.{number}.{node}.1/24", "dev", link)
            _run("ip", "link", "set", link, "up")
            _run(*inside, "address", "add", f"10.{number}.{node}.2/24", "dev", service)
            _run(*inside, "link", "set", service, "up")
        return holder


def _link(node: int, service: str) -> str:
    return f"{service}-{node}"


def _run(*command: str) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{' '.join(command)}: {ended.stderr}"


def _end(holder: subprocess.Popen[bytes]) -> None:
    assert holder.stdin is not None
    holder.stdin.close()
    holder.wait()
