"""The texts of templates pass gettext when a template is compiled, with their values in their places."""

from __future__ import annotations

import pytest
from jinja2 import Environment

from farfalia_server.web import page_language
from farfalia_server.web.page_language import PageEnvironment
from farfalia_server.wording.bots import BOT_FILTERS
from farfalia_server.wording.phrases import FILTERS
from farfalia_server.wording.points import POINTS_FILTERS
from farfalia_server.wording.prices import PRICE_FILTERS
from farfalia_server.wording.profile import PROFILE_FILTERS


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Templates in a language that puts every text in marks."""
    monkeypatch.setattr(page_language, "gettext", lambda text: f"«{text}»")
    monkeypatch.setattr(page_language, "ngettext", lambda one, more, number: f"«{one if number == 1 else more}»")
    return PageEnvironment()


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ('<b>{{ _("Led by %(name)s, 95 %%", name=name) }}</b>', "<b>«Led by a &amp; b, 95 %»</b>"),
        (
            "{% trans name, age=3 %}\n  Led <b>by</b>\n  {{ name }} for {{ age }} %\n{% endtrans %}",
            "«Led <b>by</b> a &amp; b for 3 %»",
        ),
        ("{% trans n=1 %}{{ n }} bot{% pluralize %}{{ n }} bots{% endtrans %}", "«1 bot»"),
        ("{% trans n=2 %}{{ n }} bot{% pluralize %}{{ n }} bots{% endtrans %}", "«2 bots»"),
        ('{% macro head(text) %}<th>{{ text }}</th>{% endmacro %}{{ head(_("Don\'t")) }}', "<th>«Don't»</th>"),
        ('{% with text = _("%(name)s leads", name=name) %}{{ text }}{% endwith %}', "«a &amp; b leads»"),
        ('{{ _("yes") if name else _("no") }}', "«yes»"),
    ],
)
def test_a_text_passes_gettext_and_its_values_are_escaped(marked: Environment, source: str, page: str) -> None:
    assert marked.from_string(source).render(name="a & b") == page


def test_every_template_names_the_values_of_its_texts() -> None:
    environment = PageEnvironment()
    filters = FILTERS | PRICE_FILTERS | BOT_FILTERS | POINTS_FILTERS | PROFILE_FILTERS
    environment.filters.update(filters, line=str, prose=str, to_documents=str)
    for name in environment.list_templates(["html"]):
        environment.get_template(name)  # a text that names a value which it is not given does not compile
