"""Which host plays for which bot: shares, leases that are renewed, lost and given away, and checks."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import pytest

from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.net import wall_clock
from farfalia_server.store import LOST_AFTER, Bot, ProgramState, ProgramStep, Reported, Store
from farfalia_server.store.programs import hosting
from farfalia_server.store.programs.values import Work

_PASSED = ProgramStep("matches", passed=True, text="", took_ms=1)


class Hosts:
    """Hosts that report, on a clock that goes on when it is told to."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        self.moment = wall_clock.now()
        self.bots: dict[str, dict[tuple[str, int], int]] = {}
        self.tokens: dict[str, str] = {}
        monkeypatch.setattr(hosting, "now", lambda: self.moment)

    def later(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)

    async def report(
        self, name: str, *, slots: int = 4, draining: bool = False, takes_check: bool = False, instance: bytes = b""
    ) -> Work:
        """Report as a host that does what it is told."""
        seats = self.bots.setdefault(name, {})
        reported = Reported(
            name, instance or name.encode(), b"", slots, draining, dict(seats), frozenset(), takes_check
        )
        work = await self.store.hosting.work(reported)
        self.bots[name] = {(bot.bot, bot.lease): seats.get((bot.bot, bot.lease), 0) for bot in work.bots}
        self.tokens |= {bot.bot: bot.token for bot in work.bots if bot.token}
        return work

    def of(self, name: str) -> list[str]:
        return sorted(bot for bot, _ in self.bots[name])


async def a_program(store: Store, name: str, contents: bytes = b"program") -> Bot:
    """A bot with a program that has passed its check."""
    bot = (await store.bots.register(name))[0]
    hash = sha256(contents).digest()
    await store.archives.add(hash, 0, contents)
    size = await store.archives.complete(hash)
    program = await store.programs.hand_in(bot, hash, size, activates=True)
    work = await store.hosting.work(Reported("checker", b"c", b"", 0, False, {}, frozenset(), True))
    assert work.check is not None
    check = (name, program.number, work.check.lease)
    assert (await store.programs.report(check, [_PASSED], [], over=True)).state is ProgramState.READY
    return bot


@pytest.fixture
def hosts(store: Store, monkeypatch: pytest.MonkeyPatch) -> Hosts:
    return Hosts(store, monkeypatch)


async def test_hosts_share_the_bots_by_their_slots(store: Store, hosts: Hosts) -> None:
    for number in range(6):
        await a_program(store, f"bot-{number}")
    await hosts.report("one", slots=4)
    await hosts.report("two", slots=2)
    for _ in range(2):
        await hosts.report("one", slots=4)
        await hosts.report("two", slots=2)
    assert (len(hosts.of("one")), len(hosts.of("two"))) == (4, 2)
    assert sorted(hosts.of("one") + hosts.of("two")) == [f"bot-{number}" for number in range(6)]


async def test_a_host_with_more_than_its_share_keeps_the_bots_that_sit_at_tables(store: Store, hosts: Hosts) -> None:
    for number in range(4):
        await a_program(store, f"bot-{number}")
    await hosts.report("one")
    hosts.bots["one"] = dict.fromkeys(hosts.bots["one"], 1)
    await hosts.report("two")
    await hosts.report("one")
    assert len(hosts.of("one")) == 4
    first = next(iter(hosts.bots["one"]))
    hosts.bots["one"][first] = 0
    await hosts.report("one")
    await hosts.report("two")
    assert hosts.of("two") == [first[0]]


async def test_what_a_lost_host_had_is_taken_by_another_with_a_new_token(store: Store, hosts: Hosts) -> None:
    bot = await a_program(store, "ada")
    await hosts.report("one")
    old = hosts.tokens["ada"]
    known = await store.bots.by_token(old)
    assert known is not None
    assert (known.id, known.by_host, known.hosted) == (bot.id, True, True)
    await hosts.report("two")
    assert hosts.of("two") == []
    hosts.later(LOST_AFTER + 0.1)
    await hosts.report("two")
    assert hosts.of("two") == ["ada"]
    assert await store.bots.by_token(old) is None
    assert await store.bots.by_token(hosts.tokens["ada"]) is not None
    await hosts.report("one")
    assert hosts.of("one") == []


async def test_a_host_that_reports_in_time_keeps_its_lease(store: Store, hosts: Hosts) -> None:
    await a_program(store, "ada")
    await hosts.report("one")
    for _ in range(5):
        hosts.later(LOST_AFTER - 1)
        await hosts.report("two")
        await hosts.report("one")
    assert hosts.of("one") == ["ada"]


async def test_a_draining_host_gives_away_what_has_no_seat(store: Store, hosts: Hosts) -> None:
    await a_program(store, "ada")
    await hosts.report("one")
    await hosts.report("one", draining=True)
    assert hosts.of("one") == []
    await hosts.report("two")
    assert hosts.of("two") == ["ada"]


async def test_another_process_with_the_same_name_takes_its_place(store: Store, hosts: Hosts) -> None:
    await a_program(store, "ada")
    await hosts.report("one", instance=b"first")
    before, hosts.bots["one"] = hosts.bots["one"], {}
    await hosts.report("one", instance=b"second")
    hosts.bots["one"] = before
    with pytest.raises(FailedPrecondition, match="another process reports as the host one"):
        await hosts.report("one", instance=b"first")


async def test_a_suspended_bot_is_played_by_no_host(store: Store, hosts: Hosts) -> None:
    await a_program(store, "ada")
    await hosts.report("one")
    await store.moderation.suspend_bot("ada", suspended=True, who="admin")
    await hosts.report("one")
    assert hosts.of("one") == []
    await store.moderation.suspend_bot("ada", suspended=False, who="admin")
    await hosts.report("one")
    assert hosts.of("one") == ["ada"]


async def test_a_new_program_changes_the_version_and_keeps_the_lease(store: Store, hosts: Hosts) -> None:
    bot = await a_program(store, "ada")
    await hosts.report("one")
    program = await store.programs.hand_in(bot, sha256(b"program").digest(), 7, activates=True)
    check = (await hosts.report("one", takes_check=True)).check
    assert check is not None
    await store.programs.report(("ada", program.number, check.lease), [_PASSED], [], over=True)
    work = await hosts.report("one")
    assert [(one.bot, one.number, one.token) for one in work.bots] == [("ada", 2, "")]
    assert (await store.bots.by_name("ada")).version == "p2"
    await store.programs.activate(bot, 1)
    assert [one.number for one in (await hosts.report("one")).bots] == [1]
    assert (await store.bots.by_name("ada")).version == "p1"


async def test_a_bot_without_a_program_again_connects_by_itself(store: Store, hosts: Hosts) -> None:
    bot, token = await store.bots.register("bea")
    ada = await a_program(store, "ada")
    await hosts.report("one")
    await store.programs.activate(ada, 0)
    assert (await hosts.report("one")).bots == ()
    known = await store.bots.by_token(token)
    assert known is not None
    assert (known.id, known.hosted) == (bot.id, False)


async def test_the_check_of_a_lost_host_is_made_by_another_and_its_report_comes_too_late(
    store: Store, hosts: Hosts
) -> None:
    bot = (await store.bots.register("ada"))[0]
    hash = sha256(b"x").digest()
    await store.archives.add(hash, 0, b"x")
    program = await store.programs.hand_in(bot, hash, await store.archives.complete(hash), activates=True)
    first = (await hosts.report("one", takes_check=True)).check
    assert first is not None
    assert (await hosts.report("two", takes_check=True)).check is None
    hosts.later(60)
    second = (await hosts.report("two", takes_check=True)).check
    assert second is not None
    with pytest.raises(FailedPrecondition, match="another host's by now"):
        await store.programs.report(("ada", program.number, first.lease), [_PASSED], [], over=True)
    failed = ProgramStep("built", passed=False, text="no", took_ms=1)
    refused = await store.programs.report(("ada", program.number, second.lease), [failed], ["why"], over=True)
    assert (refused.state, refused.output, refused.active) == (ProgramState.REFUSED, ("why",), False)


async def test_bots_whose_host_was_lost_a_moment_ago_count_as_being_there(store: Store, hosts: Hosts) -> None:
    bot = await a_program(store, "ada")
    assert await store.hosting.lately() == set()
    await hosts.report("one")
    assert await store.hosting.lately() == {bot.id}
    hosts.later(LOST_AFTER + 30)
    assert await store.hosting.lately() == {bot.id}
    hosts.later(60)
    assert await store.hosting.lately() == set()
