"""The role of the seater."""

from __future__ import annotations

from farfalia_server.cluster.leadership import Leadership
from farfalia_server.cluster.registry import NodeRegistry

#: Name of the role.
SEATER = "seater"


class SeaterRole:
    """The role of the seater, which one node has at a time.

    For a moment two nodes may believe that they have it; writes with the older token are refused.
    """

    def __init__(self, leadership: Leadership, registry: NodeRegistry) -> None:
        self._leadership = leadership
        self._registry = registry

    async def token(self) -> int | None:
        """Return the fencing token if this node has the role; None if it has not."""
        role = self._leadership.roles.get(SEATER)
        return role.token if role is not None and role.instance == self._registry.own.instance else None
