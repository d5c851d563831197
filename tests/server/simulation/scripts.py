"""The scripts of nodes, written again as functions of the keys, their names and the arguments."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.server.simulation.keys import Keys, Script

from farfalia_server.cluster import leadership, lease, registry
from farfalia_server.cluster.streams import MOST_ENTRIES
from farfalia_server.nodes import gateway_keeper, shared_reservations

_ROLE = re.compile(r"(\S+) (\d+) (.*)", re.DOTALL)


def hear(redis: Keys, keys: list[str], args: list[str]) -> list[Any]:
    """Do what the registry's script does to hear a node."""
    all_nodes, heard_at, registry, processes = keys
    name, instance, said, lease_ms, pause_ms, run, dead, new_run, process = args
    now = redis.milliseconds()
    gap = now - int(redis.hget(registry, "heard") or now)
    if gap < 0 or gap > int(pause_ms):
        for each, score in redis.hgetall(heard_at).items():
            redis.hset(heard_at, each, min(float(now), score + gap))
    redis.hset(registry, "heard", now)
    if redis.hget(registry, "run") is None:
        redis.hset(registry, "run", new_run)
    known = redis.hget(registry, "run")
    for each, score in redis.hgetall(heard_at).items():
        if score <= now - int(lease_ms):
            redis.hset(heard_at, each, None)
            redis.hset(all_nodes, each, None)
    entry = redis.hget(all_nodes, name)
    there = entry and entry[:16].decode()
    if there and there not in (instance, dead):
        return [b"taken", known, name.encode(), entry, now - int(redis.hget(heard_at, name))]
    if not there and run.encode() == known:
        return [b"lost", known]
    redis.hset(all_nodes, name, instance + said)
    redis.hset(heard_at, name, float(now))
    redis.hset(processes, process, float(now))
    answer = [b"heard", known]
    for each, entry in redis.hgetall(all_nodes).items():
        score = redis.hget(heard_at, each)
        answer += [each.encode(), entry, now - int(now if score is None else score)]
    return answer


def leave(redis: Keys, keys: list[str], args: list[str]) -> None:
    """Do what the registry's script does to remove a node."""
    entry = redis.hget(keys[0], args[0])
    if entry and entry[:16].decode() == args[1]:
        redis.hset(keys[0], args[0], None)
        redis.hset(keys[1], args[0], None)


def take(redis: Keys, keys: list[str], args: list[str]) -> list[bytes]:
    """Do what the roles' script does to take those that are free."""

    def lives(node: str, instance: str) -> bool:
        entry = redis.hget(keys[0], node)
        return bool(entry and entry[:16].decode() == instance)

    own, own_instance, takes, *roles = args
    answer: list[bytes] = []
    if not lives(own, own_instance):
        return answer
    for role in roles:
        found = _ROLE.fullmatch((redis.hget(keys[1], role) or b"- 0 ").decode())
        assert found is not None
        instance, token, node = found.groups()
        if takes == "1" and not lives(node, instance):
            instance, token, node = own_instance, str(int(token) + 1), own
            redis.hset(keys[1], role, f"{instance} {token} {node}")
        if lives(node, instance):
            answer += [part.encode() for part in (role, instance, token, node)]
    return answer


def go_on(redis: Keys, keys: list[str], args: list[str]) -> int:
    """Do what the roles' script does to raise a token, or to resign."""
    role, own, least, keep = args
    found = _ROLE.fullmatch((redis.hget(keys[0], role) or b"").decode())
    if found is None or found[1] != own:
        return 0
    instance = found[1] if keep == "1" else "-"
    redis.hset(keys[0], role, f"{instance} {max(int(least), int(found[2]))} {found[3]}")
    return 1


def write_gateway(redis: Keys, keys: list[str], args: list[str]) -> bytes | None:
    """Do what the gateways' script does to write one."""
    bot, epoch, gateway = args
    there: bytes | None = redis.hget(keys[0], bot)
    if there and json.loads(there)["epoch"] != int(epoch):
        return there
    redis.hset(keys[0], bot, gateway)
    redis.xadd(keys[1], {"gateway": gateway}, MOST_ENTRIES)
    return None


def write_capped_gateway(redis: Keys, keys: list[str], args: list[str]) -> bytes | int | None:
    """Do what the gateways' script does to write one that counts towards caps."""
    bot, epoch, gateway, caps, ended, lost = args
    there: bytes | None = redis.hget(keys[0], bot)
    if there and json.loads(there)["epoch"] != int(epoch):
        return there
    without_stream, forgotten = json.loads(ended), json.loads(lost)
    for number, (most, others) in enumerate(json.loads(caps), start=1):
        found = {other: redis.hget(keys[0], other) for other in others}
        known = {other: json.loads(text) for other, text in found.items() if text}
        count = sum(one["connected"] and one["epoch"] != without_stream.get(other) for other, one in known.items())
        if count + len(forgotten.keys() & (found.keys() - known.keys())) >= most:
            return number
    return write_gateway(redis, keys, [bot, epoch, gateway])


def reserve(redis: Keys, keys: list[str], args: list[str]) -> int:
    """Do what the reservations' script does to reserve seats."""
    (matches, taken, fence), (token, match, node, *seats) = keys, args
    newest = redis.get(fence)
    if newest is None:
        return -2
    if int(token) < int(newest):
        return -1
    redis.set(fence, token)
    there = redis.hget(matches, match)
    if there is not None:
        redis.hset(matches, match, ":".join([*there.decode().split(":", 2)[:2], node]))
        return 1
    limits = list(zip(seats[::2], map(int, seats[1::2]), strict=True))
    if any(int(redis.hget(taken, bot) or 0) >= limit for bot, limit in limits):
        return 0
    for bot, _ in limits:
        redis.hincrby(taken, bot, 1)
    redis.hset(matches, match, f"{redis.milliseconds()}:{' '.join(seats[::2])}:{node}")
    return 1


def raise_fence(redis: Keys, keys: list[str], args: list[str]) -> int:
    """Do what the reservations' script does to allow a token."""
    found = _ROLE.fullmatch((redis.hget(keys[1], args[1]) or b"").decode())
    if found is None or found[1] == "-" or found[2] != args[0] or int(args[0]) < int(redis.get(keys[0]) or 0):
        return -1
    redis.set(keys[0], args[0])
    return 1


def release(redis: Keys, keys: list[str], args: list[str]) -> int:
    """Do what the reservations' script does to free seats."""
    matches, taken, news = keys
    bots = redis.hget(matches, args[0])
    if bots is None:
        return 0
    redis.hset(matches, args[0], None)
    for bot in bots.decode().split(":")[1].split():
        if redis.hincrby(taken, bot, -1) <= 0:
            redis.hset(taken, bot, None)
    redis.xadd(news, {"match": args[0], "waits": args[1]}, MOST_ENTRIES)
    return 1


def replace_name(redis: Keys, keys: list[str], args: list[str]) -> int:
    """Do what a lease's script does to replace a name."""
    if (redis.get(keys[0]) or b"").decode() != args[0]:
        return 0
    redis.set(keys[0], args[1] or None)
    return 1


#: By text of the script.
SCRIPTS: dict[str, Script] = {
    registry._HEAR: hear,
    registry._LEAVE: leave,
    leadership._TAKE: take,
    leadership._GO_ON: go_on,
    gateway_keeper._WRITE: write_gateway,
    gateway_keeper._WRITE_CAPPED: write_capped_gateway,
    shared_reservations._RESERVE: reserve,
    shared_reservations._RAISE: raise_fence,
    shared_reservations._RELEASE: release,
    lease._REPLACE: replace_name,
}
