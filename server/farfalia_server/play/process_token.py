"""One process, one match: for bots whose programs start afresh for every match, so that none remembers cards."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class ProcessToken:
    """A token for one process of a bot and one match: a stream with it is accepted and gets one seat."""

    token: str
    #: It has connected.
    connected: bool = False
    #: The match in which it has a seat; 0 before that.
    match: int = 0
    #: It was sent the result of that match.
    informed: bool = False
    #: It has exited, and will not reconnect.
    exited: bool = False
    #: No other process follows, so matches need not wait for one.
    last: bool = False
    #: Set when its match is over or given up, or the seat is lost.
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def spent(self) -> bool:
        """Whether it has exited, or its match is over for it."""
        return self.exited or self.finished.is_set()
