"""What a node says of itself to the others, and the news that it came or went."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

#: Number of what nodes say to each other: what is forwarded, the entries of journals, jobs, sessions, the change bus.
#: It is raised with each change that a node of the version before would not understand; such nodes refuse each other.
CLUSTER_PROTOCOL: Final = 1
#: Seconds that are too few to measure a load.
_JUST_NOW = 0.01


@dataclass(frozen=True, slots=True)
class NodeFigures:
    """What changes about a node while it runs."""

    #: host:port for bots and pages' address, as others reach them; empty before the ports are open.
    address: str = ""
    pages: str = ""
    #: Matches that it plays, and bots with a stream to it.
    tables: int = 0
    bots: int = 0
    #: Matches that it plays at once, at most; 0 if it takes none.
    room: int = 0
    #: How late its event loop was, at worst, in the last minute.
    lag_ms: float = 0.0
    #: It takes no more matches and is about to stop.
    draining: bool = False
    #: How often it has written its name into the database.
    beat: int = 0


@dataclass(frozen=True, slots=True)
class Node:
    """A node as it described itself last."""

    name: str
    #: New at each start, and whenever it was taken for dead: what an instance owned, the next one does not own.
    instance: str
    version: str = ""
    #: Seconds since 1970 at which this instance began, by its own clock.
    since: float = 0.0
    #: Processor time a second of time, lately: 1 is a whole core.
    load: float = 0.0
    figures: NodeFigures = field(default_factory=NodeFigures)
    #: Its cluster protocol, and the schema that its database has; 0 and empty if it does not say.
    protocol: int = 0
    schema: str = ""

    @classmethod
    def parse(cls, text: str | bytes) -> Node:
        """Return what `str` made, without what only other versions say; ValueError or TypeError for anything else."""
        values: dict[str, Any] = json.loads(text)
        return cls(**{**_known(cls, values), "figures": NodeFigures(**_known(NodeFigures, values["figures"]))})

    def __str__(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


def _known(kind: type[Node | NodeFigures], values: Mapping[str, Any]) -> dict[str, Any]:
    return {each.name: values[each.name] for each in fields(kind) if each.name in values}


class LoadMeter:
    """The processor time that this process uses."""

    def __init__(self) -> None:
        self._before = (time.process_time(), time.monotonic())
        self._load = 0.0

    def load(self) -> float:
        """Return seconds of it for each second since the last call, or those of before if that was just now."""
        (used, at), now = self._before, (time.process_time(), time.monotonic())
        if now[1] - at > _JUST_NOW:
            self._load, self._before = round((now[0] - used) / (now[1] - at), 3), now
        return self._load


class NodeNews(StrEnum):
    """What has happened to a node."""

    #: It has come: the node is the new instance.
    CAME = "came"
    #: It has left, or was silent for a whole lease: the node is the instance that is gone.
    WENT = "went"
    #: This node itself was silent for a whole lease and taken for dead. The node is the instance that it was: whatever
    #: that one owned may be another node's by now.
    LOST = "lost"
    #: Redis has lost everything that this node wrote there, and perhaps what others told it. The node is this one.
    FORGOTTEN = "forgotten"
