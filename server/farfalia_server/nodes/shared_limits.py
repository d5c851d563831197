"""Rate limits of the whole cluster: its nodes add up in Redis what each of them has let through."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import ClassVar, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.net import redis_keys
from farfalia_server.net.service import PeriodicService
from farfalia_server.play.token_bucket import TokenBuckets

#: Seconds between two exchanges with Redis. Until the next one, each node lets through what it would alone.
_EVERY = 1.0
#: Buckets of one kind in an exchange, those used last: it costs Redis a few microseconds for each.
_MOST = 200

#: KEYS: the buckets. ARGV: for each its burst, its rate a second, and the tokens that this node has taken. A bucket is
#: its tokens and the second to which they are counted; one that nobody has used for long enough is full, and expires.
#: Returns the tokens of each, as text. A debt is a burst at most: after twice that long without use it starts afresh.
_EXCHANGE: Final = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local answer = {}
for each, key in ipairs(KEYS) do
  local burst, rate = tonumber(ARGV[3 * each - 2]), tonumber(ARGV[3 * each - 1])
  local known = redis.call('HMGET', key, 'tokens', 'at')
  local tokens = burst
  if known[1] then
    tokens = math.min(burst, tonumber(known[1]) + math.max(0, now - tonumber(known[2])) * rate)
  end
  tokens = math.max(-burst, math.min(burst, tokens - tonumber(ARGV[3 * each])))
  if tokens < burst then
    redis.call('HSET', key, 'tokens', string.format('%.3f', tokens), 'at', string.format('%.6f', now))
    redis.call('EXPIRE', key, math.ceil((burst - tokens) / rate) + 1)
  else
    redis.call('DEL', key)
  end
  answer[each] = string.format('%.3f', tokens)
end
return answer
"""


class SharedLimits(PeriodicService):
    """Makes the buckets of this node, by kind, those of the cluster: at most one Redis command a second.

    A key that several nodes let through within that second can exceed its burst once at each of them. It owes what
    it took too much, so that over time the cluster lets through the rate of a single node. While Redis does not answer,
    each node limits alone.
    """

    unavailable: ClassVar[tuple[type[Exception], ...]] = (StoreUnavailable, RedisError, OSError)

    def __init__(self, redis: Redis, database: str, kinds: Mapping[str, TokenBuckets]) -> None:
        super().__init__("shared limits", every=_EVERY)
        self._exchange = redis.register_script(_EXCHANGE)
        self._database = database
        self._kinds = kinds

    async def _tick(self) -> None:
        shares = {kind: buckets.taken(monotonic(), _MOST) for kind, buckets in self._kinds.items()}
        database = self._database
        keys = [
            redis_keys.LIMIT(database=database, kind=kind, key=key) for kind, taken in shares.items() for key in taken
        ]
        if not keys:
            return
        arguments: list[float] = []
        for kind, taken in shares.items():
            for count in taken.values():
                arguments += (self._kinds[kind].burst, self._kinds[kind].rate, count)
        tokens = iter(await self._exchange(keys=keys, args=arguments))
        for kind, taken in shares.items():
            for key in taken:
                self._kinds[kind].settle(key, float(next(tokens)), monotonic())
