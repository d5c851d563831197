"""The torments by name, and what is found with each."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from farfalia_tools.torment.harness import Harness

#: Takes the harness it stands on, and returns what it has seen; DidNotHold if the server failed it.
Body = Callable[[Harness], Awaitable[str]]


@dataclass(frozen=True)
class Torment:
    """A torment: what its bots do to the server, and what the server must do."""

    name: str
    does: str
    must: str
    body: Body
    #: Whether the server alone does not withstand it, only with a proxy in front of it.
    needs_proxy: bool = False


@dataclass(frozen=True)
class TormentFinding:
    """What came of a torment."""

    name: str
    does: str
    must: str
    held: bool
    #: What was seen, as a fragment of a sentence.
    seen: str
    seconds: float


#: All torments, in the order in which their modules were imported.
TORMENTS: dict[str, Torment] = {}


def torment(body: Body) -> Body:
    """Add a function to the torments; the first paragraph of its docstring is what it does, the second what must hold.

    Its name, with hyphens, is the torment's.
    """
    return _add(body, needs_proxy=False)


def torment_of_proxy(body: Body) -> Body:
    """Add a function to the torments, as `torment` does, of which a proxy has to keep the most away from the server."""
    return _add(body, needs_proxy=True)


def _add(body: Body, *, needs_proxy: bool) -> Body:
    name = body.__name__.replace("_", "-")
    does, must = (" ".join(paragraph.split()) for paragraph in (inspect.getdoc(body) or "").split("\n\n"))
    TORMENTS[name] = Torment(name, does, must, body, needs_proxy)
    return body
