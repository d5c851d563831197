"""Asking for the analysis of a match in a browser."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from farfalia.v1 import accounts_pb2, analysis_pb2
from farfalia_server.contract.errors import Unauthenticated
from farfalia_server.web.form_fields import Refused
from farfalia_server.web.form_pages import FormPages, whole_number
from farfalia_server.web.forms import Visitor

_PATH = "/account/analysis"


class AnalysisPages(FormPages):
    """The page `/account/analysis?match=NUMBER`: the call refuses those who may not ask."""

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [Route(_PATH, self._asked, methods=["GET"]), self._form(f"{_PATH}/request", self._request)]

    async def _asked(self, request: Request) -> Response:
        return await self._shown(request, Visitor.of(request))

    async def _shown(self, request: Request, visitor: Visitor, refused: Refused | None = None) -> Response:
        """Return the page; sends those who are not signed in to where they can."""
        try:
            await self._call(request, visitor, "GetAccount", accounts_pb2.GetAccountRequest())
        except Unauthenticated:
            return RedirectResponse("/account", 303)
        typed = refused.typed if refused is not None else dict(request.query_params)
        number = 0 if refused is not None and refused.field == "match" else whole_number(typed, "match")
        return self._page("analysis.html", visitor, request, refused, match=number)

    async def _request(self, request: Request, visitor: Visitor, fields: dict[str, str]) -> Response:
        """Ask for it, and show the match."""
        number = whole_number(fields, "match")
        await self._call(request, visitor, "RequestAnalysis", analysis_pb2.RequestAnalysisRequest(match=number))
        return RedirectResponse(f"/matches/{number}", 303)
