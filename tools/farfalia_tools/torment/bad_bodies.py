"""People who send what is no form and no request: too long, too slow, without end, not in UTF-8, too deep."""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable
from itertools import repeat
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from farfalia.arena import ArenaError
from farfalia.v1 import bots_pb2
from farfalia_server.arena.http_calls import CALLS
from farfalia_tools.torment.browser import FORM, HostileBrowser, PageAnswer
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.pace import MEMORY, mib, resident
from farfalia_tools.torment.stream import DidNotHold

#: Bytes of a long body, and of what is sent of it at once; fields of a form with many.
_LONG, _AT_ONCE, _FIELDS = 10 << 20, 1 << 16, 5000
#: Where bodies go: a form, and a call.
_PLACES = {"/account/sign-in": FORM, "/api/calls/SignIn": "application/json"}
#: How many of each kind come at once.
_TOGETHER = 4
#: Browsers that make calls at once.
_BROWSERS = 4
_CHUNKED = {"transfer-encoding": "chunked"}


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


async def _slowly(length: float = math.inf) -> AsyncIterator[bytes]:
    while length > 0:
        yield b"x"
        length -= 1
        await asyncio.sleep(1.0)


@torment
async def bad_bodies(harness: Harness) -> str:
    """Send bodies of 10 MB, without end, a byte a second or none of what was promised; broken forms and JSON.

    Each is answered 4xx within time, or its connection is closed, and the server's memory grows by less than 128 MiB.
    """
    before, told = await resident(harness), Counter[int]()
    browsers = [await harness.browser() for _ in range(_TOGETHER)]
    await asyncio.gather(*(_send_bodies(browser, told) for browser in browsers))
    grown = await resident(harness) - before
    if grown > MEMORY:
        raise DidNotHold(f"the server's memory grew by {mib(grown)}")
    shown = ", ".join(f"{number} times {status or 'a closed connection'}" for status, number in sorted(told.items()))
    return f"the answers were {shown}; the server's memory grew by {mib(grown)}"


async def _send_bodies(browser: HostileBrowser, told: Counter[int]) -> None:
    part, proof = b"x" * _AT_ONCE, await browser.proof()
    proven = f"proof={proof}&".encode()
    streams: dict[str, tuple[Callable[[], Any], dict[str, str]]] = {
        "of 10 MB": (lambda: repeat(part, _LONG // _AT_ONCE), {"content-length": str(_LONG)}),
        "without end": (lambda: repeat(_chunk(part)), _CHUNKED),
        "of a byte a second": (_slowly, {"content-length": "1000"}),
        "that does not come": (lambda: [b"x"], {"content-length": "1000"}),
        "with a chunk of no number": (lambda: [b"zz\r\nx\r\n"], _CHUNKED),
        "with a length of no number": (lambda: [b"x"], {"content-length": "-1"}),
    }
    bytes_of = {
        "of thousands of fields": proven + b"&".join(b"f%d=x" % number for number in range(_FIELDS)),
        "of zero bytes": proven + b"name=\0\0&password=\0",
        "with zero bytes": proven + b"name=%00%00&password=%00",
        "with no percent-encoding": proven + b"name=%zz%&password=%",
        "not in UTF-8": proven + b"name=\xff\xfe&password=\xc3\x28",
        "not in UTF-8 where unquoted": proven + b"name=%ff%fe&password=%ed%a0%80",
        "of nothing": b"",
    }
    for path, kind in _PLACES.items():

        async def told_of(
            what: str, parts: Any, headers: dict[str, str], *, path: str = path, kind: str = kind
        ) -> None:
            answer = await browser.raw("POST", path, parts, {"content-type": kind, **headers})
            _check(f"a body {what} to {path}", answer)
            told[answer.status] += 1

        await asyncio.gather(*(told_of(what, parts(), headers) for what, (parts, headers) in streams.items()))
        for what, body in bytes_of.items():
            await told_of(what, [body], {"content-length": str(len(body))})


def _check(what: str, answer: PageAnswer) -> None:
    if answer.status and not (400 <= answer.status < 500 or answer.status == 503):
        raise DidNotHold(f"{what} was answered {answer.status}")


@torment
async def broken_calls(harness: Harness) -> str:
    """Make every call over HTTP, signed in, with broken JSON, huge numbers, deep nesting and wrong types.

    Broken requests are answered 4xx, the others as the contract says, and none is a fault of the server.
    """
    owner, told, waiting = await harness.account(), Counter[int](), list(CALLS)

    async def call_all() -> None:
        while waiting:
            name, browser = waiting.pop(), await harness.browser()
            token = ""
            answer = await browser.call("SignIn", owner.signing_in)
            if answer.status == 200:
                token = json.loads(answer.text)["session"]
            for is_broken, body in requests_of(CALLS[name].input_type):
                answer = await browser.call(name, body, token)
                if is_broken:
                    _check(f"{name} with {body[:60]!r}", answer)
                told[answer.status] += 1

    await asyncio.gather(*(call_all() for _ in range(_BROWSERS)))
    shown = ", ".join(f"{number} times {status or 'a closed connection'}" for status, number in sorted(told.items()))
    return f"{len(CALLS)} calls were answered {shown}"


def requests_of(request: Descriptor) -> list[tuple[bool, bytes]]:
    """Return hostile requests of one kind, and whether each is broken: no server may take it for a good one."""
    deep = b'{"x":' * 20_000 + b"1" + b"}" * 20_000
    broken = [b"{", b"[]", b'"x"', b"\xff\xfe", b'{"\xed\xa0\x80":1}', b"[" * 100_000, deep, b'{"nonsense":1}', b"{}{}"]
    extremes: tuple[Any, ...] = (2**63 - 1, -(2**63), 2**31 - 1, 10**400, "1e999", "\0", "\ud800", [], {}, True)
    some = [json.dumps({field.name: value}).encode() for field in request.fields for value in extremes]
    allowed = [{one.name: _extreme(one) for one in request.fields}]
    return [
        *((True, body) for body in broken),
        *((False, body) for body in some[:: max(1, len(some) // 12)]),
        *((False, json.dumps(one).encode()) for one in allowed),
    ]


def _extreme(field: FieldDescriptor) -> Any:
    """Return the largest value that a field takes, or text that turns the direction of writing."""
    number = {FieldDescriptor.CPPTYPE_INT32: 2**31 - 1, FieldDescriptor.CPPTYPE_UINT32: 2**32 - 1}
    number |= {FieldDescriptor.CPPTYPE_INT64: 2**63 - 1, FieldDescriptor.CPPTYPE_UINT64: 2**64 - 1}
    values: dict[int, Any] = {
        **number,
        FieldDescriptor.CPPTYPE_STRING: "\u202e\0" if field.type == FieldDescriptor.TYPE_STRING else "////",
        FieldDescriptor.CPPTYPE_BOOL: True,
        FieldDescriptor.CPPTYPE_ENUM: 2**31 - 1,
        FieldDescriptor.CPPTYPE_DOUBLE: 1.7e308,
        FieldDescriptor.CPPTYPE_FLOAT: 3.4e38,
        FieldDescriptor.CPPTYPE_MESSAGE: {},
    }
    value = values[field.cpp_type]
    if field.message_type and field.message_type.GetOptions().map_entry:
        return {}
    return [value] * 3 if field.is_repeated else value


@torment
async def look_alike_names(harness: Harness) -> str:
    """Take names that look like another's: other cases, other alphabets, invisible characters, reserved beginnings.

    Each is refused, for bots and for accounts.
    """
    owner = await harness.account()
    bot, browser, token = await harness.bot(), await harness.browser(), harness.admin_token
    refused = 0
    for call, name, reserved in (
        ("CreateAccount", owner.name, ("removed-x", "Removed-1")),
        ("RegisterBot", bot.name, ("removed-x", "house-x", "HOUSE-x", "House-greedy-9")),
    ):
        alike = [name, name.upper(), name.title(), name.replace("o", "\u043e", 1), name.replace("t", "\uff54", 1)]
        alike += [f"{name}\u200b", f"\u202e{name}", f"{name} ", f" {name}", f"{name}\0", f"{name}\u0301", f"{name}/x"]
        for one in (*alike, *reserved):
            answer = await browser.call(call, {"name": one}, token)
            if answer.status not in (400, 409):
                raise DidNotHold(f"{call} of {one!r} was answered {answer.status}")
            refused += 1
    try:
        await harness.arena.ask("GetBot", bots_pb2.GetBotRequest(name=bot.name))
    except ArenaError as error:
        raise DidNotHold(f"the bot whose name was wanted is gone: {error}") from None
    return f"{refused} names were refused"
