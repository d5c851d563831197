"""The pages of an event as files that any web server, or none, can show: a static site.

Only what belongs to the event is taken. A link to anything else becomes plain text, and what needs a server is left
out: forms, links to the desks, and whatever a template marks with `data-server`.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from html.parser import HTMLParser
from pathlib import PurePosixPath
from posixpath import join, normpath, relpath

#: What a script or a style sheet takes from beside itself.
_BESIDE = re.compile(rb"""(?:from\s*|import\s*\(?\s*|url\()["']?(\.{1,2}/[\w./-]+)["']?""")
_ATTRIBUTES = ("href", "src", "action")
#: What a script writes into the address as it steps through a deal: the site has it elsewhere.
_ADDRESS_OF_A_DEAL = re.compile(r"""\sdata-address=("[^"]*"|'[^']*')""")
#: Pages of a tournament or a bot that are for those who come back.
_FOR_VISITORS = {"projector", "archive.zip", "feed.atom", "calendar.ics"}
#: How the addresses of records begin.
_RECORDS = "/records/"


class SiteArchive:
    """Makes files of the pages of an event; `get` returns what a server has at a path, None if there is nothing.

    `tournaments` and `matches` are the numbers of what belongs to the event, the latter with whether their records are
    open, and `ladders` the names of its ladders. Whoever makes the archive writes the records, as `farfalia verify`
    reads them.
    """

    def __init__(
        self,
        event: str,
        get: Callable[[str], Awaitable[bytes | None]],
        *,
        tournaments: Iterable[int],
        matches: Mapping[int, bool],
        ladders: Iterable[str],
    ) -> None:
        self._get = get
        self._first = f"/events/{event}"
        self._pages = {
            "tournaments": set(map(str, tournaments)),
            "matches": set(map(str, matches)),
            "ladders": set(ladders),
            "events": {event},
            "records": {f"{number}.json" for number, is_open in matches.items() if is_open},
        }

    async def files(self) -> AsyncIterator[tuple[str, bytes]]:
        """Yield each file: its path, relative to the folder of the site, and what is in it."""
        waiting, seen = [self._first], {self._first}
        while waiting:
            path = waiting.pop()
            data = await self._get(path)
            if data is None:
                continue
            if _is_page(path):
                page = _Page(path, self._is_ours)
                page.feed(data.decode())
                found, data = page.links, page.text.encode()
            else:
                found = {normpath(join(str(PurePosixPath(path).parent), one.decode())) for one in _BESIDE.findall(data)}
            found = {one for one in found if not one.startswith(_RECORDS)} - seen
            waiting += sorted(found)
            seen |= found
            yield _file(path), data
        target = _file(self._first)
        text = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={target}">'
        yield "index.html", f'{text}<a href="{target}">{self._first}</a>\n'.encode()

    def _is_ours(self, path: str) -> bool:
        """Return whether a path belongs to the event, or to how its pages look."""
        _, kind, name, *rest = [*path.split("/"), "", ""]
        if kind in ("", "static"):
            return True
        return name in self._pages.get(kind, ()) and not _FOR_VISITORS & set(rest)


class _Page(HTMLParser):
    """A page whose links lead to files: `text` is the page, `links` are the paths to which it leads."""

    def __init__(self, path: str, is_ours: Callable[[str], bool]) -> None:
        super().__init__(convert_charrefs=False)
        self._here = str(PurePosixPath(_file(path)).parent)
        self._is_ours = is_ours
        self._parts: list[str] = []
        #: Tags that are left out with what is in them, and whether the open link is plain text.
        self._left_out: list[str] = []
        self._plain = False
        #: What stands in place of an age, which is right for a minute only: its moment.
        self._moment = ""
        self.links: set[str] = set()

    @property
    def text(self) -> str:
        """The page as it is to be written."""
        return "".join(self._parts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write a tag, with links that lead to files; what needs a server is left out, other links are plain text."""
        given = dict(attrs)
        to_desk = tag == "a" and (given.get("href") or "").startswith("/account")
        if tag == "form" or to_desk or "data-server" in given or tag in self._left_out[-1:]:
            self._left_out.append(tag)
        if self._left_out:
            return
        raw = _ADDRESS_OF_A_DEAL.sub("", self.get_starttag_text() or "")
        for name, value in attrs:
            if name in _ATTRIBUTES and value and value.startswith("/"):
                raw = re.sub(rf"""\s{name}=("[^"]*"|'[^']*'|[^\s>]+)""", self._attribute(name, value), raw, count=1)
        if tag == "time":
            self._moment = given.get("title") or ""
        if tag == "a":
            self._plain = "href=" not in raw
            raw = "<span>" if self._plain else raw
        self._parts.append(raw)

    def _attribute(self, name: str, value: str) -> str:
        address, mark, anchor = value.partition("#")
        path, query, _ = address.partition("?")
        if query or not self._is_ours(path):
            return ""
        if path != "/":
            self.links.add(path)
        return f' {name}="{relpath(_file(path), self._here)}{mark}{anchor}"'

    def handle_endtag(self, tag: str) -> None:
        """Write the end of a tag."""
        if self._left_out:
            if tag == self._left_out[-1]:
                self._left_out.pop()
            return
        self._parts.append("</span>" if tag == "a" and self._plain else f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Write text as it is; in place of an age, its moment."""
        if not self._left_out:
            self._parts.append(self._moment or data)
            self._moment = ""

    def handle_entityref(self, name: str) -> None:
        """Write a sign as it is."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Write a sign as it is."""
        self.handle_data(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """Write what a page begins with."""
        self._parts.append(f"<!{decl}>")

    def handle_comment(self, data: str) -> None:
        """Leave out comments."""


def _is_page(path: str) -> bool:
    return not path.startswith(("/static/", _RECORDS)) and not path.endswith(".ics")


def _file(path: str) -> str:
    """Return the file of a path, relative to the folder."""
    inside = path.strip("/")
    if path.startswith(_RECORDS):
        return f"records/match-{path.removeprefix(_RECORDS)}"
    return str(PurePosixPath(inside) / "index.html") if _is_page(path) else inside
