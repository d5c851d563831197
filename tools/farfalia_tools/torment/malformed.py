"""Messages that are none, or too long."""

from __future__ import annotations

from farfalia.v1 import play_pb2, record_pb2
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.stream import DidNotHold, first_legal

_GARBAGE = {
    "noise": b"\xff\xfe garbage \x00" * 9,
    "a length without its bytes": b"\x12\xff\xff\xff\xff\x0f",
    "text that is not UTF-8": b"\x2a\x04\x12\x02\xc3\x28",
    "a group without an end": b"\x0b" * 4000,
}
#: Bytes of messages that are too long.
_SIZES = ((256 << 10) + 1, 10 << 20)


@torment
async def garbage(harness: Harness) -> str:
    """Send bytes that are no message, one kind on each stream, while a question is open.

    Each stream ends with MESSAGE_UNREADABLE; the bot comes back, is asked the same question again, and its match ends
    with its own answers.
    """
    bot = await harness.bot()
    async with harness.stream(bot, instance=b"garbage") as stream:
        await stream.welcome()
        number = await harness.match(bot)
        asked = await stream.question()
    for data in _GARBAGE.values():
        async with harness.stream(bot, instance=b"garbage") as stream:
            again = await stream.question()
            if (again.number, again.legal) != (asked.number, asked.legal):
                raise DidNotHold(f"question {asked.number} came back as question {again.number}")
            await stream.send_bytes(data)
            await stream.ended("MESSAGE_UNREADABLE")
    async with harness.stream(bot, instance=b"garbage", play=first_legal):
        played = await harness.played(number, bot)
    if played.number(record_pb2.CAUSE_BOT) != len(played.actions):
        raise DidNotHold("not all of its answers counted after its return")
    return f"{len(_GARBAGE)} streams ended with MESSAGE_UNREADABLE, then {len(played.actions)} answers counted"


@torment
async def oversized_messages(harness: Harness) -> str:
    """Send messages of more than 256 KiB, up to 10 MB, while a question is open.

    Each stream ends with RESOURCE_EXHAUSTED; the bot comes back, and its match ends with its own answers.
    """
    bot = await harness.bot()
    async with harness.stream(bot, instance=b"large") as stream:
        await stream.welcome()
        number = await harness.match(bot)
        await stream.question()
    for size in _SIZES:
        async with harness.stream(bot, instance=b"large") as stream:
            await stream.question()
            await stream.send_bytes(bytes(size))
            await stream.ended("RESOURCE_EXHAUSTED")
    async with harness.stream(bot, instance=b"large", play=first_legal):
        played = await harness.played(number, bot)
    if played.number(record_pb2.CAUSE_BOT) != len(played.actions):
        raise DidNotHold("not all of its answers counted after its return")
    return f"{len(_SIZES)} streams ended with RESOURCE_EXHAUSTED, then {len(played.actions)} answers counted"


@torment
async def bad_hellos(harness: Harness) -> str:
    """Begin with something else than a hello, with an instance of no or too many bytes, and say hello twice.

    Each stream ends with the reason that the contract has for it; a bot with a right hello is welcomed afterwards.
    """
    bot = await harness.bot()
    async with harness.stream(bot, speaks=False) as stream:
        await stream.act(1, 1, 1)
        await stream.ended("HELLO_MISSING")
    # With more than the first window of HTTP/2 still on its way, the status that ends a stream could be lost.
    for instance in (b"", b"x" * 65, b"x" * 50_000):
        hello = play_pb2.Hello(instance=instance)
        async with harness.stream(bot, hello=hello) as stream:
            await stream.ended("HELLO_INVALID")
    for hello, reason in (
        (play_pb2.Hello(instance=b"x", requires=["telepathy"]), "FEATURE_UNKNOWN"),
        (play_pb2.Hello(instance=b"x", rulesets=["whist"] * 1000), "RULESET_UNKNOWN"),
    ):
        async with harness.stream(bot, hello=hello) as stream:
            await stream.ended(reason)
    async with harness.stream(bot, instance=b"x") as stream:
        await stream.welcome()
        await stream.send(play_pb2.PlayRequest(hello=play_pb2.Hello(instance=b"x")))
        await stream.ended("HELLO_INVALID")
    async with harness.stream(bot, instance=b"x") as stream:
        await stream.welcome()
    return "7 bad hellos were refused with their reasons, a good one welcomed"
