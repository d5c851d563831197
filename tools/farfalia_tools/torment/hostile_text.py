"""Text that forges lines, turns the direction of writing or makes databases fail, in every string that a bot sends."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from farfalia.arena import ArenaError
from farfalia.v1 import bots_pb2, play_pb2, record_pb2
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness, TormentBot
from farfalia_tools.torment.stream import DidNotHold, TormentStream

#: What no text from a bot may hold when others see it: control characters, marks of direction, half characters.
_UNCLEAN = {"Cc", "Cs", "Cf", "Zl", "Zp", "Cn"}
HOSTILE = (
    "zero \0 byte",
    "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m",
    "all is well\r\nmatch 3, action 4: forged\u2028\u2029\x85and more",
    "\u202egnihton\u202c \u2066isolated\u2069 \u200f",
    "\ufffe\uffff\ufdd0\ufeff",
    "<script>alert(1)</script>'; DROP TABLE bots; --",
    "蝶🦋" * 1024,
)
#: Characters that a sentence may have which repeats something.
_LONGEST = 800


@torment
async def hostile_text(harness: Harness) -> str:
    """Send control characters, NUL, marks of direction and 4 KiB of text in every string of every message.

    The match ends, at the first attempt; what the organiser, the owner and the pages are shown is clean.
    """
    paths, texts = list(strings_of(play_pb2.PlayRequest.DESCRIPTOR)), iter(HOSTILE * 3)
    ends = [end for path in paths if path[0] == "hello" for end in await _greet(harness, path)]
    _check_clean("the status of a stream", ends)
    bot = await harness.bot()

    async def play(stream: TormentStream, question: play_pb2.Question) -> None:
        message, text = play_pb2.PlayRequest(), next(texts, "")
        message.actions.add(match=question.match, number=question.number, action=question.legal[0])
        for path in paths if text else ():
            if path[0] != "hello":
                put(message, path, text)
        await stream.send(message)

    async with harness.stream(bot, play=play) as stream:
        await stream.welcome()
        played = await harness.played(await harness.match(bot, grace=len(HOSTILE) * 3), bot)
        _check_clean("a result", [result.text for result in stream.results()])
    _check_clean("a record", [incident.text for incident in played.record.incidents])
    lines = await _log_lines(harness, bot)
    _check_clean("a log line", [part for line in lines for part in line.split("\n")], most=4096)
    for path in ("/bots/{}", "/api/bots/{}"):
        _check_clean("a page", (await harness.page(path.format(bot.name))).split("\n"), most=1 << 20)
    refused = await _refused_names(harness)
    failures = played.number(record_pb2.CAUSE_FAILURE)
    return f"{len(ends)} hellos, {failures} failures and {len(lines)} log lines are clean, {refused} names were refused"


async def _greet(harness: Harness, path: tuple[str, ...]) -> list[str]:
    """Say hello with each text at this place; return the sentences with which the streams ended, empty where not."""
    bot = await harness.bot()  # one for each place: how many streams a bot may open is another torment

    async def greet(text: str) -> str:
        first = play_pb2.PlayRequest(hello=play_pb2.Hello(instance=b"text", take_over=True))
        put(first, path, text)
        async with harness.stream(bot, hello=first.hello) as stream:
            await stream.until("a welcome or an end", lambda: stream.messages or stream.over)
            return stream.end.text if stream.end else ""

    return [await greet(text) for text in HOSTILE]


async def _log_lines(harness: Harness, bot: TormentBot) -> list[str]:
    """Return the bot's log lines, once they are stored."""
    for _ in range(round(harness.patience / 0.2)):
        answer = await harness.arena.ask("GetBot", bots_pb2.GetBotRequest(name=bot.name))
        if len(answer.logs) >= len(HOSTILE):
            return [log.line.text for log in answer.logs]
        await asyncio.sleep(0.2)
    raise DidNotHold(f"of the log lines {len(answer.logs)} were stored")


def _with_text(request: bots_pb2.RegisterBotRequest, field: str, text: str) -> bots_pb2.RegisterBotRequest:
    setattr(request, field, text)
    return request


async def _refused_names(harness: Harness) -> int:
    """Register bots with hostile names, versions and owners, all of which are refused."""
    asked = [
        _with_text(bots_pb2.RegisterBotRequest(name=f"{harness.prefix}-x"), field, text)
        for field in ("name", "version", "owner")
        for text in HOSTILE
        if field == "name" or "script" not in text
    ]
    for request in asked:
        try:
            await harness.arena.ask("RegisterBot", request)
        except ArenaError as error:
            _check_clean("a refusal", [str(error)])
        else:
            raise DidNotHold(
                f"a bot was registered as {request.name!r}, version {request.version!r}, of {request.owner!r}"
            )
    return len(asked)


def _check_clean(what: str, texts: Iterable[str], most: int = _LONGEST) -> None:
    for text in texts:
        if found := {
            unicodedata.name(one, f"U+{ord(one):04X}") for one in text if unicodedata.category(one) in _UNCLEAN
        }:
            raise DidNotHold(f"{what} shows {', '.join(sorted(found))}")
        if len(text) > most:
            raise DidNotHold(f"{what} has {len(text)} characters, expected at most {most}")


def strings_of(message: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the way to every string in a message, one that is added some day among them."""
    for field in message.fields:
        if field.type == FieldDescriptor.TYPE_STRING:
            yield (*path, field.name)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            yield from strings_of(field.message_type, (*path, field.name))


def put(message: Message, path: tuple[str, ...], text: str) -> None:
    """Write the text to where the path leads; into the first entry of lists."""
    for name in path[:-1]:
        inner = getattr(message, name)
        if not isinstance(inner, Message):
            inner = inner[0] if len(inner) else inner.add()
        message = inner
    name = path[-1]
    if isinstance(getattr(message, name), str):
        setattr(message, name, text)
    else:
        getattr(message, name).append(text)
