"""The rate limits of one bot. They outlive its streams: connecting again brings nothing back."""

from __future__ import annotations

from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBucket


class BotLimits:
    """A token bucket for each thing of which a bot may send only so much; `now` by the monotonic clock."""

    __slots__ = ("logs", "streams", "useless")

    def __init__(self, now: float) -> None:
        self.useless = TokenBucket(limits.USELESS_BURST, limits.USELESS_RATE, now)
        self.logs = TokenBucket(limits.LOGS_BURST, limits.LOGS_RATE, now)
        self.streams = TokenBucket(limits.STREAMS_BURST, limits.STREAMS_RATE, now)
