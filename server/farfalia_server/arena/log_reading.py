"""The log of what people, and the server by itself, did and decided."""

from __future__ import annotations

from farfalia.v1 import acts_pb2
from farfalia_server.arena.messages import act_message
from farfalia_server.arena.request_checks import MOST_ROWS, checked_name, checked_number, row_limit
from farfalia_server.store import Store


class LogReader:
    """Reads the log."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def acts(self, asked: acts_pb2.ListActsRequest) -> acts_pb2.ListActsResponse:
        """Return the log that a request asks for, oldest first; NotFound for an unknown tournament."""
        if asked.tournament:
            await self._store.tournaments.get(checked_number(asked.tournament, "tournament"))
        acts = await self._store.acts.page(
            row_limit(asked.limit or MOST_ROWS),
            tournament_id=asked.tournament,
            event=checked_name(asked.event),
            who=checked_name(asked.who),
            before=checked_number(asked.before, "act"),
        )
        return acts_pb2.ListActsResponse(acts=map(act_message, acts))
