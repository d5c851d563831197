"""An error has one status, whichever door of the HTTP port it comes through."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from http.client import IncompleteRead
from typing import Any

import grpc
import pytest
from starlette.applications import Starlette
from starlette.types import Message
from structlog.testing import capture_logs
from tests.server.http_serving import http_server

from farfalia.v1 import ratings_pb2
from farfalia_server.arena.request_checks import MOST_ROWS
from farfalia_server.contract import errors
from farfalia_server.contract.errors import FarfaliaServerError, InvalidArgument, RecordDamaged, ResourceExhausted
from farfalia_server.contract.said import in_english
from farfalia_server.contract.statuses import code_of
from farfalia_server.web import PageRequest, create_front, create_web, fetch
from farfalia_server.web.match_streams import match_streams
from farfalia_server.web.page_cache import PageCache
from farfalia_server.web.rendered_page import Page
from farfalia_server.web.tournament_streams import tournament_streams

#: As https://cloud.google.com/apis/design/errors maps canonical codes, but for FAILED_PRECONDITION: a state that may
#: change is a conflict, not a bad request.
HTTP = {
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
}
DOORS = {
    "page": "/matches/1",
    "JSON": "/api/matches/1",
    "events of a match": "/api/matches/1/events",
    "events of a tournament": "/api/tournaments/1/events",
    "events of all matches": "/api/matches/events",
    "records": "/api/records?tournament=1",
    "chain": "/api/ladders/chinkway/chain",
}


def every_error() -> Iterator[FarfaliaServerError]:
    """Yield an error of each class in `errors`; of one with a time to wait, one with and one without."""
    for kind in vars(errors).values():
        if not (isinstance(kind, type) and issubclass(kind, FarfaliaServerError)):
            continue
        if issubclass(kind, InvalidArgument):
            yield kind("limit", in_english("limit is 0; expected at least 1"))
        elif issubclass(kind, RecordDamaged):
            yield kind(1)
        elif issubclass(kind, ResourceExhausted):
            yield kind(in_english("too many people ask"), "TOO_MANY")
            yield kind(in_english("you ask too often"), "TOO_FAST", retry=2.5)
        else:
            yield kind("it is not so")


class Failing:
    """A reader all of whose calls fail."""

    def __init__(self, error: FarfaliaServerError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*_: object, **__: object) -> Any:
            raise self._error

        return call


def front(error: FarfaliaServerError) -> Starlette:
    """Return the HTTP port of a server at which everything fails like this."""
    reader: Any = Failing(error)
    web = create_web(reader, reader.addresses, server_name="arena", server_version="1")

    async def source(*_: object) -> Any:
        raise error

    async def opened() -> Any:
        return reader

    pages = PageCache(partial(fetch, web))
    return create_front(pages, pages, live=source, tournaments=opened, records=opened)


async def ask(application: Starlette, address: str) -> Page:
    path, _, query = address.partition("?")
    async with asyncio.timeout(60):
        return await fetch(application, PageRequest("GET", path, path.encode(), query.encode(), False))


@pytest.mark.parametrize("address", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("error", list(every_error()), ids=lambda error: f"{type(error).__name__} {error.args[0]}")
async def test_an_error_has_the_status_of_its_canonical_code_everywhere(
    error: FarfaliaServerError, address: str
) -> None:
    expected, wait = HTTP[code_of(error)], ""
    if isinstance(error, ResourceExhausted):
        expected, wait = (503, "2") if error.retry is None else (429, "3")
    elif expected == 503:
        wait = "2"
    found = await ask(front(error), address)
    assert (found.status, found.header(b"retry-after").decode()) == (expected, wait)
    if address.startswith("/api/"):
        said = json.loads(found.body)
        assert (said["status"], said["reason"], said["detail"]) == (expected, error.reason, str(error))


@pytest.mark.parametrize("address", [DOORS["events of a match"], DOORS["events of a tournament"]])
async def test_a_viewer_who_leaves_before_the_first_event_is_noticed(address: str) -> None:
    async def source(*_: object) -> Any:
        await asyncio.Event().wait()

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    streams = match_streams(source) if "matches" in address else tournament_streams(source)
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": address, "query_string": b"", "headers": []}
    async with asyncio.timeout(60):
        await streams(scope, receive, send)
    assert sent == []
    assert [broadcast.viewers for broadcast in streams._broadcasts.values()] == [0]
    for broadcast in streams._broadcasts.values():
        broadcast.reading.cancel()


async def test_a_download_that_fails_in_the_middle_ends_its_connection() -> None:
    """The reader notices that lines are missing, and the log has a line, not a traceback."""

    class Breaking:
        """A reader that can read the first part of a chain."""

        @staticmethod
        async def ladder(name: str) -> str:
            return name

        @staticmethod
        async def rating_chain(ladder: str, limit: int, after: int) -> ratings_pb2.ListRatingChainResponse:
            if after:
                raise errors.StoreUnavailable("the database does not answer")
            entries = (ratings_pb2.RatingChainEntry(number=number, line="{}") for number in range(1, limit + 1))
            return ratings_pb2.ListRatingChainResponse(entries=entries)

    async def opened() -> Any:
        return Breaking

    async def no_page(_: PageRequest) -> Page:
        raise AssertionError("it asks for a download")

    pages = PageCache(no_page)
    application = create_front(pages, pages, records=opened)
    with capture_logs() as logged:
        async with http_server(application, most=10) as port:

            def read() -> bytes:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}{DOORS['chain']}") as answer:
                    assert answer.status == 200
                    return answer.read()  # type: ignore[no-any-return]

            with pytest.raises(IncompleteRead) as caught:
                await asyncio.to_thread(read)
    assert caught.value.partial == b"{}\n" * MOST_ROWS
    assert [line["event"] for line in logged] == ["download_broken"]
