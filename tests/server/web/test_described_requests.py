"""The server keeps what its OpenAPI document says: schemathesis makes requests of it, right ones and wrong ones."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import given
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.examples import few
from tests.server import web_site

from farfalia_server.web.openapi import description

FOUND: Iterable[Any] = schemathesis.openapi.from_dict(description("1")).get_all_operations()
#: Calls are tried with odd requests where the contract is: this site has nobody to make them.
OPERATIONS = [found.ok() for found in FOUND if found.ok().method == "get"]
#: Where some parameters need others, or exclude them, which the document says in words only.
DEPENDENT = {
    "/api/bots/{name}",
    "/api/bots/{name}/history/{ladder}",
    "/api/bots/{name}/profile",
    "/api/matches",
    "/api/records",
    "/api/void-attempts",
}
#: Seconds that the site may take to open.
PATIENCE = 120.0
#: A stream without an end, which this site does not have: what is asked of it is taken for a match.
ENDLESS = "/api/matches/events"
#: Any text may be a name in a path, so that only a query can be wrong.
TRIED = [operation for operation in OPERATIONS if operation.path != ENDLESS]
CASES = [(operation, GenerationMode.POSITIVE) for operation in TRIED]
CASES += [(operation, GenerationMode.NEGATIVE) for operation in TRIED if len(operation.query)]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site of a season, in a thread of its own."""
    folder: Path = tmp_path_factory.mktemp("site")
    found: list[str] = []
    loop = asyncio.new_event_loop()
    stop, serves = asyncio.Event(), threading.Event()

    async def serve() -> None:
        async with web_site.serving(folder, season=True) as site:
            found.append(site.address)
            serves.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert serves.wait(PATIENCE)
    yield found[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()


def test_every_address_is_known() -> None:
    paths = description("1")["paths"]
    assert [operation.path for operation in OPERATIONS] == [path for path in paths if "get" in paths[path]]


@pytest.mark.parametrize(
    ("operation", "mode"), CASES, ids=[f"{operation.path} {mode.value}" for operation, mode in CASES]
)
def test_what_is_described_is_kept(address: str, operation: Any, mode: GenerationMode) -> None:
    excluded = [positive_data_acceptance] if operation.path in DEPENDENT else []

    @few
    @given(case=operation.as_strategy(generation_mode=mode))
    def keeps(case: Any) -> None:
        case.call_and_validate(base_url=address, excluded_checks=excluded)

    keeps()
