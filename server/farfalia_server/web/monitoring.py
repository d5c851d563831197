"""Monitoring: is the server healthy, and how much does it do? The process that plays says so, if it says anything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from farfalia_server.contract.errors import FarfaliaServerError, NotReady
from farfalia_server.contract.said import in_english
from farfalia_server.web.problem import refused

T = TypeVar("T")

#: Seconds in which the process that plays has to say how it is, and what it counts.
_SECONDS, _METRICS_SECONDS = 3.0, 10.0


class Monitoring:
    """`/healthz`, `/livez` and `/metrics`: `health` returns what is wrong with each part of the server, `metrics` what
    it counts.
    """

    def __init__(
        self, health: Callable[[], Awaitable[Mapping[str, str]]], metrics: Callable[[], Awaitable[str]]
    ) -> None:
        self._wrong = health
        self._counted = metrics

    def application(self) -> Starlette:
        """Return what answers at these addresses."""
        routes = [Route("/healthz", self._health), Route("/livez", self._live), Route("/metrics", self._metrics)]
        return Starlette(routes=routes, exception_handlers={FarfaliaServerError: refused})

    async def _health(self, request: Request) -> Response:
        try:
            wrong = await _said(self._wrong(), _SECONDS)
        except NotReady as error:
            wrong = {"server": str(error)}
        well = not any(wrong.values())
        checks = {name: text or "ok" for name, text in wrong.items()}
        return JSONResponse({"status": "ok" if well else "unavailable", "checks": checks}, 200 if well else 503)

    async def _live(self, request: Request) -> Response:
        await _said(self._wrong(), _SECONDS)
        return JSONResponse({"status": "ok"})

    async def _metrics(self, request: Request) -> Response:
        return Response(await _said(self._counted(), _METRICS_SECONDS), media_type=CONTENT_TYPE_LATEST)


async def _said(answer: Awaitable[T], seconds: float) -> T:
    """Return what the process that plays says; NotReady if it says nothing."""
    try:
        async with asyncio.timeout(seconds):
            return await answer
    except TimeoutError:
        raise NotReady(in_english(f"the process that plays matches has not answered for {seconds:.0f} s")) from None
