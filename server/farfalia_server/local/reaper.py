"""A small process that ends bot programs when their starter is done, or gone.

Run as a script. Each line of its input names a process group: `+4711` adds it, `-4711`
removes it. When the input ends, by a close or by the starter's death, every group that
is left gets SIGTERM and, a little later, SIGKILL. Every run ends its programs this way, so a
crash relies on nothing else.
"""

import os
import signal
import sys
import time

#: Seconds between SIGTERM and SIGKILL, and then at most until what was killed is gone.
PATIENCE = 2.0


def read_groups() -> set[int]:
    """Return the groups that were left when the input ended."""
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line)
        if group > 0:
            groups.add(group)
        else:
            groups.discard(-group)
    return groups


def send(groups: set[int], signum: int) -> set[int]:
    """Send to every group, and return those that were still there."""
    alive = set()
    for group in groups:
        try:
            os.killpg(group, signum)
        except (ProcessLookupError, PermissionError):
            continue
        alive.add(group)
    return alive


def wait_for(groups: set[int]) -> set[int]:
    """Wait until the groups have ended, and return those that have not after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while groups and time.monotonic() < deadline:
        time.sleep(0.02)
        groups = send(groups, 0)
    return groups


def main() -> None:
    """Read until the input ends, then end what is left."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    groups = wait_for(send(read_groups(), signal.SIGTERM))
    wait_for(send(groups, signal.SIGKILL))  # a busy machine takes a moment to end them


if __name__ == "__main__":
    main()
