"""What a node publishes about itself, and the news that a node came or went."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

#: Version of the cluster protocol: forwarded messages, journal entries, jobs, gateways, the change bus. Raise it with
#: each change that the previous version would not understand; nodes with different versions refuse each other.
CLUSTER_PROTOCOL: Final = 3
#: Fewer seconds than this are too few to measure a load.
_JUST_NOW = 0.01


@dataclass(frozen=True, slots=True)
class NodeFigures:
    """What changes about a node while it runs."""

    #: Public addresses for bots (host:port) and of the pages; empty until the ports are open.
    address: str = ""
    pages: str = ""
    #: Matches in play here, and bots with a stream to this node.
    tables: int = 0
    bots: int = 0
    #: Most matches at a time; 0 if it takes none.
    room: int = 0
    #: The worst lag of its event loop in the last minute.
    lag_ms: float = 0.0
    #: It takes no more matches and is about to stop.
    draining: bool = False
    #: How often it has renewed its lease in the database.
    beat: int = 0
    #: The house bots that it can play; none if it does not say.
    house_bots: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> NodeFigures:
        """Return the figures of JSON, without what only other versions have; TypeError for anything else."""
        known = _known(cls, values)
        return cls(**known | {"house_bots": tuple(known.get("house_bots", ()))})

    def plays(self, house: Collection[str]) -> bool:
        """Return whether it can play all of these house bots, as far as it says."""
        return not self.house_bots or set(house) <= set(self.house_bots)


@dataclass(frozen=True, slots=True)
class Node:
    """A node as it last described itself."""

    name: str
    #: New at each start and after it was taken for dead: an instance does not inherit what the last one owned.
    instance: str
    version: str = ""
    #: Seconds since 1970 at which this instance began, by its own clock.
    since: float = 0.0
    #: CPU seconds per second, recently: 1 is a whole core.
    load: float = 0.0
    figures: NodeFigures = field(default_factory=NodeFigures)
    #: Its cluster protocol, and the schema that its database has; 0 and empty if it does not say.
    protocol: int = 0
    schema: str = ""

    @classmethod
    def parse(cls, text: str | bytes) -> Node:
        """Return what `str` made, without what only other versions say; ValueError or TypeError for anything else."""
        values: dict[str, Any] = json.loads(text)
        return cls(**{**_known(cls, values), "figures": NodeFigures.of(values["figures"])})

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
        """Return CPU seconds per second since the last call, or the last value if that call was just now."""
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
    #: This node itself was silent for a whole lease and taken for dead. The node is its former instance: others may own
    #: by now what that one owned.
    LOST = "lost"
    #: Redis has lost what this node wrote, and perhaps what others wrote. The node is this one.
    FORGOTTEN = "forgotten"
