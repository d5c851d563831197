"""Messages that are none, or too long."""

from __future__ import annotations

from farfalia.v1 import record_pb2
from farfalia_server.torment.catalogue import torment
from farfalia_server.torment.ground import Ground
from farfalia_server.torment.stream import DidNotHold, first_legal

_GARBAGE = {
    "noise": b"\xff\xfe garbage \x00" * 9,
    "a length without its bytes": b"\x12\xff\xff\xff\xff\x0f",
    "text that is not UTF-8": b"\x2a\x04\x12\x02\xc3\x28",
    "a group without an end": b"\x0b" * 4000,
}


@torment
async def garbage(ground: Ground) -> str:
    """Send bytes that are no message, one kind on each stream, while a question is open.

    Each stream ends with MESSAGE_UNREADABLE; the bot comes back, is asked the same question again, and its match ends
    with its own answers.
    """
    bot = await ground.bot()
    async with ground.stream(bot, instance=b"garbage") as stream:
        await stream.welcome()
        number = await ground.match(bot)
        asked = await stream.question()
    for data in _GARBAGE.values():
        async with ground.stream(bot, instance=b"garbage") as stream:
            again = await stream.question()
            if (again.number, again.legal) != (asked.number, asked.legal):
                raise DidNotHold(f"question {asked.number} came back as question {again.number}")
            await stream.send_bytes(data)
            await stream.ended("MESSAGE_UNREADABLE")
    async with ground.stream(bot, instance=b"garbage", decide=first_legal):
        played = await ground.played(number, bot)
    if played.number(record_pb2.CAUSE_BOT) != len(played.actions):
        raise DidNotHold("not all of its answers counted after its return")
    return f"{len(_GARBAGE)} streams ended with MESSAGE_UNREADABLE, then {len(played.actions)} answers counted"
