"""A document from Markdown to HTML: headings that can be linked to, links that hold on the pages, cards as pictures.

Of HTML in Markdown only anchors pass, such as `<a id="F1"></a>`; comments are left out, and all else is shown as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from farfalia_server.web.documents import Documents
from farfalia_server.web.picture_size import picture_size

_ANCHOR = re.compile(r'<a id="[\w-]+">|</a>')
_FILE = re.compile(r"[\w/.-]+\.md")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
#: Characters of code that a phone shows in a line; a block with longer lines is scrolled, also by the keyboard.
_NARROW: Final = 36
#: Characters of a cell that is no number or word but a text, and is not to get too narrow on a phone.
_TEXT: Final = 24


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title of a document."""

    level: int
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class DocumentBody:
    """A document as HTML, without its title."""

    title: str
    html: Markup
    headings: tuple[Heading, ...]
    has_cards: bool


def document_body(
    text: str, documents: Documents, path: str, *, picture: Callable[[str], str], cards: Callable[[str], str]
) -> DocumentBody:
    """Return the document whose Markdown is `text` and whose path in the repository is `path`.

    `picture` returns the address of a picture by its name, `cards` a block of cards as HTML.
    """
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(text)
    headings = list(_headings(tokens))
    for token in tokens:
        if token.type == "inline":
            token.children = list(_linked(token.children or [], documents, path))
    end = next(place for place, token in enumerate(tokens) if token.type == "heading_close")
    renderer = _Renderer(documents, path, picture, cards)
    html = Markup(renderer.render(tokens[end + 1 :], parser.options, {}))  # noqa: S704  # the renderer escapes
    return DocumentBody(_text(tokens[end - 1]), html, tuple(headings), any(token.info == "cards" for token in tokens))


def _text(inline: Token) -> str:
    return "".join(token.content for token in inline.children or [] if token.type in ("text", "code_inline"))


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Give each heading the id that GitHub gives it, and yield those below the title."""
    ids: set[str] = set()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = _text(inline)
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            id = next(one for one in _numbered(slug, "{}-{}", 1) if one not in ids)
            ids.add(id)
            opening.attrSet("id", id)
            if opening.tag != "h1":
                yield Heading(int(opening.tag[1:]), id, text)


def _numbered(name: str, form: str, first: int) -> Iterator[str]:
    yield name
    while True:
        yield form.format(name, first)
        first += 1


def _linked(tokens: Sequence[Token], documents: Documents, path: str) -> Iterator[Token]:
    """Yield the tokens of a text with links as the pages have them; those that lead to nothing there become text.

    A link whose text is the name of a file, such as `rules.md`, gets the title of the document instead.
    """
    kept: list[bool] = []
    title = ""
    for token in tokens:
        if token.type == "link_open":
            address = documents.leads_to(path, str(token.attrGet("href")))
            token.attrSet("href", address)
            kept.append(bool(address))
            title = documents.title_at(address)
        elif token.type == "text" and title and _FILE.fullmatch(token.content):
            token.content = title
        if token.type not in ("link_open", "link_close") or kept[-1]:
            yield token
        if token.type == "link_close":
            kept.pop()
            title = ""


class _Renderer(RendererHTML):
    """Renders one document. Each method whose name is that of a token gets all tokens, and the place of the one."""

    def __init__(
        self, documents: Documents, path: str, picture: Callable[[str], str], cards: Callable[[str], str]
    ) -> None:
        super().__init__()
        self._documents, self._path, self._picture, self._cards = documents, path, picture, cards
        self._heading, self._end_of_heading = "", ""
        self._labels: set[str] = set()

    def heading_open(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Make the heading a link to itself, unless it has links of its own."""
        inline, tag, id = tokens[place + 1], tokens[place].tag, escape(tokens[place].attrGet("id"))
        self._heading = _text(inline)
        linked = any(child.type == "link_open" for child in inline.children or [])
        self._end_of_heading = f"</{tag}>\n" if linked else f"</a></{tag}>\n"
        return f'<{tag} id="{id}">' if linked else f'<{tag} id="{id}"><a href="#{id}">'

    def heading_close(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """End what `heading_open` began."""
        return self._end_of_heading

    def table_open(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Let a wide table be scrolled by itself; its name is the heading above, with a number from the second on."""
        label = next(one for one in _numbered(self._heading, "{}, {}", 2) if one not in self._labels)
        self._labels.add(label)
        return f'<div class="wide" role="region" aria-label="{escape(label)}" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """End what `table_open` began."""
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Begin the head of a column; without a text it is none."""
        return f'<th scope="col"{_aligned(tokens[place])}>' if tokens[place + 1].content else "<td>"

    def th_close(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """End what `th_open` began."""
        return "</th>\n" if tokens[place - 1].content else "</td>\n"

    def td_open(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Begin a cell."""
        return '<td class="text">' if len(tokens[place + 1].content) > _TEXT else f"<td{_aligned(tokens[place])}>"

    def fence(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Show cards, or code."""
        content = tokens[place].content
        if tokens[place].info == "cards":
            return self._cards(content)
        if tokens[place].info == "signature":
            return f'<code class="signature">{escape(content.strip())}</code>\n'
        scrolled = ' tabindex="0"' if any(len(line) > _NARROW for line in content.splitlines()) else ""
        return f"<pre{scrolled}><code>{escape(content)}</code></pre>\n"

    def code_block(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Show code that is indented."""
        return self.fence(tokens, place)

    def html_block(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Leave comments out, and show other HTML as text."""
        return str(escape(_COMMENT.sub("", tokens[place].content).strip()))

    def html_inline(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Let anchors pass, too."""
        content = tokens[place].content
        return content if _ANCHOR.fullmatch(content) else self.html_block(tokens, place)

    def image(self, tokens: Sequence[Token], place: int, *given: Any) -> str:
        """Show a picture with its size; on a dark screen `name.dark.webp`, if there is one beside `name.webp`."""
        path = self._documents.path_of(self._path, str(tokens[place].attrGet("src")))
        stem, _, suffix = path.rpartition(".")
        dark = f"{stem}.dark.{suffix}"
        width, height = picture_size(self._documents.content(path))
        size = f'width="{width}" height="{height}"'
        shown = f'<img src="{self._picture(path)}" alt="{escape(tokens[place].content)}" {size} loading="lazy">'
        if not self._documents.has(dark):
            return shown
        source = f'<source srcset="{self._picture(dark)}" media="(prefers-color-scheme: dark)" {size}>'
        return f"<picture>{source}{shown}</picture>"


def _aligned(cell: Token) -> str:
    """Return the alignment as a class, since no page has styles of its own."""
    return ' class="n"' if "right" in str(cell.attrGet("style") or "") else ""
