"""One process, one match: for bots whose programs are started afresh for every match, so that none remembers cards."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Turn:
    """What one process of a bot may do: only a stream with its token is welcome, and that is given one seat."""

    token: str
    #: It has connected.
    came: bool = False
    #: The match in which it was given a seat; 0 before that.
    match: int = 0
    #: It was told how that match ended.
    told: bool = False
    #: It has ended: nobody waits for it to come back.
    gone: bool = False
    #: No other process follows: matches need not wait for one.
    last: bool = False
    #: Set when it has no part in its match any more: the match is over or given up, or the seat is lost.
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def spent(self) -> bool:
        """Nothing of it is wanted any more."""
        return self.gone or self.over.is_set()
