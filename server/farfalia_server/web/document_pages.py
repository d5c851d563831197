"""The pages under `/docs/`: the documents of the repository, as the software that runs has them."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from farfalia_server.web import card_figures, wheel
from farfalia_server.web.document_markdown import DocumentBody, document_body
from farfalia_server.web.documents import Document, documents
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.python_reference import with_reference
from farfalia_server.web.rendered_page import FINAL
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.wording.language import SOURCE, speaking

#: A document with at least this many headings has a list of them.
_LONG = 4


class DocumentPages:
    """The list of all documents, and each of them. They stay the same while the server runs."""

    def __init__(self, renderer: PageRenderer) -> None:
        self._renderer = renderer
        self._pictures = StaticAddresses(wheel.documents_folder() / "assets")

    def routes(self) -> list[Route | Mount]:
        """Return the routes by address."""
        return [Route("/docs/", self._list), Route("/docs/{document:path}", self._document), self._pictures.mount()]

    async def _list(self, request: Request) -> Response:
        return await asyncio.to_thread(self._page, documents().at(""))

    async def _document(self, request: Request) -> Response:
        return await asyncio.to_thread(self._page, documents().at(request.path_params["document"]))

    def _page(self, document: Document) -> Response:
        body = self._body(document)
        headings = [one for one in body.headings if one.level <= 3]
        before, after = documents().around(document)
        page = self._renderer.page(
            "document.html",
            "docs",
            document=document,
            body=body,
            contents=headings if document.title and len(headings) >= _LONG else [],
            before=before,
            after=after,
        )
        page.headers["cache-control"] = FINAL
        return page

    def _body(self, document: Document) -> DocumentBody:
        return document_body(
            with_reference(documents().text(document.path)),
            documents(),
            document.path,
            picture=lambda path: self._pictures(path.rpartition("/")[2]),
            cards=self._cards,
        )

    def _cards(self, block: str) -> str:
        template = self._renderer.environment.get_template("card_figure.html")
        with speaking(SOURCE):  # as the document
            return template.render(rows=card_figures.rows(block))
