"""Fills in templates: every page comes from here."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any

from starlette.responses import HTMLResponse, Response

from farfalia_server.arena.request_checks import DEFAULT_LADDER
from farfalia_server.web.charts import line
from farfalia_server.web.contract_page import prose, to_documents
from farfalia_server.web.form_fields import field_attributes
from farfalia_server.web.page_language import PageEnvironment
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.wording.phrases import FILTERS
from farfalia_server.wording.prices import PRICE_FILTERS


class PageRenderer:
    """The templates, and what all of them know."""

    def __init__(self, server_name: str, server_version: str, static_address: StaticAddresses) -> None:
        self.environment = PageEnvironment()
        self.environment.filters.update(FILTERS | PRICE_FILTERS, line=line, prose=prose, to_documents=to_documents)
        self.environment.globals.update(
            server_name=server_name,
            server_version=server_version,
            default_ladder=DEFAULT_LADDER,
            static_address=static_address,
            field_attributes=field_attributes,
            once=partial(secrets.token_urlsafe, 12),
        )

    def page(self, template: str, section: str, twin: str = "", status: int = 200, **values: Any) -> Response:
        """Return a page; the navigation marks its section, and `twin` is the address of its JSON, if it has one."""
        text = self.environment.get_template(template).render(section=section, twin=twin, **values)
        return HTMLResponse(text, status)

    def error(self, status: int, heading: str, sentence: str) -> Response:
        """Return a page that says what went wrong."""
        return self.page("error.html", "", status=status, heading=heading, sentence=sentence)
