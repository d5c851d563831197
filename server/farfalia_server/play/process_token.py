"""One process, one match: for bots whose programs are started afresh for every match, so that none remembers cards."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class ProcessToken:
    """What one process of a bot may do: only a stream with its token is welcome, and that is given one seat."""

    token: str
    #: It has connected.
    connected: bool = False
    #: The match in which it was given a seat; 0 before that.
    match: int = 0
    #: It was told how that match ended.
    informed: bool = False
    #: It has ended: nobody waits for it to come back.
    exited: bool = False
    #: No other process follows: matches need not wait for one.
    last: bool = False
    #: Set when it has no part in its match any more: the match is over or given up, or the seat is lost.
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def spent(self) -> bool:
        """Nothing of it is wanted any more."""
        return self.exited or self.finished.is_set()
