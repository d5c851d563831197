"""The rate limits of one bot. They outlive its streams: reconnecting does not reset them."""

from __future__ import annotations

from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBucket


class BotLimits:
    """A token bucket for each thing that a bot may send only at a limited rate; `now` is by the monotonic clock."""

    __slots__ = ("logs", "useless")

    def __init__(self, now: float) -> None:
        self.useless = TokenBucket(limits.USELESS_BURST, limits.USELESS_RATE, now)
        self.logs = TokenBucket(limits.LOGS_BURST, limits.LOGS_RATE, now)
