"""What a coding agent needs to have a bot playing, on one page of text: `/llms.txt` (llmstxt.org)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from farfalia_server.contract.registration import Registration
from farfalia_server.net.addresses import Addresses
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.wheel import filename


class AgentGuide:
    """The guide; where registration is open it is all that it takes."""

    def __init__(
        self,
        addresses: Callable[[], Awaitable[Addresses]],
        renderer: PageRenderer,
        version: str,
        registration: Registration,
    ) -> None:
        self._addresses = addresses
        self._renderer = renderer
        self._wheel = filename(version)
        self._registration = registration

    def routes(self) -> list[Route]:
        """Return the route."""
        return [Route("/llms.txt", self._guide)]

    async def _guide(self, request: Request) -> Response:
        template = self._renderer.environment.get_template("llms.txt")
        told = await self._addresses()
        return PlainTextResponse(template.render(told=told, wheel=self._wheel, registration=self._registration.value))
