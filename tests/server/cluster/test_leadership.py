"""Roles of a cluster: one node has each, another one takes it at once, and an old token writes nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest
from redis.asyncio import Redis
from tests.server.shared_redis import empty_redis

from farfalia_server.cluster import leadership, registry
from farfalia_server.cluster.leadership import Leadership
from farfalia_server.cluster.registry import NodeRegistry
from farfalia_server.contract.errors import RoleLost
from farfalia_server.net.redis_connection import connect
from farfalia_server.net.service import PeriodicService
from farfalia_server.net.supervision import Supervisor
from farfalia_server.store import Store
from farfalia_server.store.sql.fences import Fence, Fences, acting


class Work(PeriodicService):
    """Writes into the database what its context acts with."""

    def __init__(self, store: Store, name: str) -> None:
        super().__init__("work", every=0.01)
        self._store = store
        self._name = name
        self.runs = False
        self.wrote = 0

    async def __aenter__(self) -> "Work":
        self.runs = True
        return await super().__aenter__()

    async def __aexit__(self, *error: object) -> None:
        await super().__aexit__(None, None, None)
        self.runs = False

    async def _tick(self) -> None:
        await self._store.meta.put("worked", self._name)
        self.wrote += 1


class Member:
    """A node with one role to take, in this process."""

    def __init__(self, redis: Redis, store: Store, name: str, fencing: Fences | None = None) -> None:
        self.registry = NodeRegistry(redis, "arena", name, version="1")
        self.leadership = Leadership(redis, "arena", self.registry, fencing or store.fencing)
        self.work = Work(store, name)
        self.leadership.lead("director", self.work)
        self.stack = AsyncExitStack()

    async def join(self) -> "Member":
        await self.stack.enter_async_context(self.registry)
        await self.stack.enter_async_context(self.leadership)
        return self


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_RENEWAL_SECONDS", 0.05)
    monkeypatch.setattr(leadership, "_LOOK_SECONDS", 0.05)


@pytest.fixture
async def redis() -> AsyncIterator[Redis]:
    async with empty_redis() as url, connect(url) as redis:
        yield redis


@pytest.fixture
async def join(redis: Redis, store: Store) -> AsyncIterator[Callable[[str], "asyncio.Future[Member]"]]:
    """What makes another node."""
    async with AsyncExitStack() as stack:

        async def one(name: str) -> Member:
            member = await Member(redis, store, name).join()
            stack.push_async_callback(member.stack.aclose)
            return member

        yield lambda name: asyncio.ensure_future(one(name))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


async def token(redis: Redis) -> int:
    found = await redis.hget("farfalia:arena:roles", "director")
    assert isinstance(found, bytes)
    return int(found.split()[1])


async def test_one_node_has_a_role_and_the_next_takes_it_when_it_leaves(
    join: Callable[[str], "asyncio.Future[Member]"], redis: Redis, store: Store
) -> None:
    one, two = await join("one"), await join("two")
    await until(lambda: one.work.wrote > 0)
    assert (one.leadership.has("director"), two.leadership.has("director")) == (True, False)
    await until(lambda: "director" in two.leadership.roles and two.leadership.roles["director"].node == "one")
    assert not two.work.runs
    await one.stack.aclose()
    assert not one.work.runs
    await until(lambda: two.work.wrote > 0)
    assert await token(redis) == 2
    assert await store.meta.get("worked") == "two"


async def test_a_node_that_resigns_keeps_no_role_and_takes_none_again(
    join: Callable[[str], "asyncio.Future[Member]"],
) -> None:
    one = await join("one")
    await until(lambda: one.work.runs)
    await one.leadership.resign()
    assert not one.work.runs
    two = await join("two")
    await until(lambda: two.work.runs)
    await two.stack.aclose()
    await until(lambda: "director" not in one.leadership.roles)
    assert not one.work.runs


async def test_a_role_comes_back_and_its_service_runs_again(
    join: Callable[[str], "asyncio.Future[Member]"], redis: Redis
) -> None:
    supervisor = Supervisor()
    with supervisor.adopting():
        one = await join("one")
    await until(lambda: one.work.wrote > 0)
    instance = one.registry.own.instance
    await one.leadership._go_on_from(keys=one.leadership._keys[1:], args=["director", instance, 7, "0"])
    async with asyncio.timeout(60):
        while await token(redis) != 8:
            await asyncio.sleep(0.01)
    before = one.work.wrote
    await until(lambda: one.work.wrote > before + 1)
    assert supervisor.error is None, "a service that ends with its role ends nothing else"
    supervisor.close()


async def test_a_node_that_cannot_do_its_work_leaves_its_roles_to_others_until_it_can(
    join: Callable[[str], "asyncio.Future[Member]"],
) -> None:
    one, two = await join("one"), await join("two")
    await until(lambda: one.leadership.has("director"))
    one.leadership.can_work = lambda: False
    await until(lambda: two.leadership.has("director") and two.work.wrote > 0)
    await until(lambda: not one.work.runs)
    one.leadership.can_work, two.leadership.can_work = lambda: True, lambda: False
    await until(lambda: one.leadership.has("director"))


async def test_a_role_whose_fence_a_node_cannot_raise_goes_to_another_node(
    redis: Redis, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leadership, "_FENCE_SECONDS", 0.05)

    class Unanswered(Fences):
        async def raise_to(self, role: str, token: int) -> int:
            return int(await asyncio.get_running_loop().create_future())

    async with AsyncExitStack() as stack:
        one = Member(redis, store, "one", Unanswered(store.fencing._write))
        stack.push_async_callback(one.stack.aclose)
        await one.join()
        async with asyncio.timeout(60):
            while not await redis.hexists("farfalia:arena:roles", "director"):
                await asyncio.sleep(0.01)
        two = await Member(redis, store, "two").join()
        stack.push_async_callback(two.stack.aclose)
        await until(lambda: two.work.wrote > 0)
        assert not one.work.runs


async def test_who_lost_a_role_without_knowing_writes_nothing(
    join: Callable[[str], "asyncio.Future[Member]"], store: Store
) -> None:
    one = await join("one")
    await until(lambda: one.work.wrote > 0)
    assert await store.fencing.raise_to("director", 7) == 1
    await store.meta.put("worked", "by the next one")  # nobody's context is fenced but the service's own
    wrote = one.work.wrote
    await asyncio.sleep(0.1)
    assert one.work.wrote == wrote
    assert await store.meta.get("worked") == "by the next one"


async def test_a_redis_that_lost_its_data_gives_no_token_again(
    join: Callable[[str], "asyncio.Future[Member]"], redis: Redis
) -> None:
    one = await join("one")
    await until(lambda: one.work.wrote > 0)
    await one.stack.aclose()
    await redis.flushall()
    two = await join("two")
    await until(lambda: two.work.wrote > 0)
    assert await token(redis) == 2


async def test_every_write_of_a_context_that_acts_for_a_role_is_fenced(store: Store) -> None:
    assert await store.fencing.raise_to("matchmaker", 2) == 0
    for older in (1, 2):
        assert await store.fencing.raise_to("matchmaker", older) == 2
    for fence, may in ((Fence("matchmaker", 2), True), (Fence("matchmaker", 1), False)):
        reset = acting.set(fence)
        try:
            for write in (store.meta.put("key", str(fence)), store.meta.replace("key", "nothing", "else")):
                if may:
                    await write
                else:
                    with pytest.raises(RoleLost, match=f"another node acts as the {fence.role} by now"):
                        await write
        finally:
            acting.reset(reset)
    assert await store.meta.get("key") == str(Fence("matchmaker", 2))


@pytest.mark.parametrize("kept", [0, 1, 2])
async def test_a_token_that_the_database_has_lost_in_a_failover_is_raised_by_the_next_write(
    store: Store, kept: int
) -> None:
    if kept:
        await store.fencing.raise_to("rater", kept)
    reset = acting.set(Fence("rater", 3))
    try:
        await store.meta.put("key", "of the newest")
    finally:
        acting.reset(reset)
    assert await store.fencing.raise_to("rater", 1) == 3
