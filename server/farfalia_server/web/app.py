"""The application at the HTTP port: routes, headers, and how errors are shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from prometheus_client import REGISTRY, CollectorRegistry
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.contract.statuses import bounded, http_retry_after, http_status_of
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.client_address import is_counted
from farfalia_server.net.workers_metrics import WorkersMetrics
from farfalia_server.web.api import Api
from farfalia_server.web.downloads import Downloads
from farfalia_server.web.event_streams import EventStreams
from farfalia_server.web.front import FRESH, RATE, Front
from farfalia_server.web.front import Pages as PageMaker
from farfalia_server.web.match_pages import MatchPages
from farfalia_server.web.match_streams import LiveSource, match_streams
from farfalia_server.web.monitoring import Monitoring
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.pages import Pages
from farfalia_server.web.problem import FAULT, PROBLEM_JSON, TITLES, is_for_programs, problem
from farfalia_server.web.record_downloads import RecordDownloads, RecordSource
from farfalia_server.web.reference_pages import ReferencePages
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.web.tournament_streams import TournamentSource, tournament_streams


def create_front(
    pages: PageMaker,
    reader: Reader,
    *,
    registry: CollectorRegistry = REGISTRY,
    health: Callable[[], Mapping[str, str]] = dict,
    workers: WorkersMetrics | None = None,
    fresh: float = FRESH,
    rate: float = RATE,
    is_counted: Callable[[str], bool] = is_counted,
    live: LiveSource | None = None,
    tournaments: TournamentSource | None = None,
    records: RecordSource | None = None,
) -> Front:
    """Return the application of the HTTP port; `registry` has the counters of other parts of the server, `health`
    returns what is wrong with them, `workers` has the counters of this server's other workers.

    Pages that may change are up to `fresh` seconds old, and `rate` requests a second are answered, few of them to one
    address if it `is_counted`. `live` returns the news of a watched match.
    """

    async def refused(request: Request, error: Exception) -> Response:
        status, text, _, _ = _described(error)
        return PlainTextResponse(f"{text}\n", status)

    monitoring = Starlette(
        routes=Monitoring(reader, registry, health, workers).routes(),
        exception_handlers={FarfaliaServerError: refused, HTTPException: refused},
    )
    streams: list[EventStreams | RecordDownloads] = [match_streams(live)] if live else []
    streams += [tournament_streams(tournaments)] if tournaments else []
    streams += [RecordDownloads(records)] if records else []
    return Front(pages, monitoring, fresh=fresh, rate=rate, is_counted=is_counted, streams=streams)


def create_web(
    reader: Reader, addresses: Callable[[], Awaitable[Addresses]], *, server_name: str, server_version: str
) -> Starlette:
    """Return the pages, their JSON, their static files, and the downloads;
    `addresses` returns the public addresses.
    """
    static = StaticAddresses()
    renderer = PageRenderer(server_name, server_version, static)
    pages = (
        Pages(reader, addresses, server_version, renderer),
        MatchPages(reader, renderer),
        ReferencePages(addresses, renderer),
    )
    api = Api(reader, server_version)
    downloads = Downloads(renderer.page, addresses, server_version)

    async def refused(request: Request, error: Exception) -> Response:
        status, text, reason, headers = _described(error)
        if is_for_programs(request.url.path):
            return Response(problem(status, text, reason), status, headers, PROBLEM_JSON)
        answer = renderer.error(status, TITLES.get(status, "Error"), text)
        answer.headers.update(headers)
        return answer

    return Starlette(
        routes=[
            *(route for part in pages for route in part.routes()),
            *api.routes(),
            downloads.mount(),
            static.mount(),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=2048)],
        exception_handlers={FarfaliaServerError: refused, HTTPException: refused, Exception: refused},
    )


def _described(error: Exception) -> tuple[int, str, str, dict[str, str]]:
    """Return status, sentence, stable reason and headers of an error."""
    if isinstance(error, HTTPException):
        text = "there is no such page" if error.status_code == 404 else error.detail
        return error.status_code, text, error.detail.upper().replace(" ", "_"), {}
    if isinstance(error, FarfaliaServerError):
        wait = http_retry_after(error)
        headers = {} if wait is None else {"retry-after": wait}
        return http_status_of(error), bounded(str(error)), error.reason, headers
    return 500, FAULT, "INTERNAL", {}
