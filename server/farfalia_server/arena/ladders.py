"""Opening and closing ladders."""

from __future__ import annotations

from collections.abc import Callable

from farfalia.v1 import ladders_pb2
from farfalia_engine import TimeControl
from farfalia_server.arena.messages import ladder_message
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.organising.validation import DEFAULT_GAME, checked_rules, checked_time_control
from farfalia_server.store import Ladder, Store

#: Matches at a time where no number is given, and at most.
TABLES, MOST_TABLES = 4, 1000


class LadderOpening:
    """The ladders that are open; `changed` is called after one was opened."""

    def __init__(self, store: Store, *, time_control: TimeControl, changed: Callable[[], None]) -> None:
        self._store = store
        self._time_control = time_control
        self._changed = changed

    async def open(self, asked: ladders_pb2.Ladder) -> ladders_pb2.Ladder:
        """Open a ladder; InvalidArgument names the field that is wrong, FailedPrecondition if that ladder is open."""
        rules = checked_rules(asked.ruleset, asked.options)
        if asked.tables > MOST_TABLES:
            raise InvalidArgument("tables", f"tables is {asked.tables}; expected at most {MOST_TABLES}")
        control = checked_time_control(asked.time_control) if asked.HasField("time_control") else self._time_control
        ladder = await self._store.ladders.open(
            Ladder(rules.name, rules.options, control, asked.tables or TABLES, asked.siblings, asked.fill)
        )
        self._changed()
        return ladder_message(ladder, 0)

    async def close(self, ruleset: str) -> None:
        """Close a ladder; InvalidArgument if there is no such game, FailedPrecondition if it is not open."""
        await self._store.ladders.close(checked_rules(ruleset or DEFAULT_GAME, {}).name)
