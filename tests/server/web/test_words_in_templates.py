"""Every word of a template passes gettext: a whole sentence each, in `{% trans %}` or `_()`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

import farfalia_server.web

TEMPLATES = Path(farfalia_server.web.__file__).parent / "templates"
#: Attributes that people read or hear.
SPOKEN = {"aria-label", "title", "alt", "placeholder", "label", "data-label", "summary"}
#: Elements that hold what people copy or what scripts read, the same in every language.
NOT_LANGUAGE = {"code", "pre", "script", "style"}
#: Names that no language changes.
NAMES = {"Farfalia"}
#: What stands for a value, or for a text that has passed gettext.
VALUE = "\N{OBJECT REPLACEMENT CHARACTER}"
_GETTEXT = {"_", "gettext", "ngettext"}
#: A text that somebody reads, told from keys, classes and addresses: a capital, or a space beside a letter.
_ENGLISH = re.compile(r"\b[A-Z][a-z]|[A-Za-z][.,;:]? | [A-Za-z]")


class Markup(HTMLParser):
    """The words of a page that stand where people read them."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in NOT_LANGUAGE:
            self._inside.append(tag)
        given = dict(attrs)
        described = tag == "meta" and given.get("name") != "viewport"
        for name in given.keys() & (SPOKEN | ({"content"} if described else set())):
            self._keep(given[name] or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            self._inside.remove(tag)

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self._keep(data)

    def _keep(self, text: str) -> None:
        said = text.replace(VALUE, " ")
        for name in NAMES:
            said = said.replace(name, "")
        if re.search(r"[^\W\d_]", said):
            self.words.append(" ".join(text.replace(VALUE, "{}").split()))


def untranslated(source: str) -> list[str]:
    """The words of a template that do not pass gettext, in the order in which they stand there."""
    tree = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True).parse(source)
    markup = Markup()
    markup.feed("".join(_shown(tree)))
    markup.close()
    return [*markup.words, *_texts_of_expressions(tree)]


def _shown(node: nodes.Node) -> Iterator[str]:
    """What a template shows, its branches one after the other, with a sign for each value."""
    if isinstance(node, nodes.TemplateData):
        yield node.data
    elif isinstance(node, nodes.Output | nodes.Template | nodes.Stmt):
        for child in node.iter_child_nodes():
            if isinstance(node, nodes.Output) or not isinstance(child, nodes.Expr):
                yield from _shown(child)
    elif isinstance(node, nodes.Const):
        yield node.value if isinstance(node.value, str) else VALUE
    elif isinstance(node, nodes.CondExpr | nodes.Or | nodes.Concat):
        for child in node.iter_child_nodes(exclude=["test"]):
            yield from _shown(child)
    else:
        yield VALUE


def _texts_of_expressions(node: nodes.Node) -> Iterator[str]:
    """Texts that expressions hold, such as what a macro is called with or a variable is set to."""
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in _GETTEXT:
        texts = 2 if node.node.name == "ngettext" else 1
        for value in (*node.args[texts:], *node.kwargs):
            yield from _texts_of_expressions(value)
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str) and _ENGLISH.search(node.value):
        yield node.value
    for child in node.iter_child_nodes():
        yield from _texts_of_expressions(child)


@pytest.mark.parametrize("name", sorted(file.name for file in TEMPLATES.glob("*.html")))
def test_every_word_of_a_template_passes_gettext(name: str) -> None:
    assert untranslated((TEMPLATES / name).read_text()) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Read this</p>", ["Read this"]),
        ("<p>{{ a }} of {{ b }}</p>", ["{} of {}"]),
        ('<a aria-label="deal {{ 1 + n }}" class="big one">→</a>', ["deal {}"]),
        ("<b>{{ 'bot' if n == 1 else 'bots' }}</b>", ["botbots"]),
        ("{{ head('All of them', 'all') }}", ["All of them"]),
        ("{% set said = 'deal ' ~ n %}{{ said }}", ["deal "]),
        ("{% macro m() %}<p title='Led'></p>{% endmacro %}{% if a %}b{% else %}c{% endif %}", ["Led", "bc"]),
        ("<code>farfalia show</code><title>{{ a }} · Farfalia</title><p class='why'>{{ a | join(', ') }} – 3</p>", []),
        ("{% trans n=count %}One <b>bot</b>{% pluralize %}{{ n }} bots{% endtrans %}", []),
        ('<p title="{{ _("Led by %(name)s", name=x) }}">{{ head(_("All of them")) }}</p>', []),
    ],
)
def test_what_passes_gettext_is_told_from_what_does_not(source: str, found: list[str]) -> None:
    assert untranslated(source) == found
