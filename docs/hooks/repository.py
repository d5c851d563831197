"""Pages lie in the site where they lie in the repository, so that a link from one to another is right in both."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
#: Pages of the site that lie outside `docs/`.
OUTSIDE = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "clients/README.md",
    "clients/node/README.md",
    "deploy/README.md",
)
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Bring in the pages outside `docs/`, and every file of the repository that a page links to."""
    docs = Path(config.docs_dir)
    for file in list(files):
        path = Path(file.abs_src_path or "/")
        if path.is_relative_to(docs):
            files.remove(file)
            _add(files, config, path)
    for name in OUTSIDE:
        _add(files, config, ROOT / name)
    for page in files.documentation_pages():
        for target in _LINK.findall(page.content_string):
            path = ROOT / posixpath.normpath(posixpath.join(posixpath.dirname(page.src_uri), target))
            if path.is_file():
                _add(files, config, path)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let a link to a folder lead to the page of that folder."""
    folder = posixpath.dirname(page.file.src_uri)

    def lead(link: re.Match[str]) -> str:
        readme = posixpath.join(link[1], "README.md")
        return readme if files.get_file_from_path(posixpath.normpath(posixpath.join(folder, readme))) else link[1]

    return _LINK.sub(lead, markdown)


def _add(files: Files, config: MkDocsConfig, path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    if files.get_file_from_path(name) is None:
        files.append(File.generated(config, name, abs_src_path=str(path)))
