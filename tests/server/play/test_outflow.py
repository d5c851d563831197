"""What waits for bots is sent a little in each turn of the event loop."""

import asyncio
from collections import Counter

import structlog

from farfalia_server.play.outflow import Outflow


class Watch:
    """A clock that only work moves on."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def turns_of(count: int, cost: float) -> tuple[list[int], Counter[int]]:
    """Send `count` messages of `cost` seconds each; return their order, and how many were sent in each turn."""
    watch, loop = Watch(), asyncio.get_running_loop()
    outflow, turn, sent = Outflow(watch), 0, list[int]()
    per_turn: Counter[int] = Counter()
    done = asyncio.Event()

    def send(number: int) -> None:
        watch.seconds += cost
        sent.append(number)
        per_turn[turn] += 1
        if len(sent) == count:
            done.set()

    def count_turn() -> None:
        nonlocal turn
        turn += 1
        if not done.is_set():
            loop.call_soon(count_turn)

    loop.call_soon(count_turn)
    for number in range(count):
        outflow.submit(lambda number=number: send(number))  # type: ignore[misc]
    await asyncio.wait_for(done.wait(), 30)
    return sent, per_turn


async def test_a_lone_message_is_sent_at_once() -> None:
    sent, per_turn = await turns_of(1, 0.0002)
    assert (sent, per_turn) == ([0], Counter({0: 1}))


async def test_hundreds_of_messages_are_spread_over_turns_in_their_order() -> None:
    sent, per_turn = await turns_of(400, 0.0002)
    assert sent == list(range(400))
    assert max(per_turn.values()) <= 6
    assert len(per_turn) >= 60


async def test_a_message_that_takes_longer_than_a_turns_share_is_sent_all_the_same() -> None:
    sent, per_turn = await turns_of(5, 1.0)
    assert sent == list(range(5))
    assert max(per_turn.values()) == 1


async def test_a_message_that_fails_keeps_no_other_back() -> None:
    outflow, sent = Outflow(), list[str]()

    def fail() -> None:
        raise ValueError("a number is wrong")

    with structlog.testing.capture_logs() as logged:
        outflow.submit(fail)
        outflow.submit(lambda: sent.append("next"))
        await asyncio.sleep(0)
    assert sent == ["next"]
    assert [line["log_level"] for line in logged] == ["error"]


async def test_what_is_sent_later_is_not_logged_for_the_match_that_came_first() -> None:
    watch, contexts = Watch(), list[dict[str, object]]()
    done = asyncio.Event()
    outflow = Outflow(watch)

    def send() -> None:
        watch.seconds += 1
        contexts.append(structlog.contextvars.get_contextvars())
        if len(contexts) == 2:
            done.set()

    with structlog.contextvars.bound_contextvars(match=7):
        outflow.submit(send)
    outflow.submit(send)
    async with asyncio.timeout(30):
        await done.wait()
    assert contexts[1] == {}
