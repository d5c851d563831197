"""Containers that outlive the process that started them: an engine runs them on when that one is killed."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import suppress
from socket import gethostname
from typing import Final

#: The label of each container: who started it.
_LABEL: Final = "farfalia.starter"
#: It among the labels, as Docker lists them (`name=value,…`) and as Podman does (`map[name:value …]`).
_VALUE: Final = re.compile(re.escape(_LABEL) + r"[=:](?P<host>[^/,\s]*)/(?P<process>\d+)")
#: Seconds that an engine may take for one answer.
_PATIENCE: Final = 10


def starter() -> str:
    """Return the label, with its value, of containers that this process starts."""
    return f"{_LABEL}={gethostname()}/{os.getpid()}"


def remove_left(engine: str) -> None:
    """Remove containers whose starter was a process of this machine that is gone."""
    listed = _asked(engine, "ps", "--all", "--filter", f"label={_LABEL}", "--format", "{{.ID}} {{.Labels}}")
    for line in listed.splitlines():
        label = _VALUE.search(line)
        if label and label["host"] == gethostname() and not _is_there(int(label["process"])):
            remove(engine, line.split()[0])


def remove(engine: str, container: str) -> None:
    """End a container at once, and remove it."""
    # Podman's `rm --force` alone asks a container to end, and waits ten seconds; killed, it is removed by its `--rm`.
    _asked(engine, "kill", container)
    _asked(engine, "rm", "--force", container)


def _asked(engine: str, *words: str) -> str:
    """Return what an engine says; nothing if it cannot be asked."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run([engine, *words], capture_output=True, text=True, timeout=_PATIENCE, check=False)  # noqa: S603
        return done.stdout
    return ""


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
