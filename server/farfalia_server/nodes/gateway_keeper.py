"""The gateways of all bots in Redis: which bot is at which node. Nodes write their own and read those of others.

A node overwrites a bot's gateway only if it knows the one before: if a bot comes to two nodes at the same moment, one
is first and the other has to decide again. A node writes the gateways of its own bots under their epochs. What becomes
of the seats of a bot that moves is in `shared_connection` and `remote_seats`.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.cluster.streams import MOST_ENTRIES, Streams
from farfalia_server.contract.errors import RedisUnavailable
from farfalia_server.contract.said import said
from farfalia_server.net import redis_keys
from farfalia_server.net.redis_connection import is_worth_a_new_connection
from farfalia_server.net.service import Service
from farfalia_server.nodes.shared_lobby import SharedLobby
from farfalia_server.play.bot_gateway import BotGateway
from farfalia_server.play.stream import StreamStatus
from farfalia_server.store import ConnectionCap

log = structlog.get_logger(__name__)

#: Seconds in which changes gather, before a retry, and between two reads of all gateways.
_GATHER, _PAUSE, _READ_ALL = 0.05, 1.0, 60.0

#: KEYS: gateways by bot, the stream of changes. ARGV: bot, the known epoch, the new gateway.
#: Returns nothing if the new gateway is stored, otherwise the one that is there instead.
_WRITE = f"""
local there = redis.call('HGET', KEYS[1], ARGV[1])
if there and cjson.decode(there).epoch ~= tonumber(ARGV[2]) then return there end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', {MOST_ENTRIES}, '*', 'gateway', ARGV[3])
return false
"""

#: The same, unless as many others are connected as a cap allows. More ARGV: the caps, each with the bots that count, as
#: text; the epochs, by bot, of gateways that have no stream though they say so; bots that Redis has lost, though they
#: have one. Returns the number of the cap, from 1, if it is reached.
_WRITE_CAPPED = f"""
local there = redis.call('HGET', KEYS[1], ARGV[1])
if there and cjson.decode(there).epoch ~= tonumber(ARGV[2]) then return there end
local ended, lost = cjson.decode(ARGV[5]), cjson.decode(ARGV[6])
for number, cap in ipairs(cjson.decode(ARGV[4])) do
  local count = 0
  for _, bot in ipairs(cap[2]) do
    local other = redis.call('HGET', KEYS[1], bot)
    local gateway = other and cjson.decode(other)
    if gateway and gateway.connected and gateway.epoch ~= ended[bot] then count = count + 1 end
    if not other and lost[bot] then count = count + 1 end
  end
  if count >= cap[1] then return number end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', {MOST_ENTRIES}, '*', 'gateway', ARGV[3])
return false
"""


class GatewayKeeper(Service):
    """Keeps a lobby's directory and Redis in step; `async with` reads all gateways and starts it.

    `instance` returns this node's instance as long as the others know it, `holds` whether nobody can have taken this
    node for dead yet.
    """

    def __init__(
        self,
        redis: Redis,
        database: str,
        lobby: SharedLobby,
        streams: Streams,
        instance: Callable[[], str],
        holds: Callable[[], bool],
    ) -> None:
        super().__init__("gateways")
        self._redis = redis
        self._lobby = lobby
        self._directory = lobby.directory
        self._instance = instance
        self._holds = holds
        self._key, self._news = redis_keys.GATEWAYS(database=database), redis_keys.GATEWAY_NEWS(database=database)
        self._write = redis.register_script(_WRITE)
        self._write_capped = redis.register_script(_WRITE_CAPPED)
        #: Bots whose gateways are being opened: they get their streams in a moment.
        self._opening: set[int] = set()
        self._dirty: set[int] = set()
        #: Bots of this node that Redis has lost, or has with an older gateway, whose epoch this is.
        self._lost: dict[int, int] = {}
        self._read_at = -math.inf
        lobby.on_change = self.changed
        streams.subscribe(self._news, self._heard, self.read_again)

    async def __aenter__(self) -> Self:
        await self._read_all()
        return await super().__aenter__()

    async def open(
        self, bot: int, name: str, client: str, *, take_over: bool, caps: Sequence[ConnectionCap] = ()
    ) -> BotGateway | ConnectionCap | None:
        """Make this node the bot's gateway; None if another instance of the bot is connected to a live node, and a cap
        if as many other bots are connected as it allows, to live nodes.

        Raises RedisUnavailable.
        """
        self._opening.add(bot)
        try:
            return await self._open(bot, name, client, take_over=take_over, caps=caps)
        except (RedisError, OSError) as error:
            raise RedisUnavailable(said("Redis does not answer: %(error)s", error=str(error))) from error
        finally:
            self._opening.discard(bot)

    def is_here(self, gateway: BotGateway) -> bool:
        """Return whether the gateway is still the bot's.

        It is not if this node may have been taken for dead: then others play on at its tables, which would ask the bot
        what it has answered long ago.
        """
        here = self._directory.here(gateway.bot)
        return here is not None and here.epoch == gateway.epoch and self._holds()

    async def _open(
        self, bot: int, name: str, client: str, *, take_over: bool, caps: Sequence[ConnectionCap]
    ) -> BotGateway | ConnectionCap | None:
        while True:
            found: Any = await self._redis.hget(self._key, str(bot))
            there = BotGateway.parse(found) if found else None
            own = (self._directory.own, self._instance())
            if there is not None:
                elsewhere = there.node != self._directory.own and self._directory.is_alive(there)
                if elsewhere and there.connected and there.client != client and not take_over:
                    return None
                known = self._directory.last(bot)  # Redis may have lost it since
                newest = known if known is not None and known.epoch > there.epoch else there
                epoch = newest.epoch + ((newest.node, newest.node_instance) != own)
            else:
                # Redis may have lost a gateway unknown to this node: the time is greater than its epoch.
                last, (seconds, micros) = self._directory.last(bot), await self._redis.time()
                epoch = max(seconds * 1_000_000 + micros, 0 if last is None else last.epoch + 1)
            gateway = BotGateway(bot, epoch, *own, name=name, connected=True, client=client)
            keys = [self._key, self._news]
            args = [str(bot), str(there.epoch if there is not None else 0), str(gateway)]
            if caps:
                other = await self._write_capped(keys=keys, args=[*args, *await self._counted(bot, caps)])
            else:
                other = await self._write(keys=keys, args=args)
            if other is None:
                self._directory.put(gateway)
                return gateway
            if isinstance(other, int):
                return caps[other - 1]

    async def _counted(self, bot: int, caps: Sequence[ConnectionCap]) -> list[str]:
        """Return what the script has to know to count the other bots of a bot's caps."""
        others = [[cap.most, [str(other) for other in cap.bots if other != bot]] for cap in caps]
        bots = sorted({other for cap in caps for other in cap.bots} - {bot})
        found: Any = await self._redis.hmget(self._key, [str(one) for one in bots]) if bots else []
        there = {one: None if text is None else BotGateway.parse(text) for one, text in zip(bots, found, strict=True)}
        ended = {str(one): gateway.epoch for one, gateway in there.items() if gateway and self._has_ended(gateway)}
        lost = {str(one): True for one, gateway in there.items() if gateway is None and self._lobby.is_connected(one)}
        return [json.dumps(others), json.dumps(ended), json.dumps(lost)]

    def _has_ended(self, gateway: BotGateway) -> bool:
        """Return whether the stream of a gateway has ended, though Redis may say otherwise: its node is dead, or it was
        here, which is about to be written.
        """
        if not self._directory.is_alive(gateway):
            return True
        connection = self._lobby.known(gateway.bot)
        here = gateway.node == self._directory.own and gateway.bot not in self._opening
        return here and (connection is None or not connection.connected)

    def why_not_here(self, gateway: BotGateway) -> StreamStatus:
        """Return why this gateway is no longer the bot's."""
        return self._lobby.why_not_here(gateway.bot, bytes.fromhex(gateway.client))

    def changed(self, bot: int) -> None:
        """Write a bot's changed gateway soon."""
        self._dirty.add(bot)
        self._woken.set()

    def _heard(self, fields: Mapping[bytes, bytes]) -> None:
        self._put(BotGateway.parse(fields[b"gateway"]))

    def _put(self, gateway: BotGateway) -> None:
        """Take over a gateway from another node; about its own bots this node knows better."""
        here = self._directory.here(gateway.bot)
        if here is None or gateway.epoch > here.epoch:
            self._directory.put(gateway)

    def read_again(self) -> None:
        """Read all gateways now, and rewrite those that Redis has lost."""
        self._read_at = -math.inf  # not 0, from which a machine counts after its start
        self._woken.set()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while await self._goes_on(max(0.0, self._read_at + _READ_ALL - loop.time())):
            self._woken.clear()
            try:
                if loop.time() >= self._read_at + _READ_ALL:
                    await self._read_all()
                await self._write_changes()
            except (RedisError, OSError) as error:
                log.warning("service_paused", service="gateways", error=str(error))
                if is_worth_a_new_connection(error):
                    await self._redis.connection_pool.disconnect(inuse_connections=False)
                self._woken.set()
                await asyncio.sleep(_PAUSE)
            else:
                await asyncio.sleep(_GATHER)

    async def _read_all(self) -> None:
        """Read all gateways, and write those of this node that Redis has lost."""
        found: Any = await self._redis.hgetall(self._key)
        self._read_at = asyncio.get_running_loop().time()
        there = {gateway.bot: gateway for gateway in map(BotGateway.parse, found.values())}
        for gateway in there.values():
            self._put(gateway)
        self._lost = {
            gateway.bot: there[gateway.bot].epoch if gateway.bot in there else gateway.epoch
            for gateway in self._directory.own_gateways()
            if there.get(gateway.bot) != gateway
        }
        self._dirty |= self._lost.keys()

    async def _write_changes(self) -> None:
        while self._dirty:
            bot = self._dirty.pop()
            here = self._directory.here(bot)
            try:
                if here is not None:
                    await self._write_one(here)
            except BaseException:
                self._dirty.add(bot)
                raise

    async def _write_one(self, here: BotGateway) -> None:
        connection = self._lobby.connection(here.bot)
        now = replace(
            here,
            name=connection.name,
            connected=connection.connected,
            client=connection.instance.hex() if connection.connected else here.client,
            features=tuple(sorted(connection.features)) if connection.connected else here.features,
            rulesets=tuple(sorted(connection.rulesets)),
            offered=connection.offered,
            silent=connection.silent,
        )
        known = self._lost.get(here.bot)
        if now == here and known is None:
            return
        known = here.epoch if known is None else known
        other = await self._write(keys=[self._key, self._news], args=[here.bot, known, str(now)])
        self._lost.pop(here.bot, None)
        there = BotGateway.parse(other) if other else now
        self._directory.put(there)
        if other and there.epoch == here.epoch and there.node_instance == here.node_instance:
            self._dirty.add(here.bot)  # not lost: all gateways were read just before this one was opened
