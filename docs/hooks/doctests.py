"""Examples in docstrings as code: each block that begins with >>> goes between fences."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n|$).*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """A walk through the docstrings that fences their examples."""

    def on_object(self, *, obj: griffe.Object, **others: Any) -> None:
        """Fence those of one object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(docstring: str) -> str:
    """Return the docstring with each example as a block of Python."""
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", docstring)
