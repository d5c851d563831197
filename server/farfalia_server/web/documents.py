"""The documents that the pages show under `/docs/`: in which order, what each is about, and where their links lead."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.web import wheel

#: The document that lists all others, by its path in the repository: their order and what each is about.
INDEX: Final = "docs/README.md"
_ENTRY = re.compile(r"^- \[(?P<title>[^]]+)\]\((?P<path>[^)]+)\): (?P<line>.+)$")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|#")


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its path in the repository, its address, and what the list says of it."""

    path: str
    address: str
    title: str
    line: str
    group: str


class Documents:
    """All documents in the order of the list, and the files that they link to."""

    def __init__(self, texts: Mapping[str, bytes], downloads: Mapping[str, bytes]) -> None:
        """Take documents with their pictures, and the files under `/downloads/`, by their paths in the repository."""
        self._files = {**downloads, **texts}
        self._downloads = downloads.keys()
        listed = [Document(INDEX, "/docs/", "", "", ""), *_listed(self.text(INDEX))]
        self._by_path = {one.path: one for one in listed}
        self._by_address = {one.address: one for one in listed}

    @property
    def listed(self) -> list[Document]:
        """All but the list itself."""
        return list(self._by_path.values())[1:]

    def at(self, name: str) -> Document:
        """Return the document at `/docs/NAME`; NotFound."""
        found = self._by_address.get(f"/docs/{name}")
        if found is None:
            raise NotFound(said("there is no document %(name)s; /docs/ lists all", name=quoted(name)))
        return found

    def title_at(self, address: str) -> str:
        """Return the title of the document at an address, which may have an anchor; empty if there is none."""
        found = self._by_address.get(address.partition("#")[0])
        return found.title if found else ""

    def around(self, document: Document) -> tuple[Document | None, Document | None]:
        """Return the documents before and after one in the list; none for the list itself."""
        listed = self.listed
        if document not in listed:
            return None, None
        place = listed.index(document)
        return (listed[place - 1] if place else None), (listed[place + 1] if place + 1 < len(listed) else None)

    def text(self, path: str) -> str:
        """Return the Markdown of a document."""
        return self._files[path].decode()

    def content(self, path: str) -> bytes:
        """Return a picture; KeyError if there is none at that path."""
        return self._files[path]

    def has(self, path: str) -> bool:
        """Return whether there is a picture at that path."""
        return path in self._files

    def path_of(self, source: str, target: str) -> str:
        """Return the path in the repository that a relative link leads to, from the document at `source`."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))

    def leads_to(self, source: str, target: str) -> str:
        """Return the address that a link from the document at `source` has on the pages.

        It is empty for files that only the repository has: on the pages, such a link is plain text.
        """
        if _ELSEWHERE.match(target):
            return target
        before, hash_sign, fragment = target.partition("#")
        path = self.path_of(source, before)
        for found in (path, f"{path}/README.md"):
            if found in self._by_path:
                return f"{self._by_path[found].address}{hash_sign}{fragment}"
        return f"/downloads/{path}" if path in self._downloads else ""


@cache
def documents() -> Documents:
    """Return the documents of the software that runs."""
    files = {f"clients/{path}": content for path, content in wheel.guide().items()}
    files |= {f"proto/{path}": content for path, content in wheel.contract().items()}
    return Documents({f"docs/{path}": content for path, content in wheel.documents().items()}, files)


def _listed(index: str) -> list[Document]:
    found, group = [], ""
    for line in index.splitlines():
        if line.startswith("## "):
            group = line[3:]
        elif entry := _ENTRY.match(line):
            path = posixpath.normpath(posixpath.join("docs", entry["path"]))
            name = path.removeprefix("docs/").removesuffix(".md").removesuffix("/README")
            found.append(Document(path, f"/docs/{name}", entry["title"], entry["line"], group))
    return found
