"""How calls list something page by page: what a page holds, and how the next one is asked for."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message


def rows(page: Message) -> Any:
    """Return what a page lists: its first field."""
    return getattr(page, page.DESCRIPTOR.fields[0].name)


def ask_for_next(request: Any, page: Message) -> None:
    """Change a request so that it asks for what comes after a page."""
    fields = request.DESCRIPTOR.fields_by_name
    last = rows(page)[-1]
    if "skip" in fields:
        request.skip += len(rows(page))
    elif "before" in fields:
        request.before = last.id
    else:
        request.after = last.name if isinstance(request.after, str) else last.number
