"""The events of a deal that is over, with all that its record knows of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from farfalia.v1 import record_pb2
from farfalia_engine import Deals, ruleset
from farfalia_server.contract.conduct import ASKED, REPLACED, banks_left
from farfalia_server.records.codec import from_message
from farfalia_server.records.spectator_events import OpenBook, SpectatorEvent, SpectatorEvents


def deal_events(record: record_pb2.Record, number: int, cause: Callable[[int], str]) -> Iterator[dict[str, Any]]:
    """Yield what happened in deal `number`, counted from 1, after the beginning of the match.

    `cause` words why a house bot decided.
    """
    return of_deal(match_events(record, cause), number)


def match_events(record: record_pb2.Record, cause: Callable[[int], str]) -> list[SpectatorEvent]:
    """Return what happened in all deals."""
    played = from_message(record)
    deals = Deals(played.source.board_key)
    story = SpectatorEvents(
        ruleset(played.ruleset, played.options).new_match(deals),
        [seat.name for seat in played.seats],
        OpenBook(deals, _Decisions(record, cause).told),
        match=played.match,
        ruleset=played.ruleset,
        options=dict(played.options),
        limit_ms=record.time_control.limit_ms,
        bank_ms=record.time_control.bank_ms,
    )
    story.follow_all(played.actions)
    return story.events


def of_deal(events: Iterable[SpectatorEvent], number: int) -> Iterator[dict[str, Any]]:
    """Yield those of the events of a match that belong to deal `number`, after the beginning of the match."""
    for event in events:
        # A deal's beginning counts as of the deal before it.
        deal = event.values["number"] if event.values["type"] == "deal" else event.deal
        if deal in (0, number):
            yield event.values


class _Decisions:
    """What a record knows of each decision besides the action: its time, the bank, and why it came about."""

    def __init__(self, record: record_pb2.Record, cause: Callable[[int], str]) -> None:
        self._record = record
        self._cause = cause
        self._incidents = {incident.action_index: incident for incident in record.incidents}
        self._banks = banks_left(record)

    def told(self, index: int) -> dict[str, Any]:
        """Return what an event says of a decision: nothing for a seat that a house bot held from the start.

        `ms` and `bank` are milliseconds taken and left, `forced` stands where nobody was asked, `instead` where a house
        bot decided and says why, `strikes` where the seat got one and says how many it has then.
        """
        action = self._record.actions[index]
        if self._record.seats[action.seat].house:
            return {}
        if action.cause == record_pb2.CAUSE_FORCED:
            return {"forced": True}
        found: dict[str, Any] = {}
        if action.cause in ASKED:
            found.update(ms=action.took_ms, bank=self._banks[index])
        if action.cause in REPLACED:
            found["instead"] = self._cause(action.cause)
        incident = self._incidents.get(index)
        if incident is not None and incident.seat == action.seat:
            found["strikes"] = incident.strikes
        return found
