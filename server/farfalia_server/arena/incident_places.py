"""Where incidents happened and what was done instead, from the records of their matches."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from farfalia.analysis.prices import aspect_of
from farfalia.v1 import bots_pb2, record_pb2
from farfalia_engine import EngineError, Kind, replay
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.records.codec import from_message
from farfalia_server.store import Store

#: Matches whose incidents are kept: several times as many as one bot's page may be about.
_KEPT: Final = 1000


class IncidentPlace(NamedTuple):
    """A decision: its deal, the trick and the card of it that were next, what it was about, and what was done."""

    deal: int
    trick: int
    card: int
    aspect: str
    done: str


class IncidentPlaces:
    """Finds the places of incidents, and keeps those of the matches that were asked for last: they never change."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[int, dict[int, IncidentPlace]] = {}

    async def add_to(self, incidents: Sequence[bots_pb2.BotIncident]) -> None:
        """Say of incidents where they happened, as far as the records of their matches are open and hold."""
        for one in incidents:
            if one.text_open and (place := (await self._of_match(one.match)).get(one.incident.action_index)):
                one.deal, one.trick, one.card, one.aspect, one.instead = place

    async def _of_match(self, match: int) -> Mapping[int, IncidentPlace]:
        """Return the places of all incidents of a match, by their actions; none if its record does not hold."""
        if match not in self._kept:
            try:
                record = await self._store.records.get(match)
                found = await asyncio.to_thread(_places, record)
            except (EngineError, FarfaliaServerError):
                found = {}
            self._kept[match] = found
            if len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]
        return self._kept[match]


def _places(message: record_pb2.Record) -> dict[int, IncidentPlace]:
    record = from_message(message)
    wanted = {one.action_index for one in record.incidents}
    found = {}
    for number, (done, state) in enumerate(zip(record.actions, replay(record), strict=False)):
        if number in wanted:
            view = state.observation(done.seat)
            plays = view.kind is Kind.PLAY
            found[number] = IncidentPlace(
                view.deal,
                len(view.winners) + plays,
                len(view.trick) + 1 if plays else 0,
                aspect_of(view),
                view.rules.text(done.action).rpartition("=")[2],
            )
            if len(found) == len(wanted):
                break
    return found
