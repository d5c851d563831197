"""For machines that watch the server: is it well, and how much does it do."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from farfalia_server.arena.reading import Reader


class Monitoring:
    """`/healthz` and `/metrics`."""

    def __init__(self, reader: Reader, registry: CollectorRegistry, health: Callable[[], Mapping[str, str]]) -> None:
        self._reader = reader
        self._registry = registry
        self._wrong = health

    def routes(self) -> list[Route]:
        """Return both addresses."""
        return [Route("/healthz", self._health), Route("/metrics", self._metrics)]

    async def _health(self, request: Request) -> Response:
        # It waits for nothing, so that it says what is wrong even if that is a database that does not answer.
        wrong = self._wrong()
        well = not any(wrong.values())
        checks = {name: text or "ok" for name, text in wrong.items()}
        return JSONResponse({"status": "ok" if well else "unavailable", "checks": checks}, 200 if well else 503)

    async def _metrics(self, request: Request) -> Response:
        queue, nodes = await self._reader.queue(), await self._reader.nodes()
        seen = CollectorRegistry()
        matches = Gauge("farfalia_matches", "Matches that are not over, on all nodes", ["state"], registry=seen)
        matches.labels("queued").set(queue.queued)
        matches.labels("running").set(queue.running)
        awaited = Gauge("farfalia_bots_awaited", "Bots that matches wait for", registry=seen)
        awaited.set(len(queue.awaited))
        bots = Gauge("farfalia_bots_connected", "Bots connected, by node", ["node"], registry=seen)
        for node in nodes.nodes:
            bots.labels(node.name).set(node.bots)
        return Response(generate_latest(self._registry) + generate_latest(seen), media_type=CONTENT_TYPE_LATEST)
