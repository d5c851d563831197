"""People at tables, in a process of their own: `python -m farfalia_tools.bench.web.people ADDRESS PEOPLE`.

Each takes a seat at `/play` as a browser does, plays one match after another against house bots, and asks for all that
the script of the page asks for: both streams of events, the page after an event that it does not show yet, and the page
after each answer.

Each line of its standard input is a number of seconds: everyone thinks three to five seconds about each decision in
this time, and then holds back. The process prints as JSON how many decisions were taken; 0 waits until all have a seat.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from farfalia_server.net import event_loop
from farfalia_tools.bench.processes import standard_input

#: Seconds that a person thinks, from and to.
_THINKS: Final = (3.0, 5.0)
#: People who may be taking their seats at the same moment.
_AT_ONCE: Final = 8
#: Seconds after which somebody whom the server has refused comes again.
_AGAIN: Final = 2.0
#: Minutes for a decision: breaks must not cost a person anything.
_MINUTES: Final = "10"
_FIELD = re.compile(r'name="(proof|once)" value="([^"]*)"')
_COOKIE = re.compile(rb"(?im)^set-cookie: ([^=]+)=([^;\r]*)")
_SHOWN = re.compile(rb'data-state="(\w+)" data-number="(\d+)"')
_LOCATION = re.compile(rb"(?im)^location: ([^\r]*)")


class _Refused(Exception):
    """The server has not answered as it does when all is well."""


class Hall:
    """Where people play: the address of a server, and whether everyone plays on now."""

    def __init__(self, address: str, people: int) -> None:
        place = urlsplit(address)
        self.host, self.port = place.hostname or "", place.port or 80
        self.playing, self.entrance = asyncio.Event(), asyncio.Semaphore(_AT_ONCE)
        self.decisions = 0
        self.seated = 0
        self.all_seated = asyncio.Event()
        self._people = people
        self._tasks = [asyncio.create_task(Person(self, Random(number)).play()) for number in range(people)]

    def sit(self) -> None:
        """Note that another person has a seat for the first time."""
        self.seated += 1
        if self.seated == self._people:
            self.all_seated.set()

    async def play(self, seconds: float) -> int:
        """Let everyone play for this long; return how many decisions were taken."""
        before = self.decisions
        self.playing.set()
        await asyncio.sleep(seconds)
        self.playing.clear()
        return self.decisions - before

    async def close(self) -> None:
        """Send everyone home."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class Person:
    """A person with a browser, which keeps cookies."""

    def __init__(self, hall: Hall, random: Random) -> None:
        self._hall, self._random = hall, random
        self._cookies: dict[str, str] = {}
        self._proof = ""
        self._is_seated = False
        #: What the page of the seat shows: its state, and the number of the newest question.
        self._state, self._number = "", 0

    async def play(self) -> None:
        """Play one match after another."""
        while True:
            try:
                async with self._hall.entrance:
                    seat = await self._sit_down()
                await self._play(seat)
            except (OSError, _Refused, asyncio.IncompleteReadError):
                await asyncio.sleep(_AGAIN)

    async def _sit_down(self) -> str:
        """Return the address of a new seat."""
        _, form = await self._ask("/play")
        fields = dict(_FIELD.findall(form.decode()))
        self._proof = fields["proof"]
        chosen = {"game": "chinkway", "opponents": "cautious", "minutes": _MINUTES, "name": ""}
        head, _ = await self._ask("/play/begin", fields | chosen)
        if (found := _LOCATION.search(head)) is None:
            raise _Refused
        return found[1].decode()

    async def _play(self, seat: str) -> None:
        """Play a match to its end."""
        await self._look(seat)
        watching = asyncio.create_task(self._watch(f"/api/matches/{seat.rpartition('/')[2]}/events"))
        try:
            async with self._stream(f"{seat}/events") as lines:
                async for line in lines:
                    if not line.startswith(b"data: "):
                        continue
                    told = json.loads(line[6:])
                    if told["type"] == "end":
                        await self._look(seat)
                        return
                    if not self._shows(told):
                        await self._look(seat)
                    if not self._is_seated:
                        self._is_seated = True
                        self._hall.sit()
                    if "question" in told:
                        await self._answer(seat, told["question"])
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _answer(self, seat: str, question: dict[str, Any]) -> None:
        """Think, and choose something; who held back before is in the middle of it."""
        held = not self._hall.playing.is_set()
        await self._hall.playing.wait()
        await asyncio.sleep(self._random.uniform(0.0 if held else _THINKS[0], _THINKS[1]))
        await self._hall.playing.wait()
        action = self._random.choice(question["choices"])["action"]
        fields = {"proof": self._proof, "number": question["number"], "action": action}
        await self._ask(f"{seat}/answer", fields)
        self._hall.decisions += 1
        await self._look(seat)  # the browser follows the redirection

    async def _look(self, seat: str) -> None:
        """Ask for the seat, and note what is shown."""
        _, page = await self._ask(seat)
        if (found := _SHOWN.search(page)) is not None:
            self._state, self._number = found[1].decode(), int(found[2])

    def _shows(self, told: dict[str, Any]) -> bool:
        """Return whether the page shows what was told, as its script decides it."""
        asked = told.get("question", {}).get("number", 0)
        return told["state"] == self._state and asked <= self._number and not told["said"]

    async def _watch(self, address: str) -> None:
        with suppress(OSError, _Refused, asyncio.IncompleteReadError):
            async with self._stream(address) as lines:
                async for _ in lines:
                    pass

    async def _ask(self, address: str, form: dict[str, Any] | None = None) -> tuple[bytes, bytes]:
        """Return the head of an answer and its body, and keep its cookies; _Refused if it is an error."""
        async with self._connection(address, form, close=True) as (reader, head):
            for name, value in _COOKIE.findall(head):
                self._cookies[name.decode()] = value.decode()
            return head, await reader.read()

    @asynccontextmanager
    async def _stream(self, address: str) -> AsyncIterator[asyncio.StreamReader]:
        async with self._connection(address, None, close=False) as (reader, _):
            yield reader

    @asynccontextmanager
    async def _connection(
        self, address: str, form: dict[str, Any] | None, *, close: bool
    ) -> AsyncIterator[tuple[asyncio.StreamReader, bytes]]:
        body = b"" if form is None else urlencode(form).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        lines = [
            f"{'GET' if form is None else 'POST'} {address} HTTP/1.1",
            f"Host: {self._hall.host}:{self._hall.port}",
        ]
        lines += [f"Cookie: {cookies}"] if cookies else []
        lines += ["Accept: text/html", "Connection: close"] if close else ["Accept: text/event-stream"]
        if form is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        reader, writer = await asyncio.open_connection(self._hall.host, self._hall.port, limit=1 << 20)
        async with AsyncExitStack() as stack:
            stack.callback(writer.close)
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            head = await reader.readuntil(b"\r\n\r\n")
            if head.split(b" ", 2)[1][:1] not in (b"2", b"3"):
                raise _Refused
            yield reader, head


async def _main(address: str, people: int) -> None:
    told, hall = await standard_input(), Hall(address, people)
    try:
        while line := await told.readline():
            if seconds := float(line):
                print(await hall.play(seconds), flush=True)
            else:
                await hall.all_seated.wait()
                print(hall.seated, flush=True)
    finally:
        await hall.close()


if __name__ == "__main__":
    event_loop.run(_main(sys.argv[1], int(sys.argv[2])))
