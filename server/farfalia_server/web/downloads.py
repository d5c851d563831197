"""The downloads: the wheel of the software that the server itself runs, and the contract with its documents."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.net.addresses import Addresses
from farfalia_server.web import wheel
from farfalia_server.web.rendered_page import FINAL

#: Renders a template with these values as a page.
Render = Callable[..., Response]


class Downloads:
    """Everything under `/downloads/`. Files are made when they are first requested, in a thread, and kept."""

    def __init__(self, render: Render, addresses: Callable[[], Awaitable[Addresses]], version: str) -> None:
        self._render = render
        self._addresses = addresses
        self._wheel = wheel.filename(version)
        self._archive = f"{wheel.NAME}-contract-{version}.zip"

    def mount(self) -> Mount:
        """Return the mount of the index and the files."""
        return Mount(
            "/downloads",
            routes=[
                Route("/", self._index),
                Route(f"/{self._wheel}", self._give_wheel),
                Route(f"/{self._archive}", self._give_archive),
                Route("/{path:path}", self._give_file),
            ],
        )

    async def _index(self, request: Request) -> Response:
        told = await self._addresses()
        return self._render(
            "downloads.html",
            "downloads",
            bots=told.bots,
            guessed=told.guessed,
            wheel=self._wheel,
            wheel_url=f"{told.pages}downloads/{self._wheel}",
            archive=self._archive,
            files=list(await asyncio.to_thread(_files)),
        )

    async def _give_wheel(self, request: Request) -> Response:
        return _file(await asyncio.to_thread(_wheel), "application/zip")

    async def _give_archive(self, request: Request) -> Response:
        return _file(await asyncio.to_thread(_archive), "application/zip")

    async def _give_file(self, request: Request) -> Response:
        found = (await asyncio.to_thread(_files)).get(request.path_params["path"])
        if found is None:
            raise NotFound(said("there is no such file; /downloads/ lists all"))
        return _file(found, "text/plain; charset=utf-8")


def _file(content: bytes, media_type: str) -> Response:
    return Response(content, headers={"cache-control": FINAL}, media_type=media_type)


_wheel = cache(wheel.wheel)


@cache
def _files() -> dict[str, bytes]:
    """Return what authors in other languages need, where it lies in a checkout, so that links between files hold."""
    explained = {f"clients/{path}": content for path, content in wheel.guide().items()}
    return explained | {f"proto/{path}": content for path, content in wheel.contract().items()}


@cache
def _archive() -> bytes:
    return wheel.archive(_files())
