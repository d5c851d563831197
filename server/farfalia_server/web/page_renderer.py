"""Fills in templates: every page comes from here."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from farfalia.v1 import search_pb2
from farfalia_server.arena.request_checks import DEFAULT_LADDER
from farfalia_server.web.charts import line
from farfalia_server.web.contract_page import prose, to_documents
from farfalia_server.web.form_fields import field_attributes
from farfalia_server.web.page_language import PageEnvironment
from farfalia_server.web.reader_language import DECIDES_LANGUAGE
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.wording.bots import BOT_FILTERS
from farfalia_server.wording.language import LANGUAGES, SOURCE, language
from farfalia_server.wording.phrases import FILTERS
from farfalia_server.wording.points import POINTS_FILTERS
from farfalia_server.wording.prices import PRICE_FILTERS
from farfalia_server.wording.profile import PROFILE_FILTERS


class PageRenderer:
    """The templates, and what all of them know."""

    def __init__(self, server_name: str, server_version: str, static_address: StaticAddresses) -> None:
        self._environments = {code: PageEnvironment(code) for code in LANGUAGES}
        #: The templates in English, for what is in no other language.
        self.environment = self._environments[SOURCE]
        filters = FILTERS | PRICE_FILTERS | BOT_FILTERS | POINTS_FILTERS | PROFILE_FILTERS
        for code, environment in self._environments.items():
            environment.filters.update(filters, line=line, prose=prose, to_documents=to_documents)
            environment.globals.update(
                language=code,
                languages=LANGUAGES,
                english="" if code == SOURCE else Markup(' lang="en"'),
                in_language="" if code == SOURCE else f"?language={code}",
                server_name=server_name,
                server_version=server_version,
                default_ladder=DEFAULT_LADDER,
                static_address=static_address,
                field_attributes=field_attributes,
                once=partial(secrets.token_urlsafe, 12),
            )

    def page(self, template: str, section: str, twin: str = "", status: int = 200, **values: Any) -> Response:
        """Return a page in the language of the reader; the navigation marks its section, and `twin` is the address of
        its JSON, if it has one.
        """
        environment = self._environments[language()]
        text = environment.get_template(template).render(section=section, twin=twin, **values)
        return HTMLResponse(text, status, {"content-language": environment.language, "vary": DECIDES_LANGUAGE})

    def error(self, status: int, heading: str, sentence: str, meant: Sequence[search_pb2.SearchHit] = ()) -> Response:
        """Return a page that says what went wrong, and what may have been meant."""
        return self.page("error.html", "", status=status, heading=heading, sentence=sentence, meant=meant)
