"""How many cores this process may use."""

import os
from pathlib import Path

_OWN_GROUPS = Path("/proc/self/cgroup")
_GROUPS = Path("/sys/fs/cgroup")


def usable_cores(own: Path = _OWN_GROUPS, groups: Path = _GROUPS) -> int:
    """Return for how many cores the system has time for this process, at least 1.

    These are the cores that it may run on, or fewer: a container or a service may have a quota of CPU time (`cpu.max`
    of a control group, version 2, or of one above it), which is rounded down.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([cores, *_quotas(own, groups)]))


def _quotas(own: Path, groups: Path) -> list[int]:
    try:
        lines = own.read_text().splitlines()
    except OSError:  # not Linux
        return []
    path = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), None)
    if path is None:
        return []
    folder = groups / path
    found = []
    for one in (folder, *folder.parents):
        try:
            quota, period = (one / "cpu.max").read_text().split()
        except (OSError, ValueError):  # the topmost group has none
            continue
        if quota != "max":
            found.append(int(quota) // int(period))
        if one == groups:
            break
    return found
