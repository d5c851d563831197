"""The application at the HTTP port: its routes, and how errors are shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from time import monotonic

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from farfalia_server.arena.reading import Reader
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.contract.registration import Registration
from farfalia_server.net.addresses import Addresses
from farfalia_server.net.client_address import is_counted
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.web.agent_guide import AgentGuide
from farfalia_server.web.api import Api
from farfalia_server.web.calls import Calls, MakeCall
from farfalia_server.web.document_pages import DocumentPages
from farfalia_server.web.downloads import Downloads
from farfalia_server.web.embed_pages import EmbedPages
from farfalia_server.web.event_archives import EventArchives
from farfalia_server.web.event_pages import EventPages
from farfalia_server.web.feeds import FeedPages
from farfalia_server.web.form_pages import FormPages
from farfalia_server.web.gate import FOR_MACHINES, RATE, Gate
from farfalia_server.web.match_pages import MatchPages
from farfalia_server.web.match_streams import LiveSource, match_streams
from farfalia_server.web.page_cache import PageCache
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.pages import Pages
from farfalia_server.web.picture_pages import PicturePages
from farfalia_server.web.problem import Problem, is_for_programs, refused
from farfalia_server.web.program_uploads import ProgramUploads
from farfalia_server.web.reader_language import LanguageSwitch, ReaderLanguage
from farfalia_server.web.record_downloads import RecordDownloads
from farfalia_server.web.reference_pages import ReferencePages
from farfalia_server.web.search_page import SearchPages, meant
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.web.tournament_streams import arena_stream, tournament_streams


def create_front(
    pages: PageCache,
    machines: PageCache,
    *,
    views: TokenBuckets | None = None,
    rate: float = RATE,
    now: Callable[[], float] = monotonic,
    is_counted: Callable[[str], bool] = is_counted,
    live: LiveSource | None = None,
    tournaments: Callable[[], Awaitable[Reader]] | None = None,
    records: Callable[[], Awaitable[Reader]] | None = None,
    call: MakeCall | None = None,
    forms: Sequence[FormPages] = (),
) -> Starlette:
    """Return everything at the HTTP port: the pages and their JSON, what machines ask, and what is streamed.

    `rate` requests a second are answered, few of them to one address, whose `views` are counted, if it `is_counted`.
    `live` returns what is shown of a watched match, `tournaments` what reads tournaments and matches that are watched,
    `records` what reads downloads, and `call` makes calls of the contract. `forms` are the pages of those who sign in.
    `now` is a clock in seconds that never goes back.
    """
    routes = [Route(path, machines) for path in FOR_MACHINES]
    routes += [match_streams(live)] if live else []
    routes += [arena_stream(tournaments), tournament_streams(tournaments)] if tournaments else []
    routes += RecordDownloads(records).routes() if records else []
    routes += EventArchives(records, pages.made).routes() if records else []
    routes += [*Calls(call).routes(), *ProgramUploads(call).routes()] if call else []
    routes += [*LanguageSwitch().routes(), *(route for part in forms for route in part.routes())]
    views = views or TokenBuckets(limits.VIEWS_BURST, limits.VIEWS_RATE)
    application = Starlette(
        routes=routes,
        middleware=[
            Middleware(Gate, views=views, rate=rate, now=now, is_counted=is_counted),
            Middleware(ReaderLanguage),
        ],
        exception_handlers={FarfaliaServerError: refused, HTTPException: refused},
    )
    application.router.default, application.router.redirect_slashes = pages, False
    return application


def create_web(
    reader: Reader,
    addresses: Callable[[], Awaitable[Addresses]],
    *,
    server_name: str,
    server_version: str,
    registration: Registration = Registration.CLOSED,
    analyses: bool = False,
    live: LiveSource | None = None,
) -> Starlette:
    """Return the pages, their JSON, their static files, and the downloads;
    `addresses` returns the public addresses. `registration` says who can get a token here,
    `analyses` whether matches are analysed, and `live` returns what is shown of a match that is played.
    """
    static = StaticAddresses()
    renderer = PageRenderer(server_name, server_version, static)
    pages = (
        Pages(reader, addresses, server_version, renderer, live),
        EmbedPages(reader, renderer),
        EventPages(reader, renderer, addresses),
        PicturePages(reader),
        FeedPages(reader, addresses),
        MatchPages(reader, renderer, addresses, analyses=analyses),
        ReferencePages(addresses, renderer),
        AgentGuide(addresses, renderer, server_version, registration),
        DocumentPages(renderer),
        SearchPages(reader, renderer),
    )
    api = Api(reader, server_version)
    downloads = Downloads(renderer.page, addresses, server_version)

    async def refused_page(request: Request, error: Exception) -> Response:
        found = Problem.of(error)
        if is_for_programs(request.url.path):
            return found.for_programs()
        near = await meant(reader, request.url.path) if found.status == 404 else []
        answer = renderer.error(found.status, found.title, found.detail, near)
        answer.headers.update(found.headers)
        return answer

    return Starlette(
        routes=[
            *(route for part in pages for route in part.routes()),
            *api.routes(),
            downloads.mount(),
            static.mount(),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=500)],
        exception_handlers={FarfaliaServerError: refused_page, HTTPException: refused_page},
    )
