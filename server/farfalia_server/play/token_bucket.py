"""A token bucket: a rate limit that allows bursts."""

from __future__ import annotations

from collections import Counter, OrderedDict
from itertools import islice


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
        """Leave a debt of a whole burst: nothing can be taken until it is paid."""
        self._fill(now)
        self._tokens = -float(self._burst)

    def spend(self, count: float, now: float) -> None:
        """Take tokens, even those that are not there: the rest is a debt."""
        self._fill(now)
        self._tokens -= count

    def in_debt(self, now: float) -> bool:
        """Return whether the bucket is in debt."""
        self._fill(now)
        return self._tokens < 0

    def wait(self, count: float, now: float) -> float:
        """Return the seconds until this many tokens can be taken."""
        self._fill(now)
        return max(0.0, (count - self._tokens) / self._rate)

    def settle(self, tokens: float, now: float) -> None:
        """Set how many tokens there are."""
        self._tokens, self._at = tokens, now

    def _fill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now


class TokenBuckets:
    """A bucket for each key, such as an address; only the newest are kept, so that memory is bounded.

    Several nodes can share them: `taken` tells what was taken here, `settle` what is left of all.
    """

    def __init__(self, burst: float, rate: float, *, remembered: int = 4096) -> None:
        self.burst, self.rate, self._remembered = burst, rate, remembered
        #: The key that was used last comes last.
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()
        #: What was taken since `taken` was last called.
        self._taken: Counter[str] = Counter()

    def take(self, key: str, now: float) -> float:
        """Take a token; return the seconds after which there is one, 0 if one was taken."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self.burst, self.rate, now)
            if len(self._buckets) > self._remembered:
                old, _ = self._buckets.popitem(last=False)
                del self._taken[old]
        self._buckets.move_to_end(key)
        if not bucket.take(1, now):
            return bucket.wait(1, now)
        self._taken[key] += 1
        return 0.0

    def put_back(self, key: str) -> None:
        """Return a token that was just taken."""
        if key in self._buckets:
            self._buckets[key].put_back(1)
            self._taken[key] -= 1

    def taken(self, now: float, most: int) -> dict[str, int]:
        """Return for each key whose bucket is not full how many tokens were taken since the last call.

        These are the `most` keys that were used last; those of the others count later.
        """
        keys = islice((key for key in reversed(self._buckets) if self._is_used(key, now)), most)
        return {key: self._taken.pop(key, 0) for key in list(keys)}

    def settle(self, key: str, tokens: float, now: float) -> None:
        """Set what the nodes that share a bucket have left of it, less what was taken here since `taken`."""
        if key in self._buckets:
            self._buckets[key].settle(tokens - self._taken[key], now)

    def _is_used(self, key: str, now: float) -> bool:
        return self._taken[key] != 0 or self._buckets[key].wait(self.burst, now) > 0
