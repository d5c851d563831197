"""A token bucket: a rate limit that allows bursts."""

from __future__ import annotations

from collections import OrderedDict


class TokenBucket:
    """A bucket of up to `burst` tokens that gains `rate` a second; times are seconds of any one clock."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, burst: float, rate: float, now: float) -> None:
        self._burst, self._rate, self._at, self._tokens = burst, rate, now, float(burst)

    def take(self, count: float, now: float) -> bool:
        """Take tokens; return False, and take none, if there are not enough."""
        self._fill(now)
        if self._tokens < count:
            return False
        self._tokens -= count
        return True

    def put_back(self, count: float) -> None:
        """Return tokens that were taken."""
        self._tokens = min(self._burst, self._tokens + count)

    def overdraw(self, now: float) -> None:
        """Leave a debt of a whole burst: until that is paid, nothing can be taken."""
        self._fill(now)
        self._tokens = -float(self._burst)

    def in_debt(self, now: float) -> bool:
        """Return whether the bucket is in debt."""
        self._fill(now)
        return self._tokens < 0

    def wait(self, count: float, now: float) -> float:
        """Return the seconds until this many tokens can be taken."""
        self._fill(now)
        return max(0.0, (count - self._tokens) / self._rate)

    def _fill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now


class TokenBuckets:
    """A bucket for each key, such as an address; the newest are remembered, so that many addresses cost no memory."""

    def __init__(self, burst: float, rate: float, *, remembered: int = 4096) -> None:
        self._burst, self._rate, self._remembered = burst, rate, remembered
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str, now: float) -> float:
        """Take a token; return the seconds after which there is one, 0 if one was taken."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._burst, self._rate, now)
            if len(self._buckets) > self._remembered:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return 0.0 if bucket.take(1, now) else bucket.wait(1, now)
