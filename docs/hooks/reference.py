"""The reference of a package: what its `__all__` names, each from the module that defines it.

By itself, mkdocstrings takes a function with the name of its module, such as `standings.standings`, for that module.
"""

from __future__ import annotations

import importlib
import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_PACKAGE = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Write out every package of which a page of the reference wants all."""
    if not page.file.src_uri.startswith("docs/reference/"):
        return markdown
    return _PACKAGE.sub(lambda found: _names(found[1]), markdown)


def _names(package: str) -> str:
    module = importlib.import_module(package)
    if not hasattr(module, "__all__"):
        return f"::: {package}"
    lines = [f"::: {package}", "    options: {members: false}"]
    for name in module.__all__:
        lines += [f"::: {_place(package, name)}", "    options: {heading_level: 3, show_root_full_path: false}"]
    return "\n".join(lines)


def _place(package: str, name: str) -> str:
    """Return the path of a name where it is defined; of a constant, which does not know, where it is imported."""
    value = getattr(importlib.import_module(package), name)
    known = getattr(value, "__qualname__", None) == name
    return f"{value.__module__}.{name}" if known else f"{package}.{name}"
