"""Seats that are reserved for matches, in Redis: every node reads them, one writes them.

What they are for, and what a server that is alone has instead: `queue.reservations`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import Redis

from farfalia_server.cluster.streams import MOST_ENTRIES
from farfalia_server.net import redis_keys
from farfalia_server.queue.reservations import OutdatedSeater, ReservationsLost, SeatedMatch, Table

#: Name of the role whose holder reserves seats.
SEATER: Final = "seater"

#: KEYS: matches, how many seats of each bot are taken, the fence. ARGV: token, match, the node that is to play it, then
#: bots and how many seats each has. Returns 1 if they are reserved, 0 if one of them has no seat free, -1 for a token
#: that is not the newest, -2 if there is no fence: Redis has lost what was reserved.
#: A match's entry: when its seats were reserved, in ms by the clock of Redis, its bots, and the node, which servers of
#: cluster protocol 2 did not write.
_RESERVE = """
local token, fence = tonumber(ARGV[1]), tonumber(redis.call('GET', KEYS[3]) or '-1')
if fence < 0 then return -2 end
if token < fence then return -1 end
redis.call('SET', KEYS[3], ARGV[1])
local there = redis.call('HGET', KEYS[1], ARGV[2])
if there then
  redis.call('HSET', KEYS[1], ARGV[2], string.match(there, '^[^:]*:[^:]*') .. ':' .. ARGV[3])
  return 1
end
for at = 4, #ARGV, 2 do
  if tonumber(redis.call('HGET', KEYS[2], ARGV[at]) or '0') >= tonumber(ARGV[at + 1]) then return 0 end
end
local time = redis.call('TIME')
local bots = {}
for at = 4, #ARGV, 2 do
  redis.call('HINCRBY', KEYS[2], ARGV[at], 1)
  table.insert(bots, ARGV[at])
end
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], ARGV[2], now .. ':' .. table.concat(bots, ' ') .. ':' .. ARGV[3])
return 1
"""
#: KEYS: the fence, roles. ARGV: token, the seater's role. Returns 1, or -1 for a token that is not the newest, or that
#: no node has: an emptied Redis knows no fence, and one who was the seater would raise it there.
_RAISE = """
local instance, token = string.match(redis.call('HGET', KEYS[2], ARGV[2]) or '', '^(%S+) (%d+) ')
if not token or instance == '-' or tonumber(token) ~= tonumber(ARGV[1]) then return -1 end
if tonumber(ARGV[1]) < tonumber(redis.call('GET', KEYS[1]) or '0') then return -1 end
redis.call('SET', KEYS[1], ARGV[1])
return 1
"""
#: KEYS: matches, how many seats of each bot are taken, the stream of news. ARGV: match, 1 if it waits to be played.
_RELEASE = f"""
local seats = redis.call('HGET', KEYS[1], ARGV[1])
if not seats then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
for bot in string.gmatch(string.match(seats, ':([^:]*)'), '%d+') do
  if redis.call('HINCRBY', KEYS[2], bot, -1) <= 0 then redis.call('HDEL', KEYS[2], bot) end
end
redis.call('XADD', KEYS[3], 'MAXLEN', '~', {MOST_ENTRIES}, '*', 'match', ARGV[1], 'waits', ARGV[2])
return 1
"""


class SharedReservations:
    """The reserved seats of the bots of one database. The seater's token is that of its role."""

    def __init__(self, redis: Redis, database: str) -> None:
        self._redis = redis
        self._matches = redis_keys.SEATED_MATCHES(database=database)
        self._taken = redis_keys.SEATS_TAKEN(database=database)
        self._fence = redis_keys.SEATS_FENCE(database=database)
        self._roles = redis_keys.ROLES(database=database)
        #: A stream with an entry whenever seats become free.
        self.news = redis_keys.SEAT_NEWS(database=database)
        self._reserve = redis.register_script(_RESERVE)
        self._raise = redis.register_script(_RAISE)
        self._release = redis.register_script(_RELEASE)

    async def nodes(self) -> dict[int, str]:
        """Return, by match with reserved seats, the node that is to play it."""
        found: Any = await self._redis.hgetall(self._matches)
        return {int(match): _parts(seats)[2] for match, seats in found.items()}

    async def seated(self) -> dict[int, SeatedMatch]:
        """Return the matches with reserved seats; how long they have had them is by the clock of Redis."""
        seconds, microseconds = await self._redis.time()
        found: Any = await self._redis.hgetall(self._matches)
        seated = {}
        for match, seats in found.items():
            since, bots, node = _parts(seats)
            age = seconds + microseconds / 1e6 - int(since) / 1000
            seated[int(match)] = SeatedMatch(tuple(map(int, bots.split())), node, age)
        return seated

    async def taken(self) -> dict[int, int]:
        """Return, by bot, how many of its seats are reserved."""
        found: Any = await self._redis.hgetall(self._taken)
        return {int(bot): int(count) for bot, count in found.items()}

    async def hold(self, token: int, playing: Sequence[Table], /) -> None:
        """Reserve the seats of matches in play that have none, and allow `reserve`.

        Raises OutdatedSeater if `token` is no longer the seater's, also according to the roles in Redis.
        """
        if await self._raise(keys=[self._fence, self._roles], args=[token, SEATER]) == -1:
            raise OutdatedSeater
        await self.reserve(token, playing)

    async def reserve(self, token: int, tables: Sequence[Table], /) -> list[bool]:
        """Reserve the seats of each match, or none of it; one that has them keeps them, for another node perhaps.

        Return for each match whether it has them now. Raises OutdatedSeater if `token` is no longer the seater's, and
        ReservationsLost if Redis has lost the reservations since the last `hold`.
        """
        if not tables:
            return []
        pipeline = self._redis.pipeline(transaction=False)
        for table in tables:
            bots = (number for limit in table.limits.items() for number in limit)
            args: list[int | str] = [token, table.match, table.node, *bots]
            await self._reserve(keys=[self._matches, self._taken, self._fence], args=args, client=pipeline)
        answers: list[int] = await pipeline.execute()
        if -1 in answers:
            raise OutdatedSeater
        if -2 in answers:
            raise ReservationsLost
        return [answer == 1 for answer in answers]

    async def release(self, match: int, /, *, waits: bool) -> None:
        """Free the reserved seats of a match, and let the seater know; `waits` if the match waits to be played."""
        await self._release(keys=[self._matches, self._taken, self.news], args=[match, int(waits)])


def _parts(seats: bytes) -> tuple[str, str, str]:
    """Return since when seats are reserved, whose they are, and for which node."""
    since, _, rest = seats.decode().partition(":")
    bots, _, node = rest.partition(":")
    return since, bots, node
