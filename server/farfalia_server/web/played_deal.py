"""A deal of a match that is over, as the events from which the script of the pages draws its table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypedDict

from farfalia.v1 import record_pb2
from farfalia_engine import Deals, ruleset
from farfalia_server.conduct import ASKED, REPLACED
from farfalia_server.records.codec import from_message
from farfalia_server.records.deal_views import DealView
from farfalia_server.records.spectator_events import OpenBook, SpectatorEvents
from farfalia_server.wording.phrases import cause


class PlayedDeal(TypedDict):
    """A deal for the script."""

    match: int
    deal: int
    deals: int
    events: list[dict[str, Any]]


def played_deal(record: record_pb2.Record, deals: int, number: int) -> PlayedDeal:
    """Return deal `number` of a match that is over, counted from 1, with everything open."""
    return PlayedDeal(
        match=record.match,
        deal=number,
        deals=deals,
        events=list(_events(record, number)),
    )


def has_card(deal: DealView, trick: int, card: int) -> bool:
    """Return whether a deal has this card of this trick, both counted from 1."""
    return 1 <= trick <= len(deal.tricks) and 1 <= card <= len(deal.tricks[trick - 1].plays)


def _events(record: record_pb2.Record, number: int) -> Iterator[dict[str, Any]]:
    played = from_message(record)
    deals = Deals(played.source.board_key)
    story = SpectatorEvents(
        ruleset(played.ruleset, played.options).new_match(deals),
        [seat.name for seat in played.seats],
        OpenBook(deals, Decisions(record).told),
        match=played.match,
        ruleset=played.ruleset,
        options=dict(played.options),
    )
    story.follow_all(played.actions)
    for event in story.events:
        # A deal's beginning counts as of the deal before it.
        deal = event.values["number"] if event.values["type"] == "deal" else event.deal
        if deal in (0, number):
            yield event.values


class Decisions:
    """What a record knows of each decision besides the action: its time, the bank, and why it came about."""

    def __init__(self, record: record_pb2.Record) -> None:
        self._record = record
        self._incidents = {incident.action_index: incident for incident in record.incidents}
        limit, banks = record.time_control.limit_ms, [record.time_control.bank_ms] * len(record.seats)
        self._banks: list[int] = []
        for action in record.actions:
            if action.cause in ASKED:
                banks[action.seat] -= min(banks[action.seat], max(0, action.took_ms - limit))
            self._banks.append(banks[action.seat])

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
            found["instead"] = cause(action.cause)
        incident = self._incidents.get(index)
        if incident is not None and incident.seat == action.seat:
            found["strikes"] = incident.strikes
        return found
