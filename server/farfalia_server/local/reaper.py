"""A small process that ends bot programs when whoever started them is done, or gone.

Run as a script. Each line of its input names a process group: `+4711` takes it into its
keeping, `-4711` lets it go. When the input ends, by a close or by the starter's death,
every group in its keeping is told to terminate and, a little later, killed. That is the
only way in which programs are ended, so what a crash relies on is what every run does.
"""

import os
import signal
import sys
import time

PATIENCE = 2.0
"""Seconds between being told to terminate and being killed."""


def read_groups() -> set[int]:
    """The groups still in keeping when the input ended."""
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


def main() -> None:
    """Read until the input ends, then end what is left."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    groups = send(read_groups(), signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE
    while groups and time.monotonic() < deadline:
        time.sleep(0.02)
        groups = send(groups, 0)
    send(groups, signal.SIGKILL)


if __name__ == "__main__":
    main()
