"""What requirements.lock says, read as pip reads it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = Path(__file__).resolve().parents[1] / "requirements.lock"


def lines() -> list[str]:
    """The lines of the lock that pip does not skip as comments."""
    return [line for line in LOCK.read_text().splitlines() if line and not re.match(r"\s*#", line)]


def locked(environment: Mapping[str, object]) -> dict[str, str]:
    """The versions by name, for an environment as the markers of `packaging` describe one."""
    found: dict[str, str] = {}
    for requirement in map(Requirement, lines()):
        if requirement.marker is None or requirement.marker.evaluate(cast(dict[str, str], environment)):
            [pinned] = requirement.specifier
            found[canonicalize_name(requirement.name)] = pinned.version
    return found
